"""apply, logs, undo, pause, resume: what is done to a household task, beside what every task has."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from zhixing.faces import everything, household_wire, wire
from zhixing.faces.cli.desk import WHO
from zhixing.faces.cli.files import json_of
from zhixing.faces.cli.house import House, house
from zhixing.faces.cli.household_pages import task_page
from zhixing.faces.cli.options import AtDesk, Json, Limit, since_of, within
from zhixing.faces.cli.pages import INDENT, heading
from zhixing.faces.document_words import task_lines
from zhixing.faces.drawn import drawn
from zhixing.faces.everything import Filed
from zhixing.faces.goal_task_words import history_lines, pursued, see_pursuit
from zhixing.faces.household_words import log_lines
from zhixing.faces.wire import Wire
from zhixing.household import registry, viewing
from zhixing.household.overview import Overview, overview
from zhixing.household.plan import read_plan
from zhixing.household.viewing import LARGEST_LOG, Log
from zhixing.kernel.errors import BadInput
from zhixing.kernel.moments import zone as find_zone
from zhixing.kernel.wording import wording
from zhixing.tasks.task import Task, Way

LARGEST_PLAN = 1_048_576
"""Bytes of a file with a plan."""

Since = Annotated[str | None, Parameter(name="--since")]


def apply(plan: str, /, *, as_json: Json = False, desk: AtDesk) -> None:
    """Make a household task from its plan: all of it, or nothing."""
    read = read_plan(json_of(plan, desk, LARGEST_PLAN))
    with house(desk) as home:
        made = home.app.household.apply(read, who=WHO)
        seen, names = see(home, made.task.id), home.names()
        notes = home.household_notes()
    lines = [wording("faces.applied"), *task_page(seen, names, desk.clock.now()), *notes]
    desk.answer(household_wire.of_task(seen, names), lines, as_json=as_json)


def logs(task: str, /, *, since: Since = None, limit: Limit = 50, as_json: Json = False, desk: AtDesk) -> None:
    """Show what happened to a task, the latest first."""
    within("--limit", limit, 1, LARGEST_LOG)
    now = desk.clock.now()
    start = None if since is None else since_of(since, now)
    with house(desk) as home, home.app.store.read() as tx:
        found = home.task(tx, task)
        log = viewing.log(tx, registry.slug_of(tx, found.id) or "", found.id, start, limit)
        pursuit = see_pursuit(tx, found) if found.way is Way.GOAL else None
    zone = find_zone(found.zone)
    if pursuit is not None:
        lines = history_lines(pursuit, now, start)[::-1][:limit]
    else:
        lines = log_lines(log.lines, zone, now) or [wording("faces.log_nothing")]
        lines += [_counts(log)] if log.lines else []
    desk.answer(household_wire.of_log(log, zone), [heading(found), *(INDENT + line for line in lines)], as_json=as_json)


def undo(task: str, /, *, as_json: Json = False, desk: AtDesk) -> None:
    """Take back the latest change of a household task; doing so again does it again."""
    with house(desk) as home:
        with home.app.store.read() as tx:
            known = home.task_id(tx, task)
            slug = registry.slug_of(tx, known)
        if slug is None:
            raise BadInput("task_not_household", id=known[:64])
        home.app.household.undo(slug, who=WHO)
        seen, names = see(home, known), home.names()
    lines = [wording("faces.undone"), *task_page(seen, names, desk.clock.now())]
    desk.answer(household_wire.of_task(seen, names), lines, as_json=as_json)


def pause(task: str, /, *, as_json: Json = False, desk: AtDesk) -> None:
    """Stop a task at once, with everything that is pending of it."""
    with house(desk) as home:
        with home.app.store.write() as tx:
            paused = home.app.tasks.pause(tx, home.task_id(tx, task), who=WHO)
        lines = [wording("faces.paused", task=heading(paused), id=paused.id), *follow_notes(home, paused)]
        desk.answer(task_wire(home, paused), lines, as_json=as_json)


def resume(task: str, /, *, as_json: Json = False, desk: AtDesk) -> None:
    """End a pause; what passed meanwhile is not made up for."""
    with house(desk) as home:
        with home.app.store.write() as tx:
            resumed = home.app.tasks.resume(tx, home.task_id(tx, task), who=WHO)
        lines = [wording("faces.resumed", task=heading(resumed)), *follow_notes(home, resumed)]
        desk.answer(task_wire(home, resumed), lines, as_json=as_json)


def follow_notes(home: House, task: Task) -> list[str]:
    """Say what becomes of what a task stands for, where somebody has to know."""
    if task.way is Way.GOAL and not task.active:
        return [wording("goal_news.task_ended")]
    return home.graph_notes() if task.way is Way.GRAPH else []


def see(home: House, task_id: str) -> Overview:
    """Return everything about a household task."""
    with home.app.store.read() as tx:
        return overview(tx, home.app.records, task_id, home.app.clock.now())


def filed_lines(filed: Filed) -> list[str]:
    """Say what a document task is; of one without a file, its name."""
    return [heading(filed.task)] if filed.view is None else task_lines(filed.view)


def task_wire(home: House, task: Task) -> Wire:
    """Write a task of whatever way."""
    match task.way:
        case Way.NOTICE:
            return wire.of_notice(home.app.notices.get(task.id))
        case Way.HOUSEHOLD:
            return household_wire.of_task(see(home, task.id), home.names())
        case Way.DOCUMENT:
            with home.app.store.read() as tx:
                return everything.written(everything.filed(home.app, tx, task), {})
        case Way.GRAPH:
            with home.app.store.read() as tx:
                return everything.written(drawn(home.app, tx, task), {})
        case Way.GOAL:
            with home.app.store.read() as tx:
                return everything.written(pursued(tx, task), {})
        case _:
            return wire.of_task(task)


def _counts(log: Log) -> str:
    parts = [
        wording("faces.log_count", state=wording(f"tasks.occurrence_{state.value}"), count=count)
        for state, count in log.counts.items()
    ]
    if log.near_misses:
        parts.append(wording("faces.log_near_misses", count=log.near_misses))
    return wording("faces.log_counts", counts=wording("faces.and").join(parts))
