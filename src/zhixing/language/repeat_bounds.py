"""From when, until when, how long and how often something repeats: 从下周一开始, 到12月31日, 为期一个月, 共10次."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TypeVar

import msgspec

from zhixing.language.durations import read_duration
from zhixing.language.lexicon import DURATION
from zhixing.language.numerals import integer
from zhixing.language.timex import CalendarDate, DateWords, Duration, MonthDay, RelativeDay, Span, WeekDay
from zhixing.language.tokens import Token, tokens

MOST_COUNTED = 1_000
T = TypeVar("T")
_MARK = "※"
"""Stands where something was read: it joins nothing and means nothing."""
_START_BEFORE = re.compile(r"(?:从|自从?|打) *$")
_START_BEHIND = re.compile(r" *(?:开始|算?起)(?!床|来)")
_RANGE_BEHIND = re.compile(r" *(?=到|至|-|~)")
_END_BEFORE = re.compile(r"(?:一直到|直到|直至|到|至|截止到?|截至|[-~]) *$")
_END_BEHIND = re.compile(r" *(?:为止|止|结束|截止|期间)?")
_LENGTH = re.compile(rf"(?:为期|持续|连续|坚持|连着) *(?P<amount>{DURATION})")
_COUNT = re.compile(r"(?:一共|总共|共计?|重复) *(?P<count>[0-9零一二两三四五六七八九十百]+) *(?:次|回|遍)")


class Bounds(msgspec.Struct, frozen=True):
    """What was said, and where it stands. At most one of `last`, `length` and `count`."""

    spans: tuple[Span, ...] = ()
    first: DateWords | None = None
    last: DateWords | None = None
    length: Duration | None = None
    count: int | None = None


class _Twice(Exception):
    """A bound is said twice, or cannot be read."""


def masked(text: str, spans: Iterable[Span]) -> str:
    """Return `text` with the spans made unreadable, so that offsets stay."""
    for start, end in spans:
        text = text[:start] + _MARK * (end - start) + text[end:]
    return text


def read_bounds(text: str) -> Bounds | None:
    """Read the bounds in a text whose rule is masked; None where one of them is said twice or cannot be read."""
    try:
        spans, length = _one(text, _LENGTH, _length)
        more, count = _one(text, _COUNT, _count)
        spans += more
        more, first, last = _days(masked(text, spans))
    except _Twice:
        return None
    if sum(one is not None for one in (last, length, count)) > 1:
        return None
    return Bounds((*spans, *more), first, last, length, count)


def _one(text: str, pattern: re.Pattern[str], read: Callable[[re.Match[str]], T | None]) -> tuple[list[Span], T | None]:
    found = list(pattern.finditer(text))
    if not found:
        return [], None
    value = read(found[0])
    if len(found) > 1 or value is None:
        raise _Twice
    return [found[0].span()], value


def _length(match: re.Match[str]) -> Duration | None:
    length = read_duration(match["amount"])
    return None if length is None or length.seconds else length


def _count(match: re.Match[str]) -> int | None:
    count = integer(match["count"])
    return count if count and count <= MOST_COUNTED else None


def _days(text: str) -> tuple[list[Span], DateWords | None, DateWords | None]:
    spans: list[Span] = []
    first: DateWords | None = None
    last: DateWords | None = None
    for token in tokens(text):
        day = token.meaning
        if not isinstance(day, CalendarDate | RelativeDay | WeekDay | MonthDay):
            continue
        if (span := _opening(text, token)) is not None:
            if first is not None:
                raise _Twice
            first = day
            spans.append(span)
        elif (span := _closing(text, token)) is not None:
            if last is not None:
                raise _Twice
            last = day
            spans.append(span)
    return spans, first, last


def _opening(text: str, token: Token) -> Span | None:
    before = _START_BEFORE.search(text, 0, token.start)
    behind = _START_BEHIND.match(text, token.end)
    if behind is None and before is not None:
        behind = _RANGE_BEHIND.match(text, token.end)
    return None if behind is None else (before.start() if before else token.start, behind.end())


def _closing(text: str, token: Token) -> Span | None:
    before = _END_BEFORE.search(text, 0, token.start)
    if before is None:
        return None
    behind = _END_BEHIND.match(text, token.end)
    return before.start(), behind.end() if behind else token.end
