"""What can never happen, and the circles and mirrors of a rule."""

from __future__ import annotations

from typing import Any

import pytest
from tests.graphs.checks.structure_rules import HEARD, found, node, rule

from zhixing.graphs.checks.cycles import cycles
from zhixing.graphs.checks.finding import Profile
from zhixing.graphs.checks.structure import check_structure

NO, YES = {"condition": False}, {"condition": True}
OUT = node("out", "deviceOutput")


def sensor(name: str, to: str, **props: Any) -> dict[str, Any]:
    return node(name, "deviceInput", to, props=props)


def button(name: str, to: str) -> dict[str, Any]:
    return node(name, "deviceInput", to) | {"props": dict(HEARD)}


NEVER = [
    (
        "a condition that is never met",
        [button("key", "output>when.trigger"), node("when", "condition", "met>out.trigger", constants=NO), OUT],
        "「当-如果-就」（when）的条件不可能成立",
    ),
    (
        "an unwired condition is never met",
        [button("key", "output>when.trigger"), node("when", "condition", "met>out.trigger"), OUT],
        "「当-如果-就」（when）的条件不可能成立",
    ),
    (
        "a condition that is always met",
        [button("key", "output>when.trigger"), node("when", "condition", "unmet>out.trigger", constants=YES), OUT],
        "「当-如果-就」（when）的条件总是成立",
    ),
    (
        "a condition nobody asks",
        [
            sensor("in1", "output>when.condition"),
            node("when", "condition", "met>wait.input"),
            node("wait", "delay", "output>out.trigger"),
            OUT,
        ],
        "「当-如果-就」（when）的 trigger 没有连线",
    ),
    (
        "half a sequence",
        [button("key", "output>both.input1"), node("both", "eventSequence", "output>out.trigger"), OUT],
        "「事件先后发生」（both）的 input2 没有连线",
    ),
    (
        "an and with a constant that is false",
        [
            sensor("in1", "output>and.input0"),
            node("and", "logicAnd", "output>out.trigger", inputs={"input0": None, "input1": False}),
            OUT,
        ],
        "「满足全部条件」（and）的状态不可能变成真",
    ),
    (
        "a state that never lasts",
        [
            sensor("in1", "output>and.input0"),
            node("and", "logicAnd", "output>last.input", inputs={"input0": None, "input1": False}),
            node("last", "statusLast", "output>out.trigger"),
            OUT,
        ],
        "「状态持续一段时间」（last）的状态不可能变成真",
    ),
    (
        "a register that nobody sets",
        [button("key", "output>flag.setFalse"), node("flag", "register", "output>out.trigger"), OUT],
        "「自定义布尔状态」（flag）的 setTrue 没有连线",
    ),
    (
        "a loop that is only stopped",
        [button("key", "output>round.stop"), node("round", "loop", "output>out.trigger"), OUT],
        "「循环」（round）的 start 没有连线",
    ),
    (
        "a limit that is only reset",
        [button("key", "output>few.zero"), node("few", "onlyNTimes", "output>out.trigger"), OUT],
        "「最多触发N次」（few）的 input 没有连线",
    ),
    (
        "a circle without a start",
        [
            node("a", "delay", "output>b.input"),
            node("b", "delay", "output>a.input output>out.trigger"),
            OUT,
        ],
        "触发它的线只在「延时」（a）这里绕圈，没有起点",
    ),
    (
        "a wire to a pin that is not there",
        [button("key", "output>wait.trigger"), node("wait", "delay", "output>out.trigger"), OUT],
        "「延时」（wait）的 input 没有连线",
    ),
    (
        "a wire of the wrong colour",
        [
            button("key", "output>last.input"),
            node("last", "statusLast", "output>out.trigger"),
            OUT,
        ],
        "「状态持续一段时间」（last）的状态不可能变成真",
    ),
    (
        "a note that is wired",
        [node("note", "nop", "output>out.trigger"), OUT],
        "连到「控制设备」（out）的 trigger 的线不起作用",
    ),
]


@pytest.mark.parametrize(("nodes", "why"), [case[1:] for case in NEVER], ids=[case[0] for case in NEVER])
def test_an_action_that_can_never_run_is_named_with_the_reason(nodes: list[Any], why: str) -> None:
    never = [each for each in check_structure(rule(*nodes)) if each.code == "never_fires"]
    assert [each.text() for each in never] == [f"「控制设备」（out）永远不会执行：{why}"]
    assert ("never_fires", "warn", "out") in found(rule(*nodes))
    assert ("never_fires", "error", "out") in found(rule(*nodes), Profile.STRICT)


RUNS = [
    [button("key", "output>when.trigger"), node("when", "condition", "unmet>out.trigger"), OUT],
    [node("t", "timeRange", "output>out.trigger"), OUT],
    [node("l", "onLoad", "output>flag.setTrue"), node("flag", "register", "output>out.trigger"), OUT],
    [
        button("key", "output>when.trigger"),
        node("flag", "register", "output>not.input"),
        node("not", "logicNot", "output>when.condition"),
        node("when", "condition", "met>out.trigger"),
        OUT,
    ],
    [
        sensor("in1", "output>or.input0"),
        node("or", "logicOr", "output>out.trigger", inputs={"input0": None, "input1": False}),
        OUT,
    ],
    [
        button("key", "output>round.start"),
        node("round", "loop", "output>few.input"),
        node("few", "counter", "output>out.trigger"),
        OUT,
    ],
    [node("l", "onLoad", "output>odd.input"), node("odd", "delay", "output>out.trigger", type="teleport"), OUT],
]


@pytest.mark.parametrize("nodes", RUNS)
def test_an_action_that_can_run_is_left_alone(nodes: list[Any]) -> None:
    assert {code for code, _, _ in found(rule(*nodes), Profile.STRICT)}.isdisjoint({"never_fires"})


@pytest.mark.parametrize(
    ("constants", "code"), [(YES, "unmet_unreachable"), (NO, "met_unreachable")], ids=["always", "never"]
)
def test_a_branch_that_is_never_taken_is_a_hint(constants: dict[str, bool], code: str) -> None:
    given = rule(
        button("key", "output>when.trigger"),
        node("when", "condition", "met>or.input0 unmet>or.input1", constants=constants),
        node("or", "signalOr", "output>out.trigger"),
        OUT,
    )
    assert found(given, Profile.STRICT) == {(code, "info", "when")}


def test_nothing_is_said_of_reach_while_two_cards_share_an_id() -> None:
    given = rule(node("out", "deviceOutput"), node("out", "deviceOutput"), node("l", "delay", "output>out.trigger"))
    assert "never_fires" not in {code for code, _, _ in found(given)}


def storm(*middle: dict[str, Any], back: str) -> set[str]:
    """Draw a circle through `any`, which a button feeds; return the levels at which it is found."""
    given = rule(button("key", "output>any.input0"), node("any", "signalOr", back), *middle)
    return {level for code, level, _ in found(given) if code == "event_cycle"}


def test_a_circle_of_events_without_a_gate_is_found() -> None:
    assert storm(node("lamp", "deviceOutput", "output>any.input1"), back="output>lamp.trigger") == {"error"}
    assert storm(back="output>any.input1") == {"error"}
    asks = node("ask", "varGet", "output2>any.input1")
    assert storm(asks, back="output>ask.input") == {"warn"}
    for gate, pin in (("delay", "input"), ("onlyNTimes", "input"), ("counter", "input"), ("loop", "start")):
        assert storm(node("gate", gate, "output>any.input1"), back=f"output>gate.{pin}") == set()


def test_a_circle_that_only_stops_or_asks_is_none() -> None:
    given = rule(
        button("key", "output>round.start"),
        node("round", "loop", "output>count.input output>lamp.trigger"),
        node("count", "counter", "output>round.stop"),
        node("lamp", "deviceOutput"),
    )
    assert "event_cycle" not in {code for code, _, _ in found(given)}


def test_a_delay_with_several_sources_is_a_hint() -> None:
    def codes(*sources: dict[str, Any]) -> set[tuple[str, str, str]]:
        either, wait = node("or", "signalOr", "output>wait.input"), node("wait", "delay", "output>out.trigger")
        return {each for each in found(rule(*sources, either, wait, OUT)) if each[0] == "shared_delay"}

    assert codes(button("a", "output>or.input0")) == set()
    assert codes(button("a", "output>or.input0"), button("b", "output>or.input1")) == {("shared_delay", "info", "wait")}


def test_asking_a_device_after_a_delay_does_not_tell_whether_a_state_held() -> None:
    held = rule(
        sensor("in1", "output>wait.input"),
        node("wait", "delay", "output>ask.input"),
        node("ask", "deviceGet", "output>out.trigger"),
        OUT,
    )
    assert ("delay_as_hold", "info", "wait") in found(held)


def mirror(*, ask: bool, preload: bool, other: str = "lamp1") -> set[tuple[str, str, str]]:
    nodes = []
    for name, (watched, written) in {"a": ("lamp1", "lamp2"), "b": ("lamp2", other)}.items():
        to = f"output>ask{name}.input" if ask else f"output>set{name}.trigger"
        nodes += [
            sensor(name, to, did=watched, preload=preload),
            node(f"set{name}", "deviceOutput", props={"did": written}),
        ]
        if ask:
            nodes.append(node(f"ask{name}", "deviceGet", f"output2>set{name}.trigger", props={"did": written}))
    return {each for each in found(rule(*nodes)) if each[0] in {"unconditional_mirror", "preload_conflict"}}


def test_two_devices_that_copy_each_other_must_ask_first_and_not_at_once() -> None:
    assert mirror(ask=False, preload=False) == {("unconditional_mirror", "warn", "a")}
    assert mirror(ask=True, preload=False) == set()
    assert mirror(ask=True, preload=True) == {("preload_conflict", "warn", "a")}
    assert mirror(ask=False, preload=False, other="lamp3") == set()


def copied(*, compare: bool, preload: bool = False) -> set[tuple[str, str, str]]:
    """Draw two lamps whose brightness is copied to each other through a variable."""
    nodes = []
    for name, watched, written in (("a", "lamp1", "lamp2"), ("b", "lamp2", "lamp1")):
        told = {"did": watched, "siid": 2, "piid": 2, "preload": preload}
        to = f"output>ask{name}.input" if compare else f"output>set{name}.trigger"
        nodes += [
            node(name, "deviceInputSetVar", to, props=told),
            node(f"ask{name}", "varGet", f"output>set{name}.trigger"),
            node(f"set{name}", "deviceOutput", props={"did": written, "piid": 2}),
        ]
    return {each for each in found(rule(*nodes)) if each[0] in {"unconditional_mirror", "preload_conflict"}}


def test_values_that_are_copied_both_ways_through_a_variable_are_a_mirror() -> None:
    assert copied(compare=False) == {("unconditional_mirror", "warn", "a")}
    assert copied(compare=True) == set()
    assert copied(compare=True, preload=True) == {("preload_conflict", "warn", "a")}


def test_cycles_of_a_graph() -> None:
    follows = {"a": ["b"], "b": ["c"], "c": ["a", "d"], "d": ["d"], "e": ["a"], "f": []}
    assert set(cycles(follows)) == {frozenset("abc"), frozenset("d")}


def test_a_chain_of_thousands_is_walked() -> None:
    names = [f"n{number}" for number in range(5_000)]
    follows = {name: [after] for name, after in zip(names, [*names[1:], names[0]], strict=True)}
    assert list(cycles(follows)) == [frozenset(names)]
