"""The machine contract of the assembler: one JSON object in, one out (`zhixing plan --batch`)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from zhixing.household.assembling.assembler import Assembly
from zhixing.household.assembling.draft import Draft
from zhixing.household.assembling.request import Camera, Device, Home, Known, Person, Request
from zhixing.kernel.claims import Claim
from zhixing.kernel.errors import BadInput
from zhixing.kernel.moments import parse_instant, zone

MOST_THINGS = 500
"""People, cameras, devices or tasks of one home."""
_EXAMPLE = "doc-"


def read_request(line: object) -> tuple[str, Request]:
    """Read one line. Raises `BadInput` with the field that cannot be read."""
    data = _mapping(line, "line")
    name = _text(data, "id")
    context = _mapping(data.get("context"), "context")
    home = Home(
        persons=tuple(Person(_text(item, "name"), _text(item, "role", "")) for item in _items(context, "persons")),
        cameras=tuple(
            Camera(
                _text(item, "did"), _text(item, "name", ""), _text(item, "room_name", ""), item.get("in_use") is True
            )
            for item in _items(context, "cameras")
        ),
        devices=tuple(
            Device(_text(item, "did"), _text(item, "name", ""), _text(item, "room", ""), _text(item, "kind", ""))
            for item in _items(context, "devices")
        ),
        tasks=tuple(_known(item) for item in _items(context, "tasks")),
        sources=_sources(context.get("source_did")),
        now=parse_instant(_text(context, "now")),
        zone=zone(_text(context, "tz")),
    )
    answers = data.get("answers")
    given = {key: str(value)[:200] for key, value in ({} if answers is None else _mapping(answers, "answers")).items()}
    return name, Request(_text(data, "text"), home, given)


def _mapping(value: object, field: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise BadInput("plan_line_field", field=field)
    return value


def _items(data: Mapping[str, Any], field: str) -> list[Mapping[str, Any]]:
    found = data.get(field)
    if found is None:
        return []
    if not isinstance(found, list) or len(found) > MOST_THINGS:
        raise BadInput("plan_line_field", field=field)
    return [_mapping(item, field) for item in found]


def _text(data: Mapping[str, Any], field: str, absent: str | None = None) -> str:
    found = data.get(field, absent)
    if found is None and absent is not None:
        return absent
    if not isinstance(found, str) or len(found) > 10_000:
        raise BadInput("plan_line_field", field=field)
    return found


def _known(item: Mapping[str, Any]) -> Known:
    briefs = item.get("rule_briefs") or []
    if not isinstance(briefs, list):
        raise BadInput("plan_line_field", field="rule_briefs")
    active = _text(item, "status", "active") != "paused"
    return Known(
        _text(item, "id"), _text(item, "description", ""), active, tuple(str(brief)[:500] for brief in briefs[:50])
    )


def _sources(value: object) -> tuple[str, ...]:
    if value is None:
        return ()
    found = [value] if isinstance(value, str) else value
    if not isinstance(found, list) or not all(isinstance(did, str) for did in found):
        raise BadInput("plan_line_field", field="source_did")
    return tuple(found)


def to_wire(name: str, assembly: Assembly) -> dict[str, Any]:
    """Return the answer to the request called `name`.

    The examples of the document keep what was asked in `questions` although it is answered; every other request lists
    what is still open. Both are in `asked` and `questions`.
    """
    questions = assembly.asked if name.startswith(_EXAMPLE) else assembly.questions
    answer: dict[str, Any] = {
        "id": name,
        "outcome": str(assembly.outcome),
        "op": assembly.op,
        "reject": assembly.reject,
        "questions": list(questions),
        "asked": list(assembly.asked),
        "tips": list(assembly.tips),
        "tips_optional": list(assembly.mild_tips),
        "tasks": [_task(draft) for draft in assembly.drafts],
    }
    if assembly.target is not None:
        answer["target"] = list(assembly.target)
    return answer


def _value(claim: Claim[Any] | None) -> Any:
    return None if claim is None else claim.value


def _instant(at: datetime | None) -> str | None:
    return None if at is None else at.isoformat(timespec="seconds")


def _task(draft: Draft) -> dict[str, Any]:
    schedule, record = _value(draft.schedule), _value(draft.record)
    subject, source = _value(draft.subject), _value(draft.source)
    many = isinstance(subject, tuple)
    return {
        "rule": draft.rule,
        "schedule": None
        if schedule is None
        else {
            "kind": schedule.kind,
            "expr": schedule.expr,
            "at": _instant(schedule.at),
            "every_ms": schedule.every_ms,
            "default": schedule.default,
        },
        "record": None
        if record is None
        else {
            key: value
            for key in ("kind", "target", "unit", "target_minutes", "window", "task_type")
            if (value := getattr(record, key)) is not None
        },
        "lifecycle": draft.lifecycle.value,
        "expires_at": _instant(draft.expires_at),
        "mode": _value(draft.mode),
        "duration_seconds": _value(draft.duration),
        "exit_debounce_seconds": _value(draft.debounce),
        "on_exit": draft.on_exit.value,
        "action_type": _value(draft.action),
        "channel": _value(draft.channel),
        "channels": list(draft.channels),
        "subject": list(subject) if many else subject,
        "source": None if source is None else list(source),
        "rules": (len(subject) if many else 1) * (1 + len(draft.also)) if draft.rule else 0,
        "behavior": draft.behaviour.key if draft.behaviour else None,
        "target_device": _value(draft.device),
    }
