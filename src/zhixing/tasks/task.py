"""The task and its life: pure.

    active ⇄ paused        pause, resume
    active, paused → completed, expired
    any → deleted          kept for audit
    completed, deleted → active   restore

Every change is a new revision. What a task consists of (schedules, reminders, rules …) hangs on its id.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from zhixing.kernel.errors import BadInput, Conflict, TooLarge
from zhixing.kernel.moments import zone

LONGEST_TITLE = 100
"""Characters of a title."""
LONGEST_DESCRIPTION = 20_000
"""Characters of a description."""


class Way(StrEnum):
    """How a task proceeds."""

    NOTICE = "notice"
    HOUSEHOLD = "household"
    DOCUMENT = "document"
    GRAPH = "graph"
    GOAL = "goal"


class Status(StrEnum):
    """Where a task is in its life."""

    ACTIVE = "active"
    PAUSED = "paused"
    COMPLETED = "completed"
    EXPIRED = "expired"
    DELETED = "deleted"


class Term(StrEnum):
    """What ends a task by itself."""

    PERMANENT = "permanent"
    """Nothing does."""
    TEMPORARY = "temporary"
    """An instant does."""
    TARGET = "target"
    """Something being reached does, or an instant if it has one."""


@dataclass(frozen=True, slots=True)
class Lifecycle:
    """How long a task is meant to live."""

    term: Term = Term.PERMANENT
    expires_at: datetime | None = None

    def __post_init__(self) -> None:
        if self.term is Term.TEMPORARY and self.expires_at is None:
            raise BadInput("lifecycle_without_end")
        if self.term is Term.PERMANENT and self.expires_at is not None:
            raise BadInput("lifecycle_with_end")

    def over(self, now: datetime) -> bool:
        """Whether its instant has come."""
        return self.expires_at is not None and self.expires_at <= now


PERMANENT = Lifecycle()


def until(expires_at: datetime) -> Lifecycle:
    """Return the lifecycle of a task that ends at an instant."""
    return Lifecycle(Term.TEMPORARY, expires_at)


@dataclass(frozen=True, slots=True)
class Task:
    """Something a person wants done; `zone` is where its wall-clock times are read."""

    id: str
    title: str
    description: str
    way: Way
    lifecycle: Lifecycle
    status: Status
    zone: str
    revision: int
    created_at: datetime
    updated_at: datetime

    @property
    def active(self) -> bool:
        """Whether its parts act."""
        return self.status is Status.ACTIVE


def new_task(
    task_id: str, *, title: str, description: str, way: Way, lifecycle: Lifecycle, zone_name: str, now: datetime
) -> Task:
    """Return an active task at revision 1. Raises `BadInput` for a title or zone that cannot be used."""
    if len(description) > LONGEST_DESCRIPTION:
        raise TooLarge("task_description_long", limit=LONGEST_DESCRIPTION)
    if lifecycle.over(now):
        raise BadInput("lifecycle_over")
    zone(zone_name)
    return Task(
        id=task_id,
        title=_title(title),
        description=description,
        way=way,
        lifecycle=lifecycle,
        status=Status.ACTIVE,
        zone=zone_name,
        revision=1,
        created_at=now,
        updated_at=now,
    )


def complete(task: Task, now: datetime) -> Task:
    """Mark it done by a person or by what it was to reach."""
    return _moved(task, Status.COMPLETED, now, {Status.ACTIVE, Status.PAUSED})


def restore(task: Task, now: datetime) -> Task:
    """Take back a completion or a deletion; it is active again, also if it was paused before."""
    if task.lifecycle.over(now):
        raise Conflict("task_is_expired", title=task.title)
    return _moved(task, Status.ACTIVE, now, {Status.COMPLETED, Status.DELETED})


def pause(task: Task, now: datetime) -> Task:
    """Stop it for now."""
    return _moved(task, Status.PAUSED, now, {Status.ACTIVE})


def resume(task: Task, now: datetime) -> Task:
    """End a pause."""
    if task.status is Status.PAUSED and task.lifecycle.over(now):
        raise Conflict("task_is_expired", title=task.title)
    return _moved(task, Status.ACTIVE, now, {Status.PAUSED})


def expire(task: Task, now: datetime) -> Task:
    """End it because its instant has come."""
    return _moved(task, Status.EXPIRED, now, {Status.ACTIVE, Status.PAUSED})


def delete(task: Task, now: datetime) -> Task:
    """Remove it from sight."""
    return _moved(task, Status.DELETED, now, set(Status) - {Status.DELETED})


def rename(task: Task, title: str, now: datetime) -> Task:
    """Give it another title; whatever its status, except deleted."""
    if task.status is Status.DELETED:
        raise Conflict("task_is_deleted", title=task.title)
    return replace(task, title=_title(title), revision=task.revision + 1, updated_at=now)


def limit(task: Task, expires_at: datetime | None, now: datetime) -> Task:
    """Let it end at an instant, or, with None, at none; what ends with a target goes on doing so.

    Raises `BadInput` for an instant that has passed, `Conflict` where it has ended already.
    """
    if task.status not in (Status.ACTIVE, Status.PAUSED):
        raise Conflict(f"task_is_{task.status}", title=task.title)
    if task.lifecycle.term is Term.TARGET:
        lifecycle = Lifecycle(Term.TARGET, expires_at)
    else:
        lifecycle = PERMANENT if expires_at is None else until(expires_at)
    if lifecycle.over(now):
        raise BadInput("lifecycle_over")
    return replace(task, lifecycle=lifecycle, revision=task.revision + 1, updated_at=now)


def revise(task: Task, now: datetime, *, title: str | None = None, description: str | None = None) -> Task:
    """Count a change of what it consists of, with its words where they changed, too; not of one that is deleted."""
    if task.status is Status.DELETED:
        raise Conflict("task_is_deleted", title=task.title)
    words = task.description if description is None else description
    if len(words) > LONGEST_DESCRIPTION:
        raise TooLarge("task_description_long", limit=LONGEST_DESCRIPTION)
    name = task.title if title is None else _title(title)
    return replace(task, title=name, description=words, revision=task.revision + 1, updated_at=now)


def _moved(task: Task, status: Status, now: datetime, allowed: set[Status]) -> Task:
    # Whatever is not allowed is explained by where the task is: "it is completed, restore it first".
    if task.status not in allowed:
        raise Conflict(f"task_is_{task.status}", title=task.title)
    return replace(task, status=status, revision=task.revision + 1, updated_at=now)


def _title(text: str) -> str:
    title = " ".join(text.split())
    if not title:
        raise BadInput("task_title_empty")
    if len(title) > LONGEST_TITLE:
        raise TooLarge("task_title_long", limit=LONGEST_TITLE)
    return title
