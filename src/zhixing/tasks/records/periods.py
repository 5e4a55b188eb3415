"""Which period an instant belongs to: pure, and the same whenever it is asked.

A day runs from one local midnight to the next, so it has 23 or 25 hours when the clocks change. A midnight that was
skipped is the first instant after the gap; of one that happened twice, the first counts. Longterm has one period, named
by the first day of the epoch, from which every instant is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from zhixing.kernel.moments import EPOCH, settle
from zhixing.tasks.records.model import Period, Window

_DAY = timedelta(days=1)
EVER = Period(Window.LONGTERM, EPOCH.date(), EPOCH, None)
"""The one period of what does not begin anew."""


@dataclass(frozen=True, slots=True)
class Piece:
    """The part of a stretch of time that lies in one period."""

    period: Period
    start: datetime
    end: datetime


def period_at(at: datetime, window: Window, tz: ZoneInfo) -> Period:
    """Return the period with `at` in it."""
    if window is Window.LONGTERM:
        return EVER
    found = period_of(at.astimezone(tz).date(), window, tz)
    # Where the clocks are put back over midnight, the date of a reading runs ahead of, or behind, the first midnight.
    while at < found.start:
        found = before(found, tz)
    while found.end is not None and at >= found.end:
        found = following(found, tz)
    return found


def period_of(day: date, window: Window, tz: ZoneInfo) -> Period:
    """Return the period with the local day in it."""
    match window:
        case Window.DAY:
            return _cut(window, day, tz)
        case Window.WEEK:
            return _cut(window, day - timedelta(days=day.weekday()), tz)
        case Window.MONTH:
            return _cut(window, day.replace(day=1), tz)
        case Window.LONGTERM:
            return EVER


def following(period: Period, tz: ZoneInfo) -> Period:
    """Return the period after this one; longterm has only itself."""
    return EVER if period.end is None else _cut(period.window, _next_day(period.window, period.day), tz)


def before(period: Period, tz: ZoneInfo) -> Period:
    """Return the period before this one."""
    return EVER if period.end is None else period_of(period.day - _DAY, period.window, tz)


def last_day(period: Period) -> date | None:
    """Return the last local day of a period; None for longterm."""
    return None if period.end is None else _next_day(period.window, period.day) - _DAY


def split(start: datetime, end: datetime, window: Window, tz: ZoneInfo) -> Iterator[Piece]:
    """Cut [start, end) where periods end; the pieces add up to it. Nothing comes of a stretch without length."""
    while start < end:
        period = period_at(start, window, tz)
        cut = end if period.end is None else min(end, period.end)
        yield Piece(period, start, cut)
        start = cut


def _next_day(window: Window, day: date) -> date:
    match window:
        case Window.WEEK:
            return day + 7 * _DAY
        case Window.MONTH:
            return (day.replace(day=1) + 32 * _DAY).replace(day=1)
        case _:
            return day + _DAY


@lru_cache(maxsize=4096)
def _cut(window: Window, day: date, tz: ZoneInfo) -> Period:
    return Period(window, day, _midnight(day, tz), _midnight(_next_day(window, day), tz))


def _midnight(day: date, tz: ZoneInfo) -> datetime:
    return settle(datetime.combine(day, time()), tz).astimezone(UTC)
