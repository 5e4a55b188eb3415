from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zhixing.graphs.times.filters import (
    EveryDay,
    Holidays,
    Weekdays,
    passes,
    read_filter,
)
from zhixing.graphs.times.options import DEFAULT_OPTIONS, PlainWeekends, TimeOptions
from zhixing.kernel.statutes import STATUTES_FROM, STATUTES_UNTIL

NEITHER = TimeOptions(plain_weekends=PlainWeekends.NEITHER)

READINGS = [
    ({}, EveryDay()),
    ({"day": [0, 1, 2, 3, 4, 5, 6]}, Weekdays(frozenset(range(7)))),
    ({"day": [5, 5]}, Weekdays(frozenset({5}))),
    ({"day": [5.0]}, Weekdays(frozenset({5}))),
    ({"inHoliday": True}, Holidays(wanted=True)),
    ({"inHoliday": False}, Holidays(wanted=False)),
    ({"unheard": 1}, EveryDay()),
]

REFUSALS = [
    (None, "invalid_filter"),
    ([], "invalid_filter"),
    ("", "invalid_filter"),
    ({"day": [1], "inHoliday": True}, "double_filter"),
    ({"day": "1,2"}, "invalid_filter_day"),
    ({"day": [7]}, "invalid_filter_day"),
    ({"day": [-1]}, "invalid_filter_day"),
    ({"day": [1.5]}, "invalid_filter_day"),
    ({"day": [True]}, "invalid_filter_day"),
    ({"day": ["1"]}, "invalid_filter_day"),
    ({"day": None}, "invalid_filter_day"),
    ({"inHoliday": "yes"}, "invalid_in_holiday"),
    ({"inHoliday": None}, "invalid_in_holiday"),
    ({"inHoliday": 1}, "invalid_in_holiday"),
]

DAYS_2025 = [
    # day, a working day, a holiday, a holiday when plain weekends are neither
    ("2025-09-26", True, False, False),
    ("2025-09-27", False, True, False),  # a plain Saturday
    ("2025-09-28", True, False, False),  # a Sunday worked for the holidays
    ("2025-10-01", False, True, True),
    ("2025-10-04", False, True, True),  # a Saturday among the holidays
    ("2025-10-08", False, True, True),
    ("2025-10-11", True, False, False),  # a Saturday worked for the holidays
]


@pytest.mark.parametrize(("given_filter", "meant"), READINGS)
def test_a_filter_the_hub_takes_is_read(given_filter: object, meant: object) -> None:
    read = read_filter(given_filter)
    assert (read.value, read.findings) == (meant, ())


@pytest.mark.parametrize(("given_filter", "code"), REFUSALS)
def test_a_filter_the_hub_refuses_is_a_finding_and_no_value(given_filter: object, code: str) -> None:
    read = read_filter(given_filter)
    assert read.value is None
    assert [found.code for found in read.findings] == [code]


def test_an_empty_list_of_days_is_an_error_and_means_no_day() -> None:
    read = read_filter({"day": []})
    assert [found.code for found in read.findings] == ["empty_day_filter"]
    assert read.value == Weekdays(frozenset())
    assert not any(passes(read.value, date(2025, 3, 2) + timedelta(days=n), DEFAULT_OPTIONS) for n in range(7))


@pytest.mark.parametrize(("number", "day"), [(0, "2025-03-02"), (1, "2025-03-03"), (6, "2025-03-08")])
def test_sunday_is_0_and_saturday_6(number: int, day: str) -> None:
    assert passes(Weekdays(frozenset({number})), date.fromisoformat(day), DEFAULT_OPTIONS) is True
    others = Weekdays(frozenset(range(7)) - {number})
    assert passes(others, date.fromisoformat(day), DEFAULT_OPTIONS) is False


@pytest.mark.parametrize(("day", "works", "holiday", "strictly"), DAYS_2025)
def test_working_days_and_holidays_follow_the_arrangement(day: str, works: bool, holiday: bool, strictly: bool) -> None:  # noqa: FBT001 — a row
    on = date.fromisoformat(day)
    assert passes(Holidays(wanted=False), on, DEFAULT_OPTIONS) is works
    assert passes(Holidays(wanted=True), on, DEFAULT_OPTIONS) is holiday
    assert passes(Holidays(wanted=True), on, NEITHER) is strictly


@pytest.mark.parametrize("wanted", [True, False])
@pytest.mark.parametrize("day", [STATUTES_FROM - timedelta(days=1), STATUTES_UNTIL + timedelta(days=1)])
def test_outside_the_table_nothing_is_guessed(day: date, wanted: bool) -> None:  # noqa: FBT001 — a row
    assert passes(Holidays(wanted), day, DEFAULT_OPTIONS) is None
    assert passes(EveryDay(), day, DEFAULT_OPTIONS) is True


@settings(deadline=None)
@given(st.recursive(st.none() | st.booleans() | st.floats() | st.integers() | st.text(), st.lists, max_leaves=8))
def test_no_filter_is_too_odd_to_read(odd: object) -> None:
    for given_filter in (odd, {"day": odd}, {"inHoliday": odd}):
        read = read_filter(given_filter)
        assert (read.value is None) <= bool(read.findings)


def test_a_finding_quotes_a_huge_value_shortened() -> None:
    read = read_filter({"inHoliday": 10**6000})
    assert len(read.findings[0].found) <= 60
    assert read.findings[0].where == "props.filter.inHoliday"
