from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.graphs.simulating.small import RULE, button, codes, commands, lamp, node, press, ran, rule_of, says, sensor

from zhixing.graphs.catalogue import node_types
from zhixing.graphs.logs import Unread, read_line
from zhixing.graphs.simulating.result import result_json
from zhixing.kernel.wording import LANGUAGES

LONG_MS = 10 * 366 * 86_400_000


def test_wires_are_served_depth_first_in_their_order() -> None:
    rule = rule_of(button("in", 1, "b.trigger a.trigger a.trigger"), lamp("a"), lamp("b", ends="c.trigger"), lamp("c"))
    assert [name for _, name in commands(ran(rule, press(1)))] == ["b", "c", "a", "a"]


def test_sources_hear_in_the_order_of_nodes() -> None:
    rule = rule_of(
        sensor("two", "b.trigger", preload=False), sensor("one", "a.trigger", preload=False), lamp("a"), lamp("b")
    )
    assert [name for _, name in commands(ran(rule, says(1, True)))] == ["b", "a"]


def test_a_pin_of_two_colours_serves_state_wires_and_event_wires_in_order() -> None:
    rule = rule_of(
        sensor("in", "before.trigger c.condition c.trigger"),
        node("c", "condition", met="yes.trigger", unmet="no.trigger"),
        lamp("before"),
        lamp("yes"),
        lamp("no"),
    )
    assert [name for _, name in commands(ran(rule, says(1, True), says(2, False)))] == ["before", "yes"]


def test_the_script_comes_before_timers_of_the_same_instant() -> None:
    rule = rule_of(
        button("in", 1, "wait.input"),
        node("wait", "delay", {"timeout": 1000}, output="late.trigger"),
        button("other", 2, "early.trigger"),
        lamp("late"),
        lamp("early"),
    )
    assert commands(ran(rule, press(0), press(1000, 2))) == [(1000, "early"), (1000, "late")]


@pytest.mark.parametrize(
    ("wire", "why"),
    [
        (button("in", 1, "hold.input"), "an event does not reach a state pin"),
        (button("in", 1, "gone.input"), "no such card"),
        (button("in", 1, "hold.nowhere"), "no such pin"),
        (button("in", 1, "window.trigger"), "a window has no input"),
        (node("in", "onLoad", other="out.trigger"), "no such output"),
    ],
)
def test_a_wire_that_cannot_work_is_dead_and_noted(wire: dict[str, Any], why: str) -> None:
    rule = rule_of(
        wire,
        node("hold", "statusLast", {"timeout": 1}, output="out.trigger"),
        node("window", "timeRange", {"start": {}, "end": {}}, output=""),
        lamp(),
    )
    result = ran(rule, press(1), until_ms=100)
    assert (commands(result), "wire_dead" in codes(result)) == ([], True), why


@pytest.mark.parametrize(
    ("card", "code"),
    [
        (node("x", "delay", {}, output=""), "node_incomplete"),
        (node("x", "deviceInput", {"did": "a"}, output=""), "node_unknown"),
        (node("x", "teleport", {}, output=""), "node_unknown"),
        (node("out", "onLoad", {}, output=""), "node_twice"),
        (node("x", "alarmClock", {"type": "periodicAlarm", "hour": 25}, output=""), "node_incomplete"),
    ],
)
def test_a_card_that_cannot_run_is_left_out_and_the_others_run(card: dict[str, Any], code: str) -> None:
    result = ran(rule_of(button("in", 1, "out.trigger"), lamp(), card), press(1))
    assert (commands(result), code in codes(result)) == ([(1, "out")], True)


START = node("s", "onLoad", output="x.input x.start x.input0")


@pytest.mark.parametrize(
    ("card", "code"),
    [
        (node("x", "signalOr", inputs={"input0": None}, output="x.input0 x.input0"), "event_storm"),
        (node("x", "delay", {"timeout": 0}, output="x.input"), "event_storm"),
        (node("x", "delay", {"timeout": -5}, output="x.input"), "event_storm"),
        (node("x", "loop", {"interval": 0}, output=""), "event_storm"),
        (node("x", "logicNot", inputs={"input": None}, output="x.input"), "event_storm"),
        (node("x", "loop", {"interval": 1}, output=""), "steps_spent"),
    ],
)
def test_what_never_ends_is_ended_and_said(card: dict[str, Any], code: str) -> None:
    assert code in codes(ran(rule_of(START, card), until_ms=LONG_MS))


def test_many_alarms_over_many_years_are_cut_short() -> None:
    props = {"type": "periodicAlarm", "hour": 8, "minute": 0, "second": 0, "filter": {}}
    alarms = [node(f"n{number}", "alarmClock", props, output="") for number in range(50)]
    result = ran(rule_of(*alarms), until_ms=LONG_MS)
    assert "steps_spent" in codes(result)
    assert 300 < result.fired["n0"] < 400


@pytest.mark.parametrize("toggle", [[{"disable": True}, {"enable": True}], [{"clock": "2025-06-01T00:00:00Z"}]])
def test_a_rule_that_is_switched_or_set_without_end_is_ended(toggle: list[dict[str, Any]]) -> None:
    cards = [node(f"n{number}", "register", output="") for number in range(1000)]
    lines = [{"at_ms": at, **each} for at in range(300) for each in toggle]
    assert "steps_spent" in codes(ran(rule_of(*cards), *lines))


def test_after_a_storm_the_rule_goes_on() -> None:
    ring = node("x", "signalOr", inputs={"input0": None}, output="x.input0")
    rule = rule_of(button("bad", 1, "x.input0"), ring, button("good", 2, "out.trigger"), lamp())
    result = ran(rule, press(1), press(2, 2), options={"max_steps_per_instant": 100})
    assert commands(result) == [(2, "out")]
    assert result.fired["x"] <= 100


def test_a_long_chain_is_no_storm() -> None:
    chain = [node(f"n{n}", "signalOr", inputs={"input0": None}, output=f"n{n + 1}.input0") for n in range(3000)]
    result = ran(rule_of(button("in", 1, "n0.input0"), *chain, lamp("n3000")), press(1))
    assert result.fired["n2999"] == 1
    assert "event_storm" not in codes(result)


def test_the_trace_is_written_as_the_gateway_writes_it() -> None:
    rule = rule_of(button("in", 1, "c.input"), node("c", "counter", {"n": 1}, output="out.trigger"), lamp())
    printed = result_json(ran(rule, press(1000), {"at_ms": 2000, "disable": True}))
    start = 1_740_960_000_000
    assert printed["trace"] == [
        f'3|{start}|r|{RULE}|{{"enable":true}}',
        f"3|{start + 1000}|l|{RULE}|in.output|c.input|null",
        f'3|{start + 1000}|i|{RULE}|c|{{"n":1}}',
        f"3|{start + 1000}|l|{RULE}|c.output|out.trigger|null",
        f"3|{start + 1000}|i|{RULE}|out|[true]",
        f'3|{start + 2000}|r|{RULE}|{{"enable":false}}',
    ]


def test_a_result_is_printed_as_the_command_promises() -> None:
    say = node("say", "deviceOutput", {"did": "speaker", "siid": 7, "aiid": 3, "ins": []}, output="w.input")
    rule = rule_of(
        button("in", 1, "out.trigger"), lamp(ends="say.trigger"), say, node("w", "delay", {"timeout": 9000}, output="")
    )
    printed = result_json(ran(rule, press(1000), variables={"global.Vx": 1}))
    assert printed["outputs"] == [
        {"at_ms": 1000, "nodeId": "out", "did": "lamp", "siid": 2, "piid": 1, "value": True},
        {"at_ms": 1000, "nodeId": "say", "did": "speaker", "siid": 7, "aiid": 3, "value": []},
    ]
    assert printed["variables"] == {"global.Vx": 1}
    assert printed["devices"] == {"lamp": {"2.1": True}}
    assert printed["fired"] == {"in": 1, "out": 1, "say": 1}
    assert printed["active"] == [{"nodeId": "w", "kind": "delay", "due_ms": 10_000}]
    assert printed["diagnostics"][0].keys() == {"code", "nodeId", "at_ms", "message"}
    assert printed["options"]["delay_retrigger"] == "restart"


def test_the_rule_says_what_it_rests_on_in_both_languages() -> None:
    result = ran(rule_of(START, node("x", "loop", {"interval": 5}, output=""), lamp("x")), until_ms=20)
    assert all(each.text(language) for each in result.diagnostics for language in LANGUAGES)


def test_names_that_would_break_the_log_do_not() -> None:
    rule = rule_of(button("a|b", 1, "c|1.trigger"), lamp("c|1"))
    result = ran(rule, press(1))
    assert commands(result) == [(1, "c|1")]
    assert not any(isinstance(read_line(line), Unread) for line in result_json(result)["trace"])


_TYPES = sorted(node_types())
_VALUES = st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from(["", "x", "int", "=", "between", "sunset"])
_KEYS = st.sampled_from(
    sorted({prop for kind in node_types().values() for each in (kind, *kind.variants) for prop in each.props})
)
_PINS = ["input", "input0", "input1", "input2", "trigger", "condition", "start", "stop", "zero", "setTrue", "setFalse"]
_ENDS = st.tuples(st.integers(0, 5), st.sampled_from(_PINS)).map(lambda end: f"n{end[0]}.{end[1]}")


@st.composite
def graphs(draw: st.DrawFn) -> list[dict[str, Any]]:
    return [
        {
            "id": f"n{number}",
            "type": draw(st.sampled_from(_TYPES)),
            "props": draw(st.dictionaries(_KEYS, _VALUES | st.lists(_VALUES, max_size=2), max_size=8))
            | draw(st.sampled_from([{}, {"did": "d", "siid": 1, "piid": 1}, {"scope": "global", "id": "Vx"}])),
            "inputs": draw(st.dictionaries(st.sampled_from(_PINS), _VALUES, max_size=3)),
            "outputs": draw(
                st.dictionaries(st.sampled_from(["output", "output2", "met", "output0"]), st.lists(_ENDS, max_size=3))
            ),
            "cfg": {},
        }
        for number in range(6)
    ]


@given(graphs())
@settings(max_examples=150, deadline=None)
def test_no_graph_raises_or_runs_on(nodes: list[dict[str, Any]]) -> None:
    lines = [
        {"at_ms": 1, "event": {"did": "d", "siid": 1, "piid": 1, "value": 2}},
        {"at_ms": 2, "var_set": {"scope": "global", "id": "Vx", "value": 3}},
        {"at_ms": 3, "clock": "2025-06-01T00:00:00Z"},
    ]
    options = {"max_steps_per_instant": 50, "suppress_self_echo": False}
    result = ran(rule_of(*nodes), *lines, until_ms=50, variables={"global.Vx": 1}, options=options)
    assert json.loads(json.dumps(result_json(result)))["trace"][0].endswith('{"enable":true}')
