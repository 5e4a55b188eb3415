"""The names of household tasks: the document's `task_id`, which is a slug, and the task it stands for here.

A slug belongs to one task at a time, as long as that lives: when it is completed, expired or deleted, the slug is free.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from zhixing.kernel.errors import Conflict, NotFound, TooLarge
from zhixing.kernel.moments import from_micros, micros
from zhixing.store.connection import Tx
from zhixing.tasks import store as tasks
from zhixing.tasks.task import Status, Task

MOST_TASKS = 500
"""Household tasks that live at the same time."""
LIVING = (Status.ACTIVE, Status.PAUSED)


@dataclass(frozen=True, slots=True)
class Named:
    """A household task and its slug; `paused_at` is when a pause under way began."""

    slug: str
    task: Task
    paused_at: datetime | None


def enter(tx: Tx, slug: str, task_id: str) -> None:
    """Give a task its slug; raise `Conflict` while another one has it."""
    if find(tx, slug) is not None:
        raise Conflict("household_task_exists", slug=slug)
    count = tx.row("SELECT count(*) FROM household_tasks WHERE living = 1")
    if count is not None and count[0] >= MOST_TASKS:
        raise TooLarge("household_tasks_many", limit=MOST_TASKS)
    tx.execute("INSERT INTO household_tasks (task_id, slug, living) VALUES (?, ?, 1)", (task_id, slug))


def find(tx: Tx, slug: str) -> str | None:
    """Return the id of the living task of that slug, if there is one."""
    row = tx.row("SELECT task_id FROM household_tasks WHERE slug = ? AND living = 1", (slug,))
    return None if row is None else str(row[0])


def task_of(tx: Tx, slug: str) -> str:
    """Return the id of the living task of that slug; raise `NotFound` where there is none."""
    found = find(tx, slug)
    if found is None:
        raise NotFound("household_task_unknown", slug=slug[:64])
    return found


def get(tx: Tx, slug: str) -> Named:
    """Return the living task of that slug; raise `NotFound` where there is none."""
    task_id = task_of(tx, slug)
    row = tx.row("SELECT paused_at FROM household_tasks WHERE task_id = ?", (task_id,))
    return Named(slug, tasks.get(tx, task_id), _instant(None if row is None else row[0]))


def slug_of(tx: Tx, task_id: str) -> str | None:
    """Return the slug of a task, living or not; None where it has none: a notice, or a job without a task."""
    row = tx.row("SELECT slug FROM household_tasks WHERE task_id = ?", (task_id,))
    return None if row is None else str(row[0])


def newest(tx: Tx, slug: str) -> str | None:
    """Return the id of the living task of that slug, or of the last one that had it."""
    living = find(tx, slug)
    if living is not None:
        return living
    row = tx.row(
        "SELECT household_tasks.task_id FROM household_tasks JOIN tasks ON tasks.id = household_tasks.task_id"
        " WHERE slug = ? ORDER BY tasks.number DESC LIMIT 1",
        (slug,),
    )
    return None if row is None else str(row[0])


def living(tx: Tx) -> list[Named]:
    """Return all living household tasks, the newest first; their number is bounded."""
    rows = tx.rows("SELECT task_id, slug, paused_at FROM household_tasks WHERE living = 1")
    found = [Named(slug, tasks.get(tx, task_id), _instant(paused_at)) for task_id, slug, paused_at in rows]
    return sorted(found, key=lambda named: int(named.task.id[1:]), reverse=True)


def follow(tx: Tx, slug: str, before: Task, after: Task) -> None:
    """Note what a change of status means for the slug; one that comes back to a taken slug is a `Conflict`."""
    returns = before.status not in LIVING and after.status in LIVING
    if returns and find(tx, slug) is not None:
        raise Conflict("household_task_exists", slug=slug)
    tx.execute(
        "UPDATE household_tasks SET living = ?, paused_at = ? WHERE task_id = ?",
        (
            int(after.status in LIVING),
            micros(after.updated_at) if after.status is Status.PAUSED else None,
            after.id,
        ),
    )


def _instant(value: int | None) -> datetime | None:
    return None if value is None else from_micros(value)
