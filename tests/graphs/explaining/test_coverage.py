"""Which outputs and wires scripts try."""

from __future__ import annotations

import pytest
from tests.graphs.explaining.stories import script_of
from tests.graphs.simulating.small import button, lamp, node, press, rule_of, says, sensor

from zhixing.graphs.explaining.coverage import MOST_SCRIPTS, Branch, coverage
from zhixing.kernel.errors import TooLarge

RULE = rule_of(
    button("in", 1, "it.trigger"),
    sensor("on", "it.condition", preload=False),
    node("it", "condition", met="out.trigger", unmet="off.trigger"),
    lamp(),
    lamp("off"),
    node("note", "nop"),
)
DARK = script_of(says(500, False), press(1000))
LIT = script_of(says(500, True), press(1000))


def test_what_one_script_tries_is_counted_by_output_and_wire() -> None:
    found = coverage(RULE, [LIT])
    assert found.taken[Branch("it", "met", "pulse")] == 1
    assert found.taken[Branch("on", "output", "true", "it.condition")] == 1
    assert found.uncovered == (
        Branch("on", "output", "false"),
        Branch("it", "unmet", "pulse"),
        Branch("off", "output", "pulse"),
        Branch("on", "output", "false", "it.condition"),
        Branch("it", "unmet", "pulse", "off.trigger"),
    )
    assert (found.percent, found.wire_percent) == (57.1, 60.0)


def test_scripts_add_up() -> None:
    turning = script_of(says(400, True), says(500, False), press(1000))
    found = coverage(RULE, [LIT, turning])
    assert (found.percent, found.wire_percent, found.uncovered) == (100.0, 100.0, ())
    assert found.taken[Branch("in", "output", "pulse")] == 2
    assert Branch("it", "met", "pulse") in found.by_script[0] - found.by_script[1]


def test_what_is_open_is_said_once_and_not_again_for_its_wires() -> None:
    assert coverage(RULE, [LIT]).lines() == (
        "出口走过 4/7（57.1%），连线走过 3/5",
        "没走过：「设备触发」（on）的 output 从没是假",
        "没走过：「当-如果-就」（it）的 unmet 从没触发",
        "没走过：「控制设备」（off）的 output 从没触发",
    )


def test_what_can_never_be_does_not_count() -> None:
    rule = rule_of(
        button("in", 1, "it.trigger"),
        node("it", "condition", met="out.trigger", unmet="off.trigger"),
        lamp(),
        lamp("off"),
    )
    found = coverage(rule, [script_of(press(1000))])
    assert Branch("it", "met", "pulse") in found.impossible
    assert found.percent == 100.0


def test_a_card_that_takes_no_part_does_not_count() -> None:
    rule = rule_of(button("in", 1, "out.trigger wait.input"), node("wait", "delay", {}, output=""), lamp())
    found = coverage(rule, [script_of(press(1000))])
    assert (found.left_out, found.percent) == (("wait",), 100.0)


def test_a_state_output_has_a_pulse_to_try_where_a_wire_takes_pulses() -> None:
    rule = rule_of(sensor("on", "out.trigger", preload=False), lamp())
    found = coverage(rule, [script_of(says(500, False))])
    assert [branch.sent for branch in found.outputs if branch.node == "on"] == ["pulse", "true", "false"]
    assert all("{" not in line for language in ("zh", "en") for line in found.lines(language))


def test_without_scripts_nothing_is_covered() -> None:
    found = coverage(RULE, [])
    assert (found.percent, len(found.uncovered)) == (0.0, 12)


def test_too_many_scripts_are_refused() -> None:
    with pytest.raises(TooLarge):
        coverage(RULE, [DARK] * (MOST_SCRIPTS + 1))
