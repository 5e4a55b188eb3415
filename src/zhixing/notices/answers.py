"""Reading the user's answers: a picked value or free words, by the same lexer as everything else."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import date, datetime

import msgspec

from zhixing.language.expressions import read_times
from zhixing.language.text import normalise
from zhixing.language.timex import TimeExpression
from zhixing.notices.clocks import Unclear, WallTime, wall_time
from zhixing.notices.dates import Settled, settle_date
from zhixing.notices.model import Answer

_CLOCK = re.compile(r"(次日|第二天)? *([0-9]{1,2}) *:([0-9]{2})(?::00)?")
_DATE = re.compile(r"([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})")
_YEAR = re.compile(r"([0-9]{4}|[0-9]{2}) *年?")
_YEAR_WORDS = {"今年": 0, "本年": 0, "明年": 1, "后年": 2, "去年": -1, "前年": -2}
_HALF_DAY = {
    **dict.fromkeys(("上午", "早上", "早", "凌晨", "am", "AM", "清晨"), 0),
    **dict.fromkeys(("下午", "晚上", "晚", "中午", "傍晚", "pm", "PM"), 12),
}
_CLOCK_KINDS = frozenset(("meridiem", "clock_time", "lead_needs_clock"))
_EARLIER = frozenset(("first", "earlier", "0", "早", "前", "第一次", "前一次", "较早", "早的", "dst", "before"))
_LATER = frozenset(("second", "later", "1", "晚", "后", "第二次", "后一次", "较晚", "晚的", "standard", "after"))


class DateAnswer(msgspec.Struct, frozen=True):
    """A day, with the weekday that the user named beside it."""

    day: date
    weekday: int | None


class Answers:
    """The newest answer of each kind, read when it is needed. `reference` is the day that 明天 counts from."""

    def __init__(self, given: Iterable[Answer], reference: date) -> None:
        self._values: Mapping[str, str] = {answer.kind: str(answer.value).strip() for answer in given}
        self._reference = reference

    def __contains__(self, kind: str) -> bool:
        return kind in self._values

    def value(self, kind: str) -> str | None:
        """Return the words of the newest answer of that kind."""
        return self._values.get(kind)

    def day(self, kind: str) -> DateAnswer | None:
        """Read a day: 2026-10-16, 10月16日, 明天, 下周五; None where the answer is no single day."""
        words = self._values.get(kind)
        if words is None:
            return None
        if match := _DATE.match(words):
            try:
                return DateAnswer(date(int(match[1]), int(match[2]), int(match[3])), None)
            except ValueError:
                return None
        spoken = self._expression(words)
        if spoken is None:
            return None
        if spoken.date is None:
            return None
        found = settle_date(spoken.date, reference=self._reference, submitted=self._reference, year=None)
        return DateAnswer(found.day, spoken.weekday) if isinstance(found, Settled) else None

    def clock(self, kind: str, asked: TimeExpression | None = None) -> WallTime | None:
        """Read a time of day: 15:00, 次日00:00, 24:00, 下午三点, or 下午 alone for the clock that was asked about."""
        words = self._values.get(kind)
        if words is None:
            return None
        plain = normalise(words)
        moment = _instant(plain)
        if moment is not None:
            return WallTime(0, moment.hour, moment.minute)
        if match := _CLOCK.fullmatch(plain):
            return _day_clock(int(match[2]), int(match[3]), 1 if match[1] else 0)
        half = _HALF_DAY.get(plain)
        if half is not None and asked is not None and asked.clock is not None and asked.clock.hour <= 12:
            return WallTime(0, asked.clock.hour % 12 + half, asked.clock.minute)
        spoken = self._expression(plain)
        if spoken is None or spoken.clock is None:
            return None
        found = wall_time(spoken.clock, spoken.period)
        return None if isinstance(found, Unclear) else found

    def canonical(self, kind: str, asked: TimeExpression | None = None) -> str | None:
        """Return the answer of that kind in a form that means the same on any later day; None if it is unreadable.

        明天 becomes its date. A date with a weekday that does not fit is kept in the user's words, as a contradiction.
        """
        words = self._values.get(kind)
        if words is None:
            return None
        if kind == "year":
            found_year = self.year()
            return str(found_year) if found_year else None
        if kind in _CLOCK_KINDS:
            clock = self.clock(kind, asked)
            return str(clock) if clock else None
        if kind in ("tz_gap", "tz_overlap"):
            readable = self.instant(kind) or self.clock(kind) or self.fold(kind) is not None
            return words if readable else None
        if kind == "reminder_after_deadline":
            return words if self.instant(kind) else None
        day = self.day(kind)
        if day is None:
            return None
        fits = day.weekday is None or day.weekday == day.day.isoweekday()
        return day.day.isoformat() if fits else words

    def year(self) -> int | None:
        """Read a year: 2027, 2027年, 27年, 明年, or a whole date."""
        words = self._values.get("year")
        if words is None:
            return None
        plain = normalise(words)
        if plain in _YEAR_WORDS:
            return self._reference.year + _YEAR_WORDS[plain]
        if match := _YEAR.fullmatch(plain):
            number = int(match[1])
            return number if number >= 100 else 2000 + number
        found = self.day("year")
        return found.day.year if found else None

    def fold(self, kind: str) -> int | None:
        """Read which of two equal wall times is meant: 0 the earlier, 1 the later."""
        words = (self._values.get(kind) or "").lower()
        if words in _EARLIER or words.startswith(("第一", "前一", "较早", "早")):
            return 0
        if words in _LATER or words.startswith(("第二", "后一", "较晚", "晚")):
            return 1
        return None

    def instant(self, kind: str) -> datetime | None:
        """Read an ISO date and time, aware or not."""
        words = self._values.get(kind)
        return _instant(words) if words else None

    def _expression(self, words: str) -> TimeExpression | None:
        reading = read_times(normalise(words))
        if reading.leftover or reading.leads or len(reading.expressions) != 1:
            return None
        return reading.expressions[0]


def _instant(words: str) -> datetime | None:
    if len(words) < 16 or words[4:5] != "-":
        return None
    try:
        return datetime.fromisoformat(words)
    except ValueError:
        return None


def _day_clock(hour: int, minute: int, day: int) -> WallTime | None:
    if hour == 24 and minute == 0:
        return WallTime(day + 1, 0, 0)
    return WallTime(day, hour, minute) if hour <= 23 and minute <= 59 else None
