"""What a device can tell and do, for a fact or an order: from its specification by meanings, never by number. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from zhixing.graphs.building.sketch import Comparison, Thing, between, equals, one_of
from zhixing.graphs.composing.plan import Hear, Pair, Sensor, Watch
from zhixing.graphs.composing.request import MEASURES, Level, Press, State
from zhixing.graphs.specs.meanings import (
    Choosing,
    Happening,
    Meaning,
    find_choice,
    find_events,
    find_properties,
    switches,
)
from zhixing.graphs.specs.model import Access, Dtype, Format, Property, as_written
from zhixing.graphs.specs.ranges import exact, plain

_NOBODY = frozenset(
    {"无人", "没人", "无人移动", "无人存在", "noone", "no one", "nobody", "none", "unoccupied", "not occupied"}
)
_TRUE_IS = re.compile(
    r"(?:true|真|1) *(?:为|是|表示|代表|=|:|：)? *(?P<what>[关闭合吸]|[开打]|close|open)", re.IGNORECASE
)
_TELLS = (Access.NOTIFY,)


@dataclass(frozen=True, slots=True)
class Way:
    """One way to have something told: `part` and `label` tell apart several on one device, "" where there is one.

    `rank` is how much the device is for this, 0 first.
    """

    sensor: Sensor
    part: str = ""
    label: str = ""
    rank: int = 0


def level_ways(thing: Thing, asked: Level) -> Iterator[Way]:
    """Yield how a device tells a value; whether a card can compare it so is for `level_watch`."""
    for prop in find_properties(thing.spec, MEASURES[asked.measure], _TELLS):
        if prop.format.numeric and not prop.choices:
            # A sensor that is about it before what measures for itself.
            own = prop.name.removeprefix("relative-") in thing.spec.kind
            rank = 0 if own else 1 if "sensor" in thing.spec.kind else 2
            yield Way(Watch(thing, prop, Comparison(asked.operator, asked.low)), rank=rank)
            return


def level_watch(watch: Watch, asked: Level) -> Watch | None:
    """Return how a value is compared; None where no card can ask so of it, or it is out of range."""
    when = compared(watch.prop, asked.operator, asked.low, asked.high)
    return None if when is None else Watch(watch.thing, watch.prop, when, _contrary(watch.prop, asked))


def compared(prop: Property, operator: str, low: float, high: float = 0) -> Comparison | None:
    """Return a comparison that a card can make; of floats it knows no ends included but `between` (mijia §1.4)."""
    dtype = prop.comparison_dtype
    values = (low, high) if operator == "between" else (low,)
    if dtype not in {Dtype.INT, Dtype.FLOAT} or not all(prop.in_range(each) for each in values):
        return None
    if dtype is Dtype.INT and any(each != int(each) for each in values):
        return None
    first, second = as_written(prop, low), as_written(prop, high)
    if operator == "between":
        return between(first, second)
    if dtype is Dtype.INT or operator in {">", "<"}:
        return Comparison(operator, first)
    if prop.range is None or exact(prop.range.low) is None or exact(prop.range.high) is None:
        return None
    return between(first, plain(prop.range.high)) if operator == ">=" else between(plain(prop.range.low), first)


def _contrary(prop: Property, asked: Level) -> Comparison | None:
    flipped = {">": "<=", "<": ">=", ">=": "<", "<=": ">"}.get(asked.operator)
    return compared(prop, flipped, asked.low) if flipped else None


def power_ways(thing: Thing, state: State) -> Iterator[Way]:
    """Yield how a device tells that it is on, once for each key of a wall switch."""
    found = [each for each in switches(thing.spec) if each.notifiable]
    for prop in found:
        watch = Watch(thing, prop, equals(state is State.ON), equals(state is not State.ON))
        yield Way(watch, *part_of(thing, prop, len(found)))


def part_of(thing: Thing, prop: Property, count: int) -> tuple[str, str]:
    """Return which of several keys a property is, as number and in words."""
    if count < 2:
        return "", ""
    service = thing.spec.service(prop.siid)
    return str(prop.siid), service.description if service else str(prop.siid)


def opening_ways(thing: Thing, state: State) -> Iterator[Way]:
    """Yield how a sensor tells that a door is open: its property where the specification says which way round it is.

    Sensors differ in whether true is open, so a bare bool is not trusted; two events are.
    """
    for prop in find_properties(thing.spec, Meaning.CONTACT, _TELLS):
        values = _opening(prop)
        if values is not None:
            first, other = values if state is State.ON else values[::-1]
            yield Way(Watch(thing, prop, equals(first), equals(other)))
            return
    opened, closed = (find_events(thing.spec, each) for each in (Happening.OPENED, Happening.CLOSED))
    if opened and closed:
        begins, ends = (opened[0], closed[0]) if state is State.ON else (closed[0], opened[0])
        yield Way(Pair(thing, begins, ends))


def _opening(prop: Property) -> tuple[bool | int, bool | int] | None:
    """Return the values for open and for closed."""
    if prop.format is Format.BOOL:
        found = _TRUE_IS.search(prop.description)
        if found is None:
            return None
        closed = found["what"].lower() in {"关", "闭", "合", "吸", "close"}
        return (False, True) if closed else (True, False)
    opened, shut = find_choice(prop, Choosing.OPEN), find_choice(prop, Choosing.CLOSE)
    if opened is None or shut is None or not isinstance(opened.value, int) or not isinstance(shut.value, int):
        return None
    return opened.value, shut.value


def presence_ways(thing: Thing, state: State) -> Iterator[Way]:
    """Yield how a sensor tells that somebody is there: what it knows all the time before what it sees for a moment."""
    for rank, meaning in enumerate((Meaning.OCCUPANCY, Meaning.MOTION)):
        for prop in find_properties(thing.spec, meaning, _TELLS):
            found = presence_of(prop)
            if found is not None:
                first, other = found if state is State.PRESENT else found[::-1]
                yield Way(Watch(thing, prop, first, other), rank=rank)
                return
    seen, gone = (find_events(thing.spec, each) for each in (Happening.MOTION, Happening.NO_MOTION))
    if seen and gone:
        begins, ends = (seen[0], gone[0]) if state is State.PRESENT else (gone[0], seen[0])
        yield Way(Pair(thing, begins, ends), rank=2)
    elif seen:
        # An event without its end: somebody is there now; that nobody is can only be waited for.
        yield Way(Hear(thing, seen[0]), rank=3)


def presence_of(prop: Property) -> tuple[Comparison, Comparison] | None:
    """Return what a property is when somebody is there, and when nobody is."""
    if prop.format is Format.BOOL:
        return equals(value=True), equals(value=False)
    absent = [each.value for each in prop.choices if each.description.strip().casefold() in _NOBODY]
    present = [each.value for each in prop.choices if each.value not in absent]
    return (one_of(*present), one_of(*absent)) if absent and present else None


def press_ways(thing: Thing, asked: Press, key: str) -> Iterator[Way]:
    """Yield how a remote tells of a press, once for each of its keys; `key` is the one that was named (左)."""
    for event in find_events(thing.spec, asked.happening):
        if not event.arguments:
            if not key:
                yield Way(Hear(thing, event))
            return
        piid = event.arguments[0]
        prop = thing.spec.property(event.siid, piid)
        for choice in prop.choices if prop else ():
            if not key or choice.description.strip().removesuffix("键") == key:
                filters = {piid: Comparison("=", choice.value)}
                yield Way(Hear(thing, event, filters), str(choice.value), choice.description)
        return


def is_countable(sensor: Sensor) -> bool:
    """Whether presence of a sensor can be counted: a number or bool that is 0 when nobody is there."""
    if not isinstance(sensor, Watch) or sensor.prop.variable_type is not Dtype.NUMBER:
        return False
    found = presence_of(sensor.prop)
    return found is not None and (sensor.prop.format is Format.BOOL or found[1].v1 == (0,))
