"""A rule as a picture to read: cards of one size in columns, and the wires between them. Pure.

Cards are laid out afresh, each line of them as wide as a telephone can scroll: the editor keeps places of its own.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass

from zhixing.faces.web.graphs.cards import Around, say_card
from zhixing.graphs.catalogue import Colour, node_type, outputs_of
from zhixing.graphs.explaining.history import colour_of
from zhixing.graphs.layout.arranging import lay_out
from zhixing.graphs.layout.model import Box, Edge, Options, Point
from zhixing.graphs.rule import Node, Rule, Wire

MOST_DRAWN = 150
"""Cards of one picture; a rule with more is only told."""
MOST_WIRES = 1_000
WIDTH, HEIGHT = 208, 84
_EDGE = 6
"""Pixels around the picture."""
_OPTIONS = Options(column_gap=64, row_gap=24, part_gap=36, origin=Point(_EDGE, _EDGE))
_COLUMNS = 26
"""How many narrow letters stand in a line of a card; a wide one takes the room of two."""


@dataclass(frozen=True, slots=True)
class DrawnCard:
    """A card: its upper left corner, its lines, its group, and the mark of what was found about it."""

    id: str
    x: int
    y: int
    title: str
    about: str
    what: str
    group: str
    mark: str


@dataclass(frozen=True, slots=True)
class DrawnWire:
    """A wire as the `d` of a path; `kind` is what it carries: event, state, or nothing that works (bad)."""

    path: str
    kind: str


@dataclass(frozen=True, slots=True)
class Drawing:
    """The picture, in pixels."""

    width: int
    height: int
    cards: tuple[DrawnCard, ...]
    wires: tuple[DrawnWire, ...]


def draw(rule: Rule, around: Around, marks: Mapping[str, str]) -> Drawing | None:
    """Draw a rule; None where it has no cards, or too many to be looked at. `marks` are by the id of a card."""
    nodes = {node.id: node for node in rule.nodes if node.id and rule.node(node.id) is node}
    wires = [wire for wire in rule.wires if wire.source in nodes and wire.target in nodes]
    if not nodes or len(nodes) > MOST_DRAWN or len(wires) > MOST_WIRES:
        return None
    places = lay_out([Box(name, WIDTH, HEIGHT) for name in nodes], _edges(nodes, wires), _OPTIONS).positions
    cards = tuple(_card(node, places[name], around, marks.get(name, "")) for name, node in nodes.items())
    drawn = tuple(_wire(rule, wire, nodes, places) for wire in wires)
    right = max(card.x for card in cards) + WIDTH
    bottom = max(card.y for card in cards) + HEIGHT
    # Wires that lead back pass below the cards.
    back = any(places[wire.target].x <= places[wire.source].x for wire in wires)
    return Drawing(right + _EDGE + (40 if back else 0), bottom + _EDGE + (40 if back else 0), cards, drawn)


def _edges(nodes: Mapping[str, Node], wires: list[Wire]) -> list[Edge]:
    ports = {name: {pin: number for number, pin in enumerate(outputs_of(node))} for name, node in nodes.items()}
    return [Edge(wire.source, ports[wire.source].get(wire.pin, len(ports[wire.source])), wire.target) for wire in wires]


def _card(node: Node, place: Point, around: Around, mark: str) -> DrawnCard:
    said = say_card(node, around)
    kind = node_type(node.type)
    group = "other" if kind is None else kind.group.value
    title, about, what = (_fitted(line) for line in (said.title, said.about, said.what))
    return DrawnCard(node.id, round(place.x), round(place.y), title, about, what, group, mark)


def _wire(rule: Rule, wire: Wire, nodes: Mapping[str, Node], places: Mapping[str, Point]) -> DrawnWire:
    start, end = places[wire.source], places[wire.target]
    x1, y1 = round(start.x) + WIDTH, round(start.y) + _height(wire.pin, list(outputs_of(nodes[wire.source])))
    pins = list(dict.fromkeys(each.target_pin for each in rule.wires_into(wire.target)))
    x2, y2 = round(end.x), round(end.y) + _height(wire.target_pin, sorted(pins))
    colour = colour_of(rule, wire)
    kind = "bad" if colour is None else "state" if colour is Colour.STATE else "event"
    if x2 > x1:
        bend = max(24, (x2 - x1) // 2)
        return DrawnWire(f"M{x1} {y1}C{x1 + bend} {y1} {x2 - bend} {y2} {x2} {y2}", kind)
    below = max(round(start.y), round(end.y)) + HEIGHT + 24
    path = f"M{x1} {y1}C{x1 + 40} {y1} {x1 + 40} {below} {x1 - 20} {below}"
    return DrawnWire(f"{path}L{x2 + 20} {below}C{x2 - 40} {below} {x2 - 40} {y2} {x2} {y2}", kind)


def _height(pin: str, pins: list[str]) -> int:
    """Return where a pin is on the side of a card: they share it evenly."""
    place = pins.index(pin) if pin in pins else len(pins)
    return round(HEIGHT * (place + 1) / (max(len(pins), place + 1) + 1))


def _fitted(text: str) -> str:
    """Cut a line to the width of a card."""
    used = 0
    for number, letter in enumerate(text):
        used += 2 if unicodedata.east_asian_width(letter) in "WF" else 1
        if used > _COLUMNS:
            return text[:number].rstrip() + "…"
    return text
