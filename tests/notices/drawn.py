"""Pictures that tests make by hand: whole and tiny files of each format, of any measures."""

from __future__ import annotations

import struct
import zlib


def png(width: int = 64, height: int = 48, *, more: bytes = b"") -> bytes:
    """Make a PNG whose pixels are all black; `more` chunks stand before them."""
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    # Who promises more pixels than this brings does so in the header alone.
    pixels = zlib.compress(bytes((width + 1) * height) if width * height < 1_000_000 else b"\0")
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + more + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


def chunk(name: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


def jpeg(width: int = 64, height: int = 48, *, thumbnail: bytes = b"", frame: int = 0xC0) -> bytes:
    exif = b"\xff\xe1" + struct.pack(">H", 2 + len(thumbnail)) + thumbnail
    size = struct.pack(">BHHB", 8, height, width, 1) + b"\x01\x11\x00"
    scan = b"\xff\xda\x00\x08\x01\x01\x00\x00\x3f\x00" + b"\x12\x34"
    return b"\xff\xd8" + exif + bytes((0xFF, frame)) + struct.pack(">H", 2 + len(size)) + size + scan + b"\xff\xd9"


def webp(width: int = 64, height: int = 48, kind: bytes = b"VP8X") -> bytes:
    if kind == b"VP8X":
        content = bytes(4) + (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    elif kind == b"VP8L":
        content = b"\x2f" + (width - 1 | (height - 1) << 14).to_bytes(4, "little") + bytes(5)
    else:
        content = b"\x10\x00\x00\x9d\x01\x2a" + struct.pack("<HH", width, height)
    body = b"WEBP" + kind + struct.pack("<I", len(content)) + content
    return b"RIFF" + struct.pack("<I", len(body)) + body


def heic(width: int = 64, height: int = 48, *, brand: bytes = b"heic") -> bytes:
    measures = [box(b"ispe", bytes(4) + struct.pack(">II", *each)) for each in ((32, 32), (width, height))]
    meta = box(b"meta", bytes(4) + box(b"hdlr", bytes(8)) + box(b"iprp", box(b"ipco", b"".join(measures))))
    return box(b"ftyp", brand + bytes(4) + b"mif1" + brand) + meta + box(b"mdat", b"pixels")


def box(name: bytes, content: bytes) -> bytes:
    return struct.pack(">I", 8 + len(content)) + name + content
