"""Instants as a task.md has them: ISO 8601 with an offset, read strictly.

What other readers repair in silence (30 February, 24:00, `+0800`) is refused with the reason and, where it is certain,
the text to write instead.
"""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import date, datetime, timedelta

from zhixing.kernel.errors import BadInput
from zhixing.kernel.moments import parse_instant

LONGEST_INSTANT = 64
"""Characters of an instant."""
EXAMPLE = "2026-10-12T10:00:00+08:00"
_FARTHEST_OFFSET = 14

_STRICT = re.compile(
    r"(?P<year>[0-9]{4})-(?P<month>[0-9]{2})-(?P<day>[0-9]{2})"
    r"T(?P<hour>[0-9]{2}):(?P<minute>[0-9]{2})(?::(?P<second>[0-9]{2})(?P<fraction>\.[0-9]{1,6})?)?"
    r"(?P<offset>Z|[+-][0-9]{2}:[0-9]{2})",
    re.IGNORECASE,
)
_LOOSE = re.compile(
    r"(?P<year>[0-9]{4})[-/.](?P<month>[0-9]{1,2})[-/.](?P<day>[0-9]{1,2})"
    r"(?:[ \t]*[T ][ \t]*(?P<hour>[0-9]{1,2})[:：](?P<minute>[0-9]{1,2})"
    r"(?:[:：](?P<second>[0-9]{1,2})(?P<fraction>[.,][0-9]+)?)?)?"
    r"[ \t]*(?P<offset>Z|(?:UTC|GMT)?[+-][0-9]{1,2}(?::?[0-9]{2})?|UTC|GMT)?",
    re.IGNORECASE,
)


def read_instant(text: str) -> datetime:
    """Return the instant that `text` names, with its offset. Raises `BadInput`."""
    text = text.strip()
    found = _STRICT.fullmatch(text)
    if found is None:
        raise _malformed(text)
    _check_values(text, found)
    return parse_instant(text.upper())


def _malformed(text: str) -> BadInput:
    """Say what is missing or written differently."""
    found = _LOOSE.fullmatch(text[: LONGEST_INSTANT + 1])
    if found is None:
        return BadInput("document_instant_unreadable", text=text[:LONGEST_INSTANT], example=EXAMPLE)
    day = f"{found['year']}-{int(found['month']):02}-{int(found['day']):02}"
    if found["hour"] is None:
        return BadInput("document_instant_without_clock", text=text, instead=f"{day}T09:00:00+08:00")
    clock = f"{int(found['hour']):02}:{int(found['minute']):02}"
    if found["second"] is not None:
        clock += f":{int(found['second']):02}{(found['fraction'] or '').replace(',', '.')[:7]}"
    offset = _offset(found["offset"])
    if offset is None:
        return BadInput("document_instant_without_offset", text=text, instead=f"{day}T{clock}+08:00")
    instead = f"{day}T{clock}{offset}"
    try:
        read_instant(instead)
    except BadInput as error:
        return error
    return BadInput("document_instant_form", text=text, instead=instead)


def _offset(text: str | None) -> str | None:
    if text is None:
        return None
    digits = re.fullmatch(r"(?:UTC|GMT)?([+-])([0-9]{1,2})(?::?([0-9]{2}))?", text, re.IGNORECASE)
    return "Z" if digits is None else f"{digits[1]}{int(digits[2]):02}:{digits[3] or '00'}"


def _check_values(text: str, found: re.Match[str]) -> None:
    year, month, day = int(found["year"]), int(found["month"]), int(found["day"])
    if year < 1 or not 1 <= month <= 12:
        raise BadInput("document_instant_month", text=text)
    if not 1 <= day <= (last := monthrange(year, month)[1]):
        raise BadInput("document_instant_day", text=text, year=year, month=month, last=last)
    hour, minute, second = int(found["hour"]), int(found["minute"]), int(found["second"] or 0)
    if hour == 24 and minute == second == 0:
        raise BadInput(
            "document_instant_midnight", text=text, instead=_next_midnight(year, month, day, found["offset"])
        )
    if hour > 23 or minute > 59 or second > 59:
        raise BadInput("document_instant_clock", text=text)
    if len(found["offset"]) > 1:
        hours, minutes = int(found["offset"][1:3]), int(found["offset"][4:])
        if minutes > 59 or hours * 60 + minutes > _FARTHEST_OFFSET * 60:
            raise BadInput("document_instant_offset", text=text, offset=found["offset"])


def _next_midnight(year: int, month: int, day: int, offset: str) -> str:
    try:
        following = date(year, month, day) + timedelta(days=1)
    except OverflowError:
        return EXAMPLE
    return f"{following.isoformat()}T00:00:00{offset.upper()}"
