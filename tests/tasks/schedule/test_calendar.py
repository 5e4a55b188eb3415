"""Calendar triggers: text, bounds, days left out, leads, and the clock on the wall where it jumps."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zhixing.kernel.errors import ZhixingError
from zhixing.kernel.moments import zone
from zhixing.language.repeats import LAST, Statute
from zhixing.tasks.schedule.calendar import Calendar
from zhixing.tasks.schedule.days import (
    EveryDays,
    EveryLunar,
    EveryMonths,
    EveryWeeks,
    EveryYear,
    MonthlyWeekday,
    StatutoryDays,
)
from zhixing.tasks.schedule.expression import parse_expression, write_expression
from zhixing.tasks.schedule.next import next_due, passed, upcoming
from zhixing.tasks.schedule.words import in_words

SHANGHAI = zone("Asia/Shanghai")
NEW_YORK = zone("America/New_York")
LORD_HOWE = zone("Australia/Lord_Howe")
NOW = datetime(2026, 10, 12, 2, tzinfo=UTC)
ANCHOR = date(1970, 1, 1)


def ahead(text: str, n: int, tz=SHANGHAI, after: datetime = NOW) -> list[str]:
    return [f"{at.astimezone(tz):%m-%d %H:%M}" for at in upcoming(parse_expression(text, tz), tz, after, n)]


@pytest.mark.parametrize(
    ("text", "trigger", "words"),
    [
        ("on day at 20:00,8:00", Calendar(EveryDays(ANCHOR), (time(8), time(20))), "每天 08:00、20:00"),
        (
            "on day/2@2026-10-13 at 08:00",
            Calendar(EveryDays(date(2026, 10, 13), 2), (time(8),)),
            "每 2 天（从 2026-10-13 算起） 08:00",
        ),
        (
            "ON week:1,3,5 at 15:00 before 30m",
            Calendar(EveryWeeks((1, 3, 5), ANCHOR), (time(15),), lead=30),
            "每周一、周三、周五 15:00，提前 30 分钟",
        ),
        (
            "on week/2@2026-10-14:3 at 15:00 until 2026-12-31 except 2026-10-28",
            Calendar(
                EveryWeeks((3,), date(2026, 10, 14), 2),
                (time(15),),
                last=date(2026, 12, 31),
                left_out=frozenset({date(2026, 10, 28)}),
            ),
            "每 2 周的周三（从 2026-10-14 那一周算起） 15:00，到 2026-12-31 为止，2026-10-28 除外",
        ),
        (
            "on month:15,L at 09:00 from 2026-10-12T10:00:00 times 3",
            Calendar(EveryMonths((15, LAST), ANCHOR), (time(9),), datetime(2026, 10, 12, 10), count=3),
            "每月 15 日、最后一天 09:00，从 2026-10-12 10:00 起，共 3 次",
        ),
        (
            "on month:5#L at 16:00 before 1440m",
            Calendar(MonthlyWeekday(LAST, 5), (time(16),), lead=1440),
            "每月的最后一个周五 16:00，提前 1 天",
        ),
        ("on year:10-01 at 09:00", Calendar(EveryYear(10, 1), (time(9),)), "每年 10 月 1 日 09:00"),
        ("on lunar:08-15 at 09:00", Calendar(EveryLunar(8, (15,)), (time(9),)), "每年农历八月十五 09:00"),
        ("on lunar:*-1,15 at 09:00", Calendar(EveryLunar(None, (1, 15)), (time(9),)), "农历每月初一、十五 09:00"),
        ("on lunar:12-23 at 09:00", Calendar(EveryLunar(12, (23,)), (time(9),)), "每年农历腊月廿三 09:00"),
        ("on workday at 08:00", Calendar(StatutoryDays(Statute.WORKDAY), (time(8),)), "每个法定工作日 08:00"),
        ("on holiday at 08:00", Calendar(StatutoryDays(Statute.HOLIDAY), (time(8),)), "每个法定节假日 08:00"),
    ],
)
def test_a_trigger_is_read_written_and_said(text, trigger, words):
    found = parse_expression(text, SHANGHAI)
    assert found == trigger
    assert parse_expression(write_expression(found), SHANGHAI) == trigger
    assert in_words(found) == words
    assert in_words(found, "en")


@pytest.mark.parametrize(
    "text",
    [
        "on",
        "on day",
        "on day at",
        "on day at 25:00",
        "on day at 8",
        "on day at 08:00 at 09:00",
        "on day at 08:00 until tomorrow",
        "on day at 08:00 times 3",
        "on day at 08:00 from 2026-10-12 times 0",
        "on day at 08:00 from 2026-10-12 times 9999",
        "on day at 08:00 before 20000m",
        "on day at 08:00 whenever x",
        "on day:1 at 08:00",
        "on day/0@2026-10-12 at 08:00",
        "on day/2 at 08:00",
        "on week at 08:00",
        "on week:0 at 08:00",
        "on week:8 at 08:00",
        "on week:3,1 at 08:00",
        "on month:32 at 08:00",
        "on month:L15 at 08:00",
        "on month:1#6 at 08:00",
        "on year:02-30 at 08:00",
        "on year:13-01 at 08:00",
        "on lunar:13-01 at 08:00",
        "on lunar:08-31 at 08:00",
        "on someday at 08:00",
        "on day at " + ",".join(f"{hour}:{minute:02}" for hour in range(24) for minute in (0, 30)),
    ],
)
def test_a_trigger_that_cannot_be_is_refused_in_words(text):
    with pytest.raises(ZhixingError) as refusal:
        parse_expression(text, SHANGHAI)
    assert str(refusal.value)


def test_bounds_hold():
    assert ahead("on day at 08:00 from 2026-10-14 until 2026-10-15", 9) == ["10-14 08:00", "10-15 08:00"]
    assert ahead("on day at 08:00,20:00 from 2026-10-12T10:00:00 times 3", 9) == [
        "10-12 20:00",
        "10-13 08:00",
        "10-13 20:00",
    ]


def test_what_is_left_out_counts_and_does_not_come():
    assert ahead("on day at 08:00 from 2026-10-13 times 3 except 2026-10-14", 9) == ["10-13 08:00", "10-15 08:00"]
    text = "on day at 08:00,20:00 except 2026-10-13T08:00:00,2026-10-14"
    assert ahead(text, 3) == ["10-12 20:00", "10-13 20:00", "10-15 08:00"]


def test_a_lead_counts_back_in_real_minutes_even_over_midnight():
    assert ahead("on week:3 at 00:10 before 30m", 2) == ["10-13 23:40", "10-20 23:40"]
    # On the night of the 8th of March 2026 the clocks of New York go from 02:00 to 03:00.
    after = datetime(2026, 3, 7, 12, tzinfo=UTC)
    assert ahead("on day at 03:30 before 60m", 2, NEW_YORK, after) == ["03-08 01:30", "03-09 02:30"]


def test_a_time_that_is_skipped_comes_right_after_the_gap_and_once():
    after = datetime(2026, 3, 8, 0, tzinfo=UTC)
    assert ahead("on day at 02:15,02:45,03:00", 4, NEW_YORK, after) == [
        "03-08 03:00",
        "03-09 02:15",
        "03-09 02:45",
        "03-09 03:00",
    ]


def test_a_time_that_happens_twice_comes_the_first_time_only():
    after = datetime(2026, 11, 1, 4, tzinfo=UTC)
    found = upcoming(parse_expression("on day at 01:30", NEW_YORK), NEW_YORK, after, 2)
    assert found == [datetime(2026, 11, 1, 5, 30, tzinfo=UTC), datetime(2026, 11, 2, 6, 30, tzinfo=UTC)]
    # Seen from within the repeated hour, its first pass lies behind.
    assert next_due(parse_expression("on day at 01:30", NEW_YORK), NEW_YORK, found[0]) == found[1]


def test_what_ends_with_its_table_says_so_and_what_ends_by_itself_does_not():
    def lacks(text: str) -> bool:
        return parse_expression(text, SHANGHAI).lacks_table

    assert lacks("on workday at 08:00")
    assert lacks("on workday at 08:00 until 2200-01-01")
    assert not lacks("on workday at 08:00 until 2026-12-01")
    assert not lacks("on workday at 08:00 from 2026-10-12 times 5")
    assert lacks("on workday at 08:00 from 2026-12-01 times 300")
    assert not lacks("on day at 08:00")


clocks = st.lists(st.times().map(lambda at: at.replace(second=0, microsecond=0)), min_size=1, max_size=4)
anchors = st.dates(date(2020, 1, 1), date(2030, 1, 1))
weekdays = st.sets(st.integers(1, 7), min_size=1).map(lambda days: tuple(sorted(days)))
rules = st.one_of(
    st.builds(EveryDays, anchors, st.integers(1, 9)),
    st.builds(EveryWeeks, weekdays, anchors, st.integers(1, 5)),
    st.builds(EveryMonths, st.sampled_from([(1,), (15, LAST), (31,)]), anchors, st.integers(1, 4)),
    st.builds(MonthlyWeekday, st.sampled_from([1, 5, LAST]), st.integers(1, 7)),
    st.builds(EveryLunar, st.none() | st.integers(1, 12), st.sampled_from([(1,), (15, LAST), (30,)])),
    st.builds(StatutoryDays, st.sampled_from(list(Statute))),
)
calendars = st.builds(
    Calendar,
    rules,
    clocks.map(tuple),
    st.datetimes(datetime(2025, 1, 1), datetime(2026, 12, 1)).map(lambda at: at.replace(microsecond=0)),
    st.none() | st.dates(date(2026, 1, 1), date(2028, 1, 1)),
    st.none() | st.integers(1, 50),
    st.sets(st.dates(date(2026, 1, 1), date(2026, 12, 31)), max_size=5).map(frozenset),
    st.sampled_from([0, 30, 60, 1_440]),
)
afters = st.datetimes(datetime(2025, 6, 1), datetime(2027, 1, 1)).map(lambda at: at.replace(tzinfo=UTC))
zones = st.sampled_from([SHANGHAI, NEW_YORK, LORD_HOWE])


@given(calendars)
def test_every_trigger_survives_being_written(trigger):
    # A rule that comes every time has no anchor worth keeping.
    again = parse_expression(write_expression(trigger), SHANGHAI)
    assert write_expression(again) == write_expression(trigger)
    for tz in (SHANGHAI, LORD_HOWE):
        assert upcoming(again, tz, NOW, 5) == upcoming(trigger, tz, NOW, 5)


@given(calendars, zones, afters)
def test_instants_rise_lie_ahead_and_are_the_readings_of_the_rule(trigger, tz, after):
    found = upcoming(trigger, tz, after, 12)
    assert all(instant > after for instant in found)
    assert found == sorted(set(found))
    for instant in found:
        matter = (instant + timedelta(minutes=trigger.lead)).astimezone(tz).replace(tzinfo=None, fold=0)
        assert matter.date() not in trigger.left_out
        assert trigger.last is None or matter.date() <= trigger.last


@given(calendars, zones, afters, st.integers(0, 11))
def test_looking_from_anywhere_finds_the_same_instants(trigger, tz, after, n):
    found = upcoming(trigger, tz, after, 12)
    if n < len(found):
        assert upcoming(trigger, tz, found[n], 11 - n) == found[n + 1 :]
        assert next_due(trigger, tz, found[n] - timedelta(microseconds=1)) == found[n]
        span = passed(trigger, tz, after, found[n], 3)
        assert (span.count, span.first, span.newest[-1]) == (n + 1, found[0], found[n])
