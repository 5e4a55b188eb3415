"""From JSON to a rule. What is no rule at all is refused in one line; what is wrong inside of one is kept.

Every bound is checked before anything is built on the value: text, depth, nodes, numbers, keys written twice.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any

from zhixing.graphs.rule import Json, Node, Rule
from zhixing.kernel.errors import BadInput, TooLarge

MOST_BYTES = 4 * 1024 * 1024
"""UTF-8 bytes of one rule; a draft may have half of it (mijia §4.4)."""
MOST_NODES = 5_000
"""Nodes of one rule; a draft may have a tenth of it (mijia §4.4)."""
MOST_DEPTH = 64
"""Objects and arrays inside one another; real rules have about eight."""
MOST_DIGITS = 300
"""Digits before the point of a number, so that every one is also a finite double, as it is in the gateway."""
LONGEST_KEY_SHOWN = 40
"""Characters of a key that an error repeats."""

_MARKS = ("id", "nodes", "cfg")
_LARGEST = 10**MOST_DIGITS


def read_rule(given: str | bytes) -> Rule:
    """Read a rule from JSON text, or from UTF-8 bytes with or without a byte order mark.

    Raises `TooLarge` or `BadInput` for what is too large, no JSON, or no rule: a rule is an object with at least one of
    `id`, `nodes` and `cfg`. Nothing inside of it is refused for its shape.
    """
    return rule_from(_parsed(_decoded(given)))


def rule_from(value: object) -> Rule:
    """Take a rule from a JSON value parsed elsewhere, within the same bounds. The value is the rule's from now on."""
    if not isinstance(value, dict):
        raise BadInput("graph_not_object")
    if not any(mark in value for mark in _MARKS):
        raise BadInput("graph_without_nodes")
    nodes = value.get("nodes")
    if isinstance(nodes, list) and len(nodes) > MOST_NODES:
        raise TooLarge("graph_nodes_many", limit=MOST_NODES)
    _check(value)
    return Rule.of(value)


def node_from(value: object) -> Node:
    """Take a node from a JSON value parsed elsewhere. The value is the node's from now on."""
    if not isinstance(value, dict):
        raise BadInput("graph_node_not_object")
    _check(value)
    return Node.of(value)


def _decoded(given: str | bytes) -> str:
    # A text is measured in characters first: each is at least one byte, and encoding a huge one costs memory.
    if len(given) > MOST_BYTES or (isinstance(given, str) and len(given.encode(errors="replace")) > MOST_BYTES):
        raise TooLarge("graph_large", limit=MOST_BYTES // 2**20)
    if isinstance(given, str):
        return given.removeprefix("\ufeff")
    try:
        return given.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadInput("graph_not_utf8", line=given.count(b"\n", 0, error.start) + 1) from error


def _parsed(text: str) -> Json:
    if not text.strip():
        raise BadInput("graph_empty")
    try:
        return _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise BadInput("graph_unreadable", line=error.lineno, column=error.colno) from error
    except RecursionError as error:
        raise TooLarge("graph_deep", limit=MOST_DEPTH) from error


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise BadInput("graph_key_twice", name=_shown(twice))
    return found


def _whole(digits: str) -> int:
    # Python itself refuses to read very long ones, and takes its time for long ones.
    if len(digits) > MOST_DIGITS + 1:
        raise BadInput("graph_number")
    return int(digits)


_DECODER = json.JSONDecoder(object_pairs_hook=_pairs, parse_int=_whole)


def _shown(key: str) -> str:
    return "".join(each if each.isprintable() else "\ufffd" for each in key[:LONGEST_KEY_SHOWN])


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
