"""Where chat completions are asked for: one request, one answer, nothing tried twice."""

from __future__ import annotations

import re
import ssl
from functools import cached_property

import httpcore

from zhixing.kernel.clock import Clock
from zhixing.kernel.errors import BadInput
from zhixing.world.bounded import BoundedBackend, Deadline
from zhixing.world.models.exchange import Said
from zhixing.world.models.failures import Why
from zhixing.world.models.wire import Trouble, answer
from zhixing.world.web import (
    AddressHasPassword,
    AddressUnreadable,
    retry_after,
    trusted,
    web_address,
    why_not_connected,
)

USER_AGENT = "zhixing-model/1"
LARGEST_ANSWER = 2 * 1024 * 1024
"""Bytes of an answer that are read."""

_PATH = b"/chat/completions"
_KEY = re.compile(r"[\x21-\x7e]*")


class Endpoint:
    """Posts to `base_url`, to which `/chat/completions` is added when it is not there.

    Neither the address, whose path may be a password, nor the key appears in an error, a log line or the `repr`.
    """

    def __init__(self, base_url: str, key: str, clock: Clock) -> None:
        self._url = _address(base_url)
        self._headers: dict[bytes | str, bytes | str] = {
            "User-Agent": USER_AGENT,
            "Content-Type": "application/json; charset=utf-8",
            "Accept": "application/json",
            "Accept-Encoding": "identity",
        }
        if key.strip():
            self._headers["Authorization"] = f"Bearer {_readable(key.strip())}"
        self._clock = clock

    def __repr__(self) -> str:
        return "Endpoint(…)"

    def post(self, body: bytes, deadline: Deadline) -> Said | Trouble:
        """Send `body` and read what comes back, all before `deadline`."""
        try:
            return self._exchange(body, deadline)
        except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
            return Trouble(Why(why_not_connected(error)), passes=True)
        except httpcore.TimeoutException:
            return Trouble(Why.NO_ANSWER, passes=True)
        except (httpcore.NetworkError, httpcore.RemoteProtocolError):
            return Trouble(Why.ANSWER_BROKEN, passes=True)

    def _exchange(self, body: bytes, deadline: Deadline) -> Said | Trouble:
        connection = httpcore.HTTPConnection(
            origin=self._url.origin,
            ssl_context=self._tls if self._url.scheme == b"https" else None,
            network_backend=BoundedBackend(deadline),
        )
        with connection, connection.stream("POST", self._url, headers=self._headers, content=body) as response:
            read = bytearray()
            for piece in response.iter_stream():
                read += piece
                if len(read) > LARGEST_ANSWER:
                    return Trouble(Why.TOO_BIG, passes=False)
            return answer(response.status, bytes(read), retry_after(response.headers, self._clock.now()))

    @cached_property
    def _tls(self) -> ssl.SSLContext:
        # Made when it is first needed: it is slow.
        return trusted()


def _address(base_url: str) -> httpcore.URL:
    try:
        base = web_address(base_url)
    except AddressUnreadable:
        raise BadInput("model_address_unreadable") from None
    except AddressHasPassword:
        raise BadInput("model_address_with_password") from None
    path, mark, query = base.target.partition(b"?")
    path = path.rstrip(b"/")
    if not path.endswith(_PATH):
        path += _PATH
    return httpcore.URL(scheme=base.scheme, host=base.host, port=base.port, target=path + mark + query)


def _readable(key: str) -> str:
    # A header would carry nothing else, and the complaint of whoever builds it would quote the key.
    if _KEY.fullmatch(key) is None:
        raise BadInput("model_key_unreadable")
    return key
