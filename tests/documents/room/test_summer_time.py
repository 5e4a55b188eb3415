"""T01-T07, T20-T22: the instants of a task.md, as the clocks of its zone read."""

from __future__ import annotations

from datetime import timedelta

import pytest

from zhixing.kernel.clock import ManualClock
from zhixing.kernel.moments import parse_instant

NEW_YORK = "America/New_York"


def through(furnished, zone: str, when: str, start: str, end: str):
    """Live from `start` to `end` with one task; return the house."""
    house = furnished(clock=ManualClock(parse_instant(start)), zone=zone)
    house.write("task", when)
    house.sync()
    house.minute_by_minute(end, timedelta(minutes=15))
    return house


def test_t01_an_hour_that_comes_twice_runs_once(furnished):
    house = through(furnished, NEW_YORK, "30 1 * * *", "2026-10-31T12:00:00-04:00", "2026-11-01T23:00:00-05:00")
    assert house.dues("task") == ["11-01 05:30"]


def test_t02_half_an_hour_that_comes_twice_runs_once(furnished):
    house = through(furnished, "Australia/Lord_Howe", "45 1 * * *", "2026-04-04T06:00:00Z", "2026-04-05T06:00:00Z")
    assert house.dues("task") == ["04-04 14:45"]


def test_t03_every_quarter_of_an_hour_is_every_real_quarter(furnished):
    house = through(furnished, NEW_YORK, "*/15 * * * *", "2026-11-01T04:50:00Z", "2026-11-01T07:20:00Z")
    expected = [f"11-01 {hour:02}:{minute:02}" for hour in (5, 6, 7) for minute in (0, 15, 30, 45)][:10]
    assert house.dues("task") == expected


def test_t04_a_time_that_does_not_exist_runs_right_after_the_gap(furnished):
    """The record has the local time that it ran at, and says that this is not the one that was set."""
    house = through(furnished, NEW_YORK, "30 2 * * *", "2026-03-07T12:00:00-05:00", "2026-03-09T12:00:00-04:00")
    assert house.dues("task") == ["03-08 07:00", "03-09 06:30"]
    first, second = (house.record(run)["trigger"] for run in house.runs("task"))
    assert first["dueIso"].startswith("2026-03-08T03:00:00")
    assert (first["shifted"], "shifted" in second) == (True, False)
    summary = (house.folder(house.runs("task")[0]) / "result.md").read_text(encoding="utf-8")
    assert "被夏令时跳过" in summary


def test_t05_a_midnight_that_does_not_exist_is_one_o_clock(furnished):
    house = through(furnished, "America/Santiago", "0 0 * * *", "2026-09-05T12:00:00Z", "2026-09-06T12:00:00Z")
    assert house.dues("task") == ["09-06 04:00"]


@pytest.mark.parametrize(
    ("zone", "when", "now", "next_one"),
    [
        (NEW_YORK, "30 2 * * *", "2026-03-08T03:00:00-04:00", "2026-03-09T02:30:00-04:00"),
        (NEW_YORK, "30 1 * * *", "2026-11-01T01:30:00-04:00", "2026-11-02T01:30:00-05:00"),
        ("Asia/Shanghai", "0 9 31 * *", "2026-03-31T09:00:00+08:00", "2026-05-31T09:00:00+08:00"),
        ("Asia/Shanghai", "0 9 * * *", "2026-03-31T09:00:00+08:00", "2026-04-01T09:00:00+08:00"),
    ],
)
def test_t06_the_next_run_is_never_months_ahead(furnished, zone, when, now, next_one):
    house = furnished(clock=ManualClock(parse_instant(now)), zone=zone)
    house.write("task", when)
    assert house.view("task").next_runs[0] == parse_instant(next_one)


@pytest.mark.parametrize(
    ("day", "when", "expected"),
    [
        ("2026-03-08", "0 7-8 * * *", ["03-08 11:00", "03-08 12:00"]),
        ("2026-03-08", "0 7,9 * * *", ["03-08 11:00", "03-08 13:00"]),
        ("2026-11-01", "0 7-8 * * *", ["11-01 12:00", "11-01 13:00"]),
        ("2026-11-01", "0 7,9 * * *", ["11-01 12:00", "11-01 14:00"]),
    ],
)
def test_t07_lists_and_ranges_of_hours_are_hours_of_the_wall(furnished, day, when, expected):
    house = through(furnished, NEW_YORK, when, f"{day}T04:30:00Z", f"{day}T20:00:00Z")
    assert house.dues("task") == expected


def test_t20_without_a_zone_the_zone_of_the_home_counts_and_is_shown(house):
    house.write("task", "0 9 * * *")
    view = house.view("task")
    assert view.zone == "Asia/Shanghai"
    assert [str(at) for at in view.next_runs] == [f"2026-10-{day} 09:00:00+08:00" for day in (13, 14, 15)]


def test_t21_the_answer_to_a_new_task_says_when_it_runs_next(house):
    """Somebody who converted 09:00 to UTC and kept the zone sees 01:00 here."""
    created = house.create("task", "0 1 * * *", timezone="Asia/Shanghai")
    assert str(created.view.next_runs[0]) == "2026-10-13 01:00:00+08:00"


def test_t22_the_zone_of_a_task_is_the_one_it_was_made_in(house):
    house.write("task", "0 9 * * *")
    house.write("named", "0 9 * * *", timezone="Asia/Tokyo")
    house.sync()
    house.restart(zone="Europe/Berlin")
    assert (house.view("task").zone, house.view("named").zone) == ("Asia/Shanghai", "Asia/Tokyo")
    shown = house.view("task").next_runs[0]
    house.edit("task", "测试", "别的说明")
    house.run(timedelta(days=1, hours=2))
    assert house.dues("task") == [shown.strftime("%m-%d 01:00")]
    assert house.dues("named") == ["10-13 00:00"]


def test_the_last_minute_of_a_year(furnished):
    house = through(furnished, "UTC", "59 23 31 12 *", "2026-12-31T22:59:00Z", "2027-01-01T01:00:00Z")
    assert house.dues("task") == ["12-31 23:59"]
