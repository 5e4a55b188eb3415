"""The rows of occurrences. Whatever changes one of them writes the journal, too."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from zhixing.kernel.errors import Conflict, NotFound
from zhixing.kernel.moments import from_micros, micros
from zhixing.store.connection import Row, Tx
from zhixing.tasks import journal
from zhixing.tasks.journal import Kind
from zhixing.tasks.occurrence import Occurrence, OccurrenceState, moved, occurrence_id

LARGEST_PAGE = 1_000
"""Rows given at most at once."""

_COLUMNS = "id, task_id, part, key, due, state, claimed_at, finished_at, reason, count, revision"
_INSERT = f"INSERT INTO occurrences ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
_MOVE = (
    "UPDATE occurrences SET state = ?, claimed_at = ?, finished_at = ?, reason = ?, revision = ?"
    " WHERE id = ? AND revision = ?"
)


def new(
    task_id: str,
    part: str,
    key: str,
    due: datetime,
    state: OccurrenceState,
    *,
    now: datetime,
    reason: str | None = None,
    count: int = 1,
) -> Occurrence:
    """Return an occurrence that enters the books in `state`."""
    claimed = state in (OccurrenceState.CLAIMED, OccurrenceState.RUNNING)
    ended = not (claimed or state is OccurrenceState.DUE)
    return Occurrence(
        id=occurrence_id(task_id, part, key),
        task_id=task_id,
        part=part,
        key=key,
        due=due,
        state=state,
        claimed_at=now if claimed else None,
        finished_at=now if ended else None,
        reason=reason,
        count=count,
    )


def add(
    tx: Tx, occurrence: Occurrence, *, now: datetime, who: str, data: Mapping[str, Any] | None = None
) -> Occurrence | None:
    """Enter an occurrence; return it as entered, or None when its `(task, part, key)` is in the books already.

    In the unlikely case that another occurrence has the same short id, it is entered under a longer one.
    """
    if not _insert(tx, occurrence):
        if find(tx, occurrence.task_id, occurrence.part, occurrence.key) is not None:
            return None
        longer = occurrence_id(occurrence.task_id, occurrence.part, occurrence.key, length=26)
        occurrence = replace(occurrence, id=longer)
        _insert(tx, occurrence)
    _tell(tx, occurrence, now, who, data)
    return occurrence


def add_all(
    tx: Tx, entries: Sequence[tuple[Occurrence, Mapping[str, Any]]], *, now: datetime, who: str
) -> list[Occurrence | None]:
    """Enter many occurrences with what their entries tell; return for each what `add` would."""
    ids = [occurrence.id for occurrence, _ in entries]
    if len(set(ids)) < len(ids) or some(tx, ids):
        return [add(tx, occurrence, now=now, who=who, data=data) for occurrence, data in entries]
    count = tx.many(_INSERT, [_inserting(occurrence) for occurrence, _ in entries])
    # Where one is in the books under a longer id, its short one was not entered.
    entered = set(ids) if count == len(ids) else set(some(tx, ids))
    notes = [_note(occurrence, now, who, data) for occurrence, data in entries if occurrence.id in entered]
    journal.write_all(tx, notes)
    return [occurrence if occurrence.id in entered else None for occurrence, _ in entries]


def move(
    tx: Tx,
    occurrence: Occurrence,
    state: OccurrenceState,
    *,
    now: datetime,
    who: str,
    reason: str | None = None,
    data: Mapping[str, Any] | None = None,
) -> Occurrence:
    """Bring an occurrence into its next state; raise `Conflict` when that cannot follow or its row has changed."""
    after = moved(occurrence, state, now, reason)
    if tx.execute(_MOVE, _moving(after, occurrence.revision)) != 1:
        raise Conflict("occurrence_changed", id=occurrence.id)
    _tell(tx, after, now, who, data)
    return after


@dataclass(frozen=True, slots=True)
class Move:
    """That an occurrence is to come into its next state."""

    occurrence: Occurrence
    state: OccurrenceState
    reason: str | None = None
    data: Mapping[str, Any] | None = None


def move_all(tx: Tx, moves: Sequence[Move], *, now: datetime, who: str) -> None:
    """Bring many occurrences into their next states; raise `Conflict` where `move` would for one of them."""
    ended = [moved(one.occurrence, one.state, now, one.reason) for one in moves]
    pairs = list(zip(moves, ended, strict=True))
    if tx.many(_MOVE, [_moving(after, one.occurrence.revision) for one, after in pairs]) != len(moves):
        raise Conflict("occurrence_changed", id=", ".join(after.id for after in ended[:3]))
    journal.write_all(tx, [_note(after, now, who, one.data) for one, after in pairs])


def get(tx: Tx, occurrence: str) -> Occurrence:
    """Return the occurrence of that id; raise `NotFound` when there is none."""
    row = tx.row(f"SELECT {_COLUMNS} FROM occurrences WHERE id = ?", (occurrence,))
    if row is None:
        raise NotFound("occurrence_unknown", id=occurrence[:64])
    return _read(row)


def some(tx: Tx, ids: Sequence[str]) -> dict[str, Occurrence]:
    """Return those of some occurrences that are in the books, by id."""
    if not ids:
        return {}
    marks = ", ".join("?" for _ in ids)
    rows = tx.rows(f"SELECT {_COLUMNS} FROM occurrences WHERE id IN ({marks})", ids)
    return {occurrence.id: occurrence for occurrence in map(_read, rows)}


def find(tx: Tx, task_id: str, part: str, key: str) -> Occurrence | None:
    """Return the occurrence of that identity, if it is in the books."""
    row = tx.row(f"SELECT {_COLUMNS} FROM occurrences WHERE task_id = ? AND part = ? AND key = ?", (task_id, part, key))
    return None if row is None else _read(row)


def of_task(tx: Tx, task_id: str, limit: int = 50, before: Occurrence | None = None) -> list[Occurrence]:
    """Return the occurrences of a task, the latest instants first; `before` continues behind one of them."""
    older = "" if before is None else " AND (due, id) < (?, ?)"
    params: tuple[object, ...] = (task_id,) if before is None else (task_id, micros(before.due), before.id)
    return _rows(tx, f"WHERE task_id = ?{older} ORDER BY due DESC, id DESC", params, limit)


def around(tx: Tx, task_id: str, start: datetime, end: datetime, limit: int = 50) -> list[Occurrence]:
    """Return the occurrences of a task due in [start, end], the latest first."""
    where = "WHERE task_id = ? AND due >= ? AND due <= ? ORDER BY due DESC, id DESC"
    return _rows(tx, where, (task_id, micros(start), micros(end)), limit)


def of_part(tx: Tx, task_id: str, part: str, limit: int = 50) -> list[Occurrence]:
    """Return the occurrences of a part, the latest instants first."""
    return _rows(tx, "WHERE task_id = ? AND part = ? ORDER BY due DESC, id DESC", (task_id, part), limit)


def between(
    tx: Tx, start: datetime, end: datetime, limit: int = 200, after: Occurrence | None = None
) -> list[Occurrence]:
    """Return the occurrences of all tasks due in [start, end), in order; `after` continues behind one of them."""
    later = "" if after is None else " AND (due, id) > (?, ?)"
    params: tuple[object, ...] = (micros(start), micros(end))
    if after is not None:
        params = (*params, micros(after.due), after.id)
    return _rows(tx, f"WHERE due >= ? AND due < ?{later} ORDER BY due, id", params, limit)


def open_of(tx: Tx, task_id: str, part: str) -> list[Occurrence]:
    """Return the occurrences of a part that have not ended, the earliest first."""
    rows = tx.rows(
        f"SELECT {_COLUMNS} FROM occurrences WHERE task_id = ? AND part = ? AND state IN ('due', 'claimed', 'running')"
        " ORDER BY due, id",
        (task_id, part),
    )
    return [_read(row) for row in rows]


def counts(tx: Tx, task_id: str, part: str) -> tuple[int, int]:
    """Return how many occurrences of a part are under way, and how many wait for their turn."""
    rows = tx.rows(
        "SELECT state, count(*) FROM occurrences"
        " WHERE task_id = ? AND part = ? AND state IN ('due', 'claimed', 'running') GROUP BY state",
        (task_id, part),
    )
    found = {OccurrenceState(state): int(number) for state, number in rows}
    waiting = found.pop(OccurrenceState.DUE, 0)
    return sum(found.values()), waiting


def under_way(tx: Tx, after: str, limit: int) -> list[Occurrence]:
    """Return occurrences of schedules whose work is promised or begun, in the order of their ids, behind `after`."""
    columns = ", ".join(f"occurrences.{column}" for column in _COLUMNS.split(", "))
    rows = tx.rows(
        f"SELECT {columns} FROM occurrences"
        " JOIN schedules ON schedules.task_id = occurrences.task_id AND schedules.part = occurrences.part"
        " WHERE occurrences.state IN ('claimed', 'running') AND occurrences.id > ? ORDER BY occurrences.id LIMIT ?",
        (after, limit),
    )
    return [_read(row) for row in rows]


def _rows(tx: Tx, condition: str, params: Iterable[object], limit: int) -> list[Occurrence]:
    rows = tx.rows(
        f"SELECT {_COLUMNS} FROM occurrences {condition} LIMIT ?", (*params, max(1, min(limit, LARGEST_PAGE)))
    )
    return [_read(row) for row in rows]


def _insert(tx: Tx, occurrence: Occurrence) -> bool:
    return tx.execute(_INSERT, _inserting(occurrence)) == 1


def _inserting(occurrence: Occurrence) -> Row:
    return (
        occurrence.id,
        occurrence.task_id,
        occurrence.part,
        occurrence.key,
        micros(occurrence.due),
        occurrence.state.value,
        _micros(occurrence.claimed_at),
        _micros(occurrence.finished_at),
        occurrence.reason,
        occurrence.count,
        occurrence.revision,
    )


def _moving(after: Occurrence, revision: int) -> Row:
    return (
        after.state.value,
        _micros(after.claimed_at),
        _micros(after.finished_at),
        after.reason,
        after.revision,
        after.id,
        revision,
    )


def _tell(tx: Tx, occurrence: Occurrence, now: datetime, who: str, data: Mapping[str, Any] | None) -> None:
    journal.write_all(tx, [_note(occurrence, now, who, data)])


def _note(occurrence: Occurrence, now: datetime, who: str, data: Mapping[str, Any] | None) -> journal.Note:
    told: dict[str, Any] = {
        "occurrence": occurrence.id,
        "part": occurrence.part,
        "key": occurrence.key,
        "due": occurrence.due.isoformat(),
        **({} if occurrence.count == 1 else {"count": occurrence.count}),
        **(data or {}),
    }
    kind = Kind(f"occurrence_{occurrence.state}")
    return journal.Note(occurrence.task_id, now, kind, who, occurrence.reason or "", told)


def _micros(at: datetime | None) -> int | None:
    return None if at is None else micros(at)


def _instant(value: int | None) -> datetime | None:
    return None if value is None else from_micros(value)


def _read(row: Row) -> Occurrence:
    identity, task_id, part, key, due, state, claimed_at, finished_at, reason, count, revision = row
    return Occurrence(
        id=identity,
        task_id=task_id,
        part=part,
        key=key,
        due=from_micros(due),
        state=OccurrenceState(state),
        claimed_at=_instant(claimed_at),
        finished_at=_instant(finished_at),
        reason=reason,
        count=count,
        revision=revision,
    )
