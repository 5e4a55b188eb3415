"""Tasks that stand for rules of a hub: what people read of them, and programs get."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from zhixing.app import App
from zhixing.faces.cli.graph_pages import card_line, log_row
from zhixing.faces.rule_words import single_line
from zhixing.faces.wire import Wire, of_task
from zhixing.graphs.following import Linked
from zhixing.graphs.logs import Line
from zhixing.graphs.rule import Rule
from zhixing.graphs.session import VIRTUAL
from zhixing.kernel.errors import Unavailable, ZhixingError
from zhixing.kernel.moments import zone as find_zone
from zhixing.kernel.wording import section, wording
from zhixing.notices.telling import moment_text
from zhixing.store.connection import Tx
from zhixing.tasks.journal import Entry, Kind
from zhixing.tasks.task import Task

INDENT = "  "
_MOST_CARDS = 20
"""Cards that are said one by one; a rule may have hundreds."""
_LOG_LINES = 10
"""Lines of the log of the hub that are shown, the latest."""
_ERROR_CLASS = re.compile(r"^[A-Za-z]+: ")
"""What the engine writes in front of the error of a job."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """A task that stands for a rule; which one, and of which hub."""

    task: Task
    linked: Linked | None


@dataclass(frozen=True, slots=True)
class SeenRule:
    """Such a task with its rule as the hub has it now; without one, `why` says why."""

    drawn: Drawn
    rule: Rule | None
    why: str = ""


def drawn(app: App, tx: Tx, task: Task) -> Drawn:
    """Return which rule a task stands for."""
    return Drawn(task, app.rule_graphs.following.linked(tx, task.id))


def see_rule(app: App, found: Drawn) -> SeenRule:
    """Ask the hub for the rule of a task; not to be called inside a transaction."""
    linked, graphs = found.linked, app.graphs
    if linked is None:
        return SeenRule(found, None, wording("proposals.task_unlinked"))
    try:
        if graphs.session.name != linked.hub:
            raise Unavailable("gateway_not_connected", address=linked.hub)
        return SeenRule(found, graphs.rule(linked.graph_id))
    except ZhixingError as error:
        return SeenRule(found, None, str(error))


def latest(app: App, seen: SeenRule) -> tuple[Line, ...]:
    """Return what the rule did lately, by the log of its hub; nothing where the hub does not tell."""
    if seen.rule is None:
        return ()
    try:
        return app.graphs.log(seen.rule.id).lines[-_LOG_LINES:]
    except ZhixingError:
        return ()


def of_drawn(found: Drawn, seen: SeenRule | None = None) -> Wire:
    """Write such a task; with the rule as the hub has it where that was asked for."""
    linked = found.linked
    graph: Wire | None = None if linked is None else {"hub": linked.hub, "id": linked.graph_id}
    if graph is not None and seen is not None:
        rule = seen.rule
        graph |= {
            "name": None if rule is None else rule.name,
            "enable": None if rule is None else rule.enabled,
            "nodeCount": None if rule is None else len(rule.nodes),
            "why": seen.why or None,
        }
    return {**of_task(found.task), "text": found.task.description, "next": None, "graph": graph}


def rule_lines(seen: SeenRule) -> list[str]:
    """Say what the rule of a task is: its hub, its id, whether it is on, its cards, and where to see all of it."""
    task, linked, rule = seen.drawn.task, seen.drawn.linked, seen.rule
    lines = [wording("proposals.task_words", text=single_line(task.description))] if task.description else []
    if linked is not None:
        state = "unseen" if rule is None else "on" if rule.enabled else "off"
        lines.append(
            wording(
                "proposals.task_rule", id=linked.graph_id, hub=_hub(linked), state=wording(f"proposals.rule_{state}")
            )
        )
    if seen.why:
        lines.append(seen.why)
    if rule is not None:
        if rule.name != task.title:
            lines.append(wording("proposals.task_named", name=single_line(rule.name)))
        lines += [INDENT + card_line(node) for node in rule.nodes[:_MOST_CARDS]]
        if len(rule.nodes) > _MOST_CARDS:
            lines.append(INDENT + wording("proposals.task_more_cards", count=len(rule.nodes) - _MOST_CARDS))
        lines.append(wording("proposals.task_show", id=rule.id))
    return lines


def latest_lines(log: Sequence[Line], task: Task) -> list[str]:
    """Say what the rule of a task did lately."""
    rows = (log_row(line, find_zone(task.zone)) for line in log)
    return [f"{row[0]}  {row[-1]}" for row in rows]


def history_lines(entries: Sequence[Entry], task: Task, now: datetime) -> list[str]:
    """Say what happened to such a task and why, the oldest first; `entries` have the newest first."""
    return [line for entry in reversed(entries) for line in _entry_lines(entry, task, now)]


def _entry_lines(entry: Entry, task: Task, now: datetime) -> list[str]:
    zone = find_zone(task.zone)
    when = moment_text(entry.at, now.astimezone(zone).date(), zone)
    what = wording(f"tasks.kind_{entry.kind.value}")
    said = section("cli", "zh").get(f"who_{entry.who}", entry.who)
    line = wording("cli.history_line", when=when, what=what, who=said)
    if entry.kind is Kind.NOT_FOLLOWED:
        why = _ERROR_CLASS.sub("", str(entry.data.get("error", "")))
    else:
        why = section("tasks", "zh").get(f"reason_{entry.why}", "")
    return [line, *([INDENT + single_line(why)] if why else [])]


def _hub(linked: Linked) -> str:
    return wording("proposals.hub_virtual") if linked.hub == VIRTUAL else linked.hub
