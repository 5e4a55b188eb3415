"""Words about when: times of day, windows, days, the sun. What names one certain day is none of a rule's. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import time

from zhixing.graphs.composing.lexicon import Kind
from zhixing.graphs.times.filters import DayFilter, EveryDay, Holidays, Weekdays
from zhixing.graphs.times.sun import SunEvent
from zhixing.language.durations import read_duration
from zhixing.language.expressions import read_times
from zhixing.language.lexicon import DURATION
from zhixing.language.repeats import EveryDays, EveryWeeks, Statute, StatutoryDays, read_repeat
from zhixing.language.timex import ClockStyle, ClockWords, Period, TimeExpression

Span = tuple[int, int]

_DAY = r"(?:周|星期|礼拜)[一二三四五六日天]"
_DAYS = re.compile(
    r"每天|每日|天天|每(?=[早晚])|(?:每个?)?(?:国家)?法定的?(?:工作日|节假日|假日|假期|休息日)"
    r"|(?:每个?)?(?:工作日|节假日|周末|双休日)"
    rf"|每?个?{_DAY}"
    rf"(?:(?:[、,和与及到至~-]|以及)?(?:{_DAY}|(?:日|[一二三四五六](?![点时个0-9十]))))*"
)
_JOIN = re.compile(r" *(?:到|至|-|~) *(?:第二天|次日|隔天|第二日)? *(?:的)? *")
_SUN = re.compile(
    r"(?P<event>日落|日出|太阳下山|太阳落山|太阳升起)(?:时|时分|的时候)?"
    rf"(?: *(?P<side>之前|以前|前|之后|以后|后) *(?P<much>{DURATION})?"
    rf"| *(?P<sooner>提前|提早) *(?P<lead>{DURATION}))?"
)
_NOT_BEHIND = re.compile(r" *(?:之?以?后(?![天])|之?以?前|左右|前后|开始|起(?!床))")
MOST_OFFSET = 12 * 60


@dataclass(frozen=True, slots=True)
class Moment:
    """A time of day; `sure` is false where 12 hours decide it and no word did."""

    at: time
    sure: bool = True


@dataclass(frozen=True, slots=True)
class Timed:
    """A word about when, and where it stands. `value` by kind, see the readers."""

    span: Span
    kind: Kind
    value: Moment | tuple[Moment, Moment] | DayFilter | tuple[SunEvent, int] | str


def timed_words(text: str) -> tuple[Timed, ...]:
    """Return the words about when in a normalised text, in order, without overlaps.

    A word that belongs to time and cannot be one of a rule's (明天, 下周三, 10点左右) is a `Kind.UNKNOWN`.
    """
    found: list[Timed] = [*_suns(text), *_days(text)]
    taken = [each.span for each in found]
    masked = _masked(text, taken)
    found += _clocks(masked)
    return tuple(sorted(found, key=lambda each: each.span))


def _suns(text: str) -> Iterator[Timed]:
    for match in _SUN.finditer(text):
        event = SunEvent.SUNRISE if match["event"] in {"日出", "太阳升起"} else SunEvent.SUNSET
        offset = 0
        words = match["much"] or match["lead"]
        if words:
            duration = read_duration(words)
            minutes = duration.minutes if duration else None
            if minutes is None or minutes > MOST_OFFSET:
                yield Timed(match.span(), Kind.UNKNOWN, "")
                continue
            offset = -minutes if match["lead"] or match["side"] in {"之前", "以前", "前"} else minutes
        elif match["side"] in {"之前", "以前", "前"}:
            yield Timed(match.span(), Kind.UNKNOWN, "")
            continue
        yield Timed(match.span(), Kind.SUN, (event, offset))


def _days(text: str) -> Iterator[Timed]:
    for match in _DAYS.finditer(text):
        if match.start() and text[match.start() - 1] in "上下本这隔":
            continue
        words = match[0]
        filtered = days_of(words)
        yield (Timed(match.span(), Kind.UNKNOWN, "") if filtered is None else Timed(match.span(), Kind.DAYS, filtered))


def days_of(words: str) -> DayFilter | None:
    """Return the days that some words name; 工作日 are Monday to Friday. None where a rule has no such filter."""
    if words in {"每", "每天", "每日", "天天"}:
        return EveryDay()
    if "节假日" in words and "法定" not in words:
        return Holidays(wanted=True)
    said = words if words.startswith(("每", "法定", "国家")) or "工作日" in words else f"每{words}"
    read = read_repeat(said)
    match read.rule if read else None:
        case EveryDays(interval=1, gap=0):
            return EveryDay()
        case EveryWeeks(weekdays=days, interval=1, gap=0) if days:
            return Weekdays(frozenset(day % 7 for day in days))
        case StatutoryDays(kind=Statute.WORKDAY):
            return Holidays(wanted=False)
        case StatutoryDays():
            return Holidays(wanted=True)
    return None


def _clocks(text: str) -> Iterator[Timed]:
    read = [
        one for one in read_times(text).expressions if one.clock or one.date or (one.after is None and not one.period)
    ]
    place = 0
    while place < len(read):
        one, after = read[place], read[place + 1] if place + 1 < len(read) else None
        place += 1
        first = _moment(one)
        if one.after is not None:
            continue
        if first is None:
            yield Timed(one.span, Kind.UNKNOWN, "")
            continue
        if after is not None and after.clock and _JOIN.fullmatch(text, one.span[1], after.span[0]):
            second = _end(first, after)
            place += 1
            span = one.span[0], after.span[1]
            good = second is not None and second.at != first.at
            yield Timed(span, Kind.WINDOW, (first, second)) if good and second else Timed(span, Kind.UNKNOWN, "")
            continue
        vague = _NOT_BEHIND.match(text, one.span[1])
        end = vague.end() if vague else one.span[1]
        yield Timed((one.span[0], end), Kind.UNKNOWN, "") if vague else Timed(one.span, Kind.CLOCK, first)


def _moment(one: TimeExpression) -> Moment | None:
    """Return the time of day of an expression; None for a certain day, a time that is none, or an unsure half."""
    if one.date is not None or one.clock is None or one.also is not None or one.weekday is not None:
        return None
    clock = one.clock
    if not clock.possible:
        return None
    hour = _hour(clock, one.period)
    if hour is None:
        return None
    sure = one.period is not None or clock.style is ClockStyle.COLON or clock.hour > 12
    return Moment(time(hour % 24, clock.minute), sure)


def _hour(clock: ClockWords, period: Period | None) -> int | None:
    """Return the hour of 24 that a part of the day makes of a reading; None where they do not go together."""
    hour = clock.hour
    if period is None or hour > 12:
        return hour
    match period:
        case Period.BEFORE_DAWN:
            return hour % 12 if hour <= 6 or hour == 12 else None
        case Period.MORNING | Period.FORENOON | Period.AM:
            return hour % 12 if period is Period.AM else hour
        case Period.NOON:
            return hour if hour >= 11 else hour + 12 if hour <= 2 else None
        case Period.AFTERNOON | Period.PM:
            return hour % 12 + 12
        case Period.EVENING:
            return 24 if hour == 12 else hour + 12 if hour >= 5 else None
        case Period.NIGHT:
            return 24 if hour == 12 else hour + 12 if hour >= 9 else hour if hour <= 5 else None
    return None


def _end(first: Moment, one: TimeExpression) -> Moment | None:
    """Return where a window ends: an hour without a part of the day is the reading that comes first behind it."""
    second = _moment(one)
    if second is None or second.sure or not first.sure:
        return second
    start = first.at.hour * 60 + first.at.minute
    minute = second.at.hour * 60 + second.at.minute
    nearest = min((minute % 720, minute % 720 + 720), key=lambda each: (each - start) % 1440 or 1440)
    return Moment(time(nearest // 60, nearest % 60), sure=False)


def _masked(text: str, spans: Sequence[Span]) -> str:
    characters = list(text)
    for start, end in spans:
        characters[start:end] = " " * (end - start)
    return "".join(characters)
