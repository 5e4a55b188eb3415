"""From JSON to a rule. What is no rule at all is refused in one line; what is wrong inside of one is kept.

Every bound is checked before anything is built on the value: text, depth, nodes, numbers, keys written twice.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from zhixing.graphs.rule import Json, Node, Rule
from zhixing.graphs.specs.jsontext import MOST_DEPTH, MOST_DIGITS, Faults, decoded, parsed
from zhixing.kernel.errors import BadInput, TooLarge

MOST_NODES = 5_000
"""Nodes of one rule; a draft may have a tenth of it (mijia §4.4)."""
MOST_WIRES = 20_000
"""Wires of one rule; real ones have about as many as nodes."""

_MARKS = ("id", "nodes", "cfg")
_LARGEST = 10**MOST_DIGITS
_FAULTS = Faults("graph_large", "graph_not_utf8", "graph_unreadable", "graph_deep", "graph_number", "graph_key_twice")


def read_rule(given: str | bytes) -> Rule:
    """Read a rule from JSON text, or from UTF-8 bytes with or without a byte order mark.

    Raises `TooLarge` or `BadInput` for what is too large, no JSON, or no rule: a rule is an object with at least one of
    `id`, `nodes` and `cfg`. Nothing inside of it is refused for its shape.
    """
    text = decoded(given, _FAULTS)
    if not text.strip():
        raise BadInput("graph_empty")
    return rule_from(parsed(text, _FAULTS))


def rule_from(value: object) -> Rule:
    """Take a rule from a JSON value parsed elsewhere, within the same bounds. The value is the rule's from now on."""
    if not isinstance(value, dict):
        raise BadInput("graph_not_object")
    if not any(mark in value for mark in _MARKS):
        raise BadInput("graph_without_nodes")
    nodes = value.get("nodes")
    if isinstance(nodes, list) and len(nodes) > MOST_NODES:
        raise TooLarge("graph_nodes_many", limit=MOST_NODES)
    if isinstance(nodes, list) and sum(map(_wires, nodes)) > MOST_WIRES:
        raise TooLarge("graph_wires_many", limit=MOST_WIRES)
    _check(value)
    return Rule.of(value)


def node_from(value: object) -> Node:
    """Take a node from a JSON value parsed elsewhere. The value is the node's from now on."""
    if not isinstance(value, dict):
        raise BadInput("graph_node_not_object")
    _check(value)
    return Node.of(value)


def _wires(node: Json) -> int:
    outputs = node.get("outputs") if isinstance(node, dict) else None
    ends = outputs.values() if isinstance(outputs, dict) else ()
    return sum(len(each) for each in ends if isinstance(each, list))


def _check(value: dict[Any, Any]) -> None:
    """Refuse what JSON cannot carry, or not to everyone, walking level by level: no depth can exhaust the stack."""
    level: list[Json] = [value]
    for _ in range(MOST_DEPTH):
        level = [inner for each in level for inner in _inside(each)]
        if not level:
            return
    raise TooLarge("graph_deep", limit=MOST_DEPTH)


def _inside(value: Json) -> Iterator[Json]:
    """Give the objects and arrays directly inside of one, and check what else is there."""
    if isinstance(value, dict):
        for key in value:
            if not isinstance(key, str):
                raise BadInput("graph_value_foreign", kind=type(key).__name__)
            _check_text(key)
    for each in value.values() if isinstance(value, dict) else value:
        if isinstance(each, dict | list):
            yield each
        else:
            _check_single(each)


def _check_single(value: Json) -> None:
    match value:
        case str():
            _check_text(value)
        case bool() | None:
            return
        case int() | float():
            if not (math.isfinite(value) if isinstance(value, float) else -_LARGEST < value < _LARGEST):
                raise BadInput("graph_number")
        case _:
            raise BadInput("graph_value_foreign", kind=type(value).__name__)


def _check_text(text: str) -> None:
    # Half a character, as a script leaves it that cuts an emoji in two: no file, database or network takes it.
    if not text.isascii() and any("\ud800" <= each <= "\udfff" for each in text):
        raise BadInput("text_unstorable")
