"""What of a reply is believed: each piece against the words, with as many refusals as acceptances."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from zhixing.kernel.moments import parse_instant
from zhixing.notices.model import Answer, Candidate, NodeKind, Outcome, Source, Submission, Understanding
from zhixing.notices.protocol import Fault, Rejected
from zhixing.notices.replies import read_candidates, understand_reply

NOW = parse_instant("2026-10-12T10:00:00+08:00")
MEETING = "老师说10月20日下午3点开会，提前10分钟提醒我"


def node(kind: str, expression: str, evidence: str = "", **more: Any) -> dict[str, Any]:
    return {"kind": kind, "expression": expression, "evidence": evidence or expression, **more}


def submission(text: str, source: str = "direct", day: date | None = None, zone: str = "Asia/Shanghai") -> Submission:
    return Submission(text, Source(source), NOW, zone, day)


def believe(text: str, *nodes: dict[str, Any], source: str = "direct", **item: Any) -> Candidate | Rejected:
    found = read_candidates(submission(text, source), {"nodes": list(nodes), **item})
    return found if isinstance(found, Rejected) else found[0]


def fault(text: str, *nodes: dict[str, Any], **item: Any) -> tuple[Fault, str]:
    found = believe(text, *nodes, **item)
    assert isinstance(found, Rejected), found
    return found.why, found.path.removeprefix("items[0].")


def accepted(text: str, *nodes: dict[str, Any], **item: Any) -> Candidate:
    found = believe(text, *nodes, **item)
    assert isinstance(found, Candidate), found
    return found


def hear(
    text: str, *nodes: dict[str, Any], source: str = "direct", day: date | None = None, **item: Any
) -> Understanding:
    answers = [Answer(*answer) for answer in item.pop("answers", ())]
    sent = submission(text, source, day, item.pop("zone", "Asia/Shanghai"))
    return understand_reply(sent, {"nodes": list(nodes), **item}, NOW, answers)


def told(found: Understanding) -> list[tuple[str, str]]:
    return [(f"{one.at:%m-%d %H:%M}" if one.at else "asap", one.reason) for one in found.reminders]


def asked(found: Understanding) -> str | None:
    return found.question.kind if found.question else None


# Quotes.


@pytest.mark.parametrize(
    "evidence",
    [
        "10月20日下午3点在礼堂开会",
        "10月20日下午3点提醒我",
        "10月20日 下午3点开会",
        "10月20日下午3點开会",
        "",
        " ",
        "10月20日下午3点\n开会",
    ],
)
def test_evidence_stands_in_the_source_in_one_piece_and_word_for_word(evidence: str):
    assert fault(MEETING, {"kind": "start", "expression": "10月20日下午3点", "evidence": evidence}) == (
        Fault.EVIDENCE,
        "nodes[0].evidence",
    )


@pytest.mark.parametrize(
    "expression", ["2026-10-20 15:00", "10月20日15点", "十月二十日下午三点", "", " ", "提前10分钟"]
)
def test_an_expression_is_copied_and_lies_inside_its_evidence(expression: str):
    at = {"kind": "start", "expression": expression, "evidence": "10月20日下午3点开会"}
    assert fault(MEETING, at) == (Fault.EXPRESSION, "nodes[0].expression")


@pytest.mark.parametrize(
    "expression", ["下午3点", "10月20日", "0月20日下午3点", "20日下午3点", "10月20日下午", "月20日", "3点开会"]
)
def test_a_part_of_a_time_is_another_time_and_refused(expression: str):
    at = node("start", expression, "10月20日下午3点开会")
    assert fault(MEETING, at) == (Fault.CUT, "nodes[0].expression")


@pytest.mark.parametrize("expression", ["开会", "老师", "提前10分钟", "提醒我", "10分钟提醒"])
def test_words_without_a_time_are_no_expression(expression: str):
    assert fault(MEETING, node("start", expression)) == (Fault.NO_TIME, "nodes[0].expression")


def test_an_expression_with_words_around_its_time_points_at_the_time():
    candidate = accepted(MEETING, node("start", "10月20日下午3点开会", MEETING))
    assert [one.expression for one in candidate.nodes] == ["10月20日下午3点"]


def test_two_times_are_no_expression_unless_they_are_one_range():
    text = "10月20日下午3点开会，10月21日下午3点聚餐，10月22日9:00-11:00体检"
    assert fault(text, node("start", "10月20日下午3点开会，10月21日下午3点")) == (Fault.CUT, "nodes[0].expression")
    both = accepted(text, node("start", "10月22日9:00-11:00"), node("end", "10月22日9:00-11:00"))
    assert [(one.kind, one.expression) for one in both.nodes] == [
        (NodeKind.START, "10月22日9:00"),
        (NodeKind.END, "11:00"),
    ]


@pytest.mark.parametrize(
    ("item", "place"),
    [
        ({"evidence": "在礼堂开会"}, "evidence"),
        ({"action": "在礼堂开会"}, "action"),
        ({"details": ["带电脑"]}, "details[0]"),
        ({"details": ["开会", "10月20日提醒我"]}, "details[1]"),
        ({"sentOn": "10月11日"}, "sentOn"),
    ],
)
def test_action_and_details_have_evidence_as_well(item: dict[str, Any], place: str):
    assert fault(MEETING, node("start", "10月20日下午3点"), **item) == (Fault.EVIDENCE, place)


def test_every_detail_is_kept_as_it_stands_in_the_source():
    text = "请于10月20日17:00前提交材料。1、身份证复印件（正反面）；2、附件《申请表.docx》；3、入口：https://example.org/a?b=1"
    details = [
        "1、身份证复印件（正反面）",
        "附件《申请表.docx》",
        "入口：https://example.org/a?b=1",
        " ",
        "附件《申请表.docx》",
    ]
    candidate = accepted(text, node("deadline", "10月20日17:00"), details=details)
    assert candidate.details == tuple(details[:3])


def test_invisible_characters_that_a_model_was_not_shown_do_not_matter():
    candidate = accepted("10月20日\u3000下午3点\u200b开会", node("start", "10月20日 下午3点", "10月20日 下午3点 开会"))
    assert candidate.nodes[0].evidence == "10月20日\u3000下午3点\u200b开会"


# What a summary may say.


PAPERS = "10月20日17:00前各班将实习材料交至办公室"


@pytest.mark.parametrize(
    ("title", "action", "shown"),
    [
        ("交实习材料", "将实习材料交至办公室", ("交实习材料", "将实习材料交至办公室")),
        ("交实习材料", "各班交实习材料\n至办公室", ("交实习材料", "各班交实习材料 至办公室")),
        ("", "", ("各班将实习材料交至办公室", "各班将实习材料交至办公室")),
        ("Hand in", "Hand in the papers", ("各班将实习材料交至办公室", "各班将实习材料交至办公室")),
        ("10月21日交材料", "10月21日交实习材料", ("各班将实习材料交至办公室", "各班将实习材料交至办公室")),
        ("不交实习材料", "不将实习材料交至办公室", ("各班将实习材料交至办公室", "各班将实习材料交至办公室")),
        ("出去吃饭睡觉", "出去吃饭睡觉打豆豆", ("各班将实习材料交至办公室", "各班将实习材料交至办公室")),
    ],
)
def test_a_summary_that_says_something_else_than_its_evidence_is_replaced_by_it(
    title: str, action: str, shown: tuple[str, str]
):
    candidate = accepted(PAPERS, node("deadline", "10月20日17:00"), title=title, action=action, evidence=PAPERS)
    assert (candidate.title, candidate.action) == shown


def test_evidence_around_a_time_is_not_stitched_together_into_a_summary():
    text = "请各班于10月20日17:00前将实习材料交至办公室"
    assert accepted(text, node("deadline", "10月20日17:00"), evidence=text).action == text


@pytest.mark.parametrize(
    ("text", "action"),
    [("如果下雨请带伞", "带伞"), ("明天不用交作业", "交作业"), ("10月20日在3号楼开会", "10月21日在3号楼开会")],
)
def test_a_summary_keeps_conditions_negations_and_numbers(text: str, action: str):
    assert accepted(text, title=action, action=action, evidence=text).action != action


# What happens at a time.


@pytest.mark.parametrize(
    ("text", "expression", "kinds"),
    [
        ("10月20日下午3点开会", "10月20日下午3点", {"start"}),
        ("10月20日下午3点讲座", "10月20日下午3点", {"start"}),
        ("10月20日下午3点提醒我开会", "10月20日下午3点", {"reminder", "start"}),
        ("20分钟后提醒我关火", "20分钟后", {"reminder", "start"}),
        ("10月20日下午3点给我发消息提醒开会", "10月20日下午3点", {"start", "reminder"}),
        ("10月20日下午3点前交报告", "10月20日下午3点", {"deadline"}),
        ("最晚10月20日下午3点付清", "10月20日下午3点", {"deadline"}),
        ("10月20日下午3点截止", "10月20日下午3点", {"deadline"}),
        ("10月20日下午3点交报告", "10月20日下午3点", {"deadline"}),
        ("10月20日下午3点统一提交", "10月20日下午3点", {"deadline"}),
        ("截止时间：10月20日下午3点", "10月20日下午3点", {"deadline"}),
        ("请在10月20日下午3点确认名单", "10月20日下午3点", {"start", "deadline"}),
        ("10月20日下午3点举行作品提交说明会", "10月20日下午3点", {"start", "deadline"}),
        ("10月20日9:00开始报名", "10月20日9:00", {"open"}),
        ("10月20日9:00开抢", "10月20日9:00", {"open"}),
        ("10月20日9:00开启预售", "10月20日9:00", {"open"}),
        ("10月20日9:00开始付尾款", "10月20日9:00", {"open", "start"}),
        ("10月20日9:00起", "10月20日9:00", {"open", "start"}),
        ("10月20日9:00开始比赛", "10月20日9:00", {"start"}),
        ("报名通道10月20日9:00开放", "10月20日9:00", {"open"}),
        ("报名10月20日9:00开始", "10月20日9:00", {"open"}),
        ("比赛10月20日9:00开始", "10月20日9:00", {"start"}),
        ("报名时间：10月20日9:00", "10月20日9:00", {"start", "open"}),
        ("10月20日之后可以领取", "10月20日", {"start", "open"}),
        ("比赛10月20日11:00结束", "10月20日11:00", {"end"}),
        ("报名10月20日11:00结束", "10月20日11:00", {"end", "deadline"}),
        ("报名时间：10月20日9:00至10月25日17:00", "10月20日9:00", {"open"}),
        ("报名时间：10月20日9:00至10月25日17:00", "10月25日17:00", {"deadline"}),
        ("10月20日9:00至10月25日17:00报名", "10月25日17:00", {"deadline"}),
        ("比赛时间：10月20日9:00至10月25日17:00", "10月20日9:00", {"start"}),
        ("比赛时间：10月20日9:00至10月25日17:00", "10月25日17:00", {"end"}),
    ],
)
def test_a_kind_needs_words_that_say_so(text: str, expression: str, kinds: set[str]):
    for kind in ("open", "start", "deadline", "end", "reminder"):
        found = believe(text, node(kind, expression))
        assert isinstance(found, Candidate) is (kind in kinds), (kind, found)
        if isinstance(found, Rejected):
            assert (found.why, found.path) == (Fault.KIND, "items[0].nodes[0].kind")


@pytest.mark.parametrize(
    ("text", "expression"),
    [
        ("明天下午3点提醒我参加会议", "明天下午3点"),
        ("提醒我20分钟后关火", "20分钟后"),
        ("参加会议，明天下午3点叫我", "明天下午3点"),
    ],
)
def test_a_reminder_that_an_old_service_calls_a_start_is_a_reminder(text: str, expression: str):
    assert [one.kind for one in accepted(text, node("start", expression)).nodes] == [NodeKind.REMINDER]


@pytest.mark.parametrize(
    "text", ["明天下午3点参加会议", "提醒我明天下午3点参加会议", "明天下午3点参加会议，记得提醒我"]
)
def test_a_start_that_no_reminding_word_is_about_stays_a_start(text: str):
    assert [one.kind for one in accepted(text, node("start", "明天下午3点")).nodes] == [NodeKind.START]


def test_one_time_is_not_two_things():
    text = "请在10月20日下午3点确认名单"
    at = node("start", "10月20日下午3点"), node("deadline", "10月20日下午3点")
    assert fault(text, *at) == (Fault.TWICE, "nodes")


def test_a_node_said_twice_is_one():
    at = node("start", "10月20日下午3点", "10月20日下午3点开会")
    assert len(accepted("10月20日下午3点开会", at, at).nodes) == 1


# Times that are not told.


@pytest.mark.parametrize(
    "text",
    [
        "明天下午3点不开会了",
        "明天下午3点的会不开了",
        "明天下午3点的会议取消了",
        "明天下午3点会议因故取消。",
        "取消明天下午3点的会议",
        "不要提醒我明天下午3点开会",
        "明天下午3点不用提醒我",
        "明天下午3点没有课",
        "明天下午3点停课",
        "不是明天下午3点开会",
        "明天下午3点的讲座延期，时间待定",
        "明天下午3点的讲座暂缓举行",
        "明天下午3点的讲座暂停",
        "明天下午3点开会，时间待定",
        "预计明天下午3点发放，最终时间另行通知",
        "暂定明天下午3点开会，以通知为准，具体时间另行通知",
        "预计明天下午3点发放。请等通知",
    ],
)
def test_what_is_off_or_not_settled_leads_to_no_reminder(text: str):
    found = hear(text, node("start", "明天下午3点"))
    assert (found.outcome, found.why, found.reminders) == (Outcome.NO_REMINDER, "time_open", ())
    assert [one.kind for one in found.nodes] == [NodeKind.UNKNOWN]


@pytest.mark.parametrize(
    "text",
    [
        "明天下午3点开会，不要迟到",
        "明天下午3点开会不见不散",
        "明天下午3点开会，地点待定",
        "明天下午3点开会，地点另行通知",
        "明天下午3点开会，截止时间待定",
        "明天下午3点开会，请假者不得无故缺席",
        "明天下午3点去取消订单",
        "预计明天下午3点到站",
        "明天下午3点开车",
        "后天的课取消，明天下午3点开会",
        "明天下午3点比赛，如遇下雨顺延",
        "明天下午3点答辩，不得延期",
        "明天下午3点答辩，可申请延期",
        "明天下午3点系统升级，暂停办理业务",
    ],
)
def test_harmless_words_of_negation_and_doubt_change_nothing(text: str):
    assert told(hear(text, node("start", "明天下午3点"))) == [("10-13 14:30", "default_start_30")]


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ("原定10月14日下午3点的会议改到10月16日上午10点", "10月14日下午3点", "10月16日上午10点"),
        ("会议由10月14日下午3点改为10月16日上午10点", "10月14日下午3点", "10月16日上午10点"),
        ("10月14日下午3点的会议推迟到10月16日上午10点", "10月14日下午3点", "10月16日上午10点"),
        ("10月16日上午11点的会议提前到10月16日上午10点", "10月16日上午11点", "10月16日上午10点"),
        ("会议原定于10月14日下午3点。现定于10月16日上午10点开会", "10月14日下午3点", "10月16日上午10点"),
        ("更正：10月14日下午3点应为10月16日上午10点开会", "10月14日下午3点", "10月16日上午10点"),
        ("10月14日下午3点的会取消，改为10月16日上午10点", "10月14日下午3点", "10月16日上午10点"),
    ],
)
def test_only_the_newest_time_lives_and_the_old_one_is_a_detail(text: str, old: str, new: str):
    found = hear(text, node("start", old), node("start", new))
    assert told(found) == [("10-16 09:30", "default_start_30")]
    assert [one.expression for one in found.nodes] == [new]
    assert found.details == (old,)
    assert fault(text, node("start", old)) == (Fault.SUPERSEDED, "nodes")


def test_both_ends_of_a_range_that_was_changed_are_of_the_past():
    text = "原定10月14日下午3点到5点的会议改到10月16日上午10点"
    at = node("start", "10月14日下午3点"), node("end", "5点"), node("start", "10月16日上午10点")
    assert told(hear(text, *at)) == [("10-16 09:30", "default_start_30")]


def test_what_would_only_change_in_the_rain_still_lives():
    text = "比赛10月20日下午3点开始，如遇下雨改到10月21日下午3点"
    assert told(hear(text, node("start", "10月20日下午3点"))) == [("10-20 14:30", "default_start_30")]


def test_as_originally_planned_is_no_change():
    text = "会议按原定10月20日下午3点举行"
    assert told(hear(text, node("start", "10月20日下午3点"))) == [("10-20 14:30", "default_start_30")]


@pytest.mark.parametrize(
    ("text", "expression", "kind"),
    [
        ("客服时间9:00-18:00，请于10月20日17:00前提交", "9:00", "start"),
        ("客服时间9:00-18:00，请于10月20日17:00前提交", "18:00", "end"),
        ("办公时间：上午9:00-12:00，下午14:00-18:00", "下午14:00", "start"),
        ("审核老师将于10月25日前完成审核", "10月25日", "deadline"),
        ("学院将在10月25日前公布结果", "10月25日", "deadline"),
        ("统计10月20日至10月25日的消费记录", "10月20日", "start"),
        ("统计10月20日至10月25日的消费记录", "10月25日", "end"),
        ("统计2024年10月至2025年9月的消费记录", "2024年10月", "start"),
        ("材料已于10月20日寄出", "10月20日", "start"),
    ],
)
def test_what_is_not_the_users_time_is_a_detail(text: str, expression: str, kind: str):
    found = hear(text, node(kind, expression))
    assert (found.outcome, found.nodes, found.reminders, found.details) == (Outcome.NO_REMINDER, (), (), (expression,))


@pytest.mark.parametrize(
    "text",
    [
        "学校将于10月20日举行运动会",
        "请在系统10月20日前完成填报",
        "开放时间10月20日9:00",
        "统计员10月20日开会",
        "10月20日公布成绩",
    ],
)
def test_what_is_the_users_time_after_all_is_told(text: str):
    kinds = ("start", "deadline", "open")
    expression = "10月20日9:00" if "9:00" in text else "10月20日"
    assert any(hear(text, node(kind, expression)).reminders for kind in kinds)


# Rules that repeat.


@pytest.mark.parametrize(
    ("text", "expression"),
    [
        ("每天早上8点提醒我吃药", "早上8点"),
        ("早上8点每天提醒我吃药", "早上8点"),
        ("每天早上8点、晚上9点吃药", "晚上9点"),
        ("每天9:00-18:00上班", "18:00"),
        ("每周三下午3点例会", "周三下午3点"),
        ("工作日早上8点打卡", "早上8点"),
    ],
)
@pytest.mark.parametrize("kind", ["start", "reminder", "end"])
def test_what_repeats_is_no_single_time(text: str, expression: str, kind: str):
    assert fault(text, node(kind, expression)) == (Fault.REPEAT, "nodes[0].kind")


@pytest.mark.parametrize("expression", ["明天下午3点", "开会"])
def test_what_does_not_repeat_is_no_rule(expression: str):
    assert fault("明天下午3点开会", node("repeat", expression)) == (Fault.REPEAT, "nodes[0].expression")


@pytest.mark.parametrize(
    "text", ["每人10月20日下午3点到场", "每天都要在10月20日下午3点前打卡", "每班派2人10月20日下午3点开会"]
)
def test_everybody_is_not_every_day(text: str):
    found = believe(text, node("deadline" if "前" in text else "start", "10月20日下午3点"))
    assert isinstance(found, Candidate)


# Conditions and groups.


@pytest.mark.parametrize(
    ("text", "doubt"),
    [
        ("如果下雨，10月20日下午3点开会", "condition"),
        ("要是没收到短信就10月20日下午3点来开会", "condition"),
        ("2023级10月20日下午3点开会，2024级10月21日下午3点开会", "identity"),
        ("一班10月20日下午3点开会，二班10月21日下午3点开会", "identity"),
    ],
)
def test_a_time_under_a_condition_or_of_one_group_is_for_the_user_to_choose(text: str, doubt: str):
    at = node("start", "10月20日下午3点")
    assert accepted(text, at).doubts == (doubt,)
    assert asked(hear(text, at)) == "item_selection"
    assert told(hear(text, at, answers=[("item_selection", "1")])) == [("10-20 14:30", "default_start_30")]


@pytest.mark.parametrize(
    "text",
    ["2023级10月20日下午3点开会", "10月20日下午3点开会，如有变动另行通知", "如需帮助请联系我。10月20日下午3点开会"],
)
def test_one_group_alone_or_a_condition_elsewhere_is_no_doubt(text: str):
    assert told(hear(text, node("start", "10月20日下午3点"))) == [("10-20 14:30", "default_start_30")]


# Leads.

LEAD = {"leadMinutes": 10, "leadEvidence": "提前10分钟"}
AT = "10月20日下午3点"


@pytest.mark.parametrize(
    ("text", "minutes", "evidence", "at"),
    [
        (f"{AT}开会，提前10分钟提醒我", 10, "提前10分钟", "10-20 14:50"),
        (f"{AT}开会，提前10分钟提醒我", 10, "提前10分钟提醒我", "10-20 14:50"),
        (f"{AT}开会，提前一个半小时提醒我", 90, "提前一个半小时", "10-20 13:30"),
        (f"{AT}开会，提前一天提醒我", 1440, "提前一天", "10-19 15:00"),
        (f"{AT}开会，准时提醒我", 0, "准时提醒我", "10-20 15:00"),
        (f"{AT}开会，到点了叫我", 0, "到点了叫我", "10-20 15:00"),
        (f"{AT}开会。请提前一刻钟提醒我。", 15, "提前一刻钟", "10-20 14:45"),
    ],
)
def test_a_lead_counts_as_our_lexer_reads_it(text: str, minutes: int, evidence: str, at: str):
    found = hear(text, node("start", AT, leadMinutes=minutes, leadEvidence=evidence))
    assert told(found) == [(at, "lead")]
    assert (found.nodes[0].lead_minutes, found.nodes[0].lead_evidence in text) == (minutes, True)


@pytest.mark.parametrize(
    ("lead", "why", "place"),
    [
        ({"leadMinutes": 10}, Fault.LEAD_PAIR, "leadEvidence"),
        ({"leadMinutes": 10, "leadEvidence": " "}, Fault.LEAD_PAIR, "leadEvidence"),
        ({"leadMinutes": 0}, Fault.LEAD_PAIR, "leadEvidence"),
        ({"leadEvidence": "提前10分钟"}, Fault.LEAD_PAIR, "leadMinutes"),
        ({"leadMinutes": -10, "leadEvidence": "提前10分钟"}, Fault.LEAD_RANGE, "leadMinutes"),
        ({"leadMinutes": 10081, "leadEvidence": "提前10081分钟"}, Fault.LEAD_RANGE, "leadMinutes"),
        ({"leadMinutes": 10, "leadEvidence": "提前15分钟"}, Fault.EVIDENCE, "leadEvidence"),
        ({"leadMinutes": 15, "leadEvidence": "提前10分钟"}, Fault.LEAD_WORDS, "leadMinutes"),
        ({"leadMinutes": 0, "leadEvidence": "提醒我"}, Fault.LEAD_WORDS, "leadMinutes"),
        ({"leadMinutes": 30, "leadEvidence": "开会"}, Fault.LEAD_WORDS, "leadMinutes"),
        ({"leadMinutes": 10, "leadEvidence": "10分钟"}, Fault.LEAD_WORDS, "leadMinutes"),
        ({"leadMinutes": 1, "leadEvidence": "提前1"}, Fault.LEAD_WORDS, "leadMinutes"),
    ],
)
def test_a_lead_that_is_not_in_the_words_is_refused(lead: dict[str, Any], why: Fault, place: str):
    assert fault(MEETING, node("start", AT, **lead)) == (why, f"nodes[0].{place}")


@pytest.mark.parametrize("text", [f"{AT}考试，提前10分钟入场", f"{AT}开会，请提前10分钟到", f"提前10分钟到，{AT}开会"])
def test_coming_early_is_no_wish_to_be_reminded_early(text: str):
    assert fault(text, node("start", AT, **LEAD)) == (Fault.LEAD_WORDS, "nodes[0].leadMinutes")
    assert told(hear(text, node("start", AT))) == [("10-20 14:30", "default_start_30")]


SEVERAL = "10月20日9:00开始报名，10月25日17:00截止"


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        ("截止前1小时提醒我", 1),
        ("开始前1小时提醒我", 0),
        ("开抢前1小时提醒我", 0),
        ("提前1小时提醒我", 1),
    ],
)
def test_a_lead_is_of_the_time_it_names_or_of_the_nearest(words: str, meant: int):
    text = f"{SEVERAL}，{words}"
    minutes = {"leadMinutes": 60, "leadEvidence": words}
    plain = [node("open", "10月20日9:00"), node("deadline", "10月25日17:00")]
    right, wrong = (
        [{**one, **(minutes if i == at else {})} for i, one in enumerate(plain)] for at in (meant, 1 - meant)
    )
    assert fault(text, *wrong) == (Fault.LEAD_TARGET, f"nodes[{1 - meant}].leadEvidence")
    expected = [("10-20 08:00", "lead"), ("10-25 16:00", "deadline_1h")] if not meant else [("10-20 09:00", "open"), ("10-25 16:00", "lead")]  # fmt: skip
    assert told(hear(text, *right)) == expected
    # An old service knows no leads: the words have it.
    assert told(hear(text, *plain)) == expected
    # Leaving the time out that is meant does not move the lead to the other one.
    assert [reason for _, reason in told(hear(text, plain[1 - meant]))] != ["lead"]


def test_a_lead_in_a_sentence_of_its_own_is_of_the_time_that_the_model_names():
    text = f"{SEVERAL}。请提前1小时提醒我。"
    minutes = {"leadMinutes": 60, "leadEvidence": "提前1小时"}
    at = node("open", "10月20日9:00", **minutes), node("deadline", "10月25日17:00")
    assert told(hear(text, *at)) == [("10-20 08:00", "lead"), ("10-25 16:00", "deadline_1h")]


def test_every_lead_that_is_asked_for_is_kept():
    text = f"{AT}开会，提前一天和提前1小时提醒我"
    expected = [("10-19 15:00", "lead"), ("10-20 14:00", "lead")]
    assert told(hear(text, node("start", AT))) == expected
    one = node("start", AT, leadMinutes=60, leadEvidence="提前1小时")
    assert told(hear(text, one)) == told(hear(text, one, node("start", AT))) == expected


@pytest.mark.parametrize("kind", ["unknown", "repeat"])
def test_what_has_no_instant_has_no_lead(kind: str):
    text = "每天早上8点吃药，提前10分钟提醒我"
    assert fault(text, node(kind, "每天早上8点", **LEAD))[0] is Fault.LEAD_TARGET


def test_a_lead_in_minutes_needs_a_clock_and_one_in_days_does_not():
    text = "10月20日开会，提前10分钟提醒我"
    assert asked(hear(text, node("start", "10月20日", **LEAD))) == "lead_needs_clock"
    text = "10月20日开会，提前一天提醒我"
    found = hear(text, node("start", "10月20日", leadMinutes=1440, leadEvidence="提前一天"))
    assert told(found) == [("10-19 09:00", "lead")]


# Who speaks, and when.


@pytest.mark.parametrize(
    ("text", "speaker"),
    [
        ("老师说明天下午3点开会", None),
        ("老师说明天下午3点开会", "user"),
        ("各位同学：明天下午3点开会", "user"),
        ("转发：明天下午3点开会", "user"),
        ("明天下午3点开会，老师说的", "user"),
        ("老师说要交表，明天下午3点提醒我", "user"),
        ("“明天下午3点开会”", None),
        ("明天下午3点开会", "other"),
    ],
)
def test_relative_days_of_somebody_else_need_the_day_of_the_message(text: str, speaker: str | None):
    at = node("start", "明天下午3点")
    assert asked(hear(text, at, speaker=speaker)) == "message_date"
    known = hear(text, at, speaker=speaker, day=date(2026, 10, 15))
    assert [f"{one.at:%m-%d %H:%M}" for one in known.nodes] == ["10-16 15:00"]
    answered = hear(text, at, speaker=speaker, answers=[("message_date", "2026-10-14")])
    assert [f"{one.at:%m-%d %H:%M}" for one in answered.nodes] == ["10-15 15:00"]


@pytest.mark.parametrize(
    ("text", "speaker"),
    [
        ("明天下午3点开会，后天交报告", None),
        ("明天下午3点开会，后天交报告", "user"),
        ("明天下午3点看“流浪地球”，后天交报告", "user"),
        ("明天下午3点提醒我：老师说要交表", None),
    ],
)
def test_relative_days_of_the_user_count_from_the_submission(text: str, speaker: str | None):
    found = hear(text, node("start", "明天下午3点"), speaker=speaker)
    assert [f"{one.at:%m-%d %H:%M}" for one in found.nodes] == ["10-13 15:00"]


@pytest.mark.parametrize("source", ["paste", "share", "quote"])
def test_relative_days_of_what_came_in_from_elsewhere_need_the_day_of_the_message(source: str):
    at = node("start", "明天下午3点")
    assert asked(hear("明天下午3点开会", at, source=source, speaker="user")) == "message_date"
    assert told(hear("明天下午3点开会", at, source=source, day=date(2026, 10, 12))) == [
        ("10-13 14:30", "default_start_30")
    ]


def test_dates_of_the_calendar_need_no_message_date():
    found = hear("老师说10月20日下午3点开会", node("start", AT), speaker="other")
    assert told(found) == [("10-20 14:30", "default_start_30")]


# Images.


def see(transcript: str | None, *nodes: dict[str, Any], **item: Any) -> Understanding:
    return hear("", *nodes, source="image", transcript=transcript, **item)


TOMORROW = node("start", "明天下午3点", "明天下午3点开会")


@pytest.mark.parametrize("transcript", [None, "", " \n", "x" * 20_001])
def test_an_image_is_nothing_without_its_words(transcript: str | None):
    reply = {"nodes": [TOMORROW], "transcript": transcript}
    found = read_candidates(submission("", "image"), reply)
    assert isinstance(found, Rejected)
    assert (found.why, found.path) == (Fault.TRANSCRIPT, "transcript")


def test_evidence_of_an_image_stands_in_its_transcript_blanks_and_breaks_included():
    reply = {"nodes": [node("start", "10月20日14:00", "10月20日14:00 讲座")]}
    for transcript, believed in [
        ("10月20日14:00 讲座 报告厅", True),
        ("讲座：10月20日14:00", False),
        ("10月20日14:00讲座", False),
        ("10月20日14:00\n讲座", False),
        ("10月20日14:00  讲座", False),
    ]:
        found = read_candidates(submission("", "image"), {**reply, "transcript": transcript})
        assert isinstance(found, tuple) is believed, transcript


def test_the_text_of_the_submission_is_no_evidence_for_an_image_nor_a_transcript_for_a_text():
    reply = {"nodes": [TOMORROW], "transcript": "别的"}
    found = read_candidates(submission("明天下午3点开会", "image"), reply)
    assert isinstance(found, Rejected)
    found = read_candidates(submission("别的", "paste"), {**reply, "transcript": "明天下午3点开会"})
    assert isinstance(found, Rejected)


@pytest.mark.parametrize(
    ("transcript", "claimed", "at"),
    [
        ("10月11日 星期日\n明天下午3点开会", "10月11日 星期日", "10-12 15:00"),
        ("10月11日\n明天下午3点开会", "10月11日", "10-12 15:00"),
        ("10月11日 21:03\n明天下午3点开会", "10月11日 21:03", "10-12 15:00"),
        ("—— 2026年10月11日 ——\n收到\n明天下午3点开会", "2026年10月11日", "10-12 15:00"),
        ("10月9日\n好\n10月11日\n明天下午3点开会", "10月11日", "10-12 15:00"),
        # Not claimed, of another message, not alone on its line, contradictory, still to come, or relative itself.
        ("10月11日 星期日\n明天下午3点开会", None, None),
        ("明天下午3点开会\n10月11日\n收到", "10月11日", None),
        ("10月9日\n好\n10月11日\n明天下午3点开会", "10月9日", None),
        ("10月11日要交表\n明天下午3点开会", "10月11日", None),
        ("10月11日 星期三\n明天下午3点开会", "10月11日 星期三", None),
        ("10月13日\n明天下午3点开会", "10月13日", None),
        ("昨天\n明天下午3点开会", "昨天", None),
        ("5月1日\n明天下午3点开会", "5月1日", None),
    ],
)
def test_a_date_over_messages_is_of_its_messages_only(transcript: str, claimed: str | None, at: str | None):
    found = see(transcript, TOMORROW, sentOn=claimed)
    assert (asked(found) == "message_date") is (at is None)
    assert [f"{one.at:%m-%d %H:%M}" for one in found.nodes] == ([] if at is None else [at])


def test_a_date_over_messages_is_no_time_of_the_matter():
    transcript = "10月12日\n带上材料"
    reply = {"nodes": [node("start", "10月12日")], "transcript": transcript}
    for claimed in (None, "10月12日"):
        found = read_candidates(submission("", "image"), {**reply, "sentOn": claimed})
        assert isinstance(found, Rejected)
        assert found.why is Fault.KIND


def test_the_date_of_a_poster_is_a_time_of_the_matter():
    found = see("讲座\n10月20日\n报告厅", node("start", "10月20日"))
    assert told(found) == [("10-20 09:00", "date_0900")]


# What our lexer does not read is asked.


@pytest.mark.parametrize(
    ("text", "expression"),
    [
        ("农历八月十五晚上8点团圆饭", "八月十五晚上8点"),
        ("明天10:00（纽约时间）开会", "明天10:00"),
        ("10.15开会", "10.15"),
        ("明天下午3点多开会", "明天下午3点"),
    ],
)
def test_a_time_that_cannot_be_read_safely_is_the_users_to_say(text: str, expression: str):
    at = node("start", expression, text)
    assert asked(hear(text, at)) in ("clock_time", "date")
    found = hear(text, at, answers=[("clock_time", "2026-10-25T20:00")])
    assert told(found) == [("10-25 19:30", "default_start_30")]


def test_the_clock_of_beijing_is_not_the_users_elsewhere():
    text, at = "北京时间10月20日下午3点开会", node("start", AT)
    assert told(hear(text, at)) == [("10-20 14:30", "default_start_30")]
    assert asked(hear(text, at, zone="America/New_York")) == "clock_time"


def test_a_time_that_the_model_finds_contradictory_is_the_users_to_say():
    text = "10月20日下午3点开会，10月21日下午3点交表"
    at = node("start", AT), node("deadline", "10月21日下午3点")
    assert asked(hear(text, *at, ambiguities=[{"about": "time"}])) == "clock_time"
    some = [{"about": "time", "expression": AT}]
    assert asked(hear(text, *at, ambiguities=some)) == "clock_time"
    found = hear(text, *at, ambiguities=some, answers=[("clock_time", "2026-10-20T16:00")])
    assert told(found) == [("10-20 15:30", "default_start_30"), ("10-21 14:00", "deadline_1h")]


@pytest.mark.parametrize(
    ("text", "expression", "kind"),
    [
        ("3点开会，4点散会", "3点", "meridiem"),
        ("下午3点开会，记得带电脑。5人参加", "下午3点", "date"),
        ("周五下午3点开会", "周五下午3点", "date"),
        ("10月15日（周五）下午3点开会", "10月15日（周五）下午3点", "weekday_conflict"),
    ],
)
def test_what_is_missing_is_asked_as_in_any_text(text: str, expression: str, kind: str):
    assert asked(hear(text, node("start", expression))) == kind


def test_the_oldest_clients_keep_their_reading():
    text = "明天下午3点提醒我参加会议，提前10分钟提醒我"
    sent = submission(text)
    reply = {"nodes": [node("reminder", "明天下午3点")]}
    found = understand_reply(sent, reply, NOW, client_protocol=1)
    assert told(found) == [("10-13 14:30", "default_start_30")]
