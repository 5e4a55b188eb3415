"""PAT-AGG-01: many sensors, one value. Nothing is worked out before every one of them is known. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum

from zhixing.graphs.building.builder import Builder, Outlet
from zhixing.graphs.building.cards import Part, on_load, signal_or, var_change, var_get, var_set_number
from zhixing.graphs.building.device_cards import device_get_set_var, device_input_set_var
from zhixing.graphs.building.patterns.fragment import Fragment, Mark
from zhixing.graphs.building.patterns.library import AGG
from zhixing.graphs.building.sketch import Attribute, Comparison, Sketch, between, equals
from zhixing.graphs.expressions.elements import Variable
from zhixing.graphs.specs.model import Dtype
from zhixing.kernel.errors import BadInput

FEWEST_SENSORS, MOST_SENSORS = 2, 20


class How(StrEnum):
    """What is made of the values."""

    MIN = "min"
    MAX = "max"
    AVERAGE = "average"
    SPREAD = "spread"
    """How far the one that is farthest from the average is away from it."""


def gathered(builder: Builder, sensors: Sequence[Attribute], how: How, name: str) -> Fragment:
    """Keep the result over all sensors in variable `name`; exit `worked` pulses whenever it was worked out.

    Each sensor has its variable `<name>1`, `<name>2` …; the average of a spread is in `<name>Average`.
    """
    mark = Mark(builder, AGG)
    result = builder.declare(name, 0)
    values, known = _known(builder, sensors, name, ())
    if how is How.SPREAD:
        middle = builder.declare(f"{name}Average", 0)
        known = builder.chain(known, builder.add(var_set_number(middle, *_average(values))))
        away = [("abs(", each, " - ", middle, ")") for each in values]
        parts: tuple[Part, ...] = ("max(", *_listed(away, ", "), ")")
    elif how is How.AVERAGE:
        parts = _average(values)
    else:
        parts = (f"{how.value}(", *_listed([(each,) for each in values], ", "), ")")
    return mark.fragment({}, {"worked": builder.chain(known, builder.add(var_set_number(result, *parts)))})


def at_least(builder: Builder, sensors: Sequence[Attribute], when: Comparison, count: int, name: str) -> Fragment:
    """Tell whether at least `count` of the sensors compare. Bools are compared as 1 and 0.

    Exits `enough` and `few` send an event when that begins, and the state while it lasts; before every sensor is known
    neither is true. How many compare is in variable `name`, -1 while unknown.
    """
    if not 1 <= count <= len(sensors):
        raise BadInput("pattern_at_least", most=len(sensors))
    mark = Mark(builder, AGG)
    total, tally = builder.declare(name, -1), builder.declare(f"{name}Tally", 0)
    values, known = _known(builder, sensors, name, (var_set_number(total, "-1"),))
    # Counted in a variable of its own: the total must not pass through 0 on its way.
    at = builder.chain(known, builder.add(var_set_number(tally, 0)))
    for value in values:
        asked, more = builder.add(var_get(value, when)), builder.add(var_set_number(tally, tally, " + 1"))
        builder.wire(at, asked.pin())
        builder.wire(asked.out(), more.pin())
        at = builder.merged([more.out(), asked.out("output2")])
    builder.chain(at, builder.add(var_set_number(total, tally)))
    enough = builder.add(var_change(total, Comparison(">=", count)))
    few = builder.add(var_change(total, between(0, count - 1)))
    return mark.fragment({}, {"enough": enough.out(), "few": few.out()})


def _known(
    builder: Builder, sensors: Sequence[Attribute], name: str, at_first: Iterable[Sketch]
) -> tuple[tuple[Variable, ...], Outlet]:
    """Keep each value in a variable; return them, and the outlet that pulses at an update when all are known.

    At enabling all are asked one after the other; a sensor of which the gateway knows nothing ends that, and the next
    report of any starts it again.
    """
    _check(sensors)
    values = tuple(builder.declare(f"{name}{number}", 0) for number in range(1, len(sensors) + 1))
    ready = builder.declare(f"{name}Ready", 0)
    clear = [builder.add(each) for each in (*at_first, var_set_number(ready, 0))]
    begun = builder.chain(builder.add(on_load()).out(), *clear)
    heard = [
        builder.add(device_input_set_var(*sensor, value)).out() for sensor, value in zip(sensors, values, strict=True)
    ]
    gate = builder.add(var_get(ready, equals(1)))
    builder.wire(builder.merged(heard), gate.pin())
    asking = builder.add(signal_or())
    builder.wire(begun, asking.pin("input0"))
    builder.wire(gate.out("output2"), asking.pin("input1"))
    reads = [builder.add(device_get_set_var(*sensor, value)) for sensor, value in zip(sensors, values, strict=True)]
    known = builder.chain(asking.out(), *reads, builder.add(var_set_number(ready, 1)))
    return values, builder.merged([known, gate.out()])


def _check(sensors: Sequence[Attribute]) -> None:
    if not FEWEST_SENSORS <= len(sensors) <= MOST_SENSORS:
        raise BadInput("pattern_sensors", low=FEWEST_SENSORS, high=MOST_SENSORS)
    if len({(thing.did, prop.siid, prop.piid) for thing, prop in sensors}) < len(sensors):
        raise BadInput("pattern_sensor_twice")
    if any(prop.variable_type is not Dtype.NUMBER for _, prop in sensors):
        raise BadInput("pattern_not_number")


def _average(values: Sequence[Variable]) -> tuple[Part, ...]:
    return ("(", *_listed([(each,) for each in values], " + "), f") / {len(values)}")


def _listed(each: Sequence[tuple[Part, ...]], between_: str) -> tuple[Part, ...]:
    found: list[Part] = []
    for number, parts in enumerate(each):
        found += [between_, *parts] if number else parts
    return tuple(found)
