"""What the command line says of tasks that stand for rules of a hub."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from zhixing.faces.cli.desk import Desk
from zhixing.faces.cli.house import House
from zhixing.faces.cli.pages import INDENT, heading
from zhixing.faces.drawn import SeenRule, drawn, history_lines, latest, latest_lines, of_drawn, rule_lines, see_rule
from zhixing.faces.wire import Wire, of_entry
from zhixing.graphs.logs import format_line
from zhixing.kernel.moments import zone as find_zone
from zhixing.kernel.wording import wording
from zhixing.tasks import journal
from zhixing.tasks.journal import Entry
from zhixing.tasks.task import Task

_ENTRIES = 20
"""Entries of the journal that are told, the latest."""


def rule_of(home: House, task: Task) -> SeenRule:
    """Return a task with its rule as the hub has it; not to be called inside a transaction."""
    with home.app.store.read() as tx:
        found = drawn(home.app, tx, task)
    return see_rule(home.app, found)


def rule_page(seen: SeenRule, entries: Sequence[Entry], now: datetime) -> list[str]:
    """Say what its rule is, and what happened to the task and why; `entries` have the newest first."""
    task = seen.drawn.task
    history = (INDENT + line for line in history_lines(entries, task, now))
    return [heading(task), *(INDENT + line for line in (*rule_lines(seen), wording("cli.history"), *history))]


def explain_rule(task: Task, home: House, desk: Desk, *, as_json: bool) -> None:
    """Say what became of a task and what its rule did lately."""
    written = explained_rule(home, task)
    desk.answer(written, [heading(task), *(INDENT + line for line in written["explanation"])], as_json=as_json)


def explained_rule(home: House, task: Task) -> Wire:
    """Write a task with its rule, its journal, the log of the rule, and all of that in words."""
    with home.app.store.read() as tx:
        entries = journal.of_task(tx, task.id, _ENTRIES)
    seen, zone = rule_of(home, task), find_zone(task.zone)
    log = latest(home.app, seen)
    lines = rule_page(seen, entries, home.app.clock.now())[1:]
    told = [wording("proposals.log"), *(INDENT + line for line in latest_lines(log, task))] if log else []
    return {
        **of_drawn(seen.drawn, seen),
        "explanation": [*(line.removeprefix(INDENT) for line in lines), *told],
        "log": [format_line(line) for line in log],
        "journal": [of_entry(entry, zone) for entry in reversed(entries)],
    }
