"""Which state machine runs a node, and where its wires go."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from zhixing.graphs.catalogue import Colour, inputs_of, outputs_of
from zhixing.graphs.logs import Pin
from zhixing.graphs.rule import Node, Rule
from zhixing.graphs.simulating.cards import Card, NotRunnable
from zhixing.graphs.simulating.cards_clock import AlarmSource, StartSource, WindowSource
from zhixing.graphs.simulating.cards_devices import ActionOutput, PropertyOutput, Query, QueryToVariable
from zhixing.graphs.simulating.cards_flow import Condition, Counter, ModeSwitch, OnlyNTimes, Register, SignalOr
from zhixing.graphs.simulating.cards_logic import LogicAnd, LogicNot, LogicOr
from zhixing.graphs.simulating.cards_sources import (
    EventSource,
    EventToVariables,
    PropertySource,
    PropertyToVariable,
    VariableSource,
)
from zhixing.graphs.simulating.cards_time import Delay, EventSequence, Loop, StatusLast
from zhixing.graphs.simulating.cards_variables import SetNumber, SetString, VariableQuery
from zhixing.graphs.simulating.world import World

Maker = Callable[[Node, frozenset[str], World], Card]

NO_MAKERS: Mapping[str, Maker] = {}
"""Every node has the card of its type."""

_CARDS: Mapping[str, Maker] = {
    "deviceGet": Query,
    "deviceGetSetVar": QueryToVariable,
    "alarmClock": AlarmSource,
    "timeRange": WindowSource,
    "onLoad": StartSource,
    "varChange": VariableSource,
    "delay": Delay,
    "statusLast": StatusLast,
    "eventSequence": EventSequence,
    "loop": Loop,
    "condition": Condition,
    "onlyNTimes": OnlyNTimes,
    "counter": Counter,
    "modeSwitch": ModeSwitch,
    "signalOr": SignalOr,
    "register": Register,
    "logicOr": LogicOr,
    "logicAnd": LogicAnd,
    "logicNot": LogicNot,
    "varGet": VariableQuery,
    "varSetNumber": SetNumber,
    "varSetString": SetString,
}
_BY_PROP: Mapping[str, Mapping[str, Maker]] = {
    "deviceInput": {"piid": PropertySource, "eiid": EventSource},
    "deviceInputSetVar": {"piid": PropertyToVariable, "eiid": EventToVariables},
    "deviceOutput": {"piid": PropertyOutput, "aiid": ActionOutput},
}
_NOTE = "nop"
LONGEST_NAME = 80
"""Characters of an id in the log."""
_SIGNS = str.maketrans(dict.fromkeys("|.\r\n", "_"))


@dataclass(frozen=True, slots=True)
class Lead:
    """A wire that works; `colour` is that of the pin where it ends, event or state; `ends` are for the log."""

    source: str
    pin: str
    card: Card
    target_pin: str
    colour: Colour
    ends: tuple[Pin, Pin]


@dataclass(frozen=True, slots=True)
class Dropped:
    """A node or wire that takes no part; `code` names the text in `graph_simulation`."""

    code: str
    node: str
    values: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Deck:
    """The cards of a rule in node order, its wires by node and pin in their order, and what was left out."""

    cards: tuple[Card, ...]
    leads: Mapping[tuple[str, str], tuple[Lead, ...]]
    dropped: tuple[Dropped, ...]

    @classmethod
    def of(cls, rule: Rule, world: World, makers: Mapping[str, Maker]) -> Deck:
        """Make the cards, by `makers` for the nodes in it.

        The gateway checks no wiring, so wires that cannot work are left out, not refused (§1.8).
        """
        dropped: list[Dropped] = []
        cards = {card.node.id: card for card in _cards(rule, world, makers, dropped)}
        leads: dict[tuple[str, str], list[Lead]] = {}
        for node in rule.nodes:
            if node.id in cards and cards[node.id].node is node:
                for lead in _leads(node, cards, dropped):
                    leads.setdefault((lead.source, lead.pin), []).append(lead)
        return cls(tuple(cards.values()), {key: tuple(found) for key, found in leads.items()}, tuple(dropped))


def logged(name: str) -> str:
    """Return a name that a line of the log can hold."""
    return name[:LONGEST_NAME].translate(_SIGNS) or "_"


def _cards(rule: Rule, world: World, makers: Mapping[str, Maker], dropped: list[Dropped]) -> Iterator[Card]:
    for node in rule.nodes:
        if node.type == _NOTE:
            continue
        maker = makers.get(node.id) or maker_of(node)
        if maker is None:
            dropped.append(Dropped("node_unknown", node.id, {"kind": node.type[:40]}))
            continue
        if rule.node(node.id) is not node:
            dropped.append(Dropped("node_twice", node.id, {}))
            continue
        wired = frozenset(wire.target_pin for wire in rule.wires_into(node.id))
        try:
            yield maker(node, wired, world)
        except NotRunnable as error:
            dropped.append(Dropped("node_incomplete", node.id, {"prop": error.prop}))


def maker_of(node: Node) -> Maker | None:
    """Return what makes the card of a node's type; None for a type that is not known."""
    if node.type in _BY_PROP:
        return next((maker for prop, maker in _BY_PROP[node.type].items() if prop in node.props), None)
    return _CARDS.get(node.type)


def _leads(node: Node, cards: Mapping[str, Card], dropped: list[Dropped]) -> Iterator[Lead]:
    sources = outputs_of(node)
    for wire in node.wires:
        card = cards.get(wire.target)
        colour = inputs_of(card.node).get(wire.target_pin) if card is not None else None
        source = sources.get(wire.pin)
        if card is None or colour is None or source is None or not source.reaches(colour):
            dropped.append(Dropped("wire_dead", node.id, {"pin": wire.pin, "end": wire.end[:80]}))
            continue
        ends = Pin(logged(node.id), logged(wire.pin)), Pin(logged(wire.target), logged(wire.target_pin))
        yield Lead(node.id, wire.pin, card, wire.target_pin, colour, ends)
