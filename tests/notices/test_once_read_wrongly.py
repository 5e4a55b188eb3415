"""Words that a lesser reader takes for a time, for another time or for no time: each was once read wrongly."""

from __future__ import annotations

import json
from datetime import date, datetime

import pytest

from zhixing.kernel.moments import parse_instant, zone
from zhixing.language.numerals import integer
from zhixing.notices.answers import Answers
from zhixing.notices.batch import understand_lines
from zhixing.notices.model import Answer, Node, NodeKind, Outcome, Precision, Source, Submission
from zhixing.notices.reminders import plan, reminder_after_deadline
from zhixing.notices.understand import understand

NOW = parse_instant("2026-10-12T10:00:00+08:00")
STEPS_BACK = {Outcome.NEEDS_MODEL, Outcome.NEEDS_CONFIRMATION}
NY = zone("America/New_York")


def hear(text, *answers, submitted=NOW, tz="Asia/Shanghai"):
    return understand(Submission(text, Source.DIRECT, submitted, tz), submitted, [Answer(*one) for one in answers])


def told(found):
    return [reminder.at.isoformat()[:16] if reminder.at else "asap" for reminder in found.reminders]


@pytest.mark.parametrize("words", ["十二十", "二十二十", "五十五十", "一1", "二百五"])
def test_no_number(words):
    assert integer(words) is None


PARTIAL = [
    "",
    "02026-10-15 15:00提醒我开会",
    "2026-10-155 15:00提醒我",
    "2026-1015 15:00提醒我",
    "2026.10/15 15:00提醒我",
    "2026-10 15:00提醒我",
    "10-155 15:00提醒我",
    "10-1-5 15:00提醒我",
    "1015 15:00提醒我",
    "20 20:00提醒我",
    "第10周15:00提醒我",
    "第15天15:00提醒我",
    "15天15:00提醒我",
    "3周15:00提醒我",
    "3天 15:00提醒我",
    "3个月15:00提醒我",
    "大大后天15:00提醒我",
    "大大后天开会",
    "开学后15:00提醒我",
    "放假前15:00提醒我",
    "生日那天15:00提醒我",
    "发工资那天15:00提醒我",
    "下次15:00提醒我",
    "某天15:00提醒我",
    "立冬15:00提醒我",
    "父亲节15:00提醒我",
    "双11 20:00提醒我抢购",
    "618 20:00提醒我抢购",
    "礼拜20:00提醒我",
    "周20:00提醒我",
    "月20:00提醒我",
    "明天下午3点五开会",
    "明天下午3点三20分开会",
    "明天下午三点二十3开会",
    "明天下午三点一二十开会",
    "明天下午3点零半开会",
    "明天下午3点一半开会",
    "今晚八点三提醒我吃药",
    "明天15:00三开会",
    "明天下午3点20分三开会",
    "明天下午三点十二十分开会",
    "明天下午三点来钟开会",
    "明天下午3点开外开会",
    "1天2小时后提醒我",
    "1小时30分钟20秒后提醒我",
    "一.5小时后提醒我",
    "2周0分钟后提醒我",
    "一个.半小时后提醒我",
    "连续三天晚上8点提醒我吃药",
    "接下来三天晚上8点提醒我吃药",
    "这三天晚上8点提醒我吃药",
    "早晚8点提醒我吃药",
    "早中晚8点提醒我",
    "差不多明天下午3点开会",
    "明天下午3点差不多开会",
    "老師説明天下午3點交作業",
    "明天下午3点沒空開會",
    "班级群：明天下午3点开会",
    "明天下午3点会议结束提醒我",
    "明天下午3点开会结束后提醒我",
    "明天下午3点开完会提醒我",
    "",
][1:-1]


@pytest.mark.parametrize("text", PARTIAL)
def test_a_partial_match_steps_back_or_asks(text):
    assert hear(text).outcome in STEPS_BACK


# What a time was named in must not be kept silently as a thing without a time.
SILENT = [
    "",
    "1小时20后提醒我",
    "两天半后提醒我",
    "5分钟半后提醒我",
    "隔10分钟提醒我",
    "等10分钟提醒我",
    "还有10分钟提醒我",
    "一万分钟后提醒我",
    "三天前提醒我",
    "半小时前提醒我",
    "饭后半小时提醒我吃药",
    "3m后提醒我",
    "2d后提醒我",
    "13pm开会",
    "明儿提醒我",
    "今儿提醒我",
    "回头提醒我吃药",
    "兩個鐘頭後提醒我",
    "",
][1:-1]


@pytest.mark.parametrize("text", SILENT)
def test_a_time_that_cannot_be_read_is_not_passed_over(text):
    assert hear(text).why != "no_time"


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("明天下午三点十一人开会", {None, "2026-10-13T14:30"}),
        ("明天下午3点十分重要的会", {None, "2026-10-13T14:30"}),
    ],
)
def test_a_word_behind_a_clock_is_not_its_minute(text, at):
    assert (told(hear(text)) or [None])[0] in at


def test_ddl_behind_a_date_is_a_deadline_and_the_eve_is_not():
    assert hear("10月20日ddl").nodes[0].kind is NodeKind.DEADLINE
    found = hear("10月20日前夜聚餐")
    assert not found.nodes or found.nodes[0].kind is not NodeKind.DEADLINE


@pytest.mark.parametrize(
    ("text", "padded"),
    [
        ("提醒我明天下午3点", "\n提醒我明天下午3点"),
        ("@张三 明天下午3点开会", " @张三 明天下午3点开会"),
        ("明天下午3点开会吗", "明天下午3点开会吗 "),
        ("明天下午3点开会吗", "明天下午3点开会吗\n"),
        ("明天下午3点开会", "\u3000" * 60 + "明天下午3点开会"),
    ],
)
def test_blanks_around_a_text_change_nothing(text, padded):
    assert (hear(padded).outcome, told(hear(padded))) == (hear(text).outcome, told(hear(text)))


def moment(hour, minute, fold):
    return datetime(2026, 11, 1, hour, minute, fold=fold, tzinfo=NY)


def node(kind, at):
    return Node(kind, Precision.MINUTE, "1点半", "1点半", at=at)


def test_the_two_halves_of_a_repeated_hour_are_not_merged():
    nodes = [node(NodeKind.REMINDER, moment(1, 30, 0)), node(NodeKind.REMINDER, moment(1, 30, 1))]
    assert len(plan(nodes, NOW, NY)) == 2


def test_reminders_of_a_repeated_hour_come_in_order_of_time():
    nodes = [node(NodeKind.REMINDER, moment(1, 15, 1)), node(NodeKind.REMINDER, moment(1, 45, 0))]
    assert [one.nodes for one in plan(nodes, NOW, NY)] == [(1,), (0,)]


def test_a_reminder_an_hour_behind_its_deadline_is_noticed_in_a_repeated_hour():
    assert reminder_after_deadline(
        [node(NodeKind.DEADLINE, moment(1, 30, 0)), node(NodeKind.REMINDER, moment(1, 30, 1))]
    )


def test_a_time_of_the_first_half_has_passed_in_the_second():
    assert plan([node(NodeKind.REMINDER, moment(1, 30, 0))], moment(1, 20, 1), NY) == ()


@pytest.mark.parametrize("words", ["不是明天", "除了明天", "明天不行", "明天之前", "最晚明天", "2026-10-165"])
def test_no_single_day(words):
    assert Answers([Answer("date", words)], date(2026, 10, 12)).day("date") is None


@pytest.mark.parametrize(
    ("text", "answer"),
    [("明天3点20分开会", "晚上"), ("明天3点20分开会", "中午"), ("明天9点开会", "中午"), ("明天12点开会", "晚上")],
)
def test_a_half_of_the_day_that_contradicts_the_hour_is_no_answer(text, answer):
    # 明天12点 answered with 晚上 is midnight, never noon.
    assert "12:00" not in str(told(hear(text, ("meridiem", answer))))
    assert hear(text, ("meridiem", answer)).outcome is not Outcome.SCHEDULED


def test_an_answer_of_the_following_day_to_a_skipped_time_is_on_the_following_day():
    submitted = parse_instant("2027-03-12T10:00:00-05:00")
    found = hear("3月14日凌晨2点半提醒我换班", ("tz_gap", "次日00:00"), submitted=submitted, tz="America/New_York")
    assert told(found) in ([], ["2027-03-15T00:00"])


def test_an_instant_of_another_day_does_not_settle_a_repeated_time():
    submitted = parse_instant("2026-10-30T10:00:00-04:00")
    found = hear(
        "11月1日凌晨1点半提醒我换班",
        ("tz_overlap", "2030-11-01T01:30-04:00"),
        submitted=submitted,
        tz="America/New_York",
    )
    assert found.outcome is Outcome.RETRYABLE_FAILURE


def test_an_hour_without_its_half_of_the_day_as_an_answer_asks_for_the_half():
    assert hear("10月15日体检，提前30分钟提醒我", ("lead_needs_clock", "3点")).why == "meridiem"


def test_an_answer_to_what_was_certain_does_not_move_the_day():
    assert told(hear("明天下午3点开会", ("date", "2026-10-20"))) == ["2026-10-13T14:30"]


def test_an_answered_day_with_a_part_of_it_is_a_bare_date_like_a_spoken_one():
    assert hear("下午开会", ("date", "2026-10-13")).outcome is hear("明天下午开会").outcome


def test_a_year_that_was_not_needed_claims_nothing():
    assert hear("明天下午3点开会", ("year", "2031")).nodes[0].claims == ()


@pytest.mark.parametrize("text", ["", "  ", "长" * 20_001])
def test_a_rejected_text_has_a_chinese_reason(text):
    line = {"text": text, "submittedAt": "2026-10-12T10:00:00+08:00", "tz": "Asia/Shanghai"}
    why = json.loads(next(understand_lines([json.dumps(line)])))["why"]
    assert any("\u4e00" <= char <= "\u9fff" for char in why)


def test_a_lead_that_others_ask_for_is_not_a_reminder_for_the_user():
    """通知我们 is the sender's wish to be told; it once moved the reminder to the day before."""
    found = hear("10月26日下午2点面试，请提前一天通知我们")
    assert found.outcome in STEPS_BACK
