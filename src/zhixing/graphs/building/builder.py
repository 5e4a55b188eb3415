"""A rule in the making: cards get ids, wires are refused where no wire works, variables say how they begin.

    b = Builder("1764550800001")
    seen = b.add(device_input(sensor, motion, equals(True)))
    light = b.add(device_output(lamp, on, True))
    b.wire(seen.out(), light.pin())
    rule = b.rule("有人开灯", updated_ms=1764550800000)

Pure but for the builder itself, which grows. Where cards lie is said by `graphs.placing.placed`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from zhixing.graphs.building.cards import logic_and, logic_or, signal_or
from zhixing.graphs.building.sketch import Sketch
from zhixing.graphs.catalogue import Colour, inputs_of, node_type, outputs_of
from zhixing.graphs.expressions.elements import Variable
from zhixing.graphs.reading import MOST_NODES
from zhixing.graphs.rule import Json, Node, Rule
from zhixing.graphs.specs.model import Dtype
from zhixing.kernel.errors import BadInput, NotFound, TooLarge

GLOBAL = "global"
"""The scope of variables that all rules share."""
MOST_VARIABLES = 200
"""Variables that one rule may need."""

_RULE = re.compile(r"[0-9]{13}")
_ID = re.compile(r"[0-9a-zA-Z]{1,64}")

_Join = Callable[[int], Sketch]


@dataclass(frozen=True, slots=True)
class Outlet:
    """A pin where wires start."""

    card: str
    pin: str
    colour: Colour


@dataclass(frozen=True, slots=True)
class Inlet:
    """A pin where a wire ends."""

    card: str
    pin: str
    colour: Colour


@dataclass(frozen=True, slots=True)
class Card:
    """A card that stands in a builder: its id, its type, its pins with colours in their order."""

    id: str
    type: str
    outlets: tuple[Outlet, ...]
    inlets: tuple[Inlet, ...]

    def out(self, pin: str = "") -> Outlet:
        """Return an output, the first (`output`, `met`, `output0`) without a name. Raises `NotFound`."""
        found = next((each for each in self.outlets if pin in {"", each.pin}), None)
        if found is None:
            raise NotFound("building_no_outlet", card=self.id, pin=pin)
        return found

    def pin(self, pin: str = "") -> Inlet:
        """Return an input, the first (`input`, `trigger`, `start` …) without a name. Raises `NotFound`."""
        found = next((each for each in self.inlets if pin in {"", each.pin}), None)
        if found is None:
            raise NotFound("building_no_inlet", card=self.id, pin=pin)
        return found


@dataclass(frozen=True, slots=True)
class Declared:
    """A variable that has to be there before the rule runs: its value at first, and what people call it."""

    variable: Variable
    initial: float | str
    name: str

    @property
    def type(self) -> Dtype:
        """What it holds."""
        return Dtype.STRING if isinstance(self.initial, str) else Dtype.NUMBER


class Builder:
    """A rule that grows. Ids are the type and a number, unless given; the same calls give the same rule."""

    def __init__(self, rule_id: str) -> None:
        if not _RULE.fullmatch(rule_id):
            raise BadInput("building_rule_id")
        self.rule_id = rule_id
        self._sketches: dict[str, Sketch] = {}
        self._wires: dict[str, dict[str, list[str]]] = {}
        self._constants: dict[str, dict[str, bool]] = {}
        self._fed: set[Inlet] = set()
        self._counts: Counter[str] = Counter()
        self._variables: dict[Variable, Declared] = {}

    @property
    def scope(self) -> str:
        """The scope of variables of this rule alone."""
        return f"R{self.rule_id}"

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of all cards, in their order."""
        return tuple(self._sketches)

    @property
    def variables(self) -> tuple[Declared, ...]:
        """The variables that were declared, in their order."""
        return tuple(self._variables.values())

    def declare(self, name: str, initial: float | str, title: str = "", scope: str = "") -> Variable:
        """Need a variable: of this rule, or with scope `GLOBAL` of all. `initial` decides between number and string.

        Its id is letters and digits (seed); `title` is what the editor shows, the id if empty. Raises `BadInput` for
        another id, or when it is declared differently already.
        """
        if not _ID.fullmatch(name):
            raise BadInput("building_variable_id", name=name[:40])
        if scope not in {"", GLOBAL, self.scope}:
            raise BadInput("building_scope", scope=scope[:40], own=self.scope)
        new = Declared(Variable(scope or self.scope, name), initial, title or name)
        if self._variables.get(new.variable, new) != new:
            raise BadInput("building_variable_twice", name=name)
        if new.variable not in self._variables and len(self._variables) >= MOST_VARIABLES:
            raise TooLarge("building_variables_many", limit=MOST_VARIABLES)
        self._variables[new.variable] = new
        return new.variable

    def add(self, sketch: Sketch, name: str = "") -> Card:
        """Put a card into the rule. Raises `BadInput` for an id that is taken or not of letters and digits."""
        if len(self._sketches) >= MOST_NODES:
            raise TooLarge("graph_nodes_many", limit=MOST_NODES)
        chosen = name or self._next_id(sketch.type)
        if not _ID.fullmatch(chosen) or chosen in self._sketches:
            raise BadInput("building_card_id", id=chosen[:40])
        self._sketches[chosen] = sketch
        node = Node.of(sketch.raw(chosen, {}, {}))
        executes = node_type(sketch.type) is not None and sketch.type != "nop"
        outlets = tuple(Outlet(chosen, pin, colour) for pin, colour in outputs_of(node).items()) if executes else ()
        return Card(chosen, sketch.type, outlets, tuple(Inlet(chosen, *each) for each in inputs_of(node).items()))

    def wire(self, source: Outlet, *targets: Inlet) -> None:
        """Draw wires, in this order. Raises `BadInput` if colours do not fit or a target has its wire (mijia §1.8)."""
        for target in targets:
            if source.card not in self._sketches or target.card not in self._sketches:
                raise NotFound("building_foreign_card", card=target.card)
            if not source.colour.reaches(target.colour):
                raise BadInput(
                    "building_colours", start=f"{source.card}.{source.pin}", end=f"{target.card}.{target.pin}"
                )
            self._take(target)
            self._wires.setdefault(source.card, {}).setdefault(source.pin, []).append(f"{target.card}.{target.pin}")

    def hold(self, target: Inlet, value: bool) -> None:  # noqa: FBT001 - the value is data
        """Put true or false at a state input in place of a wire. Raises `BadInput` where that is not taken."""
        kind = node_type(self._sketches[target.card].type) if target.card in self._sketches else None
        if kind is None or not kind.takes_constant(target.pin):
            raise BadInput("building_constant", end=f"{target.card}.{target.pin}")
        self._take(target)
        self._constants.setdefault(target.card, {})[target.pin] = value

    def merged(self, sources: Sequence[Outlet]) -> Outlet:
        """Return one outlet that pulses with any of some; the editor has one wire to a pin."""
        return self._joined(sources, signal_or)

    def all_of(self, states: Sequence[Outlet]) -> Outlet:
        """Return one outlet that is true while all are."""
        return self._joined(states, logic_and)

    def any_of(self, states: Sequence[Outlet]) -> Outlet:
        """Return one outlet that is true while any is."""
        return self._joined(states, logic_or)

    def chain(self, source: Outlet, *cards: Card) -> Outlet:
        """Wire cards one after the other, each at its first pins; return the last outlet."""
        for card in cards:
            self.wire(source, card.pin())
            source = card.out()
        return source

    def rule(self, name: str, updated_ms: int, *, enabled: bool = True) -> Rule:
        """Return the rule; `updated_ms` is when it was made (epoch)."""
        data: dict[str, Json] = {
            "name": name,
            "lastUpdateTime": updated_ms,
            "transform": {"x": 0, "y": 0, "scale": 1, "rotate": 0},
        }
        cfg: dict[str, Json] = {"id": self.rule_id, "enable": enabled, "uiType": "graph", "userData": data}
        return Rule.of({"id": self.rule_id, "nodes": [self._raw(each) for each in self._sketches], "cfg": cfg})

    def _raw(self, card: str) -> Json:
        wires = {pin: list(ends) for pin, ends in self._wires.get(card, {}).items()}
        return self._sketches[card].raw(card, self._constants.get(card, {}), wires)

    def _next_id(self, kind: str) -> str:
        while True:
            self._counts[kind] += 1
            found = f"{kind}{self._counts[kind]}"
            if found not in self._sketches:
                return found

    def _take(self, target: Inlet) -> None:
        if target in self._fed:
            raise BadInput("building_pin_taken", end=f"{target.card}.{target.pin}")
        self._fed.add(target)

    def _joined(self, sources: Sequence[Outlet], kind: _Join) -> Outlet:
        if not sources:
            raise BadInput("building_nothing_to_join")
        if len(sources) == 1:
            return sources[0]
        card = self.add(kind(len(sources)))
        for source, inlet in zip(sources, card.inlets, strict=True):
            self.wire(source, inlet)
        return card.out()
