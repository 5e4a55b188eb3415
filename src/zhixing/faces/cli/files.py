"""Files that commands read: `-` is standard input; everything has a bound."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import BinaryIO

import msgspec

from zhixing.faces.cli.desk import Desk
from zhixing.faces.cli.options import STDIN, TYPED
from zhixing.faces.cli.system import why
from zhixing.kernel.errors import BadInput, TooLarge

_MARK = "\ufeff".encode()
_PLACE = re.compile(r"\(byte ([0-9]+)\)")


def opened_file(name: str, desk: Desk) -> closing[BinaryIO]:
    """Open a file to read. Raises `BadInput` when that cannot be."""
    if name == STDIN:
        return closing(desk.stdin)
    try:
        return closing(Path(name.removeprefix(TYPED)).open("rb"))
    except OSError as error:
        raise BadInput("file_unreadable", file=name[:200], why=why(error)) from error


def lines_of(source: BinaryIO, most_bytes: int) -> Iterator[str]:
    """Yield the lines. What is not UTF-8 or too long arrives as something that is refused as a line of its own."""
    while line := source.readline(most_bytes):
        rest = line
        while len(rest) == most_bytes and not rest.endswith(b"\n"):
            rest = source.readline(most_bytes)
        # Outside of JSON strings a backslash is an error, inside of them \x is.
        yield line.decode("utf-8", "backslashreplace").removeprefix("\ufeff")


def content_of(name: str, desk: Desk, most_bytes: int) -> bytes:
    """Return what is in a file. Raises `BadInput` when it cannot be read, `TooLarge` for more than `most_bytes`."""
    with opened_file(name, desk) as source:
        try:
            content = source.read(most_bytes + 1)
        except OSError as error:
            raise BadInput("file_unreadable", file=name[:200], why=why(error)) from error
    if len(content) > most_bytes:
        raise TooLarge("file_large", limit=most_bytes)
    return content


def json_of(name: str, desk: Desk, most_bytes: int) -> object:
    """Return the JSON in a file. Raises `BadInput` when it is none."""
    content = content_of(name, desk, most_bytes).removeprefix(_MARK)
    try:
        return msgspec.json.decode(content)
    except (msgspec.MsgspecError, RecursionError) as error:
        place = _PLACE.search(str(error))
        line = content[: int(place[1])].count(b"\n") + 1 if place else content.count(b"\n") + 1
        shown = "-" if name == STDIN else name.removeprefix(TYPED)[:200]
        raise BadInput("file_no_json", file=shown, line=line) from error


def save_text(name: str, text: str) -> None:
    """Write a file with a text and a line break behind it. Raises `BadInput` when that cannot be."""
    try:
        Path(name.removeprefix(TYPED)).write_text(f"{text}\n", encoding="utf-8")
    except (OSError, ValueError) as error:
        cause = why(error) if isinstance(error, OSError) else str(error)
        raise BadInput("graph_file_unwritten", file=name[:200], why=cause) from error
