"""The templates of requirement document 002, word for word in `templates.txt`, filled in, wired, checked and run."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from tests.graphs.document_templates import TEXTS, filled
from tests.graphs.simulating.small import codes, press, ran, says, sets

from zhixing.graphs.catalogue import Colour, inputs_of, node_types
from zhixing.graphs.checks.finding import Profile
from zhixing.graphs.checks.structure import check_structure
from zhixing.graphs.reading import read_rule, rule_from
from zhixing.graphs.rule import Node, Rule
from zhixing.graphs.writing import write_rule

TEMPLATES = {
    "G-10.1": "deviceInput - 设备触发（属性变化）",
    "G-10.2": "deviceInput - 设备触发（事件）",
    "G-10.3": "deviceOutput - 控制设备（设置属性）",
    "G-10.4": "deviceOutput - 使用变量动态设置属性",
    "G-10.5": "deviceOutput - 控制设备（执行动作）",
    "G-10.6": "deviceGet - 查询状态",
    "G-10.7": "alarmClock - 定时触发（事件源）",
    "G-10.8": "timeRange - 时间段（state 节点）",
    "G-10.9": "delay - 延时",
    "G-10.10": "condition - 当-如果-就（条件判断）",
    "G-10.11": "signalOr - 任一事件",
    "G-10.12": "logicOr - 满足任一条件",
    "G-10.13": "logicAnd - 满足全部条件",
    "G-10.14": "logicNot - 状态取反",
    "G-10.15": "loop - 循环",
    "G-10.16": "onlyNTimes - 最多触发N次",
    "G-10.17": "counter - 达到N次时触发",
    "G-10.18": "modeSwitch - 模式切换",
    "G-10.19": "register - 自定义布尔状态",
    "G-10.20": "onLoad - 启用时触发（事件源）",
    "G-10.21": "statusLast - 状态持续一段时间",
    "G-10.22": "eventSequence - 事件先后发生",
    "G-10.23": "varSetNumber - 数值运算",
    "G-10.24": "varSetString - 文本拼接",
    "G-10.25": "deviceInputSetVar - 设备触发赋值（事件源）",
    "G-10.26": "deviceGetSetVar - 查询设备赋值",
    "G-10.27": "varChange - 变量值更新时触发（事件源）",
    "G-10.28": "varGet - 查询变量值",
}
HINTS = {
    "G-10.21": {"status_last_missing_display"},
    "G-10.23": {"dollar_literal_in_const"},
}
"""What is remarked upon in the document's own templates: a duration that its card does not show, a `$` in a text."""
FILLED = {
    "DID": "sensor", "URN": "urn:miot-spec-v2:device:light:0000A001:sample-x1:1", "DTYPE": "boolean", "ID": "it",
    "VAR_ID": "Vx", "SCOPE": "global",
    "V1": "true", "VALUE": "true", "SIID": "2", "PIID": "1", "EIID": "1", "AIID": "3", "SEC": "5", "MS": "5000",
    "N": "3", "H": "8", "M": "0", "SH": "7", "SM": "0", "EH": "9", "EM": "0", "MIN": "0", "MAX": "100", "STEP": "1",
}  # fmt: skip
RULE = "1710000000000"


def it_of(text: str) -> Node:
    """Fill in the placeholders; a comparison with a number gets one."""
    values = FILLED | ({"V1": "1"} if '"varType":"number"' in text else {})
    values = values | ({"EIID": "1", "DID": "remote", "SIID": "3"} if "$EIID" in text else {})
    return Node.of(filled(text, **values))


def card(name: str, kind: str, **parts: Any) -> dict[str, Any]:
    return {
        "id": name,
        "type": kind,
        "cfg": {"name": kind, "version": 1},
        "props": {},
        "inputs": {},
        "outputs": {},
    } | parts


def key(name: str, number: int, end: str) -> dict[str, Any]:
    props = {"did": "remote", "siid": 3, "eiid": number}
    return card(name, "deviceInput", props=props, outputs={"output": [end]})


def lamp(name: str) -> dict[str, Any]:
    props = {"did": "lamp", "siid": 2, "piid": 1, "value": True}
    return card(name, "deviceOutput", props=props, inputs={"trigger": None}, outputs={"output": []})


def source(number: int, pin: str, colour: Colour) -> dict[str, Any]:
    """Feed a pin of the template: an event by a key, a state by a property."""
    if colour is Colour.EVENT:
        return key(f"in{number}", number + 1, f"it.{pin}")
    props = {"did": "sensor", "siid": 2, "piid": 5 + number, "dtype": "boolean", "operator": "=", "v1": True}
    return card(f"in{number}", "deviceInput", props=props, outputs={"output": [f"it.{pin}"]})


def target(name: str, pin: str) -> list[dict[str, Any]]:
    """Stand where a wire of the template ends."""
    match pin:
        case "trigger":
            return [lamp(name)]
        case "input":
            wait = card(
                name, "delay", props={"timeout": 5}, inputs={"input": None}, outputs={"output": [f"{name}x.trigger"]}
            )
            wait["cfg"] |= {"unit": "ms", "value": 5}
            return [wait, lamp(f"{name}x")]
    both = {"trigger": None, "condition": None}
    when = card(name, "condition", inputs=both, outputs={"met": [f"{name}x.trigger"], "unmet": []})
    return [key(f"{name}k", 9, f"{name}.trigger"), when, lamp(f"{name}x")]


def wired(text: str) -> Rule:
    """Put a template into a rule in which every pin is wired."""
    it = it_of(text)
    pins = inputs_of(it)
    ends = dict.fromkeys((wire.target, wire.target_pin) for wire in it.wires)
    cards = [source(number, pin, colour) for number, (pin, colour) in enumerate(pins.items())]
    nodes = [*cards, it.raw, *(each for end in ends for each in target(*end))]
    return rule_from(
        {"id": RULE, "nodes": nodes, "cfg": {"id": RULE, "enable": True, "uiType": "graph", "userData": {}}}
    )


every_template = pytest.mark.parametrize("clause", TEMPLATES)


def test_the_templates_are_all_there_is_and_show_every_type_but_the_note() -> None:
    assert list(TEMPLATES.values()) == list(TEXTS)
    assert {json.loads(re.sub(r"\$[A-Z0-9_]+(?=[,}\]])", "1", text))["type"] for text in TEXTS.values()} == (
        set(node_types()) - {"nop"}
    )


@every_template
@pytest.mark.parametrize("profile", Profile)
def test_a_template_that_is_filled_in_may_be_saved(clause: str, profile: Profile) -> None:
    found = check_structure(wired(TEXTS[TEMPLATES[clause]]), profile)
    assert {each.code for each in found} == HINTS.get(clause, set())


@every_template
def test_a_template_that_is_filled_in_runs_without_a_fault(clause: str) -> None:
    given = wired(TEXTS[TEMPLATES[clause]])
    reports = [says(1000, True, 5), says(2000, True, 6), says(3000, True), says(9000, False, 5)]
    at_s = [(20, 1), (22, 2), (40, 1), (50, 1), (60, 1), (70, 2), (80, 9)]
    keys = [press(1000 * second, key) for second, key in at_s]
    lines = [*reports, sets(10_000, "Vx", 0), sets(11_000, "Vx", 8), *keys]
    text = "varSetString" in TEMPLATES[clause]
    variables = {"global.Vx": "" if text else 1}
    given_lines = [line for line in lines if not (text and "var_set" in line)]
    result = ran(given, *given_lines, variables=variables, state={"sensor": {"2.1": 3}}, until_ms=90_000_000)
    assert codes(result) <= {"semantics_unproven", "uninitialised_state", "already_true"}
    assert result.fired["it"] > 0


@every_template
def test_a_template_is_written_as_it_is_read(clause: str) -> None:
    given = wired(TEXTS[TEMPLATES[clause]])
    assert write_rule(read_rule(write_rule(given))) == write_rule(given)
    it = given.node("it")
    assert it is not None
    assert f'{{"id":"it","type":"{it.type}"' in write_rule(given).replace(": ", ":").replace(", ", ",")


@every_template
def test_a_card_is_named_after_its_type(clause: str) -> None:
    """G-6.9: and people read the name of the type in their own language."""
    it = it_of(TEXTS[TEMPLATES[clause]])
    assert it.name == it.type
    twice = rule_from({"id": RULE, "nodes": [it.raw, it.raw], "cfg": {"id": RULE, "enable": True}})
    (said,) = {each.text() for each in check_structure(twice) if each.code == "duplicate_id"}
    assert node_types()[it.type].title() in said
