"""explain: why something will be told, was told, or was not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from zhixing.delivery.model import Message
from zhixing.faces import everything, household_wire, wire
from zhixing.faces.cli.desk import Desk
from zhixing.faces.cli.house import House, house
from zhixing.faces.cli.household_pages import task_page
from zhixing.faces.cli.household_tasks import filed_lines, see
from zhixing.faces.cli.options import AtDesk, Json
from zhixing.faces.cli.pages import INDENT, heading
from zhixing.faces.cli.rule_tasks import explain_rule
from zhixing.faces.document_wire import of_document
from zhixing.faces.goal_task_words import explained_pursuit, see_pursuit
from zhixing.faces.household_words import log_lines, occurrence_lines
from zhixing.household import viewing
from zhixing.household.doing.model import Step
from zhixing.kernel.moments import zone as find_zone
from zhixing.notices import store as notices
from zhixing.notices.explaining import explain_notice, explain_occurrence
from zhixing.store.connection import Tx
from zhixing.tasks import occurrences
from zhixing.tasks import store as tasks
from zhixing.tasks.occurrence import Occurrence
from zhixing.tasks.task import Task, Way

_SHOWN = 10
"""Occurrences of a task that are told one by one, the latest."""


def explain(task_or_occurrence: str, /, *, as_json: Json = False, desk: AtDesk) -> None:
    """Say why a task or an occurrence does what it does."""
    written = task_or_occurrence.strip().lower()
    with house(desk) as home:
        with home.app.store.read() as tx:
            known = home.task_id(tx, written)
            task = tasks.find(tx, known)
        if task is None and written.startswith("o"):
            _explain_occurrence(written, home, desk, as_json=as_json)
        elif task is not None and task.way is Way.HOUSEHOLD:
            _explain_household(task, home, desk, as_json=as_json)
        elif task is not None and task.way is Way.DOCUMENT:
            _explain_document(task, home, desk, as_json=as_json)
        elif task is not None and task.way is Way.GRAPH:
            explain_rule(task, home, desk, as_json=as_json)
        elif task is not None and task.way is Way.GOAL:
            _explain_goal(task, home, desk, as_json=as_json)
        else:
            _explain_notice(known, home, desk, as_json=as_json)


def _explain_notice(known: str, home: House, desk: Desk, *, as_json: bool) -> None:
    now = desk.clock.now()
    with home.app.store.read() as tx:
        notice = notices.get(tx, known)
        happened = occurrences.of_task(tx, known)
        told = {one.id: home.app.delivery.messages(tx, one.id) for one in happened[:_SHOWN]}
    explanation = explain_notice(notice, happened, now)
    zone = find_zone(notice.task.zone)
    written = wire.of_notice(notice, explanation)
    written["occurrences"] = [_occurrence_wire(one, told[one.id], zone, now) for one in happened[:_SHOWN]]
    lines = [*explanation]
    for one in reversed(happened[:_SHOWN]):
        lines.extend(explain_occurrence(one, told[one.id], zone, now))
    desk.answer(written, [heading(notice.task), *(INDENT + line for line in lines)], as_json=as_json)


def _explain_document(task: Task, home: House, desk: Desk, *, as_json: bool) -> None:
    """Say what a document task waits for, and what became of its instants."""
    now = desk.clock.now()
    with home.app.store.read() as tx:
        filed = everything.filed(home.app, tx, task)
        happened = occurrences.of_task(tx, task.id)[:_SHOWN]
        told = {one.id: home.app.delivery.messages(tx, one.id) for one in happened}
    lines = filed_lines(filed)
    for one in reversed(happened):
        lines += [INDENT + line for line in explain_occurrence(one, told[one.id], filed.zone, now)]
    written = wire.of_task(task) if filed.view is None else of_document(filed.view)
    written["occurrences"] = [_occurrence_wire(one, told[one.id], filed.zone, now) for one in happened]
    desk.answer(written, lines, as_json=as_json)


def _explain_goal(task: Task, home: House, desk: Desk, *, as_json: bool) -> None:
    """Say how far a goal is, what hangs and why, and what happened to it."""
    with home.app.store.read() as tx:
        written = explained_pursuit(see_pursuit(tx, task), desk.clock.now())
    desk.answer(written, [heading(task), *(INDENT + line for line in written["explanation"])], as_json=as_json)


def _explain_household(task: Task, home: House, desk: Desk, *, as_json: bool) -> None:
    """Say what a household task waits for, what it did, and what came close."""
    now, zone = desk.clock.now(), find_zone(task.zone)
    seen, names = see(home, task.id), home.names()
    with home.app.store.read() as tx:
        log = viewing.log(tx, seen.parts.slug, task.id, None, _SHOWN)
        done = {line.occurrence.id: _Done.of(home, tx, line.occurrence) for line in log.lines if line.occurrence}
    lines = task_page(seen, names, now)
    for line in reversed(log.lines):
        details = [] if line.occurrence is None else done[line.occurrence.id].lines(task, names, now)[1:]
        lines.extend(INDENT + text for text in [*log_lines([line], zone, now), *details])
    written = household_wire.of_task(seen, names)
    written["log"] = household_wire.of_log(log, zone)
    written["occurrences"] = [one.wire(zone, now) for one in done.values()]
    desk.answer(written, lines, as_json=as_json)


@dataclass(frozen=True, slots=True)
class _Done:
    """An occurrence with everything that was done about it."""

    occurrence: Occurrence
    told: list[Message]
    steps: list[Step]

    @classmethod
    def of(cls, home: House, tx: Tx, occurrence: Occurrence) -> _Done:
        """Look it up."""
        told = home.app.delivery.messages(tx, occurrence.id)
        return cls(occurrence, told, home.app.doing.steps(tx, [occurrence.id]))

    def lines(self, task: Task, names: Mapping[str, str], now: datetime) -> list[str]:
        """Say what became of it."""
        zone = find_zone(task.zone)
        if task.way is Way.NOTICE:
            return explain_occurrence(self.occurrence, self.told, zone, now)
        return occurrence_lines(self.occurrence, self.told, self.steps, names=names, zone=zone, now=now)

    def wire(self, zone: ZoneInfo, now: datetime) -> wire.Wire:
        """Write what became of it."""
        written = _occurrence_wire(self.occurrence, self.told, zone, now)
        written["steps"] = [household_wire.of_step(step, zone) for step in self.steps]
        return written


def _explain_occurrence(known: str, home: House, desk: Desk, *, as_json: bool) -> None:
    with home.app.store.read() as tx:
        done = _Done.of(home, tx, occurrences.get(tx, known))
        task = tasks.get(tx, done.occurrence.task_id)
    names = home.names() if done.steps else {}
    now = desk.clock.now()
    lines, written = done.lines(task, names, now), done.wire(find_zone(task.zone), now)
    desk.answer(written, [heading(task), *(INDENT + line for line in lines)], as_json=as_json)


def _occurrence_wire(found: Occurrence, told: list[Message], zone: ZoneInfo, now: datetime) -> wire.Wire:
    written = wire.of_occurrence(found, zone, explain_occurrence(found, told, zone, now))
    written["messages"] = [wire.of_message(message, zone) for message in told]
    return written
