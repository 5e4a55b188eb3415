"""What data frames carry: JSON, compressed, after its length (mijia §6.1). Pure.

u32LE length of the JSON text in bytes, raw DEFLATE of the text
"""

from __future__ import annotations

import json
import zlib
from typing import Final, NoReturn

from zhixing.world.hub.port import Json

LARGEST_TEXT: Final = 32 * 1024 * 1024
"""Bytes of the JSON text, so that a small frame cannot become an endless one."""
DEEPEST: Final = 100
"""How deep lists and objects may lie in each other."""
LENGTH_BYTES: Final = 4


class PayloadBroken(Exception):
    """What came is no payload, or breaks a bound."""


class PayloadUnusable(Exception):
    """This cannot be sent: it is no JSON."""


class PayloadLarge(Exception):
    """This cannot be sent: it is too large."""


def encode(value: Json) -> bytes:
    """Write a payload; raises `PayloadUnusable` or `PayloadLarge`."""
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
    except (TypeError, ValueError, RecursionError):
        raise PayloadUnusable from None
    if len(text) > LARGEST_TEXT:
        raise PayloadLarge
    if _depth(value) > DEEPEST:
        raise PayloadUnusable
    squeezer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return len(text).to_bytes(LENGTH_BYTES, "little") + squeezer.compress(text) + squeezer.flush()


def decode(data: bytes) -> Json:
    """Read a payload; raises `PayloadBroken`."""
    length = int.from_bytes(data[:LENGTH_BYTES], "little")
    if len(data) <= LENGTH_BYTES or length > LARGEST_TEXT:
        raise PayloadBroken
    opener = zlib.decompressobj(wbits=-zlib.MAX_WBITS)
    try:
        # One byte more than was promised is enough to see that the promise was wrong.
        text = opener.decompress(data[LENGTH_BYTES:], length + 1)
    except zlib.error:
        raise PayloadBroken from None
    if len(text) != length or not opener.eof or opener.unused_data:
        raise PayloadBroken
    try:
        value = json.loads(text.decode(), parse_constant=_refuse)
    except (ValueError, RecursionError):
        raise PayloadBroken from None
    if _depth(value) > DEEPEST:
        raise PayloadBroken
    return value


def _depth(value: Json) -> int:
    """Return how deep the lists and objects of a value go, at most one more than may be."""
    depth = 0
    layer = [value]
    while depth <= DEEPEST:
        layer = [
            child
            for each in layer
            if isinstance(each, dict | list | tuple)
            for child in (each.values() if isinstance(each, dict) else each)
            if isinstance(child, dict | list | tuple)
        ]
        depth += 1
        if not layer:
            break
    return depth


def _refuse(_constant: str) -> NoReturn:
    raise ValueError
