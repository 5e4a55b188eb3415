"""How tasks and rules are written for programs: the document's fields, ours behind them. Pure.

Source: miloco.md §1.4, §2.2 (`TaskView`), §10.4 (fields are added, never changed).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Any

from zhixing.faces.miloco.addressing import outward
from zhixing.faces.miloco.envelope import Wire
from zhixing.household.job_rows import Job
from zhixing.household.jobs import write_when
from zhixing.household.rulebook import write_rule
from zhixing.household.viewing import TaskView
from zhixing.tasks.records.views import RecordView
from zhixing.tasks.rules.model import DeviceAction, Mode, Plan, Response, Rule

Iso = Callable[[datetime | None], str | None]


def of_task(view: TaskView, iso: Iso) -> Wire:
    """Write a task with the briefs of its rules and what is linked to it."""
    task = view.task
    return {
        "task_id": view.slug,
        "description": task.description,
        "status": task.status.value,
        "paused_at": iso(view.paused_at),
        "created_at": iso(task.created_at),
        "rule_briefs": [of_brief(rule) for rule in view.rules],
        "links": [
            *({"kind": "rule", "ref": rule.id} for rule in view.rules),
            *({"kind": "cron", "ref": job.id} for job in view.jobs),
        ],
        "id": task.id,
        "lifecycle": task.lifecycle.term.value,
        "expires_at": iso(task.lifecycle.expires_at),
        "record_kind": None if view.record is None else view.record.kind.value,
        "crons": [of_job(job) for job in view.jobs],
        "revision": task.revision,
        "updated_at": iso(task.updated_at),
    }


def of_brief(rule: Rule) -> Wire:
    """Write what it takes to see whether two rules do the same."""
    plan = rule.plan
    fields = write_rule(plan)
    del fields["condition"]
    return {
        "rule_id": rule.id,
        "query": plan.trigger.query,
        "actions_desc": list(_answers(plan)),
        "enabled": rule.enabled,
        "sources": list(plan.trigger.sources),
        **fields,
    }


def of_rule(rule: Rule, slug: str, iso: Iso) -> Wire:
    """Write a rule with all its fields."""
    fields = write_rule(rule.plan)
    duration = fields["duration_seconds"]
    return {
        "id": rule.id,
        "name": fields.pop("name"),
        "task_id": slug,
        "mode": fields.pop("mode"),
        "lifecycle": "permanent",
        "enabled": rule.enabled,
        **fields,
        "terminate_when": None,
        "duration_ratio": None if duration is None else 1.0,
        "stopped_by": None if rule.stopped_by is None else rule.stopped_by.value,
        "revision": rule.revision,
        "created_at": iso(rule.created_at),
        "updated_at": iso(rule.updated_at),
    }


def of_job(job: Job) -> Wire:
    """Write a cron job that is linked to a task."""
    return {
        "ref": job.id,
        "name": job.plan.name,
        "schedule": write_when(job.plan.when),
        "message": job.plan.message,
        "enabled": job.plan.enabled,
    }


def of_summary(view: RecordView | None, iso: Iso) -> Wire | None:
    """Write how far a record is; None where there is none."""
    if view is None:
        return None
    since = view.open_since
    session: Wire | None = None
    if since is not None:
        session = {
            "started_at": iso(since),
            "elapsed_minutes": max(view.now - since, timedelta()) // timedelta(minutes=1),
        }
    end = view.period_end
    seconds = None if end is None else max((end - view.now) // timedelta(seconds=1), 0)
    return {
        "kind": view.kind.value,
        "completed": view.completed,
        "active_session": session,
        "window_remaining": None if seconds is None else {"seconds": seconds, "display": amount(seconds)},
        "derived": outward(view.derived(), {}),
    }


def amount(seconds: int) -> str:
    """Write a length of time: 5h 3m, 3m, 9s."""
    if seconds >= 3_600:
        return f"{seconds // 3_600}h {seconds % 3_600 // 60}m"
    return f"{seconds // 60}m" if seconds >= 60 else f"{seconds}s"


def _answers(plan: Plan) -> Iterator[str]:
    """Yield the answers as the document renders them: `iid=value`, `on_enter:iid`, words under the same prefix."""
    if plan.trigger.mode is Mode.EVENT:
        yield from (f"{action.iid}={_given(action)}" for action in plan.on_enter.actions)
        yield from plan.on_enter.descs
        return
    for prefix, response in (("on_enter", plan.on_enter), ("on_exit", plan.on_exit), ("on_target", plan.on_target)):
        yield from (f"{prefix}:{text}" for text in _named(response))


def _named(response: Response) -> Iterator[str]:
    yield from (action.iid for action in response.actions)
    yield from response.descs


def _given(action: DeviceAction) -> Any:
    if action.iid.startswith("action."):
        return list(action.params)
    return str(action.value).lower() if isinstance(action.value, bool) else action.value
