"""Opening a WebSocket to something of the home: within bounds, to one address, with no proxy and no redirect."""

from __future__ import annotations

import socket
import ssl
from typing import Final

from websockets.exceptions import InvalidHandshake
from websockets.sync.client import ClientConnection, connect

PING_SECONDS: Final = 20.0
"""How often the other side is asked whether it is still there, and how long it may take to say so."""

_CLOSING_SECONDS = 1.0
_QUEUE = 64
"""Messages that wait to be read; then the other side waits."""


def open_websocket(
    plain: socket.socket,
    target: str,
    *,
    host: str,
    port: int,
    tls: ssl.SSLContext | None,
    agent: str,
    largest: int,
    seconds: float,
) -> ClientConnection:
    """Speak WebSocket over a socket that is connected already; whoever gets the connection closes it.

    With a socket of our own nothing is resolved again. `target` begins with a slash, `largest` is in bytes. Raises what
    websockets and sockets raise, `InvalidHandshake` also for a redirect; then the socket is closed.
    """
    shown = f"[{host}]" if ":" in host else host
    scheme = "ws" if tls is None else "wss"
    try:
        return connect(
            f"{scheme}://{shown}:{port}{target}",
            sock=plain,
            ssl=tls,
            server_hostname=None if tls is None else host,
            compression=None,
            proxy=None,
            user_agent_header=agent,
            open_timeout=seconds,
            ping_interval=PING_SECONDS,
            ping_timeout=PING_SECONDS,
            close_timeout=_CLOSING_SECONDS,
            max_size=largest,
            max_queue=_QUEUE,
            legacy=True,
        )
    except BaseException as error:
        plain.close()
        if isinstance(error, ValueError) and not isinstance(error, OSError):
            # This is how a redirect is told of that was not followed.
            raise InvalidHandshake from None
        raise
