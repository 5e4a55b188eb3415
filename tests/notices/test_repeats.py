"""The pure decision about what repeats: anchors, bounds, claims, answers; and that nothing is built of half a reading."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zhixing.kernel.moments import parse_instant, zone
from zhixing.notices.explaining import claim_lines
from zhixing.notices.model import Answer, Outcome, Source, Submission
from zhixing.notices.repeats import canonical, understand_repeat
from zhixing.tasks.schedule.expression import parse_expression
from zhixing.tasks.schedule.next import next_due

NOW = parse_instant("2026-10-12T10:00:00+08:00")
SHANGHAI = zone("Asia/Shanghai")


def understand(text: str, *answers: tuple[str, str], now=NOW, **more):
    source = more.pop("source", Source.DIRECT)
    submission = Submission(text, source, NOW, "Asia/Shanghai", **more)
    return understand_repeat(submission, now, [Answer(*one) for one in answers], subject="t1", revision=7)


def expression(text: str, *answers: tuple[str, str], **more) -> str:
    return understand(text, *answers, **more).series.expression


@pytest.mark.parametrize(
    ("text", "trigger"),
    [
        # Monday, 10:00: this evening is still ahead, this morning is not.
        ("隔天晚上8点提醒我浇花", "on day/2@2026-10-12 at 20:00"),
        ("隔天早上8点提醒我浇花", "on day/2@2026-10-13 at 08:00"),
        ("从后天开始隔天早上8点提醒我浇花", "on day/2@2026-10-14 at 08:00 from 2026-10-14"),
        ("隔周周一早上8点提醒我", "on week/2@2026-10-19:1 at 08:00"),
        ("隔周周一晚上8点提醒我", "on week/2@2026-10-12:1 at 20:00"),
        ("从下周一开始隔周周三晚上8点提醒我", "on week/2@2026-10-21:3 at 20:00 from 2026-10-19"),
        ("每两个月1号上午9点提醒我抄表", "on month/2@2026-11-01:1 at 09:00"),
    ],
)
def test_an_interval_is_counted_from_the_nearest_time_or_from_where_was_said(text, trigger):
    found = understand(text)
    assert found.series.expression == trigger
    assert any("算起" in line for line in claim_lines(found.nodes))


def test_deciding_later_counts_from_the_submission_all_the_same():
    later = NOW + timedelta(days=5)
    asked = ("clock_time", "20:00")
    assert expression("隔天提醒我浇花", asked, now=later) == expression("隔天提醒我浇花", asked)
    assert expression("隔天提醒我浇花", asked, now=later) == "on day/2@2026-10-12 at 20:00"


@pytest.mark.parametrize(
    ("text", "trigger"),
    [
        ("每天早上8点提醒我量体温，连续3天", "on day at 08:00 until 2026-10-15"),
        ("每天晚上8点提醒我量体温，连续3天", "on day at 20:00 until 2026-10-14"),
        ("从明天开始每天晚上8点提醒我量体温，为期一周", "on day at 20:00 from 2026-10-13 until 2026-10-19"),
        ("每天早上8点提醒我量体温，共3次", "on day at 08:00 from 2026-10-12T10:00:00 times 3"),
        ("每天早上8点提醒我量体温，到10月20日", "on day at 08:00 until 2026-10-20"),
        ("每天早上8点提醒我量体温", "on day at 08:00"),
    ],
)
def test_an_end_is_there_only_where_one_was_said(text, trigger):
    assert expression(text) == trigger


def test_an_end_whose_nearest_date_is_over_is_asked_for_its_year():
    asked = understand("每天早上8点提醒我吃药，到6月30日")
    assert (asked.outcome, asked.question.kind, asked.question.revision) == (Outcome.NEEDS_CONFIRMATION, "year", 7)
    assert expression("每天早上8点提醒我吃药，到6月30日", ("year", "2027")) == "on day at 08:00 until 2027-06-30"
    over = understand("每天早上8点提醒我吃药，到6月30日", ("year", "2026"))
    assert (over.outcome, over.series) == (Outcome.NO_REMINDER, None)


def test_an_answer_that_does_not_help_is_not_asked_for_again():
    found = understand("每天8点提醒我吃药", ("meridiem", "也许"))
    assert (found.outcome, found.question) == (Outcome.RETRYABLE_FAILURE, None)


def test_days_of_a_passed_on_message_count_from_the_day_it_was_sent():
    text = "从明天开始每天早上8点提醒我打卡"
    assert understand(text, source=Source.PASTE) is None
    sent = date(2026, 10, 9)
    assert expression(text, source=Source.PASTE, message_date=sent) == "on day at 08:00 from 2026-10-10"
    assert expression("每天早上8点提醒我打卡", source=Source.PASTE) == "on day at 08:00"


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("每月15号交房租", "没说几点，当天 09:00 提醒"),
        ("每月31号上午9点交房租", "没有 31 号 的月份或年份不提醒"),
        ("每年2月29日上午9点提醒我过生日", "没有 2 月 29 日 的月份或年份不提醒"),
        ("每年农历腊月三十上午9点提醒我", "没有 三十 的月份或年份不提醒"),
        ("工作日早上9点打卡", "“工作日”按周一至周五理解，不看调休；要按国家安排请说“法定工作日”"),
        ("法定工作日早上9点打卡", "节假日安排只公布到 2026-12-31；之后的日子等新的安排发布、程序更新后再继续"),
        ("每年农历八月十五提醒我赏月", "农历表到 2101-01-28 为止"),
    ],
)
def test_what_nobody_said_is_told(text, claim):
    assert claim in claim_lines(understand(text).nodes)


def test_what_was_said_in_full_has_nothing_to_be_told():
    assert claim_lines(understand("每周三下午3点开会").nodes) == []


@pytest.mark.parametrize(
    ("text", "action", "title"),
    [
        ("每天早上8点和晚上8点提醒我吃药", "吃药", "吃药"),
        ("从明天开始每天早上8点提醒我给猫喂药，共10次", "给猫喂药", "给猫喂药"),
        ("每天提醒我", "每天提醒我", "每天提醒我"),
        ("每周二上午9点30分提醒我开组会，地点301", "开组会", "开组会"),
    ],
)
def test_the_action_is_made_of_the_users_own_words(text, action, title):
    found = understand(text)
    assert (found.action, found.title) == (action, title)


@pytest.mark.parametrize(
    "text",
    [
        "老师说每周三下午3点开班会",
        "如果下雨每天早上8点提醒我带伞",
        "每天早上8点提醒我吃药，不要忘了关火，再去买菜",
        "每周三下午3点大概要开会",
        "每周三下午3点的会取消",
        "每天早上8点吃药，晚上8点跑步",
        "每天傍晚3点提醒我和早上8点",
    ],
)
def test_where_the_grammar_steps_back_so_does_the_series(text):
    assert understand(text) is None


@pytest.mark.parametrize(
    ("kind", "value", "taken"),
    [
        ("repeat_interval", "每 2 天一次", "2"),
        ("repeat_interval", "三天", "3"),
        ("repeat_interval", "随便", None),
        ("repeat_weekday", "周一和周三", "1,3"),
        ("repeat_weekday", "3", None),
        ("repeat_day", "15", "15"),
        ("repeat_day", "最后一天", "-1"),
        ("repeat_day", "40", None),
    ],
)
def test_answers_are_kept_in_a_form_that_means_the_same_later(kind, value, taken):
    assert canonical(kind, value) == taken


def test_the_value_of_every_quick_answer_is_an_answer():
    for text in ("每隔两天晚上8点提醒我浇花", "每周提醒我浇水", "每月提醒我交房租"):
        asked = understand(text).question
        for option in asked.options[:-1]:
            taken = canonical(asked.kind, option.value)
            assert taken is not None
            assert understand(text, (asked.kind, taken)).outcome is Outcome.SCHEDULED


_RULES = [
    "每天",
    "隔天",
    "每周三",
    "每周一三五",
    "隔周周五",
    "每月15号",
    "每月最后一天",
    "每年10月1日",
    "法定工作日",
    "每逢初一",
    "每两小时",
    "每隔两天",
]
_CLOCKS = ["", "早上8点", "8点", "20:30", "晚上十点半", "早上8点和晚上8点", "早上", "25点", "下午3点到5点"]
_REST = ["提醒我吃药", "吃药", "前交表", "开会，提前10分钟提醒我", "交表，提前两天提醒我", "结束", "", "如果下雨收衣服"]
_BOUNDS = ["", "，到12月31日", "，共10次", "，为期一个月", "，到年底", "，明天下午3点也要"]


@given(st.tuples(*map(st.sampled_from, (_RULES, _CLOCKS, _REST, _BOUNDS))))
def test_whatever_is_said_becomes_a_series_that_lies_ahead_or_one_question_or_nothing(parts):
    found = understand("".join(parts))
    if found is None:
        return
    assert (found.series is None) is (found.outcome is not Outcome.SCHEDULED)
    assert (found.question is None) is (found.outcome is not Outcome.NEEDS_CONFIRMATION)
    if found.series is not None:
        trigger = parse_expression(found.series.expression, SHANGHAI, found.series.anchor)
        first = next_due(trigger, SHANGHAI, NOW)
        assert first is not None
        assert first > NOW
        assert not any(word in "".join(parts) for word in ("25点", "到5点", "年底", "也要", "如果", "结束"))
