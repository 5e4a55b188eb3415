"""The table before the first card."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.graphs.building.things import CLIMATE, HUMIDITY, LIGHT, MOTION, MOVES, ON, RULE, built, pressed

from zhixing.graphs.building.builder import Builder
from zhixing.graphs.building.cards import condition
from zhixing.graphs.building.design import (
    Design,
    Gap,
    Kept,
    Question,
    Rounds,
    Transition,
    gaps,
    lines,
    wire_lists,
)
from zhixing.graphs.building.device_cards import device_input, device_output
from zhixing.graphs.building.patterns.remembering import remembered
from zhixing.graphs.building.patterns.rounds import repeated
from zhixing.graphs.building.sketch import Span, equals
from zhixing.graphs.expressions.elements import Variable
from zhixing.graphs.rule import Wire
from zhixing.kernel.wording import LANGUAGES, section

COUNT = Variable(f"R{RULE}", "count")
WHOLE = Design(
    triggers=("门打开",),
    states=("门开着",),
    questions=(Question("门还开着", "播报", "停止", "停止"),),
    variables=(Kept(COUNT, 0, "播报次数"),),
    transitions=(Transition("关", "开门", "开"),),
    rounds=(Rounds("提醒", "开门", "关门或三次"),),
    recovery="不用恢复",
    failure="音箱离线就算了",
    patterns=("PAT-LOOP-01",),
)
NOTHING = replace(WHOLE, states=(), questions=(), variables=(), transitions=(), rounds=(), patterns=())


def codes(*found: Gap) -> list[tuple[str, str]]:
    return [(each.code, each.about) for each in found]


def test_a_whole_table_has_no_gap_and_neither_has_one_that_says_there_is_none() -> None:
    assert gaps(WHOLE) == ()
    assert gaps(NOTHING) == ()


def test_an_empty_table_lacks_every_column() -> None:
    names = ["triggers", "states", "questions", "variables", "transitions", "rounds", "recovery", "failure", "patterns"]
    assert [each.code for each in gaps(Design())] == names


@pytest.mark.parametrize(
    ("design", "gap"),
    [
        (replace(WHOLE, triggers=()), ("triggers", "")),
        (replace(WHOLE, failure=" "), ("failure", "")),
        (replace(WHOLE, questions=(Question("门还开着", "播报", "停止"),)), ("when_unknown", "门还开着")),
        (replace(WHOLE, questions=(Question("门还开着", "", "停止", "停止"),)), ("when_true", "门还开着")),
        (replace(WHOLE, variables=(Kept(COUNT, None),)), ("initial", COUNT.key)),
        (replace(WHOLE, transitions=()), ("unchanging", "")),
        (replace(WHOLE, rounds=(Rounds("提醒", "开门"),)), ("stop", "提醒")),
        (replace(WHOLE, patterns=("PAT-NONE-01",)), ("unknown_pattern", "PAT-NONE-01")),
        (replace(WHOLE, patterns=("hold", "flip", "PAT-NUM-01", "PAT-AGG-01")), ("many_patterns", "3")),
    ],
)
def test_each_gap_is_named(design: Design, gap: tuple[str, str]) -> None:
    """G-9.5."""
    assert codes(*gaps(design)) == [gap]


def test_every_gap_is_said_in_both_languages() -> None:
    words = [key.removeprefix("gap_") for key in section("patterns", "zh") if key.startswith("gap_")]
    for language in LANGUAGES:
        for code in words:
            assert "{" not in Gap(code, "x").text(language)


def reminder() -> Builder:
    builder = Builder(RULE)
    fragment = repeated(builder, Span(1, "min"), 3)
    builder.wire(pressed(builder), *fragment.into("start"))
    builder.wire(pressed(builder), *fragment.into("cancel"))
    remembered(builder, CLIMATE, HUMIDITY, "humidity")
    asked = builder.add(condition())
    builder.wire(fragment.out("work"), asked.pin())
    builder.wire(builder.add(device_input(MOTION, MOVES, equals(True)), "seen").out(), asked.pin("condition"))
    builder.wire(asked.out(), builder.add(device_output(LIGHT, ON, True)).pin())
    return builder


def test_what_a_rule_has_and_the_table_does_not_is_named() -> None:
    rule = built(reminder())
    assert codes(*gaps(WHOLE, rule)) == [
        ("undesigned_variable", f"R{RULE}.humidityReady"),
        ("undesigned_variable", f"R{RULE}.humidity"),
    ]
    assert codes(*gaps(NOTHING, rule))[-1] == ("undesigned_loop", "loop1")


def test_the_wires_of_a_rule_are_listed_by_what_they_carry() -> None:
    rule = built(reminder())
    found = wire_lists(rule)
    assert found.states == (Wire("seen", "output", "condition1", "condition"),)
    assert len(found.events) == len(rule.wires) - 1


def test_the_table_is_one_line_a_column_and_says_what_is_missing() -> None:
    assert lines(replace(WHOLE, recovery="", rounds=())) == (
        "业务触发：门打开",
        "持续状态：门开着",
        "真、假、未知分支：门还开着（真：播报，假：停止，未知：停止）",
        f"变量及初值：R{RULE}.count = 0 播报次数",
        "状态转换：关 →（开门）→ 开",
        "循环启停：无",
        "恢复动作：（还没写）",
        "失败行为：音箱离线就算了",
        "所选模式：PAT-LOOP-01",
    )


def test_a_rule_of_more_than_ten_nodes_comes_with_its_wires() -> None:
    """G-9.6."""
    rule = built(reminder())
    assert len(rule.nodes) > 10
    events, states = lines(WHOLE, rule)[-2:]
    assert "loop1.output → signalOr2.input0" in events
    assert states == "状态边：seen.output → condition1.condition"
    small = rule.having_nodes(rule.nodes[:10])
    assert lines(WHOLE, small) == lines(WHOLE)
    assert lines(WHOLE, rule, "en")[-1].startswith("State wires: seen.output")


def test_a_text_is_told_from_nothing_and_a_table_without_a_trigger_is_not_one_that_needs_none() -> None:
    shown = lines(replace(WHOLE, triggers=(), variables=(Kept(COUNT, ""),)))
    assert shown[0] == "业务触发：（还没写）"
    assert shown[3].startswith(f'变量及初值：R{RULE}.count = ""')
