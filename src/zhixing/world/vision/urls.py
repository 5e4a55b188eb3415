"""Cameras that give a picture at an address: one request, one answer, nothing tried twice."""

from __future__ import annotations

import base64
import ssl
from functools import cached_property

import httpcore

from zhixing.kernel.clock import Clock
from zhixing.kernel.errors import BadInput
from zhixing.world.bounded import BoundedBackend, Deadline
from zhixing.world.perception.frames import read_frame
from zhixing.world.perception.snapshots import LARGEST_SNAPSHOT, NoPicture, Snapshot, SnapshotFailed
from zhixing.world.web import AddressHasPassword, AddressUnreadable, trusted, web_address, why_not_connected

USER_AGENT = "zhixing-vision/1"
SECONDS = 10.0
"""Within which a picture has to be here, whole."""


class UrlSnapshots:
    """Gets the picture of the camera that is called `name` at `url`, with basic authentication where `user` is given.

    Neither the address nor the password appears in an error, a log line or the `repr`. Raises `BadInput` for an address
    that is none.
    """

    def __init__(
        self, name: str, url: str, clock: Clock, *, user: str = "", password: str = "", seconds: float = SECONDS
    ) -> None:
        try:
            self._url = web_address(url)
        except AddressUnreadable:
            raise BadInput("camera_address_unreadable", camera=name) from None
        except AddressHasPassword:
            raise BadInput("camera_address_with_password", camera=name) from None
        self._headers: dict[bytes | str, bytes | str] = {
            "User-Agent": USER_AGENT,
            "Accept": "image/jpeg, image/png, image/webp",
            "Accept-Encoding": "identity",
            "Cache-Control": "no-cache",
        }
        if user or password:
            both = base64.b64encode(f"{user}:{password}".encode("utf-8", "replace")).decode()
            self._headers["Authorization"] = f"Basic {both}"
        self._clock = clock
        self._seconds = seconds

    def __repr__(self) -> str:
        return "UrlSnapshots(…)"

    def snapshot(self, source: str) -> Snapshot:  # noqa: ARG002 - the address is of one camera
        """Return what the camera shows now; the moment is that of its answer."""
        try:
            data = self._get(Deadline(self._clock, self._seconds))
        except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
            raise SnapshotFailed(NoPicture(why_not_connected(error))) from None
        except httpcore.TimeoutException:
            raise SnapshotFailed(NoPicture.NO_ANSWER) from None
        except (httpcore.NetworkError, httpcore.ProtocolError):
            raise SnapshotFailed(NoPicture.ANSWER_BROKEN) from None
        return read_frame(data, self._clock.now())

    def _get(self, deadline: Deadline) -> bytes:
        connection = httpcore.HTTPConnection(
            origin=self._url.origin,
            ssl_context=self._tls if self._url.scheme == b"https" else None,
            network_backend=BoundedBackend(deadline),
        )
        with connection, connection.stream("GET", self._url, headers=self._headers) as response:
            if response.status != 200:
                raise SnapshotFailed(NoPicture.STATUS, str(response.status))
            read = bytearray()
            for piece in response.iter_stream():
                read += piece
                if len(read) > LARGEST_SNAPSHOT:
                    raise SnapshotFailed(NoPicture.TOO_LARGE, str(LARGEST_SNAPSHOT // (1024 * 1024)))
            return bytes(read)

    @cached_property
    def _tls(self) -> ssl.SSLContext:
        # Made when it is first needed: it is slow.
        return trusted()
