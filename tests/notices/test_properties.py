"""What holds for any text: it is answered, nothing is invented, and no digit is left behind."""

from __future__ import annotations

from datetime import datetime
from functools import cache

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from zhixing.kernel.moments import parse_instant
from zhixing.language.text import normalise
from zhixing.notices.model import Answer, Entry, Outcome, Source, Submission, Understanding
from zhixing.notices.understand import LONGEST_TEXT, understand

NOW = parse_instant("2026-10-12T10:00:00+08:00")

# Pieces of which notices are made, and pieces that disturb them.
DAYS = [
    "今天", "明天", "后天", "大后天", "昨天", "今晚", "明早", "本周五", "下周三", "周五", "星期天", "10月15日",
    "十月二十号", "2026年10月20日", "2026-10-20", "10/15", "本月20日", "下个月5号", "5号", "月底", "国庆节",
]  # fmt: skip
PERIODS = ["凌晨", "早上", "上午", "中午", "下午", "晚上", "半夜"]
CLOCKS = [
    "3点", "三点", "三点半", "3点一刻", "3点20分", "三点二十", "15:30", "15：30", "9:75", "24:00", "13点", "25点",
    "3pm", "十二点", "差一刻三点",
]  # fmt: skip
AMOUNTS = [
    "10分钟后",
    "半小时后",
    "一个半小时后",
    "三天后",
    "两周后",
    "一个月后",
    "半天后",
    "10分钟内",
    "待会儿",
    "过两小时",
]
LEADS = ["提前10分钟", "提前一天", "提前一点", "准时", "提前"]
WORDS = [
    "提醒我", "通知我", "记得", "开会", "交报告", "吃药", "截止", "开始报名", "结束", "之前", "前", "后", "到", "至",
    "左右", "每天", "如果", "不", "改到", "老师说", "和", "谢谢", "带电脑", "的", "了",
]  # fmt: skip
NUMBERS = [
    "0", "1", "3", "5", "15", "20", "一", "三", "十", "半", "百", "两", "第", "年", "月", "日", "号", "点", "分",
    "时", "周", "刻",
]  # fmt: skip
MARKS = [
    " ", "\u3000", "，", ",", "。", "、", "：", ":", "-", "—", "~", "/", "（", "）", "(", ")", "！", "？", "\n", "“",
    "”", "😀", "a", "·",
]  # fmt: skip
PIECES = [*DAYS, *PERIODS, *CLOCKS, *AMOUNTS, *LEADS, *WORDS, *NUMBERS, *MARKS]
MIXTURES = st.lists(st.sampled_from(PIECES), max_size=10).map("".join)
# Sentences in the usual order, so that many of them are understood.
SENTENCES = st.tuples(
    st.sampled_from(["", "提醒我", "记得", " "]),
    st.sampled_from(["", *DAYS]),
    st.sampled_from(["", *PERIODS]),
    st.sampled_from(["", *CLOCKS, *AMOUNTS]),
    st.sampled_from(["", "提醒我", "前", "截止", "3", "三", " ", "，"]),
    st.sampled_from(["开会", "交报告", "吃药", "开始报名", "5个人开会", "在301开会"]),
    st.sampled_from(["", "，提前10分钟提醒我", "，准时提醒我", "，带电脑", "，谢谢", "。", "3"]),
).map("".join)
TEXTS = MIXTURES | SENTENCES
ANYTHING = st.text(st.characters(exclude_categories=[]), max_size=300)


def hear(
    text: str,
    *answers: tuple[str, str],
    now: datetime = NOW,
    source: Source = Source.DIRECT,
    entry: Entry = Entry.SCHEDULE,
) -> Understanding:
    submission = Submission(text, source, NOW, "Asia/Shanghai", None, entry)
    return understand(submission, now, [Answer(*answer) for answer in answers])


def check(text: str, found: Understanding) -> None:
    """Assert what every answer has to satisfy."""
    assert (found.outcome is Outcome.SCHEDULED) is bool(found.reminders)
    assert (found.outcome is Outcome.NEEDS_CONFIRMATION) is (found.question is not None)
    assert len(found.title) <= 16
    assert found.evidence in text
    for detail in found.details:
        assert detail in text
    for node in found.nodes:
        assert node.expression
        assert node.expression in node.evidence
        assert node.evidence in text
        assert (node.at is None) is (node.day is not None)
        assert node.at is None or node.at.tzinfo is not None
        assert (node.lead_minutes is None) is (node.lead_evidence is None)
        assert node.lead_minutes is None or 0 <= node.lead_minutes <= 10_080
        assert node.lead_evidence is None or node.lead_evidence in text
    for reminder in found.reminders:
        assert reminder.at is None or reminder.at >= NOW
        assert all(0 <= index < len(found.nodes) for index in reminder.nodes)
    if found.question is not None:
        *quick, other = found.question.options
        assert 0 < len(found.question.prompt) <= 24
        assert len(quick) <= 2
        assert other.value == "other"


# Arbitrary text.


@settings(max_examples=300, deadline=None)
@given(ANYTHING, st.sampled_from(Source), st.sampled_from(Entry))
def test_any_text_is_answered(text: str, source: Source, entry: Entry):
    check(text, hear(text, source=source, entry=entry))


@settings(max_examples=60, deadline=None)
@given(
    st.text(st.characters(exclude_categories=[]), min_size=1, max_size=12) | st.sampled_from(PIECES),
    st.integers(1, LONGEST_TEXT),
)
def test_any_text_of_any_length_is_answered(piece: str, length: int):
    text = (piece * (length // len(piece) + 1))[:length]
    check(text, hear(text))


ASKED = ["明天3点开会", "下午3点开会", "5月1日开会", "10月15日（周五）开会", "明天开会，准时提醒我"]
KINDS = ["meridiem", "clock_time", "date", "date_passed", "message_date", "year", "tz_gap", "lead_needs_clock", "?"]
ANSWERS = st.tuples(st.sampled_from(KINDS), ANYTHING | MIXTURES)


@settings(max_examples=200, deadline=None)
@given(st.lists(ANSWERS, max_size=4), st.sampled_from(ASKED))
def test_any_answer_is_taken_or_left(answers: list[tuple[str, str]], text: str):
    found = hear(text, *answers)
    check(text, found)
    assert found.question is None or found.question.kind not in {kind for kind, _ in answers}


# Nothing is invented.

SILENT = "我你他们去买菜做饭洗衣服写信看书听歌打球跑步喝水吃面回家扫地遛狗浇花修车学习工作abcXYZ,，。！（）()“”·— \n😀"


@settings(max_examples=300, deadline=None)
@given(st.text(SILENT, min_size=1, max_size=80))
def test_a_text_without_a_word_about_time_has_no_time(text: str):
    found = hear(text)
    assert (found.nodes, found.reminders, found.question) == ((), (), None)


@settings(max_examples=300, deadline=None)
@given(ANYTHING)
def test_no_time_is_found_where_no_character_of_time_stands(text: str):
    assume(
        not set(normalise(text))
        & set(
            "0123456789零〇一二两三四五六七八九十百廿卅半今明后昨前天日周星礼月年号点时分刻秒早晚午夜晨宵旬节假末底初会"
        )
    )
    found = hear(text)
    assert (found.nodes, found.reminders) == ((), ())


# Mixtures of words about time.


@settings(max_examples=600, deadline=None)
@given(TEXTS)
def test_any_mixture_of_words_about_time_is_answered(text: str):
    check(text, hear(text))


@settings(max_examples=300, deadline=None)
@given(TEXTS, st.text(" \u3000\t", max_size=3), st.text(" \u3000\t\n", max_size=3))
def test_blanks_around_a_text_change_nothing(text: str, before: str, after: str):
    assume(text.strip())
    bare, padded = hear(text.strip()), hear(before + text.strip() + after)
    assert padded.outcome == bare.outcome
    assert [(node.kind, node.at, node.day, node.expression) for node in padded.nodes] == [
        (node.kind, node.at, node.day, node.expression) for node in bare.nodes
    ]
    assert padded.reminders == bare.reminders
    assert padded.question == bare.question


@settings(max_examples=200, deadline=None)
@given(TEXTS, TEXTS)
def test_the_same_words_mean_the_same_whatever_was_read_before(text: str, other: str):
    first = hear(text)
    hear(other)
    assert hear(text) == first


@settings(max_examples=200, deadline=None)
@given(TEXTS, st.integers(0, 60 * 24 * 20))
def test_the_times_of_a_text_do_not_move_with_the_present(text: str, minutes: int):
    later = datetime.fromtimestamp(NOW.timestamp() + 60 * minutes, NOW.tzinfo)
    first, again = hear(text), hear(text, now=later)
    if first.nodes and again.nodes:
        assert [(node.kind, node.at, node.day) for node in again.nodes] == [
            (node.kind, node.at, node.day) for node in first.nodes
        ]


@settings(max_examples=200, deadline=None)
@given(TEXTS)
def test_full_width_digits_and_marks_mean_what_plain_ones_do(text: str):
    wide = text.translate(
        {**{code: code + 0xFEE0 for code in range(ord("0"), ord("9") + 1)}, ord(":"): "：", ord(","): "，"}
    )
    first, again = hear(text), hear(wide)
    assert again.outcome == first.outcome
    assert again.reminders == first.reminders
    assert [(node.kind, node.at, node.day) for node in again.nodes] == [
        (node.kind, node.at, node.day) for node in first.nodes
    ]


# No partial match.

UNDERSTOOD = [
    "明天下午3点", "明天下午三点", "明天15:00", "明天下午3点半", "明天下午三点一刻", "明天下午3点20分",
    "明天下午3点05", "10月15日下午3点", "10月15日15：30", "10.15下午3点", "今晚八点", "明早8点",
    "明天3pm", "明天21点", "本周五 18:00", "下周三下午3点", "20分钟后", "1.5小时后", "两小时后", "3天后下午3点",
    "明天下午差一刻三点", "今年10月20日下午3点", "二〇二六年十月十五日下午三点", "本月20日下午3点", "明天下午3点整",
]  # fmt: skip
REST = ["开会", "提醒我开会", "前交报告", "截止", "开始报名", "，提醒我"]


@cache
def plain_time(expression: str, rest: str) -> tuple[object, ...]:
    found = hear(expression + rest)
    assert found.outcome is Outcome.SCHEDULED, expression + rest
    return tuple((node.at, node.day) for node in found.nodes)


@settings(max_examples=600, deadline=None)
@given(
    st.sampled_from(UNDERSTOOD),
    st.sampled_from(REST),
    st.text("0123456789０５", min_size=1, max_size=3),
    st.sampled_from(["before", "behind"]),
)
def test_a_digit_beside_a_time_is_part_of_it_or_stops_the_reading(expression: str, rest: str, digits: str, side: str):
    before = side == "before"
    text = digits + expression + rest if before else expression + digits + rest
    expected = plain_time(expression, rest)
    place = 0 if before else len(expression)

    found = hear(text)

    for node in found.nodes:
        start = text.index(node.expression)
        covered = start <= place and place + len(digits) <= start + len(node.expression)
        assert covered or (node.at, node.day) in expected, (text, node.expression)
        assert covered or found.outcome is not Outcome.SCHEDULED, (text, node.expression)
