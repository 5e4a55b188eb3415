"""What every card can do: keep its memory, and answer what it is told with effects."""

from __future__ import annotations

from typing import ClassVar

from zhixing.graphs.expressions.elements import Variable
from zhixing.graphs.rule import Json, Members, Node, is_number, is_whole
from zhixing.graphs.simulating.effects import PULSE, Effects, Fail, Store, Tell
from zhixing.graphs.simulating.script import Property, Signal, Topic
from zhixing.graphs.simulating.world import World


class Card:
    """A node as a state machine. What a card needs and does not find in its props is `NotRunnable` when it is made.

    On enabling, `reset`, then `settle` of all cards (states, no pulses), then `begin` of all (pulses), in node order;
    `settles_late` tells that a card's state follows from those of others, so that it settles behind them.
    """

    settles_late: ClassVar[bool] = False
    MEMORY: ClassVar[tuple[str, ...]] = ()
    """The attributes that change while the rule runs; what they hold can be written as JSON."""

    def __init__(self, node: Node, wired: frozenset[str], world: World) -> None:
        self.node = node
        self.world = world
        """Read only; what a card wants changed it says in effects."""
        self.wired = wired
        """Input pins at which wires arrive."""
        self.topic: Topic | None = None
        """What a source is about: it hears every signal with that topic."""

    @property
    def props(self) -> Members:
        """The node's props."""
        return self.node.props

    def reset(self) -> None:
        """Forget everything, as at enable."""

    def settle(self) -> Effects:
        """Publish the state at enable."""
        yield from ()

    def begin(self) -> Effects:
        """Pulse at enable."""
        yield from ()

    def pulse(self, _pin: str, /) -> Effects:
        """Take a pulse at an event pin."""
        yield from ()

    def state(self, _pin: str, _value: bool, /) -> Effects:  # noqa: FBT001 - it is the value of a wire
        """Take true or false at a state pin."""
        yield from ()

    def heard(self, _signal: Signal, /) -> Effects:
        """Take in what happened."""
        yield from ()

    def expire(self) -> Effects:
        """Take note that a timer is due."""
        yield from ()

    def clock_set(self) -> Effects:
        """Take note that the hub's wall clock was set."""
        yield from ()


class NotRunnable(Exception):
    """A card lacks something it cannot run without; `prop` is what. Never leaves the package."""

    def __init__(self, prop: str) -> None:
        super().__init__(prop)
        self.prop = prop


def text_prop(props: Members, name: str) -> str:
    """Return a text."""
    value = props.get(name)
    if isinstance(value, str) and value:
        return value
    raise NotRunnable(name)


def whole_prop(props: Members, name: str) -> int:
    """Return a whole number."""
    value = props.get(name)
    if value is not None and is_whole(value):
        return int(value)
    raise NotRunnable(name)


def duration_prop(props: Members, name: str) -> float:
    """Return milliseconds; below 0 counts as 0."""
    value = props.get(name)
    if value is not None and is_number(value):
        return float(max(value, 0))
    raise NotRunnable(name)


def property_of(props: Members) -> Property:
    """Return the property of a device that a card is about."""
    return Property(text_prop(props, "did"), whole_prop(props, "siid"), whole_prop(props, "piid"))


def event_of(props: Members) -> tuple[str, int, int]:
    """Return the event of a device that a card is about."""
    return text_prop(props, "did"), whole_prop(props, "siid"), whole_prop(props, "eiid")


def variable_of(props: Members) -> Variable:
    """Return the variable that a card is about."""
    return Variable(text_prop(props, "scope"), text_prop(props, "id"))


def rows_of(value: Json) -> tuple[Members, ...]:
    """Return the objects of an array."""
    return tuple(each for each in value if isinstance(each, dict)) if isinstance(value, list) else ()


def store(target: Variable, value: object, world: World) -> Effects:
    """Set a variable, say so and pulse; or say why not."""
    fitting = world.fitting(target, value)
    if isinstance(fitting, Fail):
        yield fitting
        return
    yield Store(target, fitting)
    yield Tell(fitting)
    yield PULSE
