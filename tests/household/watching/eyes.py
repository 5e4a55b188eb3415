"""A home network in small: cameras that give pictures, and a model for images that speaks chat completions."""

from __future__ import annotations

import base64
import contextlib
import json
import re
import struct
import threading
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

USAGE = {"prompt_tokens": 900, "completion_tokens": 40, "total_tokens": 940}
_LINE = re.compile(r"^(c\d+) ⟦(.*)⟧$", re.MULTILINE)


def png(shade: int, side: int = 8) -> bytes:
    """Draw a grey square: what a camera sees, as small as it can be."""
    header = struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0)
    rows = b"".join(b"\x00" + bytes([shade]) * side for _ in range(side))
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(rows)), (b"IEND", b""))
    chunks = (
        struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body)) for name, body in parts
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


@dataclass
class Question:
    """What the model was asked: the picture, and the conditions by id."""

    picture: bytes
    conditions: dict[str, str]
    json: dict[str, Any]
    key: str

    @property
    def system(self) -> str:
        return self.json["messages"][0]["content"]

    @property
    def words(self) -> str:
        return self.json["messages"][1]["content"][0]["text"]


Judge = Callable[[Question], Any]
"""What the model says: an object, words, or (status, headers) instead of an answer."""


def judgements(said: dict[str, object], reason: str = "看到了") -> dict[str, Any]:
    return {"judgements": [{"id": name, "value": value, "reason": reason} for name, value in said.items()]}


def always(value: object) -> Judge:
    return lambda question: judgements(dict.fromkeys(question.conditions, value))


@dataclass
class Network:
    """`shows` is what each camera gives: a picture, or a status. `judge` is the model."""

    url: str
    shows: dict[str, bytes | int] = field(default_factory=dict)
    judge: Judge = field(default=always("unknown"))
    asked: list[Question] = field(default_factory=list)
    looked_at: list[str] = field(default_factory=list)
    passwords: list[str | None] = field(default_factory=list)
    hangs: bool = False
    drips: bool = False
    closing: threading.Event = field(default_factory=threading.Event)
    answered: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    """Released once for every answer of the model."""

    def camera(self, did: str) -> str:
        return f"{self.url}/cameras/{did}"

    @property
    def model(self) -> str:
        return f"{self.url}/v1"


class Handler(BaseHTTPRequestHandler):
    network: Network

    def do_GET(self):
        did = self.path.rpartition("/")[2]
        self.network.looked_at.append(did)
        self.network.passwords.append(self.headers["Authorization"])
        if self.network.drips:
            self.wfile.write(b"HTTP/1.1 200 OK\r\n\r\n")
            while not self.network.closing.wait(0.02):
                self.wfile.write(b"\0")
            return
        shown = self.network.shows.get(did, 404)
        if isinstance(shown, int):
            self.give(shown, b"no", {"Location": "/elsewhere"})
        else:
            self.give(200, shown, {"Content-Type": "image/png"})

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        words, image = body["messages"][1]["content"]
        data = base64.b64decode(image["image_url"]["url"].partition("base64,")[2])
        question = Question(data, dict(_LINE.findall(words["text"])), body, self.headers["Authorization"] or "")
        self.network.asked.append(question)
        if self.network.hangs:
            self.network.closing.wait(30)
            return
        said = self.network.judge(question)
        if isinstance(said, tuple):
            status, headers = said
            self.give(status, json.dumps({"error": {"message": "no"}}).encode(), headers)
            return
        content = said if isinstance(said, str) else json.dumps(said, ensure_ascii=False)
        message = {"role": "assistant", "content": content}
        answer = {"choices": [{"index": 0, "message": message, "finish_reason": "stop"}], "usage": USAGE}
        self.give(200, json.dumps(answer, ensure_ascii=False).encode(), {"Content-Type": "application/json"})
        self.network.answered.release()

    def give(self, status, body, headers):
        self.close_connection = True
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def handle(self):
        # Whoever asks hangs up on what takes too long or is too large.
        with contextlib.suppress(OSError):
            super().handle()

    def log_message(self, *args):
        pass


@contextmanager
def running() -> Iterator[Network]:
    """Run the network on the loopback."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    network = Network(f"http://127.0.0.1:{server.server_port}")
    server.RequestHandlerClass = type("Handler", (Handler,), {"network": network})
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield network
    finally:
        network.closing.set()
        server.shutdown()
        thread.join()
        server.server_close()
