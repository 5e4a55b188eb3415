"""The scenarios R1 to R7 of taskloop §8, by their names there."""

from __future__ import annotations

import pytest
from tests.goals.recognising.saying import CODE, REPORT, TWO, body, card, platform, talk, user

from zhixing.goals.recognising.cards import CARD_ID, body_of, envelope
from zhixing.goals.recognising.model import Shown, Silent
from zhixing.goals.recognising.recognising import recognise

PANEL = '<AixUI type="panel" component="taskPanel.TaskLoopView" params=\'{"taskId":"t"}\'></AixUI>'
FIRST_OF_TWO = [TWO, "①"]


def test_r1_a_description_becomes_a_card_of_questions_with_what_was_inferred_to_be_confirmed() -> None:
    """L-1.2."""
    asked = body(CODE)
    assert (asked["type"], asked["task_type"], asked["goal"]) == ("task_clarify", "dynamic", "修复登录页按钮错位")
    assert asked["missing_fields"] == ["acceptance_criteria", "constraints"]
    assert asked["needs_confirmation"] == ["deliverables"]
    assert envelope(card(CODE)).startswith(f"<AixUI cardId='{CARD_ID}'>\n{{\n")
    assert CARD_ID == "card_3e31e1f1"


def test_r2_the_command_alone_is_asked_for_its_goal_by_one_question() -> None:
    """L-1.5."""
    asked = body("/task")
    assert (asked["goal"], asked["missing_fields"][0], len(asked["questions"])) == ("", "goal", 1)


def test_r3_a_workflow_with_all_four_is_ready_and_no_resource() -> None:
    """L-1.26."""
    ready = body("/task workflow_id='wf_1' 修复登录页按钮错位，要 CI 通过，不动接口逻辑")
    assert (ready["type"], ready["task"]["task_type"], ready["task"]["workflow_id"]) == (
        "task_ready",
        "workflow",
        "wf_1",
    )
    assert ready["task"]["resources"] == []
    assert ready["actions"] == ["execute", "discard", "save"]


def test_r4_a_summary_that_comes_back_is_asked_about_and_a_whole_draft_is_ready() -> None:
    summary = recognise([platform('[RESUME_TASK]\n  生成本月月报\n  source: "月报也帮我生成了"')])
    lines = ("goal: 修复命名", "deliverables: 代码 PR", "acceptance_criteria: CI 通过", "constraints: 不动接口逻辑")
    whole = recognise([platform("[RESUME_TASK]\n  " + "\n  ".join(lines) + "\n  source: 用户暂存的草稿")])
    assert isinstance(summary, Shown)
    assert isinstance(whole, Shown)
    assert [body_of(each.card)["type"] for each in (summary, whole)] == ["task_clarify", "task_ready"]


def test_r5_of_two_tasks_one_is_begun_and_the_other_given_to_the_platform() -> None:
    assert body(TWO)["type"] == "task_multi_select"
    begun = talk(*FIRST_OF_TWO)
    assert isinstance(begun, Shown)
    assert body_of(begun.card)["goal"] == "修复登录页按钮错位"
    assert len(begun.markers) == 1
    assert begun.markers[0].startswith("[待处理任务]\n  ② 生成本月月报\n  source: ")


@pytest.mark.parametrize("text", [PANEL, "[EXPLICIT_TASK] 修复命名", "发起任务：修复命名", "做个任务吧", "转任务"])
def test_r6_what_is_no_entry_is_met_with_silence(text: str) -> None:
    """L-1.10."""
    assert isinstance(recognise([user(text)]), Silent)


def test_r7_the_third_unclear_reply_ends_the_questions_with_marked_defaults() -> None:
    before = body(REPORT, "不知道", "不清楚")
    assert before["type"] == "task_clarify"
    ended = body(REPORT, "不知道", "不清楚", "没想好")
    assert ended["type"] == "task_ready"
    assert {"acceptance_criteria", "deliverables"} <= set(ended["needs_confirmation"])
