"""The rows of what is done: steps, cooldowns, and when news was told."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

import msgspec

from zhixing.household.doing.model import Step, StepState
from zhixing.kernel.moments import from_micros, micros
from zhixing.store.connection import Row, Tx
from zhixing.world.devices.port import Level

_COLUMNS = "occurrence_id, number, did, iid, wanted, state, reason, detail, seen, tries, began_at, at, next_at, was"
_SAVE = (
    f"INSERT INTO household_steps ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
    " ON CONFLICT (occurrence_id, number) DO UPDATE SET state = excluded.state, reason = excluded.reason,"
    " detail = excluded.detail, seen = excluded.seen, tries = excluded.tries, at = excluded.at,"
    " next_at = excluded.next_at, was = excluded.was"
)
LARGEST_PAGE = 500
"""Steps of one device given at most at once."""


def save(tx: Tx, steps: Iterable[Step]) -> None:
    """Write steps down, each over what was known of it."""
    tx.many(_SAVE, map(_row, steps))


def of_occurrences(tx: Tx, ids: Sequence[str]) -> list[Step]:
    """Return the steps of some occurrences, in order."""
    if not ids:
        return []
    marks = ", ".join("?" for _ in ids)
    rows = tx.rows(
        f"SELECT {_COLUMNS} FROM household_steps WHERE occurrence_id IN ({marks}) ORDER BY occurrence_id, number", ids
    )
    return [_read(row) for row in rows]


def of_device(tx: Tx, did: str, iid: str, limit: int = 50) -> list[Step]:
    """Return the steps that commanded a property or action, newest first: who did that, and why."""
    rows = tx.rows(
        f"SELECT {_COLUMNS} FROM household_steps WHERE did = ? AND iid = ? ORDER BY at DESC, occurrence_id LIMIT ?",
        (did, iid, max(1, min(limit, LARGEST_PAGE))),
    )
    return [_read(row) for row in rows]


def overtaken(tx: Tx, step: Step) -> bool:
    """Return whether another answer has commanded the same property since a step was begun."""
    row = tx.row(
        "SELECT 1 FROM household_steps WHERE did = ? AND iid = ? AND at >= ? AND began_at > ? AND occurrence_id <> ?"
        " LIMIT 1",
        (step.did, step.iid, micros(step.began_at), micros(step.began_at), step.occurrence_id),
    )
    return row is not None


def commanded_since(tx: Tx, did: str, iid: str, at: datetime) -> bool:
    """Return whether an answer that is for a later instant has commanded a property, or found it as it wanted it."""
    row = tx.row(
        "SELECT 1 FROM household_steps JOIN occurrences ON occurrences.id = household_steps.occurrence_id"
        " WHERE did = ? AND iid = ? AND at >= ? AND occurrences.due > ?"
        " AND (tries > 0 OR household_steps.reason = 'already') LIMIT 1",
        (did, iid, micros(at), micros(at)),
    )
    return row is not None


def last_success(tx: Tx, rule_id: str, did: str, iid: str) -> datetime | None:
    """Return when a command of a rule last succeeded, of those that have a cooldown."""
    row = tx.row(
        "SELECT done_at FROM household_cooldowns WHERE rule_id = ? AND did = ? AND iid = ?", (rule_id, did, iid)
    )
    return None if row is None else from_micros(row[0])


def note_success(tx: Tx, rule_id: str, did: str, iid: str, at: datetime) -> None:
    """Note that a command succeeded; its cooldown begins."""
    tx.execute(
        "INSERT INTO household_cooldowns (rule_id, did, iid, done_at) VALUES (?, ?, ?, ?)"
        " ON CONFLICT (rule_id, did, iid) DO UPDATE SET done_at = excluded.done_at",
        (rule_id, did, iid, micros(at)),
    )


def is_news(tx: Tx, subject: str, now: datetime, pause: timedelta) -> bool:
    """Return whether something may be told about a subject now, and note that it is.

    A last time that lies ahead was written by a clock that was wrong, and does not count.
    """
    row = tx.row("SELECT told_at FROM household_news WHERE subject = ?", (subject,))
    if row is not None and timedelta(0) <= now - from_micros(row[0]) < pause:
        return False
    tx.execute(
        "INSERT INTO household_news (subject, told_at) VALUES (?, ?)"
        " ON CONFLICT (subject) DO UPDATE SET told_at = excluded.told_at",
        (subject, micros(now)),
    )
    return True


def open_of_rules(tx: Tx, task_id: str) -> list[str]:
    """Return the ids of the answers of a task's rules that have not ended."""
    rows = tx.rows(
        "SELECT id FROM occurrences WHERE task_id = ? AND part LIKE 'rule:%'"
        " AND state IN ('due', 'claimed', 'running') ORDER BY due, id",
        (task_id,),
    )
    return [identity for (identity,) in rows]


def _row(step: Step) -> tuple[object, ...]:
    return (
        step.occurrence_id,
        step.number,
        step.did,
        step.iid,
        _json(step.wanted),
        step.state.value,
        step.reason,
        step.detail,
        _json(step.seen),
        step.tries,
        micros(step.began_at),
        micros(step.at),
        None if step.next_at is None else micros(step.next_at),
        _json(step.was),
    )


def _json(value: Level | tuple[Level, ...] | None) -> str:
    return msgspec.json.encode(value).decode()


def _read(row: Row) -> Step:
    occurrence_id, number, did, iid, wanted, state, reason, detail, seen, tries, began_at, at, next_at, was = row
    value = msgspec.json.decode(wanted)
    return Step(
        occurrence_id=occurrence_id,
        number=number,
        did=did,
        iid=iid,
        wanted=tuple(value) if isinstance(value, list) else value,
        state=StepState(state),
        began_at=from_micros(began_at),
        at=from_micros(at),
        reason=reason,
        detail=detail,
        seen=msgspec.json.decode(seen),
        tries=tries,
        next_at=None if next_at is None else from_micros(next_at),
        was=msgspec.json.decode(was),
    )
