"""Tasks that are goals: what people read of them, and programs get."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from zhixing.faces.wire import Wire, of_entry, of_task
from zhixing.goals.keeping.news import limit_text, reason_text, result_lines
from zhixing.goals.keeping.texts import single_line, word
from zhixing.goals.keeping.viewing import Part, SeenGoal, seen, status_of
from zhixing.goals.loop.values import GraphStatus, product_status
from zhixing.kernel.moments import zone as find_zone
from zhixing.kernel.wording import section, wording
from zhixing.notices.telling import moment_text
from zhixing.store.connection import Tx
from zhixing.tasks import journal
from zhixing.tasks.journal import Entry, Kind
from zhixing.tasks.task import Task

INDENT = "  "
_ENTRIES = 200
"""Entries of the journal that are looked at; those of messages are left out of what is told."""


@dataclass(frozen=True, slots=True)
class Pursued:
    """A task that is a goal; which one, and how it stands. Both are None where the goal is gone."""

    task: Task
    goal_id: str | None
    status: GraphStatus | None


@dataclass(frozen=True, slots=True)
class SeenPursuit:
    """Such a task with all that is known of its goal; `entries` are those of its journal, the newest first."""

    task: Task
    goal: SeenGoal | None
    entries: tuple[Entry, ...]


def pursued(tx: Tx, task: Task) -> Pursued:
    """Return which goal a task is."""
    goal_id, status = status_of(tx, task.id) or (None, None)
    return Pursued(task, goal_id, status)


def see_pursuit(tx: Tx, task: Task) -> SeenPursuit:
    """Return everything about a task that is a goal."""
    entries = journal.of_task(tx, task.id, _ENTRIES)
    return SeenPursuit(task, seen(tx, task.id), tuple(each for each in entries if not _is_inner(each)))


def status_words(found: Pursued) -> str:
    """Say how such a task stands, in a word."""
    if found.status is None or not found.status.open:
        return wording(f"tasks.status_{found.task.status.value}")
    return wording(f"goal_news.status_{found.status.value}")


def of_pursued(found: Pursued) -> Wire:
    """Write such a task."""
    goal: Wire | None = None
    if found.goal_id is not None and found.status is not None:
        goal = {"id": found.goal_id, "status": product_status(found.status).value}
    return {**of_task(found.task), "text": found.task.description, "next": None, "goal": goal}


def of_pursuit(found: SeenPursuit) -> Wire:
    """Write such a task with how far it is, who is on it, and what hangs."""
    goal = found.goal
    if goal is None:
        return of_pursued(Pursued(found.task, None, None))
    written = of_pursued(Pursued(found.task, goal.goal_id, goal.status))
    written["goal"] |= {
        "reason": goal.reason or None,
        "done": goal.done,
        "count": goal.leaves,
        "working": [_part(each) for each in goal.working],
        "hanging": [_part(each) for each in goal.hanging],
        "unsure": [_part(each) for each in goal.unsure],
        "relay": {"wanted": goal.relay_wanted, "bot": goal.relay_owner or None},
    }
    return written


def explained_pursuit(found: SeenPursuit, now: datetime) -> Wire:
    """Write such a task with its journal, and all of that in words."""
    zone = find_zone(found.task.zone)
    return {
        **of_pursuit(found),
        "explanation": [*goal_lines(found), *history_lines(found, now)],
        "journal": [of_entry(each, zone) for each in reversed(found.entries)],
    }


def goal_lines(found: SeenPursuit) -> list[str]:
    """Say what is wanted, how far it is, who is on it, what hangs and why, and what can be done about it."""
    task, goal = found.task, found.goal
    lines = [wording("goal_news.task_words", text=single_line(task.description))] if task.description else []
    if goal is None:
        return [*lines, wording("goal_news.task_gone")]
    return [*lines, *_state(goal), *_steps(goal), *_relay(goal), _more(task, goal)]


def history_lines(found: SeenPursuit, now: datetime, since: datetime | None = None) -> list[str]:
    """Say what happened to such a task and why, the oldest first; with `since`, only from then on."""
    entries = (each for each in reversed(found.entries) if since is None or each.at >= since)
    return [_entry_line(each, found.task, now) for each in entries]


def goal_page(found: SeenPursuit, now: datetime) -> list[str]:
    """Say everything about such a task."""
    history = (INDENT + line for line in history_lines(found, now))
    return [*goal_lines(found), wording("cli.history"), *history]


def _state(goal: SeenGoal) -> Iterator[str]:
    status = wording(f"goal_news.status_{goal.status.value}")
    if goal.reason and goal.status.open:
        status = wording("goal_news.task_because", status=status, reason=reason_text(goal.reason))
    yield wording("goal_news.task_goal", goal=single_line(goal.goal_id), status=status)


def _steps(goal: SeenGoal) -> Iterator[str]:
    if not goal.status.open:
        yield from result_lines(goal.graph)
        return
    if len(goal.graph.nodes) == 1:
        yield wording("goal_news.task_planning")
    else:
        yield wording("goal_news.task_progress", done=goal.done, count=goal.leaves)
    for each in goal.working:
        key = "task_working" if each.who else "task_working_nobody"
        yield INDENT + wording(f"goal_news.{key}", **_blanks(goal, each))
    for each in goal.hanging:
        if each.id != goal.goal_id:
            yield INDENT + wording("goal_news.task_hanging", **_blanks(goal, each))
    for each in goal.unsure:
        yield INDENT + wording("goal_news.task_unsure", **_blanks(goal, each))


def _relay(goal: SeenGoal) -> Iterator[str]:
    if goal.relay_wanted and goal.relay_owner:
        yield wording("goal_news.task_relay", bot=single_line(goal.relay_owner))
    elif goal.relay_wanted:
        yield wording("goal_news.task_relay_wanted")


def _more(task: Task, goal: SeenGoal) -> str:
    key = "stopped_do" if goal.status is GraphStatus.HUNG else "task_more" if goal.status.open else "task_over"
    return wording(f"goal_news.{key}", goal=word(goal.goal_id), task=task.id)


def _blanks(goal: SeenGoal, part: Part) -> dict[str, Any]:
    return {
        "node": part.title,
        "who": single_line(part.who),
        "reason": reason_text(part.reason),
        "goal": word(goal.goal_id),
        "id": word(part.id),
    }


def _part(part: Part) -> Wire:
    return {"id": part.id, "title": part.title, "bot": part.who or None, "reason": part.reason or None}


def _entry_line(entry: Entry, task: Task, now: datetime) -> str:
    zone = find_zone(task.zone)
    when = moment_text(entry.at, now.astimezone(zone).date(), zone)
    about = _about(entry)
    what = wording(f"tasks.kind_{entry.kind.value}")
    if about:
        what = wording("goal_news.happened_about", what=what, about=about)
    said = section("cli", "zh").get(f"who_{entry.who}", single_line(entry.who))
    return wording("cli.history_line", when=when, what=what, who=said)


def _about(entry: Entry) -> str:
    """Return what an entry is about, and why: the step, the bot, the reason."""
    if not entry.kind.value.startswith("goal_"):
        return section("tasks", "zh").get(f"reason_{entry.why}", "")
    if entry.kind is Kind.GOAL_BUDGET:
        return limit_text(entry.why)
    named = str(entry.data.get("bot" if entry.kind is Kind.GOAL_RELAYED else "title", ""))
    why = reason_text(entry.why) if entry.why else ""
    return wording("faces.and").join(single_line(each) for each in (named, why) if each)


def _is_inner(entry: Entry) -> bool:
    """Whether an entry is about the machinery of messages: what they say is told by other entries."""
    return entry.kind.value.startswith("occurrence_")
