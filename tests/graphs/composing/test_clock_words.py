"""Words about when, in a sentence about the home."""

from __future__ import annotations

from datetime import time

import pytest

from zhixing.graphs.composing.clock_words import timed_words
from zhixing.graphs.composing.lexicon import Kind
from zhixing.graphs.times.filters import EveryDay, Holidays, Weekdays
from zhixing.graphs.times.sun import SunEvent
from zhixing.language.text import normalise

WORK = Weekdays(frozenset(range(1, 6)))


def read(text: str) -> list[tuple[Kind, object]]:
    """Give kind and value; of times of day without whether they are sure."""
    found: list[tuple[Kind, object]] = []
    for each in timed_words(normalise(text)):
        match each.kind:
            case Kind.CLOCK:
                found.append((each.kind, each.value.at))
            case Kind.WINDOW:
                found.append((each.kind, tuple(one.at for one in each.value)))
            case _:
                found.append((each.kind, each.value))
    return found


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("7点", time(7)),
        ("早上7点半", time(7, 30)),
        ("下午3点", time(15)),
        ("晚上10点", time(22)),
        ("晚上12点", time(0)),
        ("凌晨2点", time(2)),
        ("中午12点半", time(12, 30)),
        ("半夜11点", time(23)),
        ("22:30", time(22, 30)),
    ],
)
def test_times_of_day(text, at):
    assert read(text) == [(Kind.CLOCK, at)]


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("晚上10点到早上6点", time(22), time(6)),
        ("晚上10点到6点", time(22), time(6)),
        ("晚上8点到10点", time(20), time(22)),
        ("早上8点到6点", time(8), time(18)),
        ("22:00-06:30", time(22), time(6, 30)),
        ("晚上11点到第二天早上7点", time(23), time(7)),
    ],
)
def test_windows_end_at_the_first_reading_behind_their_start(text, start, end):
    assert read(text) == [(Kind.WINDOW, (start, end))]


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("每天", EveryDay()),
        ("工作日", WORK),
        ("周一到周五", WORK),
        ("周末", Weekdays(frozenset({0, 6}))),
        ("每周三", Weekdays(frozenset({3}))),
        ("周六日", Weekdays(frozenset({0, 6}))),
        ("法定工作日", Holidays(wanted=False)),
        ("节假日", Holidays(wanted=True)),
    ],
)
def test_days(text, days):
    assert read(text) == [(Kind.DAYS, days)]


@pytest.mark.parametrize(
    ("text", "event", "offset"),
    [
        ("日落", SunEvent.SUNSET, 0),
        ("日落后 30 分钟", SunEvent.SUNSET, 30),
        ("日落前半小时", SunEvent.SUNSET, -30),
        ("日出前20分钟", SunEvent.SUNRISE, -20),
        ("太阳下山时", SunEvent.SUNSET, 0),
    ],
)
def test_the_sun(text, event, offset):
    assert read(text) == [(Kind.SUN, (event, offset))]


@pytest.mark.parametrize("text", ["明天早上7点", "下周一7点", "10点左右", "晚上10点以后", "25点", "晚上1点", "日落前"])
def test_what_is_no_time_of_a_rule_is_not_stepped_over(text):
    assert Kind.UNKNOWN in {kind for kind, _ in read(text)}
