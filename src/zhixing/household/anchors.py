"""Instants that words lean on: what `time-compute` answers. Pure.

Document 000 names nine anchors; their vectors are in tests/household/test_anchors.py. Everything is read in the home's
zone. A time somebody typed that was skipped becomes the first instant behind the gap, one that came twice its first
occurrence. The end of a day is its last second, also where that second comes twice.

Every error is a `BadInput` whose key is one of the codes of the contract: `invalid_now_iso`, `invalid_anchor`,
`invalid_time`, `invalid_weekday`, `invalid_amount`, `invalid_unit`, `invalid_month_day`, `invalid_date`.
"""

from __future__ import annotations

import math
import re
from calendar import monthrange
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import msgspec

from zhixing.kernel.errors import BadInput
from zhixing.kernel.moments import Exact, Gap, locate, settle

LONGEST_ANCHOR = 1000
"""Characters of an anchor's JSON."""

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
UNITS = ("minutes", "hours", "days", "weeks", "months")

_DAY = timedelta(days=1)
_SECOND = timedelta(seconds=1)
_ELAPSING = {"minutes": timedelta(minutes=1), "hours": timedelta(hours=1)}
_TIME = re.compile(r"[0-9]{2}:[0-9]{2}:[0-9]{2}")
_MONTH_DAY = re.compile(r"([0-9]{2})-([0-9]{2})")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_LONGEST_QUOTE = 64
_EXAMPLE = '{"kind":"end_of_day"}'

Anchor = Mapping[str, Any]


def read_anchor(text: str) -> Anchor:
    """Read the JSON of an anchor. What it holds is looked at by `compute`."""
    if len(text) > LONGEST_ANCHOR:
        raise BadInput("invalid_anchor", text=_quoted(text), known=_EXAMPLE)
    try:
        read = msgspec.json.decode(text.encode("utf-8", "surrogatepass"))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadInput("invalid_anchor", text=_quoted(text), known=_EXAMPLE) from error
    if not isinstance(read, dict):
        raise BadInput("invalid_anchor", text=_quoted(text), known=_EXAMPLE)
    return read


def read_now(text: str, tz: ZoneInfo) -> datetime:
    """Read the instant to count from; without an offset it is a time of the home's zone."""
    try:
        read = datetime.fromisoformat(text.strip())
        return settle(read, tz) if read.tzinfo is None else read.astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise BadInput("invalid_now_iso", text=_quoted(text)) from error


def compute(anchor: Anchor, now: datetime, tz: ZoneInfo) -> datetime:
    """Return the instant that `anchor` means at `now`, in whole seconds, zoned in `tz`.

    `today_at` may have passed: what was meant is for the caller to ask. `date` is the next such day, today included.
    """
    kind = anchor.get("kind")
    found = _KINDS.get(kind) if isinstance(kind, str) else None
    if found is None:
        raise BadInput("invalid_anchor", text=_quoted(kind), known="、".join(_KINDS))
    allowed, computed = found
    if strange := sorted(str(name) for name in anchor if name != "kind" and name not in allowed):
        known = "、".join(("kind", *allowed))
        raise BadInput("invalid_anchor", text=_quoted(strange[0]), known=known)
    try:
        return computed(anchor, now.astimezone(tz), tz).replace(microsecond=0)
    except (OverflowError, ValueError) as error:
        # Behind the last year there is no tomorrow.
        raise BadInput("invalid_now_iso", text=now.isoformat()) from error


def _end_of_day(_: Anchor, now: datetime, tz: ZoneInfo) -> datetime:
    return _end(now.date(), tz)


def _end_of_week(_: Anchor, now: datetime, tz: ZoneInfo) -> datetime:
    return _end(now.date() + _DAY * (6 - now.weekday()), tz)


def _end_of_month(_: Anchor, now: datetime, tz: ZoneInfo) -> datetime:
    return _end(now.date().replace(day=monthrange(now.year, now.month)[1]), tz)


def _today_at(anchor: Anchor, now: datetime, tz: ZoneInfo) -> datetime:
    return _at(now.date(), _time(anchor), tz)


def _tomorrow_at(anchor: Anchor, now: datetime, tz: ZoneInfo) -> datetime:
    return _at(now.date() + _DAY, _time(anchor), tz)


def _next_weekday(anchor: Anchor, now: datetime, tz: ZoneInfo) -> datetime:
    wanted = anchor.get("weekday")
    if wanted not in WEEKDAYS:
        raise BadInput("invalid_weekday", text=_quoted(wanted), known="、".join(WEEKDAYS))
    ahead = (WEEKDAYS.index(wanted) - now.weekday() - 1) % 7 + 1
    return _on(now.date() + _DAY * ahead, anchor, tz)


def _add(anchor: Anchor, now: datetime, tz: ZoneInfo) -> datetime:
    """Minutes and hours elapse; days, weeks and months move the date and keep the time of day.

    The fraction of a day or a week elapses. Months are whole: a fraction of one is left out, and a day that the month
    does not have becomes its last one.
    """
    amount, unit = anchor.get("amount"), anchor.get("unit")
    if isinstance(amount, bool) or not isinstance(amount, int | float) or not math.isfinite(amount):
        raise BadInput("invalid_amount", text=_quoted(amount))
    if unit not in UNITS:
        raise BadInput("invalid_unit", text=_quoted(unit), known="、".join(UNITS))
    try:
        if unit in _ELAPSING:
            return (now.astimezone(UTC) + amount * _ELAPSING[unit]).astimezone(tz)
        if unit == "months":
            return _moved(now, _months_on(now.date(), int(amount)), tz)
        whole = int(amount * 7 if unit == "weeks" else amount)
        rest = (amount * 7 if unit == "weeks" else amount) - whole
        moved = _moved(now, now.date() + _DAY * whole, tz)
        return (moved.astimezone(UTC) + rest * _DAY).astimezone(tz)
    except (OverflowError, ValueError) as error:
        raise BadInput("invalid_amount", text=_quoted(amount)) from error


def _date(anchor: Anchor, now: datetime, tz: ZoneInfo) -> datetime:
    wanted = anchor.get("month_day")
    parts = _MONTH_DAY.fullmatch(wanted) if isinstance(wanted, str) else None
    if parts is None:
        raise BadInput("invalid_month_day", text=_quoted(wanted))
    try:
        # A leap year: 02-29 is a day, if not of every year.
        day = date(2000, int(parts[1]), int(parts[2]))
    except ValueError as error:
        raise BadInput("invalid_month_day", text=_quoted(wanted)) from error
    this = _in_year(day, now.year)
    return _on(this if this >= now.date() else _in_year(day, now.year + 1), anchor, tz)


def _date_full(anchor: Anchor, _: datetime, tz: ZoneInfo) -> datetime:
    wanted = anchor.get("date")
    if not isinstance(wanted, str) or not _DATE.fullmatch(wanted):
        raise BadInput("invalid_date", text=_quoted(wanted))
    try:
        return _on(date.fromisoformat(wanted), anchor, tz)
    except (ValueError, OverflowError) as error:
        raise BadInput("invalid_date", text=_quoted(wanted)) from error


_Computed = Callable[[Anchor, datetime, ZoneInfo], datetime]

_KINDS: dict[str, tuple[tuple[str, ...], _Computed]] = {
    "end_of_day": ((), _end_of_day),
    "end_of_week": ((), _end_of_week),
    "end_of_month": ((), _end_of_month),
    "today_at": (("time",), _today_at),
    "tomorrow_at": (("time",), _tomorrow_at),
    "next_weekday": (("weekday", "time"), _next_weekday),
    "add": (("amount", "unit"), _add),
    "date": (("month_day", "time"), _date),
    "date_full": (("date", "time"), _date_full),
}
KINDS = tuple(_KINDS)
"""The anchors, in the order of the document."""


def _on(day: date, anchor: Anchor, tz: ZoneInfo) -> datetime:
    """Return the time of `anchor` on a day; the end of that day where it names none."""
    return _end(day, tz) if "time" not in anchor else _at(day, _time(anchor), tz)


def _at(day: date, clock: time, tz: ZoneInfo) -> datetime:
    return settle(datetime.combine(day, clock), tz)


def _end(day: date, tz: ZoneInfo) -> datetime:
    """Return the last second of a day."""
    found = locate(datetime.combine(day, time(23, 59, 59)), tz)
    if isinstance(found, Exact):
        return found.at
    return (found.after.astimezone(UTC) - _SECOND).astimezone(tz) if isinstance(found, Gap) else found.second


def _moved(now: datetime, day: date, tz: ZoneInfo) -> datetime:
    """Return the time of day of `now` on another day; of a repeated time the same one of the two where there is one."""
    found = locate(datetime.combine(day, now.time()), tz)
    if isinstance(found, Exact):
        return found.at
    return found.after if isinstance(found, Gap) else (found.second if now.fold else found.first)


def _months_on(day: date, months: int) -> date:
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    if not date.min.year <= year <= date.max.year:
        raise OverflowError
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def _in_year(day: date, year: int) -> date:
    return date(year, day.month, min(day.day, monthrange(year, day.month)[1]))


def _time(anchor: Anchor) -> time:
    wanted = anchor.get("time")
    if not isinstance(wanted, str) or not _TIME.fullmatch(wanted):
        raise BadInput("invalid_time", text=_quoted(wanted))
    try:
        return time.fromisoformat(wanted)
    except ValueError as error:
        raise BadInput("invalid_time", text=_quoted(wanted)) from error


def _quoted(value: object) -> str:
    """Return what was given, short and on one line."""
    return "" if value is None else " ".join(str(value).split())[:_LONGEST_QUOTE]
