"""States and log entries as JSON and back: what is decoded equals what was encoded."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, get_args

import msgspec

from zhixing.goals.loop.board import Action
from zhixing.goals.loop.events import Event
from zhixing.goals.loop.folding import Entry
from zhixing.goals.loop.model import Graph, Head, Node

VERSION = 1
"""Of the encoding; a later one has to read what this one wrote."""
APART = 2
"""Of a head whose nodes are kept beside it."""

_EVENTS: dict[str, Any] = {kind.__name__: kind for kind in get_args(Event)}


class UnreadableGoal(ValueError):
    """What was stored is no goal, or was written by a later version."""


def encode_state(graph: Graph) -> bytes:
    """Return a state as JSON."""
    return msgspec.json.encode({"v": VERSION, "head": graph.head, "nodes": list(graph.nodes.values())})


class _State(msgspec.Struct):
    """A state as it is stored; read in one go, for this happens twice for every step of a goal."""

    v: Literal[1]
    head: Head
    nodes: list[Node]


class _Apart(msgspec.Struct):
    v: Literal[2]
    head: Head


_STATE = msgspec.json.Decoder(_State)
_APART = msgspec.json.Decoder(_Apart)
_NODES = msgspec.json.Decoder(list[Node])


def decode_state(encoded: bytes | str) -> Graph:
    """Return a state. Raises `UnreadableGoal`."""
    try:
        found = _STATE.decode(encoded)
    except (msgspec.DecodeError, RecursionError) as error:
        raise UnreadableGoal(str(error)) from error
    return Graph(found.head, {node.id: node for node in found.nodes})


def encode_head(head: Head) -> str:
    """Return a state without its nodes as JSON."""
    return msgspec.json.encode({"v": APART, "head": head}).decode()


def encode_node(node: Node) -> str:
    """Return a node as JSON."""
    return msgspec.json.encode(node).decode()


def decode_parts(head: str, nodes: Iterable[str]) -> Graph:
    """Return a state whose nodes were kept beside it, in their order. Raises `UnreadableGoal`."""
    try:
        found = _NODES.decode(f"[{','.join(nodes)}]")
        return Graph(_APART.decode(head).head, {node.id: node for node in found})
    except (msgspec.DecodeError, RecursionError) as error:
        raise UnreadableGoal(str(error)) from error


def encode_entry(entry: Entry) -> bytes:
    """Return a log entry as JSON."""
    body = {
        "v": VERSION,
        "seq": entry.seq,
        "at": entry.at,
        "kind": type(entry.event).__name__,
        "event": entry.event,
        "head": entry.head,
        "nodes": entry.nodes,
        "actions": entry.actions,
    }
    return msgspec.json.encode(body)


def decode_entry(encoded: bytes) -> Entry:
    """Return a log entry. Raises `UnreadableGoal`."""
    found = _decoded(encoded)
    kind = _EVENTS.get(str(found.get("kind")))
    if kind is None:
        raise UnreadableGoal("kind")
    return Entry(
        _converted(found.get("seq"), int),
        _converted(found.get("at"), int),
        _converted(found.get("event"), kind),
        _converted(found.get("head"), Head),
        _converted(found.get("nodes"), tuple[Node, ...]),
        _converted(found.get("actions"), tuple[Action, ...]),
    )


def _decoded(encoded: bytes) -> dict[str, Any]:
    try:
        found = msgspec.json.decode(encoded)
    except (msgspec.DecodeError, RecursionError) as error:
        raise UnreadableGoal(str(error)) from error
    if not isinstance(found, dict) or found.get("v") != VERSION:
        raise UnreadableGoal("version")
    return found


def _converted(value: object, kind: Any) -> Any:
    try:
        return msgspec.convert(value, kind)
    except (msgspec.ValidationError, RecursionError) as error:
        raise UnreadableGoal(str(error)) from error
