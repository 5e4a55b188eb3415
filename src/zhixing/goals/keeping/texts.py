"""Texts from bots and callers as people may read them: on one line, not at any length, nothing hidden. Pure."""

from __future__ import annotations

import json
import shlex
import unicodedata
from typing import Any

LONGEST = 200
"""Characters of a text that are shown."""
_READ = 8
"""Of how many times as many characters a text is looked at: nobody waits for the rest of a book."""


def single_line(text: str, longest: int = LONGEST) -> str:
    """Return a text on one line; what is cut ends with an ellipsis."""
    head = text[: longest * _READ]
    flat = " ".join("".join(each if _is_shown(each) else " " for each in head).split())
    return flat if len(flat) <= longest and len(head) == len(text) else flat[: longest - 1] + "…"


def _is_shown(character: str) -> bool:
    """Whether a character is more than a command to the terminal, a direction, or half of one."""
    return unicodedata.category(character) not in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def storable(text: str) -> str:
    """Return a text of several lines without what no database keeps."""
    return "".join("\ufffd" if each == "\x00" or unicodedata.category(each) == "Cs" else each for each in text)


def excerpt(value: Any, longest: int = LONGEST) -> str:
    """Return the beginning of what a bot handed over, whatever it is."""
    if isinstance(value, str):
        return single_line(value, longest)
    try:
        written = json.dumps(value, ensure_ascii=False, default=str)
    except (RecursionError, ValueError):
        written = "…"
    return single_line(written, longest)


def word(argument: str) -> str:
    """Return an id as it may be typed into a command: what a shell would take for more is quoted."""
    return shlex.quote(single_line(argument))
