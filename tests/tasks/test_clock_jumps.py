"""The wall clock is stepped while the program runs, or the clocks of the zone are moved.

The clock starts on Monday, 12 October 2026, at 10:00 in Shanghai.
"""

from __future__ import annotations

from datetime import timedelta

import pytest

from zhixing.kernel.moments import parse_instant
from zhixing.tasks.schedule.model import Missed

HOUR, DAY, MINUTE = timedelta(hours=1), timedelta(days=1), timedelta(minutes=1)


@pytest.mark.parametrize("expression", ["*/10 * * * *", "every 10m"])
def test_a_clock_set_back_by_an_hour_repeats_nothing(office, clock, expression):
    task = office.add_task()
    office.add(task, expression)
    for _ in range(4):
        clock.advance(10 * MINUTE)
        office.drain()
    clock.jump(-HOUR)
    for _ in range(7):
        clock.advance(10 * MINUTE)
        office.drain()
    # It is 10:50 again: what was done by 10:40 is not done twice, and the grid has not moved.
    assert office.said(task) == [f"10-12 10:{minute}0 done" for minute in (1, 2, 3, 4, 5)]


@pytest.mark.parametrize("step", [timedelta(seconds=1), HOUR, DAY])
def test_a_clock_set_back_at_the_very_moment_of_an_instant_does_not_lose_it(office, clock, step):
    task = office.add_task()
    office.add(task, "*/10 * * * *")
    office.jolt = -step
    clock.advance(10 * MINUTE)
    office.drain()
    assert office.jolt == timedelta(0)
    clock.advance(step)
    office.drain()
    clock.advance(10 * MINUTE)
    office.drain()
    assert office.said(task) == ["10-12 10:10 done", "10-12 10:20 done"]


@pytest.mark.parametrize("expression", ["*/10 * * * *", "every 10m"])
def test_a_clock_put_forward_by_an_hour_makes_no_burst(office, clock, expression):
    task = office.add_task()
    office.add(task, expression)
    clock.advance(10 * MINUTE)
    office.drain()
    clock.jump(HOUR)
    office.drain()
    clock.advance(10 * MINUTE)
    office.drain()
    assert office.said(task) == [
        "10-12 10:10 done",
        "10-12 11:00 missed coalesced 5",
        "10-12 11:10 done",
        "10-12 11:20 done",
    ]


@pytest.mark.parametrize(
    ("missed", "expected"),
    [
        (Missed.ONCE, ["10-13 09:00 missed coalesced 23", "10-13 10:00 done"]),
        (Missed.SKIP, ["10-13 09:00 missed not_wanted 23", "10-13 10:00 done"]),
    ],
)
def test_a_clock_put_forward_by_a_day(office, clock, missed, expected):
    task = office.add_task()
    office.add(task, "0 * * * *", missed=missed)
    clock.jump(DAY)
    office.drain()
    assert office.said(task) == expected


def test_a_clock_put_forward_by_a_day_with_all_runs_each_in_order(office, clock):
    task = office.add_task()
    office.add(task, "0 */6 * * *", missed=Missed.ALL)
    clock.jump(DAY)
    office.drain()
    hours = ["12T04", "12T10", "12T16", "12T22"]
    assert office.told == [f"2026-10-{hour}:00:00+00:00" for hour in hours]


def test_a_machine_that_sleeps_wakes_to_one_run(office, clock):
    task = office.add_task()
    office.add(task, "every 2s")
    clock.jump(timedelta(seconds=40))
    office.drain()
    assert office.said(task) == ["10-12 10:00 missed coalesced 19", "10-12 10:00 done"]


@pytest.mark.parametrize(
    ("zone_name", "expression", "begin", "expected"),
    [
        ("America/New_York", "30 2 * * *", "2026-03-08T00:00-05:00", ["03-08 03:00", "03-09 02:30"]),
        ("America/New_York", "30 1 * * *", "2026-11-01T00:00-04:00", ["11-01 01:30", "11-02 01:30"]),
        ("Europe/Paris", "30 2 * * *", "2026-03-29T00:00+01:00", ["03-29 03:00", "03-30 02:30"]),
        ("Australia/Lord_Howe", "15 2 * * *", "2026-10-04T00:00+10:30", ["10-04 02:30", "10-05 02:15"]),
        ("America/Santiago", "0 0 * * *", "2026-09-05T12:00-04:00", ["09-06 01:00", "09-07 00:00"]),
        ("Africa/Cairo", "30 23 * * *", "2026-10-29T12:00+03:00", ["10-29 23:30", "10-30 23:30"]),
    ],
)
def test_where_the_clocks_of_the_zone_are_moved(
    steady_office, clock, *, zone_name: str, expression: str, begin: str, expected: list[str]
):
    clock.jump(parse_instant(begin) - clock.now())
    task = steady_office.add_task()
    steady_office.add(task, expression, zone_name=zone_name)
    steady_office.pass_time(2 * DAY, every=30 * MINUTE)
    assert steady_office.said(task, zone_name) == [f"{instant} done" for instant in expected]
    late = [entry.data["late_seconds"] for entry in steady_office.entries(task) if "late_seconds" in entry.data]
    assert late
    assert max(late) <= 30 * 60
