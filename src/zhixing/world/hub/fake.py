"""A hub that is not real: it speaks the whole protocol of the real one on this machine's loopback (mijia §6).

It shows a passcode, pairs, and answers from a `State`; calls can be made to go wrong. It lives for tests and for trying
things out without a hub.
"""

from __future__ import annotations

import json
import secrets
import ssl
import threading
from contextlib import suppress
from types import TracebackType
from typing import Final, Self

from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.sync.server import Server, ServerConnection, serve

from zhixing.world.hub.address import PATH
from zhixing.world.hub.faults import Fault, Faults
from zhixing.world.hub.frames import (
    LARGEST_FRAME,
    MATERIAL_BYTES,
    FrameBroken,
    Kind,
    Opener,
    Sealer,
    pack,
    unpack,
)
from zhixing.world.hub.handshake import Draw, HandshakeBroken, Role, agree, begin, commit, meet, random_scalar
from zhixing.world.hub.pairing import PROTOCOL, Channel
from zhixing.world.hub.payload import PayloadBroken, decode, encode
from zhixing.world.hub.port import Json, Method
from zhixing.world.hub.state import Refusal, State

_PREFIX: Final = "/api/"
_BROKEN = (FrameBroken, HandshakeBroken, PayloadBroken)


class FakeGateway:
    """A hub on a free port of loopback, from `with` to its end.

    `calls` are the calls that arrived so far, in order, whatever became of them. A passcode lets one client in. With
    `tls`, it is reached by https.
    """

    def __init__(
        self,
        passcode: str,
        state: State | None = None,
        *,
        draw: Draw = random_scalar,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self.state = State() if state is None else state
        self.calls: list[tuple[str, Json]] = []
        self.url = ""
        self._passcode: str | None = passcode
        self._draw = draw
        self._tls = tls
        self._faults = Faults()
        self._lock = threading.Lock()
        self._sessions: list[_Session] = []
        self._server: Server | None = None
        self._thread: threading.Thread | None = None

    def __enter__(self) -> Self:
        self._server = serve(
            self._serve,
            "127.0.0.1",
            0,
            ssl=self._tls,
            compression=None,
            max_size=LARGEST_FRAME,
            ping_interval=None,
            close_timeout=1,
        )
        scheme = "http" if self._tls is None else "https"
        self.url = f"{scheme}://127.0.0.1:{self._server.socket.getsockname()[1]}/"
        self._thread = threading.Thread(target=self._server.serve_forever, name="fake-hub", daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._server is not None and self._thread is not None:
            self._server.shutdown()
            self._thread.join()

    def refresh(self, passcode: str) -> None:
        """Show another passcode; the one before is worth nothing."""
        with self._lock:
            self._passcode = passcode

    def inject(self, fault: Fault, method: Method | None = None) -> None:
        """Have one call go wrong: the next of `method`, or the next of all. Several are used up in their order."""
        self._faults.add(fault, method)

    def let_go(self) -> None:
        """Send the answers that were held, in their order."""
        for session in self._open():
            session.let_go()

    def push(self, method: str, params: Json) -> None:
        """Tell every client something unasked."""
        for session in self._open():
            session.say({"jsonrpc": "2.0", "method": method, "params": params})

    def drop(self) -> None:
        """End every connection."""
        for session in self._open():
            session.close()

    def _open(self) -> list[_Session]:
        with self._lock:
            return list(self._sessions)

    def _serve(self, connection: ServerConnection) -> None:
        try:
            if connection.request is None or connection.request.path != PATH:
                return
            session = _Session(connection, self._paired(connection))
            with self._lock:
                self._sessions.append(session)
            try:
                while True:
                    self._answer(session, session.hear())
            finally:
                with self._lock:
                    self._sessions.remove(session)
        except _BROKEN:
            with suppress(WebSocketException, OSError):
                connection.send(pack(Kind.ERROR))
        except (ConnectionClosed, OSError):
            return

    def _paired(self, connection: ServerConnection) -> Channel:
        """Let a client in that knows the passcode; raises what `_BROKEN` names for one that does not."""
        if PROTOCOL not in _listed(_expect(connection, Kind.PROTOCOLS)):
            raise HandshakeBroken
        connection.send(pack(Kind.PROTOCOL, json.dumps({"protocol": PROTOCOL, "params": {}}).encode()))
        with self._lock:
            # Whatever comes of it, a passcode is tried once.
            passcode, self._passcode = self._passcode, None
        # Where none is shown, nobody can know it.
        begun, message = begin(Role.SERVER, passcode or secrets.token_hex(), self._draw)
        met = meet(begun, _expect(connection, Kind.ROUND_ONE))
        connection.send(pack(Kind.ROUND_ONE, message))
        shared = agree(met, _expect(connection, Kind.ROUND_TWO))
        connection.send(pack(Kind.ROUND_TWO, commit(met, self._draw)))
        between = shared[:MATERIAL_BYTES]
        theirs = Opener(between).open(_expect(connection, Kind.SESSION_KEY))
        ours = secrets.token_bytes(MATERIAL_BYTES)
        channel = Channel(Sealer(ours), Opener(theirs))
        connection.send(pack(Kind.SESSION_KEY, Sealer(between).seal(ours)))
        return channel

    def _answer(self, session: _Session, request: Json) -> None:
        if not isinstance(request, dict) or not isinstance(request.get("method"), str):
            raise PayloadBroken
        method = request["method"].removeprefix(_PREFIX)
        params = request.get("params", {})
        fault = self._faults.take(method)
        with self._lock:
            self.calls.append((method, params))
            carried_out = fault not in {Fault.CALL_LOST, Fault.CLOSED_BEFORE}
            result = self.state.answer(method, params) if carried_out else None
        answer: dict[str, Json] = {"jsonrpc": "2.0", "id": request.get("id")}
        if isinstance(result, Refusal):
            answer["error"] = {"code": result.code, "message": result.text}
        else:
            answer["result"] = result
        match fault:
            case Fault.CALL_LOST | Fault.ANSWER_LOST:
                return
            case Fault.CLOSED_BEFORE | Fault.CLOSED_AFTER:
                session.close()
            case Fault.HELD:
                session.hold(answer)
            case None:
                session.say(answer)
            case _:
                session.say_badly(answer, fault)


class _Session:
    """One client that was let in."""

    def __init__(self, connection: ServerConnection, channel: Channel) -> None:
        self._held: list[Json] = []
        self._connection = connection
        self._channel = channel
        self._lock = threading.Lock()

    def hear(self) -> Json:
        """Return the next request."""
        return decode(self._channel.opener.open(_expect(self._connection, Kind.DATA)))

    def say(self, message: Json) -> None:
        """Send a message."""
        with self._lock:
            self._send(self._sealed(message))

    def hold(self, message: Json) -> None:
        """Keep a message until it is let go."""
        with self._lock:
            self._held.append(message)

    def let_go(self) -> None:
        """Send what was held."""
        with self._lock:
            held, self._held = self._held, []
            for message in held:
                self._send(self._sealed(message))

    def close(self) -> None:
        """End the connection."""
        self._connection.close()

    def say_badly(self, message: dict[str, Json], fault: Fault) -> None:
        """Send a message as no hub should."""
        with self._lock:
            for frame in self._badly(message, fault):
                self._send(frame)

    def _badly(self, message: dict[str, Json], fault: Fault) -> list[str | bytes]:
        if fault is Fault.AS_TEXT:
            return [json.dumps(message)]
        if fault is Fault.MISMEASURED:
            payload = encode(message)
            return [pack(Kind.DATA, self._channel.sealer.seal(bytes((payload[0] ^ 1,)) + payload[1:]))]
        frame = self._sealed(message)
        match fault:
            case Fault.TAMPERED:
                return [frame[:-1] + bytes((frame[-1] ^ 1,))]
            case Fault.REPLAYED:
                return [frame, frame]
            case Fault.REORDERED:
                return [self._sealed({**message, "id": None}), frame]
            case Fault.FOREIGN_KIND:
                return [b"\xff" + frame[1:]]
            case _:
                return [frame]

    def _sealed(self, message: Json) -> bytes:
        return pack(Kind.DATA, self._channel.sealer.seal(encode(message)))

    def _send(self, frame: str | bytes) -> None:
        with suppress(ConnectionClosed):
            self._connection.send(frame)


def _expect(connection: ServerConnection, kind: Kind) -> bytes:
    """Return the body of the next frame, which is to be of `kind`."""
    frame = connection.recv()
    if isinstance(frame, str):
        raise FrameBroken
    found, body = unpack(frame)
    if found is not kind:
        raise FrameBroken
    return body


def _listed(body: bytes) -> list[Json]:
    try:
        listed = json.loads(body)
    except (ValueError, RecursionError):
        raise FrameBroken from None
    if not isinstance(listed, list):
        raise FrameBroken
    return listed
