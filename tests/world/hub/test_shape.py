"""What a hub checks of a node before it keeps it, and in which words (mijia §1.2–§1.4, §1.6)."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from zhixing.world.hub.shape import MOST_NODES, fault_of


def node(kind: str, props: dict[str, Any] | None = None, inputs: str = "", outputs: str = "output") -> dict[str, Any]:
    return {
        "id": "n1",
        "type": kind,
        "cfg": {"name": kind, "version": 1},
        "props": props or {},
        "inputs": dict.fromkeys(inputs.split()),
        "outputs": {pin: [] for pin in outputs.split()},
    }


LAMP = {"did": "lamp", "siid": 2, "piid": 1}
BUTTON = {"did": "button", "siid": 2, "eiid": 1}
SPEAKER = {"did": "speaker", "siid": 3, "aiid": 1}
COUNT = {"scope": "global", "id": "count"}
NOON = {"hour": 12, "minute": 0, "second": 0}
RANGED = {**COUNT, "dtype": "number", "min": 1, "max": 100, "step": 1}
IS_ON = {"dtype": "boolean", "operator": "=", "v1": True}
SUNSET = {"type": "sunset", "latitude": 31.2, "longitude": 121.5, "isSunset": True, "offset": -15, "filter": {}}

GOOD = {
    "property": node("deviceInput", {**LAMP, **IS_ON}),
    "event": node("deviceInput", BUTTON),
    "event with arguments": node(
        "deviceInput",
        {
            **BUTTON,
            "arguments": [
                {"piid": 1, "dtype": "int", "operator": "include", "v1": [1, 2]},
                {"piid": 2, "dtype": "string"},
            ],
        },
    ),
    "query": node(
        "deviceGet", {**LAMP, "dtype": "int", "operator": "between", "v1": 1, "v2": 5}, "input", "output output2"
    ),
    "write": node("deviceOutput", {**LAMP, "value": None}, "trigger"),
    "write from a variable": node("deviceOutput", {**LAMP, **RANGED}, "trigger"),
    "action": node(
        "deviceOutput",
        {**SPEAKER, "ins": [{"piid": 1, "value": "好"}, {"piid": 2, **COUNT, "dtype": "string"}]},
        "trigger",
    ),
    "action without inputs": node("deviceOutput", SPEAKER, "trigger"),
    "set on property": node("deviceInputSetVar", {**LAMP, **COUNT, "dtype": "number"}),
    "set on event": node("deviceInputSetVar", {**BUTTON, "arguments": [{"piid": 1, "dtype": "number"}]}),
    "set by query": node("deviceGetSetVar", {**LAMP, **COUNT, "dtype": "boolean"}, "input"),
    "alarm": node("alarmClock", {"type": "periodicAlarm", **NOON, "filter": {"day": [0, 6]}}),
    "alarm of empty days": node("alarmClock", {"type": "periodicAlarm", **NOON, "filter": {"day": []}}),
    "sunset": node("alarmClock", SUNSET),
    "window": node("timeRange", {"start": NOON, "end": NOON, "filter": {"inHoliday": False}}),
    "delay of nothing": node("delay", {"timeout": 0}, "input"),
    "hold": node("statusLast", {"timeout": 1}, "input"),
    "sequence": node("eventSequence", {"timeout": 1}, "input1 input2"),
    "condition": node("condition", {}, "trigger condition", "met unmet"),
    "loop": node("loop", {"interval": -1}, "start stop"),
    "only": node("onlyNTimes", {"n": 1}, "input zero"),
    "counter": node("counter", {"n": 3}, "input zero"),
    "switch": node("modeSwitch", {}, "input", "output0 output1 output2"),
    "any": node("signalOr", {}, "input0 input1"),
    "or with a gap": node("logicOr", {}, "input0 input7"),
    "and": node("logicAnd", {}, "input0"),
    "not": node("logicNot", {}, "input"),
    "register": node("register", {}, "setTrue setFalse"),
    "load": node("onLoad"),
    "note": node("nop", outputs=""),
    "change": node("varChange", {**COUNT, "varType": "number", "preload": True, "operator": ">=", "v1": 0.5}),
    "look": node("varGet", {**COUNT, "varType": "string", "operator": "=", "v1": ""}, "input", "output output2"),
    "number": node("varSetNumber", {**COUNT, "elements": [{"type": "const", "value": "$ + 1"}]}, "input"),
    "text": node("varSetString", {**COUNT, "elements": []}, "input"),
}


@pytest.mark.parametrize("name", GOOD)
def test_a_node_of_every_kind_is_kept(name: str) -> None:
    assert fault_of([GOOD[name]]) is None


def test_constants_may_stand_at_the_pins_of_logic() -> None:
    for name, pin in (("or with a gap", "input0"), ("not", "input"), ("condition", "condition")):
        changed = copy.deepcopy(GOOD[name])
        changed["inputs"][pin] = True
        assert fault_of([changed]) is None


@pytest.mark.parametrize(
    ("part", "value", "text"),
    [
        ("id", None, "Invliad id"),
        ("id", 7, "Invliad id"),
        ("id", "a_b", "Invalid charactor in id"),
        ("id", "灯", "Invalid charactor in id"),
        ("type", None, "Invalid type"),
        ("type", "teleport", "Unsupported type: teleport"),
        ("props", None, "Invalid props"),
        ("inputs", [], "Invalid inputs"),
        ("outputs", "output", "Invalid outputs"),
        ("outputs", {"output": None}, "Invalid outputs: output"),
        ("outputs", {"output": ["range1"]}, "Invalid connection: output->range1"),
        ("outputs", {"output": ["a.b.c"]}, "Invalid connection: output->a.b.c"),
        ("outputs", {"output": [1]}, "Invalid connection: output->1"),
        ("outputs", {}, "Invalid outputs: output"),
        ("cfg", None, "Invalid cfg"),
        ("cfg", {"name": "onLoad"}, "Invalid cfg.version"),
        ("cfg", {"version": True}, "Invalid cfg.version"),
    ],
)
def test_what_every_node_has_is_checked_in_order_and_in_the_words_of_the_gateway(
    part: str, value: object, text: str
) -> None:
    bad = {**GOOD["load"], part: value}
    name = bad["id"] if isinstance(bad["id"], str) else ""
    assert fault_of([GOOD["delay of nothing"], bad]) == f"Invalid node parameter:{name},{text}"


def test_the_pipe_may_stand_in_an_id_by_accident() -> None:
    assert fault_of([{**GOOD["load"], "id": "a|b"}]) is None


@pytest.mark.parametrize(
    ("name", "props", "text"),
    [
        ("property", {"did": 1}, "did"),
        ("property", {"siid": "2"}, "siid"),
        ("property", {"piid": None}, "piid"),
        ("property", {"dtype": "bool"}, "dtype"),
        ("property", {"operator": ">"}, "operator"),
        ("property", {"v1": 1}, "v1"),
        ("property", {"dtype": "float", "operator": "=", "v1": 1.0}, "operator"),
        ("property", {"dtype": "int", "operator": "include", "v1": 1}, "v1"),
        ("query", {"v1": 1.5}, "v1"),
        ("query", {"v2": None}, "v2"),
        ("event", {"eiid": None}, "eiid"),
        ("event", {"arguments": {}}, "arguments"),
        ("event", {"arguments": [{"piid": 1, "dtype": "number"}]}, "dtype"),
        ("event with arguments", {"arguments": [{"piid": 1, "dtype": "int", "operator": "~"}]}, "operator"),
        ("write from a variable", {"dtype": "int"}, "dtype"),
        ("write from a variable", {"step": None}, "step"),
        ("write from a variable", {"max": float("nan")}, "max"),
        ("write from a variable", {"scope": None}, "scope"),
        ("action", {"aiid": None}, "aiid"),
        ("action", {"ins": {}}, "ins"),
        ("action", {"ins": [{"piid": 1}]}, "scope"),
        ("set on property", {"dtype": "int"}, "dtype"),
        ("set on event", {"arguments": None}, "arguments"),
        ("set by query", {"id": 1}, "id"),
        ("alarm", {"type": "daily"}, "type"),
        ("alarm", {"hour": 24}, "hour"),
        ("alarm", {"filter": None}, "filter"),
        ("alarm", {"filter": {"day": [7]}}, "filter"),
        ("sunset", {"latitude": 91}, "latitude"),
        ("sunset", {"offset": 1.5}, "offset"),
        ("sunset", {"isSunset": 1}, "isSunset"),
        ("window", {"end": {"hour": 1}}, "end"),
        ("delay of nothing", {"timeout": 0.5}, "timeout"),
        ("hold", {"timeout": 0}, "timeout"),
        ("loop", {"interval": "1"}, "interval"),
        ("only", {"n": 0}, "n"),
        ("change", {"preload": None}, "preload"),
        ("change", {"varType": "boolean"}, "varType"),
        ("change", {"operator": "include"}, "operator"),
        ("look", {"v1": 1}, "v1"),
        ("number", {"elements": "1"}, "elements"),
    ],
)
def test_wrong_props_are_named(name: str, props: dict[str, object], text: str) -> None:
    bad = copy.deepcopy(GOOD[name])
    bad["props"].update(props)
    assert fault_of([bad]) == f"Invalid node parameter:n1,Invalid {text}"


def test_two_filters_at_once_have_words_of_their_own() -> None:
    bad = copy.deepcopy(GOOD["alarm"])
    bad["props"]["filter"]["inHoliday"] = True
    assert fault_of([bad]) == "Invalid node parameter:n1,Double filter"


@pytest.mark.parametrize(
    ("name", "part", "text"),
    [
        ("query", {"outputs": {"output": []}}, "outputs: output2"),
        ("condition", {"outputs": {"met": []}}, "outputs: unmet"),
        ("condition", {"inputs": {"trigger": None}}, "inputs: condition"),
        ("condition", {"inputs": {"trigger": True, "condition": None}}, "inputs: trigger"),
        ("loop", {"inputs": {"input": None}}, "inputs: start"),
        ("switch", {"outputs": {"output0": [], "output2": []}}, "outputs: output1"),
        ("any", {"inputs": {"input0": True}}, "inputs: input0"),
        ("any", {"inputs": {"input": None}}, "inputs: input"),
        ("and", {"inputs": {"inputA": None}}, "inputs: inputA"),
        ("and", {"inputs": {"input0": 1}}, "inputs: input0"),
    ],
)
def test_wrong_pins_are_named(name: str, part: dict[str, object], text: str) -> None:
    assert fault_of([{**GOOD[name], **part}]) == f"Invalid node parameter:n1,Invalid {text}"


def test_where_wires_lead_is_not_looked_at() -> None:
    nowhere = copy.deepcopy(GOOD["load"])
    nowhere["outputs"]["output"] = ["nobody.nothing", "n1.output", "nobody.nothing"]
    assert fault_of([nowhere, nowhere]) is None


@pytest.mark.parametrize("nodes", [None, {}, "n1", [GOOD["load"]] * (MOST_NODES + 1)])
def test_nodes_are_a_list_of_a_bounded_length(nodes: object) -> None:
    assert fault_of(nodes) == "Invalid nodes"


def test_what_is_no_node_is_refused() -> None:
    assert fault_of([1]) == "Invalid node parameter:,Invalid node"
