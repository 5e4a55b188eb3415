"""task create, link, list, get, summary, update, disable, enable, delete.

Source: miloco.md §2.2, §5. What hangs on a task stops, starts and ends with it inside the home, so `agent_pending`
(what a caller would have to do to cron jobs elsewhere) is always empty.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial
from typing import Annotated, Literal

from cyclopts import Parameter

from zhixing.app import App
from zhixing.faces.cli.desk import WHO
from zhixing.faces.cli.options import AtDesk
from zhixing.faces.miloco.addressing import outward, slug_of
from zhixing.faces.miloco.envelope import Wire
from zhixing.faces.miloco.house import backend, zone_of
from zhixing.faces.miloco.house import instant as iso
from zhixing.faces.miloco.options import Maybe, Reason, Text, instant, plain
from zhixing.faces.miloco.shaping import Iso, of_summary, of_task
from zhixing.household.operations import Switched
from zhixing.store.connection import Tx

EVER = timedelta(days=3_650)
"""How far back `summary --window all` adds up."""

Task = Annotated[str, Parameter(name="TASK")]
Owner = Annotated[str, Parameter(name=["--task", "--task-id"], negative=())]
TermOf = Annotated[Literal["permanent", "temporary", "target"] | None, Parameter(name="--lifecycle", negative=())]
Window = Annotated[Literal["day", "all"], Parameter(name="--window", negative=())]


def create(
    *, task_id: Text, description: Text, lifecycle: TermOf = None, expires_at: Maybe = None, desk: AtDesk
) -> Wire:
    """Make a task."""
    with backend(desk) as app:
        end = None if expires_at is None else instant(expires_at, desk.clock.now(), zone_of(app))
        made = app.household.create_task(task_id, description, who=WHO, lifecycle=lifecycle, expires_at=end)
        return {"task_id": made.slug, "id": made.task.id}


def link(*, task: Owner, kind: Text, ref: Text, desk: AtDesk) -> Wire:
    """Hang a cron job on a task."""
    with backend(desk) as app:
        slug = slug_in(app, task)
        linked = app.household.link(slug, kind, ref, who=WHO)
        return {"task_id": slug, "kind": kind, "ref": linked.id}


def list_(*, desk: AtDesk) -> list[Wire]:
    """Return the tasks that are active or paused."""
    with backend(desk) as app:
        return [of_task(view, iso_of(app)) for view in app.household.list()]


def get(task: Task, /, *, desk: AtDesk) -> Wire:
    """Return a task."""
    with backend(desk) as app:
        return of_task(app.household.get(slug_in(app, task)), iso_of(app))


def summary(*, window: Window = "day", desk: AtDesk) -> list[Wire]:
    """Return the tasks with how far their records are; `all` adds up what was ever recorded, too."""
    with backend(desk) as app:
        views = app.household.list()
        with app.store.read() as tx:
            return [
                {**of_task(view, iso_of(app)), "record": _record(app, tx, view.task.id, total=window == "all")}
                for view in views
            ]


def _record(app: App, tx: Tx, task_id: str, *, total: bool) -> Wire | None:
    found = of_summary(app.records.find(tx, task_id), iso_of(app))
    if found is None or not total:
        return found
    today = app.clock.now().astimezone(zone_of(app)).date()
    ever = app.records.compute(
        tx, task_id, first=(today - EVER).isoformat(), last=(today + timedelta(days=1)).isoformat()
    )
    return {**found, "total": ever["derived"]}


def update(task: Task, /, *, description: Text, desk: AtDesk) -> Wire:
    """Change the description."""
    with backend(desk) as app:
        slug = slug_in(app, task)
        app.household.update(slug, who=WHO, description=description)
        return of_task(app.household.get(slug), iso_of(app))


def disable(task: Task, /, *, desk: AtDesk) -> Wire:
    """Pause a task."""
    with backend(desk) as app:
        return _switched(app.household.disable(slug_in(app, task), who=WHO), iso_of(app))


def enable(task: Task, /, *, desk: AtDesk) -> Wire:
    """Resume a task."""
    with backend(desk) as app:
        return _switched(app.household.enable(slug_in(app, task), who=WHO), iso_of(app))


def delete(task: Task, /, *, reason: Reason = "completed", desk: AtDesk) -> Wire:
    """End a task."""
    with backend(desk) as app:
        ended = app.household.delete(slug_in(app, task), who=WHO, reason=reason)
        end = ended.termination
        return {
            "task_id": ended.slug,
            "backend_synced": {
                "rules_deleted": [rule.id for rule in ended.rules],
                "task_link_rows_deleted": len(ended.rules) + len(ended.jobs),
                "crons": [{"ref": job.id, "result": "ok"} for job in ended.jobs],
            },
            "agent_pending": [],
            "reason": end.reason.value,
            "record_kind": end.record_kind,
            "final_snapshot": outward(end.snapshot, {}),
            "terminated_at": iso_of(app)(end.at),
        }


def slug_in(app: App, written: str) -> str:
    """Return the document's name of the task that is meant."""
    with app.store.read() as tx:
        return slug_of(tx, plain(written))


def iso_of(app: App) -> Iso:
    """Return how instants are written in this home."""
    return partial(_iso, app)


def _iso(app: App, at: datetime | None) -> str | None:
    return iso(at, app)


def _switched(switched: Switched, write: Iso) -> Wire:
    paused = not switched.task.active
    return {
        "task_id": switched.slug,
        "status": switched.task.status.value,
        "backend_synced": {
            "meta_status": "ok" if switched.news else "noop",
            "rules": [{"rule_id": rule.id, "result": "ok", "enabled": rule.enabled} for rule in switched.rules],
            "crons": [{"ref": job.id, "result": "ok", "enabled": job.plan.enabled} for job in switched.jobs],
        },
        "agent_pending": [],
        "paused_at": write(switched.task.updated_at) if paused else None,
    }
