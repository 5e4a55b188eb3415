"""Pictures of the cameras of Home Assistant, over its REST API: one request, one answer, nothing tried twice."""

from __future__ import annotations

import re

import httpcore

from zhixing.kernel.clock import Clock
from zhixing.world.bounded import BoundedBackend, Deadline
from zhixing.world.homeassistant.address import Address
from zhixing.world.perception.frames import read_frame
from zhixing.world.perception.snapshots import LARGEST_SNAPSHOT, NoPicture, Snapshot, SnapshotFailed
from zhixing.world.web import why_not_connected

SECONDS = 10.0
"""Within which a picture has to be here, whole."""
_CAMERA = re.compile(r"camera\.[a-z0-9_]{1,200}")


class HomeAssistantSnapshots:
    """Gives what a camera entity shows now; the source is its id."""

    def __init__(self, address: Address, clock: Clock, *, seconds: float = SECONDS) -> None:
        self._address = address
        self._clock = clock
        self._seconds = seconds

    def snapshot(self, source: str) -> Snapshot:
        """Return the picture; the moment is that of the answer. Raises `SnapshotFailed`."""
        if _CAMERA.fullmatch(source) is None:
            raise SnapshotFailed(NoPicture.STATUS, "404")
        try:
            data = self._get(f"/api/camera_proxy/{source}", Deadline(self._clock, self._seconds))
        except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
            raise SnapshotFailed(NoPicture(why_not_connected(error))) from None
        except httpcore.TimeoutException:
            raise SnapshotFailed(NoPicture.NO_ANSWER) from None
        except (httpcore.NetworkError, httpcore.ProtocolError):
            raise SnapshotFailed(NoPicture.ANSWER_BROKEN) from None
        return read_frame(data, self._clock.now())

    def _get(self, path: str, deadline: Deadline) -> bytes:
        connection = httpcore.HTTPConnection(
            origin=self._address.base.origin,
            ssl_context=self._address.tls,
            network_backend=BoundedBackend(deadline),
        )
        url, headers = self._address.target(path), self._address.headers
        with connection, connection.stream("GET", url, headers=headers) as response:
            if response.status != 200:
                raise SnapshotFailed(NoPicture.STATUS, str(response.status))
            read = bytearray()
            for piece in response.iter_stream():
                read += piece
                if len(read) > LARGEST_SNAPSHOT:
                    raise SnapshotFailed(NoPicture.TOO_LARGE, str(LARGEST_SNAPSHOT // (1024 * 1024)))
            return bytes(read)
