"""What can ever happen in a rule: which pins can get a pulse, and which states can be true or false (mijia §2.5).

The facts only grow, so they are found by working off the nodes whose inputs learned something, until nothing is new.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from zhixing.graphs.catalogue import Colour, node_type
from zhixing.graphs.checks.pins import SOURCES
from zhixing.graphs.checks.survey import Survey
from zhixing.graphs.rule import Node, Wire

PASSES_ON = {
    "counter": ("input",),
    "delay": ("input",),
    "deviceGet": ("input",),
    "deviceGetSetVar": ("input",),
    "deviceOutput": ("trigger",),
    "loop": ("start",),
    "modeSwitch": ("input",),
    "onlyNTimes": ("input",),
    "varGet": ("input",),
    "varSetNumber": ("input",),
    "varSetString": ("input",),
}
"""Types whose every output pulses when this input does; their other inputs only hold back."""


@dataclass(frozen=True, slots=True)
class Truth:
    """What can come out of a pin: a pulse, and a state that can be true or false. Without a state it is neither."""

    event: bool = False
    true: bool = False
    false: bool = False

    def __or__(self, other: Truth) -> Truth:
        return Truth(self.event or other.event, self.true or other.true, self.false or other.false)

    @property
    def state(self) -> bool:
        """Whether there is a state at all."""
        return self.true or self.false


_NOTHING = Truth()
_ALL = Truth(event=True, true=True, false=True)
_PULSE = Truth(event=True)


class Reach:
    """The facts of one rule. Ids must be unique."""

    def __init__(self, survey: Survey) -> None:
        self._survey = survey
        self._facts: dict[tuple[str, str], Truth] = {}
        self._arrived: dict[tuple[str, str], Truth] = {}
        self._working: dict[tuple[str, str], list[Wire]] = {}
        for wire in survey.rule.wires:
            if survey.works(wire):
                self._working.setdefault((wire.target, wire.target_pin), []).append(wire)
        self._settle()

    def at(self, node: Node, pin: str) -> Truth:
        """Return what can arrive at an input, in the colour it takes."""
        value = node.inputs.get(pin)
        if isinstance(value, bool):
            return Truth(true=value, false=not value)
        return self._arrived.get((node.id, pin), _NOTHING)

    def leaving(self, node: Node, pin: str) -> Truth:
        """Return what can leave an output."""
        return self._facts.get((node.id, pin), _NOTHING)

    def working(self, node: Node, pin: str) -> tuple[Wire, ...]:
        """Return the wires to an input through which something can pass."""
        return tuple(self._working.get((node.id, pin), ()))

    def _settle(self) -> None:
        waiting = deque(node for node in self._survey.rule.nodes if node.id)
        queued = {node.id for node in waiting}
        while waiting:
            node = waiting.popleft()
            queued.discard(node.id)
            for pin, truth in self._outputs(node).items():
                known = self._facts.get((node.id, pin), _NOTHING)
                if (grown := known | truth) == known:
                    continue
                self._facts[node.id, pin] = grown
                for target in self._spread(node, pin, grown):
                    if target.id not in queued:
                        queued.add(target.id)
                        waiting.append(target)

    def _spread(self, node: Node, pin: str, sent: Truth) -> Iterator[Node]:
        """Hand on what an output can send, and give the nodes that learn something by it."""
        for wire in node.outputs.get(pin, ()):
            target = self._survey.rule.node(wire.target)
            if target is None or not self._survey.works(wire):
                continue
            colour = self._survey.accepts[target.id].get(wire.target_pin)
            passed = Truth(event=sent.event) if colour is Colour.EVENT else sent
            end = (wire.target, wire.target_pin)
            known = self._arrived.get(end, _NOTHING)
            if (grown := known | passed) != known:
                self._arrived[end] = grown
                yield target

    def _outputs(self, node: Node) -> Mapping[str, Truth]:
        sends = self._survey.sends.get(node.id, {})
        if node_type(node.type) is None:
            # Nobody knows what it does: it passes everything on and starts nothing.
            live = any(self.at(node, pin) != _NOTHING for pin in node.inputs)
            return dict.fromkeys(node.outputs, _ALL) if live else {}
        if node.type in SOURCES:
            return {pin: _PULSE if colour is Colour.EVENT else _ALL for pin, colour in sends.items()}
        match node.type:
            case "condition":
                return self._condition(node)
            case "counter":
                live = self.at(node, "input").event
                return {"output": Truth(live, true=live, false=True)}
            case "register":
                live = self.at(node, "setTrue").event
                return {"output": Truth(live, true=live, false=True)}
            case "eventSequence":
                return {"output": Truth(self.at(node, "input1").event and self.at(node, "input2").event)}
            case "statusLast":
                given = self.at(node, "input")
                return {"output": Truth(given.true, given.true, given.state)}
            case "logicAnd" | "logicOr" | "logicNot":
                return {"output": self._logic(node)}
            case "signalOr":
                return {"output": Truth(any(self.at(node, pin).event for pin in self._pins(node)))}
            case _:
                live = any(self.at(node, pin).event for pin in PASSES_ON.get(node.type, ()))
                return dict.fromkeys(sends, Truth(live))

    def _pins(self, node: Node) -> tuple[str, ...]:
        return tuple(self._survey.accepts.get(node.id, ()))

    def _condition(self, node: Node) -> Mapping[str, Truth]:
        trigger, given = self.at(node, "trigger").event, self.condition(node)
        return {"met": Truth(trigger and given.true), "unmet": Truth(trigger and given.false)}

    def condition(self, node: Node) -> Truth:
        """Return what a condition can find; unwired, or without a state, it finds false."""
        given = self.at(node, "condition")
        return given if given.state else Truth(false=True)

    def _logic(self, node: Node) -> Truth:
        pins = self._pins(node)
        given = [self.at(node, pin) for pin in pins]
        if not given:
            return _NOTHING
        changes = any(not isinstance(node.inputs.get(pin), bool) and self.at(node, pin).true for pin in pins)
        match node.type:
            case "logicAnd":
                if not all(each.state for each in given):
                    return _NOTHING
                found = Truth(true=all(each.true for each in given), false=any(each.false for each in given))
            case "logicOr":
                if not any(each.state for each in given):
                    return _NOTHING
                unfed = [each.false or not each.state for each in given]
                found = Truth(true=any(each.true for each in given), false=all(unfed))
            case _:
                found = Truth(true=given[0].false, false=given[0].true)
                changes = not isinstance(node.inputs.get(pins[0]), bool)
        return replace(found, event=found.true and changes)
