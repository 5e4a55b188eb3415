"""Chapters 14 and 15 of the clauses: commands and words, what is done on leaving, where a goal is told."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import pytest
from msgspec import UNSET
from tests.household.assembling.saying import BABY, FAMILY, LARGE, OLD
from tests.household.checks.cases import changed, found, rows
from tests.household.composing.writing import plan

from zhixing.household.checks import refused
from zhixing.household.checks.lexicon import says
from zhixing.household.descs import Phrase, When, read_desc

VIOLATIONS = {row["id"]: row for row in rows("violations.jsonl")}
DESCS = ("action_desc", "on_enter_desc", "on_exit_desc", "on_target_desc")
COUNT, EVENTS, TIME, TOTAL = (
    "今天做够50个俯卧撑就播报",
    "记录儿子每次打喷嚏",
    "统计爸爸每周看电视多久",
    "每天累计看书2小时就播报",
)
AGAIN = "每天累计玩手机超过1小时 之后每次放下手机都播报提醒"
NOTICE = re.compile(r"使用 ?(?:音箱播报|手机推送|AI 对话)通知：\S+")
SAID = [
    ("爸爸抽烟就播报", FAMILY),
    ("有人摔倒就推送", FAMILY),
    ("久坐30分钟就推送", FAMILY),
    ("妈妈开始看电视就播报", FAMILY),
    ("爸爸回家就关灯，手机告诉我", FAMILY),
    ("宝宝踢被子就播报", BABY),
    ("奶奶吃药了就推送", OLD),
    (COUNT, FAMILY),
    (EVENTS, FAMILY),
    (TIME, FAMILY),
    (TOTAL, FAMILY),
    (AGAIN, FAMILY),
    ("妈妈回家就开灯", FAMILY),
    ("儿子写作业时把电视关了 写完再打开", FAMILY),
]


@cache
def rule(text: str, home: str = FAMILY) -> dict[str, Any]:
    (one,) = plan(text, home).assembly["rules"]
    return dict(one)


def descs(one: dict[str, Any]) -> list[str]:
    return [one[field] for field in DESCS if one[field] is not None]


def first(desc: str) -> str:
    return desc.partition("；")[0]


@pytest.mark.parametrize(
    ("clause", "check"),
    [
        ("H-ACT-02", "V-039"), ("H-ACT-06", "V-038"), ("H-ACT-07", "V-060"), ("H-ACT-07", "V-061"),
        ("H-DESC-01", "V-040"), ("H-DESC-02", "V-041"), ("H-DESC-03", "V-043"), ("H-DESC-03", "V-048"),
        ("H-DESC-04", "V-044"), ("H-DESC-05", "V-042"), ("H-DESC-06", "V-050"), ("H-DESC-07", "V-051"),
        ("H-DESC-07", "V-052"), ("H-DESC-08", "V-053"), ("H-DESC-09", "V-054"), ("H-DESC-10", "V-046"),
        ("H-EXIT-02", "V-034"), ("H-EXIT-03", "V-035"), ("H-EXIT-04", "V-029"), ("H-GOAL-01", "V-048"),
        ("H-GOAL-02", "V-061"), ("H-GOAL-03", "V-060"), ("H-GOAL-05", "V-055"), ("H-GOAL-06", "V-056"),
        ("H-GOAL-07", "V-057"), ("H-GOAL-07", "V-058"), ("H-GOAL-08", "V-059"), ("H-GOAL-09", "V-202"),
    ],
)  # fmt: skip
def test_a_plan_that_answers_otherwise_is_refused(clause, check) -> None:
    row = VIOLATIONS[check]
    findings = found(changed(row), row.get("home"))
    assert check in {one.id for one in findings}, clause
    assert refused(findings)


def test_entering_and_leaving_are_commands_or_words_each_for_itself() -> None:
    """H-ACT-01: a command on entering with words on leaving, and a command for both."""
    light, television = rule("妈妈回家就开灯"), rule("儿子写作业时把电视关了 写完再打开")
    assert light["on_enter_action"] is not None
    assert light["on_enter_desc"] is None
    assert (light["on_exit_action"], light["on_exit_desc"] is None) == (None, False)
    assert television["on_enter_action"] is not None
    assert television["on_exit_action"] is not None
    assert television["on_exit_desc"] is None


@pytest.mark.parametrize(
    ("text", "field", "phrase"),
    [
        (COUNT, "action_desc", Phrase.COUNT),
        (EVENTS, "action_desc", Phrase.EVENT),
        (TIME, "on_enter_desc", Phrase.START),
        (TIME, "on_exit_desc", Phrase.END),
        (TOTAL, "on_enter_desc", Phrase.START),
        (TOTAL, "on_exit_desc", Phrase.END),
    ],
)
def test_what_writes_to_a_record_says_so_in_its_first_clause(text, field, phrase) -> None:
    """H-ACT-02, H-DESC-06, H-DESC-07, H-DESC-08, H-DESC-09, H-DESC-10: and is read so by what carries it out."""
    one = rule(text)
    assert one["action"] is one["on_enter_action"] is one["on_exit_action"] is None
    record = read_desc(first(one[field])).record
    assert record is not None
    assert record.phrase is phrase


def test_the_words_of_each_kind_of_record() -> None:
    """H-DESC-06, H-DESC-07, H-DESC-08, H-DESC-09, H-DESC-10: <first clause>[；<notification>]."""
    assert re.fullmatch(r"俯卧撑次数加一；首次达标时使用音箱播报通知：\S+", rule(COUNT)["action_desc"]) or (
        re.fullmatch(r"\S+次数加一；首次达标时使用音箱播报通知：\S+", rule(COUNT)["action_desc"])
    )
    assert re.fullmatch(r"事件追加：儿子打喷嚏", rule(EVENTS)["action_desc"])
    assert rule(TIME)["on_enter_desc"] in ("开始计时", "记录起点", "记录计时起点")
    assert rule(TIME)["on_exit_desc"] in ("结束计时", "记录终点")


@pytest.mark.parametrize(("text", "home"), SAID)
def test_words_are_what_a_member_of_the_family_may_read(text, home) -> None:
    """H-DESC-01, H-DESC-02, H-DESC-03, H-DESC-04, H-DESC-05: no command, no finding, no gap, one of three channels."""
    one = rule(text, home)
    for desc in descs(one):
        assert not says("desc.commands_patterns", desc)
        assert not re.search("检测到|识别到|感知到|察觉到", desc)
        assert not re.search(r"\$?\{[^}]*\}|%s", desc)
        for clause in desc.split("；"):
            assert "通知：" not in clause or NOTICE.search(clause)
    if one["channel"] is not None:
        assert any(read_desc(desc).notifications for desc in descs(one))


@pytest.mark.parametrize(
    ("text", "fixed"),
    [
        ("客厅没人就关空调", True),  # 4: one command
        ("妈妈回家就开灯", True),
        ("爸爸抽烟就播报", False),  # a text that is read out is words
        ("爸爸抽烟就播报别抽了", False),
        ("爸爸回家就关灯，手机告诉我", False),  # a command and a notification
        ("健身的时候放点带劲的音乐 挑我喜欢的", False),  # 3: to be chosen at the moment
    ],
)
def test_a_command_is_fixed_and_everything_else_is_words(text, fixed) -> None:
    """H-ACT-04, H-ACT-05, H-ACT-06, H-ACT-08."""
    one = rule(text, LARGE if "音乐" in text else FAMILY)
    command = one["action"] or one["on_enter_action"]
    words = one["action_desc"] or one["on_enter_desc"]
    assert (command is not None, words is not None) == (fixed, not fixed)


def test_writing_comes_before_every_other_reason() -> None:
    """H-ACT-08: counted and told by one text, its first clause the count (1 before 4)."""
    assert read_desc(first(rule(COUNT)["action_desc"])).record is not None
    assert rule(COUNT)["action"] is None


def test_hours_that_no_camera_sees_are_judged_at_the_moment() -> None:
    """H-ACT-04: what depends on the time is no fixed command, and is told (A-26)."""
    composed = plan("晚上10点以后儿子看电视就推送")
    assert composed.assembly["rules"][0]["action"] is None
    assert "time_gate" in {tip.kind for tip in composed.tips}


def test_what_was_switched_on_is_looked_at_again_on_leaving() -> None:
    """H-ACT-03, H-EXIT-03: in words, because it may be needed still; and told as a default."""
    composed = plan("有人在客厅就开灯")
    (one,) = composed.assembly["rules"]
    assert (one["on_exit_action"], one["on_exit_origin"]) == (None, "default")
    assert re.search("检查.*复位", one["on_exit_desc"])
    assert "on_exit_reset_default" in {tip.kind for tip in composed.tips}


@pytest.mark.parametrize(
    ("clause", "text"),
    [
        ("H-EXIT-01", "有人进门就开灯 离开不用管"),
        ("H-EXIT-01", "客厅有人就开空调 走了也别关"),
        ("H-EXIT-02", "爸爸回家就播报"),
        ("H-EXIT-02", "妈妈回家就播放欢迎曲"),
    ],
)
def test_there_is_nothing_on_leaving(clause, text) -> None:
    """H-EXIT-01, H-EXIT-02, H-EXIT-04: neither command nor words, not even empty ones."""
    composed = plan(text)
    (one,) = composed.assembly["rules"]
    assert (one["on_exit_action"], one["on_exit_desc"]) == (None, None), clause
    (made,) = composed.plan.rules
    assert not made.exit_actions or made.exit_actions is UNSET
    assert not made.exit_descs or made.exit_descs is UNSET


def test_what_holds_at_a_stretch_is_told_by_the_rule() -> None:
    """H-GOAL-01: of an event in its action, of a state on entering."""
    assert read_desc(rule("久坐30分钟就推送")["action_desc"]).notifications
    assert read_desc(rule("妈妈开始看电视就播报")["on_enter_desc"]).notifications
    assert rule("久坐30分钟就推送")["on_target_desc"] is None


def test_what_adds_up_is_told_when_its_target_is_reached() -> None:
    """H-GOAL-02, H-GOAL-05, H-GOAL-06, H-GOAL-07, H-ACT-07: begin, end, and the news, each in its own place."""
    one = rule(TOTAL)
    assert (one["on_enter_desc"], one["on_exit_desc"]) == ("记录计时起点", "结束计时")
    target = read_desc(one["on_target_desc"])
    assert target.record is None
    assert target.rest == ()
    assert len(target.notifications) == 1
    assert not re.search(r"\d|小时|分钟", one["on_target_desc"])


def test_a_count_is_told_in_its_last_clause_and_only_when_the_goal_is_reached() -> None:
    """H-GOAL-03, H-ACT-07."""
    (notice,) = read_desc(rule(COUNT)["action_desc"]).notifications
    assert notice.when is When.FIRST
    assert rule(COUNT)["action_desc"].endswith(notice.text)


def test_each_leaving_behind_the_goal_is_told_only_where_that_was_said() -> None:
    """H-GOAL-04, H-GOAL-06."""
    (notice,) = read_desc(rule(AGAIN)["on_exit_desc"]).notifications
    assert notice.when is When.REACHED
    assert first(rule(AGAIN)["on_exit_desc"]) == "结束计时"
    assert read_desc(rule(TOTAL)["on_exit_desc"]).notifications == ()


@pytest.mark.parametrize(("text", "home"), SAID)
def test_words_for_a_target_have_a_target_and_come_behind_the_record(text, home) -> None:
    """H-GOAL-08, H-GOAL-09."""
    assembly = plan(text, home).assembly
    targets = [one for one in assembly["rules"] if one["on_target_desc"] is not None]
    if targets:
        assert assembly["record"]["kind"] == "duration"
        assert assembly["record"]["content"]["target_minutes"] > 0
        steps = assembly["steps"]
        assert steps.index("task") < steps.index("record") < steps.index("rule:0")
    assert bool(targets) == (text in (TOTAL, AGAIN))
