"""Tokens to time expressions: which words belong together, and whether anything was left over beside them.

A partial match is worse than none. Digits or units of time that stand beside an expression, or anywhere outside it,
make the reading `leftover`: the text says more about time than was understood.
"""

from __future__ import annotations

import re

from msgspec import Struct
from msgspec.structs import replace

from zhixing.language.lexicon import NAMED, NUMERALS
from zhixing.language.numerals import NUMBER
from zhixing.language.timex import (
    CalendarDate,
    ClockWords,
    Lead,
    MonthDay,
    Period,
    RelativeDay,
    TimeExpression,
    VagueDate,
    WeekDay,
)
from zhixing.language.tokens import After, BareWeekday, DayPart, Doubtful, LeadTime, Token, tokens

_JOINT = re.compile(r" *[,(]? *的? *\)? *")
_BEFORE = re.compile(
    r"(?:[0-9零〇一二三四五六七八九十百]|[0-9] *[:.]|[0-9零〇一二三四五六七八九十] *[到至~-] *|第|[一二三四五六七八九十百]\.|个\.|"
    r"[0-9零〇一二两三四五六七八九十百半] *个?(?:天|日|周|星期|月|年|小时|钟头|钟|分钟?|秒)[零又]?)$"
)
# Numerals that begin a word of their own behind a clock: 一起, 一定, 十人, 两位.
_COUNTED = "起定下直同块些家场个位名人楼班组次件杯份堂节顿趟期轮万千中小院环店厅部审模练检试面稿群帮队车样边道线流般遍把张条只双台里"
_BEHIND = re.compile(
    rf"[0-9半多过欠缺]|[零〇一二两三四五六七八九十百]+(?![零〇一二两三四五六七八九十百{_COUNTED}])|左右|前后|上下|钟头|来钟|来点|开外"
    rf"| *(?:之后|以后|过后|后(?![天日续台勤排门院场期]))| *[:~-] *[0-9零一二三四五六七八九十]"
    rf"| *[到至] *(?:{NUMBER} *[点时日号月:]|[上下]午|晚|明|后天|周)"
)
_NUMERAL = re.compile(f"[{NUMERALS}半]")
_UNIT = re.compile(
    rf"{NUMBER} *(?:年(?!级|会|货|糕)|月(?!饼|亮|刊|票|卡|租|嫂|子)|日(?![报常记语本元用])|点(?!水|点|儿|都|也|建议|意见|要求|原因|注意)|"
    rf"时(?![间候])|[:]|个?半? *(?:小时|钟头|分钟|刻钟|秒钟?|[mhds](?![A-Za-z])) *(?:提醒|叫我|通知我|喊我)|(?:小时|分钟|天) *[0-9]{{1,2}} *后|[AaPp][Mm](?![A-Za-z]))"
    rf"|[0-9零〇一二两三四五六七八九十百千万半] *个?(?:小时|钟头|分钟|刻钟|秒|天|周|星期|月|年)半?[之以]?[后前](?![往来去面台天])|{NUMBER} *[mhds] *[之以]?后|饭后半小时"
    r"|(?<![0-9路街巷弄道序车])(?:3[01]|[12]?[0-9]|[一二三]?十[一二三四五六七八九]?|(?<![一二三四五六七八九十百])[一二三四五六七八九])号"
    rf"{NAMED}"
)


class TimeReading(Struct, frozen=True):
    """All that a text says about time."""

    expressions: tuple[TimeExpression, ...]
    leads: tuple[Lead, ...]
    leftover: bool
    """Something about time was seen that could not be read."""

    @property
    def empty(self) -> bool:
        """Whether the text says nothing about time."""
        return not (self.expressions or self.leads or self.leftover)


_NOTHING = TimeReading((), (), leftover=False)
_UNREAD = TimeReading((), (), leftover=True)


def read_times(text: str) -> TimeReading:
    """Read every time expression of normalised `text`."""
    found = tokens(text)
    if not found:
        return _UNREAD if _UNIT.search(text) else _NOTHING
    expressions: list[TimeExpression] = []
    leads: list[Lead] = []
    leftover = False
    for token in found:
        meaning = token.meaning
        if isinstance(meaning, Doubtful):
            leftover = True
        elif isinstance(meaning, LeadTime):
            if meaning.duration is None:
                leftover = True
            else:
                leads.append(Lead(token.span, meaning.duration))
        else:
            joined = _join(text, expressions[-1], token) if expressions else None
            if joined is None:
                expressions.append(_begin(text, token))
            else:
                expressions[-1] = joined
    leftover = leftover or any(_beside(text, expression) for expression in expressions)
    leftover = leftover or _elsewhere(text, expressions, leads)
    return TimeReading(tuple(expressions), tuple(leads), leftover)


def _begin(text: str, token: Token) -> TimeExpression:
    span, meaning = token.span, token.meaning
    match meaning:
        case BareWeekday():
            return TimeExpression(span, date=VagueDate(text[token.start : token.end]), weekday=meaning.weekday)
        case DayPart():
            return TimeExpression(span, date=meaning.day, period=meaning.period)
        case Period():
            return TimeExpression(span, period=meaning)
        case ClockWords():
            return TimeExpression(span, clock=meaning)
        case After():
            return TimeExpression(span, after=meaning.duration)
        case CalendarDate() | RelativeDay() | WeekDay() | MonthDay() | VagueDate():
            return TimeExpression(span, date=meaning)
        case _:
            raise AssertionError(meaning)


def _join(text: str, open_one: TimeExpression, token: Token) -> TimeExpression | None:
    """Return `open_one` with `token` added, or None where the token begins an expression of its own."""
    gap = text[open_one.span[1] : token.start]
    if gap and _JOINT.fullmatch(gap) is None:
        return None
    end = token.end
    if "(" in gap and text[end : end + 1] == ")":
        end += 1
    span = (open_one.span[0], end)
    dated = open_one.date is not None or (open_one.after is not None and open_one.after.in_whole_days)
    match token.meaning:
        case BareWeekday() as named if dated and open_one.weekday is None and open_one.clock is None:
            # 两周后的周三 is a day of that week, not a check of the day two weeks from now.
            checks = open_one.date is not None or "(" in gap
            return replace(open_one, span=span, weekday=named.weekday) if checks else None
        case WeekDay() | RelativeDay() as again if isinstance(open_one.date, CalendarDate) and _bare(open_one):
            return replace(open_one, span=span, also=again)
        case CalendarDate() as exact if isinstance(open_one.date, WeekDay | RelativeDay) and _bare(open_one):
            return replace(open_one, span=span, date=exact, also=open_one.date)
        case CalendarDate() as exact if isinstance(open_one.date, VagueDate) and open_one.weekday and _bare(open_one):
            return replace(open_one, span=span, date=exact)
        case Period() as period if open_one.period is None and open_one.clock is None and _takes_clock(open_one):
            return replace(open_one, span=span, period=period)
        case ClockWords() as clock if open_one.clock is None and _takes_clock(open_one):
            return replace(open_one, span=span, clock=clock)
        case _:
            return None


def _bare(expression: TimeExpression) -> bool:
    """Whether nothing but the day was read so far."""
    return expression.clock is None and expression.period is None and expression.also is None


def _takes_clock(expression: TimeExpression) -> bool:
    if expression.period is Period.LATER:
        return False
    return expression.after is None or expression.after.in_whole_days


def _beside(text: str, expression: TimeExpression) -> bool:
    start, end = expression.span
    if expression.clock is not None or expression.date is None:
        before = _BEFORE.search(text, max(0, start - 4), start)
    else:
        before = _BEFORE.search(text, max(0, start - 4), start) if text[start : start + 1].isdigit() else None
    return before is not None or _BEHIND.match(text, end) is not None


def _elsewhere(text: str, expressions: list[TimeExpression], leads: list[Lead]) -> bool:
    spans = [one.span for one in expressions]
    if leads:
        spans = sorted(spans + [lead.span for lead in leads])
    position = 0
    for start, end in spans:
        if _unread(text, position, start):
            return True
        position = max(position, end)
    return _unread(text, position, len(text))


def _unread(text: str, start: int, end: int) -> bool:
    # Most gaps hold no numeral at all, which one cheap scan tells.
    return (
        end - start > 1 and _NUMERAL.search(text, start, end) is not None and _UNIT.search(text, start, end) is not None
    )
