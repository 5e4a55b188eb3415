from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest
from tests.graphs.checks.structure_rules import (
    DUSK,
    HEARD,
    ID,
    NIGHT,
    SEVEN,
    VARIABLE,
    found,
    lit,
    node,
    rule,
)

from zhixing.graphs.catalogue import node_types
from zhixing.graphs.checks.finding import GRAPH, Finding, Level, Profile, known_codes
from zhixing.graphs.checks.structure import MOST_FINDINGS, check_structure
from zhixing.graphs.rule import Rule

ERROR, WARN, INFO = "error", "warn", "info"


def sensor(to: str = "output>out.trigger", **parts: Any) -> dict[str, Any]:
    return node("in1", "deviceInput", to, **parts)


def button(to: str = "output>out.trigger", **props: Any) -> dict[str, Any]:
    return node("key", "deviceInput", to) | {"props": {**HEARD, **props}}


def feeding(kind: str, pin: str = "input", **parts: Any) -> Rule:
    """Draw a rule whose card `it` is fed and lights a lamp."""
    given = node("it", kind, "output>out.trigger", **parts)
    return rule(*lit(sensor(f"output>it.{pin}"), given))


def starting(kind: str, **parts: Any) -> Rule:
    return rule(*lit(node("it", kind, "output>out.trigger", **parts)))


def lamp(**parts: Any) -> Rule:
    return rule(sensor("output>it.trigger"), node("it", "deviceOutput", **parts))


ENVELOPE = [
    (rule(sensor(), node("out", "deviceOutput"), node("out", "delay")), "duplicate_id", ERROR, "out"),
    (rule(node("a-1", "nop")), "invalid_id", ERROR, "a-1"),
    (rule(node("a_1", "nop")), "invalid_id", ERROR, "a_1"),
    (rule(node("a|1", "nop")), "invalid_id", ERROR, "a|1"),
    (rule(node("", "nop")), "invalid_id", ERROR, GRAPH),
    (rule(node("it", "nop", id=7)), "invalid_id", ERROR, GRAPH),
    (rule("no card"), "node_not_object", ERROR, GRAPH),
    (lamp(type=...), "missing_type", ERROR, "it"),
    (lamp(type=""), "missing_type", ERROR, "it"),
    (lamp(type="teleport"), "unknown_type", ERROR, "it"),
    (rule({**node("it", "nop"), "props": []}), "missing_props", ERROR, "it"),
    (lamp(inputs=None), "missing_inputs", ERROR, "it"),
    (lamp(outputs=[]), "missing_outputs", ERROR, "it"),
    (lamp(outputs={"output": "in1.x"}), "invalid_output", ERROR, "it"),
    (lamp(outputs={"output": ["in1"]}), "invalid_format", ERROR, "it"),
    (lamp(outputs={"output": ["a.b.c"]}), "invalid_format", ERROR, "it"),
    (lamp(outputs={"output": [".b"]}), "invalid_format", ERROR, "it"),
    (lamp(outputs={"output": [7]}), "invalid_format", ERROR, "it"),
    (lamp(cfg={"version": "1"}), "cfg_version_invalid", ERROR, "it"),
    (rule({**node("it", "nop"), "cfg": None}), "cfg_version_invalid", ERROR, "it"),
    (rule(nodes={}), "invalid_nodes", ERROR, GRAPH),
    (rule(), "empty_nodes", WARN, GRAPH),
    (rule(cfg={"id": "1764550800002", "enable": True}), "rule_id_mismatch", ERROR, GRAPH),
    (rule(cfg={"id": ID, "enable": 1}), "cfg_enable_not_bool", ERROR, GRAPH),
    (rule(cfg=...), "cfg_enable_not_bool", ERROR, GRAPH),
    (rule(id="graph_1764550800001"), "legacy_rule_id", WARN, GRAPH),
    (rule(id=...), "invalid_rule_id", ERROR, GRAPH),
]

PINS = [
    (starting("onLoad", inputs={"trigger": None}), "state_has_inputs", ERROR, "it"),
    (starting("deviceInput", inputs={"input": None}), "state_has_inputs", ERROR, "it"),
    (feeding("loop", "start", inputs={"start": None}), "loop_wrong_inputs", ERROR, "it"),
    (feeding("delay", "trigger", inputs={"trigger": None}), "delay_wrong_input", ERROR, "it"),
    (feeding("counter", inputs={"input": None}), "missing_input", ERROR, "it"),
    (feeding("signalOr", inputs={}), "missing_input", ERROR, "it"),
    (lamp(inputs={}), "device_output_missing_trigger", ERROR, "it"),
    (lamp(inputs={"input": None}), "device_output_wrong_input", ERROR, "it"),
    (lamp(inputs={"trigger": "in1.output"}), "device_output_trigger_not_null", ERROR, "it"),
    (feeding("signalOr", "input0", inputs={"input0": True}), "signal_input_not_null", ERROR, "it"),
    (feeding("logicAnd", "input0", inputs={"input0": 1}), "input_value_invalid", ERROR, "it"),
    (feeding("condition", "trigger", constants={"trigger": True}), "input_value_invalid", ERROR, "it"),
    (feeding("logicOr", "in0", inputs={"in0": None}), "invalid_indexed_input", ERROR, "it"),
    (feeding("signalOr", "input0", inputs={"input0": None, "inputx": None}), "invalid_indexed_input", ERROR, "it"),
    (feeding("signalOr", "input2", inputs={"input0": None, "input2": None}), "non_contiguous_inputs", WARN, "it"),
    (lamp(outputs={}), "missing_output", ERROR, "it"),
    (starting("alarmClock", outputs={}), "missing_output", ERROR, "it"),
    (feeding("condition", "trigger", outputs={"met": []}), "missing_output", ERROR, "it"),
    (feeding("varGet", outputs={"output": []}), "missing_output2", ERROR, "it"),
    (starting("timeRange", outputs={"output": [], "output2": []}), "tr_has_output2", ERROR, "it"),
    (feeding("delay", outputs={"output": [], "output2": []}), "source_port_not_declared_type", ERROR, "it"),
    (
        feeding("deviceGet", outputs={"output": [], "output2": [], "met": []}),
        "source_port_not_declared_type",
        ERROR,
        "it",
    ),
    (feeding("modeSwitch", outputs={"output0": [], "output2": []}), "mode_outputs_gap", ERROR, "it"),
    (feeding("modeSwitch", outputs={}), "missing_output", ERROR, "it"),
    (rule(node("it", "nop", inputs={"input": None})), "nop_has_inputs", ERROR, "it"),
    (starting("nop"), "nop_has_outputs", ERROR, "it"),
    (rule(node("it", "nop", cfg={"contents": {"ops": [{"insert": "\n"}]}})), "nop_empty", WARN, "it"),
    (rule(node("it", "nop", cfg={"contents": '{"ops":[{"insert":"\\n"}]}'})), "nop_empty", WARN, "it"),
]

PARAMETERS = [
    (lamp(props={"did": 7}), "invalid_did", ERROR, "it"),
    (lamp(props={"siid": "2"}), "invalid_siid", ERROR, "it"),
    (lamp(props={"siid": True}), "invalid_siid", ERROR, "it"),
    (lamp(props={"piid": 1.5}), "invalid_piid", ERROR, "it"),
    (starting("deviceInput", props={"piid": ..., "eiid": "1"}), "invalid_eiid", ERROR, "it"),
    (lamp(props={"piid": ..., "aiid": None}), "invalid_aiid", ERROR, "it"),
    (starting("deviceInput", props={"piid": ...}), "not_property_nor_event", ERROR, "it"),
    (starting("deviceInput", props={"eiid": 1}), "both_piid_and_eiid", WARN, "it"),
    (lamp(props={"piid": ...}), "no_piid_or_aiid", ERROR, "it"),
    (lamp(props={"value": ...}), "no_value_nor_scope", ERROR, "it"),
    (lamp(props={"piid": ..., "aiid": 1, "ins": [{"piid": 1}]}), "no_value_nor_scope", ERROR, "it"),
    (lamp(props={"piid": ..., "aiid": 1, "ins": {}}), "ins_not_array", ERROR, "it"),
    (lamp(props={"piid": ..., "aiid": 1, "ins": [1]}), "list_element_invalid", ERROR, "it"),
    (lamp(props={"value": ..., **VARIABLE, "dtype": "number"}), "invalid_range_fields", ERROR, "it"),
    (lamp(props={"value": ..., **VARIABLE, "dtype": "int"}), "invalid_dtype", ERROR, "it"),
    (lamp(props={"value": ..., "scope": "global", "dtype": "string"}), "variable_not_chosen", ERROR, "it"),
    (starting("deviceInput", props={"dtype": "bool"}), "invalid_dtype", ERROR, "it"),
    (starting("deviceInput", props={"dtype": ["int"]}), "invalid_dtype", ERROR, "it"),
    (starting("varChange", props={"varType": "boolean"}), "invalid_dtype", ERROR, "it"),
    (starting("deviceInputSetVar", props={"dtype": "float"}), "var_dtype", ERROR, "it"),
    (feeding("deviceGetSetVar", props={"dtype": "int"}), "var_dtype", ERROR, "it"),
    (feeding("deviceGetSetVar", props={"dtype": "uint8"}), "invalid_dtype", ERROR, "it"),
    (starting("deviceInput", props={"operator": ...}), "missing_operator", ERROR, "it"),
    (starting("deviceInput", props={"operator": "!="}), "operator_not_allowed", ERROR, "it"),
    (starting("deviceInput", props={"v1": 1}), "invalid_v1", ERROR, "it"),
    (starting("deviceInput", props={"dtype": "int", "operator": "include", "v1": 1}), "invalid_v1", ERROR, "it"),
    (feeding("varGet", props={"operator": "between"}), "invalid_v2", ERROR, "it"),
    (feeding("varGet", props={"operator": "include", "v1": [1]}), "operator_not_allowed", ERROR, "it"),
    (starting("deviceInput", props={"piid": ..., "eiid": 1, "arguments": {}}), "arguments_not_array", ERROR, "it"),
    (starting("deviceInputSetVar", props={"piid": ..., "eiid": 1}), "arguments_not_array", ERROR, "it"),
    (
        starting("deviceInput", props={"piid": ..., "eiid": 1, "arguments": [{"piid": 1, "dtype": "bool"}]}),
        "invalid_dtype",
        ERROR,
        "it",
    ),
    (starting("deviceInput", props={"preload": "yes"}), "invalid_preload", ERROR, "it"),
    (starting("varChange", props={"preload": ...}), "preload_required", ERROR, "it"),
    (starting("varChange", props={"preload": 0}), "preload_required", ERROR, "it"),
    (feeding("counter", props={"n": 0}), "invalid_n", ERROR, "it"),
    (feeding("onlyNTimes", props={"n": True}), "invalid_n", ERROR, "it"),
    (starting("alarmClock", props={"hour": 24}), "invalid_hour", ERROR, "it"),
    (starting("alarmClock", props={"minute": 60}), "invalid_minute", ERROR, "it"),
    (starting("timeRange", props={"end": {"hour": 6, "minute": 0}}), "invalid_second", ERROR, "it"),
    (starting("alarmClock", props={"type": "sunrise"}), "invalid_alarm_type", ERROR, "it"),
    (starting("alarmClock", props={**DUSK, "latitude": 91}), "invalid_latitude", ERROR, "it"),
    (starting("alarmClock", props={**DUSK, "longitude": None}), "invalid_longitude", ERROR, "it"),
    (starting("alarmClock", props={**DUSK, "isSunset": 1}), "invalid_is_sunset", ERROR, "it"),
    (starting("alarmClock", props={**DUSK, "offset": 0.5}), "invalid_offset", ERROR, "it"),
    (
        starting("alarmClock", props={**DUSK, "offset": -5}, cfg={"happenType": "after", "tempOffset": 5}),
        "offset_display_mismatch",
        WARN,
        "it",
    ),
    (starting("alarmClock", props={"filter": None}), "invalid_filter", ERROR, "it"),
    (starting("alarmClock", props={"filter": {"day": [1], "inHoliday": True}}), "double_filter", ERROR, "it"),
    (starting("timeRange", props={"filter": {"day": [7]}}), "invalid_filter_day", ERROR, "it"),
    (starting("timeRange", props={"filter": {"inHoliday": 1}}), "invalid_in_holiday", ERROR, "it"),
    (starting("alarmClock", props={"filter": {"day": []}}), "empty_day_filter", ERROR, "it"),
    (starting("timeRange", props={"end": NIGHT["start"]}), "time_range_zero_length", WARN, "it"),
    (feeding("delay", props={"timeout": "5"}), "invalid_timeout", ERROR, "it"),
    (feeding("loop", "start", props={"interval": 1.5}), "invalid_interval", ERROR, "it"),
    (feeding("delay", props={"timeout": 0}), "non_positive_duration", ERROR, "it"),
    (feeding("statusLast", props={"timeout": 0}), "status_last_invalid_timeout", ERROR, "it"),
    (feeding("statusLast", cfg={"value": 6}), "status_last_display_mismatch", WARN, "it"),
    (feeding("statusLast", cfg={"unit": None}), "status_last_missing_display", WARN, "it"),
    (feeding("delay", cfg={"unit": "min"}), "duration_display_mismatch", WARN, "it"),
    (feeding("varSetNumber", props={"elements": "1"}), "elements_not_array", ERROR, "it"),
    (feeding("varSetString", props={"elements": [{"type": "var", "id": "x"}]}), "element_invalid", ERROR, "it"),
    (
        feeding("varSetNumber", props={"elements": [{"type": "const", "value": "1 +"}]}),
        "expression_invalid",
        ERROR,
        "it",
    ),
    (feeding("varSetNumber", props={"elements": []}), "expression_invalid", ERROR, "it"),
    (
        feeding("varSetNumber", props={"elements": [{"type": "const", "value": "1,2"}]}),
        "expression_not_scalar",
        ERROR,
        "it",
    ),
    (
        feeding("varSetNumber", props={"elements": [{"type": "const", "value": "$ + 1"}]}),
        "dollar_literal_in_const",
        WARN,
        "it",
    ),
    (feeding("varGet", props={"id": ""}), "variable_not_chosen", ERROR, "it"),
    (feeding("varGet", props={"scope": "R1764550800002"}), "scope_foreign", ERROR, "it"),
    (
        feeding("varSetString", props={"elements": [{"type": "var", "scope": "R9", "id": "x"}]}),
        "scope_foreign",
        ERROR,
        "it",
    ),
    (feeding("varGet", props={"scope": "rule"}), "scope_placeholder", ERROR, "it"),
]

ORDER = node("it", "eventSequence", "output>out.trigger")
WIRES = [
    (rule(sensor("output>ghost.trigger")), "target_not_found", ERROR, "in1"),
    (rule(sensor("output>it.input"), node("it", "nop")), "nop_has_incoming", ERROR, "it"),
    (rule(sensor("output>it.input"), node("it", "onLoad")), "state_has_incoming", ERROR, "it"),
    (rule(sensor("output>it.input"), node("it", "deviceInput")), "state_has_incoming", ERROR, "it"),
    (
        rule(sensor("output>get.input"), node("get", "deviceGet", "output2>it.input"), node("it", "timeRange")),
        "output2_to_state",
        ERROR,
        "get",
    ),
    (rule(sensor("output>out.input"), node("out", "deviceOutput")), "target_port_not_found", ERROR, "in1"),
    (
        rule(sensor("output>out.input"), node("out", "deviceOutput", constants={"input": None})),
        "target_port_not_found",
        ERROR,
        "in1",
    ),
    (
        rule(*lit(button("output>it.input"), node("it", "statusLast", "output>out.trigger"))),
        "cross_color",
        ERROR,
        "key",
    ),
    (
        rule(*lit(node("clock", "alarmClock", "output>it.input0"), node("it", "logicOr", "output>out.trigger"))),
        "event_to_state_logic",
        ERROR,
        "clock",
    ),
    (rule(*lit(sensor(), button())), "fan_in", ERROR, "out"),
    (rule(*lit(sensor("output>out.trigger output>out.trigger"))), "duplicate_edge", ERROR, "in1"),
    (rule(sensor("output>it.start"), node("it", "loop", "output>it.stop")), "self_loop", WARN, "it"),
    (feeding("condition", "condition"), "cond_no_trigger", ERROR, "it"),
    (feeding("condition", "trigger"), "cond_no_condition", ERROR, "it"),
    (starting("statusLast"), "status_last_no_input", ERROR, "it"),
    (feeding("eventSequence", "input1"), "required_input_unwired", ERROR, "it"),
    (feeding("logicAnd", "input0"), "required_input_unwired", ERROR, "it"),
    (starting("logicOr"), "required_input_unwired", ERROR, "it"),
    (starting("register"), "required_input_unwired", ERROR, "it"),
    *(
        (starting(kind), "required_input_unwired", ERROR, "it")
        for kind in ("delay", "deviceGet", "deviceOutput", "varGet", "varSetNumber", "loop", "logicNot", "signalOr")
    ),
    (feeding("register", "setTrue"), "register_never_reset", WARN, "it"),
    (feeding("loop", "start"), "loop_never_stops", WARN, "it"),
    (feeding("onlyNTimes"), "only_n_never_reset", INFO, "it"),
    (rule(sensor(""), node("out", "deviceOutput")), "orphan_node", WARN, "in1"),
    (rule(sensor("output>it.input"), node("it", "logicNot")), "dead_end_logic", WARN, "it"),
    (starting("timeRange"), "time_range_event_start_only", INFO, "it"),
]


@pytest.mark.parametrize(("given", "code", "level", "where"), [*ENVELOPE, *PINS, *PARAMETERS, *WIRES])
def test_what_is_wrong_is_found_at_its_card(given: Rule, code: str, level: str, where: str) -> None:
    assert (code, level, where) in found(given)


@pytest.mark.parametrize("kind", sorted(set(node_types()) - {"nop", "condition", "modeSwitch"}))
def test_every_type_passes_when_it_is_drawn_and_wired_as_it_should_be(kind: str) -> None:
    known = node_types()[kind]
    it = node("it", kind, "output>out.trigger")
    sources = [
        node(f"in{number}", "deviceInput", f"output>it.{pin}", props={"did": f"d{number}"})
        for number, pin in enumerate(it["inputs"])
    ]
    assert known.takes_input == bool(sources)
    assert found(rule(*lit(*sources, it))) <= {("time_range_event_start_only", "info", "it")}


def test_a_rule_with_branches_modes_and_a_note_passes() -> None:
    given = rule(
        sensor("output>when.condition"),
        button("output>when.trigger"),
        node("when", "condition", "met>modes.input unmet>out.trigger"),
        node("modes", "modeSwitch", "output0>one.trigger"),
        node("one", "deviceOutput"),
        node("out", "deviceOutput"),
        node("note", "nop"),
        node("old", "nop", cfg={"contents": "旧便签"}, outputs={}),
    )
    assert found(given, Profile.STRICT) == set()


@pytest.mark.parametrize(
    "given",
    [
        pytest.param(
            rule(
                *lit(node("t", "timeRange", "output>it.input"), node("it", "statusLast", "output>out.trigger")),
            ),
            id="a time range may last",
        ),
        pytest.param(
            rule(
                *lit(
                    node("t", "timeRange", "output>it.input0"),
                    sensor("output>it.input1"),
                    node("it", "logicAnd", "output>out.trigger"),
                )
            ),
            id="logic over a time range may act",
        ),
        pytest.param(
            rule(
                *lit(
                    sensor("output>it.input0"),
                    node("v", "varChange", "output>it.input1"),
                    node("it", "logicOr", "output>out.trigger"),
                )
            ),
            id="a watched property and a variable are states, too",
        ),
        pytest.param(
            rule(
                *lit(
                    button("output>when.trigger"),
                    node("when", "condition", "met>out.trigger", constants={"condition": True}),
                )
            ),
            id="a condition may be a constant",
        ),
        pytest.param(
            lamp(props={"piid": ..., "aiid": 3, "ins": [{"piid": 1, "value": 1}]}), id="an action takes single values"
        ),
        pytest.param(
            lamp(props={"value": ..., **VARIABLE, "dtype": "number", "min": 0, "max": 100, "step": 1}),
            id="a number variable may set a volume",
        ),
        pytest.param(
            starting("deviceInput", props={"piid": ..., "eiid": 1, "arguments": [{"piid": 1, "dtype": "int"}]}),
            id="an event argument without an operator matches any",
        ),
        pytest.param(
            feeding("varGet", props={"scope": f"R{ID}"}),
            id="a rule has variables of its own",
        ),
    ],
)
def test_what_published_validators_refuse_and_the_editor_allows_is_no_error(given: Rule) -> None:
    assert [each for each in check_structure(given) if each.level is Level.ERROR] == []


def test_a_float_cannot_be_compared_for_equality() -> None:
    given = starting("deviceInput", props={"dtype": "float", "operator": "=", "v1": 1.5})
    assert ("operator_not_allowed", ERROR, "it") in found(given)


@pytest.mark.parametrize(
    ("to", "refused"),
    [
        ("output>when.condition", set()),
        ("output>and.input0", set()),
        ("output>not.input", set()),
        ("output>out.trigger", {"t"}),
        ("output>last.input", {"t"}),
        ("output>lone.input", {"t"}),
        ("output>round.input0", {"t"}),
        ("output>and.input7", {"t"}),
    ],
)
def test_the_strict_profile_wants_a_time_range_to_be_asked_by_a_condition(to: str, refused: set[str]) -> None:
    given = rule(
        node("t", "timeRange", to),
        node("not", "logicNot", "output>and.input1"),
        node("and", "logicAnd", "output>when.condition"),
        node("round", "logicOr", "output>round.input1"),
        node("lone", "logicNot", "output>out.trigger"),
        node("last", "statusLast"),
        node("when", "condition", "met>out.trigger"),
        node("out", "deviceOutput"),
    )
    assert {where for code, _, where in found(given, Profile.STRICT) if code == "tr_wrong_target"} == refused
    assert "tr_wrong_target" not in {code for code, _, _ in found(given)}


def test_an_underscore_that_the_gateway_already_holds_is_a_warning() -> None:
    given = rule(node("a_1", "nop"))
    levels = {each.code: each.level for each in check_structure(given, legacy={"a_1"})}
    assert levels["invalid_id"] is Level.WARN


def test_nothing_more_is_said_of_a_card_without_a_type() -> None:
    assert {code for code, _, where in found(lamp(type=..., inputs={}, outputs={})) if where == "it"} == {
        "missing_type"
    }


FIXES = [
    (lamp(inputs={}), "device_output_missing_trigger", {("inputs", "trigger"): None}),
    (lamp(outputs={"output": "in1.x"}), "invalid_output", {("outputs", "output"): ["in1.x"]}),
    (starting("deviceInput", props={"dtype": "bool"}), "invalid_dtype", {("props", "dtype"): "boolean"}),
    (
        starting("deviceInput", props={"operator": "!=", "v1": True}),
        "operator_not_allowed",
        {("props", "operator"): "=", ("props", "v1"): False},
    ),
    (
        starting("deviceInput", props={"dtype": "int", "operator": "include", "v1": 3}),
        "invalid_v1",
        {("props", "v1"): [3]},
    ),
    (starting("deviceInputSetVar", props={"dtype": "float"}), "var_dtype", {("props", "dtype"): "number"}),
    (
        feeding("delay", props={"timeout": 120_000}),
        "duration_display_mismatch",
        {("cfg", "unit"): "min", ("cfg", "value"): 2},
    ),
    (
        rule(*lit(sensor("output>out.trigger output>out.trigger"))),
        "duplicate_edge",
        {("outputs", "output"): ["out.trigger"]},
    ),
    (
        feeding("varSetNumber", props={"elements": [{"type": "const", "value": "$ + 1"}]}),
        "dollar_literal_in_const",
        {("props", "elements"): [{"type": "var", **VARIABLE}, {"type": "const", "value": " + 1"}]},
    ),
    (feeding("varGet", props={"scope": "rule"}), "scope_placeholder", {("props", "scope"): f"R{ID}"}),
    (feeding("varGet", props={"scope": "R9"}), "scope_foreign", {}),
]


@pytest.mark.parametrize(("given", "code", "changes"), FIXES)
def test_what_is_certain_comes_with_its_repair(given: Rule, code: str, changes: dict[Any, Any]) -> None:
    finding = next(each for each in check_structure(given) if each.code == code)
    assert {fix.path: fix.value for fix in finding.fixes} == changes


def repaired(given: Rule, finding: Finding) -> Rule:
    raw: Any = deepcopy(given.raw)
    for fix in finding.fixes:
        at: Any = next(each for each in raw["nodes"] if each["id"] == finding.node)
        for step in fix.path[:-1]:
            at = at[int(step)] if isinstance(at, list) else at[step]
        at[fix.path[-1]] = fix.value
    return Rule.of(raw)


@pytest.mark.parametrize("given", [case[0] for case in (*ENVELOPE, *PINS, *PARAMETERS, *WIRES)])
def test_a_repair_settles_its_finding(given: Rule) -> None:
    for finding in check_structure(given):
        if finding.fixes:
            after = check_structure(repaired(given, finding))
            assert (finding.code, finding.text()) not in {(each.code, each.text()) for each in after}


def test_a_message_names_the_card_the_pin_and_the_value_as_they_stand() -> None:
    given = rule(*lit(node("it", "alarmClock", "output>out.trigger", props={**SEVEN, "hour": "7"})))
    messages = {each.code: each.text() for each in check_structure(given)}
    assert messages["invalid_hour"] == '「定时触发」（it）：props.hour 要是 0 到 23 的整数，现在是 "7"'


def test_a_card_is_called_by_its_own_name() -> None:
    given = rule(node("it", "delay", cfg={"name": "等一会儿"}))
    (unwired,) = [each for each in check_structure(given) if each.code == "required_input_unwired"]
    assert unwired.text() == "「等一会儿」（it）：输入口 input 没有连线，不会执行"
    assert unwired.text("en") == "等一会儿 (it): nothing is wired to input, so it does nothing"


def test_every_code_has_its_words() -> None:
    assert {code for _, code, _, _ in (*ENVELOPE, *PINS, *PARAMETERS, *WIRES)} <= known_codes()


def test_many_findings_are_cut_and_errors_go_first() -> None:
    given = rule(*(node(f"n{number}", "nop", cfg={"contents": ""}) for number in range(MOST_FINDINGS)), "no card")
    findings = check_structure(given)
    assert len(findings) == MOST_FINDINGS + 1
    assert findings[0].code == "node_not_object"
    assert findings[-1].code == "more_findings"
