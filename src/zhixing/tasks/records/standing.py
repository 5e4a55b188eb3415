"""Where a record stands: its rows, added up for one period."""

from __future__ import annotations

from datetime import datetime, timedelta

from zhixing.store.connection import Tx
from zhixing.tasks.records import sessions, tallies
from zhixing.tasks.records.deciding import Standing, counted, length, reached_at, timed
from zhixing.tasks.records.model import Period, Record, RecordKind


def standing(tx: Tx, record: Record, period: Period, until: datetime) -> Standing:
    """Return where a record stands in a period; a session under way has come to `until`.

    A period of another rhythm than the record's own has no target.
    """
    own = period.window is record.content.rhythm
    target = record.content.target if own else None
    reached = tallies.reached(tx, record, period) if target is not None else None
    amount = tallies.amount(tx, record, period)
    if record.content.kind is not RecordKind.DURATION:
        return counted(period, amount, target, reached)
    spent = timedelta(microseconds=amount)
    under_way = sessions.under_way(tx, record)
    if under_way is not None:
        spent += length(under_way, until, period)
    return timed(period, spent, target, reached)


def when_reached(tx: Tx, record: Record, period: Period) -> datetime | None:
    """Return when the sessions came, or the one under way will come, to the target within a period."""
    if record.content.target is None:
        return None
    goal = timedelta(minutes=record.content.target)
    spent = timedelta(microseconds=tallies.amount(tx, record, period))
    if spent >= goal:
        return reached_at(sessions.within(tx, record, period.start, period.end), goal, period)
    under_way = sessions.under_way(tx, record)
    return None if under_way is None else reached_at((under_way,), goal - spent, period)
