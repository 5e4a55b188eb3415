"""A receiver that outlives its senders: writes down every letter, on disk, before it answers.

    receiver.py LOG --seed N --trouble SHARE

Prints its port. Letters posted under /plain are taken each time they come; under /keyed a letter whose Idempotency-Key
was seen before is dropped and answered as if it were new. A share of requests meets trouble, chosen by the seed: "busy"
(not taken, 429), "broken" (taken, then 500) or "gone" (taken, then the connection is cut).

Each line of LOG is one reception: `taken` or `dropped`, the path, the key, and the how-manieth it is of that key.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import socket
import threading
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

LONGEST_DELAY = 0.008


class Book:
    """The append-only record of what was received."""

    def __init__(self, path: str) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        self._counts: Counter[tuple[str, str]] = Counter()
        self._writing = threading.Lock()

    def receive(self, path: str, key: str) -> None:
        """Write down one reception; return once it is on disk."""
        with self._writing:
            self._counts[path, key] += 1
            count = self._counts[path, key]
            verb = "dropped" if path.startswith("/keyed") and count > 1 else "taken"
            os.write(self._file, f"{verb} {path} {key} {count}\n".encode())
            os.fsync(self._file)


class Handler(BaseHTTPRequestHandler):
    """Takes letters."""

    book: Book
    chance: random.Random
    trouble: float
    never = threading.Event()

    def do_POST(self) -> None:
        """Take one letter, or meet trouble."""
        self.rfile.read(int(self.headers["Content-Length"]))
        self.close_connection = True
        trouble = self.chance.random() < self.trouble and self.chance.choice(["busy", "broken", "gone"])
        if trouble == "busy":
            self._answer(429)
            return
        self.never.wait(self.chance.uniform(0, LONGEST_DELAY))
        self.book.receive(self.path, self.headers["Idempotency-Key"])
        self.never.wait(self.chance.uniform(0, LONGEST_DELAY))
        if trouble == "gone":
            self.connection.shutdown(socket.SHUT_RDWR)
        else:
            self._answer(500 if trouble else 200)

    def _answer(self, status: int) -> None:
        self.send_response(status)
        self.end_headers()

    def handle(self) -> None:
        """Serve one connection; a sender that is killed hangs up."""
        with contextlib.suppress(OSError):
            super().handle()

    def log_message(self, *_: object) -> None:
        """Stay quiet: the log is the record."""


def main() -> None:
    """Receive until killed."""
    parser = argparse.ArgumentParser()
    parser.add_argument("log")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--trouble", type=float, default=0.0)
    asked = parser.parse_args()
    Handler.book = Book(asked.log)
    Handler.chance = random.Random(asked.seed)
    Handler.trouble = asked.trouble
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(server.server_port, flush=True)  # noqa: T201 - how the starter learns the port
    server.serve_forever()


if __name__ == "__main__":
    main()
