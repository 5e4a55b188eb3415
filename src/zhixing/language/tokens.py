"""The lexer: words about time, each with its span.

One pass of one pattern over the normalised text. Alternatives stand in the order in which they win: longer and more
specific words first. A token says what was written, not whether it is possible or which day it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import msgspec

from zhixing.language.durations import read_duration
from zhixing.language.lexicon import NEEDS, PATTERNS
from zhixing.language.numerals import integer
from zhixing.language.timex import (
    NO_HOUR,
    CalendarDate,
    ClockStyle,
    ClockWords,
    DateWords,
    Duration,
    MonthDay,
    Period,
    RelativeDay,
    Span,
    VagueDate,
    WeekDay,
)


class Doubtful(msgspec.Struct, frozen=True, gc=False):
    """Something that looks like time but is written in no way that can be read safely (1/2, 10.15)."""


class BareWeekday(msgspec.Struct, frozen=True, gc=False):
    """周五, 星期三: a weekday without a week; Monday is 1."""

    weekday: int


class After(msgspec.Struct, frozen=True, gc=False):
    """半小时后: a time counted from the reference instant."""

    duration: Duration


class DayPart(msgspec.Struct, frozen=True, gc=False):
    """A day with the part of it in one word: 今晚, 明早."""

    day: RelativeDay
    period: Period


class LeadTime(msgspec.Struct, frozen=True, gc=False):
    """提前10分钟."""

    duration: Duration | None
    """None where the amount was not said (提前一点)."""


Meaning = DateWords | BareWeekday | Period | ClockWords | After | DayPart | LeadTime | Doubtful


class Token(msgspec.Struct, frozen=True, gc=False):
    """A piece of the text that means something about time."""

    start: int
    end: int
    meaning: Meaning

    @property
    def span(self) -> Span:
        """Start and end offsets."""
        return self.start, self.end


_WEEKDAYS = {"一": 1, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "日": 7, "天": 7}
_WEEKDAYS.update({str(n): n for n in range(1, 8)})
_PERIODS = {
    "凌晨": Period.BEFORE_DAWN,
    **dict.fromkeys(("清晨", "清早", "大清早", "一大早", "一早", "早晨", "早上", "早间", "早"), Period.MORNING),
    "上午": Period.FORENOON,
    **dict.fromkeys(("中午", "正午", "晌午"), Period.NOON),
    **dict.fromkeys(("午后", "下午"), Period.AFTERNOON),
    **dict.fromkeys(("傍晚", "黄昏", "晚上", "晚间", "夜晚", "晚"), Period.EVENING),
    **dict.fromkeys(("夜里", "夜间", "半夜", "大半夜", "深夜", "午夜", "子夜", "夜"), Period.NIGHT),
}
_DAYS = {
    **dict.fromkeys(("大前天", "大前日"), -3),
    **dict.fromkeys(("前天", "前日"), -2),
    **dict.fromkeys(("昨天", "昨日", "昨儿", "昨"), -1),
    **dict.fromkeys(("今天", "今日", "今儿", "今"), 0),
    **dict.fromkeys(("明天", "明日", "明儿", "明"), 1),
    **dict.fromkeys(("后天", "后日", "后"), 2),
    **dict.fromkeys(("大后天", "大后日"), 3),
}
_YEARS = {"前年": -2, "去年": -1, "今年": 0, "本年": 0, "明年": 1, "后年": 2}
# Cheap test that skips the lexer for text without any of the characters that every alternative needs.
_SOMETHING = re.compile(
    r"[点时:前早后过月年周期拜旬天日号晚夜晨午昏旦节夕宵清五端中国圣安阳假会马立内历午钟儿头大连]|[0-9] *(?:min|[hs])|[A-Z]{3}|[0-9][-/.][0-9]|[AaPp]\.?[Mm]|[0-9]{8}"
)


def _calendar(year: str | None, month: str, day: str, year_words: str | None = None) -> Meaning:
    month_number, day_number = integer(month), integer(day)
    if month_number is None or day_number is None:
        return Doubtful()
    year_number = _year(year) if year else None
    if year and year_number is None:
        return Doubtful()
    return CalendarDate(year_number, month_number, day_number, _YEARS.get(year_words or ""))


def _year(words: str) -> int | None:
    if not words.isascii():
        digits = "".join(str("〇一二三四五六七八九".find(char.replace("零", "〇"))) for char in words)
        words = digits if digits.isdigit() else ""
    if not words:
        return None
    return int(words) if len(words) == 4 else 2000 + int(words)


def _clock(hour: str, minute: int | None, style: ClockStyle) -> ClockWords:
    hour_number = integer(hour)
    return ClockWords(NO_HOUR if hour_number is None else hour_number, minute or 0, style)


def _spoken_clock(match: re.Match[str]) -> Meaning:
    half = match["clock_half"]
    if half:
        minute: int | None = 30 if half == "半" else 0 if half == "整" else 45 if half[0] in "三3" else 15
    else:
        words = match["clock_minute"] or match["clock_bare"]
        minute = integer(words) if words else 0
        if minute is None:
            return Doubtful()
    return _clock(match["clock_hour"], minute, ClockStyle.SPOKEN)


def _clock_less(match: re.Match[str]) -> Meaning:
    less = match["less_minute"] or match["less_minute2"]
    minutes = 15 if less.endswith("刻") else integer(less)
    hour = integer(match["less_hour"] or match["less_hour2"])
    if minutes is None or hour is None or not 0 < minutes < 60 or hour < 1:
        return Doubtful()
    return ClockWords(hour - 1, 60 - minutes, ClockStyle.SPOKEN)


def _half_day(words: str) -> Period:
    return Period.AM if words[0] in "Aa" else Period.PM


def _lead(match: re.Match[str]) -> Meaning:
    return LeadTime(read_duration(match["lead_amount"] or match["lead_before"]))


def _after(words: str) -> Meaning:
    duration = read_duration(words)
    return After(duration) if duration else Doubtful()


def _month_day(match: re.Match[str]) -> Meaning:
    day = integer(match["md_dom"])
    which = match["md_which"]
    months = which.count("下") - which.count("上")
    return MonthDay(months, day) if day is not None else Doubtful()


def _week(match: re.Match[str]) -> Meaning:
    which = match["week_which"]
    return WeekDay(which.count("下") - which.count("上"), _WEEKDAYS[match["week_day"]])


def _day_part(match: re.Match[str]) -> Meaning:
    words = match["part_of"]
    period = _PERIODS.get(words.lstrip("天"))
    if period is None:
        period = Period.MORNING if words == "晨" else Period.NIGHT
    if words == "夜":
        period = Period.EVENING
    return DayPart(RelativeDay(_DAYS[match["part_day"]]), period)


Reader = Callable[[re.Match[str]], Meaning]
_READERS: dict[str, Reader] = {
    "lead": _lead,
    # 三天内 names no instant, and 煮10分钟后 counts from the boiling.
    "after": lambda match: (
        Doubtful() if match["within"] or match["cooking"] is not None else _after(match["after_amount"])
    ),
    "noon": lambda _: ClockWords(12, 0, ClockStyle.COLON),
    "passing": lambda match: _after(match["passing_amount"]),
    "date": lambda match: _calendar(match["date_year"], match["date_month"], match["date_day"], match["date_years"]),
    "ymd": lambda match: _calendar(match["ymd_year"], match["ymd_month"], match["ymd_day"]),
    "packed": lambda match: _calendar(
        match["packed_digits"][:4], match["packed_digits"][4:6], match["packed_digits"][6:]
    ),
    "md": lambda match: _calendar(None, match["md_month"], match["md_day"]),
    "slash": lambda _: Doubtful(),
    "relative": lambda _: Doubtful(),
    "doubt": lambda _: Doubtful(),
    "lead_vague": lambda _: Doubtful(),
    "later": lambda _: DayPart(RelativeDay(0), Period.LATER),
    "month_day": _month_day,
    "week": _week,
    "weekday": lambda match: BareWeekday(_WEEKDAYS[match["weekday_name"]]),
    "week_vague": lambda match: VagueDate(match[0]),
    "vague": lambda match: VagueDate(match[0]),
    "holiday": lambda match: VagueDate(match[0]),
    "day_only": lambda match: VagueDate(match[0]),
    "day_part": _day_part,
    "day": lambda match: RelativeDay(_DAYS[match[0].rstrip("个")]),
    "colon": lambda match: _clock(match["colon_hour"], int(match["colon_minute"]), ClockStyle.COLON),
    "meridiem_hour": lambda match: _clock(match["half_hour"], 0, ClockStyle.SPOKEN),
    "clock_less": _clock_less,
    "clock": _spoken_clock,
    "period": lambda match: _PERIODS[match[0]],
}


_EVERYWHERE = frozenset[str]()
_Kind = tuple[str, Callable[[str, int], re.Match[str] | None], frozenset[str], Reader | None]
_KINDS: tuple[tuple[str, _Kind], ...] = tuple(
    (begins, (kind, re.compile(pattern).match, NEEDS.get(kind, _EVERYWHERE), _READERS.get(kind)))
    for kind, begins, pattern in PATTERNS
)
_BY_FIRST: dict[str, tuple[_Kind, ...]] = {
    first: tuple(kind for begins, kind in _KINDS if first in begins)
    for first in {char for begins, _ in _KINDS for char in begins}
}
"""What can begin with a character, in the order in which it wins. Small patterns stay in the processor's caches."""


def tokens(text: str) -> list[Token]:
    """Return the words about time in normalised `text`, in order, without overlaps."""
    found: list[Token] = []
    if _SOMETHING.search(text) is None:
        return found
    signs = frozenset(text)
    position, length = 0, len(text)
    while position < length:
        end = position + 1
        for kind, match_at, needed, reader in _BY_FIRST.get(text[position], ()):
            if needed and needed.isdisjoint(signs):
                continue
            match = match_at(text, position)
            if match is None:
                continue
            end = match.end()
            if reader is not None:
                half = match["half"] if kind == "meridiem_hour" else match["colon_half"] if kind == "colon" else None
                if half:
                    # 3:00 PM: the half of the day stands behind the clock; put it before, as Chinese does.
                    found.append(Token(position, position, _half_day(half)))
                found.append(Token(position, end, reader(match)))
            break
        position = end
    return found
