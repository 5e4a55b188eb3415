"""Rules that name days: every so many days, weeks or months, nth weekdays, lunar dates, statutory working days. Pure.

A rule knows no clock and no zone; `dates` walks the calendar. Intervals are counted from an anchor, so that every other
week stays the same weeks for ever. Lunar dates and statutory days come from tables, and a table ends: behind its last
day a rule yields nothing rather than a guess, and `known_until` says where that is.
"""

from __future__ import annotations

import calendar
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache

from borax.calendars.lunardate import MAX_LUNAR_YEAR, MAX_SOLAR_DATE, MIN_LUNAR_YEAR, LCalendars, LunarDate

from zhixing.kernel.statutes import STATUTES_FROM, STATUTES_UNTIL, is_holiday, is_workday
from zhixing.language.repeats import LAST, Statute

LUNAR_UNTIL: date = MAX_SOLAR_DATE
_DAY = timedelta(days=1)
_MOST_INTERVAL = 99


@dataclass(frozen=True, slots=True)
class EveryDays:
    """Every `interval` days, counted from `anchor`."""

    anchor: date
    interval: int = 1

    @property
    def text(self) -> str:
        """What `read_rule` reads as this rule."""
        return f"day{_step(self.interval, self.anchor)}"

    @property
    def known_until(self) -> date | None:
        """There is no table to end."""
        return None

    def dates(self, start: date) -> Iterator[date]:
        """Yield the days not before `start`."""
        day = start + _DAY * ((self.anchor - start).days % self.interval)
        while True:
            yield day
            try:
                day += _DAY * self.interval
            except OverflowError:
                return


@dataclass(frozen=True, slots=True)
class EveryWeeks:
    """These weekdays (Monday is 1) of every `interval`th week, counted from the week of `anchor`."""

    weekdays: tuple[int, ...]
    anchor: date
    interval: int = 1

    @property
    def text(self) -> str:
        """What `read_rule` reads as this rule."""
        return f"week{_step(self.interval, self.anchor)}:{','.join(map(str, self.weekdays))}"

    @property
    def known_until(self) -> date | None:
        """There is no table to end."""
        return None

    def dates(self, start: date) -> Iterator[date]:
        """Yield the days not before `start`."""
        monday = start - _DAY * start.weekday()
        weeks = (monday - (self.anchor - _DAY * self.anchor.weekday())).days // 7
        monday_offset = -weeks % self.interval
        try:
            monday += _DAY * 7 * monday_offset
            while True:
                days = (monday + _DAY * (weekday - 1) for weekday in self.weekdays)
                yield from (day for day in days if day >= start)
                monday += _DAY * 7 * self.interval
        except OverflowError:
            return


@dataclass(frozen=True, slots=True)
class EveryMonths:
    """These days of every `interval`th month; `LAST` is the last day. Months without such a day are passed over."""

    days: tuple[int, ...]
    anchor: date
    interval: int = 1

    @property
    def text(self) -> str:
        """What `read_rule` reads as this rule."""
        return f"month{_step(self.interval, self.anchor)}:{','.join(map(_ordinal, self.days))}"

    @property
    def known_until(self) -> date | None:
        """There is no table to end."""
        return None

    def dates(self, start: date) -> Iterator[date]:
        """Yield the days not before `start`."""
        months = (start.year - self.anchor.year) * 12 + start.month - self.anchor.month
        for first in _months(start.replace(day=1), -months % self.interval, self.interval):
            length = calendar.monthrange(first.year, first.month)[1]
            numbers = sorted({length if day == LAST else day for day in self.days})
            days = (first.replace(day=number) for number in numbers if number <= length)
            yield from (day for day in days if day >= start)


@dataclass(frozen=True, slots=True)
class MonthlyWeekday:
    """The `nth` such weekday of every month, or the last one."""

    nth: int
    weekday: int

    @property
    def text(self) -> str:
        """What `read_rule` reads as this rule."""
        return f"month:{self.weekday}#{_ordinal(self.nth)}"

    @property
    def known_until(self) -> date | None:
        """There is no table to end."""
        return None

    def dates(self, start: date) -> Iterator[date]:
        """Yield the days not before `start`."""
        for first in _months(start.replace(day=1), 0, 1):
            length = calendar.monthrange(first.year, first.month)[1]
            number = 1 + (self.weekday - first.isoweekday()) % 7
            found = list(range(number, length + 1, 7))
            if self.nth == LAST or self.nth <= len(found):
                day = first.replace(day=found[-1] if self.nth == LAST else found[self.nth - 1])
                if day >= start:
                    yield day


@dataclass(frozen=True, slots=True)
class EveryYear:
    """That date of every year; the 29th of February only in years that have it."""

    month: int
    day: int

    @property
    def text(self) -> str:
        """What `read_rule` reads as this rule."""
        return f"year:{self.month:02}-{self.day:02}"

    @property
    def known_until(self) -> date | None:
        """There is no table to end."""
        return None

    def dates(self, start: date) -> Iterator[date]:
        """Yield the days not before `start`."""
        for year in range(start.year, date.max.year + 1):
            if self.day <= calendar.monthrange(year, self.month)[1]:
                day = date(year, self.month, self.day)
                if day >= start:
                    yield day


@dataclass(frozen=True, slots=True)
class EveryLunar:
    """These days of a lunar month, or of every lunar month; `LAST` is the last day.

    A date of one month falls on its regular month, not on a leap month of the same name; every month includes leap
    ones. Months of 29 days have no 30th.
    """

    month: int | None
    days: tuple[int, ...]

    @property
    def text(self) -> str:
        """What `read_rule` reads as this rule."""
        month = "*" if self.month is None else f"{self.month:02}"
        return f"lunar:{month}-{','.join(map(_ordinal, self.days))}"

    @property
    def known_until(self) -> date | None:
        """Return the last day of the table of lunar years."""
        return LUNAR_UNTIL

    def dates(self, start: date) -> Iterator[date]:
        """Yield the days not before `start`, up to the end of the table."""
        for year in range(max(start.year - 1, MIN_LUNAR_YEAR), MAX_LUNAR_YEAR + 1):
            for month, leap, first, length in _lunar_months(year):
                if self.month is not None and (leap or month != self.month):
                    continue
                numbers = sorted({length if day == LAST else day for day in self.days})
                days = (first + _DAY * (number - 1) for number in numbers if number <= length)
                yield from (day for day in days if day >= start)


@dataclass(frozen=True, slots=True)
class StatutoryDays:
    """Working days, holidays or days off as the State Council arranged them."""

    kind: Statute

    @property
    def text(self) -> str:
        """What `read_rule` reads as this rule."""
        return self.kind.value

    @property
    def known_until(self) -> date | None:
        """Return the last day of the last year that has been arranged and is in the table."""
        return STATUTES_UNTIL

    def dates(self, start: date) -> Iterator[date]:
        """Yield the days not before `start`, up to the end of the table."""
        day = max(start, STATUTES_FROM)
        while day <= STATUTES_UNTIL:
            if self._is(day):
                yield day
            day += _DAY

    def _is(self, day: date) -> bool:
        if self.kind is Statute.HOLIDAY:
            return is_holiday(day)
        return is_workday(day) is (self.kind is Statute.WORKDAY)


DayRule = EveryDays | EveryWeeks | EveryMonths | MonthlyWeekday | EveryYear | EveryLunar | StatutoryDays


def possible(rule: DayRule) -> bool:
    """Whether the numbers of a rule that somebody typed make sense."""
    match rule:
        case EveryDays():
            return 1 <= rule.interval <= _MOST_INTERVAL
        case EveryWeeks():
            return 1 <= rule.interval <= _MOST_INTERVAL and _ascending(rule.weekdays, 1, 7)
        case EveryMonths():
            numbers = tuple(day for day in rule.days if day != LAST)
            return 1 <= rule.interval <= _MOST_INTERVAL and bool(rule.days) and _ascending(numbers or (1,), 1, 31)
        case MonthlyWeekday():
            return 1 <= rule.weekday <= 7 and (rule.nth == LAST or 1 <= rule.nth <= 5)
        case EveryYear():
            return 1 <= rule.month <= 12 and 1 <= rule.day <= calendar.monthrange(2000, rule.month)[1]
        case EveryLunar():
            numbers = tuple(day for day in rule.days if day != LAST)
            return (
                (rule.month is None or 1 <= rule.month <= 12) and bool(rule.days) and _ascending(numbers or (1,), 1, 30)
            )
        case StatutoryDays():
            return True


def _ascending(numbers: tuple[int, ...], low: int, high: int) -> bool:
    return bool(numbers) and list(numbers) == sorted(set(numbers)) and low <= numbers[0] and numbers[-1] <= high


def _step(interval: int, anchor: date) -> str:
    return "" if interval == 1 else f"/{interval}@{anchor.isoformat()}"


def _ordinal(number: int) -> str:
    return "L" if number == LAST else f"{number}"


def _months(first: date, skip: int, interval: int) -> Iterator[date]:
    """Yield the first days of every `interval`th month, beginning `skip` months after `first`."""
    index = first.year * 12 + first.month - 1 + skip
    while index // 12 <= date.max.year:
        year, month = divmod(index, 12)
        yield date(year, month + 1, 1)
        index += interval


@cache
def _lunar_months(year: int) -> tuple[tuple[int, bool, date, int], ...]:
    """Return the months of a lunar year: number, whether it is a leap month, first day, length."""
    return tuple(
        (month, bool(leap), LunarDate(year, month, 1, leap).to_solar_date(), length)
        for month, length, leap in LCalendars.iter_year_month(year)
    )
