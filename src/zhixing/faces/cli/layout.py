"""Text on a terminal: how wide it is, where it may be broken, and what must not reach it. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

NARROWEST = 20
"""Columns below which lines are laid out as if there were this many."""
GAP = "  "
_LEAST_LAST = 10
"""Columns the last one of a table keeps, whatever the others need."""

# Newlines are the caller's: whatever else steers a terminal or turns the direction of text is not for printing.
_STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
# A word of a Western language stays whole; closing punctuation stays with what it closes.
_PIECE = re.compile("(?:[!-~]+|.)[，。、；：！？）」』”’…]*", re.DOTALL)


def printable(text: str) -> str:
    """Return `text` without anything that could steer the terminal; tabs become blanks, line ends stay."""
    return _STEERING.sub("�", text.replace("\r\n", "\n").replace("\t", "    "))


def columns(text: str) -> int:
    """Return how many columns `text` takes."""
    if text.isascii():
        return len(text)
    return sum(_columns_of(character) for character in text)


def _columns_of(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in ("Cf", "Me", "Mn"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def wrapped(text: str, width: int | None) -> list[str]:
    """Break `text` into lines of at most `width` columns, later ones indented like the first; None breaks nothing."""
    lines = []
    for line in printable(text).split("\n"):
        if width is None or columns(line) <= width:
            lines.append(line)
        else:
            lines.extend(_broken(line, max(width, NARROWEST)))
    return lines


def _broken(line: str, width: int) -> list[str]:
    indent = line[: len(line) - len(line.lstrip(" "))][: width // 2]
    lines, current, used = [], indent, len(indent)
    for piece in _pieces(line.lstrip(" "), width - len(indent)):
        wide = columns(piece)
        if used + wide > width and current.strip():
            lines.append(current.rstrip(" "))
            current, used = indent, len(indent)
            piece = piece.lstrip(" ")  # noqa: PLW2901 - a line does not begin with the blank it was broken at
            wide = columns(piece)
        current, used = current + piece, used + wide
    return [*lines, current]


def _pieces(text: str, room: int) -> list[str]:
    """Cut `text` into what stays together, none of it wider than `room`."""
    pieces = []
    for piece in _PIECE.findall(text):
        if columns(piece) <= room:
            pieces.append(piece)
        else:
            pieces.extend(piece)
    return pieces


def table(rows: Sequence[Sequence[str]], width: int | None) -> list[str]:
    """Lay out rows of equal length under one another; what does not fit is cut from the last column."""
    if not rows:
        return []
    cells = [[printable(cell).replace("\n", " ") for cell in row] for row in rows]
    widths = [max(columns(row[place]) for row in cells) for place in range(len(cells[0]) - 1)]
    room = None if width is None else max(width - sum(widths) - len(GAP) * len(widths), _LEAST_LAST)
    return [GAP.join([*map(_padded, row[:-1], widths), _cut(row[-1], room)]).rstrip(" ") for row in cells]


def _padded(cell: str, width: int) -> str:
    return cell + " " * (width - columns(cell))


def _cut(cell: str, room: int | None) -> str:
    if room is None or columns(cell) <= room:
        return cell
    kept, used = "", 0
    for character in cell:
        used += _columns_of(character)
        if used > room - 1:
            break
        kept += character
    return kept.rstrip(" ") + "…"
