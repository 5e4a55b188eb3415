"""Five-field cron, with Debian's meaning of time.

A job at a *fixed time* (neither minute nor hour starts with `*`) keeps to the clock on the wall: a time that is skipped
when the clocks go forward runs once, right after the gap; a time that happens twice runs the first time only. A
*wildcard* job follows real time: it runs at every real minute whose reading matches, so no interval is lost or doubled.
Day of month and weekday are alternatives unless one of them starts with `*`.

cronsim walks the calendar, on plain readings without a zone. The zone is ours: with one, cronsim 2.8 rounds to full
hours of elapsed time and loses runs where the clocks move by half an hour (Lord Howe).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from cronsim import CronSim, CronSimError

from zhixing.kernel.errors import BadInput, TooLarge
from zhixing.kernel.moments import settle
from zhixing.tasks.schedule.fields import DAY, HOUR, MINUTE, MONTH, WEEKDAY, Field, read_field

MAX_LENGTH = 200
"""Characters of an expression."""

ALIASES = {
    "@hourly": "0 * * * *",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@weekly": "0 0 * * 0",
    "@monthly": "0 0 1 * *",
    "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
}

_ZONE_INSIDE = re.compile(r"(?:cron_)?tz=\S*\s*", re.IGNORECASE)
_SECOND = timedelta(seconds=1)
_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Cron:
    """An expression that occurs. `text` is what was written; made by `Cron.parse`."""

    text: str
    minute: Field
    hour: Field
    day: Field
    month: Field
    weekday: Field

    @staticmethod
    def parse(text: str) -> Cron:
        """Read an expression or one of the `ALIASES`. Raises `BadInput` with the reason and what to write instead."""
        return _parse(" ".join(text.split()) if len(text) <= 2 * MAX_LENGTH else text)

    @property
    def expression(self) -> str:
        """The five fields in numbers."""
        return " ".join(field.text for field in (self.minute, self.hour, self.day, self.month, self.weekday))

    @property
    def follows_real_time(self) -> bool:
        """Whether this is a wildcard job in Debian's sense."""
        return self.minute.starred or self.hour.starred

    @property
    def needs_both_days(self) -> bool:
        """Whether day of month and weekday must both match, instead of either."""
        return self.day.starred or self.weekday.starred

    def next(self, after: datetime, tz: ZoneInfo) -> datetime | None:
        """Return the first instant after aware `after`, in UTC; None when there is none within 50 years."""
        return next(self.instants(after, tz), None)

    def instants(self, after: datetime, tz: ZoneInfo) -> Iterator[datetime]:
        """Yield every instant after aware `after`, in UTC, each later than the one before."""
        walk = self._real_time if self.follows_real_time else self._wall_time
        try:
            yield from walk(after.astimezone(UTC), tz)
        except OverflowError:
            return  # the calendar ends with the year 9999

    def _wall_time(self, after: datetime, tz: ZoneInfo) -> Iterator[datetime]:
        last = after
        for reading in CronSim(self.expression, _reading(after, tz)):
            instant = settle(reading, tz).astimezone(UTC)
            # Several readings of one gap end at the same instant; readings of a repeated hour lie behind us.
            if instant > last:
                last = instant
                yield instant

    def _real_time(self, after: datetime, tz: ZoneInfo) -> Iterator[datetime]:
        """Walk one stretch of constant offset after the other; within one, readings and instants go in step."""
        seen, reading = after, _reading(after, tz)
        while True:
            offset = _offset(seen, tz)
            for following in CronSim(self.expression, reading):
                instant = (following - offset).replace(tzinfo=UTC)
                change = _offset_change(seen, instant, tz)
                if change is not None:
                    # The first reading after the change may match itself, so start a moment before it.
                    seen, reading = change, _reading(change, tz) - _SECOND
                    break
                seen = instant
                yield instant
            else:
                return


@lru_cache(maxsize=4096)
def _parse(text: str) -> Cron:
    if len(text) > MAX_LENGTH:
        raise TooLarge("cron_long", limit=MAX_LENGTH)
    if inside := _ZONE_INSIDE.match(text):
        raise BadInput("cron_zone_inside", text=text, instead=text[inside.end() :])
    if text.startswith("@") and text.lower() not in ALIASES:
        raise BadInput("cron_alias", text=text, known=" ".join(ALIASES))
    parts = ALIASES.get(text.lower(), text).split()
    if len(parts) == 6:
        raise BadInput("cron_seconds", text=text, instead=" ".join(parts[1:]))
    if len(parts) != 5:
        raise BadInput("cron_fields", text=text, count=len(parts))
    fields = [read_field(part, place) for part, place in zip(parts, (MINUTE, HOUR, DAY, MONTH, WEEKDAY), strict=True)]
    cron = Cron(text, *fields)
    if not _occurs(cron):
        raise BadInput("cron_never", text=text)
    return cron


def _occurs(cron: Cron) -> bool:
    """Whether there is any such day, by looking through 50 years of calendar."""
    try:
        return next(CronSim(cron.expression, datetime(2000, 1, 1)), None) is not None
    except CronSimError:
        # Everything else that cronsim refuses was refused before.
        return False


def _reading(at: datetime, tz: ZoneInfo) -> datetime:
    """Return what the clock on the wall shows."""
    return at.astimezone(tz).replace(tzinfo=None, fold=0)


def _offset(at: datetime, tz: ZoneInfo) -> timedelta:
    return at.astimezone(tz).utcoffset() or timedelta(0)


def _offset_change(after: datetime, until: datetime, tz: ZoneInfo) -> datetime | None:
    """Return the first instant in (after, until] with another offset than `after` has, looking at every day between."""
    before = _offset(after, tz)
    low = after
    while low < until:
        high = min(low + _DAY, until)
        if _offset(high, tz) != before:
            return _edge(low, high, before, tz)
        low = high
    return None


def _edge(low: datetime, high: datetime, before: timedelta, tz: ZoneInfo) -> datetime:
    """Find the whole second at which the offset stops being `before`, by bisection."""
    while high - low > _SECOND:
        middle = low + (high - low) / 2
        if _offset(middle, tz) == before:
            low = middle
        else:
            high = middle
    return high.replace(microsecond=0)
