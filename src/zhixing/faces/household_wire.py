"""What programs get of household tasks: the JSON that the HTTP API and `zhixing … --json` share. Pure.

What the household document has a shape for is written in that shape and in its spelling: a rule as in `rule create`, a
record as in `task record get`, a schedule as the cron tool takes it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

import msgspec

from zhixing.faces import wire
from zhixing.faces.rule_words import plan_lines
from zhixing.faces.wire import Wire
from zhixing.household.doing.model import AgentRun, Step
from zhixing.household.jobs import write_when
from zhixing.household.overview import Overview, SeenJob
from zhixing.household.rulebook import write_rule
from zhixing.household.viewing import Log, LogLine
from zhixing.kernel.moments import iso
from zhixing.kernel.moments import zone as find_zone
from zhixing.tasks.occurrence import reason_text
from zhixing.tasks.records.views import RecordView
from zhixing.tasks.rules.model import Rule
from zhixing.tasks.schedule.words import in_words

Names = Mapping[str, str]


def of_task(seen: Overview, names: Names) -> Wire:
    """Write a household task with its parts; `names` are those of devices and cameras, by id."""
    task, zone = seen.task, find_zone(seen.task.zone)
    return {
        **wire.of_task(task),
        "slug": seen.parts.slug or None,
        "description": task.description,
        "term": task.lifecycle.term.value,
        "expiresAt": _instant(task.lifecycle.expires_at, zone),
        "pausedAt": _instant(seen.parts.paused_at, zone),
        "next": _instant(seen.next, zone),
        "rules": [of_rule(rule, names) for rule in seen.parts.rules],
        "cron": [of_job(job) for job in seen.jobs],
        "record": None if seen.record is None else of_record(seen.record),
        "runs": [of_run(run, zone) for run in seen.runs],
    }


def of_rule(rule: Rule, names: Names) -> Wire:
    """Write a rule; `rule` is what `rule create` takes."""
    zone = find_zone(rule.zone)
    return {
        "id": rule.id,
        "task": rule.task_id,
        "enabled": rule.enabled,
        "stoppedBy": None if rule.stopped_by is None else rule.stopped_by.value,
        "zone": rule.zone,
        "revision": rule.revision,
        "createdAt": iso(rule.created_at, zone),
        "updatedAt": iso(rule.updated_at, zone),
        "words": plan_lines(rule.plan, names),
        "rule": write_rule(rule.plan),
    }


def of_job(seen: SeenJob) -> Wire:
    """Write a cron job, with its next instants in its own zone."""
    job, schedule = seen.job, seen.schedule
    zone = find_zone(seen.zone)
    return {
        "id": job.id,
        "task": seen.slug,
        "name": job.plan.name,
        "schedule": write_when(job.plan.when),
        "words": None if schedule is None else in_words(schedule.trigger),
        "message": job.plan.message,
        "purpose": job.plan.purpose.value,
        "enabled": job.plan.enabled,
        "state": None if schedule is None else schedule.state.value,
        "next": [iso(at, zone) for at in seen.next],
    }


def of_record(record: RecordView) -> Wire:
    """Write a record as `task record get` does."""
    return record.shape()


def of_log(log: Log, zone: ZoneInfo) -> Wire:
    """Write what happened to a task, the latest first."""
    return {
        "slug": log.slug,
        "since": _instant(log.since, zone),
        "lines": [of_line(line, zone) for line in log.lines],
        "counts": {state.value: count for state, count in log.counts.items()},
        "nearMisses": log.near_misses,
    }


def of_line(line: LogLine, zone: ZoneInfo) -> Wire:
    """Write one line of a log."""
    occurrence = line.occurrence
    return {
        "at": iso(line.at, zone),
        "kind": line.kind.value,
        "part": line.part,
        "name": line.name,
        "rule": line.rule_id,
        "direction": None if line.direction is None else line.direction.value,
        "job": line.job_id,
        "why": line.why,
        "says": reason_text(line.why) if line.why else "",
        "occurrence": None if occurrence is None else wire.of_occurrence(occurrence, zone),
        "data": line.data,
    }


def of_step(step: Step, zone: ZoneInfo) -> Wire:
    """Write one command that was given to a device."""
    return {
        "number": step.number,
        "did": step.did,
        "iid": step.iid,
        "wanted": list(step.wanted) if isinstance(step.wanted, tuple) else step.wanted,
        "seen": step.seen,
        "state": step.state.value,
        "why": step.why() if step.reason else "",
        "tries": step.tries,
        "at": iso(step.at, zone),
    }


def of_run(run: AgentRun, zone: ZoneInfo) -> Wire:
    """Write something that waits, or waited, for the household agent."""
    return {
        "id": run.id,
        "task": run.task_id,
        "occurrence": run.occurrence_id,
        "origin": run.origin.value,
        "state": run.state.value,
        "why": run.why,
        "prompt": {**msgspec.to_builtins(run.prompt), "words": list(run.prompt.words)},
        "createdAt": iso(run.created_at, zone),
        "deadline": iso(run.deadline, zone),
        "endedAt": _instant(run.ended_at, zone),
    }


def of_page(tasks: Sequence[Wire], more: str | None) -> Wire:
    """Write a page of a list."""
    return {"tasks": list(tasks), "more": more}


def _instant(at: datetime | None, zone: ZoneInfo) -> str | None:
    return None if at is None else iso(at, zone)
