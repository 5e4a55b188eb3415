"""The catalogue says of every type what the table of the vendor says (mijia §1.3, §1.4)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from zhixing.graphs.catalogue import (
    Colour,
    Group,
    Kind,
    allowed_operators,
    inputs_of,
    kinds_of,
    node_type,
    node_types,
    operand,
    operators,
    outputs_of,
    props_of,
    unit_ms,
    v1_fits,
    v2_fits,
    variant_of,
)
from zhixing.graphs.reading import read_rule
from zhixing.graphs.rule import Node
from zhixing.kernel.wording import LANGUAGES, section

SAMPLES = sorted((Path(__file__).parent / "samples").glob("*.json"))


def node(kind: str, props: dict[str, Any] | None = None, **parts: Any) -> Node:
    return Node.of({"id": "n1", "type": kind, "props": props or {}, "inputs": {}, "outputs": {}, "cfg": {}, **parts})


PINS = {
    "deviceInput": ("", "output:B"),
    "deviceGet": ("input:E", "output:E output2:E"),
    "deviceOutput": ("trigger:E", "output:E"),
    "deviceInputSetVar": ("", "output:E"),
    "deviceGetSetVar": ("input:E", "output:E"),
    "alarmClock": ("", "output:E"),
    "timeRange": ("", "output:B"),
    "delay": ("input:E", "output:E"),
    "statusLast": ("input:S", "output:B"),
    "eventSequence": ("input1:E input2:E", "output:E"),
    "condition": ("trigger:E condition:S", "met:E unmet:E"),
    "loop": ("start:E stop:E", "output:E"),
    "onlyNTimes": ("input:E zero:E", "output:E"),
    "counter": ("input:E zero:E", "output:B"),
    "modeSwitch": ("input:E", ""),
    "signalOr": ("", "output:E"),
    "logicOr": ("", "output:B"),
    "logicAnd": ("", "output:B"),
    "logicNot": ("input:S", "output:B"),
    "register": ("setTrue:E setFalse:E", "output:B"),
    "onLoad": ("", "output:E"),
    "nop": ("", ""),
    "varChange": ("", "output:B"),
    "varGet": ("input:E", "output:E output2:E"),
    "varSetNumber": ("input:E", "output:E"),
    "varSetString": ("input:E", "output:E"),
}


def pins(text: str) -> dict[str, Colour]:
    return {name: Colour(colour) for name, _, colour in (each.partition(":") for each in text.split())}


def test_there_are_twenty_five_types_and_the_note() -> None:
    assert set(node_types()) == set(PINS)
    assert len(PINS) == 26


@pytest.mark.parametrize("kind", PINS)
def test_a_type_has_the_pins_of_the_table(kind: str) -> None:
    inputs, outputs = PINS[kind]
    assert inputs_of(node(kind)) == pins(inputs)
    assert outputs_of(node(kind)) == pins(outputs)


@pytest.mark.parametrize(
    ("source", "target", "works"),
    [("E", "E", True), ("E", "S", False), ("S", "S", True), ("S", "E", False), ("B", "E", True), ("B", "S", True)],
)
def test_a_wire_works_when_the_source_sends_what_the_target_takes(source: str, target: str, *, works: bool) -> None:
    assert Colour(source).reaches(Colour(target)) is works


@pytest.mark.parametrize(
    ("kind", "declared", "known"),
    [
        ("signalOr", "input0 input1 input2", "input0:E input1:E input2:E"),
        ("logicAnd", "input0 input7", "input0:S input7:S"),
        ("logicOr", "input a input1.5 inputx Input0 input-1 input3", "input3:S"),
    ],
)
def test_numbered_inputs_are_those_a_node_declares(kind: str, declared: str, known: str) -> None:
    assert inputs_of(node(kind, inputs=dict.fromkeys(declared.split()))) == pins(known)


def test_a_mode_switch_has_the_outputs_it_declares() -> None:
    switch = node("modeSwitch", outputs={"output0": [], "output1": [], "output": [], "met": []})
    assert outputs_of(switch) == pins("output0:E output1:E")


@pytest.mark.parametrize(
    ("kind", "props", "variant"),
    [
        ("deviceInput", {"piid": 1}, "property"),
        ("deviceInput", {"eiid": 1}, "event"),
        ("deviceInput", {"eiid": 1, "piid": 1}, "property"),
        ("deviceInput", {}, None),
        ("deviceOutput", {"piid": 1, "value": None}, "property"),
        ("deviceOutput", {"piid": 1, "scope": "global"}, "variable"),
        ("deviceOutput", {"aiid": 1}, "action"),
        ("deviceOutput", {"piid": 1}, None),
        ("deviceInputSetVar", {"piid": 1}, "property"),
        ("deviceInputSetVar", {"eiid": 1}, "event"),
        ("alarmClock", {"type": "periodicAlarm"}, "periodic"),
        ("alarmClock", {"type": "sunset"}, "sun"),
        ("alarmClock", {"type": ["sunset"]}, None),
        ("delay", {}, None),
        ("cameraWatch", {}, None),
    ],
)
def test_the_props_tell_the_variant(kind: str, props: dict[str, Any], variant: str | None) -> None:
    found = variant_of(node(kind, props))
    assert (found and found.name) == variant


def test_a_device_event_is_no_state() -> None:
    assert outputs_of(node("deviceInput", {"eiid": 1})) == pins("output:E")


OUTPUT_NEEDED = [
    "deviceInput",
    "deviceOutput",
    "deviceInputSetVar",
    "deviceGetSetVar",
    "signalOr",
    "logicOr",
    "logicAnd",
    "logicNot",
    "loop",
    "onlyNTimes",
    "counter",
    "register",
    "eventSequence",
    "statusLast",
    "onLoad",
    "varChange",
    "deviceGet",
    "varGet",
]
INPUTS_NEEDED = {
    "condition": "trigger condition",
    "loop": "start stop",
    "onlyNTimes": "input zero",
    "counter": "input zero",
    "register": "setTrue setFalse",
    "eventSequence": "input1 input2",
    **dict.fromkeys(("statusLast", "modeSwitch", "varGet", "varSetNumber", "varSetString"), "input"),
    **dict.fromkeys(("logicNot", "deviceGetSetVar"), "input"),
}


@pytest.mark.parametrize("kind", PINS)
def test_the_vendor_wants_the_pins_declared_that_its_checker_asks_for(kind: str) -> None:
    found = node_types()[kind]
    more = {"condition": ("met", "unmet"), "deviceGet": ("output2",), "varGet": ("output2",)}.get(kind, ())
    assert found.vendor_outputs == (*(("output",) if kind in OUTPUT_NEEDED else ()), *more)
    assert found.vendor_inputs == tuple(INPUTS_NEEDED.get(kind, "").split())


@pytest.mark.parametrize(
    ("kind", "pin", "takes"),
    [
        ("condition", "condition", True),
        ("condition", "trigger", False),
        ("logicNot", "input", True),
        ("logicOr", "input3", True),
        ("logicAnd", "input0", True),
        ("logicAnd", "inputx", False),
        ("signalOr", "input0", False),
        ("delay", "input", False),
    ],
)
def test_true_and_false_may_stand_where_the_vendor_takes_them(kind: str, pin: str, *, takes: bool) -> None:
    assert node_types()[kind].takes_constant(pin) is takes


def test_nothing_can_be_wired_to_a_source_or_a_note() -> None:
    closed = {name for name, kind in node_types().items() if not kind.takes_input}
    assert closed == {"deviceInput", "deviceInputSetVar", "alarmClock", "timeRange", "onLoad", "varChange", "nop"}


@pytest.mark.parametrize(
    ("context", "kind", "allowed"),
    [
        ("device", "int", ">= <= = != > < between include"),
        ("device", "float", "> < between"),
        ("device", "boolean", "="),
        ("device", "string", "="),
        ("device", "number", ""),
        ("variable", "number", ">= <= = != > < between"),
        ("variable", "string", "="),
        ("variable", "int", ""),
    ],
)
def test_a_kind_of_value_has_the_operators_of_the_table(context: Any, kind: str, allowed: str) -> None:
    assert operators(context, kind) == tuple(allowed.split())


def test_the_kinds_of_value_are_those_of_the_table() -> None:
    assert kinds_of("device") == ("int", "float", "boolean", "string")
    assert kinds_of("variable") == ("number", "string")


@pytest.mark.parametrize(
    ("kind", "props", "count"),
    [
        ("deviceInput", {"piid": 1, "dtype": "float"}, 3),
        ("deviceInput", {"eiid": 1, "dtype": "float"}, 0),
        ("deviceGet", {"dtype": "int"}, 8),
        ("varGet", {"varType": "number", "dtype": "string"}, 7),
        ("varChange", {"varType": "string"}, 1),
        ("varChange", {"varType": ["string"]}, 0),
        ("delay", {"dtype": "int"}, 0),
    ],
)
def test_a_node_may_use_the_operators_of_the_kind_it_names(kind: str, props: dict[str, Any], count: int) -> None:
    assert len(allowed_operators(node(kind, props))) == count


@pytest.mark.parametrize(
    ("context", "kind", "operator", "value", "fits"),
    [
        ("device", "int", "=", 1, True),
        ("device", "int", "=", 1.0, True),
        ("device", "int", "=", 1.5, False),
        ("device", "int", "=", True, False),
        ("device", "int", "include", [1, 2], True),
        ("device", "int", "include", 1, False),
        ("device", "int", "include", [1, "2"], False),
        ("device", "float", ">", 1, True),
        ("device", "float", ">", "1", False),
        ("device", "boolean", "=", False, True),
        ("device", "boolean", "=", 0, False),
        ("device", "string", "=", "", True),
        ("variable", "number", "=", 1.5, True),
        ("variable", "number", "=", None, False),
        ("device", "double", "=", 1.5, False),
    ],
)
def test_v1_is_of_the_kind_that_is_compared(context: Any, kind: str, operator: str, value: Any, *, fits: bool) -> None:
    assert v1_fits(context, kind, operator, value) is fits


def test_v2_is_only_looked_at_for_a_range() -> None:
    assert v2_fits("device", "int", ">", "anything")
    assert v2_fits("device", "int", "between", 5)
    assert not v2_fits("device", "int", "between", None)
    assert operand("device", "float") is Kind.NUMBER


@pytest.mark.parametrize(
    ("kind", "prop", "value", "allowed"),
    [
        ("statusLast", "timeout", 1, True),
        ("statusLast", "timeout", 0, False),
        ("delay", "timeout", -5, True),
        ("delay", "timeout", 1.5, False),
        ("delay", "timeout", "10", False),
        ("loop", "interval", True, False),
        ("counter", "n", 0, False),
        ("onlyNTimes", "n", 3, True),
        ("varChange", "varType", "int", False),
        ("varChange", "preload", None, False),
        ("timeRange", "filter", [], False),
        ("deviceGet", "dtype", {}, False),
    ],
)
def test_a_prop_allows_what_the_vendors_checker_takes(kind: str, prop: str, value: Any, *, allowed: bool) -> None:
    assert props_of(node(kind))[prop].allows(value) is allowed


@pytest.mark.parametrize(
    ("props", "prop", "value", "allowed"),
    [
        ({"type": "periodicAlarm"}, "hour", 23, True),
        ({"type": "periodicAlarm"}, "hour", 24, False),
        ({"type": "sunset"}, "latitude", -90.0, True),
        ({"type": "sunset"}, "longitude", 180.5, False),
        ({"type": "sunset"}, "offset", -30, True),
        ({"type": "sunset"}, "offset", 0.5, False),
    ],
)
def test_an_alarm_has_the_props_of_its_kind(props: dict[str, Any], prop: str, value: Any, *, allowed: bool) -> None:
    assert props_of(node("alarmClock", props))[prop].allows(value) is allowed


def test_the_timers_name_the_prop_that_the_display_repeats() -> None:
    timers = {name: kind.duration for name, kind in node_types().items() if kind.duration}
    assert timers == {"delay": "timeout", "statusLast": "timeout", "eventSequence": "timeout", "loop": "interval"}
    for name, prop in timers.items():
        assert node_types()[name].props[prop].default == 10_000


@pytest.mark.parametrize(
    ("unit", "ms"),
    [("ms", 1), ("s", 1_000), ("min", 60_000), ("hour", 3_600_000), ("m", 60_000), ("h", None), (1, None)],
)
def test_a_unit_is_so_many_milliseconds(unit: object, ms: int | None) -> None:
    assert unit_ms(unit) == ms


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_type_and_group_has_a_name_people_read(language: Any) -> None:
    titles = [each.title(language) for each in (*node_types().values(), *Group)]
    assert len(set(titles)) == len(titles)
    assert len(section("node_types", language)) == len(titles)


def test_every_type_belongs_to_a_group_of_the_editor() -> None:
    grouped = {group: sum(kind.group is group for kind in node_types().values()) for group in Group}
    assert list(grouped.values()) == [5, 5, 5, 4, 4, 3]


def test_a_type_nobody_knows_has_nothing() -> None:
    strange = node("cameraWatch", inputs={"input0": None}, outputs={"output": []})
    assert node_type("cameraWatch") is None
    assert (inputs_of(strange), outputs_of(strange), props_of(strange)) == ({}, {}, {})


@pytest.mark.parametrize("file", SAMPLES, ids=lambda file: file.stem)
def test_real_rules_fit_the_catalogue(file: Path) -> None:
    rule = read_rule(file.read_bytes())
    for each in rule.nodes:
        if each.type == "cameraWatch":
            continue
        assert set(each.inputs) == set(inputs_of(each)), each.id
        assert each.type == "nop" or set(each.outputs) <= set(outputs_of(each)), each.id
        known = props_of(each)
        assert set(each.props) <= set(known), each.id
        assert all(known[name].allows(value) for name, value in each.props.items()), each.id
        assert all(name in each.props for name, prop in known.items() if prop.required), each.id


def test_the_samples_show_every_type() -> None:
    seen = {each.type for file in SAMPLES for each in read_rule(file.read_bytes()).nodes}
    assert set(node_types()) <= seen
