"""Outputs that a script forces."""

from __future__ import annotations

from typing import Any

import pytest
from tests.graphs.explaining.stories import force, script_of
from tests.graphs.simulating.small import button, codes, commands, lamp, node, press, ran, rule_of, says, sensor

from zhixing.graphs.logs import LinkLine
from zhixing.graphs.simulating.script import Forced
from zhixing.kernel.errors import BadInput

GATED = rule_of(
    button("in", 1, "it.trigger"),
    sensor("on", "it.condition out.trigger", preload=False),
    node("it", "condition", met="out.trigger", unmet="off.trigger"),
    lamp(),
    lamp("off"),
)


def carried(*lines: dict[str, Any]) -> list[tuple[int, str, bool | None]]:
    start = ran(GATED).trace[0].at_ms
    trace = ran(GATED, *lines).trace
    return [(each.at_ms - start, each.target.pin, each.state) for each in trace if isinstance(each, LinkLine)]


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({}, [(500, "trigger", None)]),
        ({"state": True}, [(500, "condition", True), (500, "trigger", None)]),
        ({"state": True, "pulse": False}, [(500, "condition", True)]),
        ({"state": False}, [(500, "condition", False)]),
    ],
)
def test_a_pin_sends_a_pulse_a_state_or_both(more: dict[str, Any], expected: list[Any]) -> None:
    assert carried(force(500, "on", **more)) == expected


def test_a_forced_state_opens_the_way_for_what_comes_later() -> None:
    assert commands(ran(GATED, force(500, "on", state=True, pulse=False), press(1000))) == [(1000, "out")]


def test_one_branch_can_be_forced_whatever_the_card_would_do() -> None:
    assert commands(ran(GATED, force(500, "it", "unmet"))) == [(500, "off")]


def test_the_card_itself_goes_on_as_it_was() -> None:
    result = ran(GATED, force(500, "on", state=True), says(1000, True))
    assert commands(result) == [(500, "out"), (1000, "out")]


@pytest.mark.parametrize("line", [force(500, "gone"), force(500, "it", "output9"), force(500, "in", state=True)])
def test_what_cannot_be_forced_is_noted(line: dict[str, Any]) -> None:
    result = ran(GATED, line)
    assert "force_nowhere" in codes(result)
    assert commands(result) == []


def test_nothing_is_forced_while_the_rule_is_off() -> None:
    assert commands(ran(GATED, {"at_ms": 100, "disable": True}, force(500, "it", "met"))) == []


def test_a_script_says_it_in_one_line() -> None:
    assert script_of(force(5, "it", state=True)).lines[0].event == Forced("it", "output", state=True, pulse=True)


@pytest.mark.parametrize(
    "given",
    [
        {"node": "it"},
        {"pin": "output"},
        {"node": "it", "pin": "p", "state": 1},
        {"node": "it", "pin": "p", "pulse": False},
    ],
)
def test_a_line_that_forces_nothing_is_refused(given: dict[str, Any]) -> None:
    with pytest.raises(BadInput):
        script_of({"at_ms": 0, "force": given})
