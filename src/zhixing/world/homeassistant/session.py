"""One connection that Home Assistant let in: commands with their answers, and the events between them.

One thread reads (`serve`); every other may ask. Numbers of commands only grow, as Home Assistant wants it, so a command
is numbered and sent under one lock.
"""

from __future__ import annotations

import threading
from typing import Any, Protocol

import msgspec
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

from zhixing.kernel.clock import Clock
from zhixing.world.homeassistant.wire import HAPPENED, SAID, Happened, Said


class Away(Exception):
    """Nothing was sent. `why` is a key of section `homeassistant`."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class Broken(Away):
    """What came over this connection was no answer: it is closed."""


class Unanswered(Exception):
    """It was sent, and nobody knows what became of it."""


class Declined(Exception):
    """Home Assistant said no. `code` is its own name for the reason."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Listener(Protocol):
    """Who wants to know; called by the thread that reads, so it may not wait for anybody."""

    def came(self, session: Session) -> None:
        """Begin with a connection: `session.command` may be used. What it raises ends the connection."""
        ...

    def happened(self, event: Happened) -> None:
        """Take an event that was subscribed to."""
        ...

    def went(self) -> None:
        """End with the connection."""
        ...


class _Waiting:
    """A command whose answer is waited for."""

    __slots__ = ("done", "said")

    def __init__(self) -> None:
        self.done = threading.Event()
        self.said: Said | None = None


class Session:
    """One connection, from its greeting to its end.

    Each answer that it begins with may take `opening` seconds, every other one `seconds`.
    """

    def __init__(
        self, connection: ClientConnection, clock: Clock, listener: Listener, *, opening: float, seconds: float
    ) -> None:
        self.version = ""
        self._opening = opening
        self._seconds = seconds
        self._connection = connection
        self._clock = clock
        self._listener = listener
        self._lock = threading.Lock()
        self._number = 0
        self._waiting: dict[int, _Waiting] = {}
        self._over = False

    def greet(self, token: str) -> None:
        """Say who we are; raise `Away("token_refused")` where that is not believed."""
        if self._read(self._opening).type != "auth_required":
            raise Broken("answer_broken")
        self._connection.send(msgspec.json.encode({"type": "auth", "access_token": token}).decode())
        said = self._read(self._opening)
        if said.type == "auth_invalid":
            raise Away("token_refused")
        if said.type != "auth_ok":
            raise Broken("answer_broken")
        self.version = said.ha_version[:32]

    def serve(self) -> None:
        """Read until the connection ends."""
        while True:
            self._dispatch(self._read(None))

    def command(self, kind: str, **fields: Any) -> msgspec.Raw:
        """Ask from the thread that reads: what comes before the answer is taken in its order."""
        number, waiting = self._send(kind, fields)
        deadline = self._clock.monotonic() + self._opening
        while not waiting.done.is_set():
            left = deadline - self._clock.monotonic()
            if left <= 0:
                raise Broken("no_answer")
            self._dispatch(self._read(left))
        return self._answer(number, waiting)

    def ask(self, kind: str, **fields: Any) -> msgspec.Raw:
        """Ask from any other thread, and wait for the answer."""
        number, waiting = self._send(kind, fields)
        deadline = self._clock.monotonic() + self._seconds
        while not self._clock.wait(waiting.done, deadline - self._clock.monotonic()):
            if self._clock.monotonic() >= deadline:
                break
        return self._answer(number, waiting)

    def end(self) -> None:
        """Tell everybody who waits that no answer will come."""
        with self._lock:
            self._over = True
            left, self._waiting = self._waiting, {}
        for each in left.values():
            each.done.set()

    def close(self) -> None:
        """Close the connection; whoever reads notices."""
        self._connection.close()

    def _send(self, kind: str, fields: dict[str, Any]) -> tuple[int, _Waiting]:
        waiting = _Waiting()
        if not self._lock.acquire(timeout=self._seconds):
            raise Away("busy")
        try:
            if self._over:
                raise Away("closed")
            self._number += 1
            number = self._number
            self._waiting[number] = waiting
            text = msgspec.json.encode({"id": number, "type": kind, **fields}).decode()
            try:
                self._connection.send(text)
            except (ConnectionClosed, OSError):
                # How much of it left, nobody says.
                self._waiting.pop(number, None)
                raise Unanswered from None
        finally:
            self._lock.release()
        return number, waiting

    def _answer(self, number: int, waiting: _Waiting) -> msgspec.Raw:
        with self._lock:
            self._waiting.pop(number, None)
        said = waiting.said
        if said is None:
            raise Unanswered
        if not said.success:
            raise Declined(str(said.error.code)[:64] if said.error else "")
        return said.result

    def _dispatch(self, said: Said) -> None:
        if said.type == "event":
            try:
                event = HAPPENED.decode(said.event)
            except msgspec.MsgspecError:
                raise Broken("answer_broken") from None
            self._listener.happened(event)
        elif said.type == "result" and said.id is not None:
            with self._lock:
                waiting = self._waiting.get(said.id)
            # An answer that nobody waits for any more, or never did, changes nothing.
            if waiting is not None and not waiting.done.is_set():
                waiting.said = said
                waiting.done.set()

    def _read(self, seconds: float | None) -> Said:
        try:
            return SAID.decode(self._connection.recv(seconds, decode=False))
        except TimeoutError:
            raise Broken("no_answer") from None
        except (msgspec.MsgspecError, RecursionError):
            raise Broken("answer_broken") from None
