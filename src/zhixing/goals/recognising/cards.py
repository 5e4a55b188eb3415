"""Cards as JSON, as the envelope that the platform reads, and read again from what an assistant said (taskloop §1.5)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import msgspec

from zhixing.goals.recognising.model import (
    LONGEST_ID,
    MOST_ITEMS,
    MOST_TASKS,
    Card,
    Clarify,
    Draft,
    Element,
    Ready,
    Select,
)
from zhixing.goals.recognising.texts import line
from zhixing.goals.recognising.workflows import legacy_id

CARD_ID = "card_3e31e1f1"
ACTIONS = ("execute", "discard", "save")
_ROWS = frozenset({"questions", "tasks"})
"""Arrays with one item a line; `resources` where it is not empty."""
_CARD = re.compile(r"<AixUI\s+cardId=['\"][^'\"<>]{0,64}['\"]\s*>\s*(\{.*?\})\s*</AixUI>", re.DOTALL)
_MOST_CARDS = 5
"""Tags of one message that are looked at, from the end."""
_TAG = re.compile(r"<(?=/?AixUI)", re.IGNORECASE)


def body_of(card: Card) -> dict[str, Any]:
    """Return the JSON body of a card, its keys in the document's order."""
    if isinstance(card, Select):
        tasks = [{"index": n, "summary": each} for n, each in enumerate(card.summaries, 1)]
        return {"type": "task_multi_select", "tasks": tasks, "prompt": card.prompt}
    draft = card.draft
    to_confirm = [each.value for each in draft.to_confirm]
    if isinstance(card, Ready):
        return {
            "type": "task_ready",
            "task": task_of(draft),
            "needs_confirmation": to_confirm,
            "actions": list(ACTIONS),
        }
    return {
        "type": "task_clarify",
        **task_of(draft),
        "missing_fields": [each.value for each in draft.missing],
        "needs_confirmation": to_confirm,
        "questions": list(card.questions),
    }


def task_of(draft: Draft) -> dict[str, Any]:
    """Return a draft as the cards hold it."""
    kind = {"task_type": "dynamic"} if draft.workflow_id is None else {"task_type": "workflow"}
    named = {"workflow_id": draft.workflow_id} if draft.workflow_id is not None else {}
    lists = {each.value: list(draft.values(each)) for each in Element if each is not Element.GOAL}
    return {**kind, **named, "goal": draft.goal, **lists, "resources": list(draft.resources)}


def envelope(card: Card) -> str:
    """Return a card as it is sent: fixed id, two blanks of indent; nothing in it can end it early."""
    written = _TAG.sub(r"\\u003c", _written(body_of(card), "", ""))
    return f"<AixUI cardId='{CARD_ID}'>\n{written}\n</AixUI>"


def _written(value: object, key: str, indent: str) -> str:
    deeper = indent + "  "
    if isinstance(value, Mapping) and key != "row":
        rows = [f"{deeper}{_json(name)}: {_written(each, name, deeper)}" for name, each in value.items()]
        return "{\n" + ",\n".join(rows) + f"\n{indent}}}"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_json(name)}: {_json(each)}" for name, each in value.items()) + "}"
    if isinstance(value, list):
        rows = [_written(each, "row", deeper) for each in value]
        if value and (key in _ROWS or key == "resources"):
            return "[\n" + ",\n".join(deeper + row for row in rows) + f"\n{indent}]"
        return "[" + ", ".join(rows) + "]"
    return _json(value)


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def read_card(text: str) -> Card | None:
    """Return the last card in what an assistant said; None where there is none that can be read.

    Cards of older formats count as well: any card id, `workflow_id: x` among the resources.
    """
    ends = len(text)
    for _ in range(_MOST_CARDS):
        starts = text.rfind("<AixUI", 0, ends)
        if starts < 0:
            return None
        found = _CARD.match(text, starts, ends)
        ends = starts
        if found is None:
            continue
        try:
            body = msgspec.json.decode(found[1])
        except msgspec.DecodeError:
            continue
        if isinstance(body, dict) and (card := _card(body)) is not None:
            return card
    return None


def _card(body: Mapping[str, Any]) -> Card | None:
    kind = body.get("type")
    if kind == "task_multi_select":
        rows = body.get("tasks")
        rows = rows if isinstance(rows, list) else []
        summaries = tuple(line(str(row.get("summary", ""))) for row in rows[:MOST_TASKS] if isinstance(row, dict))
        return Select(summaries, line(str(body.get("prompt", "")))) if len(summaries) > 1 else None
    if kind == "task_clarify":
        return Clarify(_confirmable(body, read_task(body)), _strings(body.get("questions")))
    if kind == "task_ready" and isinstance(body.get("task"), dict):
        return Ready(_confirmable(body, read_task(body["task"])))
    return None


def read_task(given: Mapping[str, Any]) -> Draft:
    """Return the draft that a `task` object holds. What is of a wrong type is taken as missing."""
    goal = given.get("goal")
    draft = Draft(goal=line(goal) if isinstance(goal, str) else "")
    for element in Element:
        if element is not Element.GOAL:
            draft = draft.said(element, map(line, _strings(given.get(element.value))))
    resources = _strings(given.get("resources"))
    old = next(filter(None, map(legacy_id, resources)), "")
    said = given.get("workflow_id")
    name = said.strip()[:LONGEST_ID] if isinstance(said, str) else ""
    workflow = given.get("task_type") == "workflow" or bool(name or old)
    draft = replace(draft, workflow_id=(name or old) if workflow else None)
    return draft.linked(line(each) for each in resources if not legacy_id(each))


def _confirmable(body: Mapping[str, Any], draft: Draft) -> Draft:
    named = {each for each in Element if each.value in _strings(body.get("needs_confirmation"))}
    return replace(draft, inferred=frozenset(each for each in named if draft.values(each)))


def _strings(value: object) -> tuple[str, ...]:
    given = value if isinstance(value, list) else [value] if isinstance(value, str) else []
    return tuple(each for each in given if isinstance(each, str) and each.strip())[:MOST_ITEMS]
