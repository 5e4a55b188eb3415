"""One household task, or many, for somebody who looks: with what is due next, what is recorded, and what waits."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from zhixing.household import registry
from zhixing.household.doing import runs
from zhixing.household.doing.model import AgentRun
from zhixing.household.job_rows import Job
from zhixing.household.registry import Named
from zhixing.household.viewing import TaskView, view
from zhixing.kernel.errors import BadInput, NotFound
from zhixing.kernel.moments import zone
from zhixing.store.connection import Tx
from zhixing.tasks import store as tasks
from zhixing.tasks.records.operations import Records
from zhixing.tasks.records.views import RecordView
from zhixing.tasks.schedule import store as schedules
from zhixing.tasks.schedule.model import Schedule, ScheduleState
from zhixing.tasks.schedule.next import upcoming
from zhixing.tasks.searching import having
from zhixing.tasks.task import Status, Task, Way

LARGEST_PAGE = 200
"""Tasks given at most at once."""
NEXT_SHOWN = 3
"""Instants of a job that are shown."""


@dataclass(frozen=True, slots=True)
class SeenJob:
    """A cron job with the slug of its task, its schedule (None: it is disabled) and its next instants."""

    job: Job
    slug: str | None
    zone: str
    schedule: Schedule | None
    next: tuple[datetime, ...]


@dataclass(frozen=True, slots=True)
class Overview:
    """A household task with everything about it. A job nobody linked has a task of its own, whose slug is empty."""

    parts: TaskView
    jobs: tuple[SeenJob, ...]
    record: RecordView | None
    runs: tuple[AgentRun, ...]
    """What waits for the household agent."""

    @property
    def task(self) -> Task:
        """The task itself."""
        return self.parts.task

    @property
    def next(self) -> datetime | None:
        """The next instant of all its jobs."""
        return min((job.next[0] for job in self.jobs if job.next), default=None)


@dataclass(frozen=True, slots=True)
class Page:
    """Some tasks, newest first; `more` is the cursor of the next page, if there is one."""

    tasks: tuple[Task, ...]
    more: str | None


def id_of(tx: Tx, written: str) -> str | None:
    """Return the id of the household task that lives, or last lived, under a name; None where none did."""
    return registry.newest(tx, written)


def overview(tx: Tx, records: Records, task_id: str, now: datetime) -> Overview:
    """Return everything about a household task; raise `NotFound` for a task of another way or none."""
    task = tasks.get(tx, task_id)
    if task.way is not Way.HOUSEHOLD:
        raise NotFound("household_task_unknown", slug=task_id[:64])
    slug = registry.slug_of(tx, task_id) or ""
    named = registry.get(tx, slug) if slug and registry.find(tx, slug) == task_id else Named(slug, task, None)
    parts = view(tx, named)
    return Overview(
        parts,
        tuple(see_job(tx, job, now) for job in parts.jobs),
        records.find(tx, task_id),
        tuple(runs.open_of_task(tx, task_id)),
    )


def see_job(tx: Tx, job: Job, now: datetime) -> SeenJob:
    """Return a job with what its schedule will do."""
    schedule = schedules.find_part(tx, job.task_id, job.part)
    slug = registry.slug_of(tx, job.task_id) if job.linked else None
    if schedule is None:
        return SeenJob(job, slug, job.plan.when.zone or tasks.get(tx, job.task_id).zone, None, ())
    ahead: list[datetime] = []
    if schedule.state is ScheduleState.ACTIVE:
        ahead = upcoming(schedule.trigger, zone(schedule.zone), max(schedule.settled, now), NEXT_SHOWN)
    return SeenJob(job, slug, schedule.zone, schedule, tuple(ahead))


def page(
    tx: Tx, *, statuses: Collection[Status] = (), words: str = "", limit: int = 50, before: str | None = None
) -> Page:
    """List household tasks of the given statuses (none given: all), newest first, from behind the cursor.

    Tasks that only carry a message which was pushed are left out. With `words` only those are listed that have all of
    them in their title or description.
    """
    limit = max(1, min(limit, LARGEST_PAGE))
    named = "SELECT 1 FROM household_tasks WHERE household_tasks.task_id = tasks.id"
    carries = "SELECT 1 FROM cron_jobs WHERE cron_jobs.task_id = tasks.id AND cron_jobs.removed = 0"
    where, params = [f"(EXISTS ({named}) OR EXISTS ({carries}))"], list[object]()
    if statuses:
        where.append(f"status IN ({', '.join('?' * len(statuses))})")
        params.extend(status.value for status in statuses)
    said, sought = having(words, "title", "description")
    where, params = where + said, params + sought
    if before is not None:
        where.append("number < ?")
        params.append(_number(before))
    rows = tx.rows(
        f"SELECT id FROM tasks WHERE way = 'household' AND {' AND '.join(where)} ORDER BY number DESC LIMIT ?",
        (*params, limit + 1),
    )
    found = tuple(tasks.get(tx, str(row[0])) for row in rows[:limit])
    return Page(found, found[-1].id if len(rows) > limit else None)


def _number(task_id: str) -> int:
    digits = task_id.removeprefix("t")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 18):
        raise BadInput("cursor_unreadable", text=task_id[:64])
    return int(digits)
