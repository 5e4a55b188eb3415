"""Which day the words mean, counted from a reference day (document 004 §4)."""

from __future__ import annotations

import calendar
import re
from datetime import date, timedelta

import msgspec

from zhixing.language.numerals import integer
from zhixing.language.timex import CalendarDate, DateWords, Duration, MonthDay, RelativeDay, VagueDate, WeekDay

YEARS = range(1970, 2201)
"""Years that a person can mean."""
FARTHEST = timedelta(days=120)
"""How far the chosen year's date may be from the day of submission (§4)."""


class Settled(msgspec.Struct, frozen=True):
    """The day, and whether its year was chosen by the nearest-year rule."""

    day: date
    year_chosen: bool = False


class Undecided(msgspec.Struct, frozen=True):
    """The day has to be asked: which question, and the likely days."""

    kind: str
    options: tuple[date, ...] = ()


def needs_reference(words: DateWords | None, after: Duration | None) -> bool:
    """Whether the day depends on when the words were said."""
    if after is not None or isinstance(words, (RelativeDay, WeekDay, MonthDay)):
        return True
    return isinstance(words, CalendarDate) and words.year_offset is not None


def settle_date(words: DateWords, *, reference: date, submitted: date, year: int | None) -> Settled | Undecided:
    """Return the day `words` name.

    `reference` is the day that relative words count from, `submitted` the day of first submission (for a missing
    year), `year` the user's own answer.
    """
    try:
        match words:
            case RelativeDay():
                return Settled(reference + timedelta(days=words.days))
            case WeekDay():
                monday = reference - timedelta(days=reference.weekday())
                return Settled(monday + timedelta(days=7 * words.weeks + words.weekday - 1))
            case MonthDay():
                first = add_months(reference.replace(day=1), words.months)
                return _calendar_day(first.year, first.month, words.day)
            case VagueDate():
                return Undecided("date", likely_days(words.words, reference))
            case CalendarDate():
                return _calendar_date(words, reference, submitted, year)
    except (OverflowError, ValueError):
        return Undecided("invalid_date")


def _calendar_date(words: CalendarDate, reference: date, submitted: date, year: int | None) -> Settled | Undecided:
    if words.year is not None:
        return _calendar_day(words.year, words.month, words.day)
    if words.year_offset is not None:
        return _calendar_day(reference.year + words.year_offset, words.month, words.day)
    if year is not None:
        return _calendar_day(year, words.month, words.day)
    if not _ever(words.month, words.day):
        return Undecided("invalid_date")
    legal = [
        day
        for candidate in (submitted.year - 1, submitted.year, submitted.year + 1)
        if (day := _day(candidate, words.month, words.day)) is not None
    ]
    near = sorted(legal, key=lambda day: abs(day - submitted))
    if near and abs(near[0] - submitted) <= FARTHEST:
        return Settled(near[0], year_chosen=True)
    return Undecided("year", tuple(sorted(day for day in legal if day.year >= submitted.year)))


def _calendar_day(year: int, month: int, day: int) -> Settled | Undecided:
    found = _day(year, month, day)
    return Settled(found) if found else Undecided("invalid_date", _nearby(year, month, day))


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day) if year in YEARS else None
    except (ValueError, OverflowError):
        return None


def _ever(month: int, day: int) -> bool:
    return _day(2000, month, day) is not None


def _nearby(year: int, month: int, day: int) -> tuple[date, ...]:
    """Return the last day of the month for a day just behind it: 4月31日 → 4月30日, 5月1日."""
    if not (1 <= month <= 12 and year in YEARS and 28 <= day <= 31):
        return ()
    last = date(year, month, calendar.monthrange(year, month)[1])
    return last, last + timedelta(days=1)


def add_months(day: date, months: int) -> date:
    """Return the same day `months` later, or the last day of that month where it is shorter."""
    index = day.year * 12 + day.month - 1 + months
    year, month = divmod(index, 12)
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


_BARE_WEEKDAY = re.compile(r"(?:周|星期|礼拜) *([一二三四五六日天])$")
_DAY_OF_MONTH = re.compile(r"([0-9零〇一二三四五六七八九十廿卅]+) *(?:号|日)$")
_MONTH_END = re.compile(r"(?:([0-9零〇一二三四五六七八九十]+) *月份? *|本月|这个?月|月)(?:底|末)$")
_WEEKEND = re.compile(r"(?:(下+)|这|本)? *个? *(?:周|星期|礼拜)末$")
_FIXED = {"元旦": (1, 1), "劳动节": (5, 1), "五一": (5, 1), "国庆": (10, 1), "圣诞": (12, 25), "平安夜": (12, 24)}


def likely_days(words: str, reference: date) -> tuple[date, ...]:
    """Return at most two days that vague words may mean, the nearest first: buttons for a question, never a guess."""
    if match := _BARE_WEEKDAY.match(words):
        weekday = "一二三四五六日天".index(match[1]) % 7 if match[1] != "天" else 6
        first = reference + timedelta(days=(weekday - reference.weekday()) % 7)
        return first, first + timedelta(days=7)
    if match := _DAY_OF_MONTH.match(words):
        number = integer(match[1]) or 0
        months = (add_months(reference.replace(day=1), step) for step in range(3))
        found = [_day(month.year, month.month, number) for month in months]
        return tuple(day for day in found if day and day >= reference)[:2]
    if match := _MONTH_END.match(words):
        month = integer(match[1]) if match[1] else reference.month
        if month is None or not 1 <= month <= 12:
            return ()
        year = reference.year + (month < reference.month)
        return (date(year, month, calendar.monthrange(year, month)[1]),)
    if match := _WEEKEND.match(words):
        saturday = reference + timedelta(days=5 - reference.weekday() + 7 * len(match[1] or ""))
        return saturday, saturday + timedelta(days=1)
    for name, (fixed_month, fixed_day) in _FIXED.items():
        if words in (name, name + "节", name + "当天"):
            this_year = date(reference.year, fixed_month, fixed_day)
            return (this_year if this_year >= reference else date(reference.year + 1, fixed_month, fixed_day),)
    return ()
