"""The server process: from an application to a port."""

from __future__ import annotations

import errno
import socket

import uvicorn
from fastapi import FastAPI

from zhixing.faces.http.feed import Feed
from zhixing.faces.http.run_feed import RunFeed
from zhixing.kernel.errors import Unavailable

LAST_WORDS = 10
"""Seconds that requests under way have to end when the server stops."""


class Server(uvicorn.Server):
    """Serves one application on sockets of `listen`: `Server(api).run(sockets=[…])`.

    It stops at SIGINT and SIGTERM, or when `should_exit` is set; event streams end at once then.
    """

    def __init__(self, api: FastAPI) -> None:
        config = uvicorn.Config(
            api,
            log_config=None,
            access_log=False,
            server_header=False,
            ws="none",
            timeout_graceful_shutdown=LAST_WORDS,
        )
        super().__init__(config)
        self._feeds: tuple[Feed, RunFeed] = (api.state.feed, api.state.run_feed)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop: streams never end by themselves, so they are ended before the server waits for its connections."""
        for feed in self._feeds:
            feed.close()
        await super().shutdown(sockets)


def listen(host: str, port: int) -> socket.socket:
    """Open the port; 0 takes a free one. Raises `Unavailable` when that cannot be."""
    try:
        found = socket.getaddrinfo(host.strip("[]"), port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, protocol, _, address = found[0]
        opened = socket.socket(family, kind, protocol)
    except OSError as error:
        raise Unavailable("address_unusable", host=host) from error
    try:
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        opened.bind(address)
        opened.listen(socket.SOMAXCONN)
    except OSError as error:
        opened.close()
        if error.errno == errno.EADDRINUSE:
            raise Unavailable("port_taken", host=host, port=port) from error
        key = "port_denied" if error.errno == errno.EACCES else "address_unusable"
        raise Unavailable(key, host=host, port=port) from error
    return opened
