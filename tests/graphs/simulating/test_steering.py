from __future__ import annotations

from typing import Any

import pytest
from tests.graphs.simulating.small import (
    button,
    codes,
    commands,
    lamp,
    node,
    press,
    ran,
    rule_of,
    says,
    sensor,
)

from zhixing.graphs.simulating.result import Result


def steered(card: dict[str, Any], keys: list[int], **setup: Any) -> Result:
    """Press keys a second apart: 1 is wired to the first input of the card, 2 to the second."""
    first, second = [*card["inputs"], "zero"][:2]
    rule = rule_of(button("a", 1, f"c.{first}"), button("b", 2, f"c.{second}"), card, lamp())
    return ran(rule, *(press(1000 * number, key) for number, key in enumerate(keys, 1)), **setup)


COUNTED = {"input": None, "zero": None}


@pytest.mark.parametrize(
    ("kind", "keys", "options", "pulses"),
    [
        ("onlyNTimes", [1, 1, 1], {}, [1000, 2000]),
        ("onlyNTimes", [1, 1, 1, 2, 1], {}, [1000, 2000, 5000]),
        ("counter", [1], {}, []),
        ("counter", [1, 1, 1, 1], {}, [2000]),
        ("counter", [1, 1, 2, 1, 1], {}, [2000, 5000]),
        ("counter", [1, 1, 1, 1, 1], {"counter_after": "wrap"}, [2000, 4000]),
    ],
)
def test_pulses_are_counted(kind: str, keys: list[int], options: dict[str, Any], pulses: list[int]) -> None:
    card = node("c", kind, {"n": 2}, inputs=COUNTED, output="out.trigger")
    assert [at for at, _ in commands(steered(card, keys, options=options))] == pulses


@pytest.mark.parametrize(("keys", "pulses"), [([1], [1000]), ([1, 1], [1000]), ([1, 2, 1], [1000, 3000]), ([2, 2], [])])
def test_a_register_pulses_only_when_it_becomes_true(keys: list[int], pulses: list[int]) -> None:
    card = node("c", "register", inputs={"setTrue": None, "setFalse": None}, output="out.trigger")
    assert [at for at, _ in commands(steered(card, keys))] == pulses


@pytest.mark.parametrize(("persist", "pulses"), [(False, [(1000, "out"), (4000, "out")]), (True, [(1000, "out")])])
def test_a_register_forgets_when_the_rule_is_disabled(*, persist: bool, pulses: list[tuple[int, str]]) -> None:
    card = node("c", "register", inputs={"setTrue": None, "setFalse": None}, output="out.trigger")
    rule = rule_of(button("a", 1, "c.setTrue"), card, lamp())
    lines = [press(1000), {"at_ms": 2000, "disable": True}, {"at_ms": 3000, "enable": True}, press(4000)]
    assert commands(ran(rule, *lines, options={"register_persist": persist})) == pulses


@pytest.mark.parametrize(("reset", "last"), [(True, "one"), (False, "two")])
def test_modes_take_turns_and_empty_ones_too(*, reset: bool, last: str) -> None:
    modes = node("m", "modeSwitch", output0="one.trigger", output1="two.trigger", output2="")
    rule = rule_of(button("a", 1, "m.input"), modes, lamp("one"), lamp("two"))
    lines = [*map(press, (1, 2, 3, 4)), {"at_ms": 5, "disable": True}, {"at_ms": 6, "enable": True}, press(7)]
    result = ran(rule, *lines, options={"modeswitch_reset_on_enable": reset})
    assert commands(result) == [(1, "one"), (2, "two"), (4, "one"), (7, last)]


def test_every_signal_goes_on() -> None:
    card = node("c", "signalOr", inputs={"input0": None, "input1": None}, output="out.trigger")
    assert commands(steered(card, [1, 2, 2])) == [(1000, "out"), (2000, "out"), (3000, "out")]


@pytest.mark.parametrize(
    ("inputs", "options", "taken"),
    [
        ({}, {}, "no"),
        ({"condition": True}, {}, "yes"),
        ({"condition": False}, {}, "no"),
        ({"condition": None}, {"unwired_condition": True}, "yes"),
    ],
)
def test_a_condition_without_a_wire(inputs: dict[str, Any], options: dict[str, Any], taken: str) -> None:
    rule = rule_of(
        button("a", 1, "c.trigger"),
        node("c", "condition", inputs=inputs, met="yes.trigger", unmet="no.trigger"),
        lamp("yes"),
        lamp("no"),
    )
    assert commands(ran(rule, press(1), options=options)) == [(1, taken)]


def test_a_condition_samples_the_state_and_never_makes_up_for_an_earlier_event() -> None:
    rule = rule_of(
        sensor("s", "c.condition", preload=False),
        button("a", 1, "c.trigger"),
        node("c", "condition", met="yes.trigger", unmet="no.trigger"),
        lamp("yes"),
        lamp("no"),
    )
    result = ran(rule, press(1000), says(1500, True), press(2000))
    assert commands(result) == [(1000, "no"), (2000, "yes")]
    assert "uninitialised_state" in codes(result)


@pytest.mark.parametrize(("known", "taken"), [(False, "no"), (True, "yes")])
def test_a_state_that_was_read_from_the_cache_is_no_unknown_one(known: object, taken: str) -> None:
    rule = rule_of(
        sensor("s", "c.condition", preload=False),
        button("a", 1, "c.trigger"),
        node("c", "condition", met="yes.trigger", unmet="no.trigger"),
        lamp("yes"),
        lamp("no"),
    )
    read = {"state_without_preload": "read_cache"}
    result = ran(rule, press(1000), state={"sensor": {"2.1": known}}, options=read)
    assert commands(result) == [(1000, taken)]
    assert "uninitialised_state" not in codes(result)


AND, OR, NOT = "logicAnd", "logicOr", "logicNot"


@pytest.mark.parametrize(
    ("kind", "inputs", "options", "reports", "pulses"),
    [
        (AND, {"input0": None, "input1": None}, {}, [(1, True), (2, True)], [2]),
        (AND, {"input0": None, "input1": None}, {}, [(2, True), (1, True), (1, False), (1, True)], [2, 4]),
        (AND, {"input0": None, "input1": None, "input2": None}, {}, [(1, True), (2, True)], []),
        (
            AND,
            {"input0": None, "input1": None, "input2": None},
            {"unwired_logic_and": True},
            [(1, True), (2, True)],
            [2],
        ),
        (AND, {"input0": None, "input1": None, "input2": True}, {}, [(1, True), (2, True)], [2]),
        (OR, {"input0": None, "input1": None}, {}, [(1, True), (2, True)], [1]),
        (OR, {"input0": None, "input1": None, "input2": True}, {}, [(1, True)], []),
        (OR, {"input0": None, "input1": None}, {}, [(1, True), (1, False), (2, True)], [1, 3]),
        (NOT, {"input": None}, {}, [(1, True), (1, False)], [2]),
    ],
)
def test_logic_pulses_when_what_follows_becomes_true(
    kind: str, inputs: dict[str, Any], options: dict[str, Any], reports: list[tuple[int, bool]], pulses: list[int]
) -> None:
    pins = [*inputs, "none"]
    rule = rule_of(
        sensor("s1", f"c.{pins[0]}"),
        sensor("s2", f"c.{pins[1]}", piid=2),
        node("c", kind, inputs=inputs, output="out.trigger"),
        lamp(),
    )
    lines = [says(at, value, piid) for at, (piid, value) in enumerate(reports, 1)]
    state = {"sensor": {"2.1": False, "2.2": False}}
    assert [at for at, _ in commands(ran(rule, *lines, state=state, options=options))] == pulses


def test_states_stand_before_anything_pulses_at_enable() -> None:
    rule = rule_of(
        node("start", "onLoad", output="c.trigger"),
        node("no", "logicNot", inputs={"input": None}, output="c.condition out.trigger"),
        node("r", "register", output="no.input"),
        node("c", "condition", met="yes.trigger"),
        lamp("yes"),
        lamp(),
    )
    result = ran(rule)
    assert commands(result) == [(0, "yes")]
