"""Times that lean on the time before them: 9:00开始，10:00截止 is one day, 10月15日-17日 one month (document 004 §4).

Pure. Only what the words beside give is carried over; a day that was carried is told to the user.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterable

import msgspec
from msgspec.structs import replace

from zhixing.language.numerals import integer
from zhixing.language.timex import (
    CalendarDate,
    ClockStyle,
    ClockWords,
    DateWords,
    MonthDay,
    RelativeDay,
    TimeExpression,
    VagueDate,
    WeekDay,
)
from zhixing.notices.clocks import WallTime
from zhixing.notices.model import CandidateNode, Node

FARTHEST_APART = 24
"""Characters between two times of one sentence of which the second may lean on the first."""

RANGE = re.compile(r" *(?:起|开始)? *(?:一?直?[到至]|-{1,2}|~) *")
_SENTENCE_END = re.compile(r"[。!?;\n]")
_MOVED = re.compile(r"[^,。!?;\n]{0,6}?(?:改|调|挪|移|换|延|提前|推迟)[^,。!?;\n0-9]{0,3}")
_DAY_ONLY = re.compile(r"([0-9零〇一二三四五六七八九十廿卅]+) *[日号]")
_WEEK = re.compile(r"(上+|下+|这|本) *个? *(?:周|星期|礼拜)(?:之?内)?")


class TextTime(msgspec.Struct, frozen=True):
    """A time where it stands in a text, with what the time before it gives."""

    time: TimeExpression
    said: TimeExpression
    """Its own words alone."""
    carried: bool = False
    """The day was said with the time before it."""
    closes: bool = False
    """It is the right end of a range (3点到5点) whose left end is the time before it."""


def complete(plain: str, expressions: Iterable[TimeExpression]) -> tuple[TextTime, ...]:
    """Return the times of `plain`, each with what it takes over from the one before."""
    found: list[TextTime] = []
    for said in expressions:
        if not found:
            found.append(TextTime(said, said))
            continue
        before = found[-1].time
        gap = plain[before.span[1] : said.span[0]]
        closes = RANGE.fullmatch(gap) is not None
        date = _carried(before, said, gap, closes=closes)
        if date is None:
            found.append(TextTime(said, said, closes=closes))
        else:
            # A month or a year taken over is no day taken over.
            found.append(TextTime(replace(said, date=date), said, carried=said.date is None, closes=closes))
    return tuple(found)


def _carried(before: TimeExpression, said: TimeExpression, gap: str, *, closes: bool) -> DateWords | None:
    """Return the day of `said` as the time before it completes it, or None where it stands for itself."""
    match said.date, before.date:
        case None, CalendarDate() | RelativeDay() | WeekDay() | MonthDay():
            near = before.clock is not None and len(gap) <= FARTHEST_APART and _SENTENCE_END.search(gap) is None
            return before.date if said.clock is not None and (closes or near) else None
        case VagueDate(words), CalendarDate() | MonthDay() as day if closes:
            number = _DAY_ONLY.fullmatch(words)
            return replace(day, day=integer(number[1]) or 0) if number else None
        case CalendarDate(year=None, year_offset=None) as day, CalendarDate(year=int(year)) as first if closes:
            later = (day.month, day.day) >= (first.month, first.day)
            return replace(day, year=year if later else year + 1)
        case VagueDate(), _ if said.weekday is not None:
            weeks = _weeks(before.date)
            after = not isinstance(before.date, WeekDay) or said.weekday > before.date.weekday
            if weeks is None or not (_MOVED.fullmatch(gap) or (closes and after)):
                return None
            return WeekDay(weeks, said.weekday)
        case _:
            return None


def _weeks(date: DateWords | None) -> int | None:
    """Return which week the words name."""
    if isinstance(date, WeekDay):
        return date.weeks
    week = _WEEK.fullmatch(date.words) if isinstance(date, VagueDate) else None
    if week is None:
        return None
    return {"上": -1, "下": 1}.get(week[1][0], 0) * len(week[1])


def in_order(node: CandidateNode, left: Node, options: Iterable[object]) -> CandidateNode | None:
    """Return a right end that leaves its half of the day open (3点到5点) as the first reading behind the left end."""
    if left.at is None or node.time.clock is None:
        return None
    local = left.at
    floor = WallTime(0, local.hour, local.minute)
    readings = sorted(option for option in options if isinstance(option, WallTime) and option.day == 0)
    later = next((reading for reading in readings if reading > floor), None)
    if later is None:
        return None
    clock = ClockWords(later.hour, later.minute, ClockStyle.COLON)
    return replace(node, time=replace(node.time, clock=clock, period=None))


def over_midnight(node: CandidateNode, left: Node, right: Node) -> CandidateNode | None:
    """Return a right end in the small hours behind a left end in the evening (今晚10点到凌晨2点) on the day after."""
    if not node.carried or left.at is None or right.at is None or node.time.date is None:
        return None
    if left.at.hour < 18 or right.at.hour >= 12:
        return None
    following = _day_after(node.time.date)
    return None if following is None else replace(node, time=replace(node.time, date=following, weekday=None))


def _day_after(date: DateWords) -> DateWords | None:
    match date:
        case RelativeDay():
            return RelativeDay(date.days + 1)
        case WeekDay():
            return WeekDay(date.weeks + date.weekday // 7, date.weekday % 7 + 1)
        case CalendarDate():
            year = date.year or 2001
            if not 1 <= date.month <= 12 or (date.year is None and (date.month, date.day) == (2, 28)):
                return None
            if date.day < calendar.monthrange(year, date.month)[1]:
                return replace(date, day=date.day + 1)
            if date.month < 12:
                return replace(date, month=date.month + 1, day=1)
            return None if date.year is None else CalendarDate(date.year + 1, 1, 1)
        case _:
            return None
