"""A sentence that asks for a product, on its way to a task, and its rows."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from zhixing.kernel.errors import BadInput, NotFound
from zhixing.kernel.moments import from_micros, micros
from zhixing.kernel.numbered import number_of
from zhixing.store.connection import Row, Tx
from zhixing.store.counters import next_number

PREFIX = "d"
LARGEST_PAGE = 200
"""Drafts given at most at once."""

_COLUMNS = "number, text, who, zone, said_at, session_id, recognised, state, revision, seen, task_id, note"


class DraftState(StrEnum):
    """Where a draft is."""

    SHOWN = "shown"
    """It waits for an answer."""
    PENDING_AI = "pending_ai"
    """It waits for a model to say whether this asks for a product."""
    SAVED = "saved"
    DROPPED = "dropped"
    DECLINED = "declined"
    """It asks for none; `note` is what it became instead."""

    @property
    def open(self) -> bool:
        """Whether something may still come of it."""
        return self in (DraftState.SHOWN, DraftState.PENDING_AI)


@dataclass(frozen=True, slots=True)
class Drafted:
    """A row. `recognised` is what `drafting.wanted.encode` wrote; `seen` the newest revision that was shown."""

    id: str
    text: str
    who: str
    zone: str
    said_at: datetime
    session_id: str
    recognised: str
    state: DraftState
    revision: int = 1
    seen: int = 0
    task_id: str | None = None
    note: str = ""


def insert(tx: Tx, row: Drafted, key: str | None) -> Drafted:
    """Add a row whose id comes from `new_id`; the caller has looked for `key` before."""
    tx.execute(
        f"INSERT INTO document_drafts ({_COLUMNS}, key) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (int(row.id[1:]), row.text, row.who, row.zone, micros(row.said_at), *_changing(row), key),
    )
    return row


def new_id(tx: Tx) -> str:
    """Return the next id: d1, then d2, and so on."""
    return f"{PREFIX}{next_number(tx, 'document_draft')}"


def save(tx: Tx, row: Drafted) -> Drafted:
    """Write down what changed about a draft."""
    tx.execute(
        "UPDATE document_drafts SET session_id = ?, recognised = ?, state = ?, revision = ?, seen = ?, task_id = ?,"
        " note = ? WHERE number = ?",
        (*_changing(row), int(row.id[1:])),
    )
    return row


def get(tx: Tx, draft_id: str) -> Drafted:
    """Return a draft; raise `NotFound` when there is none of that id."""
    number = number_of(draft_id, PREFIX)
    if number is not None:
        row = tx.row(f"SELECT {_COLUMNS} FROM document_drafts WHERE number = ?", (number,))
        if row is not None:
            return _read(row)
    raise NotFound("draft_unknown", id=draft_id[:64])


def find_by_key(tx: Tx, key: str) -> Drafted | None:
    """Return the draft that was begun with `key`."""
    row = tx.row(f"SELECT {_COLUMNS} FROM document_drafts WHERE key = ?", (key,))
    return None if row is None else _read(row)


def page(tx: Tx, *, states: Collection[DraftState] = (), limit: int = 50, before: str | None = None) -> list[Drafted]:
    """Return drafts in the given states (none given: all), the newest first; `before` continues behind an id.

    Raises `BadInput` for a cursor that is no id.
    """
    wanted = [state.value for state in states] or [state.value for state in DraftState]
    until = 2**62 if before is None else number_of(before, PREFIX)
    if until is None:
        raise BadInput("cursor_unreadable", text=(before or "")[:64])
    marks = ", ".join("?" for _ in wanted)
    rows = tx.rows(
        f"SELECT {_COLUMNS} FROM document_drafts WHERE state IN ({marks}) AND number < ? ORDER BY number DESC LIMIT ?",
        (*wanted, until, max(1, min(limit, LARGEST_PAGE))),
    )
    return [_read(row) for row in rows]


def _changing(row: Drafted) -> tuple[object, ...]:
    return (row.session_id, row.recognised, row.state.value, row.revision, row.seen, row.task_id, row.note)


def _read(row: Row) -> Drafted:
    number, text, who, zone, said_at, session_id, recognised, state, revision, seen, task_id, note = row
    return Drafted(
        id=f"{PREFIX}{number}",
        text=text,
        who=who,
        zone=zone,
        said_at=from_micros(said_at),
        session_id=session_id,
        recognised=recognised,
        state=DraftState(state),
        revision=revision,
        seen=seen,
        task_id=task_id,
        note=note,
    )
