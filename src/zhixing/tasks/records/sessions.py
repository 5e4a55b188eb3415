"""The rows of sessions. They never overlap, so in the order of their ends they are in the order of their starts."""

from __future__ import annotations

from datetime import datetime

from zhixing.kernel.moments import from_micros, micros
from zhixing.store.connection import Row, Tx
from zhixing.tasks.records.model import Record, Session


def under_way(tx: Tx, record: Record) -> Session | None:
    """Return the session under way."""
    row = tx.row(
        "SELECT number, start_at, end_at FROM record_sessions WHERE record_id = ? AND end_at IS NULL", (record.id,)
    )
    return None if row is None else _session(row)


def last_end(tx: Tx, record: Record) -> datetime | None:
    """Return when the latest session ended."""
    row = tx.row("SELECT max(end_at) FROM record_sessions WHERE record_id = ?", (record.id,))
    return None if row is None or row[0] is None else from_micros(row[0])


def start(tx: Tx, record: Record, start: datetime) -> None:
    """Begin a session. The numbers of a record's sessions follow each other."""
    tx.execute(
        "INSERT INTO record_sessions (record_id, number, start_at, end_at)"
        " SELECT ?, coalesce(max(number), 0) + 1, ?, NULL FROM record_sessions WHERE record_id = ?",
        (record.id, micros(start), record.id),
    )


def hold(tx: Tx, record: Record, holder: str) -> None:
    """Note that somebody keeps the session under way open."""
    tx.execute(
        "INSERT INTO record_holders (record_id, holder, left_at) VALUES (?, ?, NULL)"
        " ON CONFLICT (record_id, holder) DO UPDATE SET left_at = NULL",
        (record.id, holder),
    )


def let_go(tx: Tx, record: Record, holder: str, at: datetime) -> datetime | None:
    """Note that somebody keeps it open no more; return when the last of all let go, None while one has not."""
    tx.execute(
        "UPDATE record_holders SET left_at = ? WHERE record_id = ? AND holder = ? AND left_at IS NULL",
        (micros(at), record.id, holder),
    )
    rows = tx.rows("SELECT left_at FROM record_holders WHERE record_id = ?", (record.id,))
    if any(left_at is None for (left_at,) in rows):
        return None
    return max([at, *(from_micros(left_at) for (left_at,) in rows)])


def end(tx: Tx, record: Record, session: Session, end: datetime) -> None:
    """End the session under way, whoever keeps it open; one that would end where it began, or before, is dropped."""
    tx.execute("DELETE FROM record_holders WHERE record_id = ?", (record.id,))
    where = "WHERE record_id = ? AND number = ?"
    if end <= session.start:
        tx.execute(f"DELETE FROM record_sessions {where}", (record.id, session.number))
    else:
        tx.execute(f"UPDATE record_sessions SET end_at = ? {where}", (micros(end), record.id, session.number))


def within(tx: Tx, record: Record, start: datetime, end: datetime | None, latest: int | None = None) -> list[Session]:
    """Return the ended sessions that have time in [start, end), in order; of many, only the `latest`."""
    params: list[object] = [record.id, micros(start)]
    until = some = ""
    if end is not None:
        until, params = " AND start_at < ?", [*params, micros(end)]
    if latest is not None:
        some, params = " LIMIT ?", [*params, latest]
    rows = tx.rows(
        f"SELECT number, start_at, end_at FROM record_sessions WHERE record_id = ? AND end_at > ?{until}"
        f" ORDER BY end_at DESC{some}",
        params,
    )
    return [_session(row) for row in reversed(rows)]


def _session(row: Row) -> Session:
    number, start, end = row
    return Session(number, from_micros(start), _instant(end))


def _instant(value: int | None) -> datetime | None:
    return None if value is None else from_micros(value)
