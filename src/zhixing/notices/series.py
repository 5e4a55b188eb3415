"""A notice that repeats: its rows, and what is still to come of it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum

import msgspec

from zhixing.kernel.moments import from_micros, micros
from zhixing.kernel.moments import zone as find_zone
from zhixing.notices.model import NodeKind, Precision, SeriesPlan
from zhixing.store.connection import Row, Tx
from zhixing.tasks.schedule import store as schedules
from zhixing.tasks.schedule.calendar import Calendar
from zhixing.tasks.schedule.model import Schedule, ScheduleState
from zhixing.tasks.schedule.next import instants
from zhixing.tasks.schedule.words import in_words

PART = "repeat"
"""The part of a task that its series is scheduled as."""
MOST_AHEAD = 1_000
"""Instants of one series that are looked at ahead of time."""
_COLUMNS = "number, words, expression, anchor, kind, precision_of, reason, revision, started_at"


class SeriesState(StrEnum):
    """Where a series is."""

    RUNNING = "running"
    """It is what the words mean now; whether it acts is up to the task and its schedule."""
    REPLACED = "replaced"
    """Other words, another answer or another reading took its place."""


class Series(msgspec.Struct, frozen=True):
    """What repeats, and how far it is. `done` holds the instants, told or ahead, that the user said are done."""

    number: int
    words: str
    plan: SeriesPlan
    revision: int
    started_at: datetime
    schedule: Schedule
    done: frozenset[datetime]

    @property
    def rule(self) -> str:
        """The rule in words, with its bounds and the days left out."""
        return in_words(self.schedule.trigger)

    @property
    def next(self) -> datetime | None:
        """The next instant that will be told; None while the task is not active and when there is none."""
        return next(self.ahead(self.schedule.settled), None)

    @property
    def waiting_since(self) -> date | None:
        """The last day of the table, while the series stands still because that day is over."""
        trigger = self.schedule.trigger
        waits = self.schedule.state is ScheduleState.WAITING and isinstance(trigger, Calendar)
        return trigger.known_until if waits and isinstance(trigger, Calendar) else None

    @property
    def left_out(self) -> tuple[date, ...]:
        """The days that will not happen, in order."""
        trigger = self.schedule.trigger
        return tuple(sorted(trigger.left_out, key=date.isoformat)) if isinstance(trigger, Calendar) else ()

    @property
    def ended(self) -> bool:
        """Whether its bounds are reached."""
        return self.schedule.state is ScheduleState.ENDED

    def ahead(self, after: datetime) -> Iterator[datetime]:
        """Yield the instants after `after` that will be told."""
        if self.schedule.state is not ScheduleState.ACTIVE:
            return iter(())
        start = max(after, self.schedule.settled)
        found = instants(self.schedule.trigger, find_zone(self.schedule.zone), start)
        return (instant for instant in found if instant not in self.done)

    def matter(self, due: datetime) -> datetime:
        """Return when what is told at `due` is: later by the lead."""
        trigger = self.schedule.trigger
        return due + timedelta(minutes=trigger.lead) if isinstance(trigger, Calendar) else due


def begin(tx: Tx, task_id: str, words: str, plan: SeriesPlan, *, revision: int, at: datetime) -> None:
    """Add a series; its schedule is added beside it."""
    row = tx.row("SELECT max(number) FROM series WHERE task_id = ?", (task_id,))
    number = 1 if row is None or row[0] is None else int(row[0]) + 1
    tx.execute(
        f"INSERT INTO series (task_id, {_COLUMNS}, state) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            task_id,
            number,
            words,
            plan.expression,
            None if plan.anchor is None else micros(plan.anchor),
            plan.kind.value,
            plan.precision.value,
            plan.reason,
            revision,
            micros(at),
            SeriesState.RUNNING.value,
        ),
    )


def end(tx: Tx, task_id: str, state: SeriesState, at: datetime) -> bool:
    """End the running series of a task; return whether there was one."""
    ended = tx.execute(
        "UPDATE series SET state = ?, ended_at = ? WHERE task_id = ? AND state = 'running'",
        (state.value, micros(at), task_id),
    )
    return ended > 0


def running(tx: Tx, task_id: str) -> Series | None:
    """Return what repeats of a task, if something does."""
    row = tx.row(f"SELECT {_COLUMNS} FROM series WHERE task_id = ? AND state = 'running'", (task_id,))
    schedule = None if row is None else schedules.find_part(tx, task_id, PART)
    return None if row is None or schedule is None else _series(row, schedule, _done(tx, task_id))


def all_running(tx: Tx, limit: int) -> list[str]:
    """Return the tasks whose series acts, the newest first."""
    rows = tx.rows(
        "SELECT series.task_id FROM series JOIN schedules"
        " ON schedules.task_id = series.task_id AND schedules.part = ?"
        " WHERE series.state = 'running' AND schedules.state = 'active' ORDER BY schedules.number DESC LIMIT ?",
        (PART, limit),
    )
    return [str(row[0]) for row in rows]


def mark_done(tx: Tx, task_id: str, due: datetime, *, at: datetime, who: str) -> bool:
    """Note that one time is done; return whether that is news."""
    added = tx.execute(
        "INSERT INTO series_done (task_id, due, done_at, who) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
        (task_id, micros(due), micros(at), who),
    )
    return added == 1


def _done(tx: Tx, task_id: str) -> frozenset[datetime]:
    rows = tx.rows("SELECT due FROM series_done WHERE task_id = ? ORDER BY due DESC LIMIT ?", (task_id, MOST_AHEAD))
    return frozenset(from_micros(row[0]) for row in rows)


def _series(row: Row, schedule: Schedule, done: frozenset[datetime]) -> Series:
    number, words, expression, anchor, kind, precision, reason, revision, started_at = row
    begins = None if anchor is None else from_micros(anchor).astimezone(UTC)
    plan = SeriesPlan(expression, begins, NodeKind(kind), Precision(precision), reason)
    return Series(number, words, plan, revision, from_micros(started_at), schedule, done)
