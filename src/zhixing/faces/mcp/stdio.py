"""The wire of the Model Context Protocol: a JSON-RPC message on each line of standard input and output.

Standard output carries nothing else: whatever anybody prints goes to standard error while the server runs. Unlike in
the transport of the package, lines have a bound, and one that is no message is answered (id null) and not dropped.
"""

from __future__ import annotations

from collections import deque
from contextvars import Context
from functools import partial
from io import BufferedReader
from types import TracebackType
from typing import BinaryIO, Protocol, Self, cast

import anyio
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from mcp_types import PARSE_ERROR, ErrorData, JSONRPCError

from zhixing.faces.cli.desk import Desk
from zhixing.faces.cli.house import House, house
from zhixing.faces.cli.log import logging_to
from zhixing.faces.mcp.server import make_server
from zhixing.kernel.wording import wording

LARGEST_MESSAGE = 8_388_608
"""Bytes of a line."""
_CHUNK = 65_536
_NO_MESSAGE = b"!"


def serve(desk: Desk) -> None:
    """Serve the tools of the home of `desk` until its standard input ends."""
    with house(desk) as home, logging_to(home.home):
        anyio.run(partial(_serve, home, desk))


async def _serve(home: House, desk: Desk) -> None:
    server = make_server(home, desk)
    lines = cast("anyio.AsyncFile[str]", Lines(desk.stdin))
    async with stdio_server(stdin=lines) as (heard, told):
        await server.run(Answering(heard, told), told, server.create_initialization_options())


class Lines:
    """Lines of bounded length, read without a thread, which an interrupt could not wake.

    What is longer arrives as a line that is no message.
    """

    def __init__(self, source: BinaryIO, largest: int = LARGEST_MESSAGE) -> None:
        self._source = cast("BufferedReader", source)
        self._largest = largest
        self._waits = True
        self._begun = b""
        self._lines: deque[bytes] = deque()
        self._too_long = False

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> str:
        while not self._lines:
            chunk = await self._read()
            if not chunk:
                raise StopAsyncIteration  # what has no end of line is no message
            self._take(chunk)
        return self._lines.popleft().decode("utf-8", "replace")

    async def _read(self) -> bytes:
        if self._waits:
            try:
                await anyio.wait_readable(self._source)
            except OSError:
                # A file, or no real stream at all: there is nothing to wait for.
                self._waits = False
        return self._source.read1(_CHUNK)

    def _take(self, chunk: bytes) -> None:
        *ended, rest = chunk.split(b"\n")
        for line in ended:
            whole = self._begun + line
            fits = not self._too_long and len(whole) <= self._largest
            self._lines.append(whole if fits else _NO_MESSAGE)
            self._begun, self._too_long = b"", False
        self._begun += rest
        if len(self._begun) > self._largest:
            self._begun, self._too_long = b"", True


class Heard(Protocol):
    """Where messages come from; what is no message comes as the exception that it was read with."""

    last_context: Context | None

    async def receive(self) -> SessionMessage | Exception:
        """Return the next one. Raises `EndOfStream`."""
        ...

    async def aclose(self) -> None:
        """Hear nothing more."""
        ...


class Told(Protocol):
    """Where messages go."""

    async def send(self, item: SessionMessage, /) -> None:
        """Send one."""
        ...


class Answering:
    """What is heard, without the lines that are no messages: those are answered here."""

    def __init__(self, heard: Heard, told: Told) -> None:
        self._heard = heard
        self._told = told

    @property
    def last_context(self) -> Context | None:
        """The context of whoever sent what was heard last."""
        return self._heard.last_context

    async def receive(self) -> SessionMessage | Exception:
        """Return the next message."""
        while True:
            item = await self._heard.receive()
            if not isinstance(item, Exception):
                return item
            fault = ErrorData(code=PARSE_ERROR, message=wording("errors.mcp_message_broken", limit=LARGEST_MESSAGE))
            await self._told.send(SessionMessage(JSONRPCError(jsonrpc="2.0", id=None, error=fault)))

    async def aclose(self) -> None:
        """Hear nothing more."""
        await self._heard.aclose()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()
