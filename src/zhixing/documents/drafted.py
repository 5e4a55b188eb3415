"""A sentence that asks for a product, on its way to a task, and its rows."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from zhixing.store.connection import Row
from zhixing.tasks.sentences import Fixed, Sentences

PREFIX = "d"


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


def _written(row: Drafted) -> tuple[object, ...]:
    return (row.session_id, row.recognised, row.state.value, row.revision, row.seen, row.task_id, row.note)


def _read(fixed: Fixed, own: Row) -> Drafted:
    session_id, recognised, state, *rest = own
    return Drafted(*fixed, session_id, recognised, DraftState(state), *rest)


_ROWS = Sentences(
    "document_drafts",
    prefix=PREFIX,
    counter="document_draft",
    unknown="draft_unknown",
    states=DraftState,
    columns=("session_id", "recognised", "state", "revision", "seen", "task_id", "note"),
    written=_written,
    read=_read,
)
new_id, insert, save = _ROWS.new_id, _ROWS.insert, _ROWS.save
get, find_by_key, page = _ROWS.get, _ROWS.find_by_key, _ROWS.page
