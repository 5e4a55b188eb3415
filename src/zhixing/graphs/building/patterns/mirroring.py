"""PAT-SYNC-01: two devices that go together. Each side is asked before it is written, so that nothing swings. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from zhixing.graphs.building.builder import Builder
from zhixing.graphs.building.cards import var_get, var_set_number
from zhixing.graphs.building.device_cards import (
    device_get,
    device_get_set_var,
    device_input,
    device_input_set_var,
    device_output,
)
from zhixing.graphs.building.patterns.fragment import Fragment, Mark
from zhixing.graphs.building.patterns.library import SYNC
from zhixing.graphs.building.patterns.numbers import mapped, range_of
from zhixing.graphs.building.sketch import Attribute, Comparison, equals
from zhixing.graphs.specs.model import Value
from zhixing.graphs.specs.ranges import Range, plain
from zhixing.kernel.errors import BadInput, TooLarge

MOST_PAIRS = 20

ON_AND_OFF: Sequence[tuple[Value, Value]] = ((True, True), (False, False))
"""Both sides have the same bool."""


def mirrored(
    builder: Builder, left: Attribute, right: Attribute, pairs: Sequence[tuple[Value, Value]] = ON_AND_OFF
) -> Fragment:
    """Let two properties follow each other; `pairs` are what one side has when the other has that.

    For each value of each side: it comes, the other side is asked, and only if it has another value it is written. So
    two bools take twelve cards. Pairs must be one to one: where two values become one, the sides are never equal.
    """
    _apart(left, right)
    if not pairs or any(len({(type(each[side]), each[side]) for each in pairs}) < len(pairs) for side in (0, 1)):
        raise BadInput("pattern_pairs")
    if len(pairs) > MOST_PAIRS:
        raise TooLarge("pattern_values_many", limit=MOST_PAIRS)
    mark = Mark(builder, SYNC)
    back = [(there, here) for here, there in pairs]
    for one, other, values in ((left, right, pairs), (right, left, back)):
        for here, there in values:
            came = builder.add(device_input(*one, equals(here)))
            asked = builder.add(device_get(*other, equals(there)))
            builder.wire(came.out(), asked.pin())
            builder.wire(asked.out("output2"), builder.add(device_output(*other, there)).pin())
    return mark.fragment({}, {})


def followed(
    builder: Builder, master: Attribute, follower: Attribute, name: str, tolerance: float | None = None
) -> Fragment:
    """Let a number follow another, each in its own range; written only where they are more than `tolerance` apart.

    `tolerance` is in the follower's unit, and at least what rounding on both sides may make (the default): so it may be
    built in both directions. Exit `written`. Variables `<name>`, `<name>Wanted`, `<name>Other`, `<name>Apart`.
    """
    _apart(master, follower)
    given, wanted = range_of(master[1]), range_of(follower[1])
    least = slack(given, wanted)
    if tolerance is not None and tolerance < least:
        raise BadInput("pattern_tolerance", least=least)
    mark = Mark(builder, SYNC)
    raw, goal, other, apart = (builder.declare(f"{name}{each}", 0) for each in ("", "Wanted", "Other", "Apart"))
    asked = builder.add(var_get(apart, Comparison(">", least if tolerance is None else tolerance)))
    builder.chain(
        builder.add(device_input_set_var(*master, raw)).out(),
        builder.add(var_set_number(goal, *mapped(raw, given, wanted))),
        builder.add(device_get_set_var(*follower, other)),
        builder.add(var_set_number(apart, "abs(", goal, " - ", other, ")")),
        asked,
    )
    sent = builder.add(device_output(*follower, goal))
    builder.wire(asked.out(), sent.pin())
    return mark.fragment({}, {"written": sent.out()})


def slack(given: Range, wanted: Range) -> float:
    """Return how far two sides may be apart by rounding alone, in the unit of the second: half a step of each."""
    zero = Decimal(0)
    scale = (wanted.high - wanted.low) / (given.high - given.low)
    return float(plain(((given.step or zero) * scale + (wanted.step or zero)) / 2))


def _apart(left: Attribute, right: Attribute) -> None:
    places = {(thing.did, prop.siid, prop.piid) for thing, prop in (left, right)}
    if len(places) < 2:
        raise BadInput("pattern_same_property")
