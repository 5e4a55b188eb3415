"""What the sender of an event is answered: an HTTP status and, for errors, the name of the domain error (§2.1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer. `error` is empty for success; `why` says more in a word, for logs."""

    status: int
    error: str = ""
    why: str = ""
    data: Mapping[str, Any] = field(default_factory=dict)


OK = Reply(200)
IDEMPOTENT = Reply(200, why="idempotent")
RECORDED = Reply(200, why="recorded")
"""Kept, and not applied."""
IGNORED = Reply(200, why="ignored")
"""An answer to something that nobody awaits."""
NO_TASK = Reply(404, "TaskNotFoundError")
NO_NODE = Reply(404, "NodeNotFoundError")


def conflict(why: str) -> Reply:
    """Say that the state does not allow it."""
    return Reply(409, "TaskStateError", why)


def broken_shape(why: str) -> Reply:
    """Say that the graph would not be a tree of new nodes any more."""
    return Reply(409, "GraphIntegrityError", why)


def invalid(why: str) -> Reply:
    """Say that what was sent cannot be used."""
    return Reply(422, "ValidationError", why)


def forbidden(why: str) -> Reply:
    """Say that the sender may not."""
    return Reply(403, "ForbiddenError", why)
