"""Unresolved time expressions: what the words say, before anybody asks what they mean.

Nothing here knows today's date, a zone or a task. Every structure keeps the span it was read from (start, end), as
offsets into the original text.
"""

from __future__ import annotations

from enum import StrEnum

import msgspec

Span = tuple[int, int]


class Period(StrEnum):
    """Parts of the day that Chinese puts before a clock reading."""

    BEFORE_DAWN = "凌晨"
    MORNING = "早上"
    FORENOON = "上午"
    NOON = "中午"
    AFTERNOON = "下午"
    EVENING = "晚上"
    NIGHT = "半夜"
    AM = "am"
    PM = "pm"
    LATER = "待会儿"
    """Today, but nobody said when; takes no clock."""


class CalendarDate(msgspec.Struct, frozen=True, gc=False):
    """Month and day, with the year where it was written; `year_offset` for 今年 明年 去年."""

    year: int | None
    month: int
    day: int
    year_offset: int | None = None


class RelativeDay(msgspec.Struct, frozen=True, gc=False):
    """今天 (0), 明天 (1), 昨天 (-1) … counted from the reference day."""

    days: int


class WeekDay(msgspec.Struct, frozen=True, gc=False):
    """A day of a week: 本周三 (weeks 0), 下周三 (1), 下下周三 (2). Monday is 1."""

    weeks: int
    weekday: int


class MonthDay(msgspec.Struct, frozen=True, gc=False):
    """A day of a month counted from the reference month: 本月20日 (0), 下个月5号 (1)."""

    months: int
    day: int


class VagueDate(msgspec.Struct, frozen=True, gc=False):
    """Words for a day that do not say which one: 周五, 月底, 5号, 节后, 下周, 国庆."""

    words: str


DateWords = CalendarDate | RelativeDay | WeekDay | MonthDay | VagueDate


class ClockStyle(StrEnum):
    """How a clock reading was written; colon readings are 24-hour ones."""

    COLON = "colon"
    SPOKEN = "spoken"


NO_HOUR = 99
"""The hour of 三四点: about a time, not a time."""


class ClockWords(msgspec.Struct, frozen=True, gc=False):
    """Hour and minute as written (24:00 included; may be no possible time, such as 9:75)."""

    hour: int
    minute: int
    style: ClockStyle

    @property
    def possible(self) -> bool:
        """Whether any day has this reading."""
        return (0 <= self.hour <= 23 and 0 <= self.minute <= 59) or (self.hour == 24 and self.minute == 0)


class Duration(msgspec.Struct, frozen=True, gc=False):
    """A stretch of time: calendar months, days and exact seconds; only what was said is non-zero."""

    months: int = 0
    days: int = 0
    seconds: int = 0

    @property
    def in_whole_days(self) -> bool:
        """Whether it was said in days, weeks or months alone."""
        return self.seconds == 0

    @property
    def minutes(self) -> int | None:
        """Whole minutes, days as 1,440; None for months or part-minutes."""
        if self.months or self.seconds % 60:
            return None
        return self.days * 1440 + self.seconds // 60


class TimeExpression(msgspec.Struct, frozen=True, gc=False):
    """One expression of time: date, part of day, clock and a checking weekday, or a time from now."""

    span: Span
    date: DateWords | None = None
    weekday: int | None = None
    """A weekday written beside a date, to be checked against it: 10月15日（周四）. Monday is 1."""
    also: RelativeDay | WeekDay | None = None
    """The same day said in a second way, to be checked as well: 本周五（10月16日）."""
    period: Period | None = None
    clock: ClockWords | None = None
    after: Duration | None = None
    """半小时后, 三天后: counted from the reference instant."""


class Lead(msgspec.Struct, frozen=True, gc=False):
    """How long before a time somebody wants to be told: 提前10分钟, 准时 (zero)."""

    span: Span
    duration: Duration
