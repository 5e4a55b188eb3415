"""The one name that executors need of a leaf: `<task>::<node>` (taskloop §0.2)."""

from __future__ import annotations

_BETWEEN = "::"


def loop_task_id(task_id: str, node_id: str) -> str:
    """Return the name of a leaf; the id of a task holds no `::`."""
    return f"{task_id}{_BETWEEN}{node_id}"


def read_loop_task_id(given: str) -> tuple[str, str] | None:
    """Return the ids of task and node, split at the first `::`; None when that is no such name."""
    task_id, between, node_id = given.partition(_BETWEEN)
    return (task_id, node_id) if task_id and between and node_id else None
