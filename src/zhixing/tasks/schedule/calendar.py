"""What cron cannot say: days by a rule of `days`, at times of the wall clock, within bounds, with days left out. Pure.

    on week/2@2026-10-12:3 at 15:00 from 2026-10-12 until 2026-12-31 except 2026-10-28 before 30m

Times keep to the clock on the wall: one that is skipped when the clocks go forward comes right after the gap, one that
happens twice comes the first time only. `before` counts back in real minutes from there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from itertools import islice
from zoneinfo import ZoneInfo

from zhixing.kernel.errors import BadInput, TooLarge
from zhixing.kernel.moments import settle
from zhixing.language.repeats import LAST, Statute
from zhixing.tasks.schedule.days import (
    DayRule,
    EveryDays,
    EveryLunar,
    EveryMonths,
    EveryWeeks,
    EveryYear,
    MonthlyWeekday,
    StatutoryDays,
    possible,
)

MOST_CLOCKS = 24
"""Times of one day."""
MOST_COUNTED = 1_000
"""The largest number of times a count may ask for."""
MOST_LEFT_OUT = 400
"""Days or single times left out of one trigger."""
LONGEST_LEAD = 10_080
"""Minutes; a week."""
_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Calendar:
    """The days of a rule, at `clocks`.

    `first` is the first reading that counts, `last` the last day. `count` is how many readings there are from `first`
    on, those left out included. `left_out` holds whole days and single readings (a datetime) that do not happen. Every
    instant comes `lead` minutes before its reading.
    """

    days: DayRule
    clocks: tuple[time, ...]
    first: datetime | None = None
    last: date | None = None
    count: int | None = None
    left_out: frozenset[date] = frozenset()
    lead: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "clocks", tuple(sorted(set(self.clocks))))
        if not possible(self.days) or not self.clocks or (self.count is not None and self.first is None):
            raise BadInput("calendar_unreadable", text=self.expression[:64])
        if len(self.clocks) > MOST_CLOCKS:
            raise TooLarge("calendar_many_clocks", limit=MOST_CLOCKS)
        if len(self.left_out) > MOST_LEFT_OUT:
            raise TooLarge("calendar_many_left_out", limit=MOST_LEFT_OUT)
        if not 0 <= self.lead <= LONGEST_LEAD or not (self.count is None or 1 <= self.count <= MOST_COUNTED):
            raise BadInput("calendar_unreadable", text=self.expression[:64])

    @property
    def expression(self) -> str:
        """What `parse_expression` reads as this trigger."""
        parts = ["on", self.days.text, "at", ",".join(f"{clock:%H:%M}" for clock in self.clocks)]
        if self.first is not None:
            parts += ["from", _written(self.first)]
        if self.last is not None:
            parts += ["until", self.last.isoformat()]
        if self.count is not None:
            parts += ["times", str(self.count)]
        if self.left_out:
            parts += ["except", ",".join(sorted(day.isoformat() for day in self.left_out))]
        if self.lead:
            parts += ["before", f"{self.lead}m"]
        return " ".join(parts)

    @property
    def known_until(self) -> date | None:
        """The last day for which there is a table, where the rule needs one and its bounds reach beyond it."""
        known = self.days.known_until
        return None if known is None or (self.last is not None and self.last <= known) else known

    @property
    def lacks_table(self) -> bool:
        """Whether it would go on behind the last day of its table."""
        if self.known_until is None:
            return False
        if self.count is None or self.first is None:
            return True
        return sum(1 for _ in islice(self._walk(self.first.date()), self.count)) < self.count

    def readings(self, start: datetime) -> Iterator[datetime]:
        """Yield the readings of the wall clock not before `start`, without those left out."""
        if self.count is None or self.first is None:
            found = self._walk(start.date())
        else:
            found = islice(self._walk(self.first.date()), self.count)
        return (one for one in found if one >= start and one not in self.left_out and one.date() not in self.left_out)

    def instants(self, after: datetime, tz: ZoneInfo) -> Iterator[datetime]:
        """Yield every instant after aware `after`, in UTC, each later than the one before."""
        lead = timedelta(minutes=self.lead)
        try:
            start = (after + lead).astimezone(tz).replace(tzinfo=None, fold=0) - _DAY
            newest = after.astimezone(UTC)
            for reading in self.readings(start):
                instant = settle(reading, tz).astimezone(UTC) - lead
                # Readings of one gap end at the same instant; readings of a repeated hour lie behind us.
                if instant > newest:
                    newest = instant
                    yield instant
        except OverflowError:
            return  # the calendar ends with the year 9999

    def _walk(self, start: date) -> Iterator[datetime]:
        for day in self.days.dates(start):
            if self.last is not None and day > self.last:
                return
            for clock in self.clocks:
                reading = datetime.combine(day, clock)
                if self.first is None or reading >= self.first:
                    yield reading


def parse_calendar(words: list[str]) -> Calendar:
    """Read what stands behind `on`. Raises `BadInput`."""
    text = " ".join(words)
    with suppress(ValueError, OverflowError, KeyError, IndexError):
        rule, *rest = words
        given = dict(zip(rest[::2], rest[1::2], strict=True))
        if len(given) * 2 == len(rest) and set(given) <= _CLAUSES:
            return Calendar(
                _rule(rule),
                tuple(map(_clock, given["at"].split(","))),
                datetime.fromisoformat(given["from"]).replace(tzinfo=None) if "from" in given else None,
                date.fromisoformat(given["until"]) if "until" in given else None,
                int(given["times"]) if "times" in given else None,
                frozenset(map(_left_out, given["except"].split(","))) if "except" in given else frozenset(),
                int(_LEAD.fullmatch(given["before"])[1]) if "before" in given else 0,  # type: ignore[index]
            )
    raise BadInput("calendar_unreadable", text=text[:64])


_CLAUSES = frozenset(("at", "from", "until", "times", "except", "before"))
_RULE = re.compile(r"(?P<unit>day|week|month)(?:/(?P<step>[0-9]{1,2})@(?P<anchor>[0-9-]{10}))?(?::(?P<days>[0-9L,]+))?")
_NTH = re.compile(r"month:(?P<weekday>[1-7])#(?P<nth>[1-5L])")
_YEAR = re.compile(r"year:(?P<month>[0-9]{1,2})-(?P<day>[0-9]{1,2})")
_LUNAR = re.compile(r"lunar:(?P<month>\*|[0-9]{1,2})-(?P<days>[0-9L,]+)")
_CLOCK = re.compile(r"([0-9]{1,2}):([0-9]{2})")
_LEAD = re.compile(r"([0-9]{1,5})m")
_ANY_DAY = date(1970, 1, 1)


def _rule(text: str) -> DayRule:
    if text in tuple(Statute):
        return StatutoryDays(Statute(text))
    if match := _NTH.fullmatch(text):
        return MonthlyWeekday(_number(match["nth"]), int(match["weekday"]))
    if match := _YEAR.fullmatch(text):
        return EveryYear(int(match["month"]), int(match["day"]))
    if match := _LUNAR.fullmatch(text):
        return EveryLunar(None if match["month"] == "*" else int(match["month"]), _numbers(match["days"]))
    match = _RULE.fullmatch(text)
    if match is None or (match["days"] is None) is not (match["unit"] == "day"):
        raise ValueError(text)
    interval = int(match["step"] or 1)
    anchor = date.fromisoformat(match["anchor"]) if match["anchor"] else _ANY_DAY
    if match["unit"] == "day":
        return EveryDays(anchor, interval)
    return (EveryWeeks if match["unit"] == "week" else EveryMonths)(_numbers(match["days"]), anchor, interval)


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(map(_number, text.split(",")))


def _number(text: str) -> int:
    return LAST if text == "L" else int(text)


def _clock(text: str) -> time:
    match = _CLOCK.fullmatch(text)
    if match is None:
        raise ValueError(text)
    return time(int(match[1]), int(match[2]))


def _left_out(text: str) -> date:
    return datetime.fromisoformat(text).replace(tzinfo=None) if "T" in text else date.fromisoformat(text)


def _written(reading: datetime) -> str:
    return reading.date().isoformat() if reading.time() == time(0) else reading.isoformat()
