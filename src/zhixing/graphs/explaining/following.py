"""Cards that do in a replay what the log shows, where the rule alone cannot know: what was read and worked out."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from zhixing.graphs.expressions.elements import Variable
from zhixing.graphs.logs import ErrorLine, InfoLine, Line, LinkLine, Pin, info_value
from zhixing.graphs.rule import Members, Node
from zhixing.graphs.simulating.cards import Card, NotRunnable, property_of, rows_of, store, variable_of
from zhixing.graphs.simulating.deck import Maker, maker_of
from zhixing.graphs.simulating.effects import PULSE, Effects, Emit, Tell
from zhixing.graphs.simulating.predicates import Predicate
from zhixing.graphs.simulating.script import Property, Value
from zhixing.graphs.simulating.world import World

QUERIES = frozenset({"deviceGet", "varGet"})
"""Cards that choose an output by what they read."""
STORES = frozenset({"deviceGetSetVar", "varSetNumber", "varSetString"})
"""Cards that set a variable to what they read or worked out."""
BELONG_MS = 1_000
"""How long after what a card says its output can still belong to that."""


@dataclass(slots=True)
class Shown:
    """What the log shows of one turn of a card: what it said, the output it took; neither when it failed."""

    at_ms: int
    value: object = None
    pin: str = ""
    wires: set[tuple[str, Pin]] = field(default_factory=set)


class Following(Card):
    """Takes the turn that the log shows at about the same time; without one it does as the card itself would."""

    def __init__(self, card: Card, shown: Iterable[Shown], tolerance_ms: int) -> None:
        super().__init__(card.node, card.wired, card.world)
        self._card = card
        self._shown = deque(shown)
        self._tolerance_ms = tolerance_ms

    def pulse(self, pin: str, /) -> Effects:
        """Go on as the log does."""
        turn = self._turn()
        if turn is None:
            yield from self._card.pulse(pin)
        elif self.node.type in QUERIES:
            yield from self._answer(turn)
        else:
            yield from self._store(turn)

    def _turn(self) -> Shown | None:
        now, shown = self.world.epoch_ms, self._shown
        while shown and shown[0].at_ms < now - self._tolerance_ms:
            shown.popleft()
        return shown.popleft() if shown and shown[0].at_ms <= now + self._tolerance_ms else None

    def _answer(self, turn: Shown) -> Effects:
        if turn.value is not None:
            yield Tell(turn.value)
        if turn.pin:
            yield Emit(turn.pin, pulse=True)
        elif isinstance(turn.value, Value):
            yield Emit("output" if Predicate.of(self.props).holds(turn.value) else "output2", pulse=True)

    def _store(self, turn: Shown) -> Effects:
        if turn.value is not None:
            yield from store(variable_of(self.props), turn.value, self.world)
        elif turn.pin:
            yield PULSE


def follower(node: Node, shown: Iterable[Shown], tolerance_ms: int) -> Maker:
    """Return what makes a following card in place of a node's own."""
    own = maker_of(node)

    def make(node: Node, wired: frozenset[str], world: World) -> Card:
        if own is None:
            raise NotRunnable("type")
        return Following(own(node, wired, world), shown, tolerance_ms)

    return make


def turns(lines: Iterable[Line], nodes: Mapping[str, Node]) -> dict[str, list[Shown]]:
    """Return the turns of each card, by node id; `nodes` are by how the log names them."""
    found: dict[str, list[Shown]] = {}
    for line in lines:
        match line:
            case InfoLine(at_ms, _, name, info) if name in nodes:
                found.setdefault(nodes[name].id, []).append(Shown(at_ms, _value(nodes[name], info)))
            case ErrorLine(at_ms, _, name) if name in nodes:
                found.setdefault(nodes[name].id, []).append(Shown(at_ms))
            case LinkLine(at_ms, _, source, target, None) if source.node in nodes:
                _left(found.setdefault(nodes[source.node].id, []), at_ms, source.pin, target)
    return found


def _value(node: Node, info: str) -> object:
    """Return what a card said; a text that looks like a number stays a text where texts are meant."""
    kind = node.props.get("varType", node.props.get("dtype"))
    text = node.type == "varSetString" or (kind == "string" and not info.startswith(('"', "[")))
    return info if text else info_value(info)


def _left(shown: list[Shown], at_ms: int, pin: str, target: Pin) -> None:
    """Take in that a wire carried a pulse away: that of the last turn, or of one of which nothing else was said."""
    last = shown[-1] if shown else None
    wire = pin, target
    belongs = last is not None and at_ms - last.at_ms <= BELONG_MS and last.pin in {"", pin} and wire not in last.wires
    if last is None or not belongs:
        last = Shown(at_ms)
        shown.append(last)
    last.pin = pin
    last.wires.add(wire)


def stored(node: Node, value: object) -> tuple[tuple[Variable, float | str], ...]:
    """Return what variables hold, as far as a card that reads or sets them told by `value`."""
    rows: list[tuple[Members, object]] = [(node.props, value)]
    if isinstance(value, list):
        rows = list(zip((row for row in rows_of(node.props.get("arguments")) if "id" in row), value, strict=False))
    try:
        return tuple((variable_of(row), _number(each)) for row, each in rows if isinstance(each, Value))
    except NotRunnable:
        return ()


def first_values(
    nodes: Iterable[Node], shown: Mapping[str, list[Shown]]
) -> tuple[dict[Property, Value], dict[Variable, float | str]]:
    """Return the earliest that the log tells of each property and variable that cards read or set."""
    told = [
        (turn.at_ms, node, turn.value) for node in nodes for turn in shown.get(node.id, ()) if turn.value is not None
    ]
    properties: dict[Property, Value] = {}
    variables: dict[Variable, float | str] = {}
    for _, node, value in sorted(told, key=lambda one: one[0]):
        if node.type == "deviceGet" and isinstance(value, Value):
            properties.setdefault(property_of(node.props), value)
        elif "id" in node.props or "arguments" in node.props:
            for variable, held in stored(node, value):
                variables.setdefault(variable, held)
    return properties, variables


def _number(value: Value) -> float | str:
    return int(value) if isinstance(value, bool) else value
