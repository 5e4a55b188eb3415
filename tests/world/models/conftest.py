"""A provider of chat completions on the loopback that behaves as badly as its script says."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from zhixing.kernel.clock import ManualClock
from zhixing.world.models.port import Image, Prompt, Text
from zhixing.world.models.shape import Shape

USAGE = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}


@dataclass
class Asked:
    """One request as the provider read it."""

    path: str
    headers: dict[str, str]
    json: dict[str, Any]

    @property
    def roles(self) -> list[str]:
        return [message["role"] for message in self.json["messages"]]

    def words(self, number: int) -> Any:
        return self.json["messages"][number]["content"]


def completion(content: object, finish: object = "stop", usage: object = None, **message: object) -> dict[str, Any]:
    """Return a whole answer as the protocol writes it."""
    choice = {"index": 0, "message": {"role": "assistant", "content": content, **message}, "finish_reason": finish}
    return {"id": "c1", "object": "chat.completion", "model": "x", "choices": [choice], "usage": usage or USAGE}


@dataclass
class Provider:
    """What the server was asked, and what it does next: every method below adds one act, and one request takes it."""

    url: str
    good: dict[str, Any]
    asked: list[Asked] = field(default_factory=list)
    script: deque[Callable[[Handler], None]] = field(default_factory=deque)
    closing: threading.Event = field(default_factory=threading.Event)

    def gives(self, status: int, body: object = b"", **headers: str) -> None:
        """Answer with `status`; what is no bytes is sent as JSON; headers are written `Retry_After="1"`."""
        content = body if isinstance(body, bytes) else json.dumps(body, ensure_ascii=False).encode()
        named = {"Content-Type": "application/json", **{name.replace("_", "-"): text for name, text in headers.items()}}
        self.script.append(lambda handler: handler.give(status, content, named))

    def says(self, content: object, **more: Any) -> None:
        """Complete the chat; a value is said as JSON."""
        words = json.dumps(content, ensure_ascii=False) if isinstance(content, dict) else content
        self.gives(200, completion(words, **more))

    def refuses(self, status: int, message: str = "no", headers: dict[str, str] | None = None, **error: object) -> None:
        """Answer with an error as the protocol writes it."""
        self.gives(status, {"error": {"message": message, "type": "invalid_request_error", **error}}, **headers or {})

    def answers(self) -> None:
        """Answer as everybody hopes."""
        self.says(self.good)

    def hangs(self) -> None:
        self.script.append(lambda _handler: self.closing.wait(30))

    def drips(self) -> None:
        """Keep every single read short, and the whole long: what some providers do while a request queues."""

        def drip(handler: Handler) -> None:
            handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n")
            while not self.closing.wait(0.05):
                handler.wfile.write(b"\n")

        self.script.append(drip)

    def closes(self) -> None:
        self.script.append(lambda handler: handler.connection.shutdown(socket.SHUT_RDWR))

    def breaks_off(self) -> None:
        """Close in the middle of the body."""
        head = b'HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{"choices": ['
        self.script.append(lambda handler: handler.wfile.write(head))

    def talks_garbage(self) -> None:
        self.script.append(lambda handler: handler.wfile.write("这不是 HTTP\r\n\r\n".encode()))

    def floods(self) -> None:
        """Send a body without end."""

        def flood(handler: Handler) -> None:
            handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100000000000\r\n\r\n")
            while not self.closing.is_set():
                handler.wfile.write(b" " * 65_536)

        self.script.append(flood)


class Handler(BaseHTTPRequestHandler):
    provider: Provider

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.provider.asked.append(Asked(self.path, dict(self.headers), body))
        self.close_connection = True
        self.provider.script.popleft()(self)

    def give(self, status, body, headers):
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def handle(self):
        # The asker hangs up, as it should on some of these.
        with contextlib.suppress(OSError):
            super().handle()

    def log_message(self, *args):
        pass


@pytest.fixture
def provider(good: dict[str, Any]) -> Iterator[Provider]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    provider = Provider(f"http://127.0.0.1:{server.server_port}/path-password/v1", good)
    server.RequestHandlerClass = type("Handler", (Handler,), {"provider": provider})
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield provider
    provider.closing.set()
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
def clock() -> ManualClock:
    return ManualClock(datetime(2026, 10, 12, 2, 0, tzinfo=UTC))


@pytest.fixture
def shape() -> Shape:
    properties = {"title": {"type": "string"}, "day": {"type": ["string", "null"]}}
    required = ["title", "day"]
    return Shape(
        "notice",
        {"type": "object", "properties": properties, "required": required, "additionalProperties": False},
    )


@pytest.fixture
def good() -> dict[str, Any]:
    """Give a value of that shape."""
    return {"title": "交化学作业", "day": "10月12日"}


@pytest.fixture
def prompt(shape: Shape) -> Prompt:
    return Prompt("你读通知。", (Text("【群通知】10月12日交化学作业"),), shape)


@pytest.fixture
def picture(shape: Shape) -> Prompt:
    return Prompt("你看图。", (Text("这张图里说了什么？"), Image(b"\x89PNG-pixels", "image/png")), shape)
