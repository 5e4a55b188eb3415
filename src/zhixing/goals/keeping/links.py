"""Which task is which goal."""

from __future__ import annotations

from zhixing.store.connection import Tx


def link(tx: Tx, task_id: str, goal_id: str) -> None:
    """Let a task be a goal from now on."""
    tx.execute("INSERT INTO goal_tasks (task_id, goal_id) VALUES (?, ?)", (task_id, goal_id))


def goal_of(tx: Tx, task_id: str) -> str | None:
    """Return the goal that a task is, None when it is none."""
    row = tx.row("SELECT goal_id FROM goal_tasks WHERE task_id = ?", (task_id,))
    return None if row is None else str(row[0])


def task_of(tx: Tx, goal_id: str) -> str | None:
    """Return the task that a goal is, None for one that was handed in before goals were tasks."""
    row = tx.row("SELECT task_id FROM goal_tasks WHERE goal_id = ?", (goal_id,))
    return None if row is None else str(row[0])
