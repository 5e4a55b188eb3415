"""Tools: tell somebody now, what will be told, what happened, and why."""

from __future__ import annotations

from collections import deque
from datetime import datetime, timedelta
from typing import Annotated

from pydantic import Field

from zhixing.delivery.model import Message
from zhixing.faces import household_wire, wire
from zhixing.faces.cli.house import House
from zhixing.faces.cli.household_tasks import see
from zhixing.faces.cli.rule_tasks import explained_rule
from zhixing.faces.goal_task_words import explained_pursuit, see_pursuit
from zhixing.faces.mcp.arguments import LONGEST_ID, LONGEST_LOOK, Limit
from zhixing.faces.mcp.tool import WHO, Effect, Tool
from zhixing.faces.wire import Wire
from zhixing.household import viewing
from zhixing.household.pushing import Pushing
from zhixing.kernel.moments import zone as find_zone
from zhixing.notices import store as notices
from zhixing.notices.explaining import explain_notice, explain_occurrence
from zhixing.store.connection import Tx
from zhixing.tasks import occurrences
from zhixing.tasks import store as tasks
from zhixing.tasks.occurrence import Occurrence
from zhixing.tasks.task import Task, Way

MOST_HOURS = 168
_SHOWN = 10
"""Occurrences of a task that are explained one by one, the latest."""

MessageId = Annotated[str | None, Field(max_length=LONGEST_ID, description="Only what was told after this message.")]


def notify_push(
    home: House, *, text: Annotated[str, Field(description="What is said, in the words the person reads.")]
) -> Wire:
    """Push a notification to the phone and the inbox now. The same words within a minute are pushed once."""
    app = home.app
    pushing = Pushing(app.tasks, app.doing.telling, app.clock, app.zone.name)
    with app.store.write() as tx:
        pushed = pushing.push(tx, text, who=WHO)
    return {"pushed": pushed.fresh, "deduplicated": not pushed.fresh, "occurrence": pushed.occurrence_id}


def reminder_list(
    home: House,
    *,
    days: Annotated[int, Field(ge=1, le=LONGEST_LOOK, description="How far to look ahead.")] = 7,
    limit: Limit = 100,
) -> Wire:
    """List the reminders of the days to come, in order. New ones are made with `say`, ended with `task_done`."""
    now = home.app.clock.now()
    with home.app.store.read() as tx:
        found = notices.coming(tx, now, now + timedelta(days=days), limit + 1)
    return {"reminders": [wire.of_coming(*each) for each in found[:limit]], "more": len(found) > limit}


def inbox_list(home: House, *, after: MessageId = None, limit: Limit = 50) -> Wire:
    """List what was told and not put away, the oldest first; `state` and `reason` say whether it arrived."""
    app = home.app
    with app.store.read() as tx:
        messages = app.delivery.inbox(tx, None if after is None else after.strip().lower(), limit)
        zones = {one.task_id: find_zone(tasks.get(tx, one.task_id).zone) for one in messages}
    return {
        "messages": [wire.of_message(one, zones[one.task_id]) for one in messages],
        "last": messages[-1].id if messages else after,
    }


def occurrence_list(
    home: House,
    *,
    task: Annotated[str | None, Field(max_length=LONGEST_ID, description="Only of this task, by id or name.")] = None,
    hours: Annotated[int, Field(ge=1, le=MOST_HOURS, description="How far to look back.")] = 24,
    limit: Limit = 50,
) -> Wire:
    """List what came due or fired lately, the latest first, with its state and the reason."""
    now = home.app.clock.now()
    start = now - timedelta(hours=hours)
    with home.app.store.read() as tx:
        if task is None:
            found = _latest(tx, start, now + timedelta(microseconds=1), limit)
        else:
            of_task = occurrences.of_task(tx, home.task(tx, task).id, limit)
            found = [one for one in of_task if one.due >= start]
        zones = {one.task_id: find_zone(tasks.get(tx, one.task_id).zone) for one in found}
    return {"occurrences": [wire.of_occurrence(one, zones[one.task_id]) for one in found]}


def explain(
    home: House,
    *,
    id: Annotated[str, Field(max_length=LONGEST_ID, description="Id of an occurrence (o…), or id or name of a task.")],  # noqa: A002 - what the results call it
) -> Wire:
    """Explain why something was told or done, will be, or was not: `explanation`, messages, and commands to devices."""
    written = id.strip().lower()
    with home.app.store.read() as tx:
        task = tasks.find(tx, home.task_id(tx, written))
        if task is None and written.startswith("o"):
            occurrence = occurrences.get(tx, written)
            return _explained(home, tx, occurrence, tasks.get(tx, occurrence.task_id))
        task = home.task(tx, written)
        happened = occurrences.of_task(tx, task.id)
        latest = [_explained(home, tx, one, task) for one in happened[:_SHOWN]]
        log = viewing.log(tx, "", task.id, None, _SHOWN)
        is_goal = task.way is Way.GOAL
        goal = explained_pursuit(see_pursuit(tx, task), home.app.clock.now()) if is_goal else None
    if task.way is Way.HOUSEHOLD:
        shape = household_wire.of_task(see(home, task.id), home.names())
        return {**shape, "log": household_wire.of_log(log, find_zone(task.zone)), "occurrences": latest}
    if task.way is Way.GRAPH:
        return {**explained_rule(home, task), "occurrences": latest}
    if goal is not None:
        return {**goal, "occurrences": latest}
    notice = home.app.notices.get(task.id)
    lines = explain_notice(notice, happened, home.app.clock.now())
    return {**wire.of_notice(notice, lines), "occurrences": latest}


def _latest(tx: Tx, start: datetime, end: datetime, limit: int) -> list[Occurrence]:
    """Return the latest occurrences of a span, the latest first."""
    kept: deque[Occurrence] = deque(maxlen=limit)
    after: Occurrence | None = None
    while page := occurrences.between(tx, start, end, occurrences.LARGEST_PAGE, after):
        kept.extend(page)
        after = page[-1]
    return list(reversed(kept))


def _explained(home: House, tx: Tx, occurrence: Occurrence, task: Task) -> Wire:
    told: list[Message] = home.app.delivery.messages(tx, occurrence.id)
    zone = find_zone(task.zone)
    return {
        **wire.of_occurrence(occurrence, zone, explain_occurrence(occurrence, told, zone, home.app.clock.now())),
        "messages": [wire.of_message(message, zone) for message in told],
        "steps": [household_wire.of_step(step, zone) for step in home.app.doing.steps(tx, [occurrence.id])],
    }


TOOLS = (
    Tool.of(notify_push, Effect.ADDS),
    Tool.of(reminder_list, Effect.READS),
    Tool.of(inbox_list, Effect.READS),
    Tool.of(occurrence_list, Effect.READS),
    Tool.of(explain, Effect.READS),
)
