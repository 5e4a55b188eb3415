"""task apply, undo, logs: what the document does not have: a whole task at once, taking back, and what happened."""

from __future__ import annotations

from typing import Annotated

import msgspec
from cyclopts import Parameter

from zhixing.faces.cli.desk import WHO, Desk
from zhixing.faces.cli.files import content_of
from zhixing.faces.cli.options import AtDesk
from zhixing.faces.miloco.addressing import outward
from zhixing.faces.miloco.envelope import Wire
from zhixing.faces.miloco.house import backend
from zhixing.faces.miloco.options import Maybe, Whole, since_of, within
from zhixing.faces.miloco.shaping import Iso, of_task
from zhixing.faces.miloco.tasks import Task, iso_of, slug_in
from zhixing.faces.miloco.usage import Usage, typed
from zhixing.household.plan import read_plan
from zhixing.household.viewing import LARGEST_LOG, LogLine
from zhixing.tasks.occurrence import reason_text

LARGEST_PLAN = 200_000
"""Bytes of a plan."""

PlanFile = Annotated[str, Parameter(name="PLAN")]


def apply(plan: PlanFile, /, *, desk: AtDesk) -> Wire:
    """Make a whole task, or nothing."""
    wanted = _read(plan, desk)
    with backend(desk) as app:
        made = app.household.apply(read_plan(wanted), who=WHO)
        return of_task(app.household.get(made.slug), iso_of(app))


def undo(task: Task, /, *, desk: AtDesk) -> Wire:
    """Take back the last change; doing so again does it again."""
    with backend(desk) as app:
        slug = slug_in(app, task)
        revision = app.household.undo(slug, who=WHO)
        changes = [{"part": each.part, "before": each.before, "after": each.after} for each in revision.changes]
        return {"task_id": slug, "revision": revision.number, "kind": revision.kind.value, "changes": changes}


def logs(task: Task, /, *, limit: Whole = 50, since: Maybe = None, desk: AtDesk) -> Wire:
    """Return what happened to a task, also to one that has ended."""
    within("--limit", limit, 1, LARGEST_LOG)
    start = since_of(since, desk.clock.now())
    with backend(desk) as app:
        found = app.household.logs(slug_in(app, task), since=start, limit=limit)
        write = iso_of(app)
        return {
            "task_id": found.slug,
            "since": write(found.since),
            "logs": [_line(line, write) for line in found.lines],
            "counts": {state.value: number for state, number in found.counts.items()},
            "near_misses": found.near_misses,
        }


def _read(plan: str, desk: Desk) -> object:
    try:
        with typed():
            return msgspec.json.decode(content_of(plan, desk, LARGEST_PLAN))
    except (msgspec.DecodeError, RecursionError, ValueError) as error:
        # A name that no file can have is a ValueError, too.
        raise Usage("miloco_plan_unreadable") from error


def _line(line: LogLine, write: Iso) -> Wire:
    occurrence = line.occurrence
    return {
        "at": write(line.at),
        "kind": line.kind.value,
        "part": line.part,
        "name": line.name,
        "rule_id": line.rule_id,
        "direction": None if line.direction is None else line.direction.value,
        "ref": line.job_id,
        "occurrence_id": None if occurrence is None else occurrence.id,
        "state": None if occurrence is None else occurrence.state.value,
        "count": 1 if occurrence is None else occurrence.count,
        "why": line.why,
        "why_text": reason_text(line.why) if line.why else "",
        "data": outward(line.data or {}, {}),
    }
