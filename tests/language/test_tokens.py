"""The lexer: which words are words about time, what each of them says, and where it stands."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zhixing.language.lexicon import NEEDS, PATTERNS
from zhixing.language.text import normalise
from zhixing.language.timex import (
    CalendarDate,
    ClockStyle,
    ClockWords,
    Duration,
    MonthDay,
    Period,
    RelativeDay,
    VagueDate,
    WeekDay,
)
from zhixing.language.tokens import After, BareWeekday, DayPart, Doubtful, LeadTime, tokens


def read(text: str) -> list[tuple[str, object]]:
    return [(text[token.start : token.end], token.meaning) for token in tokens(normalise(text))]


def spoken(hour: int, minute: int = 0) -> ClockWords:
    return ClockWords(hour, minute, ClockStyle.SPOKEN)


def colon(hour: int, minute: int) -> ClockWords:
    return ClockWords(hour, minute, ClockStyle.COLON)


def after(**amount: int) -> After:
    return After(Duration(**amount))


LATER = DayPart(RelativeDay(0), Period.LATER)

WHOLE_WORDS = [
    # Month and day.
    ("10月15日", CalendarDate(None, 10, 15)),
    ("十月十五号", CalendarDate(None, 10, 15)),
    ("2026年10月15日", CalendarDate(2026, 10, 15)),
    ("26年10月15日", CalendarDate(2026, 10, 15)),
    ("二〇二六年十月十五日", CalendarDate(2026, 10, 15)),
    ("二零二六年十月十五日", CalendarDate(2026, 10, 15)),
    ("今年10月15日", CalendarDate(None, 10, 15, 0)),
    ("明年的1月5日", CalendarDate(None, 1, 5, 1)),
    ("去年10月20日", CalendarDate(None, 10, 20, -1)),
    ("2026-10-15", CalendarDate(2026, 10, 15)),
    ("2026/10/15", CalendarDate(2026, 10, 15)),
    ("2026.10.15", CalendarDate(2026, 10, 15)),
    ("13月40日", CalendarDate(None, 13, 40)),
    # Days counted from another one.
    ("大前天", RelativeDay(-3)),
    ("前天", RelativeDay(-2)),
    ("昨天", RelativeDay(-1)),
    ("今日", RelativeDay(0)),
    ("明天", RelativeDay(1)),
    ("后天", RelativeDay(2)),
    ("大后天", RelativeDay(3)),
    ("下周三", WeekDay(1, 3)),
    ("下个星期三", WeekDay(1, 3)),
    ("下一个礼拜三", WeekDay(1, 3)),
    ("下下周一", WeekDay(2, 1)),
    ("本周日", WeekDay(0, 7)),
    ("这周天", WeekDay(0, 7)),
    ("上周五", WeekDay(-1, 5)),
    ("下周5", WeekDay(1, 5)),
    ("本月20日", MonthDay(0, 20)),
    ("这个月20号", MonthDay(0, 20)),
    ("下个月5号", MonthDay(1, 5)),
    ("下下个月5号", MonthDay(2, 5)),
    ("上个月5号", MonthDay(-1, 5)),
    # Words that leave the day open.
    ("周五", BareWeekday(5)),
    ("星期天", BareWeekday(7)),
    ("礼拜三", BareWeekday(3)),
    *[
        (words, VagueDate(words))
        for words in (
            "5号", "15日", "二十号", "三十一号", "周末", "下周末", "下周", "本周", "下个月", "这个月", "10月",
            "10月份", "月底", "本月底", "10月底", "年底", "今年底", "10月上旬", "中旬", "下旬", "明年", "明年3月",
            "改天", "过几天", "过阵子", "节后", "今明两天", "当天", "元旦", "春节", "国庆节", "五一", "劳动节",
            "中秋节", "清明节假期", "平安夜", "七夕", "大年初一", "除夕", "暑假",
        )
    ],
    # Clock readings.
    ("15:30", colon(15, 30)),
    ("9:05", colon(9, 5)),
    ("15:30:45", colon(15, 30)),
    ("24:00", colon(24, 0)),
    ("9:75", colon(9, 75)),
    ("三点", spoken(3)),
    ("3点钟", spoken(3)),
    ("三点整", spoken(3)),
    ("三点半", spoken(3, 30)),
    ("三点一刻", spoken(3, 15)),
    ("3点三刻", spoken(3, 45)),
    ("三点二十", spoken(3, 20)),
    ("三点五十五", spoken(3, 55)),
    ("三点零五", spoken(3, 5)),
    ("三点零五分", spoken(3, 5)),
    ("三点过五分", spoken(3, 5)),
    ("3点05", spoken(3, 5)),
    ("3点5分", spoken(3, 5)),
    ("15时", spoken(15)),
    ("15时30分", spoken(15, 30)),
    ("25点", spoken(25)),
    ("差一刻三点", spoken(2, 45)),
    ("差五分三点", spoken(2, 55)),
    ("三点差五分", spoken(2, 55)),
    # Parts of the day.
    ("凌晨", Period.BEFORE_DAWN),
    ("大清早", Period.MORNING),
    ("早上", Period.MORNING),
    ("上午", Period.FORENOON),
    ("晌午", Period.NOON),
    ("午后", Period.AFTERNOON),
    ("下午", Period.AFTERNOON),
    ("傍晚", Period.EVENING),
    ("晚上", Period.EVENING),
    ("深夜", Period.NIGHT),
    ("今晚", DayPart(RelativeDay(0), Period.EVENING)),
    ("明早", DayPart(RelativeDay(1), Period.MORNING)),
    ("后天凌晨", DayPart(RelativeDay(2), Period.BEFORE_DAWN)),
    ("昨夜", DayPart(RelativeDay(-1), Period.EVENING)),
    ("待会儿", LATER),
    ("过一会", LATER),
    ("稍后", LATER),
    # Counted from now, and ahead of something.
    ("10分钟后", after(seconds=600)),
    ("一个半小时之后", after(seconds=5400)),
    ("再过半小时", after(seconds=1800)),
    ("过10分钟后", after(seconds=600)),
    ("三天后", after(days=3)),
    ("两周以后", after(days=14)),
    ("一个月后", after(months=1)),
    ("提前10分钟", LeadTime(Duration(seconds=600))),
    ("提早一天", LeadTime(Duration(days=1))),
    ("提前一点儿", LeadTime(None)),
    # Seen, and not to be read: no digit of it may be used.
    *[
        (words, Doubtful())
        for words in (
            "10/15", "半天后", "10分钟内", "三天之内", "马上", "立刻", "半点", "整点", "前两天", "前3天", "头一天",
            "第二天", "次日", "隔天", "下班后", "晚饭后", "会后", "考试前", "差五分零点",
        )
    ],
]  # fmt: skip


@pytest.mark.parametrize(("words", "meaning"), WHOLE_WORDS, ids=[words for words, _ in WHOLE_WORDS])
def test_the_whole_word_is_one_token(words: str, meaning: object):
    assert read(words) == [(words, meaning)]


@pytest.mark.parametrize(
    "text",
    [
        # Places, papers, food and the like.
        "5号楼", "5号线", "第5号", "A5号", "32号", "5日报", "5日用", "周五报", "10月饼", "3号会议室", "10月份的账单",
        "当天的", "晚饭", "明早餐", "今晚报", "早点摊", "晚点名", "开会前台", "会后台", "圣诞快乐", "暑假作业",
        "中秋晚会",
        # Points that are no o'clock.
        "三点水", "三点建议", "讲三点意见", "一点儿", "一点也", "有一点事", "差一点", "早一点", "快一点", "3时间",
        # Digits that only look like a time.
        "2026.10/15", "10.15", "1015", "20261015", "115:30", "15:300", "9:5", "3 amp", "3.14", "1:2:3", "v10.15.2",
        "去年", "下周8", "提前", "提前交", "3小时", "30分钟", "10天",
        "", "买菜", "提醒我喝水",
    ],
)  # fmt: skip
def test_what_only_looks_like_time_is_no_token(text: str):
    assert read(text) == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("明天下午3点开会", ["明天", "下午", "3点"]),
        ("今晚八点", ["今晚", "八点"]),
        ("晚8点", ["晚", "8点"]),
        ("早8:30", ["早", "8:30"]),
        ("10月15日（周四）15：30", ["10月15日", "周四", "15：30"]),
        ("20261015 15:00", ["20261015", "15:00"]),
        ("10.15上午", ["10.15", "上午"]),
        ("10-15 15:00", ["10-15", "15:00"]),
        ("明天晚饭后给妈妈打电话", ["明天", "晚饭后"]),
        ("兩點鐘", ["兩點鐘"]),
        ("明天３点", ["明天", "３点"]),
        ("下周三下午3点开会，提前10分钟提醒我", ["下周三", "下午", "3点", "提前10分钟"]),
        ("3点20人开会", ["3点"]),
        ("晚点提醒我", ["晚点"]),
        ("早点去", ["早点"]),
        ("10月提交", ["10月"]),
        ("周三人很多", ["周三"]),
    ],
)
def test_tokens_cut_the_words_out_of_the_original(text: str, words: list[str]):
    assert [word for word, _ in read(text)] == words


@pytest.mark.parametrize(
    ("text", "half", "clock"),
    [
        ("3:30pm", Period.PM, colon(3, 30)),
        ("3:30 p.m.", Period.PM, colon(3, 30)),
        ("3 AM", Period.AM, spoken(3)),
        ("3pm", Period.PM, spoken(3)),
    ],
)
def test_the_english_half_of_the_day_is_put_before_its_clock(text: str, half: Period, clock: ClockWords):
    assert read(text) == [("", half), (text, clock)]


FRAGMENTS = st.lists(
    st.sampled_from([words for words, _ in WHOLE_WORDS] + list("0123456789一二三:/-.,的 前后开会")), max_size=8
)


@settings(deadline=None)
@given(FRAGMENTS.map("".join))
def test_tokens_stand_in_order_and_never_overlap(text: str):
    spans = [token.span for token in tokens(normalise(text))]
    assert all(start <= end for start, end in spans)
    assert all(left[1] <= right[0] for left, right in pairwise(spans))
    assert all(start >= 0 and end <= len(text) for start, end in spans)


@settings(deadline=None)
@given(FRAGMENTS.map("".join))
def test_a_token_is_read_the_same_behind_words_that_say_nothing(text: str):
    assert read("买菜，" + text) == read(text)


def test_what_a_kind_needs_stands_in_everything_it_matches():
    """Needs and beginnings only save time: whatever a pattern matches has them."""
    cases = Path(__file__).parents[1] / "notices" / "cases"
    files = [(cases / f"{name}.jsonl").read_text(encoding="utf-8") for name in ("notices", "judged", "golden")]
    lines = [line for text in files for line in text.splitlines()]
    texts = [normalise(json.loads(line)["text"]) for line in lines]
    for kind, begins, pattern in PATTERNS:
        search = re.compile(pattern)
        found = [(match[0], plain) for plain in texts for match in search.finditer(plain)]
        assert found, kind
        for words, plain in found:
            assert words[0] in begins, (kind, words)
            assert kind not in NEEDS or not NEEDS[kind].isdisjoint(plain), (kind, words)
