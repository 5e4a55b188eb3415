"""The wording of conditions: what is refused, and the words that only look like it."""

from __future__ import annotations

from typing import Any

import pytest
from tests.household.checks.cases import rows

from zhixing.household.checks import lint_condition
from zhixing.household.checks.conditions import read_sentence

SENTENCES = rows("sentences.jsonl")
TAIL = "；不含蹲在地面系鞋带，不含跪坐触脚跟"

REFUSED = [
    ("V-063", "   "),
    ("V-064", "画面中无人且灯亮着"),
    ("V-064", "画面中无人 AND 灯亮着"),
    ("V-064", "用户站在门口或者坐在沙发上"),
    ("V-065", "镜头识别到有人"),
    ("V-065", "门已打开"),
    ("V-066", "画面中无人超过半小时"),
    ("V-066", "用户连续坐着"),
    ("V-066", "画面中无人三十秒"),
    ("V-067", "周三画面中无人"),
    ("V-067", "画面中 22:30 后无人"),
    ("V-067", "画面中晚上 10点无人"),
    ("V-068", "画面进入 ENTERED"),
    ("V-069", "妈妈坐在最爱的沙发上"),
    ("V-070", "手臂抬起 45 度"),
    ("V-070", "手臂抬起四十五度"),
    ("V-070", "门缝宽 3 毫米"),
    ("V-071", "画面中有 %s"),
    ("V-071", "<房间>画面中无人"),
    ("V-072", "画面昏暗,家具轮廓难以看清"),
]

ALLOWED = [
    "已注册成员的身影出现在画面中",
    "任何人站在门前或窗前",
    "画面中无人",
    "床头柜上的台灯发亮，照亮天花板",
    "食指点按发亮的屏幕",
    "温度计读数高于 30 度",
    "站成一直线的身影出现在画面中",
    "屋顶的两天线倒在地面",
    "桌上月饼盒盖打开",
    "茶几周围散落玩具",
    "暂且停在车位上的轿车",
    "画面左侧有 iPad 和 1,000 片拼图",
    "任何人的身体出现在画面中；不含无人机飞过的影子，不含不锈钢门上的倒影",
]


@pytest.mark.parametrize(("check", "text"), REFUSED)
def test_wording_that_is_refused(check: str, text: str) -> None:
    assert check in {finding.id for finding in lint_condition(text, "scene")}


@pytest.mark.parametrize("text", ALLOWED)
def test_wording_that_only_looks_wrong(text: str) -> None:
    assert lint_condition(text, "presence") == ()


@pytest.mark.parametrize("row", SENTENCES, ids=[row["id"] for row in SENTENCES])
def test_well_written_conditions_of_every_kind_pass(row: dict[str, Any]) -> None:
    assert lint_condition(row["text"], row["kind"]) == ()


@pytest.mark.parametrize("kind", ["action", "animal"])
def test_actions_of_people_and_animals_need_all_three_parts(kind: str) -> None:
    found = {finding.id for finding in lint_condition("画面中的身影趴在沙发座面上", kind)}
    assert found == {"V-074", "V-075"}


@pytest.mark.parametrize("kind", ["audio", "presence", "object", "scene"])
def test_other_kinds_may_be_one_sentence(kind: str) -> None:
    assert lint_condition("画面中的身影趴在沙发座面上", kind) == ()


@pytest.mark.parametrize(
    ("counters", "check"),
    [
        ("不含没有坐下，不含跪坐触脚跟", "V-077"),
        ("不含其它类似动作，不含跪坐触脚跟", "V-083"),
        ("不含类似的动作，不含跪坐触脚跟", "V-083"),
        ("不含别的情况，不含跪坐触脚跟", "V-083"),
        ("不含其他家庭成员进门，不含跪坐触脚跟", None),
        ("不含，不含跪坐触脚跟", "V-076"),
        ("不含跪坐触脚跟、蹲在地面，不含趴在桌上", None),
    ],
)
def test_counter_examples_name_something_of_their_own(counters: str, check: str | None) -> None:
    found = lint_condition(f"用户臀部接触座椅，保持坐姿；{counters}", "action", "用户")
    assert [finding.id for finding in found] == ([] if check is None else [check])


def test_the_name_of_an_action_is_no_description() -> None:
    assert "V-082" in {finding.id for finding in lint_condition(f"用户正在玩手机{TAIL}", "action", "用户")}


def test_without_a_subject_nothing_is_said_about_how_it_begins() -> None:
    text = f"臀部接触座椅，保持坐姿{TAIL}"
    assert lint_condition(text, "action") == ()
    assert [finding.id for finding in lint_condition(text, "action", "用户")] == ["V-073"]
    assert [finding.id for finding in lint_condition(text, "action", "")] == ["V-073"]


def test_a_sentence_is_taken_apart_at_its_semicolon() -> None:
    read = read_sentence("用户坐在椅面上；不含蹲着，不含跪坐、趴着", "action", "用户")
    assert (read.body, read.counters) == ("坐在椅面上", ("蹲着", "跪坐、趴着"))


def test_findings_say_in_chinese_what_is_wrong() -> None:
    (finding,) = lint_condition("画面中已无人", "scene")
    assert finding.text == "触发条件不能写“检测到/已…”"
