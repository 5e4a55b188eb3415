"""Setting a property to what a variable holds. Cards take numbers and texts from one, no bools or lists. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from zhixing.graphs.building.builder import Builder, Inlet, Outlet
from zhixing.graphs.building.cards import var_get
from zhixing.graphs.building.device_cards import device_output
from zhixing.graphs.building.patterns.fragment import Fragment, Mark
from zhixing.graphs.building.patterns.library import BOOLEAN_OUTPUT
from zhixing.graphs.building.sketch import Sketch, Thing, equals
from zhixing.graphs.expressions.elements import Variable
from zhixing.graphs.specs.model import Format, Property, Value
from zhixing.kernel.errors import BadInput, TooLarge

MOST_CASES = 30
"""Values of a variable that one fragment tells apart."""


def boolean_output(builder: Builder, thing: Thing, prop: Property, variable: Variable) -> Fragment:
    """Set a bool to what a number says: 1 is true, everything else false. Entry `write`, exits `on` and `off`."""
    if prop.format is not Format.BOOL:
        raise BadInput("pattern_not_bool", member=prop.name)
    mark = Mark(builder, BOOLEAN_OUTPUT)
    asked = builder.add(var_get(variable, equals(1)))
    on, off = (builder.add(device_output(thing, prop, value)) for value in (True, False))
    builder.wire(asked.out(), on.pin())
    builder.wire(asked.out("output2"), off.pin())
    return mark.fragment({"write": (asked.pin(),)}, {"on": on.out(), "off": off.out()})


def written(builder: Builder, thing: Thing, prop: Property, variable: Variable) -> tuple[Inlet, Outlet, Outlet | None]:
    """Set a property of any kind from a variable. Returns where to go in, out, and out when the value is none of it.

    A bool is kept as 0 or 1; of a value-list each entry is asked for. The last is None when every value is sent.
    """
    if prop.format is not Format.BOOL and not prop.choices:
        card = builder.add(device_output(thing, prop, variable))
        return card.pin(), card.out(), None
    values: Sequence[Value] = (
        (True, False) if prop.format is Format.BOOL else tuple(each.value for each in prop.choices)
    )
    cases = [(int(value) if isinstance(value, bool) else value, device_output(thing, prop, value)) for value in values]
    return told_apart(builder, variable, cases)


def told_apart(
    builder: Builder, variable: Variable, cases: Sequence[tuple[float | str, Sketch]]
) -> tuple[Inlet, Outlet, Outlet]:
    """Do what belongs to the value of a variable. Returns where to go in, out behind any, and out when it is none.

    Raises `BadInput` for a value that stands there twice, `TooLarge` beyond `MOST_CASES`.
    """
    values = [value for value, _ in cases]
    if not values or len(set(values)) < len(values):
        raise BadInput("pattern_values_twice")
    if len(values) > MOST_CASES:
        raise TooLarge("pattern_values_many", limit=MOST_CASES)
    done: list[Outlet] = []
    first: Inlet | None = None
    before: Outlet | None = None
    for value, sketch in cases:
        asked, act = builder.add(var_get(variable, equals(value))), builder.add(sketch)
        if before is not None:
            builder.wire(before, asked.pin())
        builder.wire(asked.out(), act.pin())
        first, before = first or asked.pin(), asked.out("output2")
        done.append(act.out())
    if first is None or before is None:
        raise BadInput("pattern_values_twice")
    return first, builder.merged(done), before
