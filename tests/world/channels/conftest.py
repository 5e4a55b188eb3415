"""A receiver on the loopback that behaves as badly as it is told to."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import msgspec
import pytest

from zhixing.world.channels.port import Letter


@dataclass
class Posted:
    """One request as the receiver read it."""

    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> dict[str, Any]:
        return msgspec.json.decode(self.body)


@dataclass
class Receiver:
    """What the server answers next, and what it was sent."""

    url: str
    posted: list[Posted] = field(default_factory=list)
    behaviour: str = "200"
    headers: dict[str, str] = field(default_factory=dict)
    closing: threading.Event = field(default_factory=threading.Event)


class _Handler(BaseHTTPRequestHandler):
    receiver: Receiver

    def do_POST(self):
        receiver = self.receiver
        body = self.rfile.read(int(self.headers["Content-Length"]))
        receiver.posted.append(Posted(self.path, dict(self.headers), body))
        self.close_connection = True
        getattr(self, f"_{receiver.behaviour}", self._answer)()

    def _answer(self):
        self.send_response(int(self.receiver.behaviour))
        for name, value in self.receiver.headers.items():
            self.send_header(name, value)
        self.end_headers()

    def _hang(self):
        self.receiver.closing.wait(30)

    def _close(self):
        self.connection.shutdown(socket.SHUT_RDWR)

    def _reset(self):
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\x00\x00\x00\x00\x00\x00\x00")
        self.connection.close()

    def _half(self):
        self.wfile.write(b"HTTP/1.1 20")

    def _garbage(self):
        self.wfile.write("这不是 HTTP\r\n\r\n".encode())

    def _drip(self):
        """Keep every single read short, and the whole long, up to five seconds."""
        self.wfile.write(b"HTTP/1.1 200 OK\r\n")
        for _ in range(100):
            if self.receiver.closing.wait(0.05):
                return
            self.wfile.write(b"X-Slow: 1\r\n")
        self.wfile.write(b"\r\n")

    def _endless_head(self):
        self.wfile.write(b"HTTP/1.1 200 OK\r\n")
        for _ in range(1_000):
            self.wfile.write(b"X-Padding: " + b"x" * 1_000 + b"\r\n")
        self.wfile.write(b"\r\n")

    def _huge_body(self):
        self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100000000000\r\n\r\n")
        while not self.receiver.closing.is_set():
            self.wfile.write(b"x" * 65_536)

    def _short_body(self):
        self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this")

    def handle(self):
        # The sender hangs up, as it should on most of these.
        with contextlib.suppress(OSError):
            super().handle()

    def log_message(self, *args):
        pass


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    receiver = Receiver(f"http://127.0.0.1:{server.server_port}/hook/path-password?x=1")
    server.RequestHandlerClass = type("Handler", (_Handler,), {"receiver": receiver})
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield receiver
    receiver.closing.set()
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def closed_port() -> Iterator[int]:
    """Reserve a port that nobody listens on and that nobody else is given meanwhile."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        yield bound.getsockname()[1]


@pytest.fixture
def letter() -> Letter:
    return Letter(
        id="m7",
        key="o3:书房音箱",
        task_id="t1",
        occurrence_id="o3",
        title="交化学作业",
        text="10月12日 21:00 截止 ⏰\n交到三楼办公室",
        at=datetime(2026, 10, 12, 13, 0, tzinfo=UTC),
        url="http://home.local:8420/tasks/t1",
    )
