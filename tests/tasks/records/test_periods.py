"""Which period an instant belongs to, in zones that do strange things."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zhixing.tasks.records.model import Window
from zhixing.tasks.records.periods import EVER, before, following, last_day, period_at, period_of, split

SHANGHAI = ZoneInfo("Asia/Shanghai")
ZONES = [
    "Asia/Shanghai",
    "Europe/Paris",
    "America/New_York",
    "Australia/Lord_Howe",  # half an hour
    "America/St_Johns",  # until 2011 at one minute past midnight
    "America/Sao_Paulo",  # until 2019 midnight was skipped
    "America/Asuncion",  # midnight was skipped, and put back over
    "Asia/Beirut",
    "Pacific/Apia",  # has no 2011-12-30
    "Asia/Kathmandu",
]


@pytest.mark.parametrize(
    ("zone", "day", "hours"),
    [
        ("Asia/Shanghai", date(2026, 10, 12), 24),
        ("Europe/Paris", date(2026, 3, 29), 23),
        ("Europe/Paris", date(2026, 10, 25), 25),
        ("America/New_York", date(2026, 3, 8), 23),
        ("America/New_York", date(2026, 11, 1), 25),
        ("Australia/Lord_Howe", date(2026, 4, 5), 24.5),
        ("America/Sao_Paulo", date(2018, 11, 4), 23),
        ("Pacific/Apia", date(2011, 12, 30), 0),
    ],
)
def test_a_day_has_the_hours_it_has(zone, day, hours):
    period = period_of(day, Window.DAY, ZoneInfo(zone))
    assert period.end - period.start == timedelta(hours=hours)


@pytest.mark.parametrize(
    ("at", "window", "day"),
    [
        ("2026-10-12T00:00:00+08:00", Window.DAY, "2026-10-12"),
        ("2026-10-11T23:59:59.999999+08:00", Window.DAY, "2026-10-11"),
        ("2026-10-11T15:59:59+00:00", Window.DAY, "2026-10-11"),
        ("2026-10-11T16:00:00+00:00", Window.DAY, "2026-10-12"),
        ("2026-10-12T00:05:00+08:00", Window.DAY, "2026-10-12"),
        ("2026-10-12T00:00:00+08:00", Window.WEEK, "2026-10-12"),
        ("2026-10-18T23:59:59+08:00", Window.WEEK, "2026-10-12"),
        ("2026-10-19T00:00:00+08:00", Window.WEEK, "2026-10-19"),
        ("2026-10-31T23:59:59+08:00", Window.MONTH, "2026-10-01"),
        ("2026-11-01T00:00:00+08:00", Window.MONTH, "2026-11-01"),
        ("2028-02-29T12:00:00+08:00", Window.MONTH, "2028-02-01"),
        ("2026-10-12T00:00:00+08:00", Window.LONGTERM, "1970-01-01"),
    ],
)
def test_an_instant_belongs_to_the_period_of_its_wall_clock(at, window, day):
    assert period_at(datetime.fromisoformat(at), window, SHANGHAI).day == date.fromisoformat(day)


def test_a_period_ends_where_the_next_begins():
    december = period_of(date(2026, 12, 5), Window.MONTH, SHANGHAI)
    assert following(december, SHANGHAI).day == date(2027, 1, 1)
    assert before(following(december, SHANGHAI), SHANGHAI) == december
    assert (last_day(december), last_day(EVER)) == (date(2026, 12, 31), None)
    assert following(EVER, SHANGHAI) is before(EVER, SHANGHAI) is EVER


def test_a_session_over_midnight_is_cut_at_midnight_and_not_five_minutes_later():
    start = datetime(2026, 10, 12, 23, 0, tzinfo=SHANGHAI)
    pieces = list(split(start, start + timedelta(hours=2), Window.DAY, SHANGHAI))
    assert [(piece.period.day.day, piece.end - piece.start) for piece in pieces] == [
        (12, timedelta(hours=1)),
        (13, timedelta(hours=1)),
    ]


def test_a_stretch_without_length_has_no_pieces():
    at = datetime(2026, 10, 12, tzinfo=SHANGHAI)
    assert list(split(at, at, Window.DAY, SHANGHAI)) == []
    assert list(split(at, at - timedelta(hours=1), Window.DAY, SHANGHAI)) == []


instants = st.datetimes(datetime(1995, 1, 1), datetime(2037, 1, 1), timezones=st.just(UTC))
windows = st.sampled_from(list(Window))
zones = st.sampled_from(ZONES).map(ZoneInfo)


@given(instants, windows, zones)
def test_every_instant_is_in_its_period_and_periods_leave_no_gap(at, window, tz):
    period = period_at(at, window, tz)
    assert period.start <= at
    assert period.end is None or at < period.end
    if period.end is not None:
        assert following(period, tz).start == period.end
        assert before(period, tz).end == period.start


@given(instants, st.timedeltas(timedelta(0), timedelta(days=80)), windows, zones)
def test_splitting_keeps_the_total(start, length, window, tz):
    pieces = list(split(start, start + length, window, tz))
    assert sum((piece.end - piece.start for piece in pieces), timedelta()) == length
    assert all(piece.period == period_at(piece.start, window, tz) for piece in pieces)
    assert [piece.start for piece in pieces[1:]] == [piece.end for piece in pieces[:-1]]


@given(instants, windows, zones)
def test_weeks_and_months_are_made_of_whole_days(at, window, tz):
    period = period_at(at, window, tz)
    day = period_at(at, Window.DAY, tz)
    assert period.start <= day.start
    assert period.end is None or day.end <= period.end
    last = last_day(period)
    assert last is None or period.day <= day.day <= last
