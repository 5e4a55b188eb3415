"""The repeat reader: 每天, 每周一三五, 隔周, 每月最后一个周五, 法定工作日, 每年农历八月十五, 共10次.

As for single times, a partial match is worse than none: a text is read whole (rule, clocks and bounds) or not at all.
What the words leave open is kept open: 每隔两天 may mean every second or every third day, so `gap` says 2 and the reader
of the structure has to ask. 隔天, 隔周, 隔月 and 每隔一天 are always every second one; 每隔两小时 is two hours apart.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import StrEnum
from itertools import pairwise

import msgspec

from zhixing.language.durations import read_duration
from zhixing.language.expressions import read_times
from zhixing.language.numerals import integer
from zhixing.language.repeat_bounds import masked, read_bounds
from zhixing.language.repeat_words import (
    ADVANCE,
    BEFORE_WEEKDAY,
    DAYS,
    EACH_DAY,
    ELAPSED,
    EVERY_DAY,
    EVERY_EVENING,
    EVERY_WEEKDAY,
    FESTIVALS,
    FIXED_DAYS,
    HABIT,
    LUNAR_DAYS,
    LUNAR_MONTH,
    LUNAR_MONTHS,
    LUNAR_YEAR,
    MONTH_DAY,
    MONTH_DAYS,
    MONTHS,
    NAMED_DAY,
    NEXT_LUNAR_DAY,
    NOT_A_RULE,
    NTH_WEEKDAY,
    OTHER_MONTH_DAY,
    STATUTORY,
    WEEKDAY,
    WEEKDAY_RANGE,
    WEEKDAY_TOO,
    WEEKEND,
    WEEKS,
    WORK_DAYS,
    YEAR_DATE,
)
from zhixing.language.timex import DateWords, Duration, Span, TimeExpression

LAST = -1
"""As a day of a month or the nth weekday: the last one."""
_WEEKDAYS = {
    name: number for number, names in enumerate(("一", "二", "三", "四", "五", "六", "日天"), 1) for name in names
}


class EveryDays(msgspec.Struct, frozen=True):
    """每天, 每三天, 隔天. `gap` is the n of 每隔n天 (n ≥ 2), which leaves the interval open."""

    interval: int = 1
    gap: int = 0


class EveryWeeks(msgspec.Struct, frozen=True):
    """每周三, 隔周周五, 周末. Monday is 1; no weekdays where none was said."""

    weekdays: tuple[int, ...]
    interval: int = 1
    gap: int = 0
    plain_work_days: bool = False
    """It was said as 工作日, which may have meant the statutory ones."""


class EveryMonths(msgspec.Struct, frozen=True):
    """每月15号, 每月最后一天. No days where none was said."""

    days: tuple[int, ...]
    interval: int = 1
    gap: int = 0


class MonthlyWeekday(msgspec.Struct, frozen=True):
    """每月第一个周一, 每月最后一个周五."""

    nth: int
    weekday: int


class EveryYear(msgspec.Struct, frozen=True):
    """每年10月1日."""

    month: int
    day: int


class EveryLunar(msgspec.Struct, frozen=True):
    """每年农历八月十五; every lunar month where `month` is None."""

    month: int | None
    days: tuple[int, ...]


class Statute(StrEnum):
    """Kinds of day by the yearly arrangement of the State Council."""

    WORKDAY = "workday"
    """A day on which people work, weekends that were made working days included."""
    HOLIDAY = "holiday"
    """A day off around a holiday."""
    DAYOFF = "dayoff"
    """Any day off, ordinary weekends included."""


class StatutoryDays(msgspec.Struct, frozen=True):
    """法定工作日, 法定节假日, 法定休息日."""

    kind: Statute


class Elapsed(msgspec.Struct, frozen=True):
    """每两小时: so many seconds apart."""

    seconds: int


Rule = EveryDays | EveryWeeks | EveryMonths | MonthlyWeekday | EveryYear | EveryLunar | StatutoryDays | Elapsed


class RepeatWords(msgspec.Struct, frozen=True):
    """All that a text says about when something repeats; only what was said is there."""

    rule: Rule
    span: Span
    """Of the rule itself."""
    clocks: tuple[TimeExpression, ...] = ()
    """Times of day, each with its part of the day; none where none was said."""
    bounds: tuple[Span, ...] = ()
    """The words of everything that follows here."""
    first: DateWords | None = None
    last: DateWords | None = None
    length: Duration | None = None
    count: int | None = None


def read_repeat(text: str) -> RepeatWords | None:
    """Read normalised `text`, or return None where it is no repetition or says more about time than this reads."""
    found = _rule(text)
    if found is None:
        return None
    rule, span = found
    rest = masked(text, [span])
    bounds = read_bounds(rest)
    if bounds is None:
        return None
    rest = masked(rest, bounds.spans)
    if NOT_A_RULE.search(rest):
        return None
    times = read_times(rest)
    if times.leftover or any(_more_than_a_clock(one) for one in times.expressions):
        return None
    clocks = times.expressions
    if clocks and isinstance(rule, Elapsed):
        return None
    if len(clocks) > 1 and (any(one.clock is None for one in clocks) or not _listed(rest, clocks)):
        return None
    return RepeatWords(rule, span, clocks, tuple(bounds.spans), bounds.first, bounds.last, bounds.length, bounds.count)


def read_weekdays(text: str) -> tuple[int, ...]:
    """Read 周一、周三, 周一到周五 or 一三五 alone (an answer); empty where it says anything else."""
    plain = text.strip()
    plain = plain if WEEKDAY.match(plain) else f"周{plain}"
    found = _weekdays(plain, 0)
    return found[0] if found and found[1] == len(plain) else ()


def read_month_days(text: str) -> tuple[int, ...]:
    """Read 15号, 1号和15号 or 最后一天 alone (an answer); empty where it says anything else."""
    plain = text.strip()
    if plain.isdigit():
        plain += "号"
    found = _month_days(plain, 0)
    return found[0] if found and found[1] == len(plain) else ()


def _more_than_a_clock(one: TimeExpression) -> bool:
    return one.date is not None or one.after is not None or one.weekday is not None or one.also is not None


_BETWEEN_CLOCKS = re.compile(r" *(?:[、,]|和|与|及|以及|还有)? *(?:每天的?|的)? *")


def _listed(text: str, clocks: tuple[TimeExpression, ...]) -> bool:
    """Whether the clocks stand in one list: 早上8点和晚上8点."""
    return all(_BETWEEN_CLOCKS.fullmatch(text, left.span[1], right.span[0]) for left, right in pairwise(clocks))


# The rule


def _rule(text: str) -> tuple[Rule, Span] | None:
    """Return the one rule of the text; what else repeats in it is left for the reader of the rest to stumble over."""
    for reader in _READERS:
        found = reader(text)
        if found is not None:
            rule, (start, end) = found
            if isinstance(rule, StatutoryDays) or (isinstance(rule, EveryWeeks) and len(rule.weekdays) > 1):
                each = EACH_DAY.match(text, end)
                end = each.end() if each else end
            behind = ADVANCE.match(text, end)
            return rule, (start, behind.end() if behind else end)
    return None


_Found = tuple[Rule, Span] | None


def _elapsed(text: str) -> _Found:
    match = ELAPSED.search(text)
    if match is None:
        return None
    amount = match["amount"].removeprefix("个")
    duration = read_duration(f"1{amount}" if amount[0] in "小钟分刻" else amount)
    if duration is None or duration.months or duration.days or not 60 <= duration.seconds <= 86_400:
        return None
    return Elapsed(duration.seconds), match.span()


def _statutory(text: str) -> _Found:
    match = STATUTORY.search(text)
    if match is None:
        return None
    words = match["kind"] or match["days"]
    kind = Statute.WORKDAY if "工作" in words else Statute.DAYOFF if "休" in words else Statute.HOLIDAY
    return StatutoryDays(kind), match.span()


def _lunar(text: str) -> _Found:
    if match := LUNAR_YEAR.search(text):
        month = LUNAR_MONTHS.get(match["month"]) or integer(match["month"])
        day = _lunar_day(match["day"])
        possible = month is not None and 1 <= month <= 12 and day is not None
        return (EveryLunar(month, (day,)), match.span()) if possible and day else None
    match = LUNAR_MONTH.search(text)
    if match is None:
        return None
    end, days = match.end(), [_lunar_day(match["day"])]
    while more := NEXT_LUNAR_DAY.match(text, end):
        days.append(_lunar_day(more["day"]))
        end = more.end()
    known = tuple(sorted({day for day in days if day is not None}))
    return None if None in days else (EveryLunar(None, known), (match.start(), end))


def _lunar_day(words: str) -> int | None:
    if words in LUNAR_DAYS:
        return LUNAR_DAYS[words]
    day = integer(words)
    return day if day is not None and 1 <= day <= 30 else None


def _named_day(text: str) -> _Found:
    match = NAMED_DAY.search(text)
    if match is None:
        return None
    name = match["name"].removesuffix("节")
    if name in FESTIVALS:
        month, day = FESTIVALS[name]
        return EveryLunar(month, (day,)), match.span()
    return EveryYear(*FIXED_DAYS[name]), match.span()


def _yearly(text: str) -> _Found:
    match = YEAR_DATE.search(text)
    if match is None:
        return None
    month, day = integer(match["month"]), integer(match["day"])
    if month is None or day is None or not (1 <= month <= 12 and 1 <= day <= _LONGEST[month - 1]):
        return None
    return EveryYear(month, day), match.span()


_LONGEST = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def _monthly(text: str) -> _Found:
    match = MONTHS.search(text)
    if match is None:
        return None
    interval, gap = _interval(match)
    if interval is None:
        return None
    nth = NTH_WEEKDAY.match(text, match.end())
    if nth is not None:
        number = LAST if nth["nth"] is None else integer(nth["nth"])
        if number is None or (interval, gap) != (1, 0) or not (number == LAST or 1 <= number <= 5):
            return None
        return MonthlyWeekday(number, _WEEKDAYS[nth["day"]]), (match.start(), nth.end())
    found = _month_days(text, match.end())
    if found is None and OTHER_MONTH_DAY.match(text, match.end()):
        return None
    days, end = found or ((), match.end())
    if any(day != LAST and not 1 <= day <= 31 for day in days):
        return None
    return EveryMonths(days, interval, gap), (match.start(), end)


def _month_days(text: str, start: int) -> tuple[tuple[int, ...], int] | None:
    match = MONTH_DAYS.match(text, start)
    if match is None:
        return None
    days = {LAST if "最后" in word else integer(word) or 0 for word in MONTH_DAY.findall(match[0])}
    return tuple(sorted(days, key=lambda day: (day == LAST, day))), match.end()


def _weekly(text: str) -> _Found:
    if match := WEEKEND.search(text):
        return EveryWeeks((6, 7)), match.span()
    if match := EVERY_WEEKDAY.search(text):
        found = _weekdays(text, match.end())
        return None if found is None else (EveryWeeks(found[0]), (match.start(), found[1]))
    match = WEEKS.search(text)
    if match is not None:
        return _every_weeks(text, match)
    if match := HABIT.search(text):
        # 周一到周五 without 每 is a habit; other lists of days may mean the coming ones.
        found = _weekdays(text, match.end())
        return None if found is None or found[0] not in _HABITS else (EveryWeeks(found[0]), (match.start(), found[1]))
    return None


def _every_weeks(text: str, match: re.Match[str]) -> _Found:
    interval, gap = _interval(match)
    if interval is None:
        return None
    filler = BEFORE_WEEKDAY.match(text, match.end())
    found = _weekdays(text, filler.end() if filler else match.end())
    if found is None and match["every"] == "隔" and match["count"] is None:
        # 隔周三 is the Wednesday of every second week.
        found = _weekdays(text, match.start() + 1)
    if found is not None:
        return EveryWeeks(found[0], interval, gap), (match.start(), found[1])
    more = text[match.end() : match.end() + 1]
    return None if more and more in "0123456789一二三四五六日天" else (EveryWeeks((), interval, gap), match.span())


_HABITS = ((1, 2, 3, 4, 5), (1, 2, 3, 4, 5, 6), (1, 2, 3, 4, 5, 6, 7))


def _weekdays(text: str, start: int) -> tuple[tuple[int, ...], int] | None:
    match = WEEKDAY.match(text, start)
    if match is None:
        return None
    days, end = [_WEEKDAYS[match["day"]]], match.end()
    while True:
        if through := WEEKDAY_RANGE.match(text, end):
            last = _WEEKDAYS[through["day"]]
            if last <= days[-1]:
                return None
            days.extend(range(days[-1] + 1, last + 1))
            end = through.end()
            continue
        more = WEEKDAY_TOO.match(text, end)
        # 每周一一起 and 每周五三人 go on with other words: a bare numeral only continues an ascending list.
        if more is None or (not more["named"] and _WEEKDAYS[more["day"]] <= days[-1]):
            return tuple(sorted(set(days))), end
        days.append(_WEEKDAYS[more["day"]])
        end = more.end()


def _working(text: str) -> _Found:
    match = WORK_DAYS.search(text)
    return None if match is None else (EveryWeeks((1, 2, 3, 4, 5), plain_work_days=True), match.span())


def _daily(text: str) -> _Found:
    match = DAYS.search(text)
    if match is not None:
        interval, gap = _interval(match)
        return None if interval is None else (EveryDays(interval, gap), match.span())
    match = EVERY_DAY.search(text) or EVERY_EVENING.search(text)
    return None if match is None else (EveryDays(), match.span())


def _interval(match: re.Match[str]) -> tuple[int | None, int]:
    """Return the interval and the gap of 每(隔)n: 隔 with one is every second, with more it is either."""
    words = match["count"]
    number = 1 if words is None else integer(words)
    if number is None or not 1 <= number <= 99:
        return None, 0
    if "隔" not in match["every"]:
        return number, 0
    return (2, 0) if number == 1 else (number, number)


_READERS: tuple[Callable[[str], _Found], ...] = (
    _elapsed,
    _statutory,
    _lunar,
    _named_day,
    _yearly,
    _monthly,
    _weekly,
    _working,
    _daily,
)
"""In the order in which they win: the more specific words first."""
