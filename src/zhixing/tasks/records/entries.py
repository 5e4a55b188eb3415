"""The rows of events that were written down."""

from __future__ import annotations

from datetime import datetime

from zhixing.kernel.moments import from_micros, micros
from zhixing.store.connection import Tx
from zhixing.store.counters import next_number
from zhixing.tasks.records.model import Entry, Record


def append(tx: Tx, record: Record, at: datetime, description: str) -> str:
    """Write an event down; return the id of the entry."""
    number = next_number(tx, "record entry")
    tx.execute(
        "INSERT INTO record_entries (id, number, record_id, at, description) VALUES (?, ?, ?, ?, ?)",
        (f"e{number}", number, record.id, micros(at), description),
    )
    return f"e{number}"


def latest(tx: Tx, record: Record, number: int) -> list[Entry]:
    """Return the latest so many entries, in order."""
    rows = tx.rows(
        "SELECT id, at, description FROM record_entries WHERE record_id = ? ORDER BY at DESC, number DESC LIMIT ?",
        (record.id, number),
    )
    return [Entry(identity, from_micros(at), description) for identity, at, description in reversed(rows)]


def bounds(
    tx: Tx, record: Record, start: datetime | None = None, end: datetime | None = None
) -> tuple[datetime | None, datetime | None]:
    """Return the instants of the first and the last entry in [start, end)."""
    where = "record_id = ?"
    params: list[object] = [record.id]
    if start is not None:
        where, params = f"{where} AND at >= ?", [*params, micros(start)]
    if end is not None:
        where, params = f"{where} AND at < ?", [*params, micros(end)]
    row = tx.row(f"SELECT min(at), max(at) FROM record_entries WHERE {where}", params)
    first, last = (None, None) if row is None else row
    return _instant(first), _instant(last)


def _instant(value: int | None) -> datetime | None:
    return None if value is None else from_micros(value)
