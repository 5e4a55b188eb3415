"""The local grammar: what it reads, verbatim, and where it steps back to let a model decide."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from zhixing.notices.grammar import LONGEST_LOCAL, read
from zhixing.notices.model import Candidate, CandidateNode, NeedsModel, NodeKind

DEADLINE, END, OPEN, REMINDER, START = (
    NodeKind.DEADLINE,
    NodeKind.END,
    NodeKind.OPEN,
    NodeKind.REMINDER,
    NodeKind.START,
)


def candidate(text: str) -> Candidate:
    found = read(text)
    assert isinstance(found, Candidate), f"{text} was not read: {found}"
    return found


def node(text: str) -> CandidateNode:
    (found,) = candidate(text).nodes
    return found


def why(text: str) -> str:
    found = read(text)
    assert isinstance(found, NeedsModel), f"{text} was read: {found}"
    return found.why


# What happens at the time.

KINDS = [
    # The time modifies the reminder.
    ("明天下午3点提醒我开会", REMINDER),
    ("明天下午3点通知我取快递", REMINDER),
    ("明天下午3点叫我起床", REMINDER),
    ("明天下午3点喊我", REMINDER),
    ("明天下午3点提醒我", REMINDER),
    ("明天下午3点，提醒我开会", REMINDER),
    ("明天下午3点的时候提醒我开会", REMINDER),
    ("明天下午3点记得提醒我", REMINDER),
    ("请在明天下午3点提醒我开会", REMINDER),
    ("明天下午3点准时提醒我开会", REMINDER),
    ("明天下午3点给我发个提醒", REMINDER),
    ("提醒我明天下午3点", REMINDER),
    ("到明天下午3点提醒我", REMINDER),
    ("10分钟后提醒我关火", REMINDER),
    ("提醒我10分钟后关火", REMINDER),
    ("再过半小时叫我", REMINDER),
    ("10月20日提醒我交房租", REMINDER),
    # It does not.
    ("提醒我明天下午3点开会", START),
    ("记得明天下午3点开会", START),
    ("明天下午3点开会，提醒我", START),
    ("明天下午3点开会，提醒我一下", START),
    ("明天下午3点的会议，记得提醒我", START),
    ("明天下午3点通知大家开会", START),
    ("明天下午3点叫孩子起床", START),
    ("明天下午3点准时开会", START),
    # Starts.
    ("明天下午3点开会", START),
    ("明天开会", START),
    ("10月20日9:00开始上课", START),
    ("10月20日9:00开始抢票", START),
    ("10月20日开放日参观", START),
    ("10月20日交接工作", START),
    ("10月20日交流会", START),
    ("10月20日还有会", START),
    ("10月20日前往北京", START),
    ("10月20日上午9点前台集合", START),
    ("10月20日前端评审", START),
    ("10月20日18:00止痛药", START),
    ("10月20日完成度汇报", START),
    ("半小时后开会", START),
    # Deadlines.
    ("10月20日18:00前交材料", DEADLINE),
    ("10月20日18点之前交报告", DEADLINE),
    ("10月20日以前还书", DEADLINE),
    ("10月20日18:00截止", DEADLINE),
    ("10月20日18:00止", DEADLINE),
    ("10月20日截止报名", DEADLINE),
    ("报名截止到10月20日", DEADLINE),
    ("截止时间：10月20日18:00", DEADLINE),
    ("最晚10月20日交材料", DEADLINE),
    ("最迟10月20日18:00交材料", DEADLINE),
    ("不晚于10月20日18:00交材料", DEADLINE),
    ("ddl 10月20日", DEADLINE),
    ("请于10月20日18:00前提交", DEADLINE),
    ("请务必10月20日完成", DEADLINE),
    ("10月20日护照到期", DEADLINE),
    ("10月20日会员过期", DEADLINE),
    ("10月20日交房租", DEADLINE),
    ("10月20日还信用卡", DEADLINE),
    ("10月20日缴费", DEADLINE),
    ("10月20日提交申请", DEADLINE),
    ("10月20日完成体检", DEADLINE),
    ("10月20日18:00投稿", DEADLINE),
    # Openings.
    ("10月20日9:00开放报名", OPEN),
    ("10月20日9:00报名开始", OPEN),
    ("10月20日9:00开始报名", OPEN),
    ("10月20日报名通道开启", OPEN),
    ("10月20日上午9点开售", OPEN),
    ("10月20日起报名", OPEN),
    ("10月20日选课系统开放", OPEN),
    ("10月20日9:00启动预约", OPEN),
    # Ends.
    ("10月20日17:00会议结束", END),
    ("10月20日17:00散会", END),
    ("10月20日17:00闭馆", END),
    ("10月20日17:00下课", END),
]


@pytest.mark.parametrize(("text", "kind"), KINDS)
def test_the_words_beside_the_time_say_what_happens(text: str, kind: NodeKind):
    assert node(text).kind is kind


# How long before.


@pytest.mark.parametrize(
    ("text", "minutes", "evidence"),
    [
        ("明天下午3点开会，提前10分钟提醒我", 10, "提前10分钟"),
        ("明天下午3点开会，提前十分钟通知我", 10, "提前十分钟"),
        ("明天下午3点开会，提前一刻钟提醒我", 15, "提前一刻钟"),
        ("明天下午3点开会，提早半小时叫我", 30, "提早半小时"),
        ("明天下午3点开会，提前一个半小时提醒我", 90, "提前一个半小时"),
        ("明天下午3点开会，提前1.5小时提醒我", 90, "提前1.5小时"),
        ("明天下午3点开会，提前1小时20分钟提醒我", 80, "提前1小时20分钟"),
        ("明天下午3点开会，提前0分钟提醒我", 0, "提前0分钟"),
        ("10月30日下午3点面试，提前一天提醒我", 1440, "提前一天"),
        ("10月30日下午3点面试，提前10080分钟提醒我", 10_080, "提前10080分钟"),
        ("10月30日下午3点面试，提前一周提醒我", 10_080, "提前一周"),
        ("明天下午3点提前10分钟提醒我开会", 10, "提前10分钟"),
        ("提前10分钟提醒我明天下午3点开会", 10, "提前10分钟"),
        ("明天下午3点开会，记得提前10分钟叫我", 10, "提前10分钟"),
        ("明天下午3点开会，提醒我提前10分钟", 10, "提前10分钟"),
        ("明天下午3点开会，准时提醒我", 0, "准时"),
        ("明天下午3点开会，到点提醒我", 0, "到点"),
        ("明天下午3点开会，准点叫我", 0, "准点"),
    ],
)
def test_a_lead_is_read_with_its_own_words(text: str, minutes: int, evidence: str):
    found = node(text)
    assert (found.kind, found.lead_minutes) == (START, minutes)
    assert found.lead_evidence is not None
    assert found.lead_evidence.startswith(evidence)
    assert found.lead_evidence in text


@pytest.mark.parametrize(
    ("text", "in_days"),
    [
        ("10月20日体检，提前一天提醒我", True),
        ("10月20日体检，提前一周提醒我", True),
        ("10月20日体检，提前24小时提醒我", False),
        ("10月20日体检，提前30分钟提醒我", False),
        ("10月20日体检，准时提醒我", False),
    ],
)
def test_a_lead_in_days_is_told_from_one_in_minutes(text: str, *, in_days: bool):
    assert node(text).lead_in_days is in_days


@pytest.mark.parametrize(
    "text",
    [
        "明天下午3点开会",
        "明天下午3点提醒我开会",
        "明天下午3点准时开会",
        "明天下午3点准时提醒我开会",
        "明天下午3点开会，提醒我",
        "明天下午3点提前交卷",
        "明天下午3点开会，提前提醒我",
    ],
)
def test_no_lead_is_read_where_none_was_said(text: str):
    found = node(text)
    assert (found.lead_minutes, found.lead_evidence) == (None, None)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("明天下午3点开会，提前十分钟到场", "lead"),
        ("明天下午3点开会，提前10分钟出门", "lead"),
        ("明天下午3点开会，提前10分钟和5分钟提醒我", "leftover"),
        ("明天下午3点开会，提前10081分钟提醒我", "lead_range"),
        ("明天下午3点开会，提前8天提醒我", "lead_range"),
        ("明天下午3点开会，提前一个月提醒我", "lead_range"),
        ("明天下午3点开会，提前90秒提醒我", "lead_range"),
        ("明天下午3点开会，提前半天提醒我", "leftover"),
        ("明天下午3点开会，提前一点提醒我", "leftover"),
        ("明天下午3点开会，提前10分钟提醒我，提前5分钟再提醒我", "several_times"),
        ("提前三天提醒我交房租", "no_event_time"),
        ("明天下午3点开会，提前几分钟提醒我", "leftover"),
        ("明天下午3点开会，提前10多分钟提醒我", "leftover"),
        ("明天下午3点开会，提前10到15分钟提醒我", "leftover"),
        ("明天下午3点开会，10分钟前提醒我", "leftover"),
    ],
)
def test_a_lead_that_is_not_certain_steps_back(text: str, reason: str):
    assert why(text) == reason


# Supplements, and a second matter.


@pytest.mark.parametrize(
    ("text", "details"),
    [
        ("明天下午3点开会，带上电脑", ("带上电脑",)),
        ("明天下午3点开会，地点302", ("地点302",)),
        ("明天下午3点面试，记得带简历", ("记得带简历",)),
        ("明天下午3点开会，会议号123456", ("会议号123456",)),
        ("明天下午3点聚餐，在老地方", ("在老地方",)),
        ("明天下午3点聚餐，不见不散", ()),
        ("明天下午3点开会，谢谢", ()),
        ("明天下午3点开会。谢谢！", ()),
        ("明天下午3点开会，提醒我", ()),
        ("明天下午3点开会", ()),
        ("明天下午3点开会，带电脑，穿正装", ("带电脑", "穿正装")),
    ],
)
def test_a_supplement_belongs_to_the_same_matter(text: str, details: tuple[str, ...]):
    assert candidate(text).details == details


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("明天下午3点开会，买菜", "clauses"),
        ("明天下午3点开会，然后去买菜", "clauses"),
        ("明天下午3点开会，提交报告", "clauses"),
        ("买菜，明天下午3点开会", "clauses"),
        ("明天下午3点开会；买菜", "clauses"),
        ("明天下午3点开会。地点302", "clauses"),
        ("明天下午3点开会\n带上电脑", "clauses"),
        ("买菜、下午2点理发", "enumeration"),
        ("明天下午3点开会，后天上午10点交报告", "several_times"),
        ("买菜、下午2点理发、晚上7点看电影", "several_times"),
        ("明天上午吃药，晚上吃药", "several_times"),
        ("10月20日9:00开始报名，10:00截止", "several_times"),
        ("10月20日18:00截止交报告，10月20日19:00提醒我", "several_times"),
    ],
)
def test_a_second_matter_or_a_second_time_steps_back(text: str, reason: str):
    assert why(text) == reason


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("每天早上8点提醒我吃药", "repeat"),
        ("每天提醒我吃药", "repeat"),
        ("如果明天下雨，3点提醒我收衣服", "condition"),
        ("如果下雨就提醒我", "condition"),
        ("会议改到明天下午3点", "change"),
        ("会议取消", "change"),
        ("老师说明天下午3点交作业", "quote"),
        ("@所有人 明天下午3点开会", "quote"),
        ("讲座时间待定", "open"),
        ("预计10月20日上午9点发放", "tentative"),
        ("明天下午3点左右开会", "tentative"),
        ("老师将于10月25日前完成审核", "others"),
        ("明天下午3点不开会", "negation"),
        ("不要提醒我明天下午3点开会", "negation"),
        ("明天下午3点开会吗", "asking"),
        ("明天下午3点到5点开会", "leftover"),
        ("明天下午3点300人开会", "leftover"),
        ("10/15开会", "leftover"),
        ("下班后提醒我", "condition"),
        ("2026-2027学年奖学金申请10月20日18:00截止", "school_year"),
    ],
)
def test_what_is_more_than_one_plain_statement_steps_back(text: str, reason: str):
    assert why(text) == reason


def test_a_long_text_is_left_to_a_model():
    text = "明天下午3点开会，带上" + "电" * LONGEST_LOCAL
    assert why(text) == "long"
    assert isinstance(read(text[:LONGEST_LOCAL]), Candidate)
    assert why(text[: LONGEST_LOCAL + 1]) == "long"


# A text without a time.


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("买菜", "买菜"),
        ("提醒我喝水", "喝水"),
        ("记得给妈妈打电话", "给妈妈打电话"),
        ("  买菜  ", "买菜"),
        ("3号楼取快递", "3号楼取快递"),
        ("讲三点意见", "讲三点意见"),
        ("不要忘记买菜", "买菜"),
        ("别忘了买菜", "买菜"),
        # A cue that says nothing about time does not matter where no time is named.
        ("老师说要买书", "老师说要买书"),
        ("不吃糖", "不吃糖"),
        ("2023级迎新", "2023级迎新"),
    ],
)
def test_a_text_without_a_time_is_something_to_do(text: str, action: str):
    found = candidate(text)
    assert (found.nodes, found.action) == ((), action)
    assert found.evidence == text.strip()


@pytest.mark.parametrize("text", ["买菜。做饭。", "买菜\n做饭", "买菜；做饭"])
def test_several_sentences_without_a_time_are_left_to_a_model(text: str):
    assert why(text) == "sentences"


# Verbatim.


@pytest.mark.parametrize(
    ("text", "expression", "action"),
    [
        ("明天下午３点开会", "明天下午３点", "开会"),
        ("明天 15：30 开会", "明天 15：30", "开会"),
        ("明天下午兩點鐘開會", "明天下午兩點鐘", "開會"),
        ("10月15日（周四）下午3点开会", "10月15日（周四）下午3点", "开会"),
        ("请于10月20日18:00前提交材料", "10月20日18:00", "提交材料"),
        ("明天下午3点开会，提前10分钟提醒我", "明天下午3点", "开会"),
        ("明天下午3点提醒我给妈妈打电话", "明天下午3点", "给妈妈打电话"),
        ("提醒我明天下午3点去Starbucks开会", "明天下午3点", "去Starbucks开会"),
    ],
)
def test_expression_and_action_are_cut_from_the_original(text: str, expression: str, action: str):
    found = candidate(text)
    assert (found.nodes[0].expression, found.action) == (expression, action)


SAMPLES = [
    json.loads(line)["text"]
    for line in (Path(__file__).parent / "cases" / "notices.jsonl").read_text(encoding="utf-8").splitlines()
]


@pytest.mark.parametrize("text", [*dict.fromkeys([*SAMPLES, *(text for text, _ in KINDS)])])
def test_every_piece_of_a_reading_is_verbatim(text: str):
    found = read(text)
    if isinstance(found, NeedsModel):
        assert found.why
        return
    assert found.evidence in text
    assert all(detail in text for detail in found.details)
    assert 0 < len(found.title) <= 16
    for one in found.nodes:
        assert one.expression in one.evidence
        assert one.evidence in text
        assert (one.lead_minutes is None) is (one.lead_evidence is None)
        assert one.lead_evidence is None or one.lead_evidence in text


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("明天下午3点开会", "开会"),
        ("明天下午3点讨论第三季度的产品规划与人员安排表", "讨论第三季度的产品规划与人员安…"),
        ("买一二三四五六七八九十一二三四五", "买一二三四五六七八九十一二三四五"),
        ("买一二三四五六七八九十一二三四五六", "买一二三四五六七八九十一二三四…"),
        ("明天下午3点", "明天下午3点"),
    ],
)
def test_a_title_has_at_most_16_characters_and_marks_a_cut(text: str, title: str):
    assert candidate(text).title == title
