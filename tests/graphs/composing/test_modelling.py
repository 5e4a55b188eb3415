"""What a model may make of a sentence: only what the words carry, and by the same way as any other."""

from __future__ import annotations

from typing import Any

import pytest
from tests.graphs.composing.homes import HERE, NOW, RULE, ZONE, flat, outcome

from zhixing.graphs.composing.composing import Composed, NeedsModel, Outcome
from zhixing.graphs.composing.modelling import MOST_LISTED, SHAPE, complaint, listed, prompt_for, read_by_model
from zhixing.kernel.wording import wording

TEXT = "客厅热得超过28度了呀，空调你就给我开起来，调到26度"
FACT: dict[str, Any] = {
    "quote": "客厅热得超过28度了呀",
    "kind": "level",
    "dids": ["climate"],
    "measure": "temperature",
    "operator": ">",
    "low": 28,
    "high": None,
    "state": None,
    "press": None,
    "at": None,
    "days": None,
    "sun": None,
    "offset_minutes": None,
    "hold_seconds": None,
    "joint": None,
}
ACT: dict[str, Any] = {
    "quote": "空调你就给我开起来",
    "kind": "switch",
    "dids": ["ac"],
    "turn": "on",
    "measure": None,
    "value": None,
    "choice": None,
    "text": None,
    "doing": None,
    "after_seconds": None,
}
COOL = {**ACT, "quote": "调到26度", "kind": "set", "turn": None, "measure": "target-temperature", "value": 26}


def branch(**changed: Any) -> dict[str, Any]:
    whole = {
        "facts": [FACT],
        "joint": "all",
        "windows": [],
        "asked": [],
        "acts": [ACT, COOL],
        "otherwise": [],
        "every_seconds": None,
        "every_quote": None,
        "until": None,
        "times": None,
    }
    return {**whole, **changed}


def reply(**changed: Any) -> dict[str, Any]:
    return {"understood": True, "branches": [branch(**changed)]}


def became(value: dict[str, Any], text: str = TEXT) -> Outcome:
    return read_by_model(value, text, flat(), rule_id=RULE, now=NOW, zone=ZONE, place=HERE)


def test_a_sentence_that_the_rules_leave_becomes_a_rule_by_what_a_model_says():
    assert isinstance(outcome(TEXT, flat()), NeedsModel)
    assert SHAPE.mismatch(reply()) == ""
    assert complaint(reply(), TEXT, flat()) == ""
    found = became(reply())
    assert isinstance(found, Composed), found
    assert found.smoke.passed
    assert [node.props.get("value") for node in found.rule.nodes if node.type == "deviceOutput"] == [True, 26.0]


WRONG = [
    ("a quote that is not there", reply(facts=[{**FACT, "quote": "客厅温度"}]), "model_unquoted"),
    ("a device that is not there", reply(acts=[{**ACT, "dids": ["oven"]}]), "model_did"),
    ("no device", reply(acts=[{**ACT, "dids": []}]), "model_did"),
    ("a number that was not said", reply(facts=[{**FACT, "low": 30}]), "model_value"),
    ("a value that was not said", reply(acts=[{**COOL, "value": 18}]), "model_value"),
    ("a span that was not said", reply(facts=[{**FACT, "hold_seconds": 600}]), "model_value"),
    (
        "words that were not said",
        reply(acts=[{**ACT, "kind": "say", "text": "好热", "dids": ["speaker"]}]),
        "model_unquoted",
    ),
    ("an act without its value", reply(acts=[{**ACT, "turn": None}]), "model_value"),
    ("a repetition that was not said", reply(every_seconds=60, every_quote="调到26度"), "model_value"),
    ("nothing to do", reply(acts=[]), "model_value"),
]


@pytest.mark.parametrize(("_what", "value", "words"), WRONG)
def test_what_does_not_rest_on_the_words_is_sent_back_and_not_built(_what, value, words):
    assert isinstance(became(value), NeedsModel)
    beginning, _, ending = wording(f"composing_graphs.{words}", "zh").partition("{place}")
    said = complaint(value, TEXT, flat())
    assert said.startswith(beginning)
    assert said.endswith(ending)


def test_times_and_windows_must_be_those_that_were_said():
    text = "晚上10点到早上6点要是玄关那儿有人晃悠，玄关灯开开"
    fact = {**FACT, "quote": "玄关那儿有人晃悠", "kind": "state", "dids": ["motion1"], "state": "present"}
    act = {**ACT, "quote": "玄关灯开开", "dids": ["lamp5"]}
    window = {"quote": "晚上10点到早上6点", "start": "22:00", "end": "06:00", "days": None}
    assert isinstance(became(reply(facts=[fact], acts=[act], windows=[window]), text), Composed)
    late = {**window, "start": "23:00"}
    assert isinstance(became(reply(facts=[fact], acts=[act], windows=[late]), text), NeedsModel)


def test_a_model_that_did_not_understand_is_taken_at_its_word():
    assert isinstance(became({"understood": False, "branches": []}), NeedsModel)


def test_a_rule_that_would_contradict_itself_is_not_built():
    off = {**ACT, "turn": "off"}
    assert isinstance(became(reply(acts=[ACT, off])), NeedsModel)


def test_the_prompt_lists_devices_as_data():
    prompt = prompt_for(TEXT, flat())
    assert "climate=温湿度计@客厅(temperature-humidity-sensor)" in prompt.system
    assert TEXT in prompt.parts[0].text
    assert len(listed(flat())) <= MOST_LISTED
