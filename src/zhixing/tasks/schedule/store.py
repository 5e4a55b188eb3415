"""The rows of schedules."""

from __future__ import annotations

from dataclasses import replace

import msgspec

from zhixing.kernel.errors import Conflict, NotFound
from zhixing.kernel.moments import from_micros, micros, zone
from zhixing.store.connection import Row, Tx
from zhixing.store.counters import next_number
from zhixing.tasks.schedule.expression import parse_expression, write_expression
from zhixing.tasks.schedule.model import Action, Every, Missed, Overlap, Schedule, ScheduleState

_COLUMNS = "id, task_id, part, expression, anchor, zone, action, payload, settled, missed, overlap, state, revision"


def new_id(tx: Tx) -> str:
    """Return the next schedule id: s1, then s2, and so on."""
    return f"s{next_number(tx, 'schedule')}"


def insert(tx: Tx, schedule: Schedule) -> None:
    """Add a schedule whose id comes from `new_id`; raise `Conflict` when its task has that part already."""
    inserted = tx.execute(
        f"INSERT INTO schedules (number, {_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (task_id, part) DO NOTHING",
        (
            int(schedule.id.removeprefix("s")),
            schedule.id,
            schedule.task_id,
            schedule.part,
            *_timing(schedule),
            schedule.action.name,
            msgspec.json.encode(schedule.action.payload).decode(),
            micros(schedule.settled),
            schedule.missed.value,
            schedule.overlap.value,
            schedule.state.value,
            schedule.revision,
        ),
    )
    if inserted != 1:
        raise Conflict("schedule_exists", task=schedule.task_id, part=schedule.part)


def find(tx: Tx, schedule_id: str) -> Schedule | None:
    """Return the schedule of that id, if there is one."""
    return _one(tx, "id = ?", (schedule_id,))


def find_part(tx: Tx, task_id: str, part: str) -> Schedule | None:
    """Return the schedule of that part of a task, if there is one."""
    return _one(tx, "task_id = ? AND part = ?", (task_id, part))


def get(tx: Tx, schedule_id: str) -> Schedule:
    """Return the schedule of that id; raise `NotFound` when there is none."""
    schedule = find(tx, schedule_id)
    if schedule is None:
        raise NotFound("schedule_unknown", id=schedule_id[:64])
    return schedule


def move_on(tx: Tx, schedule: Schedule) -> None:
    """Write how a schedule goes on; raise `Conflict` when its row has another revision."""
    _save(tx, schedule, schedule.revision)


def renew(tx: Tx, schedule: Schedule) -> Schedule:
    """Do the same as a new revision, for which ticks have keys of their own; return it."""
    _save(tx, schedule, schedule.revision + 1)
    return replace(schedule, revision=schedule.revision + 1)


def assign(tx: Tx, schedule: Schedule, task_id: str, state: ScheduleState) -> Schedule:
    """Hang a schedule on another task, as a new revision; return it."""
    taken = find_part(tx, task_id, schedule.part)
    if taken is not None:
        raise Conflict("schedule_exists", task=task_id, part=schedule.part)
    moved = renew(tx, replace(schedule, state=state))
    tx.execute("UPDATE schedules SET task_id = ? WHERE id = ?", (task_id, schedule.id))
    return replace(moved, task_id=task_id)


def _save(tx: Tx, schedule: Schedule, revision: int) -> None:
    changed = tx.execute(
        "UPDATE schedules SET expression = ?, anchor = ?, zone = ?, settled = ?, missed = ?, overlap = ?, state = ?,"
        " revision = ? WHERE id = ? AND revision = ?",
        (
            *_timing(schedule),
            micros(schedule.settled),
            schedule.missed.value,
            schedule.overlap.value,
            schedule.state.value,
            revision,
            schedule.id,
            schedule.revision,
        ),
    )
    if changed != 1:
        raise Conflict("schedule_changed", id=schedule.id)


def _timing(schedule: Schedule) -> tuple[object, ...]:
    trigger = schedule.trigger
    anchor = micros(trigger.anchor) if isinstance(trigger, Every) else None
    return (write_expression(trigger), anchor, schedule.zone)


def delete(tx: Tx, schedule_id: str) -> None:
    """Remove the row; the journal keeps what it was."""
    tx.execute("DELETE FROM schedules WHERE id = ?", (schedule_id,))


def of_task(tx: Tx, task_id: str) -> list[Schedule]:
    """Return the schedules of a task, the oldest first; their number is bounded."""
    rows = tx.rows(f"SELECT {_COLUMNS} FROM schedules WHERE task_id = ? ORDER BY number", (task_id,))
    return [_read(row) for row in rows]


def in_state(tx: Tx, state: ScheduleState, after: Schedule | None, limit: int) -> list[Schedule]:
    """Return schedules of all tasks in that state, the oldest first, from behind `after`."""
    number = 0 if after is None else int(after.id.removeprefix("s"))
    rows = tx.rows(
        f"SELECT {_COLUMNS} FROM schedules WHERE number > ? AND state = ? ORDER BY number LIMIT ?",
        (number, state.value, limit),
    )
    return [_read(row) for row in rows]


def _one(tx: Tx, condition: str, params: tuple[object, ...]) -> Schedule | None:
    row = tx.row(f"SELECT {_COLUMNS} FROM schedules WHERE {condition}", params)
    return None if row is None else _read(row)


def _read(row: Row) -> Schedule:
    schedule_id, task_id, part, expression, anchor, zone_name, action, payload, settled, *rest = row
    missed, overlap, state, revision = rest
    return Schedule(
        id=schedule_id,
        task_id=task_id,
        part=part,
        trigger=parse_expression(expression, zone(zone_name), None if anchor is None else from_micros(anchor)),
        zone=zone_name,
        action=Action(action, msgspec.json.decode(payload)),
        settled=from_micros(settled),
        missed=Missed(missed),
        overlap=Overlap(overlap),
        state=ScheduleState(state),
        revision=revision,
    )
