"""The cron tool: jobs by id, as agents and people use them. Every operation is one transaction.

Source: document 000 §Schedule, document 003's cron tool. A job of a task that has ended is gone with it; what it did
stays findable.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from zhixing.engine.model import Engine, Run
from zhixing.household import changing, job_rows, registry
from zhixing.household.carrying import END, MOST_JOBS
from zhixing.household.fields import Fields
from zhixing.household.job_rows import Job
from zhixing.household.jobs import LONGEST_MESSAGE, LONGEST_NAME, JobPlan, purposeful, read_job, read_when
from zhixing.household.parts import Parts
from zhixing.household.revisions import Kind
from zhixing.kernel.errors import BadInput, NotFound
from zhixing.kernel.moments import zone
from zhixing.store.connection import Store, Tx
from zhixing.tasks import occurrences
from zhixing.tasks import store as tasks_store
from zhixing.tasks.journal import CLOCK
from zhixing.tasks.occurrence import Occurrence, OccurrenceState
from zhixing.tasks.schedule import store as schedules
from zhixing.tasks.schedule.model import ScheduleState
from zhixing.tasks.schedule.next import next_due
from zhixing.tasks.scheduling import Scheduling

LARGEST_PAGE = 200


@dataclass(frozen=True, slots=True)
class JobView:
    """A job, the slug of the task it is linked to, and when it acts next; `ended` where it never does again."""

    job: Job
    slug: str | None
    zone: str
    next: datetime | None
    ended: bool


class CronJobs:
    """The operations. Registers the handler of terminations, so make it before the engine starts."""

    def __init__(self, store: Store, engine: Engine, parts: Parts, scheduling: Scheduling) -> None:
        self._store = store
        self._parts = parts
        self._scheduling = scheduling
        engine.register(END, self._end, gave_up=scheduling.action_gave_up)

    def add(self, said: object, *, who: str, slug: str | None = None) -> JobView:
        """Make a job from `{name, schedule, message, enabled?}`; without a task it is on its own until it is linked."""
        plan = read_job(said)
        with self._store.write() as tx:
            task_id = None if slug is None else registry.task_of(tx, slug)
            return _view(tx, self._parts.carrying.add(tx, plan, who=who, task_id=task_id))

    def list(self) -> tuple[JobView, ...]:
        """Return all jobs that live, the oldest first."""
        with self._store.read() as tx:
            return tuple(_view(tx, job) for job in job_rows.living(tx, MOST_JOBS))

    def get(self, job_id: str) -> JobView:
        """Return a job."""
        with self._store.read() as tx:
            return _view(tx, _living(tx, job_id))

    def update(self, job_id: str, said: object, *, who: str) -> JobView:
        """Change the name, schedule, message or enabled of a job; the rest stays."""
        patch = _Patch(said)
        with self._store.write() as tx:
            job = _living(tx, job_id)
            plan = patch.applied(job.plan)
            self._revise(tx, job, who, lambda: self._parts.carrying.put(tx, job, plan, who=who))
            return _view(tx, job_rows.get(tx, job_id))

    def remove(self, job_id: str, *, who: str) -> Job:
        """Remove a job; what is pending of it is cancelled."""
        with self._store.write() as tx:
            job = _living(tx, job_id)
            self._revise(tx, job, who, lambda: self._parts.carrying.drop(tx, job, who=who))
            return job

    def run(self, job_id: str, *, who: str) -> Occurrence:
        """Let a job act now, beside its schedule."""
        with self._store.write() as tx:
            return self._parts.carrying.run(tx, _living(tx, job_id), who=who)

    def runs(self, job_id: str, limit: int = 20) -> tuple[Occurrence, ...]:
        """Return what a job did, the latest first: also before it was linked, and after it was removed."""
        with self._store.read() as tx:
            job = job_rows.find(tx, job_id)
            if job is None:
                raise NotFound("job_unknown", id=job_id[:64])
            limit = max(1, min(limit, LARGEST_PAGE))
            where = dict.fromkeys(each for each in (job.task_id, job.carrier_id) if each is not None)
            found = [one for task_id in where for one in occurrences.of_part(tx, task_id, job.part, limit)]
            return tuple(sorted(found, key=lambda one: one.due, reverse=True)[:limit])

    def _revise(self, tx: Tx, job: Job, who: str, act: Any) -> None:
        """Do it as a revision of the task that the job is linked to."""

        def acted() -> Sequence[str]:
            act()
            return ()

        if job.linked:
            changing.revise(self._parts, tx, job.task_id, acted, kind=Kind.JOB, touched=(f"job:{job.id}",), who=who)
        else:
            acted()

    def _end(self, run: Run) -> None:
        """End the task of a termination; one that has ended already stays as it is."""
        with run.commit() as tx:
            occurrence = occurrences.get(tx, str(run.job.payload["occurrence"]))
            if not occurrence.open:
                return
            # First the occurrence: the end of its task would call it off, and this job with it.
            self._scheduling.finish_occurrence(tx, occurrence.id, OccurrenceState.DONE)
            task_id = _to_end(tx, job_rows.find(tx, str(run.job.payload["job"])))
            if task_id is not None:
                self._parts.tasks.expire(tx, task_id, who=CLOCK, why="termination")


class _Patch:
    """What is to be changed about a job."""

    def __init__(self, said: object) -> None:
        fields = Fields(said)
        self._name = fields.text("name", LONGEST_NAME) if fields.has("name") else None
        self._message = fields.text("message", LONGEST_MESSAGE) if fields.has("message") else None
        self._enabled = fields.truth("enabled") if fields.has("enabled") else None
        self._when = read_when(fields.raw("schedule"), "schedule") if fields.has("schedule") else None
        fields.close()
        if not isinstance(said, Mapping) or not said:
            raise BadInput("job_nothing_to_change")

    def applied(self, plan: JobPlan) -> JobPlan:
        """Return the plan as it is wanted."""
        return purposeful(
            replace(
                plan,
                name=self._name or plan.name,
                message=self._message or plan.message,
                when=self._when or plan.when,
                enabled=plan.enabled if self._enabled is None else self._enabled,
            ),
            renewed=self._message is not None,
        )


def _living(tx: Tx, job_id: str) -> Job:
    job = job_rows.get(tx, job_id)
    if tasks_store.get(tx, job.task_id).status not in registry.LIVING:
        raise NotFound("job_unknown", id=job_id[:64])
    return job


def _to_end(tx: Tx, job: Job | None) -> str | None:
    """Return the living task that a termination ends: the one it is linked to, or, on its own, the one that it names.

    A task that is younger than the job is another one that was given the slug later.
    """
    if job is None:
        return None
    if job.linked:
        task = tasks_store.get(tx, job.task_id)
        return task.id if task.status in registry.LIVING else None
    found = None if job.plan.ends is None else registry.find(tx, job.plan.ends)
    if found is None or tasks_store.get(tx, found).created_at > job.created_at:
        return None
    return found


def _view(tx: Tx, job: Job) -> JobView:
    schedule = schedules.find_part(tx, job.task_id, job.part)
    slug = registry.slug_of(tx, job.task_id) if job.linked else None
    if schedule is None:
        return JobView(job, slug, job.plan.when.zone or tasks_store.get(tx, job.task_id).zone, None, ended=False)
    following = None
    if schedule.state is ScheduleState.ACTIVE:
        following = next_due(schedule.trigger, zone(schedule.zone), schedule.settled)
    return JobView(job, slug, schedule.zone, following, ended=schedule.state is ScheduleState.ENDED)
