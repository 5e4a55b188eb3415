"""The files beside the settings that describe something at length: the virtual home, the bots."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from zhixing.kernel.errors import BadInput, TooLarge, Unavailable

LARGEST = 1_000_000
"""Bytes of such a file."""

Kind = Literal["home", "bots"]


def read_described(file: Path, kind: Kind) -> str:
    """Return what is in a file. Raises `Unavailable` where it cannot be read, and `BadInput` where it is no text."""
    try:
        with file.open("rb") as opened:
            data = opened.read(LARGEST + 1)
    except (OSError, ValueError) as error:
        raise unreadable(file, kind, error) from error
    if len(data) > LARGEST:
        raise TooLarge(f"{kind}_file_large", file=file, limit=LARGEST)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadInput("input_not_utf8", line=data[: error.start].count(b"\n") + 1) from error


def unreadable(file: Path, kind: Kind, error: Exception) -> Unavailable:
    """Return the error that a file cannot be read; a path that no file can have is one, too."""
    return Unavailable(f"{kind}_file_unreadable", file=file, why=getattr(error, "strerror", None) or error)
