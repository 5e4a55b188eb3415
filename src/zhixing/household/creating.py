"""How a household task comes to be: at once from a plan, or step by step; inside the caller's transaction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from zhixing.household import job_rows, registry
from zhixing.household.job_rows import Job
from zhixing.household.jobs import Purpose
from zhixing.household.parts import Parts
from zhixing.household.plan import MOST_RULES, HouseholdPlan, check_target
from zhixing.household.revisions import title_of
from zhixing.kernel.errors import TooLarge
from zhixing.store.connection import Tx
from zhixing.tasks import store as tasks_store
from zhixing.tasks.records import store as records
from zhixing.tasks.records.model import Content
from zhixing.tasks.rules import store as rules
from zhixing.tasks.rules.model import Plan, Rule
from zhixing.tasks.task import Lifecycle, Task, Way


@dataclass(frozen=True, slots=True)
class Made:
    """What a plan became."""

    slug: str
    task: Task
    jobs: tuple[Job, ...]
    rules: tuple[Rule, ...]


def make_task(
    parts: Parts, tx: Tx, slug: str, description: str, lifecycle: Lifecycle, *, who: str, zone_name: str | None = None
) -> Task:
    """Make a task with nothing in it; raises `Conflict` while another one has its slug."""
    task = parts.tasks.create(
        tx,
        title=title_of(description),
        description=description,
        way=Way.HOUSEHOLD,
        zone_name=zone_name or parts.zone,
        lifecycle=lifecycle,
        who=who,
    )
    registry.enter(tx, slug, task.id)
    return task


def make_all(parts: Parts, tx: Tx, plan: HouseholdPlan, rule_plans: Sequence[Plan], *, who: str) -> Made:
    """Make everything of a plan, in the one order: task, record, schedules, rules."""
    task = make_task(parts, tx, plan.slug, plan.description, plan.lifecycle, who=who, zone_name=plan.zone)
    if plan.record is not None:
        add_record(parts, tx, task.id, plan.record, who=who)
    jobs = tuple(parts.carrying.add(tx, job, who=who, task_id=task.id) for job in plan.jobs)
    made = tuple(add_rule(parts, tx, task.id, rule, who=who) for rule in rule_plans)
    return Made(plan.slug, tasks_store.get(tx, task.id), jobs, made)


def add_record(parts: Parts, tx: Tx, task_id: str, content: Content, *, who: str) -> None:
    """Give a task its record; one with an end ends the task, too."""
    parts.records.init(tx, task_id, content, who=who)
    settle_end(parts, tx, task_id, None, content.expires_at, who=who)


def add_rule(parts: Parts, tx: Tx, task_id: str, plan: Plan, *, who: str) -> Rule:
    """Give a task a rule. Words for a target need the record to be there first."""
    if len(rules.of_task(tx, task_id)) >= MOST_RULES:
        raise TooLarge("rules_many", limit=MOST_RULES)
    record = records.find(tx, task_id)
    check_target(plan, None if record is None else record.content)
    return parts.rules.create(tx, task_id, plan, who=who)


def settle_end(parts: Parts, tx: Tx, task_id: str, old: datetime | None, new: datetime | None, *, who: str) -> None:
    """Let the task end with its record, whose end was `old` and is `new`.

    The first of all ends counts: the record's, those of termination jobs, and one that the task was given itself.
    """
    if old == new:
        return
    task = tasks_store.get(tx, task_id)
    of_jobs = [
        job.plan.when.at
        for job in job_rows.of_task(tx, task_id)
        if job.plan.purpose is Purpose.TERMINATE and job.plan.enabled
    ]
    own = task.lifecycle.expires_at
    ends = [new, *of_jobs, None if own in (old, *of_jobs) else own]
    parts.tasks.limit(tx, task_id, min((end for end in ends if end is not None), default=None), who=who, why="record")
