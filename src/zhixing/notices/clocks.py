"""What a clock reading means with the part of the day beside it (document 004 §4).

A table, not a guess: each part of the day lists the hours that go with it. Everything else is a contradiction and is
asked, with the two readings that people mean by it.
"""

from __future__ import annotations

import msgspec

from zhixing.language.timex import ClockStyle, ClockWords, Period


class WallTime(msgspec.Struct, frozen=True, order=True):
    """A time of day; `day` 1 is the following day (24:00 is day 1, 0:00)."""

    day: int
    hour: int
    minute: int

    def __str__(self) -> str:
        clock = f"{self.hour:02}:{self.minute:02}"
        return f"次日{clock}" if self.day else clock


class Unclear(msgspec.Struct, frozen=True):
    """The reading has to be asked: which question, and what people usually mean."""

    kind: str
    options: tuple[WallTime, ...]


# For each part of the day: hours taken as written, and hours that are twelve later than written.
_AS_WRITTEN: dict[Period, frozenset[int]] = {
    Period.BEFORE_DAWN: frozenset(range(7)),
    Period.MORNING: frozenset(range(4, 12)),
    Period.FORENOON: frozenset(range(5, 12)),
    Period.NOON: frozenset((11, 12, 13, 14)),
    Period.AFTERNOON: frozenset(range(13, 21)),
    Period.EVENING: frozenset(range(17, 24)),
    Period.NIGHT: frozenset(range(21, 24)),
    Period.AM: frozenset(range(1, 12)),
    Period.PM: frozenset(range(12, 24)),
}
_TWELVE_LATER: dict[Period, frozenset[int]] = {
    Period.NOON: frozenset((1, 2)),
    Period.AFTERNOON: frozenset(range(1, 9)),
    Period.EVENING: frozenset(range(5, 12)),
    Period.NIGHT: frozenset(range(9, 12)),
    Period.PM: frozenset(range(1, 12)),
}
_NEXT_DAY_PERIODS = frozenset((None, Period.EVENING, Period.NIGHT))


def wall_time(clock: ClockWords, period: Period | None) -> WallTime | Unclear:
    """Return the one time of day that is meant, or what to ask."""
    hour, minute = clock.hour, clock.minute
    if not clock.possible:
        return Unclear("clock_time", ())
    if hour == 24:
        return WallTime(1, 0, 0) if period in _NEXT_DAY_PERIODS else Unclear("clock_time", _both(0, 0))
    if period is None:
        if clock.style is ClockStyle.COLON or hour == 0 or hour > 12:
            return WallTime(0, hour, minute)
        return Unclear("meridiem", _both(hour % 12, minute))
    if hour in _AS_WRITTEN[period]:
        return WallTime(0, hour, minute)
    if hour in _TWELVE_LATER.get(period, ()):
        return WallTime(0, hour + 12, minute)
    if period is Period.AM and hour == 12:
        return WallTime(0, 0, minute)
    return Unclear("clock_time", _conflicting(hour, minute, period))


def _both(hour: int, minute: int) -> tuple[WallTime, ...]:
    return WallTime(0, hour, minute), WallTime(0, hour + 12, minute)


def _conflicting(hour: int, minute: int, period: Period) -> tuple[WallTime, ...]:
    """Return the likely readings of a contradiction: 今晚12点 is midnight or noon, 半夜2点 belongs to either night."""
    if period in (Period.EVENING, Period.NIGHT) and hour in (0, 12):
        return (WallTime(1, 0, minute),)
    if period in (Period.EVENING, Period.NIGHT) and hour < 9:
        return WallTime(1, hour, minute), WallTime(0, hour, minute)
    if hour > 12:
        return WallTime(0, hour, minute), WallTime(0, hour - 12, minute)
    if period is Period.AFTERNOON and hour == 12:
        return WallTime(0, 12, minute), WallTime(0, 0, minute)
    later = WallTime(0, hour % 12 + 12, minute)
    earlier = WallTime(0, hour % 12, minute)
    return (later, earlier) if period is Period.NOON else (earlier, later)
