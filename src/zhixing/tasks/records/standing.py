"""Where a record stands: its rows, added up for one period."""

from __future__ import annotations

from datetime import datetime, timedelta

from zhixing.kernel.moments import zone
from zhixing.store.connection import Tx
from zhixing.tasks.records import sessions, tallies
from zhixing.tasks.records.deciding import Standing, counted, length, reached_at, timed
from zhixing.tasks.records.model import Period, Record, RecordKind, Session
from zhixing.tasks.records.periods import period_at, split


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


def reached_unnoted(tx: Tx, record: Record, under_way: Session, now: datetime) -> datetime | None:
    """Return when the first target is reached that nobody has noted, of the periods from a session's start to now.

    A period may have ended before anybody was there to note it; its target is news all the same.
    """
    tz, rhythm = zone(record.zone), record.content.rhythm
    through = [piece.period for piece in split(under_way.start, now, rhythm, tz)]
    for period in dict.fromkeys((*through, period_at(now, rhythm, tz))):
        at = None if tallies.reached(tx, record, period) is not None else when_reached(tx, record, period)
        if at is not None:
            # It may have been reached by sessions before: then this one has it from the start.
            return max(at, under_way.start)
    return None
