"""The small recipes (mijia §7.3)."""

from __future__ import annotations

import pytest
from tests.graphs.building.things import (
    BRIGHTNESS,
    CLICK,
    CLIMATE,
    DOUBLE,
    HUMIDITY,
    LIGHT,
    MOTION,
    MOVES,
    ON,
    PORCH,
    REMOTE,
    RULE,
    at,
    built,
    levels,
    lit,
    pressed,
    ran,
    says,
    sends,
    sound,
    values,
)

from zhixing.graphs.building.builder import Builder
from zhixing.graphs.building.device_cards import device_input
from zhixing.graphs.building.patterns.recipes import (
    daily_limit,
    first_at_once,
    flag,
    held_for,
    lowered,
    off_timer,
    ordered_start,
    raised,
)
from zhixing.graphs.building.patterns.writing import boolean_output
from zhixing.graphs.building.sketch import Span, equals
from zhixing.kernel.errors import BadInput

FIRST, SECOND = 1, 2
DAY = 86_400_000


@pytest.fixture
def builder() -> Builder:
    return Builder(RULE)


def test_a_state_counts_when_it_has_lasted(builder: Builder) -> None:
    quiet = builder.add(device_input(MOTION, MOVES, equals(False)))
    lit(builder, held_for(builder, quiet.out(), Span(2, "min")).out("held"), FIRST)
    sound(builder)
    # a motion at 100 s: a delay with a query at its end would have turned off at 120 s
    lines = [says(0, MOTION, MOVES, False), says(100_000, MOTION, MOVES, True), says(101_000, MOTION, MOVES, False)]
    assert levels(ran(builder, *lines, until_ms=600_000)) == [(221_000, FIRST)]


def test_an_off_timer_starts_again_with_each_motion(builder: Builder) -> None:
    fragment = off_timer(builder, pressed(builder), Span(1, "min"))
    lit(builder, fragment.out("on"), FIRST)
    lit(builder, fragment.out("off"), SECOND)
    sound(builder)
    result = ran(builder, sends(0, REMOTE, CLICK), sends(50_000, REMOTE, CLICK), until_ms=600_000)
    assert levels(result) == [(0, FIRST), (50_000, FIRST), (110_000, SECOND)]


def test_the_first_round_is_at_once(builder: Builder) -> None:
    fragment = first_at_once(builder, Span(1, "min"))
    builder.wire(pressed(builder), *fragment.into("start"))
    builder.wire(pressed(builder, DOUBLE), *fragment.into("stop"))
    lit(builder, fragment.out("work"), FIRST)
    sound(builder)
    lines = [sends(0, REMOTE, CLICK), sends(130_000, REMOTE, DOUBLE)]
    assert levels(ran(builder, *lines, until_ms=600_000)) == [
        (0, FIRST),
        (60_000, FIRST),
        (120_000, FIRST),
    ]


def test_a_daily_limit_counts_anew_at_midnight(builder: Builder) -> None:
    fragment = daily_limit(builder, 2)
    builder.wire(pressed(builder), *fragment.into("input"))
    lit(builder, fragment.out("output"), FIRST)
    sound(builder)
    moments = [1000, 5000, 9000, DAY, DAY + 5000, DAY + 9000]
    result = ran(builder, *(sends(each, REMOTE, CLICK) for each in moments))
    assert [each for each, _ in levels(result)] == [1000, 5000, DAY, DAY + 5000]


def test_a_flag_wakes_each_time_and_not_only_once(builder: Builder) -> None:
    up = flag(builder, "wake")
    builder.wire(pressed(builder), *raised(builder, up).into("raise"))
    lit(builder, lowered(builder, up).out("seen"), FIRST)
    sound(builder)
    lines = [sends(each, REMOTE, CLICK) for each in (1000, 3000, 5000)]
    assert [each for each, _ in levels(ran(builder, *lines))] == [1000, 3000, 5000]


def test_a_flag_wakes_another_rule() -> None:
    one, other = Builder(RULE), Builder("1764550800002")
    assert flag(one, "wake") == flag(other, "wake")
    lit(other, lowered(other, flag(other, "wake")).out("seen"), FIRST)
    lines = [{"at_ms": each, "var_set": {"scope": "global", "id": "wake", "value": 1}} for each in (1000, 2000)]
    assert [each for each, _ in levels(ran(other, *lines))] == [1000, 2000]


@pytest.mark.parametrize(("number", "on"), [(1, True), (0, False), (7, False)])
def test_a_number_says_on_or_off(builder: Builder, number: int, on: object) -> None:
    fragment = boolean_output(builder, LIGHT, ON, builder.declare("wanted", number))
    builder.wire(pressed(builder), *fragment.into("write"))
    sound(builder)
    assert values(ran(builder, sends(1, REMOTE, CLICK)), LIGHT) == [on]


def test_only_a_bool_is_on_or_off(builder: Builder) -> None:
    with pytest.raises(BadInput):
        boolean_output(builder, LIGHT, BRIGHTNESS, builder.declare("wanted", 1))


def test_an_ordered_start_is_ready_when_all_are_known(builder: Builder) -> None:
    fragment = ordered_start(builder, [(CLIMATE, HUMIDITY, "inside"), (PORCH, HUMIDITY, "outside")])
    lit(builder, fragment.out("ready"), FIRST)
    sound(builder)
    assert levels(ran(builder, state=at({(CLIMATE, HUMIDITY): 40, (PORCH, HUMIDITY): 60}))) == [(0, FIRST)]
    assert levels(ran(builder, state=at({(CLIMATE, HUMIDITY): 40}))) == []
    assert [each.variable.id for each in fragment.variables] == ["inside", "outside"]
    assert fragment.cards == tuple(node.id for node in built(builder).nodes if node.type != "deviceOutput")
    with pytest.raises(BadInput):
        ordered_start(builder, [])
