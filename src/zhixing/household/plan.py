"""A household task as one plan: what `task apply` takes, and what the understanding of issue 4 hands in. Pure.

    {"task": {task_id, description, lifecycle, expires_at}, "record": null | {kind, content},
     "schedules": [{name, kind, expr, tz, at, every_ms, message, purpose}], "rules": [the flat fields of a rule]}

Fields that only say where a value came from, and what belongs to the talk about the plan (tips, questions, steps), may
be there and say nothing here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from zhixing.household.fields import Fields, one_line
from zhixing.household.jobs import JobKind, JobPlan, Purpose, read_job_plan
from zhixing.household.rule_reading import read_fields
from zhixing.household.rulebook import RuleFields, make_plan
from zhixing.kernel.errors import BadInput
from zhixing.kernel.moments import parse_instant, zone
from zhixing.tasks.records.content import read_content
from zhixing.tasks.records.model import Content, RecordKind
from zhixing.tasks.rules.model import Plan
from zhixing.tasks.task import PERMANENT, Lifecycle, Term, until

LONGEST_DESCRIPTION = 200
MOST_RULES = 20
"""Rules of one task."""
MOST_JOBS = 20
"""Schedules of one plan."""

_SLUG = re.compile(r"[a-z0-9_]{1,32}", re.ASCII)
_ABOUT = ("questions", "tips", "steps", "final", "notes")


@dataclass(frozen=True, slots=True)
class HouseholdPlan:
    """One task with all it consists of; `zone` is None where it is the home's."""

    slug: str
    description: str
    lifecycle: Lifecycle
    zone: str | None = None
    record: Content | None = None
    jobs: tuple[JobPlan, ...] = ()
    rules: tuple[RuleFields, ...] = ()


def read_plan(value: object) -> HouseholdPlan:
    """Read a plan; raise `BadInput` with the one thing that is wrong first."""
    said = Fields(value)
    if said.has("op") and said.raw("op") != "create":
        raise BadInput("plan_op")
    if said.raw("reject"):
        raise BadInput("plan_rejected")
    said.ignore(*_ABOUT)
    task = Fields(said.needed("task"), "task")
    slug = read_slug(task.text("task_id", 64))
    description = read_description(task.raw("description"))
    term = task.choice("lifecycle", [one.value for one in Term]) if task.has("lifecycle") else None
    end = parse_instant(task.text("expires_at", 64)) if task.has("expires_at") else None
    task.close(("_origin",))
    zone_name = None
    if said.has("tz"):
        zone_name = said.text("tz", 64)
        zone(zone_name)
    record = _record(said)
    jobs = tuple(read_job_plan(item, place) for place, item in said.items("schedules", MOST_JOBS))
    rules = tuple(read_fields(item, place) for place, item in said.items("rules", MOST_RULES))
    said.close(("_origin",))
    lifecycle = _lifecycle(term, end, record, jobs, rules)
    plan = HouseholdPlan(slug, description, lifecycle, zone_name, record, jobs, rules)
    _check(plan)
    return plan


def read_slug(value: object) -> str:
    """Return a name of a task as the document wants it: 1 to 32 of a–z, 0–9 and _."""
    if not isinstance(value, str) or _SLUG.fullmatch(value) is None:
        raise BadInput("task_slug", text=str(value)[:64])
    return value


def read_description(value: object) -> str:
    """Return what a task is for, in 1 to 200 characters on one line."""
    words = one_line(value) if isinstance(value, str) else ""
    if not 1 <= len(words) <= LONGEST_DESCRIPTION:
        raise BadInput("task_words", limit=LONGEST_DESCRIPTION)
    return words


def read_lifecycle(term: str | None, ends: Sequence[datetime], *, ends_itself: bool = False) -> Lifecycle:
    """Return how long a task lives: until the first of its `ends`, if it has one.

    Temporary without an end is only what ends by itself: tasks that are nothing but an `at`.
    """
    if term is not None and term not in set(Term):
        raise BadInput("choice_unknown", name="lifecycle", value=term[:32], choices="、".join(Term))
    end = min(ends, default=None)
    if term == Term.TARGET:
        return Lifecycle(Term.TARGET, end)
    if end is not None:
        return Lifecycle(Term.PERMANENT, end) if term == Term.PERMANENT else until(end)
    if term == Term.TEMPORARY and not ends_itself:
        raise BadInput("lifecycle_without_end")
    return PERMANENT


def check_target(rule: Plan, content: Content | None) -> None:
    """Words for a target need a record of time that has one (miloco §1.5)."""
    if not rule.on_target:
        return
    if content is None:
        raise BadInput("rule_target_without_record")
    if content.kind is not RecordKind.DURATION:
        raise BadInput("rule_target_other_record")
    if content.target is None:
        raise BadInput("rule_target_without_minutes")


def _lifecycle(
    term: str | None, end: datetime | None, record: Content | None, jobs: Sequence[JobPlan], rules: Sequence[RuleFields]
) -> Lifecycle:
    if term == Term.PERMANENT and end is not None:
        raise BadInput("lifecycle_with_end")
    of_record = None if record is None else record.expires_at
    of_jobs = [job.when.at for job in jobs if job.purpose is Purpose.TERMINATE]
    once = bool(jobs) and not rules and all(job.when.kind is JobKind.AT for job in jobs)
    term = None if term == Term.PERMANENT else term
    return read_lifecycle(term, [one for one in (end, of_record, *of_jobs) if one is not None], ends_itself=once)


def _record(said: Fields) -> Content | None:
    if not said.has("record"):
        return None
    record = Fields(said.raw("record"), "record")
    kind = record.choice("kind", [one.value for one in RecordKind])
    content: Any = record.raw("content") if record.has("content") else {}
    record.ignore("task_type")
    record.close(("_origin",))
    return read_content(kind, content)


def _check(plan: HouseholdPlan) -> None:
    if not plan.rules and not plan.jobs:
        raise BadInput("plan_without_trigger")
    if plan.record is not None and not plan.rules:
        raise BadInput("plan_record_without_rule")
    names = [rule.name for rule in plan.rules]
    if len(set(names)) != len(names):
        raise BadInput("plan_rule_twice")
    for rule in plan.rules:
        check_target(make_plan(rule), plan.record)
