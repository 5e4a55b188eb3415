"""Where the cards of a rule go: its nodes and wires as boxes for the layout, and the places back as `cfg.pos`. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from zhixing.graphs.catalogue import outputs_of
from zhixing.graphs.layout.arranging import DEFAULT, lay_out
from zhixing.graphs.layout.model import Box, Edge, Options, Point
from zhixing.graphs.layout.sizes import size_of
from zhixing.graphs.rule import Node, Position, Rule
from zhixing.graphs.writing import with_positions


def placed(rule: Rule, options: Options = DEFAULT) -> Rule:
    """Return the rule with a place for each card, in whole pixels; the order of nodes and wires stays.

    A card that says its size keeps it; another one gets the editor's for its type. Wires that end nowhere, and all but
    the first node of an id, are passed over. Raises what `lay_out` raises.
    """
    nodes = {node.id: node for node in rule.nodes if node.id and rule.node(node.id) is node}
    boxes = {name: _box(node) for name, node in nodes.items()}
    found = lay_out(tuple(boxes.values()), tuple(_edges(nodes)), options)
    places = {
        name: Position(point.x, point.y, boxes[name].width, boxes[name].height)
        for name, point in found.positions.items()
    }
    return with_positions(rule, places)


def _box(node: Node) -> Box:
    size, place = size_of(node.type), node.position
    if place is None or min(place.width, place.height) <= 0:
        return Box(node.id, size.width, size.height)
    return Box(node.id, place.width, place.height, position=Point(place.x, place.y))


def _edges(nodes: Mapping[str, Node]) -> Iterable[Edge]:
    for node in nodes.values():
        places = {pin: number for number, pin in enumerate(outputs_of(node))}
        for wire in node.wires:
            if wire.target in nodes:
                yield Edge(node.id, places.get(wire.pin, len(places)), wire.target)
