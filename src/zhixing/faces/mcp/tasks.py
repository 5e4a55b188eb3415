"""Tools: the tasks of the home, of whatever way: reminders, household tasks, tasks of files, rules of the hub."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from zhixing.faces import everything, household_wire, wire
from zhixing.faces.cli.house import House
from zhixing.faces.cli.household_tasks import see, task_wire
from zhixing.faces.cli.options import since_of, task_id
from zhixing.faces.cli.rule_tasks import rule_of
from zhixing.faces.drawn import of_drawn
from zhixing.faces.goal_task_words import of_pursuit, see_pursuit
from zhixing.faces.mcp.arguments import Before, Limit, TaskName, slug_of
from zhixing.faces.mcp.tool import WHO, Effect, Tool
from zhixing.faces.wire import Wire
from zhixing.household import registry, viewing
from zhixing.kernel.moments import zone as find_zone
from zhixing.tasks import journal, occurrences
from zhixing.tasks.task import Status, Task, Way

_OPEN = ("active", "paused")


def task_list(
    home: House,
    *,
    status: Annotated[
        list[Literal["active", "paused", "completed", "expired", "deleted"]],
        Field(max_length=5, description="Only these. Not given: active and paused."),
    ] = [],  # noqa: B006 - read into a model, which copies it
    way: Annotated[
        Literal["notice", "household", "document", "graph", "goal"] | None,
        Field(
            description="Only reminders (notice), household tasks, tasks of files, rules of a hub (graph), or goals."
        ),
    ] = None,
    limit: Limit = 50,
    before: Before = None,
) -> Wire:
    """List tasks, the newest first. Look here before you make one: the same wish may be there already."""
    app = home.app
    with app.store.read() as tx:
        page = everything.page(
            app,
            tx,
            app.clock.now(),
            statuses=[Status(one) for one in status or _OPEN],
            ways=[Way(way)] if way else [],
            limit=limit,
            before=None if before is None else task_id(before),
        )
    names = home.names()
    return {"tasks": [everything.written(one, names) for one in page.items], "more": page.more}


def task_show(home: House, *, task: TaskName) -> Wire:
    """Show everything about a task: its parts, what it did (`occurrences`), what was done to it (`journal`)."""
    with home.app.store.read() as tx:
        found = home.task(tx, task)
        happened = occurrences.of_task(tx, found.id)
        entries = journal.of_task(tx, found.id)
    zone = find_zone(found.zone)
    return {
        **_shape(home, found),
        "occurrences": [wire.of_occurrence(one, zone) for one in happened],
        "journal": [wire.of_entry(entry, zone) for entry in reversed(entries)],
    }


def _shape(home: House, task: Task) -> Wire:
    """Write a task with what it stands for elsewhere."""
    if task.way is Way.GRAPH:
        ruled = rule_of(home, task)
        return of_drawn(ruled.drawn, ruled)
    if task.way is Way.GOAL:
        with home.app.store.read() as tx:
            return of_pursuit(see_pursuit(tx, task))
    return task_wire(home, task)


def task_logs(
    home: House,
    *,
    task: TaskName,
    since: Annotated[
        str | None, Field(max_length=64, description="Instant with an offset, or how long ago: 2h, 7d.")
    ] = None,
    limit: Limit = 50,
) -> Wire:
    """List what happened to a task, the latest first: what fired, what came due, what came close and why not."""
    start = None if since is None else since_of(since, home.app.clock.now())
    with home.app.store.read() as tx:
        found = home.task(tx, task)
        log = viewing.log(tx, registry.slug_of(tx, found.id) or "", found.id, start, limit)
    return household_wire.of_log(log, find_zone(found.zone))


def task_pause(home: House, *, task: TaskName) -> Wire:
    """Stop a task at once, with everything that is pending of it. `task_resume` takes it back."""
    with home.app.store.write() as tx:
        paused = home.app.tasks.pause(tx, home.task_id(tx, task), who=WHO)
    return task_wire(home, paused)


def task_resume(home: House, *, task: TaskName) -> Wire:
    """End a pause; what passed meanwhile is not made up for."""
    with home.app.store.write() as tx:
        resumed = home.app.tasks.resume(tx, home.task_id(tx, task), who=WHO)
    return task_wire(home, resumed)


def task_done(
    home: House,
    *,
    task: TaskName,
    once: Annotated[bool, Field(description="Only one time of what repeats; the rest goes on.")] = False,
) -> Wire:
    """Mark a task done: nothing of it will be told or watched any more. `task_restore` takes it back."""
    if once:
        with home.app.store.read() as tx:
            known = home.task_id(tx, task)
        notice, _ = home.app.repeating.done_once(known, who=WHO)
        return wire.of_notice(notice)
    with home.app.store.write() as tx:
        ended = home.app.tasks.complete(tx, home.task_id(tx, task), who=WHO)
    return task_wire(home, ended)


def task_delete(home: House, *, task: TaskName) -> Wire:
    """Remove a task. Only when the user asked for it. `task_restore` brings it back."""
    with home.app.store.write() as tx:
        gone = home.app.tasks.delete(tx, home.task_id(tx, task), who=WHO)
    return task_wire(home, gone)


def task_restore(home: House, *, task: TaskName) -> Wire:
    """Take back that a task was completed or deleted. A household task is restored by its id (t12)."""
    with home.app.store.write() as tx:
        back = home.app.tasks.restore(tx, home.task_id(tx, task), who=WHO)
    return task_wire(home, back)


def task_undo(home: House, *, task: TaskName) -> Wire:
    """Take back the latest change of a household task; called again, it does that change again."""
    with home.app.store.read() as tx:
        known, slug = home.task(tx, task).id, slug_of(home, tx, task)
    home.app.household.undo(slug, who=WHO)
    return household_wire.of_task(see(home, known), home.names())


TOOLS = (
    Tool.of(task_list, Effect.READS),
    Tool.of(task_show, Effect.READS),
    Tool.of(task_logs, Effect.READS),
    Tool.of(task_pause, Effect.SETS),
    Tool.of(task_resume, Effect.SETS),
    Tool.of(task_done, Effect.ENDS),
    Tool.of(task_delete, Effect.ENDS),
    Tool.of(task_restore, Effect.SETS),
    Tool.of(task_undo, Effect.ACTS),
)
