"""Where pulses get to in a rule, and which properties of devices they write at the end. Pure."""

from __future__ import annotations

from collections.abc import Container, Iterator

from zhixing.graphs.catalogue import Colour
from zhixing.graphs.checks.survey import Survey
from zhixing.graphs.rule import Json, Node, Wire

MOST_STEPS = 200_000
"""Wires that one search follows in one rule; with more it says nothing."""

_HOLDS_BACK = frozenset({("condition", "condition"), ("loop", "stop"), ("onlyNTimes", "zero"), ("counter", "zero")})

Place = tuple[str, Json, Json]
"""A property of a device: did, siid, piid."""


class Budget:
    """Steps of a search that are left."""

    def __init__(self, steps: int = MOST_STEPS) -> None:
        self._left = steps

    @property
    def spent(self) -> bool:
        """Whether there were more steps to make than may be made."""
        return self._left < 0

    def counted(self) -> bool:
        """Count a step, and tell whether it may be made."""
        self._left -= 1
        return self._left >= 0


def place_of(node: Node) -> Place | None:
    """Return the property that a node is about."""
    siid, piid = node.props.get("siid"), node.props.get("piid")
    return (node.did, siid, piid) if node.did and isinstance(siid, int) and isinstance(piid, int) else None


def pulses(survey: Survey, node: Node) -> Iterator[Wire]:
    """Give the wires of a node through which pulses pass on."""
    for wire in node.wires:
        target = survey.rule.node(wire.target)
        if target is None or not survey.works(wire):
            continue
        if survey.accepts[target.id].get(wire.target_pin) is not Colour.EVENT:
            continue
        if (target.type, wire.target_pin) not in _HOLDS_BACK:
            yield wire


def commanded(survey: Survey, source: Node, walls: Container[str], budget: Budget) -> Iterator[tuple[Place, Node]]:
    """Give the cards that write a property once the source has pulsed; types in `walls` stop a pulse."""
    seen, waiting = {source.id}, [source]
    while waiting:
        for wire in pulses(survey, waiting.pop()):
            if not budget.counted():
                return
            target = survey.rule.node(wire.target)
            if target is None or target.id in seen or target.type in walls:
                continue
            seen.add(target.id)
            waiting.append(target)
            if target.type == "deviceOutput" and (place := place_of(target)) is not None:
                yield place, target
