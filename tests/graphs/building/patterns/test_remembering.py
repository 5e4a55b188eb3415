"""PAT-STATE-01."""

from __future__ import annotations

import pytest
from tests.graphs.building.things import (
    CLICK,
    CLIMATE,
    HUMIDITY,
    LIGHT,
    MOTION,
    MOVES,
    ON,
    REMOTE,
    RULE,
    at,
    held,
    levels,
    lit,
    pressed,
    ran,
    says,
    sends,
    sound,
)

from zhixing.graphs.building.builder import Builder
from zhixing.graphs.building.device_cards import device_input
from zhixing.graphs.building.patterns.remembering import recalled, remembered, symmetric
from zhixing.graphs.building.sketch import Comparison, equals
from zhixing.kernel.errors import BadInput

YES, NO, UNKNOWN = 1, 2, 3


def asking() -> Builder:
    builder = Builder(RULE)
    memory, _ = remembered(builder, CLIMATE, HUMIDITY, "humidity")
    answer = recalled(builder, memory, Comparison(">=", 60))
    builder.wire(pressed(builder), *answer.into("ask"))
    for exit_, level in (("yes", YES), ("no", NO), ("unknown", UNKNOWN)):
        lit(builder, answer.out(exit_), level)
    return builder


def both() -> Builder:
    builder = Builder(RULE)
    first = builder.add(device_input(MOTION, MOVES, equals(True)))
    second = builder.add(device_input(LIGHT, ON, equals(True)))
    lit(builder, symmetric(builder, first.out(), second.out()).out("both"), YES)
    return builder


def test_both_parts_pass_the_checks() -> None:
    """G-1.4."""
    sound(asking())
    sound(both())


def test_an_initial_value_is_not_taken_for_what_the_device_says() -> None:
    result = ran(asking(), sends(1000, REMOTE, CLICK), says(2000, CLIMATE, HUMIDITY, 70), sends(3000, REMOTE, CLICK))
    assert levels(result) == [(1000, UNKNOWN), (3000, YES)]


def test_what_the_gateway_knew_at_enabling_counts() -> None:
    result = ran(asking(), sends(1000, REMOTE, CLICK), state=at({(CLIMATE, HUMIDITY): 40}))
    assert levels(result) == [(1000, NO)]


def test_what_was_known_before_a_restart_is_forgotten() -> None:
    known = {f"R{RULE}.humidity": 80, f"R{RULE}.humidityReady": 1}
    result = ran(asking(), sends(1000, REMOTE, CLICK), variables=known)
    assert levels(result) == [(1000, UNKNOWN)]


def test_each_report_is_kept() -> None:
    result = ran(asking(), *(says(1000 * at_, CLIMATE, HUMIDITY, at_) for at_ in (1, 2, 3)))
    assert held(result) == {"humidity": 3, "humidityReady": 1}


@pytest.mark.parametrize("order", [(1000, 2000), (2000, 1000), (1000, 1000)])
def test_the_later_of_two_conditions_acts_once(order: tuple[int, int]) -> None:
    lines = [says(order[0], MOTION, MOVES, True), says(order[1], LIGHT, ON, True)]
    result = ran(both(), *sorted(lines, key=lambda line: line["at_ms"]))
    assert levels(result) == [(max(order), YES)]


def test_one_condition_alone_does_nothing() -> None:
    lines = [says(1, MOTION, MOVES, True), says(2, MOTION, MOVES, False), says(3, LIGHT, ON, True)]
    assert levels(ran(both(), *lines)) == []


def test_an_event_that_is_over_at_once_is_no_condition() -> None:
    builder = Builder(RULE)
    state = builder.add(device_input(LIGHT, ON, equals(True))).out()
    for other in (pressed(builder), state):
        with pytest.raises(BadInput):
            symmetric(builder, state, other)
