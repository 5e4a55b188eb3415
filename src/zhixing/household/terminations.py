"""How household tasks ended: one row for every end, whoever brought it about, with the last state of the record.

Written in the transaction of the change itself, before the rules and the record hear of it: what a session had come to
is in the snapshot as it was.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

import msgspec

from zhixing.household import registry
from zhixing.kernel.moments import from_micros, micros
from zhixing.store.connection import Row, Tx
from zhixing.tasks.records import store as records
from zhixing.tasks.task import Status, Task

LARGEST_PAGE = 200

_COLUMNS = "task_id, revision, slug, reason, description, record_kind, snapshot, rules, jobs, occurrences, at"


class Reason(StrEnum):
    """Why a task ended (document 000, miloco §1.8)."""

    COMPLETED = "completed"
    EXPIRED = "expired"
    ABANDONED = "abandoned"


_REASONS = {
    Status.COMPLETED: Reason.COMPLETED,
    Status.EXPIRED: Reason.EXPIRED,
    Status.DELETED: Reason.ABANDONED,
}


@dataclass(frozen=True, slots=True)
class Termination:
    """One end of a task. `snapshot` is the record as it was, None where there was none."""

    task_id: str
    revision: int
    slug: str
    reason: Reason
    description: str
    record_kind: str | None
    snapshot: dict[str, Any] | None
    rules: int
    jobs: int
    occurrences: int
    at: datetime


class Terminations:
    """Follows the life of household tasks; its hook comes before those of records, rules and schedules."""

    def __init__(self, snapshot: Callable[[Tx, str], dict[str, Any] | None]) -> None:
        self._snapshot = snapshot

    def on_status_change(self, tx: Tx, before: Task, after: Task) -> None:
        """Free the slug of a task that ended and write down how, or give it back to one that lives again."""
        slug = registry.slug_of(tx, after.id)
        if slug is None:
            return
        registry.follow(tx, slug, before, after)
        if before.status in registry.LIVING and after.status in _REASONS:
            _insert(tx, self._termination(tx, slug, after))

    def _termination(self, tx: Tx, slug: str, task: Task) -> Termination:
        record = records.find(tx, task.id)
        return Termination(
            task_id=task.id,
            revision=task.revision,
            slug=slug,
            reason=_REASONS[task.status],
            description=task.description,
            record_kind=None if record is None else record.content.kind.value,
            snapshot=None if record is None else self._snapshot(tx, task.id),
            rules=_count(tx, "SELECT count(*) FROM rules WHERE task_id = ?", task.id),
            jobs=_count(tx, "SELECT count(*) FROM cron_jobs WHERE task_id = ? AND removed = 0", task.id),
            occurrences=_count(tx, "SELECT count(*) FROM occurrences WHERE task_id = ?", task.id),
            at=task.updated_at,
        )


def of_task(tx: Tx, task_id: str) -> list[Termination]:
    """Return the ends of a task, the latest first."""
    rows = tx.rows(
        f"SELECT {_COLUMNS} FROM terminations WHERE task_id = ? ORDER BY revision DESC LIMIT ?", (task_id, LARGEST_PAGE)
    )
    return [_read(row) for row in rows]


def page(tx: Tx, limit: int = 50) -> list[Termination]:
    """Return the latest ends of all tasks."""
    rows = tx.rows(
        f"SELECT {_COLUMNS} FROM terminations ORDER BY at DESC, task_id DESC, revision DESC LIMIT ?",
        (max(1, min(limit, LARGEST_PAGE)),),
    )
    return [_read(row) for row in rows]


def _insert(tx: Tx, end: Termination) -> None:
    tx.execute(
        f"INSERT INTO terminations ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            end.task_id,
            end.revision,
            end.slug,
            end.reason.value,
            end.description,
            end.record_kind,
            None if end.snapshot is None else msgspec.json.encode(end.snapshot).decode(),
            end.rules,
            end.jobs,
            end.occurrences,
            micros(end.at),
        ),
    )


def _count(tx: Tx, sql: str, task_id: str) -> int:
    row = tx.row(sql, (task_id,))
    return 0 if row is None else int(row[0])


def _read(row: Row) -> Termination:
    task_id, revision, slug, reason, description, kind, snapshot, rules, jobs, occurrences, at = row
    return Termination(
        task_id,
        revision,
        slug,
        Reason(reason),
        description,
        kind,
        None if snapshot is None else msgspec.json.decode(snapshot),
        rules,
        jobs,
        occurrences,
        from_micros(at),
    )
