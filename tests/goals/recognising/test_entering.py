"""What begins a task and what does not: `/task`, workflow ids, `[RESUME_TASK]`, the panel's tag, everything else."""

from __future__ import annotations

import pytest
from tests.goals.recognising.saying import CODE, WHOLE, assistant, body, card, draft, platform, talk, user, values

from zhixing.goals.recognising.cards import body_of
from zhixing.goals.recognising.model import Ready, Shown, Silent
from zhixing.goals.recognising.recognising import recognise

PANEL = """<AixUI type="panel" component="taskPanel.TaskLoopView" tab='{"id":"task-1"}' params='{}'></AixUI>"""


@pytest.mark.parametrize(
    "text",
    [
        "/task 修复登录页按钮错位",
        "  /task 修复登录页按钮错位",
        "/TASK 修复登录页按钮错位",
        "／task修复登录页按钮错位",
        "/task\n修复登录页按钮错位",
    ],
)
def test_the_command_begins_a_message(text) -> None:
    """L-1.1."""
    assert draft(text).goal == "修复登录页按钮错位"


@pytest.mark.parametrize(
    "text",
    [
        "发起任务：修复登录页按钮错位",
        "好的 /task 修复登录页按钮错位",
        "`/task 修复登录页按钮错位`",
        "/tasks 修复登录页按钮错位",
        "/task-loop 修复登录页按钮错位",
        "//task 修复登录页按钮错位",
        "/ task 修复登录页按钮错位",
        "[EXPLICIT_TASK] 修复登录页按钮错位",
        "[RESUME_TASK]\n  生成本月月报",
        "[planning] 目标节点 node_id=g-1，用户原话：/task 修复登录页",
        "执行",
        "②",
        "",
    ],
)
def test_anything_else_of_a_user_is_met_with_silence(text) -> None:
    assert talk(text) == Silent()


@pytest.mark.parametrize(
    ("head", "workflow"),
    [
        ("workflow_id='wf_1'", "wf_1"),
        ("workflow_id=' wf_1 '，", "wf_1"),
        ("workflow_id=‘wf_1’", "wf_1"),
        ("workflow_id=''", ""),
        ("workflow_id=", ""),
        ('workflow_id="wf_1"', None),
        ("workflow_id=wf_1", None),
        ("workflow_id='wf_1", None),
        ("请用 workflow_id='wf_1'", None),
    ],
)
def test_a_workflow_is_named_by_the_first_argument_in_single_quotes(head, workflow) -> None:
    """L-1.3."""
    found = draft(f"/task {head} 修复登录页按钮错位")
    assert (found.goal, found.workflow_id) == ("修复登录页按钮错位", workflow)


def test_a_workflow_without_an_id_is_asked_for_it_and_never_ready() -> None:
    """L-1.4."""
    asked = body("/task workflow_id='' 修复登录页按钮错位，CI 通过，不动接口")
    assert asked["type"] == "task_clarify"
    assert "workflow_id" in asked["questions"][0]
    assert draft("/task workflow_id='' 修复登录页按钮错位，CI 通过，不动接口", "wf_9").workflow_id == "wf_9"


@pytest.mark.parametrize("text", [PANEL, f"\n {PANEL}\n", "<AixUI type='panel' component='task-loop'></AixUI>"])
def test_the_tag_of_the_panel_is_met_with_silence_whatever_was_before(text) -> None:
    """L-1.9."""
    assert talk(text) == Silent()
    assert talk(CODE, text) == Silent()


def test_the_tag_of_the_panel_is_no_reply() -> None:
    assert card(CODE, "不知道", "都行", PANEL, "B，今天内") == card(CODE, "B，今天内")


DRAFT = "[RESUME_TASK]\n  goal: 修复登录页按钮错位\n  deliverables: 代码 PR、截图\n  acceptance_criteria: CI 通过；Review 通过\n  constraints: 今天内"


def given_back(text, *more, context=None):
    found = recognise([platform(text), *more] if text else list(more), context)
    assert isinstance(found, Shown)
    return found.card


def test_a_saved_draft_comes_back_ready() -> None:
    """L-1.7."""
    found = given_back(DRAFT)
    assert isinstance(found, Ready)
    assert values(found.draft) == (
        "修复登录页按钮错位",
        ["代码 PR", "截图"],
        ["CI 通过", "Review 通过"],
        ["今天内"],
    )


def test_a_summary_is_one_task_whatever_it_looks_like() -> None:
    """L-1.6."""
    assert (
        given_back('[RESUME_TASK]\n  修复登录页按钮错位，另外生成本月月报\n  source: "x"').draft.goal
        == "修复登录页按钮错位，另外生成本月月报"
    )
    assert given_back('[RESUME_TASK]\n  订周五团建的餐厅\n  source: "x"').draft.goal == "订周五团建的餐厅"


def test_a_card_that_was_saved_comes_back_with_its_marks() -> None:
    saved = card(WHOLE)
    assert given_back("[RESUME_TASK]\n" + assistant(saved).text) == saved


@pytest.mark.parametrize("written", ["workflow_id: wf_1", '["workflow_id: wf_1"]', "https://a.b/c, workflow_id: wf_1"])
def test_an_old_draft_hides_its_workflow_among_the_resources(written) -> None:
    """L-1.13."""
    found = given_back(f"{DRAFT}\n  resources: {written}").draft
    assert found.workflow_id == "wf_1"
    assert "workflow_id" not in str(found.resources)


def test_the_command_goes_before_a_task_that_is_given_back() -> None:
    """L-1.8."""
    assert given_back(DRAFT, user("/task 生成本月月报")).draft.goal == "生成本月月报"


def test_the_context_counts_like_a_message_of_the_platform_until_it_is_answered() -> None:
    first = given_back(None, user("继续"), context="[RESUME_TASK]\n  生成本月月报")
    assert first.draft.goal == "生成本月月报"
    second = recognise([user("继续"), assistant(first), user("B")], "[RESUME_TASK]\n  生成本月月报")
    assert body_of(second.card)["deliverables"] == ["PDF"]


def test_nothing_is_said_to_nothing_and_not_to_oneself() -> None:
    assert recognise([]) == Silent()
    assert recognise([user(CODE), assistant(card(CODE))]) == Silent()
    assert recognise([platform("当前群：前端小组")]) == Silent()
