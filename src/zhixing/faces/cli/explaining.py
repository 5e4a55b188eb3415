"""explain: why something will be told, was told, or was not."""

from __future__ import annotations

from zhixing.delivery.model import Message
from zhixing.faces import wire
from zhixing.faces.cli.desk import Desk
from zhixing.faces.cli.house import House, house
from zhixing.faces.cli.options import AtDesk, Json, task_id
from zhixing.faces.cli.pages import INDENT, heading
from zhixing.kernel.moments import zone as find_zone
from zhixing.notices import store as notices
from zhixing.notices.explaining import explain_notice, explain_occurrence
from zhixing.tasks import occurrences
from zhixing.tasks import store as tasks
from zhixing.tasks.occurrence import Occurrence
from zhixing.tasks.task import Task

_SHOWN = 10
"""Occurrences of a task that are told one by one, the latest."""


def explain(task_or_occurrence: str, /, *, as_json: Json = False, desk: AtDesk) -> None:
    """Say why a task or an occurrence does what it does."""
    written = task_or_occurrence.strip().lower()
    with house(desk) as home:
        if written.startswith("o"):
            _explain_occurrence(written, home, desk, as_json=as_json)
        else:
            _explain_task(task_id(written), home, desk, as_json=as_json)


def _explain_task(known: str, home: House, desk: Desk, *, as_json: bool) -> None:
    now = desk.clock.now()
    with home.app.store.read() as tx:
        notice = notices.get(tx, known)
        happened = occurrences.of_task(tx, known)
        told = {one.id: home.app.delivery.messages(tx, one.id) for one in happened[:_SHOWN]}
    explanation = explain_notice(notice, happened, now)
    zone = find_zone(notice.task.zone)
    written = wire.of_notice(notice, explanation)
    written["occurrences"] = [
        _occurrence_wire(one, told.get(one.id, []), notice.task, desk) for one in happened[:_SHOWN]
    ]
    lines = [*explanation]
    for one in reversed(happened[:_SHOWN]):
        lines.extend(explain_occurrence(one, told[one.id], zone, now))
    desk.answer(written, [heading(notice.task), *(INDENT + line for line in lines)], as_json=as_json)


def _explain_occurrence(known: str, home: House, desk: Desk, *, as_json: bool) -> None:
    with home.app.store.read() as tx:
        found = occurrences.get(tx, known)
        task = tasks.get(tx, found.task_id)
        told = home.app.delivery.messages(tx, found.id)
    lines = explain_occurrence(found, told, find_zone(task.zone), desk.clock.now())
    desk.answer(
        _occurrence_wire(found, told, task, desk),
        [heading(task), *(INDENT + line for line in lines)],
        as_json=as_json,
    )


def _occurrence_wire(found: Occurrence, told: list[Message], task: Task, desk: Desk) -> wire.Wire:
    zone = find_zone(task.zone)
    written = wire.of_occurrence(found, zone, explain_occurrence(found, told, zone, desk.clock.now()))
    written["messages"] = [wire.of_message(message, zone) for message in told]
    return written
