"""The rows of tasks."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from zhixing.kernel import numbered
from zhixing.kernel.errors import BadInput, Conflict, NotFound
from zhixing.kernel.moments import from_micros, micros
from zhixing.store.connection import Row, Tx
from zhixing.store.counters import next_number
from zhixing.tasks.searching import having
from zhixing.tasks.task import Lifecycle, Status, Task, Term, Way

LARGEST_PAGE = 200
"""Rows a list gives at most at once."""

_COLUMNS = "id, title, description, way, lifecycle, expires_at, status, zone, revision, created_at, updated_at"


@dataclass(frozen=True, slots=True)
class Page:
    """Some tasks, newest first; `more` is the cursor of the next page, if there is one."""

    tasks: tuple[Task, ...]
    more: str | None


def new_id(tx: Tx) -> str:
    """Return the next task id: t1, then t2, and so on."""
    return f"t{next_number(tx, 'task')}"


def insert(tx: Tx, task: Task) -> None:
    """Add a task whose id comes from `new_id`."""
    tx.execute(
        f"INSERT INTO tasks (number, {_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (_number(task.id), task.id, *_written(task)),
    )


def find(tx: Tx, task_id: str) -> Task | None:
    """Return the task of that id, if there is one."""
    row = tx.row(f"SELECT {_COLUMNS} FROM tasks WHERE id = ?", (task_id,))
    return None if row is None else _read(row)


def get(tx: Tx, task_id: str) -> Task:
    """Return the task of that id; raise `NotFound` when there is none."""
    task = find(tx, task_id)
    if task is None:
        raise NotFound("task_unknown", id=task_id[:64])
    return task


def save(tx: Tx, task: Task) -> None:
    """Write a task that is one revision ahead of its row; raise `Conflict` when somebody else changed it meanwhile."""
    changed = tx.execute(
        "UPDATE tasks SET title = ?, description = ?, way = ?, lifecycle = ?, expires_at = ?, status = ?, zone = ?,"
        " revision = ?, created_at = ?, updated_at = ? WHERE id = ? AND revision = ?",
        (*_written(task), task.id, task.revision - 1),
    )
    if changed != 1:
        raise Conflict("task_changed", title=task.title)


def page(
    tx: Tx,
    *,
    statuses: Collection[Status] = (),
    ways: Collection[Way] = (),
    words: str = "",
    limit: int = 50,
    before: str | None = None,
) -> Page:
    """List tasks of the given statuses and ways (none given: all), newest first, from behind the cursor `before`.

    With `words` only those that have all of them in their title or description.
    """
    limit = max(1, min(limit, LARGEST_PAGE))
    where, params = _among("status", statuses)
    more_where, more_params = _among("way", ways)
    where, params = where + more_where, params + more_params
    said, sought = having(words, "title", "description")
    where, params = where + said, params + sought
    if before is not None:
        where, params = [*where, "number < ?"], [*params, _number(before)]
    condition = f" WHERE {' AND '.join(where)}" if where else ""
    rows = tx.rows(f"SELECT {_COLUMNS} FROM tasks{condition} ORDER BY number DESC LIMIT ?", (*params, limit + 1))
    tasks = tuple(_read(row) for row in rows[:limit])
    return Page(tasks, tasks[-1].id if len(rows) > limit else None)


def _among(column: str, values: Collection[Any]) -> tuple[list[str], list[object]]:
    if not values:
        return [], []
    return [f"{column} IN ({', '.join('?' * len(values))})"], [str(value) for value in values]


def _number(task_id: str) -> int:
    number = numbered.number_of(task_id, "t")
    if number is None:
        raise BadInput("cursor_unreadable", text=task_id[:64])
    return number


def _written(task: Task) -> tuple[object, ...]:
    expires_at = task.lifecycle.expires_at
    return (
        task.title,
        task.description,
        task.way.value,
        task.lifecycle.term.value,
        None if expires_at is None else micros(expires_at),
        task.status.value,
        task.zone,
        task.revision,
        micros(task.created_at),
        micros(task.updated_at),
    )


def _read(row: Row) -> Task:
    task_id, title, description, way, term, expires_at, status, zone, revision, created_at, updated_at = row
    return Task(
        id=task_id,
        title=title,
        description=description,
        way=Way(way),
        lifecycle=Lifecycle(Term(term), None if expires_at is None else from_micros(expires_at)),
        status=Status(status),
        zone=zone,
        revision=revision,
        created_at=from_micros(created_at),
        updated_at=from_micros(updated_at),
    )
