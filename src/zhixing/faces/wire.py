"""What programs get: the JSON shapes that the HTTP API and `zhixing … --json` share. Pure.

Instants are ISO 8601 with the offset they have in the zone of their task. What is not there is null, never left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from zhixing.delivery.model import Message
from zhixing.kernel.claims import Claim
from zhixing.kernel.moments import iso
from zhixing.kernel.moments import zone as find_zone
from zhixing.kernel.questions import Question
from zhixing.notices.answers import base_kind
from zhixing.notices.batch import to_wire
from zhixing.notices.explaining import claim_lines, transcript_of
from zhixing.notices.notice import Notice, Reminder
from zhixing.notices.pictures import Facts
from zhixing.notices.series import Series
from zhixing.tasks.journal import Entry
from zhixing.tasks.occurrence import Occurrence
from zhixing.tasks.schedule.expression import write_expression
from zhixing.tasks.task import Task
from zhixing.world.models.counting import total
from zhixing.world.models.usage import Spot, Tally

Wire = dict[str, Any]
MOST_DONE = 10
"""Times of a series that are written as done."""


def of_notice(notice: Notice, explanation: Sequence[str] | None = None) -> Wire:
    """Write a notice; with the lines of `explain_notice` where they were asked for.

    `text` is what is understood now, `originalText` what came in first: they differ after an edit. `mustBeTold` has a
    line for every value that nobody said.
    """
    task, zone = notice.task, find_zone(notice.task.zone)
    original, current, understood = notice.original, notice.current, notice.understood
    wire: Wire = {
        **of_task(task),
        "state": notice.state.value,
        "why": notice.why,
        "text": current.text,
        "originalText": original.text,
        "source": original.source.value,
        "entry": original.entry.value,
        "submittedAt": iso(original.submitted_at, zone),
        "editedAt": None if current == original else iso(current.submitted_at, zone),
        "picture": None if notice.picture is None else of_picture(notice.picture),
        "transcript": transcript_of(notice),
        "messageDate": original.message_date.isoformat() if original.message_date else None,
        "action": understood.action if understood else "",
        "evidence": understood.evidence if understood else "",
        "details": list(understood.details) if understood else [],
        "nodes": _nodes(notice),
        "mustBeTold": claim_lines(notice.nodes),
        "answers": [{"kind": answer.kind, "value": answer.value} for answer in notice.answers],
        "question": None if notice.question is None else of_question(notice.question),
        "reminders": [of_reminder(reminder, zone) for reminder in notice.reminders],
        "series": None if notice.series is None else of_series(notice.series, zone),
    }
    if explanation is not None:
        wire["explanation"] = list(explanation)
    return wire


def of_picture(facts: Facts) -> Wire:
    """Write what is known of a picture."""
    return {"mediaType": facts.media_type, "width": facts.width, "height": facts.height, "size": facts.size}


def of_series(series: Series, zone: ZoneInfo) -> Wire:
    """Write what repeats of a notice; `done` are the newest times, told or ahead, that were said to be done."""
    return {
        "words": series.words,
        "rule": series.rule,
        "expression": write_expression(series.schedule.trigger),
        "state": series.schedule.state.value,
        "next": None if series.next is None else iso(series.next, zone),
        "leftOut": [day.isoformat() for day in series.left_out],
        "done": [iso(due, zone) for due in sorted(series.done)[-MOST_DONE:]],
    }


def of_task(task: Task) -> Wire:
    """Write what every task has, whichever way it goes."""
    zone = find_zone(task.zone)
    return {
        "id": task.id,
        "title": task.title,
        "way": task.way.value,
        "status": task.status.value,
        "zone": task.zone,
        "revision": task.revision,
        "createdAt": iso(task.created_at, zone),
        "updatedAt": iso(task.updated_at, zone),
    }


def of_question(asked: Question) -> Wire:
    """Write an open question; an answer gives its `revision` back."""
    return {
        "kind": base_kind(asked.kind),
        "prompt": asked.prompt,
        "options": [{"value": option.value, "label": option.label} for option in asked.options],
        "revision": asked.revision,
    }


def of_reminder(reminder: Reminder, zone: ZoneInfo) -> Wire:
    """Write a reminder of a notice in `zone`."""
    return {
        "number": reminder.number,
        "at": iso(reminder.at, zone),
        "reason": reminder.reason,
        "state": reminder.state.value,
    }


def of_coming(task: Task, reminder: Reminder) -> Wire:
    """Write a reminder together with what it is about."""
    return {"task": task.id, "title": task.title, **of_reminder(reminder, find_zone(task.zone))}


def of_occurrence(occurrence: Occurrence, zone: ZoneInfo, explanation: Sequence[str] | None = None) -> Wire:
    """Write an occurrence of a task in `zone`; with the lines of `explain_occurrence` where they were asked for."""
    wire: Wire = {
        "id": occurrence.id,
        "task": occurrence.task_id,
        "part": occurrence.part,
        "key": occurrence.key,
        "due": iso(occurrence.due, zone),
        "state": occurrence.state.value,
        "reason": occurrence.reason,
        "claimedAt": _instant(occurrence.claimed_at, zone),
        "finishedAt": _instant(occurrence.finished_at, zone),
        "count": occurrence.count,
    }
    if explanation is not None:
        wire["explanation"] = list(explanation)
    return wire


def of_message(message: Message, zone: ZoneInfo) -> Wire:
    """Write a message about a task in `zone`. `reason` says why it was not sent, or not at once."""
    return {
        "id": message.id,
        "task": message.task_id,
        "occurrence": message.occurrence_id,
        "channel": message.channel,
        "title": message.title,
        "text": message.text,
        "dueAt": iso(message.due_at, zone),
        "toldAt": iso(message.told_at, zone),
        "state": message.state.value,
        "reason": message.reason.text() if message.reason else None,
        "tries": message.tries,
        "settledAt": _instant(message.settled_at, zone),
        "readAt": _instant(message.read_at, zone),
        "dismissedAt": _instant(message.dismissed_at, zone),
        "heldUntil": _instant(message.held_until, zone),
        "note": message.note,
        "digest": message.digest,
        "acknowledgedAt": _instant(message.acknowledged_at, zone),
        "snoozedUntil": _instant(message.snoozed_until, zone),
    }


def of_entry(entry: Entry, zone: ZoneInfo) -> Wire:
    """Write a journal entry of a task in `zone`."""
    return {
        "seq": entry.seq,
        "task": entry.task_id,
        "at": iso(entry.at, zone),
        "kind": entry.kind.value,
        "who": entry.who,
        "why": entry.why,
        "data": dict(entry.data),
    }


def of_usage(spent: list[tuple[Spot, Tally]], first: date, zone: str) -> Wire:
    """Write what asking models cost since a day of a zone, by day and model, and in all."""
    rows = [{"day": spot.day.isoformat(), "model": spot.model, **_tally(tally)} for spot, tally in spent]
    return {"since": first.isoformat(), "zone": zone, "usage": rows, "total": _tally(total(spent))}


def cost_of(tally: Tally) -> float | None:
    """Return the cost in the owner's currency; None where no call had a price."""
    return None if tally.unpriced == tally.calls else tally.cost / 1_000_000


def _tally(tally: Tally) -> Wire:
    return {
        "calls": tally.calls,
        "failures": tally.failures,
        "tokensRead": tally.tokens.read,
        "tokensWritten": tally.tokens.written,
        "tokensCached": tally.tokens.cached,
        "cost": cost_of(tally),
        "unpriced": tally.unpriced,
    }


def _nodes(notice: Notice) -> list[Wire]:
    if notice.understood is None:
        return []
    written = to_wire(notice.understood, None, notice.task.zone)["nodes"]
    return [
        {**wire, "claims": [_claim(claim) for claim in node.claims]}
        for wire, node in zip(written, notice.nodes, strict=True)
    ]


def _claim(claim: Claim[str]) -> Wire:
    return {"value": claim.value, "basis": claim.basis.value, "evidence": claim.evidence}


def _instant(at: datetime | None, zone: ZoneInfo) -> str | None:
    return None if at is None else iso(at, zone)
