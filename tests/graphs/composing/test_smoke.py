"""The trial finds out a graph that was not built as it was planned."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest
from tests.graphs.composing.homes import HERE, NOW, RULE, ZONE, flat

from zhixing.graphs.composing.deciding import decide
from zhixing.graphs.composing.graphing import graph_of
from zhixing.graphs.composing.plan import Ground
from zhixing.graphs.composing.reading import read
from zhixing.graphs.composing.smoke import Smoke, smoke
from zhixing.graphs.rule import Rule

Nodes = dict[str, Any]


def tried(text: str, spoil: Callable[[Nodes], object]) -> Smoke:
    """Try the rule of a sentence after something was done to its cards, which are given by id."""
    ground = Ground(RULE, NOW, ZONE, HERE)
    request = read(text, flat())
    assert request is not None
    plan = decide(request, flat(), {}, HERE)
    rule, grapher = graph_of(plan, ground)
    raw = copy.deepcopy(json.loads(json.dumps(rule.raw)))
    spoil({each["id"]: each for each in raw["nodes"]})
    return smoke(Rule.of(raw), grapher.builder.variables, plan, ground)


def props(card: str, **values: Any) -> Callable[[Nodes], object]:
    return lambda nodes: nodes[card]["props"].update(values)


def unwired(card: str, pin: str = "output") -> Callable[[Nodes], object]:
    return lambda nodes: nodes[card]["outputs"].update({pin: []})


NOON = {"hour": 12, "minute": 0, "second": 0}
SPOILT = [
    ("客厅温度高于28度就打开空调", props("deviceOutput1", value=False), "does"),
    ("客厅温度高于28度就打开空调", props("deviceInput1", operator="<"), "does"),
    ("客厅温度高于28度就打开空调", unwired("deviceInput1"), "does"),
    ("玄关10分钟没人就关玄关灯", props("statusLast1", timeout=1000), "does"),
    ("玄关10分钟没人就关玄关灯", props("statusLast1", timeout=3_600_000), "does"),
    ("晚上10点到早上6点玄关有人就开玄关灯", props("timeRange1", start=NOON), "does_not"),
    ("晚上10点到早上6点玄关有人就开玄关灯", props("timeRange1", end=NOON), "does_not"),
    ("单击床头开关，如果主卧灯开着就关掉，否则打开", unwired("deviceGet1", "output2"), "otherwise"),
    ("门开着时每隔1分钟提醒一次，直到关门", unwired("deviceInput2"), "stops"),
    ("每天早上7点半打开窗帘", props("alarmClock1", hour=8), "does"),
    ("客厅灯和阳台灯同步", unwired("deviceInput1"), "follows"),
    ("入户门打开就开玄关灯，5分钟后关掉", props("delay1", timeout=60_000), "does"),
]


@pytest.mark.parametrize(("text", "spoil", "kind"), SPOILT)
def test_what_was_built_wrong_is_found_out(text, spoil, kind):
    found = tried(text, spoil)
    assert not found.passed
    assert kind in {each.kind for each in found.failures}
    assert all(each.text().startswith("没有通过试运行") for each in found.failures)


@pytest.mark.parametrize("text", sorted({each[0] for each in SPOILT}))
def test_what_was_built_right_passes(text):
    found = tried(text, lambda _nodes: None)
    assert found.passed, [each.text() for each in found.failures]
