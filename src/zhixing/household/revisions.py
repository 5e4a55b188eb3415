"""What was changed about a household task, revision by revision, so that the latest change can be taken back.

A revision is numbered by the revision of the task it led to. It holds every part that changed, as JSON before and
after; null where the part was not there. Taking one back is a revision itself, so taking that back does it again.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from typing import Any

import msgspec

from zhixing.kernel.moments import from_micros, micros
from zhixing.store.connection import Row, Tx
from zhixing.tasks.journal import LONGEST_WHY
from zhixing.tasks.operations import Tasks

MOST_KEPT = 100
"""Revisions kept of one task."""

Json = Any


class Kind(StrEnum):
    """What was done."""

    DESCRIPTION = "description"
    RECORD = "record"
    RULE = "rule"
    JOB = "job"
    SEVERAL = "several"
    UNDO = "undo"
    """The revision before was taken back."""


class Change(msgspec.Struct, frozen=True):
    """One part that changed: `description`, `lifecycle`, `record`, `rule:<id>` or `job:<id>`."""

    part: str
    before: Json
    after: Json

    @property
    def taken_back(self) -> Change:
        """The same, the other way round."""
        return Change(self.part, self.after, self.before)


class Revision(msgspec.Struct, frozen=True):
    """One revision of a task."""

    number: int
    at: datetime
    kind: Kind
    who: str
    why: str
    changes: tuple[Change, ...]


def record(
    tx: Tx,
    tasks: Tasks,
    task_id: str,
    kind: Kind,
    changes: Sequence[Change],
    *,
    who: str,
    why: str = "",
    description: str | None = None,
) -> Revision:
    """Write a revision and count it in the task, with its words where they changed; the oldest ones go."""
    data = {"kind": kind.value, "changes": [msgspec.to_builtins(change) for change in changes]}
    title = None if description is None else title_of(description)
    task = tasks.revise(tx, task_id, who=who, why=why, data=data, title=title, description=description)
    revision = Revision(task.revision, task.updated_at, kind, who, why[:LONGEST_WHY], tuple(changes))
    tx.execute(
        "INSERT INTO household_revisions (task_id, number, at, kind, who, why, changes) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (
            task_id,
            revision.number,
            micros(revision.at),
            kind.value,
            who,
            revision.why,
            msgspec.json.encode(revision.changes).decode(),
        ),
    )
    tx.execute(
        "DELETE FROM household_revisions WHERE task_id = ? AND number NOT IN"
        " (SELECT number FROM household_revisions WHERE task_id = ? ORDER BY number DESC LIMIT ?)",
        (task_id, task_id, MOST_KEPT),
    )
    return revision


def latest(tx: Tx, task_id: str) -> Revision | None:
    """Return the last revision of a task, if anything was changed since it was made."""
    return next(iter(of_task(tx, task_id, 1)), None)


def of_task(tx: Tx, task_id: str, limit: int = MOST_KEPT) -> list[Revision]:
    """Return the revisions of a task, the latest first."""
    rows = tx.rows(
        "SELECT number, at, kind, who, why, changes FROM household_revisions"
        " WHERE task_id = ? ORDER BY number DESC LIMIT ?",
        (task_id, max(1, min(limit, MOST_KEPT))),
    )
    return [_read(row) for row in rows]


def title_of(description: str) -> str:
    """Return what lists show of a description: all of it, or its beginning."""
    return description if len(description) <= 100 else f"{description[:99]}…"


def _read(row: Row) -> Revision:
    number, at, kind, who, why, changes = row
    return Revision(
        number, from_micros(at), Kind(kind), who, why, msgspec.json.decode(changes, type=tuple[Change, ...])
    )
