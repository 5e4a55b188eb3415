"""Pictures as they come in: what they are, by their own bytes, and whether they are within bounds. Nothing is decoded.

Neither a file name nor a declared type is believed. What a header promises is checked before anybody would have to
unpack it, so that a small file that says it is enormous is refused like an enormous one. Bytes behind the end of a
picture, as some telephones write them, are kept with it and mean nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from zhixing.kernel.errors import BadInput, TooLarge

LARGEST_PICTURE = 10 * 1024 * 1024
"""Bytes."""
MOST_PIXELS = 40_000_000
SMALLEST_SIDE = 32
"""Pixels; nobody can read less."""
LONGEST_SHAPE = 30
"""How many times as long as wide; a long screenshot of a chat is about 20."""
_MOST_PARTS = 20_000
"""Chunks, segments or boxes of one file that are stepped over."""

MediaType = Literal["image/png", "image/jpeg", "image/webp", "image/heic"]
_NAMES: dict[MediaType, str] = {
    "image/png": "PNG",
    "image/jpeg": "JPEG",
    "image/webp": "WebP",
    "image/heic": "HEIC",
}


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of a kept picture without its bytes."""

    sha256: str
    media_type: MediaType
    width: int
    height: int
    size: int

    @property
    def name(self) -> str:
        """What people call its format."""
        return _NAMES[self.media_type]


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture within bounds, as it came."""

    data: bytes = field(repr=False)
    facts: Facts


def is_media_type(name: str) -> bool:
    """Whether pictures of that type are taken."""
    return name in _NAMES


class _Broken(Exception):
    """It begins as a picture and does not go on as one."""


def read_picture(data: bytes, declared: str | None = None) -> Picture:
    """Return the picture in `data`; `declared` is the media type somebody gave it, which has to be right.

    Raises `BadInput` or `TooLarge`, each with one line that names the bound.
    """
    if len(data) > LARGEST_PICTURE:
        raise TooLarge("picture_large", limit=LARGEST_PICTURE // (1024 * 1024))
    media_type = _recognised(data)
    if media_type is None:
        raise BadInput("picture_unknown")
    if declared is not None and declared != media_type:
        raise BadInput("picture_other_type", found=_NAMES[media_type])
    try:
        width, height = _measured(data, media_type)
    except (_Broken, IndexError):
        raise BadInput("picture_broken", name=_NAMES[media_type]) from None
    _check_measures(width, height)
    return Picture(data, Facts(hashlib.sha256(data).hexdigest(), media_type, width, height, len(data)))


def _check_measures(width: int, height: int) -> None:
    if width * height > MOST_PIXELS:
        raise TooLarge("picture_pixels", width=width, height=height, limit=MOST_PIXELS // 10_000)
    if min(width, height) < SMALLEST_SIDE:
        raise BadInput("picture_small", width=width, height=height, limit=SMALLEST_SIDE)
    if max(width, height) > LONGEST_SHAPE * min(width, height):
        raise BadInput("picture_narrow", width=width, height=height, limit=LONGEST_SHAPE)


_PNG = b"\x89PNG\r\n\x1a\n"
_HEIC = frozenset((b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx"))


def _recognised(data: bytes) -> MediaType | None:
    if data.startswith(_PNG):
        return "image/png"
    if data.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return "image/webp"
    if data[4:8] == b"ftyp":
        end = min(_number(data, 0, 4), 512)
        brands = {data[8:12], *(data[at : at + 4] for at in range(16, end - 3, 4))}
        if brands & _HEIC:
            return "image/heic"
    return None


def _measured(data: bytes, media_type: MediaType) -> tuple[int, int]:
    """Return width and height as the header has them, once the file is seen to reach its end."""
    match media_type:
        case "image/png":
            return _png(data)
        case "image/jpeg":
            return _jpeg(data)
        case "image/webp":
            return _webp(data)
        case "image/heic":
            return _heic(data)


def _number(data: bytes, at: int, length: int, order: Literal["big", "little"] = "big") -> int:
    piece = data[at : at + length]
    if len(piece) < length:
        raise _Broken
    return int.from_bytes(piece, order)


def _png(data: bytes) -> tuple[int, int]:
    if _number(data, 8, 4) != 13 or data[12:16] != b"IHDR":
        raise _Broken
    at, has_pixels = 8, False
    for _ in range(_MOST_PARTS):
        length, name = _number(data, at, 4), data[at + 4 : at + 8]
        at += 12 + length
        if at > len(data):
            raise _Broken
        has_pixels = has_pixels or name == b"IDAT"
        if name == b"IEND" and has_pixels:
            return _number(data, 16, 4), _number(data, 20, 4)
    raise _Broken


_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_SCAN, _END = 0xDA, b"\xff\xd9"


def _jpeg(data: bytes) -> tuple[int, int]:
    at, found = 2, None
    for _ in range(_MOST_PARTS):
        while data[at] == 0xFF and data[at + 1] == 0xFF:
            at += 1
        if data[at] != 0xFF:
            raise _Broken
        marker, length = data[at + 1], _number(data, at + 2, 2)
        if length < 2:
            raise _Broken
        if marker in _FRAMES:
            found = _number(data, at + 7, 2), _number(data, at + 5, 2)
        at += 2 + length
        if marker == _SCAN:
            # The end of a thumbnail lies inside a segment before this.
            if found is None or data.find(_END, at) < 0:
                raise _Broken
            return found
    raise _Broken


def _webp(data: bytes) -> tuple[int, int]:
    if _number(data, 4, 4, "little") + 8 > len(data):
        raise _Broken
    match data[12:16]:
        case b"VP8X":
            return _number(data, 24, 3, "little") + 1, _number(data, 27, 3, "little") + 1
        case b"VP8L" if data[20] == 0x2F:
            bits = _number(data, 21, 4, "little")
            return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
        case b"VP8 " if data[23:26] == b"\x9d\x01\x2a":
            return _number(data, 26, 2, "little") & 0x3FFF, _number(data, 28, 2, "little") & 0x3FFF
    raise _Broken


def _heic(data: bytes) -> tuple[int, int]:
    """Return the largest of the measures: a picture made of tiles has those of its tiles as well."""
    boxes = {name: (start, end) for name, start, end in _boxes(data, 0, len(data))}
    if b"mdat" not in boxes or b"meta" not in boxes:
        raise _Broken
    start, end = boxes[b"meta"]
    # A version and flags stand before its boxes.
    start += 4
    for name in (b"iprp", b"ipco"):
        inside = {found: (first, last) for found, first, last in _boxes(data, start, end)}
        if name not in inside:
            raise _Broken
        start, end = inside[name]
    measures = [
        (_number(data, first + 4, 4), _number(data, first + 8, 4))
        for name, first, _ in _boxes(data, start, end)
        if name == b"ispe"
    ]
    if not measures:
        raise _Broken
    return max(measures, key=lambda each: each[0] * each[1])


def _boxes(data: bytes, start: int, end: int) -> Iterator[tuple[bytes, int, int]]:
    """Yield the boxes between two places: name, and where their content begins and ends."""
    for _ in range(_MOST_PARTS):
        if start + 8 > end:
            return
        length, name, head = _number(data, start, 4), data[start + 4 : start + 8], 8
        if length == 1:
            length, head = _number(data, start + 8, 8), 16
        elif length == 0:
            length = end - start
        if length < head or start + length > end:
            raise _Broken
        yield name, start + head, start + length
        start += length
    raise _Broken
