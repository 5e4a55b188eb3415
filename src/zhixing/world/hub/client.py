"""The client of a real hub: one connection for as long as it holds, because a passcode is fetched by hand (mijia §6.1).

A thread reads; any thread may call. Calls are numbered, and an answer goes to the call of its number. An answer that
nobody waits for any more changes nothing. What cannot be believed ends the connection, and whoever waits then is told
that the outcome is not known.
"""

from __future__ import annotations

import logging
import re
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Final

from websockets.exceptions import ConnectionClosed, InvalidHandshake, WebSocketException
from websockets.sync.client import ClientConnection

from zhixing.kernel.clock import Clock
from zhixing.kernel.errors import BadInput, Refused, TooLarge, Unavailable
from zhixing.world.hub.address import Located
from zhixing.world.hub.frames import LARGEST_PLAIN, FrameBroken, Kind, pack, unpack
from zhixing.world.hub.pairing import Channel, PairingBroken, PasscodeWrong, pair
from zhixing.world.hub.payload import (
    LARGEST_TEXT,
    PayloadBroken,
    PayloadLarge,
    PayloadUnusable,
    decode,
    encode,
)
from zhixing.world.hub.port import CALL_SECONDS, HubRefused, Json, Method, Unconfirmed

PAIRING_SECONDS: Final = 10.0
"""How long connecting may take, and then pairing."""
MOST_WAITING: Final = 100
"""Calls that wait for their answers."""
LONGEST_REFUSAL: Final = 500
"""Characters of what the hub says when it will not."""

Listener = Callable[[str, Json], None]
"""Takes what the hub tells unasked: the method and its params. Called by the thread that reads, so it may not call."""

_PASSCODE = re.compile(r"[0-9]{6}")
_log = logging.getLogger(__name__)


class _Waiting:
    """A call whose answer is waited for."""

    __slots__ = ("answer", "done")

    def __init__(self) -> None:
        self.done = threading.Event()
        self.answer: Mapping[str, Json] | None = None


def connect(
    hub: Located, passcode: str, clock: Clock, *, listener: Listener | None = None, seconds: float = PAIRING_SECONDS
) -> HubClient:
    """Connect to a hub and pair with it by the passcode that it shows; the caller closes the client.

    Raises `BadInput` for a passcode that is none, `Refused` for a wrong one, `Unavailable` when no hub answers.
    """
    if not _PASSCODE.fullmatch(passcode):
        raise BadInput("hub_passcode_form")
    try:
        connection = hub.dial(seconds)
    except InvalidHandshake:
        raise Unavailable("hub_not_hub") from None
    except (OSError, WebSocketException):
        raise Unavailable("hub_unreachable") from None
    try:
        channel = _paired(connection, passcode, clock.monotonic() + seconds, clock)
    except BaseException:
        _end(connection)
        raise
    return HubClient(connection, channel, clock, listener)


class HubClient:
    """A hub that let us in; implements `Hub`. It stays closed once it is."""

    def __init__(
        self, connection: ClientConnection, channel: Channel, clock: Clock, listener: Listener | None = None
    ) -> None:
        self._connection = connection
        self._channel = channel
        self._clock = clock
        self._listener = listener
        self._sending = threading.Lock()
        self._lock = threading.Lock()
        """For what is waited for; never held while something is sent."""
        self._number = 0
        self._waiting: dict[int, _Waiting] = {}
        self._over = False
        self._thread = threading.Thread(target=self._read, name="hub", daemon=True)
        self._thread.start()

    @property
    def is_open(self) -> bool:
        """Whether calls can still be made."""
        return not self._over

    def call(self, method: Method, params: Mapping[str, Json], *, seconds: float = CALL_SECONDS) -> Json:
        """Call a method and return its result; see `Hub.call`. After `Unconfirmed` the connection may still hold."""
        deadline = self._clock.monotonic() + seconds
        number, waiting = self._send(method, params, seconds)
        try:
            while not self._clock.wait(waiting.done, deadline - self._clock.monotonic()):
                if self._clock.monotonic() >= deadline:
                    break
        finally:
            with self._lock:
                self._waiting.pop(number, None)
        answer = waiting.answer
        if answer is None:
            raise Unconfirmed("hub_unconfirmed", method=method.value)
        error = answer.get("error")
        if error is not None:
            raise HubRefused("hub_refused", text=_told(error))
        return answer["result"]

    def close(self) -> None:
        """Close the connection. Who waits for an answer is told that none will come."""
        self._finish()
        _end(self._connection)
        if threading.current_thread() is not self._thread:
            self._thread.join(PAIRING_SECONDS)

    def _send(self, method: Method, params: Mapping[str, Json], seconds: float) -> tuple[int, _Waiting]:
        waiting = _Waiting()
        # Numbered, sealed and sent under one lock: the counters of the frames must come in their order.
        if not self._sending.acquire(timeout=seconds):
            raise Unavailable("hub_busy")
        try:
            number = self._number + 1
            plain = _plain({"jsonrpc": "2.0", "id": number, "method": f"/api/{method.value}", "params": dict(params)})
            with self._lock:
                if self._over:
                    raise Unavailable("hub_away")
                if len(self._waiting) >= MOST_WAITING:
                    raise Unavailable("hub_busy")
                self._number = number
                self._waiting[number] = waiting
            try:
                self._connection.send(pack(Kind.DATA, self._channel.sealer.seal(plain)))
            except (FrameBroken, WebSocketException, OSError):
                # How much of it left, nobody says; nothing can follow half a frame.
                self._finish()
                raise Unconfirmed("hub_unconfirmed", method=method.value) from None
        finally:
            self._sending.release()
        return number, waiting

    def _read(self) -> None:
        try:
            while True:
                self._take(self._connection.recv())
        except (ConnectionClosed, OSError):
            _log.info("the connection to the hub ended")
        except (FrameBroken, PayloadBroken):
            _log.warning("the hub sent what cannot be believed; the connection is closed")
        finally:
            self._finish()
            _end(self._connection)

    def _take(self, frame: str | bytes) -> None:
        kind, body = unpack(_binary(frame))
        if kind is not Kind.DATA:
            raise FrameBroken
        said = decode(self._channel.opener.open(body))
        if not isinstance(said, dict):
            raise PayloadBroken
        number, method = said.get("id"), said.get("method")
        if isinstance(method, str):
            if self._listener is not None and not self._over:
                self._tell(self._listener, method, said.get("params"))
            return
        if said.get("error") is None and "result" not in said:
            raise PayloadBroken
        with self._lock:
            waiting = self._waiting.pop(number, None) if type(number) is int else None
            if waiting is not None:
                waiting.answer = said
                waiting.done.set()

    def _tell(self, listener: Listener, method: str, params: Json) -> None:
        try:
            listener(method, params)
        # A listener's mistake is not the hub's.
        except Exception:  # noqa: BLE001
            _log.exception("what the hub told was not taken")

    def _finish(self) -> None:
        with self._lock:
            self._over = True
            left, self._waiting = self._waiting, {}
        for each in left.values():
            each.done.set()


def _paired(connection: ClientConnection, passcode: str, deadline: float, clock: Clock) -> Channel:
    def exchange(frame: bytes) -> bytes:
        connection.send(frame)
        left = deadline - clock.monotonic()
        if left <= 0:
            raise TimeoutError
        return _binary(connection.recv(left))

    try:
        key, finish = pair(exchange, passcode)
    except TimeoutError:
        raise Unavailable("hub_unreachable") from None
    except (PairingBroken, FrameBroken, WebSocketException, OSError):
        raise Unavailable("hub_pairing_broken") from None
    try:
        return finish(exchange(key))
    except TimeoutError:
        raise Unavailable("hub_unreachable") from None
    except (PasscodeWrong, FrameBroken, WebSocketException, OSError):
        raise Refused("hub_passcode_wrong") from None


def _binary(frame: str | bytes) -> bytes:
    if isinstance(frame, str):
        raise FrameBroken
    return frame


def _plain(request: Json) -> bytes:
    """Return what a frame carries, unsealed: what is refused here uses up no counter."""
    try:
        plain = encode(request)
    except PayloadLarge:
        raise TooLarge("hub_call_large", limit=LARGEST_TEXT // 2**20) from None
    except PayloadUnusable:
        raise BadInput("hub_call_unusable") from None
    if len(plain) > LARGEST_PLAIN:
        raise TooLarge("hub_call_large", limit=LARGEST_TEXT // 2**20)
    return plain


def _told(error: Json) -> str:
    """Return what the hub says of its reason, as one line that is not too long."""
    text = error.get("message") if isinstance(error, dict) else error
    if not isinstance(text, str) or not text:
        text = str(error)
    return "".join(each if each.isprintable() else " " for each in text[:LONGEST_REFUSAL])


def _end(connection: ClientConnection) -> None:
    with suppress(WebSocketException, OSError):
        connection.close()
