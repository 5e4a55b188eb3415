"""What several commands take: their arguments and options, by name."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta
from typing import Annotated, Literal

from cyclopts import Parameter

from zhixing.faces.cli.desk import Desk
from zhixing.kernel.errors import BadInput
from zhixing.kernel.moments import parse_instant
from zhixing.kernel.moments import zone as find_zone

LONGEST_INPUT = 20_000
"""Characters read from standard input."""

AtDesk = Annotated[Desk, Parameter(parse=False)]
Words = Annotated[str, Parameter(required=True)]
Json = Annotated[bool, Parameter(name="--json", negative=())]
Note = Annotated[bool, Parameter(name="--note", negative=())]
Source = Annotated[Literal["direct", "voice", "paste", "share", "quote"], Parameter(name="--source")]
MessageDate = Annotated[str | None, Parameter(name="--message-date")]
Zone = Annotated[str | None, Parameter(name=["--zone", "--tz"])]
Limit = Annotated[int, Parameter(name="--limit")]

TYPED = "\0"
"""Stands before an argument that begins with a hyphen and is no option: no argument can hold a NUL of its own."""
STDIN = f"{TYPED}-"

_AMOUNT = re.compile(r"([0-9]{1,6})([smhd])")
_SECONDS = {"s": 1, "m": 60, "h": 3_600, "d": 86_400}
_LONGEST_AGO = 3_660 * 86_400


def text_of(words: tuple[str, ...], desk: Desk) -> str:
    """Return the words of a command line as one text; a lone `-` stands for standard input."""
    if words == (STDIN,):
        return desk.read_all(LONGEST_INPUT)
    return " ".join(word.removeprefix(TYPED) for word in words)


def task_id(written: str) -> str:
    """Return the id that a person means by `t12` or `12`."""
    plain = written.strip()
    return f"t{int(plain)}" if plain.isascii() and plain.isdecimal() and len(plain) <= 18 else plain.lower()


def message_id(written: str) -> str:
    """Return the id that a person means by `m12` or `12`."""
    plain = written.strip()
    return f"m{int(plain)}" if plain.isascii() and plain.isdecimal() and len(plain) <= 18 else plain.lower()


def zone_name(wanted: str | None, desk: Desk) -> str:
    """Return the zone that was asked for, which exists, or the home's."""
    if wanted is not None:
        return find_zone(wanted).key
    from zhixing.settings import home_folder, home_zone, load  # noqa: PLC0415 - half a second, and often not needed

    return home_zone(load(home_folder(desk.env), desk.env).settings.zone, desk.env).name


def day(written: str | None) -> date | None:
    """Read a date; raise `BadInput` for anything but 2026-10-12."""
    if written is None:
        return None
    try:
        return date.fromisoformat(written)
    except ValueError as error:
        raise BadInput("date_unreadable", text=written[:64]) from error


def ago(written: str) -> timedelta:
    """Read an amount of time that has passed, up to ten years: 90s, 5m, 2h, 7d. Raises `BadInput`."""
    found = _AMOUNT.fullmatch(written.strip().lower())
    seconds = 0 if found is None else int(found[1]) * _SECONDS[found[2]]
    if found is None or seconds > _LONGEST_AGO:
        raise BadInput("ago_unreadable", text=written[:32])
    return timedelta(seconds=seconds)


def since_of(written: str, now: datetime) -> datetime:
    """Read an instant with an offset, or how long ago: 2026-10-12T10:00:00+08:00, 2h. Raises `BadInput`."""
    return now - ago(written) if _AMOUNT.fullmatch(written.strip().lower()) else parse_instant(written)


def within(name: str, number: int, low: int, high: int) -> int:
    """Return `number`; raise `BadInput` when it is out of bounds."""
    if not low <= number <= high:
        raise BadInput("number_out_of_range", name=name, low=low, high=high, number=number)
    return number
