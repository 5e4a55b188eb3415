"""Frames of the hub's channel: a byte for the kind, then the body; and the ciphers of sealed bodies (mijia §6.1).

A sealed body is a counter (u32LE), the ciphertext and a tag of 16 bytes, by AES-128-GCM under a nonce of the salt and
the counter. Each direction has a cipher of its own, whose counter begins at 1 and only grows.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

LARGEST_FRAME: Final = 32 * 1024 * 1024
"""Bytes of one frame."""
KEY_BYTES: Final = 16
SALT_BYTES: Final = 8
MATERIAL_BYTES: Final = KEY_BYTES + SALT_BYTES
"""Bytes that make a cipher: its key, then its salt."""
COUNTER_BYTES: Final = 4
TAG_BYTES: Final = 16

LARGEST_PLAIN: Final = LARGEST_FRAME - 1 - COUNTER_BYTES - TAG_BYTES
"""Bytes that one frame can carry sealed."""

_LAST = 2**32 - 1


class Kind(IntEnum):
    """What a frame is for."""

    PROTOCOLS = 1
    PROTOCOL = 2
    SESSION_KEY = 3
    ERROR = 4
    DATA = 5
    SERVER_KEY = 16
    ROUND_ONE = 32
    ROUND_TWO = 33


class FrameBroken(Exception):
    """Not a frame that can be believed: whoever gets one closes the channel."""


def pack(kind: Kind, body: bytes = b"") -> bytes:
    """Return a frame; raises `FrameBroken` for a body that is too large for one."""
    if len(body) >= LARGEST_FRAME:
        raise FrameBroken
    return bytes((kind,)) + body


def unpack(frame: bytes) -> tuple[Kind, bytes]:
    """Take a frame apart; raises `FrameBroken`."""
    if not 1 <= len(frame) <= LARGEST_FRAME:
        raise FrameBroken
    try:
        return Kind(frame[0]), frame[1:]
    except ValueError:
        raise FrameBroken from None


class Sealer:
    """The cipher of what one side sends. `material` is a key of 16 bytes and a salt of 8."""

    def __init__(self, material: bytes) -> None:
        self._cipher, self._salt = _cipher(material)
        self._counter = 0

    def seal(self, plain: bytes) -> bytes:
        """Return the sealed body; raises `FrameBroken` when it is too large, or when there are no more counters."""
        if self._counter == _LAST or len(plain) > LARGEST_PLAIN:
            raise FrameBroken
        self._counter += 1
        counter = self._counter.to_bytes(COUNTER_BYTES, "little")
        return counter + self._cipher.encrypt(self._salt + counter, plain, None)


class Opener:
    """The cipher of what the other side sends; made as a `Sealer` is."""

    def __init__(self, material: bytes) -> None:
        self._cipher, self._salt = _cipher(material)
        self._counter = 0

    def open(self, body: bytes) -> bytes:
        """Return what was sealed.

        Raises `FrameBroken` for a body that was changed, comes again, or comes after a later one.
        """
        if len(body) < COUNTER_BYTES + TAG_BYTES:
            raise FrameBroken
        counter = int.from_bytes(body[:COUNTER_BYTES], "little")
        if counter <= self._counter:
            raise FrameBroken
        try:
            plain = self._cipher.decrypt(self._salt + body[:COUNTER_BYTES], body[COUNTER_BYTES:], None)
        except InvalidTag:
            raise FrameBroken from None
        # Only a frame that is genuine moves the counter.
        self._counter = counter
        return plain


def _cipher(material: bytes) -> tuple[AESGCM, bytes]:
    if len(material) != MATERIAL_BYTES:
        raise FrameBroken
    return AESGCM(material[:KEY_BYTES]), material[KEY_BYTES:]
