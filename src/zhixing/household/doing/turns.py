"""Whether an instant counts that a schedule could not leave out: the last day of a month, every other week (A-60)."""

from __future__ import annotations

from datetime import timedelta

from zhixing.household.doing.wishes import Turn
from zhixing.kernel.moments import micros, zone
from zhixing.store.connection import Tx
from zhixing.tasks import store as tasks
from zhixing.tasks.occurrence import Occurrence
from zhixing.tasks.records.model import Window
from zhixing.tasks.records.periods import before, period_at
from zhixing.tasks.schedule import store as schedules


def is_turn(tx: Tx, occurrence: Occurrence, turn: Turn) -> bool:
    """Decide by the instant that was due, however late it is, and by what was done a week before."""
    schedule = schedules.find_part(tx, occurrence.task_id, occurrence.part)
    tz = zone(tasks.get(tx, occurrence.task_id).zone if schedule is None else schedule.zone)
    if turn is Turn.LAST_DAY:
        return (occurrence.due.astimezone(tz) + timedelta(days=1)).day == 1
    week = before(period_at(occurrence.due, Window.WEEK, tz), tz)
    row = tx.row(
        "SELECT 1 FROM occurrences WHERE task_id = ? AND part = ? AND state = 'done' AND due >= ? AND due < ? LIMIT 1",
        (occurrence.task_id, occurrence.part, micros(week.start), micros(week.end or occurrence.due)),
    )
    return row is None
