"""What the page shows of household tasks, and of document tasks and rules of the hub in the same place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from zhixing.app import App
from zhixing.faces import document_words
from zhixing.faces.drawn import SeenRule, drawn, history_lines, rule_lines, see_rule
from zhixing.faces.everything import Filed, filed
from zhixing.faces.goal_task_words import SeenPursuit, goal_lines, pursued, see_pursuit, status_words
from zhixing.faces.goal_task_words import history_lines as goal_history
from zhixing.faces.household_words import log_lines, name_of, record_text, state_text, task_lines, today_in
from zhixing.household import viewing
from zhixing.household.overview import Overview, overview, page
from zhixing.household.sight import names_of
from zhixing.kernel.moments import zone as find_zone
from zhixing.kernel.wording import wording
from zhixing.notices.telling import moment_text
from zhixing.store.connection import Tx
from zhixing.tasks import journal
from zhixing.tasks import store as tasks
from zhixing.tasks.journal import Entry
from zhixing.tasks.task import Status, Task, Way

_OPEN = (Status.ACTIVE, Status.PAUSED)
_HAPPENED = 10
"""Lines of the log that are shown."""


@dataclass(frozen=True, slots=True)
class ShownTask:
    """A household task in the middle of the page."""

    task: Task
    name: str
    lines: tuple[str, ...]
    happened: tuple[str, ...]
    is_open: bool
    paused: bool


def shown_task(app: App, task_id: str, now: datetime) -> ShownTask | None:
    """Return what is shown of a household or document task, or of a rule; None for a notice. Raises `NotFound`."""
    with app.store.read() as tx:
        task = tasks.get(tx, task_id)
        found = drawn(app, tx, task) if task.way is Way.GRAPH else None
        entries = journal.of_task(tx, task_id, _HAPPENED) if found is not None else []
    # The hub is asked outside of the transaction.
    if found is not None:
        return _rule(see_rule(app, found), entries, now)
    with app.store.read() as tx:
        if task.way is Way.DOCUMENT:
            return _document(filed(app, tx, task))
        if task.way is Way.GOAL:
            return _goal(see_pursuit(tx, task), now)
        if task.way is not Way.HOUSEHOLD:
            return None
        seen = overview(tx, app.records, task_id, now)
        log = viewing.log(tx, seen.parts.slug, task_id, None, _HAPPENED)
    return ShownTask(
        task,
        name_of(seen),
        tuple(task_lines(seen, names_of(app.hub), now)),
        tuple(log_lines(log.lines, find_zone(task.zone), now)),
        is_open=task.status in _OPEN,
        paused=task.status is Status.PAUSED,
    )


def _document(found: Filed) -> ShownTask:
    task, view = found.task, found.view
    return ShownTask(
        task,
        found.title,
        () if view is None else tuple(document_words.task_lines(view)),
        (),
        is_open=task.status in _OPEN,
        paused=task.status is Status.PAUSED,
    )


def _rule(seen: SeenRule, entries: Sequence[Entry], now: datetime) -> ShownTask:
    task = seen.drawn.task
    return ShownTask(
        task,
        task.title,
        tuple(rule_lines(seen)),
        tuple(history_lines(entries, task, now)),
        is_open=task.status in _OPEN,
        paused=task.status is Status.PAUSED,
    )


def _goal(seen: SeenPursuit, now: datetime) -> ShownTask:
    return ShownTask(
        seen.task,
        seen.task.title,
        tuple(goal_lines(seen)),
        tuple(goal_history(seen, now)),
        is_open=seen.task.status in _OPEN,
        paused=seen.task.status is Status.PAUSED,
    )


def household_lines(app: App, tx: Tx, now: datetime, limit: int) -> tuple[list[tuple[Task, str]], bool]:
    """Return the household tasks that live, each with a line about it, and whether there are more."""
    found = page(tx, statuses=_OPEN, limit=limit)
    seen = [overview(tx, app.records, task.id, now) for task in found.tasks]
    return [(one.task, _about(one, now)) for one in seen], found.more is not None


def rule_tasks(tx: Tx, limit: int) -> tuple[list[tuple[Task, str]], bool]:
    """Return the tasks that stand for rules of the hub and live, each with its state, and whether there are more."""
    found = tasks.page(tx, statuses=_OPEN, ways=[Way.GRAPH], limit=limit)
    return [(task, wording(f"tasks.status_{task.status.value}")) for task in found.tasks], found.more is not None


def goal_tasks(tx: Tx, limit: int) -> tuple[list[tuple[Task, str]], bool]:
    """Return the tasks that are goals and live, each with how it stands, and whether there are more."""
    found = tasks.page(tx, statuses=_OPEN, ways=[Way.GOAL], limit=limit)
    return [(task, status_words(pursued(tx, task))) for task in found.tasks], found.more is not None


def _about(seen: Overview, now: datetime) -> str:
    parts = [state_text(seen, now)]
    if seen.record is not None:
        parts.append(record_text(seen.record))
    if seen.next is not None:
        zone = find_zone(seen.task.zone)
        parts.append(wording("faces.job_next", when=moment_text(seen.next, today_in(now, zone.key), zone)))
    return wording("faces.then").join(parts)
