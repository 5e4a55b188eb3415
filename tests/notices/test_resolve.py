"""From words to a time: what is certain, and the one thing that is asked otherwise, with its answer."""

from __future__ import annotations

from datetime import date

import pytest

from zhixing.kernel.claims import Basis
from zhixing.kernel.moments import parse_instant, zone
from zhixing.notices.answers import Answers
from zhixing.notices.grammar import read
from zhixing.notices.model import Answer, Candidate, Node, Precision
from zhixing.notices.resolve import Ask, Context, resolve

MONDAY_TEN = "2026-10-12T10:00:00+08:00"


def settle(
    text: str,
    *answers: tuple[str, str],
    submitted: str = MONDAY_TEN,
    now: str | None = None,
    tz: str = "Asia/Shanghai",
    heard: str | None = None,
) -> Node | Ask:
    """Resolve `text`: said by the user, or pasted from a message of the day `heard` ("?" for an unknown day)."""
    found = read(text)
    assert isinstance(found, Candidate), f"{text} was not read: {found}"
    (node,) = found.nodes
    current = parse_instant(now or submitted)
    given = Answers([Answer(*answer) for answer in answers], current.astimezone(zone(tz)).date())
    message = date.fromisoformat(heard) if heard and heard != "?" else None
    return resolve(node, Context(parse_instant(submitted), current, zone(tz), heard is None, message, given))


def when(found: Node | Ask) -> str:
    """Write a resolved time; a question fails the test."""
    assert isinstance(found, Node), found
    return found.at.isoformat() if found.at else found.day.isoformat() if found.day else ""


def asked(found: Node | Ask) -> str:
    assert isinstance(found, Ask), found
    return found.kind


def options(found: Node | Ask) -> list[str]:
    assert isinstance(found, Ask), found
    return [str(option) for option in found.options]


# Certain times.


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("明天下午3点开会", "2026-10-13T15:00:00+08:00"),
        ("明晚九点提醒我交表", "2026-10-13T21:00:00+08:00"),
        ("今晚八点半提醒我打电话", "2026-10-12T20:30:00+08:00"),
        ("后天15:30开会", "2026-10-14T15:30:00+08:00"),
        ("明天0点开会", "2026-10-13T00:00:00+08:00"),
        ("明天24:00截止", "2026-10-14T00:00:00+08:00"),
        ("12月31日24:00截止", "2027-01-01T00:00:00+08:00"),
        ("10月15日（周四）下午3点开会", "2026-10-15T15:00:00+08:00"),
        ("下周三 15:30开会", "2026-10-21T15:30:00+08:00"),
        ("下个月5号下午3点开会", "2026-11-05T15:00:00+08:00"),
        ("三天后下午3点开会", "2026-10-15T15:00:00+08:00"),
        ("明年1月5日下午3点开会", "2027-01-05T15:00:00+08:00"),
        ("下午3点提醒我喝水", "2026-10-12T15:00:00+08:00"),
        ("半小时后提醒我", "2026-10-12T10:30:00+08:00"),
        ("90秒后提醒我", "2026-10-12T10:01:30+08:00"),
        ("3天后提醒我交房租", "2026-10-15T10:00:00+08:00"),
        ("一个月后提醒我续费", "2026-11-12T10:00:00+08:00"),
        # A past day stays in the past.
        ("昨天下午3点开会", "2026-10-11T15:00:00+08:00"),
        ("2025年10月15日上午9点体检", "2025-10-15T09:00:00+08:00"),
        ("今天上午9点开会", "2026-10-12T09:00:00+08:00"),
        # Bare dates stay dates.
        ("明天开会", "2026-10-13"),
        ("10月15日前交报告", "2026-10-15"),
        ("明天上午开会", "2026-10-13"),
        ("明天提醒我交表", "2026-10-13"),
        ("明早提醒我", "2026-10-13"),
        ("三天后开会", "2026-10-15"),
        ("10月20日体检，提前一天提醒我", "2026-10-20"),
    ],
)
def test_a_certain_time_is_settled(text: str, at: str):
    assert when(settle(text)) == at


@pytest.mark.parametrize(("text", "precision"), [("明天下午3点开会", Precision.MINUTE), ("明天开会", Precision.DATE)])
def test_a_node_says_how_exactly_its_time_is_known(text: str, precision: Precision):
    found = settle(text)
    assert isinstance(found, Node)
    assert found.precision is precision
    assert (found.at is None) is (precision is Precision.DATE)
    assert (found.day is None) is (precision is Precision.MINUTE)


# meridiem


@pytest.mark.parametrize(
    ("text", "offered"),
    [
        ("明天3点开会", ["03:00", "15:00"]),
        ("明天三点半开会", ["03:30", "15:30"]),
        ("明天七点一刻开会", ["07:15", "19:15"]),
        ("10月15日8点20分开会", ["08:20", "20:20"]),
        ("明天12点开会", ["00:00", "12:00"]),
        ("3点提醒我吃药", ["03:00", "15:00"]),
        ("周五3点开会", ["03:00", "15:00"]),
        ("明天六点前交作业", ["06:00", "18:00"]),
    ],
)
def test_an_hour_up_to_twelve_without_a_part_of_the_day_asks_only_for_that(text: str, offered: list[str]):
    found = settle(text)
    assert (asked(found), options(found)) == ("meridiem", offered)


@pytest.mark.parametrize(
    "text", ["明天13点开会", "明天0点开会", "明天9:00开会", "明天3pm开会", "明天下午3点开会", "明早8点跑步"]
)
def test_a_clear_hour_is_not_asked(text: str):
    assert isinstance(settle(text), Node)


@pytest.mark.parametrize(
    ("answer", "at"),
    [
        ("15:20", "15:20"),
        ("03:20", "03:20"),
        ("下午", "15:20"),
        ("上午", "03:20"),
        ("下午4点", "16:00"),
        ("24:00", None),
    ],
)
def test_an_answered_half_of_the_day_keeps_the_minutes(answer: str, at: str | None):
    expected = f"2026-10-13T{at}:00+08:00" if at else "2026-10-14T00:00:00+08:00"
    assert when(settle("明天3点20分开会", ("meridiem", answer))) == expected


# clock_time


@pytest.mark.parametrize(
    ("text", "offered"),
    [
        ("明天中午3点开会", ["15:00", "03:00"]),
        ("明天上午15:00开会", ["15:00", "03:00"]),
        ("明天下午12点开会", ["12:00", "00:00"]),
        ("今晚12点提醒我抢票", ["次日00:00"]),
        ("明天早上20:30集合", ["20:30", "08:30"]),
        ("明天9:75开会", []),
        ("明天25点开会", []),
        ("待会儿提醒我吃药", []),
        ("今晚提醒我吃药", []),
        ("明天下午提醒我", []),
        ("下午提醒我", []),
    ],
)
def test_a_contradiction_or_a_missing_hour_asks_for_the_time(text: str, offered: list[str]):
    found = settle(text)
    assert (asked(found), options(found)) == ("clock_time", offered)


def test_a_contradiction_in_a_pasted_message_never_asks_for_its_date():
    assert asked(settle("10月15日上午15:00开会", heard="?")) == "clock_time"


@pytest.mark.parametrize(
    ("text", "answer", "at"),
    [
        ("明天中午3点开会", "15:00", "2026-10-13T15:00:00+08:00"),
        ("今晚12点提醒我抢票", "次日00:00", "2026-10-13T00:00:00+08:00"),
        ("今晚12点提醒我抢票", "24:00", "2026-10-13T00:00:00+08:00"),
        ("今晚提醒我吃药", "晚上9点", "2026-10-12T21:00:00+08:00"),
        ("待会儿提醒我吃药", "下午3点", "2026-10-12T15:00:00+08:00"),
        ("明天9:75开会", "10:15", "2026-10-13T10:15:00+08:00"),
    ],
)
def test_an_answered_time_is_taken(text: str, answer: str, at: str):
    assert when(settle(text, ("clock_time", answer))) == at


# date


@pytest.mark.parametrize(
    ("text", "offered"),
    [
        ("下午3点开会", ["2026-10-12", "2026-10-13"]),
        ("上午9点开会", ["2026-10-13", "2026-10-14"]),
        ("18:00前交表", ["2026-10-12", "2026-10-13"]),
        ("周五下午3点开会", ["2026-10-16", "2026-10-23"]),
        ("周五下午3点提醒我交表", ["2026-10-16", "2026-10-23"]),
        ("周末去爬山", ["2026-10-17", "2026-10-18"]),
        ("5号下午3点开会", ["2026-11-05", "2026-12-05"]),
        ("下午开会", ["2026-10-12", "2026-10-13"]),
        ("月底交材料", ["2026-10-31"]),
        ("元旦上午10点聚会", ["2027-01-01"]),
        ("10月上旬交材料", []),
        ("下周交表", []),
        ("节后交作业", []),
        ("改天吃饭", []),
    ],
)
def test_a_day_that_was_not_said_is_asked(text: str, offered: list[str]):
    found = settle(text)
    assert (asked(found), options(found)) == ("date", offered)


def test_a_pasted_time_of_day_is_no_reminder_for_today():
    assert asked(settle("下午3点提醒我喝水", heard="2026-10-12")) == "date"


@pytest.mark.parametrize(
    ("text", "answer", "at"),
    [
        ("下午3点开会", "2026-10-14", "2026-10-14T15:00:00+08:00"),
        ("下午3点开会", "明天", "2026-10-13T15:00:00+08:00"),
        ("周五下午3点开会", "2026-10-16", "2026-10-16T15:00:00+08:00"),
        ("周末去爬山", "本周六", "2026-10-17"),
        ("月底交材料", "10月30日", "2026-10-30"),
    ],
)
def test_an_answered_day_is_taken(text: str, answer: str, at: str):
    assert when(settle(text, ("date", answer))) == at


@pytest.mark.parametrize("answer", ["", "other", "周五", "不知道", "2026-02-30", "10月16日（周六）"])
def test_an_answer_that_names_no_day_leaves_the_question(answer: str):
    assert asked(settle("下午3点开会", ("date", answer))) == "date"


# date_passed


def test_a_direct_reminder_for_an_hour_that_has_passed_today_asks_for_the_day():
    found = settle("早上7点提醒我起床", submitted="2026-10-12T22:00:00+08:00")
    assert (asked(found), options(found)) == ("date_passed", ["2026-10-13"])


@pytest.mark.parametrize(
    ("now", "passed"),
    [
        ("2026-10-12T14:59:59.999999+08:00", False),
        ("2026-10-12T15:00:00+08:00", False),
        ("2026-10-12T15:00:00.000001+08:00", True),
        ("2026-10-12T23:59:59+08:00", True),
    ],
)
def test_today_has_passed_only_behind_the_instant(now: str, *, passed: bool):
    found = settle("下午3点提醒我喝水", submitted=now)
    assert isinstance(found, Ask) is passed


def test_a_day_that_was_said_and_has_passed_is_not_asked():
    assert when(settle("今天早上7点提醒我", submitted="2026-10-12T22:00:00+08:00")) == "2026-10-12T07:00:00+08:00"


def test_an_answered_day_moves_a_time_that_has_passed():
    found = settle("早上7点提醒我起床", ("date_passed", "2026-10-13"), submitted="2026-10-12T22:00:00+08:00")
    assert when(found) == "2026-10-13T07:00:00+08:00"


def test_a_half_of_the_day_that_has_passed_asks_for_the_day_next():
    assert asked(settle("3点提醒我吃药", ("meridiem", "03:00"))) == "date_passed"
    found = settle("3点提醒我吃药", ("meridiem", "03:00"), ("date_passed", "明天"))
    assert when(found) == "2026-10-13T03:00:00+08:00"


# message_date


@pytest.mark.parametrize(
    "text", [
        "明天下午3点开会", "今晚8点讲座", "下周三下午3点开会", "本月20日交表", "明年1月5日开会", "半小时后开会",
        "三天后下午3点开会", "后天18:00前交表",
    ]
)  # fmt: skip
def test_relative_words_of_an_undated_message_ask_when_it_was_sent(text: str):
    assert asked(settle(text, heard="?")) == "message_date"


@pytest.mark.parametrize("text", ["10月20日下午3点开会", "2026年10月20日开会", "2026-10-20 15:00 开会"])
def test_an_absolute_date_needs_no_message_date(text: str):
    assert isinstance(settle(text, heard="?"), Node)


@pytest.mark.parametrize(
    ("text", "heard", "at"),
    [
        ("明天下午3点开会", "2026-10-10", "2026-10-11T15:00:00+08:00"),
        ("今晚8点讲座", "2026-10-12", "2026-10-12T20:00:00+08:00"),
        ("下周三下午3点开会", "2026-10-09", "2026-10-14T15:00:00+08:00"),
        ("本月20日交表", "2026-09-30", "2026-09-20"),
        ("三天后下午3点开会", "2026-10-10", "2026-10-13T15:00:00+08:00"),
        ("三天后开会", "2026-10-10", "2026-10-13"),
        ("明年1月5日开会", "2025-12-31", "2026-01-05"),
        # The year nobody wrote is still chosen by the day of submission.
        ("10月20日下午3点开会", "2025-10-01", "2026-10-20T15:00:00+08:00"),
    ],
)
def test_relative_words_of_a_dated_message_count_from_its_day(text: str, heard: str, at: str):
    assert when(settle(text, heard=heard)) == at


def test_the_users_own_words_count_from_the_first_submission_in_the_zone_of_input():
    assert when(settle("明天下午3点开会", submitted="2026-10-12T00:10:00+08:00")) == "2026-10-13T15:00:00+08:00"
    late = settle("明天下午3点开会", submitted="2026-10-12T20:00:00+00:00", tz="Asia/Shanghai")
    assert when(late) == "2026-10-14T15:00:00+08:00"


def test_an_answered_message_date_is_taken_before_a_guessed_one():
    found = settle("明天下午3点开会", ("message_date", "2026-10-13"), heard="2026-10-10")
    assert when(found) == "2026-10-14T15:00:00+08:00"
    assert when(settle("明天下午3点开会", ("message_date", "今天"), heard="?")) == "2026-10-13T15:00:00+08:00"


def test_a_countdown_in_somebody_elses_message_asks_for_the_time_never_counts_from_the_import():
    assert asked(settle("半小时后开会", heard="2026-10-12")) == "clock_time"
    assert asked(settle("半小时后开会", ("message_date", "2026-10-12"), heard="?")) == "clock_time"
    found = settle("半小时后开会", ("clock_time", "11:00"), heard="2026-10-12")
    assert when(found) == "2026-10-12T11:00:00+08:00"


def test_a_countdown_is_not_begun_again_by_a_retry():
    assert when(settle("半小时后提醒我", now="2026-10-12T10:25:00+08:00")) == "2026-10-12T10:30:00+08:00"
    assert when(settle("三天后下午3点开会", now="2026-10-14T10:00:00+08:00")) == "2026-10-15T15:00:00+08:00"


# year, weekday_conflict, invalid_date


def test_a_far_date_without_a_year_asks_for_it():
    found = settle("5月1日上午9点开会")
    assert (asked(found), options(found)) == ("year", ["2026-05-01", "2027-05-01"])
    assert when(settle("5月1日上午9点开会", ("year", "2027"))) == "2027-05-01T09:00:00+08:00"
    assert when(settle("5月1日上午9点开会", ("year", "明年"))) == "2027-05-01T09:00:00+08:00"
    assert asked(settle("5月1日上午9点开会", ("year", "以后"))) == "year"


def test_an_answered_year_may_have_no_such_day():
    assert asked(settle("2月29日开会", ("year", "2027"))) == "invalid_date"
    assert when(settle("2月29日开会", ("year", "2028"))) == "2028-02-29"


@pytest.mark.parametrize(
    "text", ["10月15日（周四）下午3点开会", "明天（周二）开会", "明天周二下午3点开会", "2027年10月15日周五开会"]
)
def test_a_weekday_that_agrees_is_not_asked(text: str):
    assert isinstance(settle(text), Node)


@pytest.mark.parametrize(
    ("text", "offered"),
    [
        ("10月15日（周五）下午3点开会", ["2026-10-15", "2026-10-16"]),
        ("10月15日（周三）开会", ["2026-10-15", "2026-10-14"]),
        ("10月15日周一开会", ["2026-10-15", "2026-10-12"]),
        ("明天（周三）开会", ["2026-10-13", "2026-10-14"]),
        # The nearest year is chosen first, never one that would fit the weekday: the 20th is a Friday in 2028.
        ("10月20日（周五）开会", ["2026-10-20", "2026-10-23"]),
    ],
)
def test_a_weekday_that_contradicts_the_date_is_asked(text: str, offered: list[str]):
    found = settle(text)
    assert (asked(found), options(found)) == ("weekday_conflict", offered)


def test_an_answered_date_settles_a_weekday_conflict():
    text = "10月15日（周五）下午3点开会"
    assert when(settle(text, ("weekday_conflict", "2026-10-16"))) == "2026-10-16T15:00:00+08:00"
    assert when(settle(text, ("weekday_conflict", "10月15日（周四）"))) == "2026-10-15T15:00:00+08:00"
    # A complete answer that contradicts itself again is no answer.
    assert asked(settle(text, ("weekday_conflict", "10月15日（周五）"))) == "weekday_conflict"


@pytest.mark.parametrize(
    "text",
    ["10月32日上午9点开会", "2027年4月31日交报告", "2月30日开会", "13月1日开会", "本月32号开会", "2027年2月29日开会"],
)
def test_a_day_that_does_not_exist_is_asked(text: str):
    assert asked(settle(text)) == "invalid_date"
    assert when(settle(text, ("invalid_date", "2027-05-01"))).startswith("2027-05-01")


def test_a_leap_day_that_exists_is_not_asked():
    assert when(settle("2028年2月29日开会")) == "2028-02-29"


# lead_needs_clock


@pytest.mark.parametrize(
    "text", ["10月15日体检，提前30分钟提醒我", "明天开会，准时提醒我", "明天开会，提前24小时提醒我"]
)
def test_a_lead_in_minutes_needs_the_time_of_a_bare_date(text: str):
    found = settle(text)
    assert asked(found) == "lead_needs_clock"
    answered = settle(text, ("lead_needs_clock", "上午9点"))
    assert when(answered).endswith("T09:00:00+08:00")
    assert asked(settle(text, ("lead_needs_clock", "不知道"))) == "lead_needs_clock"


def test_a_lead_in_days_does_not():
    assert when(settle("10月15日体检，提前一天提醒我")) == "2026-10-15"


# Zones: the clocks put forward and back.

GAPS = [
    # Zone, day and time of the notice, submitted, the first instant behind the gap, the reading carried over it.
    ("America/New_York", "3月14日凌晨2点半", "2027-03-12T10:00:00-05:00",
     "2027-03-14T03:00:00-04:00", "2027-03-14T03:30:00-04:00"),
    ("Europe/Paris", "3月28日2:30", "2027-03-26T10:00:00+01:00",
     "2027-03-28T03:00:00+02:00", "2027-03-28T03:30:00+02:00"),
    ("Australia/Lord_Howe", "10月4日2:15", "2026-10-02T10:00:00+10:30",
     "2026-10-04T02:30:00+11:00", "2026-10-04T02:45:00+11:00"),
    ("America/Santiago", "9月6日0:30", "2026-09-01T10:00:00-04:00",
     "2026-09-06T01:00:00-03:00", "2026-09-06T01:30:00-03:00"),
    ("Africa/Cairo", "4月30日凌晨0点半", "2027-04-28T10:00:00+02:00",
     "2027-04-30T01:00:00+03:00", "2027-04-30T01:30:00+03:00"),
]  # fmt: skip
OVERLAPS = [
    ("America/New_York", "11月1日凌晨1点半", "2026-10-30T10:00:00-04:00",
     "2026-11-01T01:30:00-04:00", "2026-11-01T01:30:00-05:00"),
    ("Europe/Paris", "10月25日2:30", "2026-10-23T10:00:00+02:00",
     "2026-10-25T02:30:00+02:00", "2026-10-25T02:30:00+01:00"),
    ("Australia/Lord_Howe", "4月4日1:45", "2027-04-02T10:00:00+11:00",
     "2027-04-04T01:45:00+11:00", "2027-04-04T01:45:00+10:30"),
    ("America/Santiago", "4月3日23:30", "2027-04-01T10:00:00-03:00",
     "2027-04-03T23:30:00-03:00", "2027-04-03T23:30:00-04:00"),
    ("Africa/Cairo", "10月29日晚上11点半", "2026-10-27T10:00:00+03:00",
     "2026-10-29T23:30:00+03:00", "2026-10-29T23:30:00+02:00"),
]  # fmt: skip
IDS = ["New York", "Paris", "Lord Howe", "Santiago", "Cairo"]


@pytest.mark.parametrize(("tz", "words", "submitted", "behind", "carried"), GAPS, ids=IDS)
def test_a_time_that_the_clocks_skip_is_asked(tz: str, words: str, submitted: str, behind: str, carried: str):
    found = settle(f"{words}提醒我换班", submitted=submitted, tz=tz)
    assert isinstance(found, Ask)
    assert found.kind == "tz_gap"
    assert [option.isoformat() for option in found.options] == [behind, carried]


@pytest.mark.parametrize(("tz", "words", "submitted", "behind", "carried"), GAPS, ids=IDS)
def test_an_answer_settles_a_time_that_the_clocks_skip(tz: str, words: str, submitted: str, behind: str, carried: str):
    text = f"{words}提醒我换班"
    for answer, expected in [
        (behind, behind),
        (carried, carried),
        (carried[11:16], carried),
        ("较早的", behind),
        ("较晚的", carried),
    ]:
        assert when(settle(text, ("tz_gap", answer), submitted=submitted, tz=tz)) == expected


@pytest.mark.parametrize(("tz", "words", "submitted", "behind", "carried"), GAPS, ids=IDS)
def test_the_last_minute_before_a_gap_and_its_end_are_not_asked(
    tz: str, words: str, submitted: str, behind: str, carried: str
):
    # Only the reading of the gap itself is in doubt.
    end = f"{words[: words.index('日') + 1]}{behind[11:16]}开会"
    assert when(settle(end, submitted=submitted, tz=tz)) == behind
    assert carried > behind


@pytest.mark.parametrize(("tz", "words", "submitted", "first", "second"), OVERLAPS, ids=IDS)
def test_a_time_that_comes_twice_is_asked(tz: str, words: str, submitted: str, first: str, second: str):
    found = settle(f"{words}提醒我换班", submitted=submitted, tz=tz)
    assert isinstance(found, Ask)
    assert found.kind == "tz_overlap"
    assert [option.isoformat() for option in found.options] == [first, second]


@pytest.mark.parametrize(("tz", "words", "submitted", "first", "second"), OVERLAPS, ids=IDS)
def test_an_answer_settles_a_time_that_comes_twice(tz: str, words: str, submitted: str, first: str, second: str):
    text = f"{words}提醒我换班"
    for answer, expected in [
        (first, first),
        (second, second),
        ("第一次", first),
        ("较晚的", second),
        (second[19:], second),
    ]:
        assert when(settle(text, ("tz_overlap", answer), submitted=submitted, tz=tz)) == expected


@pytest.mark.parametrize("answer", ["", "other", "不知道", "2:45", "2027-03-14T02:30", "2027-03-14T02:59"])
def test_an_answer_inside_the_gap_leaves_the_question(answer: str):
    text, submitted = "3月14日凌晨2点半提醒我换班", "2027-03-12T10:00:00-05:00"
    assert asked(settle(text, ("tz_gap", answer), submitted=submitted, tz="America/New_York")) == "tz_gap"


@pytest.mark.parametrize("answer", ["", "other", "不知道", "3:00", "2026-11-01T01:30"])
def test_an_answer_that_does_not_say_which_leaves_the_question(answer: str):
    text, submitted = "11月1日凌晨1点半提醒我换班", "2026-10-30T10:00:00-04:00"
    assert asked(settle(text, ("tz_overlap", answer), submitted=submitted, tz="America/New_York")) == "tz_overlap"


@pytest.mark.parametrize(
    ("text", "submitted", "at"),
    [
        ("一天后提醒我", "2026-10-31T12:30:00-04:00", "2026-11-01T12:30:00-05:00"),
        ("24小时后提醒我", "2026-10-31T12:30:00-04:00", "2026-11-01T11:30:00-05:00"),
        ("一天后提醒我", "2027-03-13T02:30:00-05:00", "2027-03-14T03:00:00-04:00"),
        ("24小时后提醒我", "2027-03-13T02:30:00-05:00", "2027-03-14T03:30:00-04:00"),
        ("半小时后提醒我", "2026-11-01T01:45:00-04:00", "2026-11-01T01:15:00-05:00"),
        ("半小时后提醒我", "2027-03-14T01:45:00-05:00", "2027-03-14T03:15:00-04:00"),
        ("1天后下午3点开会", "2026-10-31T01:30:00-04:00", "2026-11-01T15:00:00-05:00"),
        ("一个月后提醒我", "2026-10-12T10:00:00-04:00", "2026-11-12T10:00:00-05:00"),
    ],
)
def test_days_go_by_the_calendar_and_hours_by_real_time(text: str, submitted: str, at: str):
    assert when(settle(text, submitted=submitted, tz="America/New_York")) == at


def test_a_time_of_day_is_not_asked_twice_in_a_zone_without_moved_clocks():
    assert isinstance(settle("11月1日凌晨1点半提醒我换班"), Node)
    assert isinstance(settle("3月14日凌晨2点半提醒我换班", submitted="2027-03-12T10:00:00+08:00"), Node)


# One question at a time, and what nobody said.


@pytest.mark.parametrize(
    ("text", "answers", "kind"),
    [
        ("周五3点开会", [], "meridiem"),
        ("周五3点开会", [("meridiem", "15:00")], "date"),
        ("明天3点开会", [], "meridiem"),
        ("5月1日3点开会", [("meridiem", "15:00")], "year"),
        ("10月15日（周五）3点开会", [], "meridiem"),
        ("10月15日（周五）3点开会", [("meridiem", "15:00")], "weekday_conflict"),
    ],
)
def test_the_clock_is_asked_before_the_day(text: str, answers: list[tuple[str, str]], kind: str):
    assert asked(settle(text, *answers)) == kind


def test_the_clock_of_a_pasted_message_is_asked_before_its_date():
    assert asked(settle("明天3点开会", heard="?")) == "meridiem"
    assert asked(settle("明天3点开会", ("meridiem", "15:00"), heard="?")) == "message_date"


@pytest.mark.parametrize(
    ("text", "answers", "claims"),
    [
        ("明天下午3点开会", [], []),
        ("2026年10月20日开会", [], []),
        ("今年10月20日开会", [], []),
        ("10月20日开会", [], [("2026", Basis.INFERRED, "nearest_year")]),
        ("5月1日开会", [("year", "2027")], [("2027", Basis.ANSWERED, "year")]),
        ("下午3点提醒我喝水", [], [("2026-10-12", Basis.DEFAULT, "clock_only_today")]),
        ("明天3点开会", [("meridiem", "15:00")], [("15:00", Basis.ANSWERED, "meridiem")]),
        ("下午3点开会", [("date", "2026-10-14")], [("2026-10-14", Basis.ANSWERED, "date")]),
        # An answer to something that was certain is not needed, and claims nothing.
        ("明天下午3点开会", [("meridiem", "03:00")], []),
    ],
)
def test_every_value_that_nobody_said_is_a_claim(
    text: str, answers: list[tuple[str, str]], claims: list[tuple[str, Basis, str]]
):
    found = settle(text, *answers)
    assert isinstance(found, Node)
    assert [(claim.value, claim.basis, claim.evidence) for claim in found.claims] == claims
    assert any(claim.must_be_told for claim in found.claims) is any(
        basis in (Basis.INFERRED, Basis.DEFAULT) for _, basis, _ in claims
    )
