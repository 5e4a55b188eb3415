"""Which words belong to one time, and what makes the reading `leftover`: a partial match is worse than none."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zhixing.language.expressions import TimeReading, read_times
from zhixing.language.text import normalise
from zhixing.language.timex import (
    CalendarDate,
    ClockStyle,
    ClockWords,
    Duration,
    Period,
    RelativeDay,
    TimeExpression,
    VagueDate,
    WeekDay,
)


def read(text: str) -> TimeReading:
    return read_times(normalise(text))


def words(text: str) -> list[str]:
    return [text[slice(*expression.span)] for expression in read(text).expressions]


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("明天下午3点开会", "明天下午3点"),
        ("明天 下午 3点开会", "明天 下午 3点"),
        ("明天的下午3点开会", "明天的下午3点"),
        ("明天，下午3点开会", "明天，下午3点"),
        ("10月20日下午3点", "10月20日下午3点"),
        ("10月15日（周四）下午3点开会", "10月15日（周四）下午3点"),
        ("10月15日(周四)开会", "10月15日(周四)"),
        ("10月15日，周四，下午3点", "10月15日，周四，下午3点"),
        ("明天周二下午3点", "明天周二下午3点"),
        ("10月15日下周四", "10月15日下周四"),
        ("今晚（8点）聚餐", "今晚（8点）"),
        ("三天后下午3点开会", "三天后下午3点"),
        ("2026-10-15 15:00 开会", "2026-10-15 15:00"),
        ("下周三 15：30", "下周三 15：30"),
        ("明天15:30分开会", "明天15:30"),
        ("明天3:30pm开会", "明天3:30pm"),
    ],
)
def test_words_that_touch_are_one_time(text: str, whole: str):
    assert words(text) == [whole]
    assert not read(text).leftover


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("明天，开会，下午3点", ["明天", "下午3点"]),
        ("下午3点明天", ["下午3点", "明天"]),
        ("3点下午", ["3点", "下午"]),
        ("明天后天", ["明天", "后天"]),
        ("明天上午、下午3点", ["明天上午", "下午3点"]),
        ("周二明天", ["周二", "明天"]),
        ("明天周二周三", ["明天周二", "周三"]),
        ("10分钟后明天", ["10分钟后", "明天"]),
        ("10月15日和16日", ["10月15日", "16日"]),
        ("明天3点、4点", ["明天3点", "4点"]),
    ],
)
def test_words_of_two_times_stay_apart(text: str, pieces: list[str]):
    assert words(text) == pieces


def test_an_expression_holds_what_was_said_and_nothing_else():
    assert read("10月15日（周四）下午3点半开会").expressions == (
        TimeExpression(
            (0, 15),
            date=CalendarDate(None, 10, 15),
            weekday=4,
            period=Period.AFTERNOON,
            clock=ClockWords(3, 30, ClockStyle.SPOKEN),
        ),
    )
    assert read("下周三").expressions == (TimeExpression((0, 3), date=WeekDay(1, 3)),)
    assert read("周五").expressions == (TimeExpression((0, 2), date=VagueDate("周五"), weekday=5),)
    assert read("今晚").expressions == (TimeExpression((0, 2), date=RelativeDay(0), period=Period.EVENING),)
    assert read("半小时后").expressions == (TimeExpression((0, 4), after=Duration(seconds=1800)),)


def test_a_lead_is_no_time_of_its_own():
    reading = read("明天下午3点开会，提前10分钟提醒我")
    assert len(reading.expressions) == 1
    assert [(lead.span, lead.duration) for lead in reading.leads] == [((9, 15), Duration(seconds=600))]


@pytest.mark.parametrize(
    "text",
    [
        # Digits and units that touch the time.
        "明天下午3点5开会", "明天下午3点300人开会", "明天下午3点20人开会", "明天下午3:5开会", "明天3点半多",
        "明天3点多", "203号明天3:055", "第3点", "1.3点", "1,203:15开会",
        # Ranges and choices.
        "明天3点到5点", "明天3-5点", "明天下午3点~5点", "10月15日-17日", "10月15日到17日", "10月15日至10月17日",
        "1到3点", "三到五点",
        # Roughly.
        "明天3点左右", "明天3点前后", "明天3点上下",
        # A time within reach of one that is not to be read.
        "半天后", "10分钟内", "三天之内提醒我", "10/15开会", "明天下班后", "第二天下午3点", "提前一点提醒我",
        "半小时后3点", "待会儿3点",
        # Units that stand anywhere else.
        "明天下午3点，2年", "2027年开会", "7月半", "3:5", "25:", "明天5年级", "10.15号开会", "2026年10月开会",
        # Not a date, a house.
        "10月15号楼开会",
    ],
)  # fmt: skip
def test_more_about_time_than_was_understood_is_leftover(text: str):
    assert read(text).leftover


@pytest.mark.parametrize(
    "text",
    [
        "明天在301开会", "明天下午3点在5号楼开会", "明天去3号线", "明天下午3点，3年级", "明天带3点建议", "3月饼",
        "2号楼", "2年级", "3号会议室", "买3斤苹果", "明天下午3点一起吃饭", "明天下午3点一定到",
        "明天下午3点两个人开会", "看3小时书", "明天跑步30分钟", "电话13800138000",
    ],
)  # fmt: skip
def test_a_number_that_says_nothing_about_time_is_not_leftover(text: str):
    assert not read(text).leftover


@pytest.mark.parametrize("text", ["", "买菜", "提醒我喝水", "3号楼取快递", "讲三点意见", "😀", "晚饭吃什么", "3.14"])
def test_a_text_without_time_is_empty(text: str):
    assert read(text).empty


@pytest.mark.parametrize("text", ["明天", "提前10分钟提醒我", "10/15", "周五", "马上", "2年"])
def test_a_text_with_any_word_about_time_is_not_empty(text: str):
    assert not read(text).empty


PIECES = [
    "明天", "10月15日", "下周三", "周五", "下午", "今晚", "3点", "三点半", "15:30", "10分钟后", "提前10分钟", "，",
    " ", "的", "（", "）", "开会", "5", "三",
]  # fmt: skip


@settings(deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=8).map("".join))
def test_expressions_stand_in_order_inside_the_text(text: str):
    spans = [expression.span for expression in read(text).expressions]
    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert all(left[1] <= right[0] for left, right in pairwise(spans))
