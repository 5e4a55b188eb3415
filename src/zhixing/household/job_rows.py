"""The rows of cron jobs."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import msgspec

from zhixing.household.jobs import JobPlan, Purpose, When, read_when, write_when
from zhixing.kernel.errors import NotFound
from zhixing.kernel.moments import from_micros, micros
from zhixing.store.connection import Row, Tx
from zhixing.store.counters import next_number

_COLUMNS = "id, task_id, carrier_id, name, schedule, message, purpose, enabled, removed, created_at, updated_at"


@dataclass(frozen=True, slots=True)
class Job:
    """A job. `task_id` carries it now; `carrier_id` is the task of its own that it began with, if it did.

    One that is removed is kept, so that what it did stays findable and taking the removal back gives it its id again.
    """

    id: str
    task_id: str
    carrier_id: str | None
    plan: JobPlan
    removed: bool
    created_at: datetime
    updated_at: datetime

    @property
    def part(self) -> str:
        """The part of the task that its schedule and its occurrences have."""
        return part_of(self.id)

    @property
    def linked(self) -> bool:
        """Whether it belongs to a task."""
        return self.task_id != self.carrier_id


def part_of(job_id: str) -> str:
    """Return the part that stands for a job in its task."""
    return f"cron:{job_id}"


def new_id(tx: Tx) -> str:
    """Return the next job id: j1, then j2, and so on."""
    return f"j{next_number(tx, 'cron_job')}"


def insert(tx: Tx, job: Job) -> None:
    """Add a job whose id comes from `new_id`."""
    tx.execute(
        f"INSERT INTO cron_jobs (number, {_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (int(job.id[1:]), job.id, job.task_id, job.carrier_id, *_written(job)),
    )


def save(tx: Tx, job: Job) -> None:
    """Write what changed about a job."""
    tx.execute(
        "UPDATE cron_jobs SET name = ?, schedule = ?, message = ?, purpose = ?, enabled = ?, removed = ?,"
        " created_at = ?, updated_at = ?, task_id = ? WHERE id = ?",
        (*_written(job), job.task_id, job.id),
    )


def find(tx: Tx, job_id: str) -> Job | None:
    """Return the job of that id, removed or not."""
    row = tx.row(f"SELECT {_COLUMNS} FROM cron_jobs WHERE id = ?", (job_id,))
    return None if row is None else _read(row)


def get(tx: Tx, job_id: str) -> Job:
    """Return a job that is not removed; raise `NotFound` where there is none."""
    job = find(tx, job_id)
    if job is None or job.removed:
        raise NotFound("job_unknown", id=job_id[:64])
    return job


def of_task(tx: Tx, task_id: str) -> list[Job]:
    """Return the jobs that a task carries, the oldest first; their number is bounded by that of its schedules."""
    rows = tx.rows(f"SELECT {_COLUMNS} FROM cron_jobs WHERE task_id = ? AND removed = 0 ORDER BY number", (task_id,))
    return [_read(row) for row in rows]


def living(tx: Tx, limit: int) -> list[Job]:
    """Return the jobs of all tasks that live, the oldest first."""
    columns = ", ".join(f"cron_jobs.{name}" for name in _COLUMNS.split(", "))
    rows = tx.rows(
        f"SELECT {columns} FROM cron_jobs JOIN tasks ON tasks.id = cron_jobs.task_id"
        " WHERE removed = 0 AND tasks.status IN ('active', 'paused') ORDER BY cron_jobs.number LIMIT ?",
        (limit,),
    )
    return [_read(row) for row in rows]


def count(tx: Tx) -> int:
    """Return how many jobs live."""
    row = tx.row(
        "SELECT count(*) FROM cron_jobs JOIN tasks ON tasks.id = cron_jobs.task_id"
        " WHERE removed = 0 AND tasks.status IN ('active', 'paused')"
    )
    return 0 if row is None else int(row[0])


def write_when_text(when: When) -> str:
    """Write when a job acts, as one text."""
    return msgspec.json.encode({**write_when(when), **({} if when.zone is None else {"tz": when.zone})}).decode()


def _written(job: Job) -> tuple[object, ...]:
    plan = job.plan
    return (
        plan.name,
        write_when_text(plan.when),
        plan.message,
        plan.purpose.value,
        int(plan.enabled),
        int(job.removed),
        micros(job.created_at),
        micros(job.updated_at),
    )


def _read(row: Row) -> Job:
    identity, task_id, carrier_id, name, schedule, message, purpose, enabled, removed, created, updated = row
    plan = JobPlan(name, read_when(msgspec.json.decode(schedule)), message, Purpose(purpose), bool(enabled))
    return Job(identity, task_id, carrier_id, plan, bool(removed), from_micros(created), from_micros(updated))
