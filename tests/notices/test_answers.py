"""What users answer, read by the same words as everything else; an answer that is not certain is none."""

from __future__ import annotations

from datetime import date, datetime

import pytest

from zhixing.kernel.moments import parse_instant
from zhixing.language.timex import ClockStyle, ClockWords, TimeExpression
from zhixing.notices.answers import Answers, DateAnswer
from zhixing.notices.model import Answer

TODAY = date(2026, 10, 12)
TWENTY_PAST_THREE = TimeExpression((0, 5), clock=ClockWords(3, 20, ClockStyle.SPOKEN))


def answered(kind: str, *values: str) -> Answers:
    return Answers([Answer(kind, value) for value in values], TODAY)


@pytest.mark.parametrize(
    ("words", "day"),
    [
        ("2026-10-16", date(2026, 10, 16)),
        (" 2026-10-16 ", date(2026, 10, 16)),
        ("2026-2-3", date(2026, 2, 3)),
        ("2026/10/16", date(2026, 10, 16)),
        ("2026年10月16日", date(2026, 10, 16)),
        ("10月16日", date(2026, 10, 16)),
        ("10月16号", date(2026, 10, 16)),
        ("1月5日", date(2027, 1, 5)),
        ("今天", TODAY),
        ("明天", date(2026, 10, 13)),
        ("就明天吧", date(2026, 10, 13)),
        ("大后天", date(2026, 10, 15)),
        ("昨天", date(2026, 10, 11)),
        ("本周五", date(2026, 10, 16)),
        ("下周五", date(2026, 10, 23)),
        ("２０２６－１０－１６", date(2026, 10, 16)),
        ("明天下午3点", date(2026, 10, 13)),
    ],
)
def test_a_day_is_read(words: str, day: date):
    assert answered("date", words).day("date") == DateAnswer(day, None)


def test_a_weekday_named_beside_the_day_is_kept():
    assert answered("date", "10月16日（周五）").day("date") == DateAnswer(date(2026, 10, 16), 5)
    assert answered("date", "10月16日周六").day("date") == DateAnswer(date(2026, 10, 16), 6)


@pytest.mark.parametrize(
    "words",
    [
        "", "other", "其他", "周五", "5号", "月底", "16", "10/16", "20261016", "2026-13-40", "2026-02-30", "2月30日",
        "6月1日", "明天或后天", "明天到后天", "不知道", "下午3点",
    ],
)  # fmt: skip
def test_an_answer_that_is_no_single_day_is_none(words: str):
    assert answered("date", words).day("date") is None


@pytest.mark.parametrize(
    ("words", "clock"),
    [
        ("15:00", "15:00"),
        ("3:05", "03:05"),
        ("15：00", "15:00"),
        ("15:00:00", "15:00"),
        ("0:00", "00:00"),
        ("24:00", "次日00:00"),
        ("次日00:00", "次日00:00"),
        ("次日 1:30", "次日01:30"),
        ("第二天3:00", "次日03:00"),
        ("15点", "15:00"),
        ("24点", "次日00:00"),
        ("下午三点", "15:00"),
        ("下午3点半", "15:30"),
        ("晚上8点", "20:00"),
        ("3pm", "15:00"),
        ("明天下午三点", "15:00"),
        ("2026-10-13T15:00", "15:00"),
        ("2026-10-13T15:00+08:00", "15:00"),
        # The half of the day alone keeps the minutes of the clock that was asked about.
        ("上午", "03:20"),
        ("早上", "03:20"),
        ("下午", "15:20"),
        ("AM", "03:20"),
        ("pm", "15:20"),
    ],
)
def test_a_time_of_day_is_read(words: str, clock: str):
    assert str(answered("meridiem", words).clock("meridiem", TWENTY_PAST_THREE)) == clock


@pytest.mark.parametrize(
    "words",
    [
        "", "other", "15", "3点", "三点", "25:00", "15:60", "24:01", "晚上12点", "下午或晚上", "3点到5点", "不知道",
        "明天", "半夜", "10分钟后",
    ],
)  # fmt: skip
def test_an_answer_that_is_no_certain_time_of_day_is_none(words: str):
    assert answered("meridiem", words).clock("meridiem", TWENTY_PAST_THREE) is None


@pytest.mark.parametrize("words", ["上午", "下午", "pm"])
def test_the_half_of_the_day_alone_needs_a_clock_to_belong_to(words: str):
    assert answered("clock_time", words).clock("clock_time") is None
    assert answered("clock_time", words).clock("clock_time", TimeExpression((0, 2))) is None


@pytest.mark.parametrize(
    ("words", "year"),
    [
        ("2027", 2027),
        ("2027年", 2027),
        ("27年", 2027),
        ("２０２７", 2027),
        ("今年", 2026),
        ("本年", 2026),
        ("明年", 2027),
        ("后年", 2028),
        ("去年", 2025),
        ("2027-10-15", 2027),
        ("2027年10月15日", 2027),
    ],
)
def test_a_year_is_read(words: str, year: int):
    assert answered("year", words).year() == year


@pytest.mark.parametrize("words", ["", "other", "20277", "7", "大后年", "不知道"])
def test_an_answer_that_is_no_year_is_none(words: str):
    assert answered("year", words).year() is None


@pytest.mark.parametrize(
    ("words", "fold"),
    [
        *[(words, 0) for words in ("first", "EARLIER", "0", "早", "前", "第一次", "前一次", "较早的", "dst", "before")],
        *[(words, 1) for words in ("second", "later", "1", "晚", "后", "第二次", "后一次", "standard", "after")],
        ("较晚的 11月1日 1:30", 1),
        *[(words, None) for words in ("", "other", "2", "都行", "1:30")],
    ],
)  # fmt: skip
def test_which_of_two_equal_times_is_read(words: str, fold: int | None):
    assert answered("tz_overlap", words).fold("tz_overlap") == fold


@pytest.mark.parametrize(
    ("words", "instant"),
    [
        ("2026-11-01T01:30-05:00", parse_instant("2026-11-01T01:30-05:00")),
        ("2026-11-01T01:30", datetime(2026, 11, 1, 1, 30)),
        ("2026-11-01 01:30", datetime(2026, 11, 1, 1, 30)),
        ("2026-11-01", None),
        ("01:30", None),
        ("明天下午三点钟好不好呀谢谢你了", None),
        ("2026-11-01T25:30-05:00", None),
        ("", None),
    ],
)
def test_an_instant_is_read(words: str, instant: datetime | None):
    assert answered("tz_gap", words).instant("tz_gap") == instant


def test_the_newest_answer_of_a_kind_wins():
    answers = Answers([Answer("date", "2026-10-14"), Answer("year", "2027"), Answer("date", "2026-10-15")], TODAY)
    assert answers.day("date") == DateAnswer(date(2026, 10, 15), None)
    assert answers.year() == 2027


def test_a_newest_answer_that_cannot_be_read_does_not_bring_back_an_older_one():
    assert answered("date", "2026-10-14", "不知道").day("date") is None


def test_only_kinds_that_were_answered_are_known():
    answers = answered("date", "")
    assert "date" in answers
    assert "year" not in answers
    assert answers.value("year") is None
    assert answers.day("year") is None
    assert answers.clock("clock_time") is None
    assert answers.fold("tz_overlap") is None
    assert answers.instant("tz_gap") is None
    assert answers.year() is None
