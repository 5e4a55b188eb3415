"""The words of a question: short, at most two quick answers and 其他, the minutes kept."""

from __future__ import annotations

import tomllib
from datetime import date, datetime
from importlib.resources import files

import pytest

from zhixing.kernel.moments import parse_instant, zone
from zhixing.kernel.questions import Option
from zhixing.notices.answers import Answers
from zhixing.notices.asking import clock_label, day_label, question
from zhixing.notices.clocks import WallTime
from zhixing.notices.model import Answer
from zhixing.notices.resolve import Ask

TODAY = date(2026, 10, 12)
OTHER = Option("other", "其他")
KINDS = [
    "meridiem",
    "clock_time",
    "date",
    "date_passed",
    "message_date",
    "year",
    "weekday_conflict",
    "invalid_date",
    "tz_gap",
    "tz_overlap",
    "lead_needs_clock",
    "reminder_after_deadline",
]


def labels(ask: Ask) -> list[str]:
    return [option.label for option in question(ask, "n1", 3, TODAY).options]


def values(ask: Ask) -> list[str]:
    return [option.value for option in question(ask, "n1", 3, TODAY).options]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("day", [None, TODAY, date(2026, 10, 13), date(2027, 12, 31)])
def test_every_kind_is_asked_in_a_short_sentence(kind: str, day: date | None):
    asked = question(Ask(kind, day=day or TODAY if kind == "lead_needs_clock" else day), "n1", 3, TODAY)
    assert 0 < len(asked.prompt) <= 24
    assert asked.prompt.endswith("？")
    assert asked.options == (OTHER,)
    assert (asked.kind, asked.subject, asked.revision) == (kind, "n1", 3)


@pytest.mark.parametrize("language", ["zh", "en"])
def test_every_kind_has_its_words_in_both_languages(language: str):
    path = files("zhixing.kernel").joinpath("words", language, "notices.toml")
    words = tomllib.loads(path.read_text(encoding="utf-8"))
    assert {f"ask_{kind}" for kind in KINDS} <= set(words)


def test_the_prompt_names_the_day_where_only_its_hour_is_missing():
    asked = question(Ask("lead_needs_clock", day=date(2026, 10, 15)), "n1", 3, TODAY)
    assert asked.prompt == "10月15日 周四几点开始？"


@pytest.mark.parametrize("count", [0, 1, 2, 3, 5])
def test_at_most_two_quick_answers_are_shown_and_others_come_last(count: int):
    days = tuple(date(2026, 10, 13 + step) for step in range(count))
    options = question(Ask("date", days), "n1", 3, TODAY).options
    assert options[-1] == OTHER
    assert [option.value for option in options[:-1]] == [day.isoformat() for day in days[:2]]


def test_the_half_of_the_day_keeps_the_minutes():
    ask = Ask("meridiem", (WallTime(0, 7, 15), WallTime(0, 19, 15)))
    assert values(ask) == ["07:15", "19:15", "other"]
    assert labels(ask) == ["上午7:15", "晚上7:15", "其他"]


@pytest.mark.parametrize(
    ("clock", "label"),
    [
        (WallTime(0, 0, 0), "凌晨0:00"),
        (WallTime(0, 5, 59), "凌晨5:59"),
        (WallTime(0, 6, 0), "上午6:00"),
        (WallTime(0, 11, 30), "上午11:30"),
        (WallTime(0, 12, 0), "中午12:00"),
        (WallTime(0, 13, 5), "下午1:05"),
        (WallTime(0, 17, 59), "下午5:59"),
        (WallTime(0, 18, 0), "晚上6:00"),
        (WallTime(0, 23, 59), "晚上11:59"),
        (WallTime(1, 0, 0), "次日凌晨0:00"),
        (WallTime(1, 2, 20), "次日凌晨2:20"),
    ],
)
def test_a_time_of_day_is_named_as_people_say_it(clock: WallTime, label: str):
    assert clock_label(clock) == label


@pytest.mark.parametrize(
    ("day", "label"),
    [
        (date(2026, 10, 12), "今天（10月12日 周一）"),
        (date(2026, 10, 13), "明天（10月13日 周二）"),
        (date(2026, 10, 14), "后天（10月14日 周三）"),
        (date(2026, 10, 15), "10月15日 周四"),
        (date(2026, 10, 11), "10月11日 周日"),
        (date(2027, 1, 1), "2027年1月1日 周五"),
        (date(2025, 12, 31), "2025年12月31日 周三"),
    ],
)
def test_a_day_is_named_with_its_weekday_and_its_year_where_it_is_another(day: date, label: str):
    assert day_label(day, TODAY) == label


def test_tomorrow_is_named_across_the_year():
    assert day_label(date(2027, 1, 1), date(2026, 12, 31)) == "明天（2027年1月1日 周五）"


def test_a_year_is_offered_with_the_day_it_makes():
    ask = Ask("year", (date(2026, 5, 1), date(2027, 5, 1)))
    assert values(ask) == ["2026", "2027", "other"]
    assert labels(ask) == ["2026年5月1日", "2027年5月1日", "其他"]


def test_a_skipped_time_is_offered_as_the_instants_behind_it():
    ask = Ask("tz_gap", (parse_instant("2027-03-14T03:00:00-04:00"), parse_instant("2027-03-14T03:30:00-04:00")))
    assert values(ask) == ["2027-03-14T03:00-04:00", "2027-03-14T03:30-04:00", "other"]
    assert labels(ask) == ["3月14日 3:00", "3月14日 3:30", "其他"]


def test_a_repeated_time_is_offered_as_the_earlier_and_the_later_one():
    twice = datetime(2026, 11, 1, 1, 30, tzinfo=zone("America/New_York"))
    ask = Ask("tz_overlap", (twice, twice.replace(fold=1)))
    assert values(ask) == ["2026-11-01T01:30-04:00", "2026-11-01T01:30-05:00", "other"]
    assert labels(ask) == ["较早的 11月1日 1:30", "较晚的 11月1日 1:30", "其他"]


@pytest.mark.parametrize(
    "ask",
    [
        Ask("meridiem", (WallTime(0, 3, 20), WallTime(0, 15, 20))),
        Ask("clock_time", (WallTime(1, 0, 0), WallTime(0, 12, 0))),
        Ask("date", (date(2026, 10, 16), date(2026, 10, 23))),
        Ask("year", (date(2026, 5, 1), date(2027, 5, 1))),
        Ask("tz_gap", (parse_instant("2027-03-14T03:00:00-04:00"), parse_instant("2027-03-14T03:30:00-04:00"))),
    ],
)
def test_a_picked_value_is_read_back_as_what_was_offered(ask: Ask):
    for value, offered in zip(values(ask), ask.options, strict=False):
        answers = Answers([Answer(ask.kind, value)], TODAY)
        if isinstance(offered, WallTime):
            assert answers.clock(ask.kind) == offered
        elif isinstance(offered, datetime):
            assert answers.instant(ask.kind) == offered
        elif ask.kind == "year":
            assert answers.year() == offered.year
        else:
            found = answers.day(ask.kind)
            assert found is not None
            assert found.day == offered
