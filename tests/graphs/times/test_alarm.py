from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zhixing.graphs.checks.finding import Level
from zhixing.graphs.times.alarm import (
    MOST_OFFSET,
    Alarm,
    FixedAlarm,
    Silence,
    SunAlarm,
    read_alarm,
    search_ring,
)
from zhixing.graphs.times.filters import DayFilter, EveryDay, Holidays, Weekdays
from zhixing.graphs.times.sun import Place, SunEvent, sun_time
from zhixing.kernel.statutes import STATUTES_UNTIL

CHINA = ZoneInfo("Asia/Shanghai")
SHANGHAI = Place(31.2304, 121.4737)
TROMSO = Place(69.6492, 18.9553)
SEVEN = {"type": "periodicAlarm", "hour": 7, "minute": 30, "second": 15, "filter": {}}
SUN = {"type": "sunset", "latitude": 31.2304, "longitude": 121.4737, "isSunset": True, "offset": -20, "filter": {}}


def next_ring(alarm: Alarm, after: datetime, zone: ZoneInfo) -> datetime | None:
    found = search_ring(alarm, after, zone)
    return found if isinstance(found, datetime) else None


def ring(alarm: Alarm, after: str, zone: str = "Asia/Shanghai") -> str | None:
    found = next_ring(alarm, datetime.fromisoformat(after), ZoneInfo(zone))
    return None if found is None else found.astimezone(ZoneInfo(zone)).isoformat(timespec="minutes")


def at(clock: str, days: DayFilter | None = None) -> FixedAlarm:
    return FixedAlarm(time.fromisoformat(clock), days or EveryDay())


# Reading


def test_a_fixed_time_is_read() -> None:
    read = read_alarm(SEVEN | {"isSunset": False, "filter": {"day": [1]}})
    assert read.value == FixedAlarm(time(7, 30, 15), Weekdays(frozenset({1})))
    assert read.findings == ()


def test_the_sun_is_read() -> None:
    assert read_alarm(SUN).value == SunAlarm(SHANGHAI, SunEvent.SUNSET, -20, EveryDay())
    rising = read_alarm(SUN | {"isSunset": False, "offset": 0}).value
    assert rising == SunAlarm(SHANGHAI, SunEvent.SUNRISE, 0, EveryDay())


@pytest.mark.parametrize(
    ("props", "codes"),
    [
        (SEVEN | {"type": "sunrise"}, ["invalid_alarm_type"]),
        (SEVEN | {"type": None}, ["invalid_alarm_type"]),
        (SEVEN | {"type": []}, ["invalid_alarm_type"]),
        ({}, ["invalid_alarm_type"]),
        (SEVEN | {"hour": 24}, ["invalid_hour"]),
        (SEVEN | {"minute": 30.5}, ["invalid_minute"]),
        (SEVEN | {"second": -1}, ["invalid_second"]),
        (SEVEN | {"hour": "7", "minute": None, "second": True}, ["invalid_hour", "invalid_minute", "invalid_second"]),
        (SEVEN | {"hour": 24, "filter": {"day": 1}}, ["invalid_hour", "invalid_filter_day"]),
        ({"type": "periodicAlarm", "filter": {}}, ["invalid_hour", "invalid_minute", "invalid_second"]),
        (SUN | {"latitude": 90.5}, ["invalid_latitude"]),
        (SUN | {"latitude": float("nan")}, ["invalid_latitude"]),
        (SUN | {"longitude": -181}, ["invalid_longitude"]),
        (SUN | {"longitude": "121"}, ["invalid_longitude"]),
        (SUN | {"isSunset": None}, ["invalid_is_sunset"]),
        (SUN | {"offset": 0.5}, ["invalid_offset"]),
        (SUN | {"offset": MOST_OFFSET + 1}, ["invalid_offset"]),
        (SUN | {"filter": {"day": [1], "inHoliday": True}}, ["double_filter"]),
        (
            {"type": "sunset"},
            ["invalid_latitude", "invalid_longitude", "invalid_is_sunset", "invalid_offset", "invalid_filter"],
        ),
    ],
)
def test_what_the_hub_refuses_is_named_and_never_rings(props: dict[str, object], codes: list[str]) -> None:
    read = read_alarm(props)
    assert read.value is None
    assert [found.code for found in read.findings] == codes


def test_an_alarm_on_no_day_is_an_error_that_never_rings() -> None:
    read = read_alarm(SEVEN | {"filter": {"day": []}})
    assert [found.code for found in read.findings] == ["empty_day_filter"]
    assert read.value is not None
    assert search_ring(read.value, datetime(2025, 3, 3, tzinfo=UTC), CHINA) is Silence.NO_DAY


@pytest.mark.parametrize(
    ("offset", "cfg", "codes"),
    [
        (-20, {"happenType": "before", "tempOffset": 20}, []),
        (20, {"happenType": "after", "tempOffset": 20}, []),
        (0, {"happenType": "now", "tempOffset": 0}, []),
        (-20, {}, []),
        (-20, None, []),
        (-20, {"happenType": "after", "tempOffset": 20}, ["offset_display_mismatch"]),
        (-20, {"happenType": "before", "tempOffset": 30}, ["offset_display_mismatch"]),
        (-20, {"happenType": "now"}, ["offset_display_mismatch"]),
    ],
)
def test_a_card_that_shows_another_offset_is_warned_of(offset: int, cfg: object, codes: list[str]) -> None:
    read = read_alarm(SUN | {"offset": offset}, cfg)
    assert read.value is not None
    assert [found.code for found in read.findings] == codes
    assert all(found.level is Level.WARN for found in read.findings)


# Ringing


@pytest.mark.parametrize(
    ("alarm", "after", "rings"),
    [
        (at("07:30"), "2025-03-03T07:29:59+08:00", "2025-03-03T07:30+08:00"),
        (at("07:30"), "2025-03-03T07:30:00+08:00", "2025-03-04T07:30+08:00"),
        (at("07:30"), "2025-03-02T23:31:00Z", "2025-03-04T07:30+08:00"),
        (at("00:00"), "2025-12-31T23:59:59+08:00", "2026-01-01T00:00+08:00"),
        (at("07:00", Weekdays(frozenset({0}))), "2025-03-08T06:00+08:00", "2025-03-09T07:00+08:00"),
        (at("07:00", Weekdays(frozenset({0}))), "2025-03-09T07:00+08:00", "2025-03-16T07:00+08:00"),
        (at("08:00", Holidays(wanted=False)), "2025-09-26T08:00+08:00", "2025-09-28T08:00+08:00"),
        (at("08:00", Holidays(wanted=False)), "2025-09-30T08:00+08:00", "2025-10-09T08:00+08:00"),
        (at("09:00", Holidays(wanted=True)), "2025-09-28T12:00+08:00", "2025-10-01T09:00+08:00"),
    ],
)
def test_an_alarm_rings_on_the_next_day_that_passes(alarm: Alarm, after: str, rings: str) -> None:
    assert ring(alarm, after) == rings


@pytest.mark.parametrize(
    ("clock", "after", "rings"),
    [
        # New York skips 02:00–03:00 on 8 March 2026
        ("02:30", "2026-03-08T00:00-05:00", "2026-03-08T03:00-04:00"),
        ("02:30", "2026-03-08T03:00-04:00", "2026-03-09T02:30-04:00"),
        ("03:00", "2026-03-08T00:00-05:00", "2026-03-08T03:00-04:00"),
        # and has 01:00–02:00 twice on 1 November
        ("01:30", "2026-11-01T00:00-04:00", "2026-11-01T01:30-04:00"),
        ("01:30", "2026-11-01T01:30-04:00", "2026-11-02T01:30-05:00"),
        ("01:45", "2026-11-01T01:30-05:00", "2026-11-02T01:45-05:00"),
    ],
)
def test_a_skipped_time_rings_behind_the_gap_and_a_repeated_one_once(clock: str, after: str, rings: str) -> None:
    assert ring(at(clock), after, "America/New_York") == rings


def test_an_hour_that_comes_twice_is_told_apart_in_its_own_zone() -> None:
    new_york = ZoneInfo("America/New_York")
    second_time = datetime(2026, 11, 1, 1, 15, tzinfo=new_york, fold=1)
    found = next_ring(at("01:30"), second_time, new_york)
    assert found == datetime(2026, 11, 2, 6, 30, tzinfo=UTC)


def test_the_sun_rings_with_its_offset() -> None:
    sets = sun_time(SHANGHAI, date(2025, 3, 3), SunEvent.SUNSET)
    assert sets is not None
    for minutes in (-90, 0, 45):
        alarm = SunAlarm(SHANGHAI, SunEvent.SUNSET, minutes, EveryDay())
        assert next_ring(alarm, datetime(2025, 3, 3, tzinfo=CHINA), CHINA) == sets + timedelta(minutes=minutes)


def test_the_sun_of_the_west_rings_every_day() -> None:
    """The sunrise of Ürümqi drifts over midnight UTC in March."""
    alarm = SunAlarm(Place(43.8256, 87.6168), SunEvent.SUNRISE, 0, EveryDay())
    now: datetime | None = datetime(2025, 3, 20, tzinfo=CHINA)
    days = []
    while len(days) < 20:
        assert now is not None
        now = next_ring(alarm, now, CHINA)
        assert now is not None
        days.append(now.astimezone(CHINA).date())
    assert days == [date(2025, 3, 20) + timedelta(days=n) for n in range(20)]


def test_an_offset_over_midnight_asks_the_day_on_which_it_rings() -> None:
    alarm = SunAlarm(SHANGHAI, SunEvent.SUNSET, 8 * 60, Weekdays(frozenset({1})))  # 1 is Monday, 3 March 2025
    found = next_ring(alarm, datetime(2025, 3, 1, tzinfo=CHINA), CHINA)
    assert found is not None
    sets = sun_time(SHANGHAI, date(2025, 3, 2), SunEvent.SUNSET)
    assert sets is not None
    assert found == sets + timedelta(hours=8)
    assert found.astimezone(CHINA).date() == date(2025, 3, 3)


def test_polar_day_is_waited_out() -> None:
    alarm = SunAlarm(TROMSO, SunEvent.SUNSET, 0, EveryDay())
    found = next_ring(alarm, datetime(2025, 6, 1, tzinfo=UTC), ZoneInfo("Europe/Oslo"))
    assert found is not None
    assert found.month == 7


def test_why_an_alarm_stays_silent_is_said() -> None:
    end = datetime.combine(STATUTES_UNTIL, time(23), CHINA)
    assert search_ring(at("08:00", Holidays(wanted=False)), end, CHINA) is Silence.CALENDAR_UNKNOWN
    assert search_ring(at("08:00", Holidays(wanted=True)), end, CHINA) is Silence.CALENDAR_UNKNOWN
    assert isinstance(search_ring(at("08:00"), end, CHINA), datetime)
    never = at("08:00", Weekdays(frozenset()))
    assert search_ring(never, end, CHINA) is Silence.NO_DAY
    assert next_ring(never, end, CHINA) is None


@pytest.mark.parametrize("after", ["0001-01-01T00:00+14:00", "1850-01-01T00:00+00:00", "9999-12-31T23:59-12:00"])
def test_the_ends_of_the_calendar_are_no_accident(after: str) -> None:
    for alarm in (at("07:00"), SunAlarm(SHANGHAI, SunEvent.SUNRISE, -MOST_OFFSET, EveryDay())):
        found = search_ring(alarm, datetime.fromisoformat(after), CHINA)
        assert isinstance(found, Silence) or found > datetime.fromisoformat(after)


# Laws

ZONES = st.sampled_from(["Asia/Shanghai", "America/New_York", "Australia/Lord_Howe", "Pacific/Apia", "UTC"]).map(
    ZoneInfo
)
FILTERS = st.one_of(
    st.just(EveryDay()),
    st.frozensets(st.integers(0, 6)).map(Weekdays),
    st.booleans().map(Holidays),
)
OFFSETS = st.integers(-MOST_OFFSET, MOST_OFFSET)
PLACES = st.builds(Place, st.floats(-65, 65), st.floats(-180, 180))
FIXED = st.builds(FixedAlarm, st.times().map(lambda one: one.replace(microsecond=0)), FILTERS)
ALARMS = st.one_of(FIXED, st.builds(SunAlarm, PLACES, st.sampled_from(SunEvent), OFFSETS, FILTERS))
INSTANTS = st.datetimes(datetime(2009, 1, 1), datetime(2027, 1, 1), timezones=ZONES)  # years with and without a table


@settings(deadline=None)
@given(ALARMS, INSTANTS, ZONES)
def test_a_ring_is_later_and_nothing_rings_before_it(alarm: Alarm, after: datetime, zone: ZoneInfo) -> None:
    found = next_ring(alarm, after, zone)
    if found is None:
        return
    assert found > after.astimezone(UTC)
    assert next_ring(alarm, after, zone) == found
    assert next_ring(alarm, found - timedelta(seconds=1), zone) == found
    again = next_ring(alarm, found, zone)
    assert again is None or again > found


@settings(deadline=None)
@given(FIXED, INSTANTS, ZONES)
def test_a_fixed_alarm_of_every_day_waits_two_days_at_most(alarm: FixedAlarm, after: datetime, zone: ZoneInfo) -> None:
    found = next_ring(FixedAlarm(alarm.at, EveryDay()), after, zone)
    assert found is not None
    assert found - after.astimezone(UTC) <= timedelta(days=2)
