"""The values of a task.md's fields, one function per kind: text in, value out, `BadInput` with what to write."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from datetime import timedelta
from difflib import get_close_matches
from enum import StrEnum
from functools import cache
from typing import TypeVar
from zoneinfo import available_timezones

from zhixing.documents.model import OURS, Declared
from zhixing.kernel.errors import BadInput, TooLarge
from zhixing.kernel.moments import zone

LONGEST_TIMEOUT = timedelta(hours=24)
MOST_RETRIES = 5
MOST_NAMES = 50
"""Variables, or paths, of a task."""
LONGEST_NAME = 128
"""Characters of the name of a variable."""
LONGEST_PATH = 500
"""Characters of a path."""

_TRUTHS = {"true": True, "1": True, "yes": True, "on": True, "false": False, "0": False, "no": False, "off": False}
_DURATION = re.compile(r"(?:([0-9]{1,5})h)?(?:([0-9]{1,6})m)?(?:([0-9]{1,7})s?)?", re.IGNORECASE)
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_MODE = re.compile(r":(rw|ro)$", re.IGNORECASE)
_ABSOLUTE = re.compile(r"[/~]|[A-Za-z]:")
_SHOWN = 60

E = TypeVar("E", bound=StrEnum)


def shown(text: str) -> str:
    """Return what somebody wrote as it may stand in a message: one line, not long."""
    line = " ".join("".join(each if each.isprintable() else " " for each in text[: 2 * _SHOWN]).split())
    return line if len(line) <= _SHOWN else f"{line[:_SHOWN]}…"


def one_line(text: str, limit: int) -> str:
    """Read a text of one line."""
    text = text.strip()
    if len(text) > limit:
        raise TooLarge("document_text_long", limit=limit)
    _check_signs(text)
    return text


def choice(text: str, kind: type[E]) -> E:
    """Read one of the words of `kind`, in any case."""
    word = text.strip().lower()
    known = [each.value for each in kind]
    if word not in known:
        raise _no_choice(text, known)
    return kind(word)


def truth(text: str) -> bool:
    """Read yes or no."""
    word = text.strip().lower()
    if word not in _TRUTHS:
        raise _no_choice(text, ("true", "false"))
    return _TRUTHS[word]


def zone_name(text: str) -> str:
    """Read the name of an IANA zone."""
    name = text.strip()
    try:
        return zone(name).key
    except BadInput:
        near = get_close_matches(name[:64], _zones(), n=1, cutoff=0.7)
        if near:
            raise BadInput("document_zone_near", zone=shown(name), nearest=near[0]) from None
        raise


def duration(text: str) -> timedelta:
    """Read `600` (seconds), `90s`, `10m` or `1h30m`."""
    word = "".join(text.split())
    found = _DURATION.fullmatch(word)
    if not word or found is None:
        raise BadInput("document_duration_unreadable", text=shown(text))
    hours, minutes, seconds = (int(part or 0) for part in found.groups())
    length = timedelta(hours=hours, minutes=minutes, seconds=seconds)
    if not timedelta(0) < length <= LONGEST_TIMEOUT:
        raise BadInput("document_duration_range", text=shown(text), hours=LONGEST_TIMEOUT // timedelta(hours=1))
    return length


def duration_text(length: timedelta) -> str:
    """Return what `duration` reads as `length`, to the second: `1h30m`."""
    minutes, seconds = divmod(int(length.total_seconds()), 60)
    hours, minutes = divmod(minutes, 60)
    parts = ((hours, "h"), (minutes, "m"), (seconds, "s"))
    return "".join(f"{number}{unit}" for number, unit in parts if number)


def retries(text: str) -> int:
    """Read a number of further tries."""
    word = text.strip()
    if not re.fullmatch("[0-9]", word) or int(word) > MOST_RETRIES:
        raise BadInput("document_retries", text=shown(text), most=MOST_RETRIES)
    return int(word)


def variables(items: Sequence[str]) -> tuple[str, ...]:
    """Read names of variables; a value behind one is refused, for it would stand in the file."""
    for item in items:
        if "=" in item:
            raise BadInput("document_env_value", name=shown(item.partition("=")[0]))
        if not _NAME.fullmatch(item) or len(item) > LONGEST_NAME:
            raise BadInput("document_env_name", text=shown(item))
    return _few(items)


def declared(items: Sequence[str]) -> tuple[Declared, ...]:
    """Read paths below the project; `:rw` behind one lets a run write there."""
    found: dict[str, Declared] = {}
    for item in _few(items):
        mode = _MODE.search(item)
        path = _relative(item[: mode.start()] if mode else item)
        if path in found:
            raise BadInput("document_path_twice", path=shown(path))
        found[path] = Declared(path, writable=mode is not None and mode[1].lower() == "rw")
    return tuple(found.values())


def _check_signs(text: str) -> None:
    """Refuse breaks and control characters; what joins emoji is invisible too, and fine."""
    if any(unicodedata.category(each) in {"Cc", "Cs", "Zl", "Zp"} for each in text):
        raise BadInput("document_text_lines")


def _few(items: Sequence[str]) -> tuple[str, ...]:
    if len(items) > MOST_NAMES:
        raise TooLarge("document_list_long", limit=MOST_NAMES)
    return tuple(dict.fromkeys(items))


def _relative(text: str) -> str:
    """Return a path in its one form: no `./`, no `//`, no `/` at the end."""
    path = text.strip()
    if len(path) > LONGEST_PATH:
        raise TooLarge("document_text_long", limit=LONGEST_PATH)
    _check_signs(path)
    if "\\" in path:
        raise BadInput("document_path_backslash", path=shown(path), instead=shown(path.replace("\\", "/")))
    if _ABSOLUTE.match(path):
        raise BadInput("document_path_absolute", path=shown(path))
    parts = [part for part in path.split("/") if part not in ("", ".")]
    if ".." in parts:
        raise BadInput("document_path_outside", path=shown(path))
    if not parts:
        raise BadInput("document_path_whole", path=shown(path))
    if parts[0].casefold() == OURS:
        raise BadInput("document_path_hidden", path=shown(path), hidden=OURS)
    return "/".join(parts)


def _no_choice(text: str, known: Sequence[str]) -> BadInput:
    near = get_close_matches(text.strip().lower()[:64], known, n=1, cutoff=0.5)
    choices = "、".join(known)
    if near:
        return BadInput("document_choice_near", value=shown(text), nearest=near[0], choices=choices)
    return BadInput("document_choice", value=shown(text), choices=choices)


@cache
def _zones() -> list[str]:
    return sorted(available_timezones())
