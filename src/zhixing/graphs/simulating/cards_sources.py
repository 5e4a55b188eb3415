"""Cards that start a rule when something is reported, sent or set."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

from zhixing.graphs.expressions.elements import Variable
from zhixing.graphs.rule import Node
from zhixing.graphs.simulating.cards import (
    Card,
    event_of,
    property_of,
    rows_of,
    store,
    variable_of,
    whole_prop,
)
from zhixing.graphs.simulating.effects import (
    FALL,
    PULSE,
    RISE,
    Effects,
    Emit,
    Fail,
    Notice,
    Store,
    Tell,
    Unproven,
)
from zhixing.graphs.simulating.predicates import Predicate
from zhixing.graphs.simulating.script import DeviceEvent, PropertyReport, Signal, Value, VariableSet
from zhixing.graphs.simulating.world import World


class Watch(Card, ABC):
    """A predicate that is watched: its truth is a state, becoming true is a pulse."""

    MEMORY: ClassVar[tuple[str, ...]] = ("_truth", "_last")

    def __init__(self, node: Node, wired: frozenset[str], world: World) -> None:
        super().__init__(node, wired, world)
        self._predicate = Predicate.of(node.props)
        self._preload = node.props.get("preload") is True
        self._truth = False
        self._last: object = None

    @abstractmethod
    def current(self) -> object:
        """Return what is watched, None when nobody knows."""

    def reset(self) -> None:
        """Forget what was seen, and look again if the card says so."""
        look = self._preload or self.world.options.state_without_preload == "read_cache"
        self._last = self.current() if look else None
        self._truth = self._last is not None and self._predicate.holds(self._last)  # type: ignore[arg-type]

    def settle(self) -> Effects:
        """Publish what is known; before the first report of a card without preload that is nothing (false)."""
        if self._preload or self._last is not None:
            yield Emit(state=self._truth)

    def begin(self) -> Effects:
        """Pulse once if it is already true and the card wants that."""
        if self._preload:
            if self._truth:
                yield PULSE
        elif self.current() is not None:
            yield Unproven("state_without_preload")

    def seen(self, value: Value) -> Effects:
        """Compare a new value."""
        was, before, self._last = self._truth, self._last, value
        self._truth = self._predicate.holds(value)
        if self._truth and was:
            yield from self._still(before == value)
        elif self._truth:
            yield RISE
        elif was:
            yield FALL

    def _still(self, _same: bool, /) -> Effects:  # noqa: FBT001 - an observation, no switch
        """Take in that it was true already."""
        yield from ()


class PropertySource(Watch):
    """`deviceInput` of a property."""

    def __init__(self, node: Node, wired: frozenset[str], world: World) -> None:
        super().__init__(node, wired, world)
        self.topic = self._about = property_of(node.props)
        self._set = node.props.get("operator") == "include"

    def current(self) -> object:
        """Return what the gateway last heard."""
        return self.world.cache.get(self._about)

    def heard(self, signal: Signal, /) -> Effects:
        """Compare what the device reports."""
        if isinstance(signal, PropertyReport):
            yield from self.seen(signal.value)

    def _still(self, same: bool, /) -> Effects:  # noqa: FBT001 - an observation, no switch
        options = self.world.options
        inner = self._set and not same
        if inner:
            yield Unproven("include_inner_change_pulses")
        pulses = options.include_inner_change_pulses if inner else same and options.device_rereport_pulses
        yield PULSE if pulses else Notice("already_true")


class VariableSource(Watch):
    """`varChange`."""

    def __init__(self, node: Node, wired: frozenset[str], world: World) -> None:
        super().__init__(node, wired, world)
        self.topic = self._about = variable_of(node.props)

    def current(self) -> object:
        """Return what the variable holds."""
        return self.world.variables.get(self._about)

    def begin(self) -> Effects:
        """Say so when there is no such variable, and pulse as every watch does."""
        if self._about not in self.world.variables:
            yield Fail("variable_missing", {"variable": self._about.key})
        yield from super().begin()

    def heard(self, signal: Signal, /) -> Effects:
        """Compare what it was set to."""
        if isinstance(signal, VariableSet):
            yield from self.seen(signal.value)

    def _still(self, _same: bool, /) -> Effects:  # noqa: FBT001 - an observation, no switch
        yield Notice("already_true")


class EventSource(Card):
    """`deviceInput` of an event: a pulse for each whose arguments all match."""

    def __init__(self, node: Node, wired: frozenset[str], world: World) -> None:
        super().__init__(node, wired, world)
        props = node.props
        self.topic = event_of(props)
        self._filters = {
            whole_prop(row, "piid"): Predicate.of(row) for row in rows_of(props.get("arguments")) if "operator" in row
        }

    def heard(self, signal: Signal, /) -> Effects:
        """Pulse if the arguments match."""
        given = signal.arguments if isinstance(signal, DeviceEvent) else {}
        if all(piid in given and wanted.holds(given[piid]) for piid, wanted in self._filters.items()):
            yield PULSE


class PropertyToVariable(Card):
    """`deviceInputSetVar` of a property: every report is stored, then a pulse."""

    def __init__(self, node: Node, wired: frozenset[str], world: World) -> None:
        super().__init__(node, wired, world)
        self.topic = self._about = property_of(node.props)
        self._target = variable_of(node.props)

    def begin(self) -> Effects:
        """Store what is known already if the card wants that."""
        value = self.world.cache.get(self._about)
        if self.props.get("preload") is True and value is not None:
            yield from store(self._target, value, self.world)

    def heard(self, signal: Signal, /) -> Effects:
        """Store and pulse."""
        if isinstance(signal, PropertyReport):
            yield from store(self._target, signal.value, self.world)


class EventToVariables(Card):
    """`deviceInputSetVar` of an event: arguments are stored, then one pulse."""

    def __init__(self, node: Node, wired: frozenset[str], world: World) -> None:
        super().__init__(node, wired, world)
        props = node.props
        self.topic = event_of(props)
        self._targets: tuple[tuple[int, Variable], ...] = tuple(
            (whole_prop(row, "piid"), variable_of(row)) for row in rows_of(props.get("arguments")) if "id" in row
        )

    def heard(self, signal: Signal, /) -> Effects:
        """Store them and pulse; nothing at all is done when one does not fit."""
        given = signal.arguments if isinstance(signal, DeviceEvent) else {}
        found = [(target, self.world.fitting(target, given[piid])) for piid, target in self._targets if piid in given]
        for _, value in found:
            if isinstance(value, Fail):
                yield value
                return
        for target, value in found:
            if not isinstance(value, Fail):
                yield Store(target, value)
        yield Tell([value for _, value in found])
        yield PULSE
