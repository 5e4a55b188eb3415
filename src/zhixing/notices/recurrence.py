"""What repeats, as RFC 5545 says it. Pure: from a series to recurrence rules, or to single instants without one.

Rules over days, weeks, months and years have a counterpart and keep the wall clock of their zone, each time of the day
with a rule of its own. Lunar dates, statutory days and intervals of hours have none: the next ones are named singly.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from itertools import islice, takewhile
from typing import Any
from zoneinfo import ZoneInfo

from zhixing.kernel.moments import settle
from zhixing.kernel.moments import zone as find_zone
from zhixing.language.repeats import LAST
from zhixing.notices.model import Precision
from zhixing.notices.series import Series
from zhixing.tasks.schedule import days
from zhixing.tasks.schedule.calendar import Calendar
from zhixing.tasks.schedule.model import Every
from zhixing.tasks.schedule.next import instants

AHEAD = timedelta(days=60)
"""How far single instants are named ahead."""
MOST_SINGLES = 200
"""Single instants of one series."""
Rule = dict[str, Any]
_DAY = timedelta(days=1)
_WEEKDAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")


@dataclass(frozen=True, slots=True)
class Recurrence:
    """One rule: its first time (a day for whole days), its parts as iCalendar names them, and what does not happen.

    `key` tells the rules of one series apart and never changes. `last` is the last time, where there is one.
    """

    key: str
    start: datetime | date
    rule: Rule
    left_out: tuple[datetime | date, ...]
    last: datetime | None
    alarm: timedelta
    """When it is told, from the start."""


def recurrences(series: Series, until: datetime | None = None) -> tuple[Recurrence, ...] | None:
    """Return the rules of a series, none of them behind `until`; None where RFC 5545 has no rule for it."""
    trigger = series.schedule.trigger
    if isinstance(trigger, Every) and timedelta(seconds=trigger.seconds) % _DAY == timedelta(0):
        return _of_interval(series, trigger, until)
    if not isinstance(trigger, Calendar):
        return None
    rule = _rule(trigger.days)
    if rule is None:
        return None
    found = (_at_clock(series, trigger, clock, rule, until) for clock in trigger.clocks)
    return tuple(one for one in found if one is not None)


def singles(series: Series, now: datetime, until: datetime | None = None) -> tuple[datetime, ...]:
    """Return when it is told within the next days, from the beginning of today; only whole days where days repeat."""
    trigger, zone = series.schedule.trigger, find_zone(series.schedule.zone)
    today = datetime.combine(now.astimezone(zone).date(), time(), zone)
    end = today + AHEAD if until is None else min(until, today + AHEAD)
    start = max(series.started_at, series.schedule.settled if isinstance(trigger, Every) else today, now - _DAY)
    coming: Iterator[datetime] = takewhile(lambda one: one <= end, instants(trigger, zone, start))
    return tuple(islice((one for one in coming if not is_done_ahead(series, one)), MOST_SINGLES))


def is_done_ahead(series: Series, due: datetime) -> bool:
    """Whether the user did it before it was told, so that it is not to come any more."""
    return due in series.done and due > series.schedule.settled


def _of_interval(series: Series, trigger: Every, until: datetime | None) -> tuple[Recurrence, ...]:
    start = next(instants(trigger, find_zone(series.schedule.zone), series.started_at), None)
    if start is None or (until is not None and until < start):
        return ()
    rule: Rule = {"FREQ": ["DAILY"], "INTERVAL": [trigger.seconds // 86_400]}
    if until is not None:
        rule["UNTIL"] = [_utc(until)]
    done = tuple(sorted(_utc(due) for due in series.done if is_done_ahead(series, due)))
    return (Recurrence("every", _utc(start), rule, done, until, timedelta(0)),)


def _at_clock(series: Series, trigger: Calendar, clock: time, rule: Rule, until: datetime | None) -> Recurrence | None:
    """Return the rule for one time of the day, None where it never comes."""
    zone = find_zone(series.schedule.zone)
    bounds: Rule = {}
    whole = replace(trigger, left_out=frozenset())
    if trigger.count is not None and trigger.first is not None:
        mine = [one for one in whole.readings(trigger.first) if one.time() == clock]
        start, last = (mine[0], mine[-1]) if mine else (None, None)
        bounds = {"COUNT": [len(mine)]}
    else:
        begun = series.started_at.astimezone(zone).replace(tzinfo=None)
        start = next(replace(whole, clocks=(clock,)).readings(begun), None)
        last = None if trigger.last is None else datetime.combine(trigger.last, clock)
    ended = None if until is None else until.astimezone(zone).replace(tzinfo=None)
    if ended is not None and (last is None or ended < last):
        last, bounds = ended, {}
    if start is None or (last is not None and last < start):
        return None
    all_day = series.plan.precision is Precision.DATE
    if last is not None and not bounds:
        bounds = {"UNTIL": [last.date() if all_day else _utc(settle(last, zone))]}
    left_out = sorted(_left_out(series, trigger, clock, zone))
    into_day = datetime.combine(date.min, clock) - datetime.combine(date.min, time())
    return Recurrence(
        f"{clock:%H%M}",
        start.date() if all_day else start.replace(tzinfo=zone),
        {**rule, **bounds},
        tuple(one.date() if all_day else one.replace(tzinfo=zone) for one in left_out),
        None if last is None else _utc(settle(last, zone)),
        (into_day if all_day else timedelta(0)) - timedelta(minutes=trigger.lead),
    )


def _left_out(series: Series, trigger: Calendar, clock: time, zone: ZoneInfo) -> set[datetime]:
    """Return the readings at `clock` that do not happen, and those that were done before they came."""
    readings = {one if isinstance(one, datetime) else datetime.combine(one, clock) for one in trigger.left_out}
    readings |= {
        series.matter(due).astimezone(zone).replace(tzinfo=None) for due in series.done if is_done_ahead(series, due)
    }
    return {one for one in readings if one.time() == clock}


def _rule(rule: days.DayRule) -> Rule | None:
    match rule:
        case days.EveryDays():
            return {"FREQ": ["DAILY"], **_interval(rule.interval)}
        case days.EveryWeeks():
            named = [_WEEKDAYS[day - 1] for day in rule.weekdays]
            return {"FREQ": ["WEEKLY"], **_interval(rule.interval), "BYDAY": named, "WKST": ["MO"]}
        case days.EveryMonths():
            numbers = [-1 if day == LAST else day for day in rule.days]
            return {"FREQ": ["MONTHLY"], **_interval(rule.interval), "BYMONTHDAY": numbers}
        case days.MonthlyWeekday():
            nth = -1 if rule.nth == LAST else rule.nth
            return {"FREQ": ["MONTHLY"], "BYDAY": [f"{nth}{_WEEKDAYS[rule.weekday - 1]}"]}
        case days.EveryYear():
            return {"FREQ": ["YEARLY"], "BYMONTH": [rule.month], "BYMONTHDAY": [rule.day]}
        case _:
            return None


def _interval(interval: int) -> Rule:
    return {} if interval == 1 else {"INTERVAL": [interval]}


def _utc(at: datetime) -> datetime:
    return at.astimezone(UTC).replace(microsecond=0)
