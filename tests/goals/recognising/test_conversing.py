"""A conversation under way: answers, the three rounds, choices out of a list, changes, buttons."""

from __future__ import annotations

import pytest
from tests.goals.recognising.saying import CODE, REPORT, TWO, WHOLE, body, card, draft, talk, values

from zhixing.goals.recognising.model import Clarify, Element, NeedsModel, Ready, Select, Shown, Silent

NO_ACCEPTANCE = f"{CODE}，不动接口逻辑"
NO_CONSTRAINT = f"{CODE}，CI 通过"


@pytest.mark.parametrize(
    ("reply", "accepted"),
    [
        ("A", ["CI 通过"]),
        ("(a)", ["CI 通过"]),
        ("就选Ａ吧", ["CI 通过"]),
        ("A) CI 通过", ["CI 通过"]),
        ("按 A 来", ["CI 通过"]),
        ("A，谢谢", ["CI 通过"]),
        ("第二个", ["Review 通过"]),
        ("2", ["Review 通过"]),
        ("AB 都要", ["CI 通过", "Review 通过"]),
        ("前两个", ["CI 通过", "Review 通过"]),
        ("CI 和 Review", ["CI 通过", "Review 通过"]),
        ("都要", ["CI 通过", "Review 通过", "测试通过"]),
        ("review", ["Review 通过"]),
        ("D，真机验证", ["真机验证"]),
        ("其他：真机验证", ["真机验证"]),
        ("验收标准：真机点得到", ["真机点得到"]),
        ("真机上点得到按钮", ["真机上点得到按钮"]),
    ],
)
def test_an_option_is_picked_by_letter_number_or_name_or_replaced(reply, accepted) -> None:
    found = card(NO_ACCEPTANCE, reply)
    assert isinstance(found, Ready)
    assert list(found.draft.acceptance_criteria) == accepted


@pytest.mark.parametrize("reply", ["F", "CI 是指哪条流水线？", "不知道", "等我问问", "什么意思"])
def test_what_is_no_answer_fills_in_nothing(reply) -> None:
    found = body(NO_ACCEPTANCE, reply)
    assert found["missing_fields"] == ["acceptance_criteria"]
    assert found["questions"][0].startswith("验收标准是以下哪个？")


def test_other_alone_is_asked_for_openly() -> None:
    assert body(NO_ACCEPTANCE, "D")["questions"] == ["验收标准是什么？"]


@pytest.mark.parametrize("reply", ["没有", "无", "暂时没有", "没什么特别的约束", "无特殊要求", "不限", "约束：无"])
def test_no_constraint_is_an_answer(reply) -> None:
    found = card(NO_CONSTRAINT, reply)
    assert isinstance(found, Ready)
    assert found.draft.constraints == ("无",)
    assert Element.CONSTRAINTS not in found.draft.inferred


@pytest.mark.parametrize(
    "reply",
    [
        "B，不动接口",
        "B；约束：不动接口",
        "不动接口，Review 通过",
        "B\n不动接口",
        "B 不动接口",
        "验收标准选B，约束不动接口",
        "第二题 B，第三题不动接口",
    ],
)
def test_several_questions_are_answered_in_one_reply(reply) -> None:
    """L-1.18."""
    found = draft(CODE, reply)
    assert values(found) == ("修复登录页按钮错位", ["代码 PR"], ["Review 通过"], ["不动接口"])
    assert found.inferred == {Element.DELIVERABLES}


def test_numbers_name_the_questions() -> None:
    found = draft(CODE, "1. 对\n2. A\n3. 不动接口")
    assert values(found) == ("修复登录页按钮错位", ["代码 PR"], ["CI 通过"], ["不动接口"])
    assert not found.inferred


@pytest.mark.parametrize(
    "reply",
    ["不对，是修改说明文档；A；无", "交付物不是 PR，是修改说明文档；A；无", "交付物错了，应该是修改说明文档；A；无"],
)
def test_what_was_inferred_is_replaced_by_what_is_said(reply) -> None:
    """L-1.20."""
    found = draft(CODE, reply)
    assert values(found) == ("修复登录页按钮错位", ["修改说明文档"], ["CI 通过"], ["无"])
    assert not found.inferred


def test_what_was_denied_is_not_inferred_again() -> None:
    for replies in (["不对"], ["不对", "不知道"]):
        found = body(CODE, *replies)
        assert found["deliverables"] == []
        assert found["questions"][0] == "交付物是什么？"


def test_what_was_asked_back_once_is_not_asked_back_again() -> None:
    assert "对吗" in body(CODE)["questions"][0]
    again = body(CODE, "A")
    assert again["needs_confirmation"] == ["deliverables"]
    assert again["questions"] == ["有什么约束吗？（如不动接口、指定分支等）"]


def test_a_new_goal_begins_its_inferences_anew() -> None:
    found = draft(CODE, "目标改成修复 PR #1300 的命名问题")
    assert (found.goal, found.deliverables) == ("修复 PR #1300 的命名问题", ("代码 PR（命名修正）",))


def test_words_that_could_answer_two_questions_are_left_to_a_model() -> None:
    assert isinstance(talk(CODE, "按设计稿来"), NeedsModel)
    assert draft(CODE, "A，按设计稿来").constraints == ("按设计稿来",)


def test_the_third_unclear_reply_takes_the_default_and_marks_it() -> None:
    """L-1.19."""
    assert isinstance(card(CODE, "不知道", "都行"), Clarify)
    found = card(CODE, "不知道", "都行", "你看着办")
    assert isinstance(found, Ready)
    assert values(found.draft) == ("修复登录页按钮错位", ["代码 PR"], ["CI 通过"], ["无特殊约束"])
    assert found.draft.inferred == {Element.DELIVERABLES, Element.ACCEPTANCE, Element.CONSTRAINTS}


def test_every_element_has_rounds_of_its_own() -> None:
    assert body(CODE, "A", "不清楚")["missing_fields"] == ["constraints"]
    assert card(CODE, "A", "不清楚", "随便").draft.constraints == ("无特殊约束",)


def test_a_default_is_not_asked_back() -> None:
    found = body(CODE, "不对", "A", "不知道")
    assert (found["constraints"], found["questions"]) == (["无特殊约束"], ["交付物是什么？"])
    assert body("/task 生成本月月报，周五前", "不知道", "都行", "不清楚")["type"] == "task_ready"


def test_vague_words_never_become_a_goal() -> None:
    found = body("/task 随便", "不知道", "都行", "你定", "随便")
    assert (found["goal"], found["type"]) == ("", "task_clarify")


@pytest.mark.parametrize("reply", ["①", "1", "第一个", "先做第一个", "先修登录页", "A"])
def test_a_task_is_chosen_and_the_other_is_given_to_the_platform(reply) -> None:
    found = talk(TWO, reply)
    assert isinstance(found, Shown)
    assert found.card == card(CODE)
    assert found.markers == ('[待处理任务]\n  ② 生成本月月报\n  source: "生成本月月报"',)


@pytest.mark.parametrize("reply", ["随便", "都要", "7", "⑤"])
def test_a_choice_that_is_none_shows_the_list_again(reply) -> None:
    assert talk(TWO, reply) == talk(TWO)
    assert isinstance(card(TWO), Select)


def test_what_was_said_of_a_task_is_kept_until_it_is_chosen() -> None:
    found = talk(f"/task workflow_id='wf_1' {WHOLE[6:]}；还有月报也帮我生成了", "①，交付物是补丁文件")
    assert isinstance(found.card, Ready)
    assert found.card.draft.workflow_id == "wf_1"
    assert values(found.card.draft) == ("修复登录页按钮错位", ["补丁文件"], ["CI 通过"], ["不动接口逻辑"])


@pytest.mark.parametrize(
    ("said", "acceptance", "constraints"),
    [
        ("约束改成今天内", ["CI 通过"], ["今天内"]),
        ("请把约束换成：1. 今天内 2. 不动数据库", ["CI 通过"], ["今天内", "不动数据库"]),
        ("约束再加上今天内完成", ["CI 通过"], ["不动接口逻辑", "今天内完成"]),
        ("再加一条约束：今天内", ["CI 通过"], ["不动接口逻辑", "今天内"]),
        ("不动公共组件", ["CI 通过"], ["不动接口逻辑", "不动公共组件"]),
        ("约束第一条改成不动数据库", ["CI 通过"], ["不动数据库"]),
        ("去掉约束", ["CI 通过"], ["无"]),
        ("约束不要了", ["CI 通过"], ["无"]),
        ("去掉不动接口逻辑这条约束", ["CI 通过"], ["无"]),
        ("把 CI 通过改成测试通过", ["测试通过"], ["不动接口逻辑"]),
        ("约束改成今天内，验收标准改成 Review 通过", ["Review 通过"], ["今天内"]),
    ],
)
def test_a_whole_draft_is_changed_in_conversation(said, acceptance, constraints) -> None:
    """L-1.27."""
    found = card(WHOLE, said)
    assert isinstance(found, Ready)
    assert values(found.draft) == ("修复登录页按钮错位", ["代码 PR"], acceptance, constraints)
    assert found.draft.inferred == {Element.DELIVERABLES}


def test_another_deliverable_stands_beside_an_inferred_one_a_said_one_replaces_it() -> None:
    assert draft(WHOLE, "交付物再加一份测试报告").deliverables == ("代码 PR", "测试报告")
    assert draft(WHOLE, "交付物改成修改说明文档").inferred == frozenset()


def test_an_element_that_was_taken_away_is_asked_for() -> None:
    assert body(WHOLE, "删除验收标准")["missing_fields"] == ["acceptance_criteria"]
    assert body(WHOLE, "交付物不对")["questions"] == ["交付物是什么？"]


def test_resources_come_and_go() -> None:
    added = "资源加上 https://doc.example.com/prd#3.2"
    assert draft(WHOLE, added).resources == ("https://doc.example.com/prd#3.2",)
    assert draft(WHOLE, added, "资源去掉 https://doc.example.com/prd#3.2").resources == ()


@pytest.mark.parametrize(
    "said",
    ["执行", "丢弃吧", "暂存", "不要了，删掉", "谢谢", "好的，辛苦了", "这个要多久？", '{"__taskAction":"execute"}'],
)
def test_a_button_that_is_typed_and_chat_change_nothing(said) -> None:
    assert talk(WHOLE, said) == Silent()


@pytest.mark.parametrize("said", ["改一下", "我想改约束"])
def test_a_change_that_is_not_said_shows_the_card_again(said) -> None:
    assert card(WHOLE, said) == card(WHOLE)


def test_a_change_that_rules_do_not_understand_is_left_to_a_model() -> None:
    assert isinstance(talk(WHOLE, "范围再小一点"), NeedsModel)


def test_a_goal_that_is_answered_with_two_tasks_becomes_a_list() -> None:
    assert talk("/task", TWO[6:]) == talk(TWO)


def test_a_report_is_finished_in_three_turns() -> None:
    found = card(REPORT, "B", "主管确认后算完成，周五前")
    assert isinstance(found, Ready)
    assert values(found.draft) == ("生成本月月报", ["PDF"], ["主管确认"], ["周五前"])
