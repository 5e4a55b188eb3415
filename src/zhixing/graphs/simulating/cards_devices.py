"""Cards that query and command devices: deviceGet, deviceGetSetVar, deviceOutput."""

from __future__ import annotations

import json
from collections.abc import Generator
from decimal import Decimal

from zhixing.graphs.rule import Json, Members, Node, is_number
from zhixing.graphs.simulating.cards import (
    Card,
    NotRunnable,
    property_of,
    rows_of,
    store,
    text_prop,
    variable_of,
    whole_prop,
)
from zhixing.graphs.simulating.effects import PULSE, Call, Effect, Effects, Emit, Fail, Notice, Send, Tell, Unproven
from zhixing.graphs.simulating.predicates import Predicate
from zhixing.graphs.simulating.world import World
from zhixing.graphs.specs.ranges import Range, exact, near_step, near_within, nearest, plain

LONGEST_COMMAND = 10_000
"""Characters of JSON of what one node sends."""


class Query(Card):
    """`deviceGet`: compares what the gateway last heard, which may be older than what the device is."""

    def __init__(self, node: Node, wired: frozenset[str], world: World) -> None:
        super().__init__(node, wired, world)
        self._about = property_of(node.props)
        self._predicate = Predicate.of(node.props)

    def pulse(self, _pin: str, /) -> Effects:
        """Go on at one of the two outputs."""
        value = self.world.cache.get(self._about)
        if value is None:
            yield Fail("value_unknown", {"property": self._about.key, "did": self._about.did})
            yield Unproven("deviceget_unknown")
            if self.world.options.deviceget_unknown == "output2":
                yield Emit("output2", pulse=True)
            return
        if self.world.stale(self._about):
            yield Notice("stale_read", {"property": self._about.key, "did": self._about.did})
        yield Tell(value)
        yield Emit("output" if self._predicate.holds(value) else "output2", pulse=True)  # type: ignore[arg-type]


class QueryToVariable(Card):
    """`deviceGetSetVar`: stores what the gateway last heard, then a pulse."""

    def __init__(self, node: Node, wired: frozenset[str], world: World) -> None:
        super().__init__(node, wired, world)
        self._about = property_of(node.props)
        self._target = variable_of(node.props)

    def pulse(self, _pin: str, /) -> Effects:
        """Store and pulse."""
        value = self.world.cache.get(self._about)
        if value is None:
            yield Fail("value_unknown", {"property": self._about.key, "did": self._about.did})
            return
        if self.world.stale(self._about):
            yield Notice("stale_read", {"property": self._about.key, "did": self._about.did})
        yield from store(self._target, value, self.world)


class PropertyOutput(Card):
    """`deviceOutput` of a property, literal or from a variable."""

    def __init__(self, node: Node, wired: frozenset[str], world: World) -> None:
        super().__init__(node, wired, world)
        self._about = property_of(node.props)
        if "value" not in node.props and "id" not in node.props:
            raise NotRunnable("value")
        _check_size(node.props, "value")

    def pulse(self, _pin: str, /) -> Effects:
        """Write and pulse; nothing is written when the value is refused."""
        value = yield from valued(self.props, self.world)
        if isinstance(value, Fail):
            yield value
            return
        yield Send(self._about, value)
        yield Tell([value])
        yield from _sent(self.node)


class ActionOutput(Card):
    """`deviceOutput` of an action."""

    def __init__(self, node: Node, wired: frozenset[str], world: World) -> None:
        super().__init__(node, wired, world)
        props = node.props
        self._about = text_prop(props, "did"), whole_prop(props, "siid"), whole_prop(props, "aiid")
        self._inputs = rows_of(props.get("ins"))
        _check_size(props, "ins")

    def pulse(self, _pin: str, /) -> Effects:
        """Call it and pulse; it is not called when one value is refused."""
        values: list[Json] = []
        for row in self._inputs:
            value = yield from valued(row, self.world)
            if isinstance(value, Fail):
                yield value
                return
            values.append(value)
        yield Call(*self._about, tuple(values))
        yield Tell(values)
        yield from _sent(self.node)


def _sent(node: Node) -> Effects:
    """Pulse; devices obey at once here, so that dispatch and success are one (`output_after`)."""
    if any(node.outputs.values()):
        yield Unproven("output_after")
    yield PULSE


def _check_size(props: Members, name: str) -> None:
    if len(json.dumps(props.get(name))) > LONGEST_COMMAND:
        raise NotRunnable(name)


def valued(given: Members, world: World) -> Generator[Effect, None, Json | Fail]:
    """Return what is sent: the literal, or what the variable holds, as its `dtype` and bounds want it (mijia §1.7)."""
    if "value" in given:
        return given["value"]
    try:
        variable = variable_of(given)
    except NotRunnable as error:
        return Fail("prop_missing", {"prop": error.prop})
    held = world.variables.get(variable)
    if held is None:
        return Fail("variable_missing", {"variable": variable.key})
    match given.get("dtype"):
        case "boolean" if not isinstance(held, str):
            return held != 0
        case "number" if not isinstance(held, str):
            return (yield from _bounded(held, given, world))
        case "string" if isinstance(held, str):
            return held
        case "number" | "boolean" | "string":
            return Fail("variable_kind", {"variable": variable.key})
    return held


def _bounded(held: float, given: Members, world: World) -> Generator[Effect, None, Json | Fail]:
    """Hold a number against min, max and step; a bound that is missing or no number does not count."""
    low, high, step = (given.get(name) for name in ("min", "max", "step"))
    if not is_number(low) or not is_number(high):
        return held
    span = Range(Decimal(str(low)), Decimal(str(high)), Decimal(str(step)) if is_number(step) else None)
    if exact(held) is not None and near_within(held, span) and near_step(held, span):
        return held
    yield Unproven("dynamic_out_of_range")
    if world.options.dynamic_out_of_range == "pass":
        return held
    found = nearest(held, span) if world.options.dynamic_out_of_range == "clamp" else None
    return Fail("out_of_range", {"value": held, "low": low, "high": high}) if found is None else plain(found)
