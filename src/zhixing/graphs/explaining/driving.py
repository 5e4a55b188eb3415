"""A log as a script: what sources of the rule sent in it, they are forced to send."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from zhixing.graphs.checks.pins import SOURCES
from zhixing.graphs.explaining.following import Shown, stored
from zhixing.graphs.logs import Line as LogLine
from zhixing.graphs.logs import LinkLine, RuleLine
from zhixing.graphs.rule import Node
from zhixing.graphs.simulating.script import Event, Forced, Line, Switch, VariableSet

TOGETHER_MS = 50
"""How far apart the lines of several wires may be that one output sent at once."""


@dataclass(slots=True)
class _Sent:
    """What one output sends at once, while its lines are read; `last` is the place of its last wire in the rule."""

    at_ms: int
    node: str
    pin: str
    last: int = -1
    state: bool | None = None
    pulse: bool = False

    def goes_on(self, node: Node, line: LinkLine, place: int | None) -> bool:
        """Tell whether a line is of the same sending."""
        same = (self.node, self.pin) == (node.id, line.source.pin) and line.at_ms - self.at_ms <= TOGETHER_MS
        return same and (place is None or place > self.last)

    def take(self, line: LinkLine, place: int | None) -> None:
        """Add a wire; one that the rule no longer has has no place."""
        if place is not None:
            self.last = place
        if line.state is None:
            self.pulse = True
        else:
            self.state = line.state

    def event(self) -> Forced:
        """Return it as an event of a script."""
        return Forced(self.node, self.pin, self.state, self.pulse)


def driven(lines: Iterable[LogLine], nodes: Mapping[str, Node], shown: Mapping[str, list[Shown]]) -> list[Line]:
    """Return what happens in a log, in its order; times are those of the log.

    `nodes` are by how the log names them; `shown` tells what sources stored in variables.
    """
    found = [(each.at_ms, 0, each) for each in _stores(nodes, shown)]
    found += [(at_ms, 1, Line(at_ms, event)) for at_ms, event in _events(lines, nodes)]
    return [line for _, _, line in sorted(found, key=lambda one: one[:2])]


def _stores(nodes: Mapping[str, Node], shown: Mapping[str, list[Shown]]) -> Iterator[Line]:
    for node in nodes.values():
        if node.type == "deviceInputSetVar":
            for turn in shown.get(node.id, ()):
                for variable, value in stored(node, turn.value):
                    yield Line(turn.at_ms, VariableSet(variable, value))


def _events(lines: Iterable[LogLine], nodes: Mapping[str, Node]) -> Iterator[tuple[int, Event]]:
    """Yield switches, and what sources send; lines of one output belong together as long as no other source speaks.

    The wires of an output carry in the order of the rule, so that one that stands before the last begins anew.
    """
    sent: _Sent | None = None
    on = False
    for line in lines:
        if isinstance(line, RuleLine):
            if sent is not None:
                yield sent.at_ms, sent.event()
                sent = None
            if line.enable and on:
                # switched on while on: it was saved anew, and begins anew
                yield line.at_ms, Switch(on=False)
            on = line.enable
            yield line.at_ms, Switch(on=on)
            continue
        if not on:
            on = True
            yield line.at_ms, Switch(on=True)
        node = nodes.get(line.source.node) if isinstance(line, LinkLine) else None
        if node is None or node.type not in SOURCES or not isinstance(line, LinkLine):
            continue
        place = _place(node, line)
        if sent is None or not sent.goes_on(node, line, place):
            if sent is not None:
                yield sent.at_ms, sent.event()
            sent = _Sent(line.at_ms, node.id, line.source.pin)
        sent.take(line, place)
    if sent is not None:
        yield sent.at_ms, sent.event()


def _place(node: Node, line: LinkLine) -> int | None:
    """Return the place of a wire among those of its output; None when the rule no longer has it."""
    ends = [wire.end for wire in node.outputs.get(line.source.pin, ())]
    end = str(line.target)
    return ends.index(end) if end in ends else None
