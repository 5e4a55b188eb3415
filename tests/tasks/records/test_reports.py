"""What a record came to: windows, days, ranges, periods that are over, the last picture."""

from __future__ import annotations

from datetime import timedelta

import pytest

from zhixing.kernel.errors import BadInput, TooLarge

DAILY = {"window": "day"}
CUPS = {"target": 8, "unit": "杯", "window": "day", "recurring_pattern": DAILY}
PHONE = {"target_minutes": 60, "recurring_pattern": DAILY}


@pytest.fixture
def ledger(steady):
    """Give the ledger in which nothing restarts: these tests are about reading."""
    return steady


@pytest.fixture
def cups(ledger):
    """Give a record of cups: 3 on Monday, 9 on Tuesday, none on Wednesday, 2 on Thursday the 15th, which it is."""
    task = ledger.task("progress", CUPS)
    for day, number in ((12, 3), (13, 9), (15, 2)):
        ledger.go_to(f"10-{day} 21:00")
        ledger.write("increment", task, number)
    return task


@pytest.fixture
def phone(ledger):
    """Give a record of time: 40 min on Monday, over midnight 30 + 45, 10 on Thursday and 5 that are under way."""
    task = ledger.task("duration", PHONE)
    for start, end in (("12 20:00", "12 20:40"), ("13 23:30", "14 00:45"), ("15 09:00", "15 09:10")):
        ledger.go_to(f"10-{start}")
        ledger.write("start_session", task)
        ledger.go_to(f"10-{end}")
        ledger.write("end_session", task)
    ledger.go_to("10-15 21:00")
    ledger.write("start_session", task)
    ledger.clock.advance(timedelta(minutes=5))
    return task


@pytest.fixture
def cat(ledger):
    """Give a record of events: 2 on Monday, 1 on Thursday, which it is."""
    task = ledger.task("event", {})
    for at in ("12 10:00", "12 11:00", "15 08:00"):
        ledger.go_to(f"10-{at}")
        ledger.write("append", task, "猫")
    return task


@pytest.mark.parametrize("asked", [{}, {"window": "all"}])
def test_nothing_asked_is_the_present(ledger, cups, asked):
    found = ledger.ask("compute", cups, **asked)
    assert found == {"kind": "progress", "window": "all", "date": None, "derived": ledger.derived(cups)}


@pytest.mark.parametrize(
    ("asked", "current", "target", "date"),
    [
        ({"window": "day"}, 2, 8, "2026-10-15"),
        ({"window": "week"}, 14, None, "2026-10-15"),
        ({"window": "month"}, 14, None, "2026-10-15"),
        ({"day": "today"}, 2, 8, "2026-10-15"),
        ({"day": "yesterday"}, 0, 8, "2026-10-14"),
        ({"day": "2026-10-13"}, 9, 8, "2026-10-13"),
        ({"day": "2026-12-31"}, 0, 8, "2026-12-31"),
    ],
)
def test_counts_of_a_window_or_a_day(ledger, cups, *, asked, current, target, date):
    found = ledger.ask("compute", cups, **asked)
    derived = found["derived"]
    assert (found["kind"], found["date"]) == ("progress", date)
    assert (derived["current"], derived["target"]) == (current, target)
    assert derived["reached"] is (target is not None and current >= target)
    assert derived["remaining"] == (None if target is None else max(target - current, 0))


def test_counts_of_a_range(ledger, cups):
    found = ledger.ask("compute", cups, first="2026-10-12", last="today")
    assert found == {
        "kind": "progress",
        "from": "2026-10-12",
        "to": "2026-10-15",
        "derived": {"kind": "progress_range", "days_with_data": 3, "total_current": 14, "target_recent": 8},
    }


@pytest.mark.parametrize(
    ("asked", "seconds", "remaining"),
    [
        ({"window": "day"}, 900, 45),
        ({"window": "week"}, 7800, None),
        ({"window": "month"}, 7800, None),
        ({"day": "yesterday"}, 2700, 15),
        ({"day": "2026-10-13"}, 1800, 30),
        ({"day": "2026-10-01"}, 0, 60),
    ],
)
def test_times_of_a_window_or_a_day(ledger, phone, asked, seconds, remaining):
    derived = ledger.ask("compute", phone, **asked)["derived"]
    assert (derived["accumulated_seconds"], derived["accumulated_minutes_today"]) == (seconds, seconds // 60)
    assert derived["remaining_minutes"] == remaining


def test_times_of_a_range_have_the_session_under_way(ledger, phone):
    derived = ledger.ask("compute", phone, first="2026-10-13", last="2026-10-15")["derived"]
    assert derived == {
        "kind": "duration_range",
        "days_with_data": 3,
        "total_minutes": 90,
        "total_seconds": 5400,
        "target_minutes_recent": 60,
    }
    one_day = ledger.ask("compute", phone, first="2026-10-14", last="2026-10-14")["derived"]
    assert (one_day["days_with_data"], one_day["total_minutes"]) == (1, 45)


@pytest.mark.parametrize(
    ("asked", "count", "last_at"),
    [
        ({"window": "day"}, 1, "2026-10-15T08:00:00+08:00"),
        ({"window": "week"}, 3, "2026-10-15T08:00:00+08:00"),
        ({"window": "month"}, 3, "2026-10-15T08:00:00+08:00"),
        ({"day": "2026-10-12"}, 2, "2026-10-12T11:00:00+08:00"),
        ({"day": "2026-10-13"}, 0, None),
    ],
)
def test_events_of_a_window_or_a_day(ledger, cat, asked, count, last_at):
    derived = ledger.ask("compute", cat, **asked)["derived"]
    assert (derived["count_total"], derived["last_at"]) == (count, last_at)


def test_events_of_a_range(ledger, cat):
    derived = ledger.ask("compute", cat, first="2026-10-12", last="2026-10-14")["derived"]
    assert derived == {"kind": "event_range", "days_with_data": 1, "total_count": 2}


@pytest.mark.parametrize(
    ("asked", "kind", "words"),
    [
        ({"window": "day", "day": "today"}, BadInput, "window、date 和 from/to 只能给一种。"),
        ({"window": "all", "first": "today", "last": "today"}, BadInput, "只能给一种"),
        ({"first": "today"}, BadInput, "from 和 to 要一起给。"),
        ({"last": "today"}, BadInput, "from 和 to 要一起给。"),
        ({"first": "today", "last": "yesterday"}, BadInput, "from 不能晚于 to。"),
        ({"first": "2000-01-01", "last": "today"}, TooLarge, "一次最多统计 3660 天。"),
        ({"window": "year"}, BadInput, "window 不能是「year」，可用：all、day、week、month。"),
        ({"window": "longterm"}, BadInput, "window 不能是「longterm」"),
        ({"day": "昨天"}, BadInput, "看不懂日期「昨天」"),
        ({"day": "2026-02-30"}, BadInput, "看不懂日期"),
        ({"day": "9999-12-31"}, BadInput, "看不懂日期"),
        ({"day": "0001-01-01"}, BadInput, "看不懂日期"),
        ({"day": ""}, BadInput, "看不懂日期"),
    ],
)
def test_what_cannot_be_asked(ledger, cups, asked, kind, words):
    with pytest.raises(kind, match=words):
        ledger.ask("compute", cups, **asked)


def test_the_counts_of_periods_that_are_over_newest_first(ledger, cups):
    counts = ledger.ask("archives", cups)
    assert counts["kind"] == "progress"
    assert [(line["date"], line["current"]) for line in counts["archives"]] == [
        ("2026-10-14", 0),
        ("2026-10-13", 9),
        ("2026-10-12", 3),
    ]
    assert counts["archives"][1] == {
        "date": "2026-10-13",
        "current": 9,
        "target": 8,
        "status": "completed",
        "reached_at": "2026-10-13T21:00:00+08:00",
        "period_start": "2026-10-13T00:00:00+08:00",
        "period_end": "2026-10-14T00:00:00+08:00",
    }


def test_the_times_of_periods_that_are_over(ledger, phone):
    times = ledger.ask("archives", phone)["archives"]
    assert [(line["date"], line["accumulated_minutes"], line["target_minutes"]) for line in times] == [
        ("2026-10-14", 45, 60),
        ("2026-10-13", 30, 60),
        ("2026-10-12", 40, 60),
    ]


def test_the_events_of_days_that_are_over(ledger, cat):
    assert ledger.ask("archives", cat)["archives"] == [
        {"date": "2026-10-14", "count": 0},
        {"date": "2026-10-13", "count": 0},
        {"date": "2026-10-12", "count": 2},
    ]


def test_archives_go_back_to_writes_from_before_the_record(ledger):
    task = ledger.task("progress", CUPS)
    ledger.write("increment", task, 1, at="10-10 09:00")
    assert [line["date"] for line in ledger.ask("archives", task)["archives"]] == ["2026-10-11", "2026-10-10"]


def test_archives_are_bounded(steady):
    task = steady.task("progress", CUPS)
    steady.write("increment", task, 3)
    steady.clock.advance(timedelta(days=1_000))
    lines = steady.ask("archives", task)["archives"]
    assert len(lines) == 400
    assert lines[0]["date"] == "2029-07-07"


def test_archives_of_weeks(ledger):
    task = ledger.task("progress", {**CUPS, "window": "week", "recurring_pattern": {"window": "week"}})
    ledger.write("increment", task, 3)
    ledger.go_to("10-14 09:00")
    ledger.write("increment", task, 4)
    ledger.go_to("10-26 00:00")
    lines = ledger.ask("archives", task)["archives"]
    assert [(line["date"], line["current"], line["period_end"]) for line in lines] == [
        ("2026-10-19", 0, "2026-10-26T00:00:00+08:00"),
        ("2026-10-12", 7, "2026-10-19T00:00:00+08:00"),
    ]


def test_the_last_picture_of_a_count(ledger, cups):
    assert ledger.ask("snapshot", cups) == {"target": 8, "current": 2, "unit": "杯", "window": "day"}


def test_the_last_picture_of_a_time(ledger, phone):
    assert ledger.ask("snapshot", phone) == {
        "target_minutes": 60,
        "accumulated_minutes": 15,
        "in_flight_minutes": 5,
        "active_session_start_at": "2026-10-15T21:00:00+08:00",
    }


def test_the_last_picture_of_events(ledger, cat):
    assert ledger.ask("snapshot", cat) == {
        "event_count": 3,
        "first_at": "2026-10-12T10:00:00+08:00",
        "last_at": "2026-10-15T08:00:00+08:00",
    }


def test_the_last_picture_outlives_the_task(ledger, phone):
    ledger.change("delete", phone)
    assert ledger.ask("snapshot", phone) == {
        "target_minutes": 60,
        "accumulated_minutes": 15,
        "in_flight_minutes": 0,
        "active_session_start_at": None,
    }
