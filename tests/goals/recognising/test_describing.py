"""What a description says: labels, words that speak for themselves, one task or several, and when rules step back."""

from __future__ import annotations

import pytest
from tests.goals.recognising.saying import CODE, body, card, draft, talk, values

from zhixing.goals.recognising.model import Clarify, NeedsModel, Ready, Select

FULL = ("修复登录页按钮错位", ["代码 PR"], ["CI 通过"], ["不动接口逻辑"])


@pytest.mark.parametrize(
    "text",
    [
        "目标：修复登录页按钮错位。交付物：代码 PR。验收标准：CI 通过。约束：不动接口逻辑。",
        "目标：修复登录页按钮错位 交付物：代码 PR 验收标准：CI 通过 约束：不动接口逻辑",
        "【目标】修复登录页按钮错位【交付物】代码 PR【验收标准】CI 通过【约束】不动接口逻辑",
        "约束：不动接口逻辑；验收标准：CI 通过；交付物：代码 PR；目标：修复登录页按钮错位",
        "goal=修复登录页按钮错位; deliverables=代码 PR; acceptance_criteria=CI 通过; constraints=不动接口逻辑",
        "目标→修复登录页按钮错位；交付物→代码 PR；验收标准→CI 通过；约束→不动接口逻辑",
        "| 要素 | 内容 |\n| 目标 | 修复登录页按钮错位 |\n| 交付物 | 代码 PR |\n| 验收标准 | CI 通过 |\n| 约束 | 不动接口逻辑 |",
        "登录页\n目标：修复登录页按钮错位\n交付物：代码 PR\n验收标准：CI 通过\n约束：不动接口逻辑",
        "背景：昨天上线后出现\n目标：修复登录页按钮错位\n交付物：代码 PR\n验收标准：CI 通过\n约束：不动接口逻辑",
        '{"goal":"修复登录页按钮错位","deliverables":["代码 PR"],"acceptance_criteria":["CI 通过"],"constraints":["不动接口逻辑"]}',
    ],
)
def test_labels_are_read_however_they_are_written(text) -> None:
    """L-1.11."""
    assert values(draft(f"/task {text}")) == FULL
    assert not draft(f"/task {text}").inferred


@pytest.mark.parametrize(
    ("text", "acceptance", "constraints"),
    [
        ("不动接口；验收以 CI 为准", ["CI"], ["不动接口"]),
        ("要求 CI 通过，在 dev 分支上改", ["CI 通过"], ["在 dev 分支上改"]),
        ("PR 合入就算完成，别动公共组件，下周三前", ["PR 合入"], ["别动公共组件", "下周三前"]),
        ("CI 和 Review 都要过，截止周五", ["CI 和 Review 都要过"], ["截止周五"]),
        ("QA 验收通过才算，12 月 5 日前完成", ["QA 验收通过"], ["12 月 5 日前完成"]),
        ("做到 CI 全绿为止，停机不超过 10 分钟", ["CI 全绿"], ["停机不超过 10 分钟"]),
        ("测试通过即可，没什么特别的约束", ["测试通过"], ["无"]),
        ("产品经理确认，尽快", ["产品经理确认"], ["尽快"]),
        ("Review 通过为准，不动接口、今天内完成", ["Review 通过"], ["不动接口", "今天内完成"]),
    ],
)
def test_words_without_a_label_say_which_element_they_are_about(text, acceptance, constraints) -> None:
    found = draft(f"{CODE}，{text}")
    assert values(found) == ("修复登录页按钮错位", ["代码 PR"], acceptance, constraints)


@pytest.mark.parametrize(
    ("said", "goal"),
    [
        ("修一下 PR #1243 的命名问题", "修复 PR #1243 的命名问题"),
        ("麻烦帮我把搜索框回车没反应这个问题修了", "修复搜索框回车没反应这个问题"),
        ("帮忙修下登录页按钮错位哈", "修复登录页按钮错位"),
        ("能不能帮我修复登录页按钮错位？", "修复登录页按钮错位"),
        ("月报也帮我生成了", "生成本月月报"),
        ("写个周报", "写本周周报"),
        ("整理下周三评审会的名单", "整理下周三评审会的名单"),
        ("生成 11 月月报", "生成 11 月月报"),
        ("出一份本季度销售分析报告", "出一份本季度销售分析报告"),
        ("今天内修复登录页按钮错位", "修复登录页按钮错位"),
        ("修一下 https://git.example.com/pr/8 的命名问题", "修复该链接的命名问题"),
    ],
)
def test_a_goal_is_one_plain_phrase_with_its_verb_first(said, goal) -> None:
    assert draft(f"/task {said}").goal == goal


@pytest.mark.parametrize(
    "text", ["随便吧", "看看今天有什么", "你看着办", "修一下", "帮我弄一下那个东西", "有空看看", "。。。", "🎉"]
)
def test_vague_words_are_no_goal(text) -> None:
    """L-1.14."""
    found = body(f"/task {text}")
    assert found["goal"] == ""
    assert found["questions"] == ["你想做什么任务？能说说具体目标吗？"]


def tasks(text):
    found = card(text)
    assert isinstance(found, Select), found
    return list(found.summaries)


@pytest.mark.parametrize(
    "text",
    [
        "修复登录页按钮错位；生成本月月报",
        "修复登录页按钮错位。还有月报也帮我生成了",
        "修复登录页按钮错位和生成本月月报",
        "1. 修复登录页按钮错位 2. 生成本月月报",
        "帮我做两件事：修复登录页按钮错位、生成本月月报",
        "我有两个任务：一是修复登录页按钮错位，二是生成本月月报",
        "任务一：修复登录页按钮错位\n任务二：生成本月月报",
        "修复登录页按钮错位，不动接口；另外生成本月月报，周五前给",
        "目标：修复登录页按钮错位；约束：不动接口；另外生成本月月报",
        "目标：修复登录页按钮错位；交付物：代码 PR\n目标：生成本月月报；交付物：PDF",
        "修复登录页按钮错位；随便看看；生成本月月报",
    ],
)
def test_two_independent_tasks_become_a_list(text) -> None:
    """L-1.21."""
    assert tasks(f"/task {text}") == ["修复登录页按钮错位", "生成本月月报"]


def test_of_six_tasks_five_are_listed_and_that_is_said() -> None:
    """L-1.22."""
    found = card("/task 修复登录页按钮错位；生成本月月报；整理供应商名单；订周五团建的餐厅；翻译产品手册；换打印机墨盒")
    assert isinstance(found, Select)
    assert len(found.summaries) == 5
    assert "还有更多任务，建议分批发起" in found.prompt
    assert "以上是我识别到的任务，还有遗漏吗？" in found.prompt


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("修复登录接口超时，顺便把这次的排查过程写成复盘文档", "复盘文档"),
        ("整理竞品功能清单，同时根据清单出一份对比表", "对比表"),
        ("修复登录页按钮错位并提交 PR", "PR"),
    ],
)
def test_what_rests_on_the_first_action_is_its_deliverable(text, made) -> None:
    """L-1.23."""
    assert draft(f"/task {text}").deliverables == (made,)


@pytest.mark.parametrize(
    "text",
    [
        "帮我调研一下三家国内云厂商",
        "修复登录接口超时，顺便订一下周五团建的餐厅",
        "修复登录页按钮错位，就是登录页那个按钮歪了，把它修好",
        "fix the naming in PR #1243, CI must pass",
        "产出一份云厂商对比表（Excel），周五前完成",
        "登录页按钮错位",
        "修复登录接口超时，写一份复盘文档",
    ],
)
def test_what_rules_are_not_certain_of_is_left_to_a_model(text) -> None:
    assert isinstance(talk(f"/task {text}"), NeedsModel)


def test_a_command_that_speaks_of_earlier_messages_brings_them_to_the_model() -> None:
    found = talk("登录页按钮错位了，CI 要通过", "/task 修一下上面说的问题")
    assert isinstance(found, NeedsModel)
    assert "登录页按钮错位了" in found.text
    assert found.fallback.card.draft.goal == ""


def test_one_reasonable_value_is_filled_in_several_are_asked() -> None:
    """L-1.15."""
    code, report = body(CODE), body("/task 生成本月月报")
    assert (code["deliverables"], code["needs_confirmation"]) == (["代码 PR"], ["deliverables"])
    assert code["questions"][1] == "验收标准是以下哪个？A) CI 通过  B) Review 通过  C) 测试通过  D) 其他"
    assert (report["deliverables"], report["needs_confirmation"]) == ([], [])
    assert report["questions"][0].endswith("D) 其他")


def test_links_are_resources_and_no_part_of_the_goal() -> None:
    """L-1.12."""
    found = draft(f"{CODE}，参考 https://git.example.com/pr/8，设计稿 https://design.example.com/f/9。")
    assert found.resources == ("https://git.example.com/pr/8", "https://design.example.com/f/9")
    assert found.goal == "修复登录页按钮错位"


def test_a_task_with_all_four_is_ready_at_once_and_one_without_asks() -> None:
    assert isinstance(card(f"{CODE}，CI 通过，今天内"), Ready)
    assert isinstance(card(f"{CODE}，CI 通过"), Clarify)
