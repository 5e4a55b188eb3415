"""A cron job as cards: alarms at times of the day, or a loop. Pure.

An alarm of a hub knows times of the day and days of the week. What counts days of the month, or more instants a day
than `MOST_ALARMS`, is none; nor is an instant that comes once: a hub's rules live on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, time
from itertools import product
from zoneinfo import ZoneInfo

from zhixing.compiling.commanding import Command, give
from zhixing.compiling.model import About
from zhixing.graphs.building.builder import Builder
from zhixing.graphs.building.cards import on_load
from zhixing.graphs.building.sketch import Span
from zhixing.graphs.building.time_cards import alarm_clock, loop
from zhixing.graphs.times.filters import DayFilter, EveryDay, Weekdays
from zhixing.household.jobs import JobKind, When
from zhixing.tasks.schedule.cron import Cron
from zhixing.tasks.schedule.fields import DAY, MONTH, WEEKDAY

MOST_ALARMS = 24
"""Alarms of one job; a job of more instants a day is no list of times any more."""


@dataclass(frozen=True, slots=True)
class Alarms:
    """Times of the day, on some days."""

    times: tuple[time, ...]
    days: DayFilter
    cron: Cron

    def next(self, now: datetime, tz: ZoneInfo) -> datetime | None:
        """Return the next instant, in UTC."""
        return self.cron.next(now, tz)


@dataclass(frozen=True, slots=True)
class Beat:
    """Again and again, `ms` apart, from when the rule is enabled."""

    ms: int


@dataclass(frozen=True, slots=True)
class Unset:
    """The hub has no clock for it; `code` is that of a `Left`."""

    code: str


Clocked = Alarms | Beat


@dataclass(frozen=True, slots=True)
class JobPiece:
    """A cron job that the hub runs."""

    about: About
    clock: Clocked
    commands: tuple[Command, ...]

    def build(self, builder: Builder) -> None:
        """Put the job into a graph."""
        match self.clock:
            case Alarms(times, days):
                alarms = [builder.add(alarm_clock(each, days)).out() for each in times]
                give(builder, builder.merged(alarms), self.commands)
            case Beat(ms):
                beat = builder.add(loop(Span.of_ms(ms)))
                builder.wire(builder.add(on_load()).out(), beat.pin("start"))
                give(builder, beat.out(), self.commands)


def clock_of(when: When, hub_zone: str) -> Clocked | Unset:
    """Return when a hub does what a job does, or why it cannot."""
    match when.kind:
        case JobKind.AT:
            return Unset("once")
        case JobKind.EVERY:
            return Beat(when.every)
        case JobKind.CRON:
            return Unset("zone") if when.zone != hub_zone else _alarms(Cron.parse(when.expr))


def _alarms(cron: Cron) -> Alarms | Unset:
    if not cron.month.whole(MONTH) or cron.month.specials or cron.weekday.specials:
        return Unset("days")
    every_day = cron.day.whole(DAY) and (cron.weekday.whole(WEEKDAY) or not cron.needs_both_days)
    if not every_day and (not cron.day.whole(DAY) or cron.day.specials):
        return Unset("days")
    times = _times(cron.hour.values, cron.minute.values)
    if times is None:
        return Unset("many_instants")
    return Alarms(times, EveryDay() if every_day else Weekdays(frozenset(cron.weekday.values)), cron)


def _times(hours: Sequence[int], minutes: Sequence[int]) -> tuple[time, ...] | None:
    if len(hours) * len(minutes) > MOST_ALARMS:
        return None
    return tuple(time(hour, minute) for hour, minute in product(hours, minutes))
