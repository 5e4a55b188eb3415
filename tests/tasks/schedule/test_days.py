"""Which days a rule names, checked against looking at every single day."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zhixing.language.repeats import LAST, Statute
from zhixing.tasks.schedule.days import (
    LUNAR_UNTIL,
    STATUTES_UNTIL,
    EveryDays,
    EveryLunar,
    EveryMonths,
    EveryWeeks,
    EveryYear,
    MonthlyWeekday,
    StatutoryDays,
)

DAY = timedelta(days=1)
MONDAY = date(2026, 10, 12)
dates = st.dates(date(1990, 1, 1), date(2090, 1, 1))


def first(rule, start: date, n: int) -> list[str]:
    return [f"{day:%Y-%m-%d}" for day in islice(rule.dates(start), n)]


def fits(rule, day: date) -> bool:
    """Say whether a day belongs to a rule, without walking."""
    match rule:
        case EveryDays(anchor, interval):
            return (day - anchor).days % interval == 0
        case EveryWeeks(weekdays, anchor, interval):
            weeks = ((day - DAY * day.weekday()) - (anchor - DAY * anchor.weekday())).days // 7
            return day.isoweekday() in weekdays and weeks % interval == 0
        case EveryMonths(days, anchor, interval):
            last = (day + DAY).month != day.month
            months = (day.year - anchor.year) * 12 + day.month - anchor.month
            return (day.day in days or (last and LAST in days)) and months % interval == 0
        case MonthlyWeekday(nth, weekday):
            right = (day + 7 * DAY).month != day.month if nth == LAST else (day.day - 1) // 7 + 1 == nth
            return day.isoweekday() == weekday and right
        case EveryYear(month, number):
            return (day.month, day.day) == (month, number)
    raise AssertionError(rule)


rules = st.one_of(
    st.builds(EveryDays, dates, st.integers(1, 99)),
    st.builds(
        EveryWeeks,
        st.sets(st.integers(1, 7), min_size=1).map(lambda days: tuple(sorted(days))),
        dates,
        st.integers(1, 9),
    ),
    st.builds(
        EveryMonths,
        st.sets(st.integers(1, 31), min_size=1).map(lambda days: tuple(sorted(days))) | st.just((15, LAST)),
        dates,
        st.integers(1, 9),
    ),
    st.builds(MonthlyWeekday, st.integers(1, 5) | st.just(LAST), st.integers(1, 7)),
    st.builds(EveryYear, st.just(2), st.integers(1, 29)),
)


@given(rules, dates)
def test_walking_finds_exactly_the_days_that_fit(rule, start):
    days = [start + n * DAY for n in range(500)]
    walked = []
    for day in rule.dates(start):
        if day > days[-1]:
            break
        walked.append(day)
    assert walked == [day for day in days if fits(rule, day)]


def test_every_other_week_stays_the_same_weeks():
    rule = EveryWeeks((1, 5), date(2026, 10, 16), 2)
    assert first(rule, MONDAY, 4) == ["2026-10-12", "2026-10-16", "2026-10-26", "2026-10-30"]
    assert first(rule, date(2027, 10, 11), 2) == ["2027-10-11", "2027-10-15"]


def test_months_without_the_day_are_passed_over():
    assert first(EveryMonths((31,), MONDAY), MONDAY, 3) == ["2026-10-31", "2026-12-31", "2027-01-31"]
    assert first(EveryMonths((30, LAST), MONDAY), date(2027, 2, 1), 3) == ["2027-02-28", "2027-03-30", "2027-03-31"]
    assert first(EveryYear(2, 29), MONDAY, 2) == ["2028-02-29", "2032-02-29"]


# Dates of the traditional calendar as almanacs print them.
@pytest.mark.parametrize(
    ("rule", "days"),
    [
        (EveryLunar(8, (15,)), ["2026-09-25", "2027-09-15", "2028-10-03"]),
        (EveryLunar(1, (1,)), ["2026-02-17", "2027-02-06", "2028-01-26"]),
        (EveryLunar(12, (LAST,)), ["2026-02-16", "2027-02-05", "2028-01-25"]),
        (EveryLunar(5, (5,)), ["2026-06-19", "2027-06-09", "2028-05-28"]),
    ],
)
def test_lunar_dates_are_those_of_the_almanac(rule, days):
    assert first(rule, date(2026, 1, 1), 3) == days


def test_a_date_of_one_lunar_month_does_not_come_again_in_its_leap_month():
    # 2025 has a sixth month and a leap sixth month.
    assert first(EveryLunar(6, (1,)), date(2025, 1, 1), 2) == ["2025-06-25", "2026-07-14"]
    every = [date.fromisoformat(day) for day in first(EveryLunar(None, (1,)), date(2025, 6, 1), 3)]
    assert every == [date(2025, 6, 25), date(2025, 7, 25), date(2025, 8, 23)]


def test_statutory_days_follow_the_arrangement():
    # 2026: the holiday of National Day is 1–7 October, and Saturday the 10th is a working day.
    assert first(StatutoryDays(Statute.WORKDAY), date(2026, 9, 29), 5) == [
        "2026-09-29",
        "2026-09-30",
        "2026-10-08",
        "2026-10-09",
        "2026-10-10",
    ]
    assert first(StatutoryDays(Statute.HOLIDAY), date(2026, 9, 29), 7)[-1] == "2026-10-07"
    assert first(StatutoryDays(Statute.DAYOFF), date(2026, 10, 7), 2) == ["2026-10-07", "2026-10-11"]


@pytest.mark.parametrize("kind", list(Statute))
def test_behind_the_table_of_holidays_there_is_nothing(kind):
    rule = StatutoryDays(kind)
    assert rule.known_until == STATUTES_UNTIL
    assert list(rule.dates(STATUTES_UNTIL + DAY)) == []
    assert all(day <= STATUTES_UNTIL for day in rule.dates(STATUTES_UNTIL - 60 * DAY))


def test_behind_the_lunar_table_there_is_nothing():
    found = list(EveryLunar(None, (1,)).dates(date(2100, 1, 1)))
    assert found
    assert max(found) <= LUNAR_UNTIL
    assert list(EveryLunar(8, (15,)).dates(date(2101, 6, 1))) == []


def test_the_calendar_ends_with_the_year_9999_without_an_error():
    near = date(9999, 12, 30)
    assert len(list(EveryDays(MONDAY).dates(near))) == 2
    assert len(list(EveryWeeks((1, 2, 3, 4, 5, 6, 7), MONDAY).dates(near))) == 2
    assert list(EveryMonths((1,), MONDAY).dates(near)) == []
