"""The machine contract: JSON lines in, JSON lines out, without a store or a network.

A line that cannot be used yields a line of its own with outcome `rejected` and the reason in `why`; the batch goes on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date
from typing import Any

import msgspec

from zhixing.kernel.errors import BadInput, TooLarge, ZhixingError
from zhixing.kernel.moments import iso, parse_instant
from zhixing.kernel.moments import zone as find_zone
from zhixing.notices.answers import base_kind
from zhixing.notices.model import Answer, Entry, Node, Outcome, PlannedReminder, Source, Submission, Understanding
from zhixing.notices.understand import LONGEST_TEXT, understand

LONGEST_LINE = 1 << 20
"""Characters of one input line."""


class _GivenAnswer(msgspec.Struct):
    kind: str
    value: str | int | float


class _Line(msgspec.Struct):
    text: str
    submittedAt: str  # noqa: N815 - the contract's own spelling
    tz: str
    id: str | int | None = None
    source: str = "direct"
    messageDate: str | None = None  # noqa: N815 - the contract's own spelling
    entry: str = "schedule"
    now: str | None = None
    answers: list[_GivenAnswer] | None = None


_decode = msgspec.json.Decoder(_Line).decode
_encode = msgspec.json.Encoder().encode


def understand_lines(lines: Iterable[str]) -> Iterator[bytes]:
    """Yield one JSON object, without line end, for each line that is not blank."""
    for line in lines:
        if line.strip():
            yield _encode(_answer(line))


def _answer(line: str) -> dict[str, Any]:
    given: _Line | None = None
    try:
        if len(line) > LONGEST_LINE:
            raise BadInput("line_too_long", limit=LONGEST_LINE)
        given = _decode(line)
        return _understood(given)
    except msgspec.DecodeError as error:
        return _rejected(given, str(BadInput("line_unreadable", reason=_first_line(error))))
    except ZhixingError as error:
        return _rejected(given, str(error))


def _first_line(error: Exception) -> str:
    return str(error).splitlines()[0][:120]


def _rejected(given: _Line | None, why: str) -> dict[str, Any]:
    return {
        "id": given.id if given else None,
        "outcome": "rejected",
        "question": None,
        "nodes": [],
        "reminders": [],
        "why": why,
    }


def _understood(given: _Line) -> dict[str, Any]:
    submission = Submission(
        given.text,
        _member(Source, given.source, "source"),
        parse_instant(given.submittedAt),
        given.tz,
        _date(given.messageDate) if given.messageDate else None,
        _member(Entry, given.entry, "entry"),
    )
    find_zone(submission.zone)
    now = parse_instant(given.now) if given.now else submission.submitted_at
    answers = tuple(Answer(answer.kind, _text(answer.value)) for answer in given.answers or ())
    return to_wire(understand(submission, now, answers), given.id, given.tz)


def _text(value: str | float) -> str:
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _date(words: str) -> date:
    try:
        return date.fromisoformat(words)
    except ValueError as error:
        raise BadInput("date_unreadable", text=words[:64]) from error


def _member(kinds: type[Source | Entry], value: str, name: str) -> Any:
    try:
        return kinds(value)
    except ValueError as error:
        raise BadInput("choice_unknown", name=name, value=value[:64], choices="、".join(kinds)) from error


def to_wire(found: Understanding, identity: str | int | None, tz: str) -> dict[str, Any]:
    """Return the contract's output object."""
    asked = found.question
    return {
        "id": identity,
        "outcome": found.outcome.value,
        "question": None
        if asked is None
        else {
            "kind": base_kind(asked.kind),
            "prompt": asked.prompt,
            "options": [{"value": option.value, "label": option.label} for option in asked.options],
        },
        "nodes": [_node(node, tz) for node in found.nodes],
        "reminders": [_reminder(reminder, tz) for reminder in found.reminders],
        "why": _refusal(found.why) if found.outcome is Outcome.REJECTED else found.why,
    }


def _refusal(why: str) -> str:
    return str(TooLarge("text_long", limit=LONGEST_TEXT) if why == "too_long" else BadInput("text_empty"))


def _node(node: Node, tz: str) -> dict[str, Any]:
    at = iso(node.at, find_zone(tz)) if node.at else node.day.isoformat() if node.day else None
    wire: dict[str, Any] = {
        "kind": node.kind.value,
        "at": at,
        "precision": node.precision.value,
        "expression": node.expression,
        "evidence": node.evidence,
    }
    if node.lead_minutes is not None:
        wire["leadMinutes"] = node.lead_minutes
    return wire


def _reminder(reminder: PlannedReminder, tz: str) -> dict[str, Any]:
    return {"at": iso(reminder.at, find_zone(tz)) if reminder.at else "asap", "reason": reminder.reason}
