"""The link to Home Assistant: one connection at a time, made again with growing pauses whenever it ends.

It begins when it is first needed or told to, in a thread of its own, and ends with `close`. Nobody but the first who
asks waits for a connection: while there is none, a command fails at once and certainly.
"""

from __future__ import annotations

import logging
import socket
import ssl
import threading
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import msgspec
from websockets.exceptions import ConnectionClosed, InvalidHandshake, WebSocketException

from zhixing.kernel.clock import Clock
from zhixing.kernel.errors import Unavailable
from zhixing.kernel.wording import wording
from zhixing.world.homeassistant.address import Address
from zhixing.world.homeassistant.session import Away, Broken, Declined, Listener, Session, Unanswered

_log = logging.getLogger(__name__)
_STEADY = 30.0
"""Seconds after which a connection counts as having held."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long connecting and answering may take, and the first and the longest pause before connecting again: seconds.

    Connecting is done in steps that may take so long each: the connection, the greeting, and what it begins with.
    A refused token waits the longest one at once: many attempts get an address banned.
    """

    connect: float = 10.0
    answer: float = 10.0
    first_pause: float = 1.0
    longest_pause: float = 60.0


class Link:
    """Keeps the connection. Safe to use from several threads."""

    def __init__(self, address: Address, clock: Clock, listener: Listener, patience: Patience | None = None) -> None:
        self.patience = patience or Patience()
        self._address = address
        self._clock = clock
        self._listener = listener
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._session: Session | None = None
        self._dialled: Session | None = None
        """As `_session`, from before it is let in."""
        self._why = "not_tried"
        self._tried = threading.Event()
        self._stopping = threading.Event()

    @property
    def version(self) -> str:
        """The version of Home Assistant; "" where there is no connection."""
        session = self._session
        return session.version if session else ""

    @property
    def is_up(self) -> bool:
        """Whether there is a connection now."""
        return self._session is not None

    def trouble(self) -> Unavailable:
        """Say why there is no connection, as an error for whoever cannot do without."""
        if self._why == "token_refused":
            return Unavailable("homeassistant_token_refused")
        return Unavailable("homeassistant_unreachable", why=wording(f"homeassistant.why_{self._why}"))

    def start(self) -> None:
        """Begin to connect, unless that has begun."""
        with self._lock:
            if self._thread is None and not self._stopping.is_set():
                self._thread = threading.Thread(target=self._run, name="homeassistant", daemon=True)
                self._thread.start()

    def ready(self) -> bool:
        """Whether there is a connection; the first time, the outcome of the first attempt is waited for."""
        if self._session is None and not self._stopping.is_set():
            self.start()
            deadline = self._clock.monotonic() + 3 * self.patience.connect
            while not self._clock.wait(self._tried, deadline - self._clock.monotonic()):
                if self._clock.monotonic() >= deadline:
                    break
        return self._session is not None

    def ask(self, kind: str, **fields: Any) -> msgspec.Raw:
        """Give a command and return its result.

        Raises `Away` where it was not sent, `Declined` where the answer was no, `Unanswered` where nobody knows.
        """
        self.ready()
        session = self._session
        if session is None:
            raise Away(self._why)
        return session.ask(kind, **fields)

    def close(self) -> None:
        """End the link for good. What still waits for an answer is told that none will come."""
        self._stopping.set()
        session, thread = self._dialled, self._thread
        if session is not None:
            with suppress(WebSocketException, OSError):
                session.close()
        if thread is not None and thread is not threading.current_thread():
            thread.join(2 * self.patience.connect)

    def _run(self) -> None:
        pause = self.patience.first_pause
        while not self._stopping.is_set():
            began = self._clock.monotonic()
            why = self._live()
            if self._stopping.is_set():
                break
            if why != self._why:
                # Whoever asked first is told, and a command line has no other place for a log than its lines.
                level = logging.WARNING if self._tried.is_set() else logging.INFO
                _log.log(level, "no connection to Home Assistant: %s", why)
            self._why = why
            self._tried.set()
            if self._clock.monotonic() - began >= _STEADY:
                pause = self.patience.first_pause
            if why == "token_refused":
                pause = self.patience.longest_pause
            self._rest(pause)
            pause = min(2 * pause, self.patience.longest_pause)
        self._why = "closed"
        self._tried.set()

    def _rest(self, seconds: float) -> None:
        end = self._clock.monotonic() + seconds
        while (left := end - self._clock.monotonic()) > 0:
            if self._clock.wait(self._stopping, left):
                return

    def _live(self) -> str:
        """Connect, and stay for as long as it lasts; return why it ended."""
        session: Session | None = None
        came = False
        try:
            connection = self._address.dial(self.patience.connect)
            session = self._dialled = Session(
                connection,
                self._clock,
                self._listener,
                opening=self.patience.connect,
                seconds=self.patience.answer,
            )
            session.greet(self._address.token)
            came = True
            self._listener.came(session)
            self._session = session
            self._why = "up"
            _log.info("connected to Home Assistant %s", session.version)
            self._tried.set()
            if not self._stopping.is_set():
                session.serve()
        except (Away, Broken) as error:
            return error.why
        except Declined:
            return "token_refused" if not came else "not_allowed"
        except (Unanswered, ConnectionClosed):
            return "closed" if came else "answer_broken"
        except InvalidHandshake:
            return "not_homeassistant"
        except (OSError, WebSocketException) as error:
            return _why(error)
        # Whatever it is, home and program live longer than one connection.
        except Exception:  # noqa: BLE001
            _log.exception("the connection to Home Assistant failed")
            return "answer_broken"
        finally:
            self._session = self._dialled = None
            if session is not None:
                session.end()
                with suppress(WebSocketException, OSError):
                    session.close()
            if came:
                self._listener.went()
        return "closed"


def _why(error: Exception) -> str:
    match error:
        case socket.gaierror():
            return "host_unknown"
        case ssl.SSLError():
            return "tls_failed"
        case TimeoutError():
            return "no_answer"
        case OSError():
            return "unreachable"
        case _:
            return "answer_broken"
