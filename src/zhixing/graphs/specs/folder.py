"""The folder behind a `Home`: its `*.json` files, at most so many and so large. Folders inside it are not entered."""

from __future__ import annotations

from pathlib import Path

from zhixing.graphs.specs.home import Home, home_of
from zhixing.graphs.specs.jsontext import LARGEST_FILE
from zhixing.kernel.errors import BadInput, NotFound, TooLarge

MOST_FILES = 2_000
"""JSON files of one home."""
MOST_BYTES = 64 * 1024 * 1024
"""Bytes of all files of one home."""


def read_home(directory: Path) -> Home:
    """Read the snapshot of a home; raises `NotFound`, `TooLarge`, and `BadInput` for what `home_of` refuses."""
    if not directory.is_dir():
        raise NotFound("miot_folder_unknown", folder=directory)
    try:
        names = sorted(each for each in directory.iterdir() if each.suffix == ".json" and each.is_file())
    except OSError as error:
        raise BadInput("miot_folder_unreadable", place=directory, why=error.strerror) from error
    if len(names) > MOST_FILES:
        raise TooLarge("miot_folder_many", folder=directory, limit=MOST_FILES)
    found, total = [], 0
    for each in names:
        raw = _content(each)
        total += len(raw)
        if total > MOST_BYTES:
            raise TooLarge("miot_folder_large", folder=directory, limit=MOST_BYTES)
        found.append((each.name, raw))
    return home_of(found)


def _content(file: Path) -> bytes:
    """Return the bytes of a file, one more than are allowed at most: whoever reads them then says so."""
    try:
        with file.open("rb") as opened:
            return opened.read(LARGEST_FILE + 1)
    except OSError as error:
        raise BadInput("miot_folder_unreadable", place=file, why=error.strerror) from error
