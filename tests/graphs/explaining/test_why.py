"""Why a card fired, and every reason why one did not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import pytest
from tests.graphs.explaining.stories import alarm, force, hours, number, script_of
from tests.graphs.simulating.small import (
    LAMP,
    REMOTE,
    SENSOR,
    button,
    lamp,
    node,
    press,
    ran,
    rule_of,
    says,
    sensor,
    sets,
)

from zhixing.graphs.explaining.why import MOST_REASONS, why
from zhixing.graphs.simulating.machine import Machine
from zhixing.graphs.simulating.memory import recall, remembered
from zhixing.graphs.simulating.result import Diagnostic
from zhixing.graphs.simulating.run import result_of, simulate
from zhixing.graphs.simulating.world import World
from zhixing.kernel.errors import BadInput
from zhixing.kernel.wording import section

Cards = list[dict[str, Any]]

OFF, ON = {"disable": True}, {"enable": True}


@dataclass(frozen=True)
class Case:
    """A card that does not fire: the reason at `place`, 0 for the nearest, is about `node` and decided at `at_ms`."""

    cards: Cards
    lines: list[dict[str, Any]]
    node: str
    at_ms: int | None
    asked: str = "out"
    setup: Mapping[str, Any] | None = None
    question: Mapping[str, Any] | None = None
    enable: bool = True
    place: int = 0


def source(ends: str) -> dict[str, Any]:
    return button("in", 1, ends)


def wet(ends: str, **more: Any) -> dict[str, Any]:
    return sensor("in", ends, **{"dtype": "int", "operator": ">=", "v1": 50, "preload": False} | more)


def through(kind: str, pin: str, out: str = "output", **props: Any) -> Cards:
    return [source(f"it.{pin}"), node("it", kind, props, **{out: "out.trigger"}), lamp()]


def met(*more: dict[str, Any], inputs: dict[str, Any] | None = None) -> Cards:
    gate = node("it", "condition", inputs=inputs or {}, met="out.trigger", unmet="")
    return [source("it.trigger"), *more, gate, lamp()]


def query(**props: Any) -> Cards:
    about = {"did": SENSOR, "siid": 2, "piid": 1, "dtype": "int", "operator": ">=", "v1": 50}
    return [source("it.input"), node("it", "deviceGet", about | props, output="out.trigger", output2=""), lamp()]


def dimmed(**props: Any) -> dict[str, Any]:
    about = {"did": LAMP, "siid": 2, "piid": 2, "scope": "global", "id": "x", "dtype": "number"}
    return node("out", "deviceOutput", {**about, "min": 1, "max": 100, "step": 1, **props}, output="")


TWO = node("it", "eventSequence", {"timeout": 2000}, output="out.trigger")
PAIR = [button("in", 1, "it.input1"), button("on", 2, "it.input2"), TWO, lamp()]
LATCH = [
    button("in", 1, "it.setTrue"),
    button("off", 2, "it.setFalse"),
    node("it", "register", output="out.trigger"),
    lamp(),
]
ROUND = [
    button("in", 1, "it.start"),
    button("off", 2, "it.stop"),
    node("it", "loop", {"interval": 5000}, output="out.trigger"),
    lamp(),
]
LAST = [sensor("in", "it.input"), node("it", "statusLast", {"timeout": 5000}, output="out.trigger"), lamp()]
BOTH = [
    sensor("in", "it.input0"),
    sensor("on", "it.input1", piid=2),
    node("it", "logicAnd", inputs={"input0": None, "input1": None}, output="out.trigger"),
    lamp(),
]
NOT = [sensor("in", "it.input"), node("it", "logicNot", inputs={"input": None}, output="out.trigger"), lamp()]
RING = [
    source("a.input0"),
    node("a", "signalOr", inputs={"input0": None, "input1": None}, output="b.input0 out.trigger"),
    node("b", "signalOr", inputs={"input0": None}, output="a.input1"),
    lamp(),
]
HOLIDAY = {"filter": {"inHoliday": True}}

CASES: Mapping[str, Case] = {
    # sources
    "no_report": Case([wet("out.trigger"), lamp()], [says(1000, 60, piid=2)], "in", None),
    "no_event": Case([source("out.trigger"), lamp()], [press(1000, key=2)], "in", None),
    "no_write": Case(
        [number("varChange", "out.trigger"), lamp()],
        [sets(1000, "y", 5)],
        "it",
        None,
        setup={"variables": {"global.x": 0, "global.y": 0}},
    ),
    "arguments_differ": Case(
        [
            node(
                "in",
                "deviceInput",
                {
                    "did": REMOTE,
                    "siid": 3,
                    "eiid": 1,
                    "arguments": [{"piid": 1, "dtype": "int", "operator": "=", "v1": 2}],
                },
                output="out.trigger",
            ),
            lamp(),
        ],
        [press(1000, p1=1)],
        "in",
        1000,
    ),
    "predicate_false": Case([wet("out.trigger"), lamp()], [says(1000, 20), says(2000, 49)], "in", 2000),
    "already_true": Case(
        [wet("out.trigger"), lamp()], [says(1000, 60), says(2000, 70)], "in", 2000, question={"after_ms": 1500}
    ),
    "rule_off_then": Case([wet("out.trigger"), lamp()], [{"at_ms": 0, **OFF}, says(1000, 60)], "in", 1000),
    "rule_off": Case([wet("out.trigger"), lamp()], [says(1000, 60)], "", None, enable=False),
    "alarm_waits": Case([alarm("out.trigger"), lamp()], [press(1000)], "it", None),
    "never_rings": Case([alarm("out.trigger", filter={"day": []}), lamp()], [], "it", None),
    "calendar_unknown": Case(
        [alarm("out.trigger", **HOLIDAY), lamp()], [], "it", None, setup={"start": "2999-01-01T08:00:00+08:00"}
    ),
    "window_open": Case([hours("out.trigger", 7, 9), lamp()], [], "it", 0),
    "window_closed": Case([hours("out.trigger", 10, 11), lamp()], [], "it", 0),
    "onload_once": Case(
        [node("it", "onLoad", output="out.trigger"), lamp()], [press(1000)], "it", 0, question={"after_ms": 500}
    ),
    "onload_saved": Case(
        [node("it", "onLoad", output="out.trigger"), lamp()],
        [],
        "it",
        None,
        setup={"options": {"onload_on_save": False}},
    ),
    # what goes wrong
    "variable_missing": Case([number("varChange", "out.trigger"), lamp()], [], "it", 0),
    "variable_kind": Case(
        [source("out.trigger"), dimmed()], [press(1000)], "out", 1000, setup={"variables": {"global.x": "a"}}
    ),
    "out_of_range": Case(
        [source("out.trigger"), dimmed()], [press(1000)], "out", 1000, setup={"variables": {"global.x": 500}}
    ),
    "prop_missing": Case([source("out.trigger"), dimmed(scope="")], [press(1000)], "out", 1000),
    "value_unknown": Case(query(), [press(1000)], "it", 1000, setup={"options": {"deviceget_unknown": "none"}}),
    "expression_failed": Case(
        [
            source("it.input"),
            node(
                "it",
                "varSetNumber",
                {"scope": "global", "id": "x", "elements": [{"type": "const", "value": "1/0"}]},
                output="out.trigger",
            ),
            lamp(),
        ],
        [press(1000)],
        "it",
        1000,
        setup={"variables": {"global.x": 0}},
    ),
    # queries and conditions
    "query_false": Case(query(), [says(500, 20), press(1000)], "it", 1000),
    "query_true": Case(query(), [says(500, 70), press(1000)], "it", 1000, asked="it", question={"pin": "output2"}),
    "stale_value": Case(
        [
            source("w.trigger it.input"),
            node("w", "deviceOutput", {"did": SENSOR, "siid": 2, "piid": 1, "value": 80}, output=""),
            *query()[1:],
        ],
        [press(1000)],
        "it",
        1000,
        setup={"state": {SENSOR: {"2.1": 20}}, "options": {"property_staleness_ms": 12000}},
    ),
    "condition_false": Case(met(sensor("on", "it.condition")), [says(500, False), press(1000)], "it", 1000),
    "condition_late": Case(met(sensor("on", "it.condition")), [press(1000), says(1500, True)], "it", 1000),
    "condition_unknown": Case(met(sensor("on", "it.condition", preload=False)), [press(1000)], "it", 1000),
    "condition_unwired": Case(met(), [press(1000)], "it", 1000),
    "condition_constant": Case(met(inputs={"condition": False}), [press(1000)], "it", 1000),
    "condition_true": Case(
        met(sensor("on", "it.condition")),
        [says(500, True), press(1000)],
        "it",
        1000,
        asked="it",
        question={"pin": "unmet"},
    ),
    # counts and turns
    "only_n_spent": Case(
        through("onlyNTimes", "input", n=1), [press(1000), press(2000)], "it", 2000, question={"after_ms": 1500}
    ),
    "counter_short": Case(through("counter", "input", n=3), [press(1000), press(2000)], "it", 2000),
    "counter_zeroed": Case(
        [button("off", 2, "it.zero"), *through("counter", "input", n=2)], [press(1000), press(2000, key=2)], "it", 2000
    ),
    "counter_held": Case(
        through("counter", "input", n=1), [press(1000), press(2000)], "it", 2000, question={"after_ms": 1500}
    ),
    "mode_turn": Case(
        [source("it.input"), node("it", "modeSwitch", output0="", output1="out.trigger"), lamp()],
        [press(1000)],
        "it",
        1000,
    ),
    "register_held": Case(LATCH, [press(1000), press(2000)], "it", 2000, question={"after_ms": 1500}),
    "register_cleared": Case(
        [
            *LATCH[:2],
            node("it", "register", output="gate.condition"),
            button("go", 3, "gate.trigger"),
            node("gate", "condition", met="out.trigger", unmet=""),
            lamp(),
        ],
        [press(1000), press(2000, key=2), press(3000, key=3)],
        "it",
        2000,
        place=1,
    ),
    # waits
    "delay_running": Case(through("delay", "input", timeout=5000), [press(1000), press(2000)], "it", 2000),
    "rule_off_after": Case(through("delay", "input", timeout=5000), [press(1000), {"at_ms": 2000, **OFF}], "it", 2000),
    "sequence_first_missing": Case(PAIR, [press(1000, key=2)], "it", 1000),
    "sequence_second_missing": Case(PAIR, [press(1000)], "it", 1000),
    "sequence_order": Case(PAIR, [press(1000, key=2), press(1500)], "it", 1000),
    "sequence_late": Case(PAIR, [press(1000), press(4000, key=2)], "it", 4000),
    "loop_never_started": Case(ROUND, [press(1000, key=2)], "it", 1000),
    "loop_waiting": Case(ROUND, [press(1000)], "it", 1000),
    "loop_stopped": Case(ROUND, [press(1000), press(2000, key=2)], "it", 2000),
    "status_false": Case(LAST, [says(1000, False)], "it", 0),
    "status_unknown": Case([sensor("in", "it.input", preload=False), *LAST[1:]], [], "it", None),
    "status_running": Case(LAST, [says(1000, True)], "it", 1000, setup={"until_ms": 3000}),
    "status_broken": Case(LAST, [says(1000, True), says(4000, False)], "it", 4000, setup={"until_ms": 9000}),
    "status_held": Case(LAST, [says(1000, True)], "it", 6000, setup={"until_ms": 9000}, question={"after_ms": 7000}),
    # logic
    "logic_false": Case(BOTH, [says(1000, True)], "it", 1000),
    "logic_held": Case(
        [*BOTH[:2], node("it", "logicOr", inputs={"input0": None, "input1": None}, output="out.trigger"), lamp()],
        [says(1000, True), says(2000, True, piid=2)],
        "it",
        1000,
        question={"after_ms": 1500},
    ),
    "not_true": Case(NOT, [says(2000, True)], "it", 2000, question={"after_ms": 1000}),
    # the rule itself
    "unwired": Case([node("it", "delay", {"timeout": 1}, output="out.trigger"), lamp()], [], "it", None),
    "wire_dead": Case([node("it", "condition", met="", unmet="", output="out.trigger"), lamp()], [], "out", None),
    "node_left_out": Case(
        [source("it.input"), node("it", "delay", {}, output="out.trigger"), lamp()], [press(1)], "it", None
    ),
    "note_card": Case([node("it", "nop")], [], "it", None, asked="it"),
    "event_storm": Case(RING, [press(1000)], "out", 1000, setup={"options": {"max_steps_per_instant": 3}}),
    "circle": Case(
        [
            node("a", "signalOr", inputs={"input0": None}, output="b.input0"),
            node("b", "signalOr", inputs={"input0": None}, output="a.input0 out.trigger"),
            lamp(),
        ],
        [],
        "out",
        None,
    ),
}
CUT = frozenset({"steps_spent", "run_cut"})
"""Reasons that only a run beyond all bounds gives; see `test_a_run_that_was_cut_says_so`."""
PARTS = frozenset({"fired", "not_fired", "not_again", "cut", "pulse", "true", "false"})


@pytest.mark.parametrize("code", CASES)
def test_the_nearest_reason_tells_why_a_card_did_not_fire(code: str) -> None:
    case = CASES[code]
    rule = rule_of(*case.cards, enable=case.enable)
    found = why(rule, ran(rule, *case.lines, **(case.setup or {})), case.asked, **(case.question or {}))
    assert found.firings == 0
    reason = found.reasons[case.place]
    assert (reason.code, reason.node, reason.at_ms) == (code, case.node, case.at_ms)
    for language in ("zh", "en"):
        for line in found.lines(language):
            assert "{" not in line
            assert "None" not in line


def test_every_reason_has_a_case() -> None:
    codes = {name for name in section("graph_why", "zh") if not name.startswith(("step_", "event_"))} | {"event_storm"}
    assert codes - PARTS - CUT == set(CASES)


def test_a_run_that_was_cut_says_so() -> None:
    rule = rule_of(source("out.trigger"), lamp())
    whole = ran(rule, press(1000))
    left = next(index for index, moment in enumerate(whole.moments) if moment.kind == "carried")
    cut = replace(whole, moments=whole.moments[:left])
    spent = replace(cut, diagnostics=(Diagnostic("steps_spent", 1000, values={"limit": 200_000}),))
    assert [why(rule, each, "out").reason.code for each in (cut, spent)] == ["run_cut", "steps_spent"]  # type: ignore[union-attr]


def test_the_way_to_a_firing_leads_from_the_event_over_wires_and_timers() -> None:
    rule = rule_of(
        source("it.trigger"),
        sensor("on", "it.condition"),
        node("it", "condition", met="wait.input", unmet=""),
        node("wait", "delay", {"timeout": 5000}, output="out.trigger"),
        lamp(),
    )
    found = why(rule, ran(rule, says(500, True), press(1000), until_ms=9000), "out")
    assert [(step.at_ms, step.kind, step.node, step.pin, step.source) for step in found.steps] == [
        (1000, "heard", "in", "", ""),
        (1000, "carried", "it", "trigger", "in.output"),
        (1000, "carried", "wait", "input", "it.met"),
        (6000, "due", "wait", "delay", ""),
        (6000, "carried", "out", "trigger", "wait.output"),
        (6000, "pulsed", "out", "output", ""),
    ]
    assert found.steps[0].text() == "1 秒：「设备触发」（in）收到：remote 3.1 的事件"
    assert found.steps[4].text("en").endswith("which said [true]")


def test_a_press_that_was_only_heard_again_is_told_as_such() -> None:
    rule = rule_of(source("out.trigger"), lamp())
    found = why(rule, ran(rule, press(1000), {"at_ms": 9000, "reconnect": "remote"}), "out", firing=2)
    assert [step.text() for step in found.steps[:2]] == [
        "9 秒：remote 重新连上，最后一次事件可能再来一遍",
        "9 秒：「设备触发」（in）收到：remote 3.1 的事件",
    ]
    dropped = ran(rule, press(1000), {"at_ms": 9000, "reconnect": "remote"}, options={"replayed_events": "drop"})
    assert why(rule, dropped, "out").firings == 1


def test_each_firing_can_be_asked_about() -> None:
    rule = rule_of(source("out.trigger"), lamp())
    result = ran(rule, press(1000), press(3000))
    first, last = why(rule, result, "out", firing=1), why(rule, result, "out")
    assert (first.firing, first.steps[0].at_ms) == (1, 1000)
    assert (last.firing, last.firings, last.steps[0].at_ms) == (2, 2, 3000)


def test_a_state_that_rises_is_on_the_way() -> None:
    rule = rule_of(*LAST)
    found = why(rule, ran(rule, says(1000, True), until_ms=9000), "out")
    assert [(step.kind, step.at_ms, step.value) for step in found.steps[:3]] == [
        ("heard", 1000, found.steps[0].value),
        ("carried", 1000, True),
        ("due", 6000, None),
    ]


def test_what_a_rule_sets_itself_is_on_the_way_of_its_watcher() -> None:
    rule = rule_of(
        source("set.input"),
        node(
            "set",
            "varSetNumber",
            {"scope": "global", "id": "x", "elements": [{"type": "const", "value": "7"}]},
            output="",
        ),
        number("varChange", "out.trigger"),
        lamp(),
    )
    found = why(rule, ran(rule, press(1000), variables={"global.x": 0}), "out")
    assert [(step.kind, step.node) for step in found.steps] == [
        ("heard", "in"),
        ("carried", "set"),
        ("heard", "it"),
        ("carried", "out"),
        ("pulsed", "out"),
    ]


def test_the_rounds_of_a_loop_are_one_step_that_tells_when_it_was_started() -> None:
    rule = rule_of(*ROUND)
    found = why(rule, ran(rule, press(1000), until_ms=21_500), "out")
    assert [step.kind for step in found.steps] == ["heard", "carried", "due", "carried", "pulsed"]
    assert found.steps[2].text() == "21 秒：「循环」（it）的计时到了（1 秒开始）"


def test_a_card_that_fired_tells_what_stopped_it_from_firing_again() -> None:
    rule = rule_of(*through("onlyNTimes", "input", n=1))
    found = why(rule, ran(rule, press(1000), press(2000)), "it")
    assert found.firing == 1
    assert [each.code for each in found.reasons] == ["only_n_spent"]
    assert "之后没有再触发：" in found.lines()


def test_a_card_whose_source_went_back_has_nothing_to_add() -> None:
    rule = rule_of(wet("out.trigger"), lamp())
    assert why(rule, ran(rule, says(1000, 60), says(2000, 20)), "in").reasons == ()


def test_reasons_go_on_upstream_with_the_nearest_first() -> None:
    rule = rule_of(*met(sensor("on", "it.condition", preload=False)))
    found = why(rule, ran(rule, press(1000)), "out")
    assert [(each.code, each.node) for each in found.reasons] == [("condition_unknown", "it"), ("no_report", "on")]


def test_every_wire_into_a_card_is_asked() -> None:
    sources = [button(f"k{key}", key, "out.trigger") for key in range(1, 5)]
    rule = rule_of(*sources, lamp())
    found = why(rule, ran(rule, press(1000, key=9)), "out")
    assert [each.node for each in found.reasons] == ["k1", "k2", "k3", "k4"]


def test_a_forced_output_is_where_the_way_starts() -> None:
    rule = rule_of(*through("delay", "input", timeout=1000))
    found = why(rule, ran(rule, force(2000, "it")), "out")
    assert [(step.kind, step.at_ms) for step in found.steps] == [
        ("happened", 2000),
        ("carried", 2000),
        ("pulsed", 2000),
    ]
    assert found.steps[0].text() == "2 秒：强制 it.output 输出 null"


def test_a_rule_that_goes_on_from_its_memory_counts_as_on() -> None:
    rule = rule_of(*through("delay", "input", timeout=5000))
    first = Machine(rule, World(script_of()))
    first.save()
    first.take(1000, script_of(press(1000)).lines[0].event)
    later = Machine(rule, World(script_of()))
    recall(later, remembered(first))
    later.advance(7000)
    assert [step.kind for step in why(rule, result_of(later), "out").steps] == ["due", "carried", "pulsed"]
    assert why(rule, result_of(later), "in").reason.code == "no_event"  # type: ignore[union-attr]


def test_a_long_way_keeps_its_last_steps_and_says_so() -> None:
    gates = [node(f"n{n}", "signalOr", inputs={"input0": None}, output=f"n{n + 1}.input0") for n in range(1100)]
    rule = rule_of(button("in", 1, "n0.input0"), *gates, node("n1100", "signalOr", inputs={"input0": None}, output=""))
    found = why(rule, ran(rule, press(1000)), "n1100")
    assert (len(found.steps), found.cut) == (1000, True)
    assert found.steps[-1].kind == "pulsed"


def test_a_long_chain_that_never_started_is_walked_to_its_source() -> None:
    gates = [node(f"n{n}", "signalOr", inputs={"input0": None}, output=f"n{n + 1}.input0") for n in range(500)]
    rule = rule_of(button("in", 1, "n0.input0"), *gates, node("n500", "signalOr", inputs={"input0": None}, output=""))
    assert why(rule, ran(rule), "n500").reason.code == "no_event"  # type: ignore[union-attr]


def test_there_are_at_most_so_many_reasons() -> None:
    sources = [button(f"k{key}", key, "out.trigger") for key in range(1, 80)]
    rule = rule_of(*sources, lamp())
    assert len(why(rule, ran(rule), "out").reasons) == MOST_REASONS


@pytest.mark.parametrize(
    ("asked", "question", "key"),
    [
        ("gone", {}, "explain_node"),
        ("out", {"pin": "output7"}, "explain_pin"),
        ("out", {"firing": 2}, "explain_firing"),
        ("out", {"firing": 0}, "explain_firing"),
    ],
)
def test_what_there_is_not_is_refused_in_one_line(asked: str, question: dict[str, Any], key: str) -> None:
    rule = rule_of(source("out.trigger"), lamp())
    result = simulate(rule, script_of(press(1000)))
    with pytest.raises(BadInput) as caught:
        why(rule, result, asked, **question)
    assert caught.value.key == key
    assert "\n" not in str(caught.value)
