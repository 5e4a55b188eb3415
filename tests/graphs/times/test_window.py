from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from itertools import islice
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zhixing.graphs.checks.finding import Level
from zhixing.graphs.times.filters import DayFilter, EveryDay, Holidays, Weekdays
from zhixing.graphs.times.options import DEFAULT_OPTIONS, DayOwner, TimeOptions, ZeroLength
from zhixing.graphs.times.window import Change, Window, boundaries, is_open, next_change, read_window
from zhixing.kernel.statutes import STATUTES_UNTIL

CHINA = ZoneInfo("Asia/Shanghai")
NIGHT = {
    "start": {"hour": 22, "minute": 0, "second": 0},
    "end": {"hour": 6, "minute": 30, "second": 0},
    "filter": {},
    "mingTextShow": True,
}
FRIDAY = Weekdays(frozenset({5}))
EACH_DAY = TimeOptions(timerange_day_owner=DayOwner.EACH_DAY)
WHOLE_DAY = TimeOptions(timerange_zero_length=ZeroLength.WHOLE_DAY)


def window(start: str, end: str, days: DayFilter | None = None) -> Window:
    return Window(time.fromisoformat(start), time.fromisoformat(end), days or EveryDay())


def changes(
    one: Window, after: str, count: int, zone: str = "Asia/Shanghai", options: TimeOptions = DEFAULT_OPTIONS
) -> list[tuple[str, bool | None]]:
    tz = ZoneInfo(zone)
    found = islice(boundaries(one, datetime.fromisoformat(after), tz, options), count)
    return [(change.at.astimezone(tz).isoformat(timespec="minutes"), change.open) for change in found]


# Reading


def test_a_window_is_read() -> None:
    read = read_window(NIGHT)
    assert read.findings == ()
    assert read.value == window("22:00", "06:30")
    assert read.value.overnight


@pytest.mark.parametrize(
    ("props", "found"),
    [
        (NIGHT | {"start": {"hour": 30, "minute": 0, "second": 0}}, [("invalid_hour", "props.start.hour")]),
        (NIGHT | {"end": {"hour": 6, "minute": 30.5, "second": 0}}, [("invalid_minute", "props.end.minute")]),
        (NIGHT | {"end": {"hour": 6, "minute": 30}}, [("invalid_second", "props.end.second")]),
        (NIGHT | {"start": "22:00"}, [("invalid_hour", "props.start")]),
        (NIGHT | {"filter": {"day": "1,2"}}, [("invalid_filter_day", "props.filter.day")]),
        (
            {},
            [("invalid_hour", "props.start"), ("invalid_hour", "props.end"), ("invalid_filter", "props.filter")],
        ),
    ],
)
def test_what_the_hub_refuses_is_named_with_its_place(props: dict[str, object], found: list[tuple[str, str]]) -> None:
    read = read_window(props)
    assert read.value is None
    assert [(one.code, one.where) for one in read.findings] == found


def test_a_window_of_no_length_is_warned_of() -> None:
    read = read_window(NIGHT | {"end": NIGHT["start"]})
    assert read.value is not None
    assert [(one.code, one.level) for one in read.findings] == [("time_range_zero_length", Level.WARN)]


# Running


def test_a_window_opens_at_its_start_and_closes_at_its_end() -> None:
    assert changes(window("07:00", "09:00"), "2025-03-03T00:00+08:00", 3) == [
        ("2025-03-03T07:00+08:00", True),
        ("2025-03-03T09:00+08:00", False),
        ("2025-03-04T07:00+08:00", True),
    ]


@pytest.mark.parametrize(
    ("at", "open_"),
    [("06:59:59", False), ("07:00:00", True), ("08:59:59", True), ("09:00:00", False)],
)
def test_the_start_is_inside_and_the_end_is_not(at: str, open_: bool) -> None:  # noqa: FBT001 — a row
    now = datetime.fromisoformat(f"2025-03-03T{at}+08:00")
    assert is_open(window("07:00", "09:00"), now, CHINA) is open_


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (DEFAULT_OPTIONS, [("2025-03-07T22:00+08:00", True), ("2025-03-08T06:00+08:00", False)]),
        (
            EACH_DAY,
            [
                ("2025-03-07T00:00+08:00", True),
                ("2025-03-07T06:00+08:00", False),
                ("2025-03-07T22:00+08:00", True),
                ("2025-03-08T00:00+08:00", False),
            ],
        ),
    ],
)
def test_who_owns_the_hours_behind_midnight(options: TimeOptions, expected: list[tuple[str, bool]]) -> None:
    found = changes(window("22:00", "06:00", FRIDAY), "2025-03-06T12:00+08:00", len(expected), options=options)
    assert found == expected


def test_days_that_follow_each_other_do_not_part_at_midnight() -> None:
    both = window("22:00", "06:00", Weekdays(frozenset({5, 6})))
    assert changes(both, "2025-03-07T12:00+08:00", 4, options=EACH_DAY) == [
        ("2025-03-07T22:00+08:00", True),
        ("2025-03-08T06:00+08:00", False),
        ("2025-03-08T22:00+08:00", True),
        ("2025-03-09T00:00+08:00", False),
    ]


def test_working_days_are_those_of_the_arrangement() -> None:
    assert changes(window("09:00", "17:00", Holidays(wanted=False)), "2025-09-30T12:00+08:00", 2) == [
        ("2025-09-30T17:00+08:00", False),
        ("2025-10-09T09:00+08:00", True),
    ]


def test_a_window_of_no_length_never_opens_unless_it_is_meant_as_a_day() -> None:
    noon = window("12:00", "12:00", FRIDAY)
    assert next_change(noon, datetime(2025, 3, 3, tzinfo=CHINA), CHINA) is None
    assert changes(noon, "2025-03-03T00:00+08:00", 2, options=WHOLE_DAY) == [
        ("2025-03-07T12:00+08:00", True),
        ("2025-03-08T12:00+08:00", False),
    ]


def test_a_window_that_is_always_open_has_no_change() -> None:
    always = window("00:00", "00:00")
    now = datetime(2025, 3, 3, 12, tzinfo=CHINA)
    assert is_open(always, now, CHINA, WHOLE_DAY) is True
    assert next_change(always, now, CHINA, WHOLE_DAY) is None


def test_behind_the_table_of_holidays_it_is_said_that_nothing_is_known() -> None:
    work = window("09:00", "17:00", Holidays(wanted=False))
    year = STATUTES_UNTIL.year + 1
    after = datetime(year, 1, 1, tzinfo=CHINA)
    assert next_change(work, after, CHINA) == Change(datetime(year, 1, 1, 1, tzinfo=UTC), open=None)
    assert is_open(work, datetime(year, 1, 1, 12, tzinfo=CHINA), CHINA) is None
    assert is_open(work, datetime(year, 1, 1, 18, tzinfo=CHINA), CHINA) is False  # on no kind of day


@pytest.mark.parametrize(
    ("start", "end", "after", "expected"),
    [
        # New York skips 02:00–03:00 on 8 March 2026
        ("02:30", "04:00", "2026-03-08T00:00-05:00", [("2026-03-08T03:00-04:00", True)]),
        ("01:00", "02:30", "2026-03-08T01:30-05:00", [("2026-03-08T03:00-04:00", False)]),
        ("02:10", "02:50", "2026-03-08T00:00-05:00", [("2026-03-09T02:10-04:00", True)]),
        # and has 01:00–02:00 twice on 1 November
        ("00:30", "01:30", "2026-11-01T01:00-04:00", [("2026-11-01T01:30-04:00", False)]),
        (
            "01:30",
            "02:00",
            "2026-11-01T00:00-04:00",
            [("2026-11-01T01:30-04:00", True), ("2026-11-01T02:00-05:00", False)],
        ),
    ],
)
def test_summer_time_moves_ends_as_it_moves_alarms(
    start: str, end: str, after: str, expected: list[tuple[str, bool]]
) -> None:
    assert changes(window(start, end), after, len(expected), "America/New_York") == expected


@pytest.mark.parametrize("at", ["0001-01-01T00:00+14:00", "9999-12-31T23:59-12:00"])
def test_the_ends_of_the_calendar_are_no_accident(at: str) -> None:
    now = datetime.fromisoformat(at)
    night = window("22:00", "06:00")
    assert is_open(night, now, CHINA) in (True, False)
    change = next_change(night, now, CHINA)
    assert change is None or change.at > now


# Laws

CLOCKS = st.times().map(lambda one: one.replace(microsecond=0))
FILTERS = st.one_of(
    st.just(EveryDay()),
    st.frozensets(st.integers(0, 6)).map(Weekdays),
    st.booleans().map(Holidays),
)
WINDOWS = st.builds(Window, CLOCKS, CLOCKS, FILTERS) | CLOCKS.map(lambda one: Window(one, one, EveryDay()))
ZONES = st.sampled_from(["Asia/Shanghai", "America/New_York", "Australia/Lord_Howe", "Pacific/Apia", "UTC"]).map(
    ZoneInfo
)
INSTANTS = st.datetimes(datetime(2009, 1, 1), datetime(2027, 1, 1), timezones=ZONES)
OPTIONS = st.builds(TimeOptions, st.sampled_from(DayOwner), st.sampled_from(ZeroLength))


@settings(deadline=None)
@given(WINDOWS, INSTANTS, ZONES, OPTIONS)
def test_the_state_changes_at_boundaries_and_nowhere_else(
    one: Window, at: datetime, zone: ZoneInfo, options: TimeOptions
) -> None:
    state, since = is_open(one, at, zone, options), at.astimezone(UTC)
    for change in islice(boundaries(one, at, zone, options), 6):
        assert change.at > since
        assert change.open is not state
        assert is_open(one, since + (change.at - since) / 2, zone, options) is state
        assert is_open(one, change.at - timedelta(microseconds=1), zone, options) is state
        state, since = change.open, change.at
        assert is_open(one, since, zone, options) is state


@settings(deadline=None)
@given(WINDOWS, INSTANTS, ZONES, OPTIONS)
def test_the_next_change_stays_next_until_it_comes(
    one: Window, at: datetime, zone: ZoneInfo, options: TimeOptions
) -> None:
    change = next_change(one, at, zone, options)
    if change is not None:
        assert next_change(one, change.at - timedelta(microseconds=1), zone, options) == change
