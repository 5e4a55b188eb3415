"""Day filters of alarms and windows (specification §1.6): every day, days of the week, mainland China's calendar.

Holidays and working days come from a table of what the State Council arranged. Outside its years a day is unknown, also
a Wednesday in March: nothing is guessed.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from zhixing.graphs.times.findings import Reading, TimeFinding, fields, finding, whole
from zhixing.graphs.times.options import PlainWeekends, TimeOptions
from zhixing.kernel.statutes import STATUTES_FROM, STATUTES_UNTIL, is_holiday, is_workday


@dataclass(frozen=True, slots=True)
class EveryDay:
    """No filter."""


@dataclass(frozen=True, slots=True)
class Weekdays:
    """These days of the week; 0 is Sunday, 6 Saturday. None of them is a filter that no day passes."""

    days: frozenset[int]


NO_DAY = Weekdays(frozenset())
"""What an empty list of days means to the hub."""


@dataclass(frozen=True, slots=True)
class Holidays:
    """Legal holidays, or (`wanted` false) legal working days, which made-up weekends are."""

    wanted: bool


DayFilter = EveryDay | Weekdays | Holidays


def read_filter(value: object, where: str = "props.filter") -> Reading[DayFilter]:
    """Read a node's `filter`.

    Codes: `invalid_filter` (no object), `double_filter`, `invalid_filter_day`, `invalid_in_holiday`, and
    `empty_day_filter`, beside which a filter stands that no day passes, since the hub takes it.
    """
    given = fields(value)
    if given is not value:
        return _refused(finding("invalid_filter", where, value))
    if "day" in given and "inHoliday" in given:
        return _refused(finding("double_filter", where, value))
    if "inHoliday" in given:
        wanted = given["inHoliday"]
        if isinstance(wanted, bool):
            return Reading(Holidays(wanted))
        return _refused(finding("invalid_in_holiday", f"{where}.inHoliday", wanted))
    return _read_days(given["day"], f"{where}.day") if "day" in given else Reading(EveryDay())


def passes(days: DayFilter, day: date, options: TimeOptions) -> bool | None:
    """Whether the filter lets `day` through; None when that is not known."""
    match days:
        case EveryDay():
            return True
        case Weekdays():
            return day.isoweekday() % 7 in days.days
        case Holidays():
            if not STATUTES_FROM <= day <= STATUTES_UNTIL:
                return None
            works = is_workday(day)
            if not days.wanted:
                return works
            return is_holiday(day) or (not works and options.plain_weekends is PlainWeekends.HOLIDAY)


def _read_days(value: object, where: str) -> Reading[DayFilter]:
    if not isinstance(value, list):
        return _refused(finding("invalid_filter_day", where, value))
    numbers = [whole(one, 0, 6) for one in value]
    days = frozenset(one for one in numbers if one is not None)
    if None in numbers:
        return _refused(finding("invalid_filter_day", where, value))
    return Reading(Weekdays(days), () if days else (finding("empty_day_filter", where, "[]"),))


def _refused(found: TimeFinding) -> Reading[DayFilter]:
    return Reading(None, (found,))
