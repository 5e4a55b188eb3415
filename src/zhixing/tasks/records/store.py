"""The rows of records, and of what was written to them under which key."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import msgspec

from zhixing.kernel.errors import Conflict, NotFound
from zhixing.kernel.moments import from_micros, micros
from zhixing.store.connection import Row, Tx
from zhixing.store.counters import next_number
from zhixing.tasks.records.model import Content, Record, RecordKind, Window, Written

KEPT = timedelta(days=400)
"""How long the key of a write is remembered."""

_COLUMNS = (
    "id, task_id, kind, target, unit, period, recurring, expires_at, zone, revision, created_at, updated_at, ended_at"
)
_ANSWER = msgspec.json.Decoder(Written)


def insert(tx: Tx, task_id: str, content: Content, zone_name: str, now: datetime) -> Record:
    """Add the record of a task; raise `Conflict` when it has one."""
    number = next_number(tx, "record")
    record = Record(f"rec{number}", task_id, content, zone_name, 1, now, now)
    inserted = tx.execute(
        f"INSERT INTO records (number, {_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT DO NOTHING",
        (
            number,
            record.id,
            task_id,
            content.kind.value,
            *_content(content),
            zone_name,
            record.revision,
            micros(now),
            micros(now),
            None,
        ),
    )
    if inserted != 1:
        raise Conflict("record_exists")
    _remember_terms(tx, record)
    return record


def find(tx: Tx, task_id: str) -> Record | None:
    """Return the living record of a task, if it has one."""
    row = tx.row(f"SELECT {_COLUMNS} FROM records WHERE task_id = ? AND ended_at IS NULL", (task_id,))
    return None if row is None else _read(row)


def get(tx: Tx, task_id: str) -> Record:
    """Return the living record of a task; raise `NotFound` when it has none."""
    record = find(tx, task_id)
    if record is None:
        raise NotFound("record_none")
    return record


def change(tx: Tx, record: Record, content: Content, now: datetime) -> Record:
    """Write new content as a new revision; return it."""
    changed = replace(record, content=content, revision=record.revision + 1, updated_at=now)
    tx.execute(
        "UPDATE records SET target = ?, unit = ?, period = ?, recurring = ?, expires_at = ?, revision = ?,"
        " updated_at = ? WHERE id = ?",
        (*_content(content), changed.revision, micros(now), record.id),
    )
    _remember_terms(tx, changed)
    return changed


def touch(tx: Tx, record: Record, now: datetime) -> None:
    """Note that something was written to it."""
    tx.execute("UPDATE records SET updated_at = ? WHERE id = ?", (micros(now), record.id))


def end(tx: Tx, record: Record, now: datetime) -> None:
    """End a record; its rows are kept, and its task may get another."""
    tx.execute("UPDATE records SET ended_at = ?, updated_at = ? WHERE id = ?", (micros(now), micros(now), record.id))


def terms(tx: Tx, record: Record) -> list[tuple[datetime, Window, int | None]]:
    """Return since when which rhythm and target held, the oldest first."""
    rows = tx.rows("SELECT since, rhythm, target FROM record_terms WHERE record_id = ? ORDER BY since", (record.id,))
    return [(from_micros(since), Window(rhythm), target) for since, rhythm, target in rows]


def _remember_terms(tx: Tx, record: Record) -> None:
    tx.execute(
        "INSERT INTO record_terms (record_id, since, rhythm, target) VALUES (?, ?, ?, ?)"
        " ON CONFLICT (record_id, since) DO UPDATE SET rhythm = excluded.rhythm, target = excluded.target",
        (record.id, micros(record.updated_at), record.content.rhythm.value, record.content.target),
    )


def answer(tx: Tx, record: Record, key: str) -> Written | None:
    """Return what the write of that key was answered, if there was one."""
    row = tx.row("SELECT answer FROM record_writes WHERE record_id = ? AND key = ?", (record.id, key))
    return None if row is None else _ANSWER.decode(row[0])


def remember(
    tx: Tx, record: Record, key: str, action: str, *, at: datetime, who: str, now: datetime, written: Written
) -> None:
    """Keep a write and its answer; forget those that are older than `KEPT`."""
    tx.execute(
        "INSERT INTO record_writes (record_id, key, action, at, who, written_at, answer) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (record.id, key, action, micros(at), who, micros(now), msgspec.json.encode(written).decode()),
    )
    tx.execute("DELETE FROM record_writes WHERE record_id = ? AND written_at < ?", (record.id, micros(now - KEPT)))


def _content(content: Content) -> tuple[object, ...]:
    return (
        content.target,
        content.unit,
        content.window.value,
        None if content.recurring is None else content.recurring.value,
        None if content.expires_at is None else micros(content.expires_at),
    )


def _read(row: Row) -> Record:
    identity, task_id, kind, target, unit, period, recurring, expires_at, zone, revision, created, updated, ended = row
    content = Content(
        RecordKind(kind),
        target,
        unit,
        Window(period),
        None if recurring is None else Window(recurring),
        _instant(expires_at),
    )
    made, changed = from_micros(created), from_micros(updated)
    return Record(identity, task_id, content, zone, revision, made, changed, _instant(ended))


def _instant(value: int | None) -> datetime | None:
    return None if value is None else from_micros(value)
