"""A network backend whose every step ends at one deadline.

The usual timeouts bound each read on its own, so a receiver that sends one byte a second can hold a sender for hours.
Here one deadline covers connecting, the TLS handshake, writing and reading together. Only the resolver is out of reach:
looking up a name ends when the operating system gives up, and is counted against the deadline afterwards.
"""

from __future__ import annotations

import socket
import ssl
from collections.abc import Iterable
from typing import Any

import httpcore

from zhixing.kernel.clock import Clock


class Deadline:
    """The end of `seconds` from now, on the clock's monotonic scale."""

    def __init__(self, clock: Clock, seconds: float) -> None:
        self._clock = clock
        self._end = clock.monotonic() + seconds

    def seconds(self) -> float:
        """Return the seconds left, 0 or less when there are none."""
        return self._end - self._clock.monotonic()

    def left(self, passed: type[httpcore.TimeoutException]) -> float:
        """Return the seconds left, more than 0; raise `passed` when there are none."""
        seconds = self.seconds()
        if seconds <= 0:
            raise passed
        return seconds


class BoundedBackend(httpcore.NetworkBackend):
    """Connects for one request. Timeouts passed by the caller are ignored: the deadline is the timeout."""

    def __init__(self, deadline: Deadline) -> None:
        self._deadline = deadline
        self._sockets = httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ARG002 - the deadline is the timeout
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.NetworkStream:
        """Connect to the first address of `host` that answers before the deadline."""
        failure: httpcore.ConnectError | None = None
        for address in _addresses(host, port):
            try:
                stream = self._sockets.connect_tcp(
                    address, port, self._deadline.left(httpcore.ConnectTimeout), local_address, socket_options
                )
            except httpcore.ConnectError as error:
                failure = error
            else:
                return _BoundedStream(stream, self._deadline)
        raise failure or httpcore.ConnectError(f"{host} has no address")


def _addresses(host: str, port: int) -> list[str]:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError as error:
        raise httpcore.ConnectError(str(error)) from error
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


class _BoundedStream(httpcore.NetworkStream):
    """A connection that keeps to the deadline."""

    def __init__(self, stream: httpcore.NetworkStream, deadline: Deadline) -> None:
        self._stream = stream
        self._deadline = deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ARG002 - the deadline is the timeout
        return self._stream.read(max_bytes, self._deadline.left(httpcore.ReadTimeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ARG002 - the deadline is the timeout
        self._stream.write(buffer, self._deadline.left(httpcore.WriteTimeout))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ARG002 - the deadline is the timeout
    ) -> httpcore.NetworkStream:
        left = self._deadline.left(httpcore.ConnectTimeout)
        return _BoundedStream(self._stream.start_tls(ssl_context, server_hostname, left), self._deadline)

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)
