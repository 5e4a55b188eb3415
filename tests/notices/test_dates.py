"""Which day the words mean: the nearest year within 120 days, weeks from Monday, months, and what has to be asked."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from zhixing.language.timex import CalendarDate, Duration, MonthDay, RelativeDay, VagueDate, WeekDay
from zhixing.notices.dates import Settled, Undecided, add_months, likely_days, needs_reference, settle_date

MONDAY = date(2026, 10, 12)


def settle(words, reference: date = MONDAY, submitted: date | None = None, year: int | None = None):
    return settle_date(words, reference=reference, submitted=submitted or reference, year=year)


def day(month: int, day_of_month: int, **rest: int) -> CalendarDate:
    return CalendarDate(rest.get("year"), month, day_of_month, rest.get("offset"))


# The year nobody wrote.


@pytest.mark.parametrize(
    "today", [date(2026, 10, 12), date(2026, 3, 1), date(2026, 1, 1), date(2028, 2, 29), date(2027, 12, 31)]
)
@pytest.mark.parametrize("distance", [-120, -119, -1, 0, 1, 119, 120])
def test_a_date_without_a_year_is_the_nearest_one_within_120_days(today: date, distance: int):
    meant = today + timedelta(days=distance)
    assert settle(day(meant.month, meant.day), today) == Settled(meant, year_chosen=True)


@pytest.mark.parametrize("today", [date(2026, 10, 12), date(2026, 3, 1), date(2026, 1, 1), date(2027, 12, 31)])
@pytest.mark.parametrize("distance", [-183, -122, -121, 121, 122, 182])
def test_beyond_120_days_the_year_is_asked(today: date, distance: int):
    meant = today + timedelta(days=distance)
    found = settle(day(meant.month, meant.day), today)
    assert isinstance(found, Undecided)
    assert found.kind == "year"
    assert all((option.month, option.day) == (meant.month, meant.day) for option in found.options)
    assert all(option.year in (today.year, today.year + 1) for option in found.options)


def test_a_nearest_date_that_has_passed_is_not_rolled_into_the_next_year():
    assert settle(day(9, 1)) == Settled(date(2026, 9, 1), year_chosen=True)


def test_the_nearest_date_may_lie_in_the_next_or_the_last_year():
    assert settle(day(1, 5), date(2026, 12, 20)) == Settled(date(2027, 1, 5), year_chosen=True)
    assert settle(day(12, 20), date(2027, 1, 5)) == Settled(date(2026, 12, 20), year_chosen=True)


def test_the_year_is_chosen_by_the_day_of_submission_not_of_the_message():
    assert settle(day(10, 20), reference=date(2026, 3, 1), submitted=MONDAY) == Settled(
        date(2026, 10, 20), year_chosen=True
    )


@pytest.mark.parametrize(
    ("words", "year", "expected"),
    [
        (day(10, 15), 2027, date(2027, 10, 15)),
        (day(5, 1), 2031, date(2031, 5, 1)),
        (day(2, 29), 2028, date(2028, 2, 29)),
        # What was written beats what was answered.
        (day(10, 15, year=2025), 2027, date(2025, 10, 15)),
        (day(10, 20, offset=1), 2031, date(2027, 10, 20)),
        (day(10, 20, offset=0), None, date(2026, 10, 20)),
        (day(10, 20, offset=-1), None, date(2025, 10, 20)),
        # A written year knows no 120 days.
        (day(5, 1, year=2027), None, date(2027, 5, 1)),
        (day(5, 1, year=1999), None, date(1999, 5, 1)),
    ],
)
def test_a_year_that_was_said_or_answered_is_taken(words: CalendarDate, year: int | None, expected: date):
    assert settle(words, year=year) == Settled(expected)


# 29 February.


@pytest.mark.parametrize(
    ("today", "expected"),
    [
        (date(2028, 2, 1), date(2028, 2, 29)),
        (date(2028, 6, 28), date(2028, 2, 29)),
        (date(2027, 11, 1), date(2028, 2, 29)),
        (date(2028, 2, 29), date(2028, 2, 29)),
    ],
)
def test_29_february_is_found_where_it_is_near(today: date, expected: date):
    assert settle(day(2, 29), today) == Settled(expected, year_chosen=True)


@pytest.mark.parametrize("today", [date(2026, 2, 20), date(2027, 2, 28), date(2027, 10, 31), date(2028, 6, 29)])
def test_29_february_is_asked_where_no_near_year_has_it(today: date):
    found = settle(day(2, 29), today)
    assert isinstance(found, Undecided)
    assert found.kind == "year"


def test_29_february_of_a_year_that_has_none_is_no_date():
    expected = Undecided("invalid_date", (date(2027, 2, 28), date(2027, 3, 1)))
    assert settle(day(2, 29, year=2027)) == expected
    assert settle(day(2, 29), year=2027) == expected
    assert settle(day(2, 29, offset=1)) == expected


# Days that do not exist.


@pytest.mark.parametrize(
    ("words", "options"),
    [
        (day(4, 31, year=2027), (date(2027, 4, 30), date(2027, 5, 1))),
        (day(2, 30, year=2028), (date(2028, 2, 29), date(2028, 3, 1))),
        (day(12, 32, year=2026), ()),
        (day(10, 0, year=2026), ()),
        (day(0, 5, year=2026), ()),
        (day(13, 1, year=2026), ()),
        (day(13, 1), ()),
        (day(2, 30), ()),
        (day(99999, 99999), ()),
        (day(1, 1, year=0), ()),
        (day(1, 1, year=99999), ()),
        (MonthDay(0, 32), ()),
        (MonthDay(1, 31), (date(2026, 11, 30), date(2026, 12, 1))),
        (MonthDay(0, 0), ()),
    ],
)
def test_a_day_that_does_not_exist_is_asked(words, options: tuple[date, ...]):
    assert settle(words) == Undecided("invalid_date", options)


@pytest.mark.parametrize(
    "words", [RelativeDay(9_999_999), WeekDay(999_999, 1), MonthDay(999_999, 1), day(10, 20, offset=99_999)]
)
def test_a_day_outside_the_calendar_is_asked(words):
    assert settle(words) == Undecided("invalid_date")


# Counted from a day.


@pytest.mark.parametrize("days", [-3, -2, -1, 0, 1, 2, 3])
def test_days_are_counted_from_the_reference(days: int):
    assert settle(RelativeDay(days)) == Settled(MONDAY + timedelta(days=days))
    assert settle(RelativeDay(days), date(2026, 12, 31)) == Settled(date(2026, 12, 31) + timedelta(days=days))


@pytest.mark.parametrize("today", range(7))
@pytest.mark.parametrize("weeks", [-1, 0, 1, 2])
@pytest.mark.parametrize("weekday", range(1, 8))
def test_a_week_begins_on_monday_whatever_day_it_is_said(today: int, weeks: int, weekday: int):
    reference = MONDAY + timedelta(days=today)
    assert settle(WeekDay(weeks, weekday), reference) == Settled(MONDAY + timedelta(days=7 * weeks + weekday - 1))


def test_a_week_may_cross_the_year():
    assert settle(WeekDay(1, 5), date(2026, 12, 31)) == Settled(date(2027, 1, 8))
    assert settle(WeekDay(0, 5), date(2026, 12, 31)) == Settled(date(2027, 1, 1))


@pytest.mark.parametrize(
    ("months", "number", "expected"),
    [
        (0, 20, date(2026, 10, 20)),
        (0, 5, date(2026, 10, 5)),
        (1, 5, date(2026, 11, 5)),
        (2, 31, date(2026, 12, 31)),
        (3, 1, date(2027, 1, 1)),
        (-1, 5, date(2026, 9, 5)),
        (-10, 1, date(2025, 12, 1)),
    ],
)
def test_a_day_of_a_month_is_counted_from_the_reference_month(months: int, number: int, expected: date):
    assert settle(MonthDay(months, number)) == Settled(expected)


def test_the_next_month_of_the_31st_is_the_next_month():
    # 31 October plus one month is 30 November by add_months, but 下个月5号 must not skip or clip anything.
    assert settle(MonthDay(1, 5), date(2026, 10, 31)) == Settled(date(2026, 11, 5))
    assert settle(MonthDay(1, 5), date(2027, 1, 31)) == Settled(date(2027, 2, 5))


@pytest.mark.parametrize(
    ("start", "months", "expected"),
    [
        (date(2026, 10, 12), 0, date(2026, 10, 12)),
        (date(2026, 10, 12), 1, date(2026, 11, 12)),
        (date(2026, 10, 31), 1, date(2026, 11, 30)),
        (date(2026, 11, 30), 3, date(2027, 2, 28)),
        (date(2027, 11, 30), 3, date(2028, 2, 29)),
        (date(2026, 12, 31), 2, date(2027, 2, 28)),
        (date(2026, 1, 31), -2, date(2025, 11, 30)),
        (date(2026, 10, 12), 12, date(2027, 10, 12)),
        (date(2028, 2, 29), 12, date(2029, 2, 28)),
        (date(2028, 2, 29), 48, date(2032, 2, 29)),
    ],
)
def test_months_are_added_by_the_calendar(start: date, months: int, expected: date):
    assert add_months(start, months) == expected


# Words that do not say which day.


@pytest.mark.parametrize("words", ["周五", "月底", "10月上旬", "节后", "5号", "下周", "春节", "改天", "没见过的词"])
def test_vague_words_are_always_asked(words: str):
    found = settle(VagueDate(words))
    assert isinstance(found, Undecided)
    assert found.kind == "date"
    assert found.options == likely_days(words, MONDAY)


@pytest.mark.parametrize(
    ("words", "days"),
    [
        ("周一", (date(2026, 10, 12), date(2026, 10, 19))),
        ("周五", (date(2026, 10, 16), date(2026, 10, 23))),
        ("星期日", (date(2026, 10, 18), date(2026, 10, 25))),
        ("礼拜天", (date(2026, 10, 18), date(2026, 10, 25))),
        ("12号", (date(2026, 10, 12), date(2026, 11, 12))),
        ("20号", (date(2026, 10, 20), date(2026, 11, 20))),
        ("二十日", (date(2026, 10, 20), date(2026, 11, 20))),
        ("5号", (date(2026, 11, 5), date(2026, 12, 5))),
        ("31号", (date(2026, 10, 31), date(2026, 12, 31))),
        ("月底", (date(2026, 10, 31),)),
        ("10月底", (date(2026, 10, 31),)),
        ("2月底", (date(2027, 2, 28),)),
        ("周末", (date(2026, 10, 17), date(2026, 10, 18))),
        ("下周末", (date(2026, 10, 24), date(2026, 10, 25))),
        ("元旦", (date(2027, 1, 1),)),
        ("国庆节", (date(2027, 10, 1),)),
        ("五一", (date(2027, 5, 1),)),
        ("平安夜", (date(2026, 12, 24),)),
        # Nothing likely enough to be offered.
        ("10月上旬", ()),
        ("节后", ()),
        ("下周", ()),
        ("春节", ()),
        ("改天", ()),
        ("13月底", ()),
        ("0号", ()),
    ],
)
def test_at_most_two_likely_days_are_offered_nearest_first(words: str, days: tuple[date, ...]):
    assert likely_days(words, MONDAY) == days


@pytest.mark.parametrize(
    ("words", "after", "needed"),
    [
        (RelativeDay(1), None, True),
        (WeekDay(1, 3), None, True),
        (MonthDay(0, 5), None, True),
        (day(10, 20, offset=1), None, True),
        (None, Duration(seconds=600), True),
        (None, Duration(days=3), True),
        (day(10, 20), None, False),
        (day(10, 20, year=2026), None, False),
        (VagueDate("周五"), None, False),
        (None, None, False),
    ],
)
def test_only_words_that_count_from_a_day_need_one(words, after: Duration | None, *, needed: bool):
    assert needs_reference(words, after) is needed
