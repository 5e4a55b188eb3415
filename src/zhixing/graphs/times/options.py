"""What nobody proved about the hub's time nodes, as options with named defaults (specification §9.1)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class DayOwner(StrEnum):
    """Whose day filter counts after midnight in a window that crosses it."""

    START_DAY = "start_day"
    """The day on which the window began: Friday 22:00–06:00 ends on Saturday morning."""
    EACH_DAY = "each_day"
    """Every instant is asked by its own date: Friday 00:00–06:00 and 22:00–24:00."""


class ZeroLength(StrEnum):
    """What a window is whose start equals its end."""

    NEVER = "never"
    """[start, end) holds no instant."""
    WHOLE_DAY = "whole_day"
    """It lasts until the same time of the next day."""


class PlainWeekends(StrEnum):
    """Whether Saturdays and Sundays that are neither arranged as holidays nor worked count as `inHoliday: true`."""

    HOLIDAY = "holiday"
    """A day is a working day or else a holiday."""
    NEITHER = "neither"
    """They are neither: no filter by holidays lets them through."""


@dataclass(frozen=True, slots=True)
class TimeOptions:
    """How time nodes behave where the hub's behaviour is open."""

    timerange_day_owner: DayOwner = DayOwner.START_DAY
    timerange_zero_length: ZeroLength = ZeroLength.NEVER
    plain_weekends: PlainWeekends = PlainWeekends.HOLIDAY


DEFAULT_OPTIONS = TimeOptions()
