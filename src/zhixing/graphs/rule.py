"""A rule of a smart-home hub as it stands in the gateway's JSON, with clean access to its parts.

`raw` is what was read and is what is written again: unknown keys, key order and numbers stay as they were, and nothing
ever changes it. Beside it stand the parts in the shape the gateway asks for (mijia §1.1, §1.2). What is not in that
shape is left out of the parts and named by `oddities`: who follows wires meets no malformed one, a validator sees all.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

Json = Any
"""A value as `json` reads it; dicts and lists in it are never changed in place."""
Members = Mapping[str, Json]
"""The members of a JSON object, in their order."""

_NOTHING: Members = {}
_LEGACY = "graph_"
_POSITION = ("x", "y", "width", "height")


class Part(StrEnum):
    """A part of a rule or node that can be out of shape."""

    NODES = "nodes"
    NODE = "node"
    ID = "id"
    TYPE = "type"
    PROPS = "props"
    INPUTS = "inputs"
    OUTPUTS = "outputs"
    PIN = "pin"
    """One value of `outputs` that is no array."""
    TARGET = "target"
    """One element of such an array that is no string of the form `node.pin`."""
    CFG = "cfg"
    VERSION = "version"


@dataclass(frozen=True, slots=True)
class Oddity:
    """A part that is not in the shape the gateway asks for. `pin` is the output it is about (`PIN`, `TARGET` only)."""

    part: Part
    value: Json = None
    pin: str = ""
    missing: bool = False


@dataclass(frozen=True, slots=True)
class Wire:
    """A connection, from an output pin of a node to an input pin of another or the same one."""

    source: str
    pin: str
    target: str
    target_pin: str

    @property
    def end(self) -> str:
        """The wire as it stands in `outputs` of its source."""
        return f"{self.target}.{self.target_pin}"


@dataclass(frozen=True, slots=True)
class Position:
    """Where a card lies on the canvas, in its units; y grows downwards."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """One card. A text that is missing or no string is empty, and so is an object that is none.

    `outputs` holds every pin that is declared, with its usable wires in the order they are served. Two nodes are equal
    when they are written alike: 1 is not true here, and the order of keys counts.
    """

    raw: Json = field(repr=False)
    id: str
    type: str
    props: Members
    inputs: Members
    outputs: Mapping[str, tuple[Wire, ...]]
    cfg: Members

    @classmethod
    def of(cls, raw: Json) -> Node:
        """Look at one element of `nodes`, of whatever shape."""
        members = _object(raw)
        name = _text(members.get("id"))
        outputs = {
            pin: tuple(_wires(name, pin, ends)) if isinstance(ends, list) else ()
            for pin, ends in _object(members.get("outputs")).items()
        }
        return cls(
            raw,
            name,
            _text(members.get("type")),
            _object(members.get("props")),
            _object(members.get("inputs")),
            outputs,
            _object(members.get("cfg")),
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Node) and _alike(self.raw, other.raw)

    __hash__ = None  # type: ignore[assignment]

    @property
    def name(self) -> str:
        """The name of the card, which is its type in all that the editor writes."""
        return _text(self.cfg.get("name"))

    @property
    def urn(self) -> str:
        """The spec of the device the card is about."""
        return _text(self.cfg.get("urn"))

    @property
    def did(self) -> str:
        """The device the card is about."""
        return _text(self.props.get("did"))

    @property
    def position(self) -> Position | None:
        """Where the card lies; None when that is not fully said."""
        given = _object(self.cfg.get("pos"))
        numbers = [given[key] for key in _POSITION if is_number(given.get(key))]
        return Position(*numbers) if len(numbers) == len(_POSITION) else None

    @property
    def wires(self) -> tuple[Wire, ...]:
        """Every usable wire that leaves the node."""
        return tuple(wire for wires in self.outputs.values() for wire in wires)

    @property
    def oddities(self) -> tuple[Oddity, ...]:
        """What the gateway's base check refuses, in its order (§1.2: 1, 3, 5–11); 2 and 4 show in `id` and `type`."""
        return tuple(_oddities(self.raw))

    def having(self, **parts: Json) -> Node:
        """Return the node with some parts of its JSON exchanged, each in the place it had."""
        return Node.of({**_object(self.raw), **parts})


@dataclass(frozen=True, slots=True, eq=False)
class Rule:
    """A whole rule. What is missing or malformed reads as empty, as off, as nothing; see `oddities`.

    Two rules are equal when they are written alike, as with nodes.
    """

    raw: Members = field(repr=False)
    nodes: tuple[Node, ...]
    wires: tuple[Wire, ...] = field(repr=False)
    """Every usable wire, in the order of nodes, pins and ends; also those that end nowhere."""
    _by_id: Mapping[str, Node] = field(repr=False)
    _into: Mapping[str, tuple[Wire, ...]] = field(repr=False)
    _at: Mapping[tuple[str, str], tuple[Wire, ...]] = field(repr=False)

    @classmethod
    def of(cls, raw: Members) -> Rule:
        """Look at a JSON object as a rule."""
        nodes = raw.get("nodes")
        return cls._seen(raw, tuple(Node.of(each) for each in nodes) if isinstance(nodes, list) else ())

    @classmethod
    def _seen(cls, raw: Members, nodes: tuple[Node, ...]) -> Rule:
        wires = tuple(wire for node in nodes for wire in node.wires)
        into: dict[str, list[Wire]] = {}
        at: dict[tuple[str, str], list[Wire]] = {}
        for wire in wires:
            into.setdefault(wire.target, []).append(wire)
            at.setdefault((wire.target, wire.target_pin), []).append(wire)
        by_id = {node.id: node for node in reversed(nodes) if node.id}
        return cls(
            raw,
            nodes,
            wires,
            by_id,
            {name: tuple(found) for name, found in into.items()},
            {end: tuple(found) for end, found in at.items()},
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rule) and _alike(self.raw, other.raw)

    __hash__ = None  # type: ignore[assignment]

    def having(self, **parts: Json) -> Rule:
        """Return the rule with some parts of its JSON exchanged, each where it stood."""
        raw = {**self.raw, **parts}
        return Rule.of(raw) if Part.NODES.value in parts else Rule._seen(raw, self.nodes)

    def having_nodes(self, nodes: Iterable[Node]) -> Rule:
        """Return the rule with these nodes, in this order."""
        given = tuple(nodes)
        return Rule._seen({**self.raw, "nodes": [node.raw for node in given]}, given)

    def node(self, name: str) -> Node | None:
        """Return the node of that id, the first when there are several."""
        return self._by_id.get(name)

    def wires_into(self, name: str) -> tuple[Wire, ...]:
        """Return the wires that end at a node, in their order."""
        return self._into.get(name, ())

    def wires_to(self, name: str, pin: str) -> tuple[Wire, ...]:
        """Return the wires that end at a pin, in their order."""
        return self._at.get((name, pin), ())

    @property
    def id(self) -> str:
        """What the gateway knows the rule by."""
        return _text(self.raw.get("id"))

    @property
    def cfg(self) -> Members:
        """Settings of the rule; the gateway gives them apart from the nodes, so they may be missing (§1.1)."""
        return _object(self.raw.get("cfg"))

    @property
    def user_data(self) -> Members:
        """What the editor keeps about the rule."""
        return _object(self.cfg.get("userData"))

    @property
    def enabled(self) -> bool:
        """Whether the rule is switched on."""
        return self.cfg.get("enable") is True

    @property
    def name(self) -> str:
        """What people call the rule."""
        return _text(self.user_data.get("name"))

    @property
    def tags(self) -> tuple[str, ...]:
        """The tags people gave it."""
        given = self.user_data.get("tags")
        return tuple(tag for tag in given if isinstance(tag, str)) if isinstance(given, list) else ()

    @property
    def scope(self) -> str:
        """The name under which the variables of this rule alone are kept: `R` and the id (seed: 作用域名)."""
        return f"R{self.id.removeprefix(_LEGACY)}"

    @property
    def oddities(self) -> tuple[Oddity, ...]:
        """What of the rule itself is out of shape (§1.1); its nodes tell their own."""
        wanted: tuple[tuple[Part, type], ...] = ((Part.ID, str), (Part.NODES, list), (Part.CFG, dict))
        return tuple(
            Oddity(part, self.raw.get(part.value), missing=part.value not in self.raw)
            for part, kind in wanted
            if not isinstance(self.raw.get(part.value), kind)
        )


def is_number(value: Json) -> bool:
    """Tell whether a JSON value is a number; true and false are none."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def is_whole(value: Json) -> bool:
    """Tell whether a JSON value is a whole number. 1.0 is, as it is for the gateway, which knows one kind of number."""
    return is_number(value) and (isinstance(value, int) or value.is_integer())


def _alike(left: Json, right: Json) -> bool:
    return left is right or (left == right and json.dumps(left) == json.dumps(right))


def _object(value: Json) -> Members:
    return value if isinstance(value, dict) else _NOTHING


def _text(value: Json) -> str:
    return value if isinstance(value, str) else ""


def _end(value: Json) -> tuple[str, str] | None:
    """Read `node.pin`: exactly one dot, and something on either side of it."""
    if not isinstance(value, str) or value.count(".") != 1:
        return None
    node, _, pin = value.partition(".")
    return (node, pin) if node and pin else None


def _wires(source: str, pin: str, ends: list[Json]) -> Iterator[Wire]:
    for each in ends:
        if (end := _end(each)) is not None:
            yield Wire(source, pin, *end)


def _oddities(raw: Json) -> Iterator[Oddity]:
    if not isinstance(raw, dict):
        yield Oddity(Part.NODE, raw)
        return
    for part in (Part.ID, Part.TYPE):
        if not isinstance(raw.get(part.value), str):
            yield _odd(raw, part)
    for part in (Part.PROPS, Part.INPUTS, Part.OUTPUTS):
        if not isinstance(raw.get(part.value), dict):
            yield _odd(raw, part)
    for pin, ends in _object(raw.get("outputs")).items():
        if not isinstance(ends, list):
            yield Oddity(Part.PIN, ends, pin)
            continue
        yield from (Oddity(Part.TARGET, each, pin) for each in ends if _end(each) is None)
    cfg = raw.get("cfg")
    if not isinstance(cfg, dict):
        yield _odd(raw, Part.CFG)
    elif not is_whole(cfg.get("version")):
        yield _odd(cfg, Part.VERSION)


def _odd(members: Members, part: Part) -> Oddity:
    return Oddity(part, members.get(part.value), missing=part.value not in members)
