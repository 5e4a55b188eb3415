"""Is it a whole picture, and of which format? Told by its own bytes; nothing is decoded, no declared type believed.

A camera that is read while it writes gives the beginning of a picture. A model would guess about the rest, so the end
has to be there.
"""

from __future__ import annotations

from datetime import datetime

from zhixing.world.perception.snapshots import LARGEST_SNAPSHOT, FrameType, NoPicture, Snapshot, SnapshotFailed

_PNG = b"\x89PNG\r\n\x1a\n"
_PNG_END = b"IEND\xaeB`\x82"
_JPEG, _JPEG_END = b"\xff\xd8\xff", b"\xff\xd9"
_TAIL = 65_536
"""Bytes at the end of a JPEG in which its end is looked for: cameras add their own data behind it."""


def read_frame(data: bytes, taken_at: datetime) -> Snapshot:
    """Return the picture in `data`; raise `SnapshotFailed` where it is too large, none, or not whole."""
    if len(data) > LARGEST_SNAPSHOT:
        raise SnapshotFailed(NoPicture.TOO_LARGE, str(LARGEST_SNAPSHOT // (1024 * 1024)))
    media_type = recognised(data)
    if media_type is None:
        raise SnapshotFailed(NoPicture.NOT_A_PICTURE)
    if not _is_whole(data, media_type):
        raise SnapshotFailed(NoPicture.CUT_OFF)
    return Snapshot(data, media_type, taken_at)


def recognised(data: bytes) -> FrameType | None:
    """Return the format whose beginning `data` has."""
    if data.startswith(_PNG):
        return "image/png"
    if data.startswith(_JPEG):
        return "image/jpeg"
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return "image/webp"
    return None


def _is_whole(data: bytes, media_type: FrameType) -> bool:
    match media_type:
        case "image/png":
            return _PNG_END in data[-_TAIL:]
        case "image/jpeg":
            return _JPEG_END in data[-_TAIL:]
        case "image/webp":
            return int.from_bytes(data[4:8], "little") + 8 <= len(data)
