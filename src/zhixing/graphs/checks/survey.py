"""A rule as the structural checks look at it: wires by where they end, pins with their colours, cards by name. Pure."""

from __future__ import annotations

import json
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass
from itertools import islice

from zhixing.graphs.catalogue import Colour, NodeType, inputs_of, node_type, outputs_of
from zhixing.graphs.checks.finding import GRAPH, Finding, Fix, Level, Phrase, Profile
from zhixing.graphs.rule import Json, Node, Part, Rule, Wire
from zhixing.graphs.specs.jsontext import LONGEST_SHOWN, shown

MOST_LISTED = 60
"""Pins that a message names."""
_LARGEST_SHOWN = 2**64


@dataclass(frozen=True, slots=True)
class Survey:
    """A rule with what several checks ask of it. `legacy` are node ids that the gateway already holds."""

    rule: Rule
    profile: Profile
    legacy: Container[str]
    accepts: Mapping[str, Mapping[str, Colour]]
    """By node id: the inputs of its type that it declares, so those at which a wire has an effect."""
    sends: Mapping[str, Mapping[str, Colour]]
    """By node id: the outputs of its type."""

    @classmethod
    def of(cls, rule: Rule, profile: Profile, legacy: Container[str]) -> Survey:
        """Prepare a rule for checking."""
        firsts = [node for node in rule.nodes if node.id and rule.node(node.id) is node]
        accepts = {node.id: {pin: c for pin, c in inputs_of(node).items() if pin in node.inputs} for node in firsts}
        sends = {node.id: outputs_of(node) for node in firsts}
        return cls(rule, profile, legacy, accepts, sends)

    @property
    def strict(self) -> bool:
        """Whether the demands of the published validators count."""
        return self.profile is Profile.STRICT

    @property
    def ids_are_unique(self) -> bool:
        """Whether each id is that of one node, so that what is said of whole ways is true."""
        return all(not node.id or self.rule.node(node.id) is node for node in self.rule.nodes)

    def wires_to(self, node: Node, pin: str) -> tuple[Wire, ...]:
        """Return the wires that end at a pin, in their order."""
        return self.rule.wires_to(node.id, pin)

    def is_fed(self, node: Node, pin: str) -> bool:
        """Tell whether a pin has a wire, or a truth value in place of one where its type takes that."""
        kind = node_type(node.type)
        constant = kind is not None and kind.takes_constant(pin) and isinstance(node.inputs.get(pin), bool)
        return constant or bool(self.wires_to(node, pin))

    def works(self, wire: Wire) -> bool:
        """Tell whether anything passes a wire: both pins exist and their colours fit (mijia §1.8)."""
        source, target = self.rule.node(wire.source), self.rule.node(wire.target)
        if source is None or target is None:
            return False
        if node_type(target.type) is None:
            return wire.target_pin in target.inputs
        into = self.accepts[target.id].get(wire.target_pin)
        if into is None:
            return False
        if node_type(source.type) is None:
            return True
        colour = self.sends[source.id].get(wire.pin)
        return colour is not None and colour.reaches(into)

    def error(self, code: str, node: Node | None = None, *fixes: Fix, **values: object) -> Finding:
        """Make an error about a node, or about the rule."""
        return self.found(code, Level.ERROR, node, *fixes, **values)

    def warn(self, code: str, node: Node | None = None, *fixes: Fix, **values: object) -> Finding:
        """Make a warning."""
        return self.found(code, Level.WARN, node, *fixes, **values)

    def info(self, code: str, node: Node | None = None, *fixes: Fix, **values: object) -> Finding:
        """Make a hint."""
        return self.found(code, Level.INFO, node, *fixes, **values)

    def found(self, code: str, level: Level, node: Node | None, *fixes: Fix, **values: object) -> Finding:
        """Make a finding whose message may name the card as `card`."""
        if node is None:
            return Finding(code, level, GRAPH, values, fixes)
        return Finding(code, level, node.id or GRAPH, {"card": card(node), **values}, fixes)


def kind_of(node: Node) -> NodeType | None:
    """Return the type of a node."""
    return node_type(node.type)


def stands(node: Node, part: Part) -> bool:
    """Tell whether a part of a node is the object it must be; when not, that is said once, and not what it lacks."""
    return isinstance(node.raw, dict) and isinstance(node.raw.get(part.value), dict)


def card(node: Node) -> Phrase:
    """Name a card as people see it: its own name or that of its type, and the id."""
    own = node.name if node.name and node.name != node.type else ""
    known = node_type(node.type) is not None
    title: object = shown(own) if own else Phrase(f"node_types.{node.type}") if known else shown(node.type or "?")
    return Phrase("graph_reasons.card", {"title": title, "id": shown(node.id)})


def written(value: Json) -> str | Phrase:
    """Write a value of a rule for a message as JSON does, so that "1" is not taken for 1; nothing is said in words."""
    if value is None:
        return Phrase("graph_reasons.absent")
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > _LARGEST_SHOWN:
        return shown(hex(value))
    try:
        return shown(json.dumps(value, ensure_ascii=False))
    except (ValueError, TypeError, RecursionError):
        return "…"


def listed(pins: Iterable[str]) -> str | Phrase:
    """Write names of pins one after another."""
    return shown("、".join(pin[:LONGEST_SHOWN] for pin in islice(pins, MOST_LISTED))) or Phrase("graph_reasons.none")
