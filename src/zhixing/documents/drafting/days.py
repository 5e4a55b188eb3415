"""Which day the words of one time mean, counted from today. Pure."""

from __future__ import annotations

from calendar import monthrange
from dataclasses import dataclass
from datetime import date, timedelta

from zhixing.language.timex import CalendarDate, DateWords, Duration, MonthDay, RelativeDay, TimeExpression, WeekDay

FURTHEST = 10
"""Years ahead."""


@dataclass(frozen=True, slots=True)
class Day:
    """A day, and the rule by which it was taken where the words leave it open.

    `nearest_weekday`, `nearest_year`, and `next_year` for a date that is over this year.
    """

    day: date
    rule: str = ""


def day_of(one: TimeExpression, today: date) -> Day | None:
    """Return the day of an expression; None where the words name none, an impossible one or two that differ."""
    if one.date is None:
        return None
    found = Day(_nearest(one.weekday, today), "nearest_weekday") if _bare(one) else named_day(one.date, today)
    if found is None or (found.day - today).days > FURTHEST * 366:
        return None
    if one.weekday is not None and found.day.isoweekday() != one.weekday:
        return None
    if one.also is not None:
        again = named_day(one.also, today)
        return found if again is not None and again.day == found.day else None
    return found


def named_day(words: DateWords, today: date) -> Day | None:
    """Return the day that `words` name; None for words that name none."""
    match words:
        case RelativeDay():
            return Day(today + timedelta(days=words.days))
        case WeekDay():
            monday = today - timedelta(days=today.weekday())
            return Day(monday + timedelta(days=words.weekday - 1, weeks=words.weeks))
        case MonthDay():
            return _valid(*_month(today, words.months), words.day)
        case CalendarDate():
            return _dated(words, today)
        case _:
            return None


def later(today: date, length: Duration) -> date:
    """Return the day `length` after `today`; the last of the month where the month is too short."""
    year, month = _month(today, length.months)
    return date(year, month, min(today.day, monthrange(year, month)[1])) + timedelta(days=length.days)


def _bare(one: TimeExpression) -> bool:
    """Whether it is 周五, with no week said: a vague date that is nothing but the weekday."""
    return one.weekday is not None and not isinstance(one.date, CalendarDate | RelativeDay | WeekDay | MonthDay)


def _nearest(weekday: int | None, today: date) -> date:
    return today + timedelta(days=((weekday or 1) - today.isoweekday()) % 7)


def _dated(words: CalendarDate, today: date) -> Day | None:
    if words.year is not None:
        return _valid(words.year if words.year > 99 else 2000 + words.year, words.month, words.day)
    if words.year_offset is not None:
        return _valid(today.year + words.year_offset, words.month, words.day)
    found = _valid(today.year, words.month, words.day)
    if found is not None and found.day < today:
        found = _valid(today.year + 1, words.month, words.day)
        return None if found is None else Day(found.day, "next_year")
    return None if found is None else Day(found.day, "nearest_year")


def _month(today: date, months: int) -> tuple[int, int]:
    count = today.year * 12 + today.month - 1 + months
    return count // 12, count % 12 + 1


def _valid(year: int, month: int, day: int) -> Day | None:
    try:
        return Day(date(year, month, day))
    except ValueError:
        return None
