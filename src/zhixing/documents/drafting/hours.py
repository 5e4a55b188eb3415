"""What a reading of the clock means with the part of the day beside it, and which hour stands for a part alone."""

from __future__ import annotations

from dataclasses import dataclass

from zhixing.documents.drafting.words import phrases
from zhixing.language.timex import ClockWords, Period, TimeExpression

USUAL_HOUR = 9
"""The hour of what is said without any time of day."""
_PARTS = {
    Period.BEFORE_DAWN: 2,
    Period.MORNING: 8,
    Period.FORENOON: 10,
    Period.NOON: 12,
    Period.AFTERNOON: 15,
    Period.EVENING: 20,
}
_LATE = (Period.EVENING, Period.NIGHT)
_SMALL_HOURS = range(1, 6)


@dataclass(frozen=True, slots=True, order=True)
class Hour:
    """A time of day; `day` 1 is the following day. `doubtful`: it may as well be twelve hours later."""

    day: int
    hour: int
    minute: int
    doubtful: bool = False

    def __str__(self) -> str:
        return f"{self.hour:02}:{self.minute:02}"


def hour_of(one: TimeExpression, text: str) -> Hour | None:
    """Return the time of day that an expression of `text` names, or the one its part of the day stands for.

    None where it names none, or one that contradicts its part of the day.
    """
    if one.clock is not None:
        return _reading(one.clock, one.period)
    if one.period is None:
        return None
    said = text[one.span[0] : one.span[1]]
    named = max((word for word in phrases().hours if word in said), key=len, default=None)
    hour = phrases().hours[named] if named is not None else _PARTS.get(one.period)
    return None if hour is None else Hour(1 if hour == 0 else 0, hour, 0)


def _reading(clock: ClockWords, period: Period | None) -> Hour | None:
    """Return what `clock` means; a bare hour is taken as it is written, 1 to 5 with a doubt."""
    hour, minute = clock.hour, clock.minute
    if not clock.possible:
        return None
    if hour == 24 or (period in _LATE and hour in (0, 12)):
        return Hour(1, 0, minute)
    if period is None:
        return Hour(0, hour, minute, doubtful=hour in _SMALL_HOURS and clock.style == "spoken")
    if period in (Period.AFTERNOON, Period.PM):
        return Hour(0, hour + 12 if hour < 12 else hour, minute)
    if period in _LATE:
        return None if hour < 5 else Hour(0, hour + 12 if hour < 12 else hour, minute)
    if period is Period.NOON:
        return Hour(0, hour + 12 if hour < 4 else hour, minute) if hour < 4 or 10 < hour < 15 else None
    if period is Period.BEFORE_DAWN:
        return Hour(0, hour % 12, minute) if hour < 7 or hour == 12 else None
    return Hour(0, hour, minute) if hour <= 12 else None
