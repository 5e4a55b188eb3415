"""Times of day and calendar days, as the time nodes count them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from zhixing.graphs.times.findings import Reading, finding, whole

FIRST_DAY = date(1900, 1, 1)
"""No day before it is walked; earlier instants are treated as if they were on it."""

LAST_DAY = date(9990, 12, 31)
"""No day behind it is walked: arithmetic of later instants would leave the calendar."""

REACH_DAYS = 400
"""How many days ahead rings and changes are looked for: a year, and the longest run of days without one behind it."""

_FIELDS = (("hour", 23), ("minute", 59), ("second", 59))


def read_time(value: Mapping[str, object], where: str) -> Reading[time]:
    """Read `hour`, `minute` and `second` of `value`.

    Codes: `invalid_hour`, `invalid_minute`, `invalid_second`.
    """
    hour, minute, second = (whole(value.get(name), 0, most) for name, most in _FIELDS)
    if hour is not None and minute is not None and second is not None:
        return Reading(time(hour, minute, second))
    wrong = (name for (name, _), one in zip(_FIELDS, (hour, minute, second), strict=True) if one is None)
    return Reading(None, tuple(finding(f"invalid_{name}", f"{where}.{name}", value.get(name)) for name in wrong))


def local_day(at: datetime, tz: ZoneInfo) -> date:
    """Return the date of aware `at` in `tz`, or the nearest one that is walked."""
    try:
        day = at.astimezone(tz).date()
    except OverflowError:
        day = at.date()
    return min(max(day, FIRST_DAY), LAST_DAY)


def days_from(day: date, *, back: int, count: int) -> Iterator[date]:
    """Yield the days from `back` days before `day` to `count` days behind it, none after `LAST_DAY`."""
    first = day - timedelta(days=back)
    for step in range(back + count + 1):
        one = first + timedelta(days=step)
        if one > LAST_DAY:
            return
        yield one
