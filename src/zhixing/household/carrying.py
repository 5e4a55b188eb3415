"""Cron jobs hung on tasks: the schedule behind each job, inside the caller's transaction.

A job is a schedule of its task, part `cron:<job id>`. One that is disabled has no schedule, so that the end of a pause
does not start it. A job nobody linked is carried by a task of its own, which has no slug and goes silently when the job
is linked; what happened under it stays findable.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any

import msgspec

from zhixing.engine.model import Engine
from zhixing.engine.model import Job as Work
from zhixing.household import job_rows, registry
from zhixing.household.doing.messaging import MESSAGE
from zhixing.household.job_rows import Job
from zhixing.household.jobs import JobPlan, Purpose, read_when
from zhixing.household.wrapping_up import WrappingUp
from zhixing.kernel.clock import Clock
from zhixing.kernel.errors import Conflict, TooLarge
from zhixing.store.connection import Tx
from zhixing.tasks import occurrences
from zhixing.tasks import store as tasks_store
from zhixing.tasks.occurrence import Occurrence, OccurrenceState
from zhixing.tasks.operations import Tasks
from zhixing.tasks.schedule import store as schedules
from zhixing.tasks.schedule.model import Action, At
from zhixing.tasks.scheduling import Scheduling
from zhixing.tasks.task import Way

END = "household.end"
"""The name of the job that ends a task because its termination is due."""
MOST_JOBS = 500
"""Cron jobs that live at the same time."""
_ACTIONS = {Purpose.REMIND: MESSAGE, Purpose.TERMINATE: END}


class Carrying:
    """What `CronJobs` and the household's operations do to jobs."""

    def __init__(
        self, engine: Engine, clock: Clock, *, tasks: Tasks, scheduling: Scheduling, wrapping_up: WrappingUp, zone: str
    ) -> None:
        self._engine = engine
        self._clock = clock
        self._tasks = tasks
        self._scheduling = scheduling
        self._wrapping_up = wrapping_up
        self._zone = zone

    def add(self, tx: Tx, plan: JobPlan, *, who: str, task_id: str | None = None) -> Job:
        """Make a job, of a task or on its own."""
        if job_rows.count(tx) >= MOST_JOBS:
            raise TooLarge("jobs_many", limit=MOST_JOBS)
        now = self._clock.now()
        plan = anchored(plan, now)
        carrier = self._carrier(tx, plan, who) if task_id is None else None
        job = Job(
            job_rows.new_id(tx), task_id or carrier or "", carrier, plan, removed=False, created_at=now, updated_at=now
        )
        job_rows.insert(tx, job)
        self._schedule(tx, job, who)
        self._end_with(tx, job, who=who)
        return job

    def put(self, tx: Tx, job: Job, plan: JobPlan, *, who: str, removed: bool = False) -> Job:
        """Bring a job into another state; what is settled is not run again, what is pending of an old schedule ends."""
        now = self._clock.now()
        plan = anchored(plan, now)
        after = replace(job, plan=plan, removed=removed, updated_at=now)
        job_rows.save(tx, after)
        same = (plan.when, plan.enabled, plan.purpose) == (job.plan.when, job.plan.enabled, job.plan.purpose)
        if not same or removed != job.removed:
            self._unschedule(tx, job, who)
            if not removed:
                self._schedule(tx, after, who)
                self._end_with(tx, after, who=who, before=job)
        return after

    def drop(self, tx: Tx, job: Job, *, who: str) -> None:
        """Remove a job; one on its own takes its carrier with it, silently."""
        self.put(tx, job, job.plan, who=who, removed=True)
        if not job.linked and tasks_store.get(tx, job.task_id).status in registry.LIVING:
            self._tasks.delete(tx, job.task_id, who=who, why="removed")

    def link(self, tx: Tx, job: Job, task_id: str, *, who: str) -> Job:
        """Hang a job that is on its own on a task."""
        if job.linked:
            raise Conflict("job_linked", id=job.id)
        schedule = schedules.find_part(tx, job.task_id, job.part)
        if schedule is not None:
            self._scheduling.move(tx, schedule.id, task_id, who=who)
        carrier = tasks_store.get(tx, job.task_id)
        linked = replace(job, task_id=task_id, updated_at=self._clock.now())
        job_rows.save(tx, linked)
        if carrier.status in registry.LIVING:
            if occurrences.open_of(tx, carrier.id, job.part):
                # What is under way ends where it began; the carrier goes behind it.
                self._wrapping_up.expect(tx, carrier.id, self._clock.now())
            else:
                self._tasks.delete(tx, carrier.id, who=who, why="linked")
        self._end_with(tx, linked, who=who)
        self._expect_last(tx, linked)
        return linked

    def run(self, tx: Tx, job: Job, *, who: str) -> Occurrence:
        """Let a job act now, beside its schedule and whether or not it is enabled."""
        task = tasks_store.get(tx, job.task_id)
        if not task.active:
            raise Conflict(f"task_is_{task.status.value}", title=task.title)
        now = self._clock.now()
        key = f"by hand {now.isoformat()}"
        made = occurrences.new(task.id, job.part, key, now, OccurrenceState.CLAIMED, now=now)
        entered = occurrences.add(tx, made, now=now, who=who, data={"by_hand": True})
        if entered is None:
            return occurrences.find(tx, task.id, job.part, key) or made
        payload = {"job": job.id, "occurrence": entered.id, "task": task.id, "part": job.part, "due": now.isoformat()}
        self._engine.enqueue(tx, Work(_ACTIONS[job.plan.purpose], entered.id, now, payload))
        return entered

    def _carrier(self, tx: Tx, plan: JobPlan, who: str) -> str:
        return self._tasks.create(
            tx, title=plan.name, way=Way.HOUSEHOLD, zone_name=plan.when.zone or self._zone, who=who
        ).id

    def _schedule(self, tx: Tx, job: Job, who: str) -> None:
        plan = job.plan
        if not plan.enabled:
            return
        self._scheduling.add(
            tx,
            job.task_id,
            part=job.part,
            trigger=plan.when.trigger(self._clock.now()),
            zone_name=plan.when.zone or tasks_store.get(tx, job.task_id).zone,
            action=Action(_ACTIONS[plan.purpose], {"job": job.id}),
            who=who,
        )
        self._expect_last(tx, job)

    def _unschedule(self, tx: Tx, job: Job, who: str) -> None:
        schedule = schedules.find_part(tx, job.task_id, job.part)
        if schedule is not None:
            self._scheduling.remove(tx, schedule.id, who=who)

    def _expect_last(self, tx: Tx, job: Job) -> None:
        """See to it that a task which is nothing but an `at` ends behind it."""
        schedule = schedules.find_part(tx, job.task_id, job.part)
        if schedule is not None and isinstance(schedule.trigger, At):
            self._wrapping_up.expect(tx, job.task_id, schedule.trigger.at)

    def _end_with(self, tx: Tx, job: Job, *, who: str, before: Job | None = None) -> None:
        """Let the engine itself end the task of a termination, at the same instant or earlier."""
        at = job.plan.when.at
        if job.plan.purpose is not Purpose.TERMINATE or not job.plan.enabled or not job.linked or at is None:
            return
        task = tasks_store.get(tx, job.task_id)
        end = task.lifecycle.expires_at
        moved = before is not None and before.plan.when.at == end
        if at > self._clock.now() and (end is None or at < end or moved):
            self._tasks.limit(tx, job.task_id, at, who=who, why="termination")


def anchored(plan: JobPlan, now: datetime) -> JobPlan:
    """Return the plan with the grid of an `every` fixed: it begins when it was first said."""
    if not plan.when.every or plan.when.anchor is not None:
        return plan
    return replace(plan, when=replace(plan.when, anchor=now))


def write_job(job: Job) -> dict[str, Any]:
    """Write the state of a job for its revisions."""
    plan = job.plan
    return {
        "name": plan.name,
        "schedule": msgspec.json.decode(job_rows.write_when_text(plan.when)),
        "message": plan.message,
        "purpose": plan.purpose.value,
        "enabled": plan.enabled,
    }


def read_job_state(state: dict[str, Any]) -> JobPlan:
    """Read what `write_job` wrote."""
    return JobPlan(
        state["name"], read_when(state["schedule"]), state["message"], Purpose(state["purpose"]), state["enabled"]
    )
