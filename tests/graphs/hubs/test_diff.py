"""What differs between two rules, and how it is said."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from tests.graphs.hubs.hub_home import HALL, count, lamp, placed, start, wait

from zhixing.graphs.hubs.canonical import fingerprint, same_rule
from zhixing.graphs.hubs.diff import diff_of
from zhixing.graphs.hubs.diff_words import MOST_LINES, diff_lines
from zhixing.graphs.rule import Rule

CFG = {"id": HALL, "enable": True, "uiType": "test", "userData": {"name": "灯", "lastUpdateTime": 1}}


def rule(*nodes: Any, **cfg: Any) -> Rule:
    return Rule.of(copy.deepcopy({"id": HALL, "nodes": list(nodes), "cfg": {**CFG, **cfg}}))


BASE = rule(start("a.trigger", "b.trigger"), lamp("a"), lamp("b"))
SUM = rule(count("global"))


@pytest.mark.parametrize(
    ("before", "after", "lines"),
    [
        (BASE, BASE, ["没有变化"]),
        (BASE, rule(start("b.trigger", "a.trigger"), lamp("a"), lamp("b")), ["start.output 的连线顺序变了"]),
        (BASE, rule(start("a.trigger", "b.trigger"), placed(lamp("a"), 1, 2), lamp("b")), ["移动了 1 张卡片"]),
        (BASE, rule(*BASE.raw["nodes"], enable=False), ["规则改为停用"]),
        (BASE, rule(*BASE.raw["nodes"], userData={"name": "新", "lastUpdateTime": 9}), ['规则名称："灯" → "新"']),
        (
            BASE,
            rule(*BASE.raw["nodes"], userData={"name": "灯", "tags": ["x"]}),
            ['规则设置 userData.tags：空的 → ["x"]'],
        ),
        (BASE, rule(start("a.trigger"), lamp("a")), ["删除「控制设备」（b）", "删除连线 start.output → b.trigger"]),
        (
            BASE,
            rule(start("a.trigger", "b.trigger"), lamp("a", on=False), lamp("b")),
            ["「控制设备」（a）的 props.value：true → false"],
        ),
        (
            SUM,
            rule(count("R1")),
            [
                '「数值运算」（count）的 props.scope："global" → "R1"',
                '「数值运算」（count）的 props.elements.0.scope："global" → "R1"',
            ],
        ),
        (
            BASE,
            rule(start("a.trigger", "b.trigger", "b.trigger"), lamp("a"), lamp("b")),
            ["新增连线 start.output → b.trigger"],
        ),
    ],
)
def test_each_difference_is_one_line(before: Rule, after: Rule, lines: list[str]) -> None:
    diff = diff_of(before, after)
    assert list(diff_lines(diff)) == lines
    assert diff.empty is (lines == ["没有变化"])


def test_a_new_rule_is_all_added() -> None:
    diff = diff_of(None, rule(start("wait.input"), wait(1000)))
    assert [node.id for node in diff.added] == ["start", "wait"]
    assert "规则改为启用" in diff_lines(diff)


def test_places_alone_change_nothing_of_what_a_rule_does() -> None:
    assert not diff_of(BASE, rule(start("a.trigger", "b.trigger"), placed(lamp("a"), 1, 2), lamp("b"))).works_otherwise


def test_many_differences_are_cut_and_counted() -> None:
    lines = diff_lines(diff_of(None, rule(*(lamp(f"n{number}") for number in range(MOST_LINES + 50)))))
    assert len(lines) == MOST_LINES + 1
    assert "53" in lines[-1]


def test_a_rule_is_the_same_however_its_json_is_written() -> None:
    turned = Rule.of(dict(reversed(BASE.raw.items())))
    floats = rule(start("a.trigger", "b.trigger"), *(_float(lamp(name)) for name in "ab"))
    panned = rule(*BASE.raw["nodes"], userData={**CFG["userData"], "transform": {"x": 3}})  # type: ignore[dict-item]
    for other in (turned, floats, panned):
        assert same_rule(BASE, other)
        assert fingerprint(BASE) == fingerprint(other)
    assert fingerprint(BASE) != fingerprint(rule(*BASE.raw["nodes"], enable=False))


def _float(node: dict[str, Any]) -> dict[str, Any]:
    return {**node, "props": {**node["props"], "siid": 2.0}}
