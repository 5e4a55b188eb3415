"""Days that are over: what a product is about (总结昨天的会议), or when it should have been made (昨天给我写). Pure.

A time of running stands before the verb that is asked for; anything else that is over says what the product covers.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache

from zhixing.documents.drafting.days import named_day
from zhixing.documents.drafting.words import any_of, moments, phrases
from zhixing.language.expressions import read_times
from zhixing.language.timex import CalendarDate, RelativeDay, Span, TimeExpression, WeekDay

_COVERS = re.compile(
    r"昨[天日晚]夜?(?!晚上|夜里)|(?<![目之当以提先])前[天日](?!气)|前(?:[几两]天|些[天日])"
    r"|(?<![早晚马])上(?:一?个?)(?:周|月|星期|季度)(?:[0-9]{1,2}[日号])?|(?<![早晚马])上半年|去年(?:[0-9一二三四五六七八九十]{1,3}月份?(?![0-9]))?"
    r"|前年|夜里(?=的|收到|发生)"
    r"|(?:过去|最近)的?(?:[0-9一二两三四五六七八九十]{1,4}|半)个?(?:天|小时|周|月|年|季度)"
)
"""A stretch of time that is over."""
_RECENT = ("过去", "最近", "夜里")
"""Beginnings of stretches that are no day on which something could be made."""
_COVERS_OR_WHEN = re.compile(
    r"(?:今[天日年]|当天|当日|明[天日年]|本[周月年]|本季度?|这个?[周月]|这个季度|下个?(?:周|月|星期|季度)|(?<!每)(?<!每个)周末)"
    r"(?:的(?!早|晚|上午|下午|中午|傍晚|凌晨|夜)"
    r"|(?!早|晚|上午|下午|中午|傍晚|凌晨|夜|[0-9一二两三四五六七八九十]{1,4} {0,4}[点:时号日]|[一二三四五六日天末])"
    r"(?!开始|之?前|内|起|每|工作日|[ ,。;!(]|$))"
)
"""The same in words that may say when: today's news is about today, what is written today is not."""
_RANGE = re.compile(r" {0,4}[到至~-] {0,4}")
_OF = re.compile(r"(?:全天|一?整天|以来|期间)?的(?!时候)")
_REPEATS = re.compile(r"每(?!次|个人|人|家|项|条|位)|工作日|天天")
_END = re.compile(r"[ ,。;!]{0,8}$")
_FINISHED = re.compile(r"[给到过好完出成我你他她们]{0,4}(?:的|了)")
"""What makes a verb the account of something done: 昨天写的, 昨天收到的."""
MASK = "※"
"""Stands for every character of what is read elsewhere."""
_LONGEST_LOOK = 12
"""Characters before a day that can make it an object."""


@dataclass(frozen=True, slots=True)
class Stretches:
    """What is over in a text: `covers` says what a product is about, `missed` when it should have been made."""

    covers: tuple[Span, ...]
    missed: tuple[Span, ...]


def stretches(plain: str, today: date) -> Stretches:
    """Tell the stretches of normalised `plain` apart. `today` is the day on which it was said."""
    covers: list[Span] = []
    missed: list[Span] = []
    read = read_times(plain).expressions
    repeats = _REPEATS.search(plain) is not None
    yearless = {one.span[0] for one in read if _is_yearless(one)}
    clocks = [one.span for one in read if one.clock or one.period]
    for span in _over(plain, read, today):
        if covers and span[0] < covers[-1][1]:
            continue
        until = _range_end(plain, span, read)
        whole = (span[0], until)
        if until != span[1] or _is_object(plain, span):
            covers.append(whole)
        elif span[0] in yearless:
            continue
        elif _is_moment(plain, span) and not (repeats and not _any_touches(span, clocks)):
            missed.append(span)
        else:
            covers.append(span)
    covers += [
        match.span()
        for match in _COVERS_OR_WHEN.finditer(plain)
        if (match[0].endswith("的") or _acting().match(plain, match.end()) is None)
        and not _any_touches(match.span(), (*covers, *missed))
    ]
    return Stretches(tuple(sorted(covers)), tuple(missed))


def _over(plain: str, read: Sequence[TimeExpression], today: date) -> list[Span]:
    """Return the spans of all that is over, each with its clock, in order and without overlaps."""
    spans = [match.span() for match in _COVERS.finditer(plain)]
    # 目前日报 holds no 前日: the pattern knows where the word stands alone.
    spans += [
        one.span
        for one in read
        if _is_over(one, today, plain) and (not plain.startswith("前", one.span[0]) or _any_touches(one.span, spans))
    ]
    # 下班前天天 holds no 前天.
    events = [match.span() for match in moments().finditer(plain)]
    spans = [span for span in spans if not _any_touches(span, events)]
    touching = [one.span for one in read if _any_touches(one.span, spans)]
    merged: list[Span] = []
    for start, end in sorted({*spans, *touching}):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _touch(one: Span, other: Span) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _any_touches(span: Span, others: Sequence[Span]) -> bool:
    return any(_touch(span, other) for other in others)


def _is_over(one: TimeExpression, today: date, plain: str) -> bool:
    match one.date:
        case RelativeDay(days=days):
            return days < 0
        case WeekDay(weeks=weeks):
            return weeks < 0
        case CalendarDate() as words if _is_yearless(one):
            return not plain[: one.span[0]].endswith("每年") and _this_year(words, today)
        case CalendarDate() as words:
            found = named_day(words, today)
            return found is not None and found.day < today
        case _:
            return False


def _is_yearless(one: TimeExpression) -> bool:
    return isinstance(one.date, CalendarDate) and one.date.year is None and one.date.year_offset is None


def _this_year(words: CalendarDate, today: date) -> bool:
    return (words.month, words.day) < (today.month, today.day)


def _range_end(plain: str, span: Span, read: Sequence[TimeExpression]) -> int:
    """Return the end of 昨天8点到今天8点, or the end of `span`."""
    joint = _RANGE.match(plain, span[1])
    if joint is None:
        return span[1]
    return next((one.span[1] for one in read if one.span[0] == joint.end()), span[1])


def _is_object(plain: str, span: Span) -> bool:
    """Whether what is over belongs to a noun or a verb before it: 昨天的, 总结昨天, 把昨天, 一份昨天."""
    if _OF.match(plain, span[1]) or plain.startswith(_RECENT, span[0]):
        return True
    before = plain[max(0, span[0] - _LONGEST_LOOK) : span[0]].rstrip(" 一下了")
    return _taking().search(before) is not None


def _is_moment(plain: str, span: Span) -> bool:
    """Whether a verb that is asked for, a command (masked), a rhythm or nothing follows at once."""
    if plain.startswith(MASK, span[1]) or _REPEATS.match(plain, span[1]) is not None:
        return True
    follows = _acting().match(plain, span[1])
    if follows is not None:
        return _FINISHED.match(plain, follows.end()) is None
    return _END.match(plain, span[1]) is not None


@cache
def _acting() -> re.Pattern[str]:
    """Return a pattern for what is asked for, with the little words before it."""
    verbs = (
        *phrases().machine,
        *phrases().plain,
        *phrases().wishes,
        "给",
        "帮",
        "跑",
        "运行",
        "执行",
        "推送",
        "发",
        "启动",
        "调用",
        "用脚本",
    )
    return re.compile(rf"[ ,]{{0,2}}(?:就|再|要|先|请|自动|把){{0,2}}{any_of(verbs)}")


@cache
def _taking() -> re.Pattern[str]:
    verbs = any_of((*phrases().machine, *phrases().plain, *phrases().measures))
    return re.compile(rf"(?:{verbs}|[把将对据于是看查读算]|回顾|盘点|复盘|统计|记录|记|参考|覆盖|范围|讲讲|介绍|收藏)$")
