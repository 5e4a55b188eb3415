"""From an open WebSocket to a channel: a protocol is agreed on, the passcode proven, and each side hands over its key.

The client speaks first and the hub answers each frame with one of the same kind (mijia §6.1):

    1 → 2, 32 → 32, 33 → 33, 3 → 3; from then on every frame is of kind 5.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from zhixing.world.hub.frames import MATERIAL_BYTES, FrameBroken, Kind, Opener, Sealer, pack, unpack
from zhixing.world.hub.handshake import Draw, HandshakeBroken, Role, agree, begin, commit, meet, random_scalar

PROTOCOL: Final = "passcode"
_LARGEST_CHOICE: Final = 1_000

Exchange = Callable[[bytes], bytes]
"""Sends a frame and returns the next one that comes."""


class PairingBroken(Exception):
    """What came is no answer of a hub that pairs."""


class PasscodeWrong(Exception):
    """The two sides have different keys: the passcode is not the one that the hub shows."""


@dataclass(frozen=True, slots=True)
class Channel:
    """The ciphers of a session, one for each direction."""

    sealer: Sealer
    opener: Opener


def pair(exchange: Exchange, passcode: str, draw: Draw = random_scalar) -> tuple[bytes, Callable[[bytes], Channel]]:
    """Prove the passcode; return the frame with our key and what makes the channel of the hub's answer to it.

    Raises `PairingBroken`; what it returns raises `PasscodeWrong`. That last exchange is the caller's, because an end
    of the connection there, and only there, is how a hub says that the passcode is wrong.
    """
    try:
        _chosen(_body(exchange(pack(Kind.PROTOCOLS, json.dumps([PROTOCOL]).encode())), Kind.PROTOCOL))
        begun, message = begin(Role.CLIENT, passcode, draw)
        met = meet(begun, _body(exchange(pack(Kind.ROUND_ONE, message)), Kind.ROUND_ONE))
        shared = agree(met, _body(exchange(pack(Kind.ROUND_TWO, commit(met, draw))), Kind.ROUND_TWO))
    except (FrameBroken, HandshakeBroken):
        raise PairingBroken from None
    # The hub uses one key for this one frame of each side.
    between = shared[:MATERIAL_BYTES]
    material = secrets.token_bytes(MATERIAL_BYTES)
    opener = Opener(between)

    def finish(frame: bytes) -> Channel:
        try:
            return Channel(Sealer(material), Opener(opener.open(_body(frame, Kind.SESSION_KEY))))
        except (FrameBroken, PairingBroken):
            raise PasscodeWrong from None

    return pack(Kind.SESSION_KEY, Sealer(between).seal(material)), finish


def _body(frame: bytes, kind: Kind) -> bytes:
    found, body = unpack(frame)
    if found is not kind:
        raise PairingBroken
    return body


def _chosen(body: bytes) -> None:
    """Check that the hub chose the one protocol that we have."""
    try:
        chosen = json.loads(body) if len(body) <= _LARGEST_CHOICE else None
    except (ValueError, RecursionError):
        chosen = None
    if not isinstance(chosen, dict) or chosen.get("protocol") != PROTOCOL:
        raise PairingBroken
