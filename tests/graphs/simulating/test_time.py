from __future__ import annotations

from typing import Any

import pytest
from tests.graphs.simulating.small import button, commands, lamp, node, press, ran, rests_on, rule_of, says, sensor


def clicks(*at: int, key: int = 1) -> list[dict[str, Any]]:
    return [press(each, key=key) for each in at]


@pytest.mark.parametrize(
    ("retrigger", "pulses"),
    [
        ("restart", [9000]),
        ("parallel", [6000, 8000, 9000]),
        ("ignore", [6000]),
        ("queue", [6000, 11000, 16000]),
    ],
)
def test_a_delay_that_is_triggered_again(retrigger: str, pulses: list[int]) -> None:
    rule = rule_of(
        button("in", 1, "wait.input"), node("wait", "delay", {"timeout": 5000}, output="out.trigger"), lamp()
    )
    options = {"delay_retrigger": retrigger}
    result = ran(rule, *clicks(1000, 3000, 4000), until_ms=60_000, options=options)
    assert [at for at, _ in commands(result)] == pulses


def test_timers_that_still_run_are_listed() -> None:
    rule = rule_of(
        button("in", 1, "wait.input ring.start"),
        sensor("on", "hold.input"),
        node("wait", "delay", {"timeout": 5000}, output=""),
        node("ring", "loop", {"interval": 700}, output=""),
        node("hold", "statusLast", {"timeout": 9000}, output=""),
    )
    result = ran(rule, *clicks(1000), says(1100, True), until_ms=2000)
    assert [(each.node, each.kind, each.due_ms) for each in result.active] == [
        ("ring", "loop", 2400),
        ("wait", "delay", 6000),
        ("hold", "statusLast", 10100),
    ]
    off = ran(rule, *clicks(1000), {"at_ms": 1500, "disable": True}, {"at_ms": 1600, "enable": True}, until_ms=9000)
    assert off.active == ()


@pytest.mark.parametrize(
    ("reported", "pulses"),
    [
        ([(1000, True)], [6000]),
        ([(1000, True), (3000, True)], [6000]),
        ([(1000, True), (5999, False)], []),
        ([(1000, True), (4000, False), (5000, True)], [10000]),
        ([(1000, True), (8000, False), (9000, True)], [6000, 14000]),
    ],
)
def test_a_state_has_to_last_without_a_break(reported: list[tuple[int, bool]], pulses: list[int]) -> None:
    rule = rule_of(
        sensor("in", "hold.input"), node("hold", "statusLast", {"timeout": 5000}, output="out.trigger"), lamp()
    )
    result = ran(rule, *(says(at, value) for at, value in reported), until_ms=30_000)
    assert [at for at, _ in commands(result)] == pulses


def test_what_lasted_is_a_state_until_it_ends() -> None:
    rule = rule_of(
        sensor("in", "hold.input"),
        node("hold", "statusLast", {"timeout": 5000}, output="c.condition"),
        button("ask", 1, "c.trigger"),
        node("c", "condition", met="yes.trigger", unmet="no.trigger"),
        lamp("yes"),
        lamp("no"),
    )
    result = ran(rule, says(0, True), press(4000), press(6000), says(7000, False), press(8000))
    assert commands(result) == [(4000, "no"), (6000, "yes"), (8000, "no")]


@pytest.mark.parametrize(
    ("first", "second", "options", "pulses"),
    [
        ([1000], [3000], {}, [3000]),
        ([1000], [6000], {}, [6000]),
        ([1000], [6001], {}, []),
        ([3000], [1000], {}, []),
        ([1000], [2000, 3000], {}, [2000]),
        ([1000, 4000], [8000], {}, [8000]),
        ([1000, 4000], [8000], {"sequence_rearm": "first"}, []),
    ],
)
def test_a_sequence_wants_its_order_and_its_time(
    first: list[int], second: list[int], options: dict[str, Any], pulses: list[int]
) -> None:
    rule = rule_of(
        button("a", 1, "seq.input1"),
        button("b", 2, "seq.input2"),
        node("seq", "eventSequence", {"timeout": 5000}, output="out.trigger"),
        lamp(),
    )
    lines = sorted(clicks(*first) + clicks(*second, key=2), key=lambda line: line["at_ms"])
    assert [at for at, _ in commands(ran(rule, *lines, options=options))] == pulses


@pytest.mark.parametrize(
    ("starts", "stops", "options", "pulses"),
    [
        ([1000], [], {}, [3000, 5000, 7000, 9000]),
        ([1000], [5500], {}, [3000, 5000]),
        ([1000], [5000], {}, [3000]),
        ([1000], [1500], {}, []),
        ([1000, 4000], [7000], {}, [3000, 6000]),
        ([1000, 4000], [7500], {"loop_restart": "ignore"}, [3000, 5000, 7000]),
        ([1000], [3500], {"loop_first_tick": "immediately"}, [1000, 3000]),
    ],
)
def test_a_loop_ticks_from_start_to_stop(
    starts: list[int], stops: list[int], options: dict[str, Any], pulses: list[int]
) -> None:
    rule = rule_of(
        button("go", 1, "ring.start"),
        button("end", 2, "ring.stop"),
        node("ring", "loop", {"interval": 2000}, output="out.trigger"),
        lamp(),
    )
    lines = sorted(clicks(*starts) + clicks(*stops, key=2), key=lambda line: line["at_ms"])
    result = ran(rule, *lines, until_ms=10_000, options=options)
    assert [at for at, _ in commands(result)] == pulses
    assert "loop_first_tick" in rests_on(result)


def test_a_loop_may_stop_itself() -> None:
    rule = rule_of(
        button("go", 1, "ring.start"),
        node("ring", "loop", {"interval": 1000}, output="count.input"),
        node("count", "counter", {"n": 3}, output="ring.stop out.trigger"),
        lamp(),
    )
    result = ran(rule, press(0), until_ms=20_000)
    assert (commands(result), result.fired["ring"], result.active) == ([(3000, "out")], 3, ())
