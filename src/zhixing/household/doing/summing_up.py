"""What a task's own record has come to, in words: 「爷爷咳嗽：今天 3 次」."""

from __future__ import annotations

from datetime import datetime, timedelta

from zhixing.household.advising.spoken import span
from zhixing.kernel.moments import zone
from zhixing.kernel.wording import wording
from zhixing.store.connection import Tx
from zhixing.tasks.occurrence import Occurrence
from zhixing.tasks.records import store as records
from zhixing.tasks.records.model import Period, Record, RecordKind, Window
from zhixing.tasks.records.periods import before, period_at
from zhixing.tasks.records.standing import standing
from zhixing.tasks.schedule import store as schedules
from zhixing.tasks.schedule.next import next_due

_DAY = timedelta(days=1)
_RHYTHMS = ((4 * _DAY, Window.DAY), (8 * _DAY, Window.WEEK), (62 * _DAY, Window.MONTH))
"""A report whose next time is no further off tells of such a period.

On Friday, Monday is the next working day, and not every month has a 31st.
"""
_JUST_OVER = {Window.DAY: timedelta(hours=1), Window.WEEK: timedelta(hours=12), Window.MONTH: timedelta(hours=12)}
"""A report that comes so soon after the end of a period tells of that one: nobody wants to hear of Monday at nine."""


def sum_up(tx: Tx, occurrence: Occurrence, what: str, now: datetime) -> str | None:
    """Say what the record of a task has come to in the period that a report tells of; None where it has no record."""
    record = records.find(tx, occurrence.task_id)
    if record is None:
        return None
    window = _window(tx, occurrence, record)
    tz = zone(record.zone)
    period = period_at(occurrence.due - _JUST_OVER.get(window, timedelta(0)), window, tz)
    present = period_at(now, window, tz)
    current = standing(tx, record, period, now).current
    named = _named(period, present, before(present, tz))
    if not current:
        return wording(f"doing.sum_none{'_yet' if period == present else ''}", what=what, period=named)
    return wording("doing.sum", what=what, period=named, amount=_amount(record, current))


def _window(tx: Tx, occurrence: Occurrence, record: Record) -> Window:
    """Return what a report tells of, by how often it comes; what comes once tells of the record's own period."""
    schedule = schedules.find_part(tx, occurrence.task_id, occurrence.part)
    following = None if schedule is None else next_due(schedule.trigger, zone(schedule.zone), occurrence.due)
    if following is None:
        return Window.DAY if record.content.recurring is None else record.content.window
    return next((window for most, window in _RHYTHMS if following - occurrence.due <= most), Window.LONGTERM)


def _amount(record: Record, current: int) -> str:
    if record.content.kind is RecordKind.DURATION:
        return span(current if current < 60 else current - current % 60)
    return wording("doing.sum_times", count=current, unit=record.content.unit or wording("doing.unit_times"))


def _named(period: Period, present: Period, last: Period) -> str:
    if period.window is Window.LONGTERM:
        return wording("doing.period_longterm")
    which = "now" if period == present else "last" if period == last else "of"
    key = f"doing.period_{period.window.value}_{which}"
    return wording(key, month=period.day.month, day=period.day.day)
