"""Texts and specifications as they cross the border to bots: what is written into prompts, and read from replies."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import msgspec

from zhixing.goals.loop.model import Criterion, Node, TaskSpec
from zhixing.goals.loop.outputs import flat

LONGEST_ID = 128
LONGEST_TEXT = 20_000
LONGEST_OUTPUT = 4000
"""Characters of the output of one node in a prompt."""
MOST_CRITERIA = 50


def compact(value: object) -> str:
    """Return a value as JSON on one line, Chinese as it is written."""
    return json.dumps(value, ensure_ascii=False, default=str)


def spread(value: object) -> str:
    """Return a value as JSON that is easy to read."""
    try:
        # The same text four times as fast: the standard library spreads JSON in Python.
        return msgspec.json.format(compact(value), indent=2)
    except (msgspec.DecodeError, UnicodeEncodeError):
        return json.dumps(value, ensure_ascii=False, indent=2, default=str)


def criteria_of(spec: TaskSpec) -> list[dict[str, str]]:
    """Return the criteria as bots know them."""
    return [{"id": each.id, "description": each.description} for each in spec.acceptances]


def output_of(node: Node) -> Any:
    """Return the output of a node for a prompt; a long one becomes the beginning of its text."""
    output = flat(node.run.output)
    text = output if isinstance(output, str) else compact(output)
    return output if len(text) <= LONGEST_OUTPUT else text[:LONGEST_OUTPUT] + "…"


def text_of(given: object, key: str, longest: int = LONGEST_TEXT) -> str:
    """Return a text of an object, empty when it has none."""
    value = given.get(key) if isinstance(given, Mapping) else None
    return value.strip()[:longest] if isinstance(value, str) else ""


def id_of(given: object, key: str) -> str:
    """Return an id of an object, empty when there is none that can be used."""
    value = text_of(given, key, LONGEST_ID + 1)
    return value if len(value) <= LONGEST_ID and value.isprintable() else ""


def list_of(given: object, key: str) -> list[Any]:
    """Return a list of an object, empty when it has none."""
    value = given.get(key) if isinstance(given, Mapping) else None
    return value if isinstance(value, list) else []


def read_spec(given: Mapping[str, Any]) -> TaskSpec:
    """Return a specification as bots write them; a criterion has `description`, or `acceptance` as in requests."""
    metadata, context, goal = given.get("metadata"), given.get("context"), given.get("goal")
    props = context.get("extend_props") if isinstance(context, Mapping) else None
    return TaskSpec(
        text_of(metadata, "title"),
        text_of(metadata, "instruction"),
        text_of(context, "background"),
        text_of(goal, "objective"),
        _criteria(list_of(goal, "acceptances")),
        props if isinstance(props, dict) else {},
    )


def _criteria(given: list[Any]) -> tuple[Criterion, ...]:
    """Return the criteria that say something, under ids that are unique."""
    found: dict[str, Criterion] = {}
    for number, each in enumerate(given[:MOST_CRITERIA], 1):
        described = (
            each.strip() if isinstance(each, str) else text_of(each, "description") or text_of(each, "acceptance")
        )
        ac_id = id_of(each, "id") or f"ac{number}"
        if described and ac_id not in found:
            found[ac_id] = Criterion(ac_id, described)
    return tuple(found.values())
