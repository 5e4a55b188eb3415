"""T08-T12, T40, T42: instants that passed while nobody could act, and clocks that are wrong."""

from __future__ import annotations

from datetime import timedelta

import pytest

from zhixing.documents.run import RunState
from zhixing.kernel.clock import ManualClock
from zhixing.kernel.errors import BadInput
from zhixing.kernel.moments import parse_instant

HOUR = timedelta(hours=1)
DAY = timedelta(days=1)


@pytest.mark.parametrize(
    ("missed", "expected"),
    [("once", [("done", None, 1)]), ("skip", [("missed", "not_wanted", 1)]), ("all", [("done", None, 1)])],
)
def test_t08_what_was_due_while_the_program_was_away_leaves_a_row(furnished, missed, expected):
    house = furnished(clock=ManualClock(parse_instant("2026-10-12T08:00:00+08:00")))
    house.write("task", "30 8 * * *", missed=missed)
    house.sync()
    house.clock.jump(timedelta(minutes=29, seconds=47))
    house.clock.advance(timedelta(minutes=5))
    house.restart()
    house.run()
    assert house.outcomes("task") == expected
    if missed != "skip":
        trigger = house.record(house.only("task"))["trigger"]
        assert (trigger["lateSeconds"], trigger["dueIso"][:16]) == (287, "2026-10-12T08:30")


def test_t09_three_days_away_are_one_late_run_and_two_missed(house):
    house.write("task", "0 9 * * *")
    house.sync()
    house.clock.advance(3 * DAY)
    house.restart()
    house.run()
    assert house.outcomes("task") == [("missed", "coalesced", 2), ("done", None, 1)]
    assert house.dues("task") == ["10-15 01:00"]
    assert len(house.told) == 1


@pytest.mark.parametrize(
    ("extra", "expected"),
    [
        ({}, ["有 2 次到点时服务没有在运行，都没有执行，最近一次是 2026-10-24 09:00（错过太久，不再补）。"]),
        ({"missed": "skip"}, []),
        ({"deliver": "none"}, []),
    ],
)
def test_times_that_are_too_long_ago_to_make_up_for_are_told_once(house, extra, expected):
    house.write("task", "0 9 * * 6", **extra)
    house.sync()
    house.clock.advance(14 * DAY)
    house.restart()
    house.run()
    house.restart()
    house.run()
    assert house.runs("task") == []
    assert [outcome[0] for outcome in house.outcomes("task")] == ["missed"]
    assert house.told == expected
    assert [message.text for message in house.inbox()] == expected


@pytest.mark.parametrize("overlap", ["skip", "queue"])
def test_t09_who_wants_all_of_them_gets_all_of_them_in_order(house, overlap):
    house.write("task", "0 9 * * *", missed="all", overlap=overlap)
    house.sync()
    house.clock.advance(3 * DAY)
    house.restart()
    house.run()
    assert house.dues("task") == ["10-13 01:00", "10-14 01:00", "10-15 01:00"]
    assert house.outcomes("task") == [("done", None, 1)] * 3
    assert len(house.told) == 3


def test_t10_eight_that_are_overdue_run_once_each(house):
    for number in range(8):
        house.write(f"task{number}", "0 9 * * *")
    house.sync()
    house.clock.advance(DAY)
    house.restart()
    house.run()
    assert house.states() == [RunState.SUCCESS] * 8
    assert len({run.task_id for run in house.runs()}) == 8


def test_t11_a_catch_up_that_did_not_begin_begins_after_all(house):
    """Dispatched and cut off before anything was carried out: it is promised on disk, so it runs, once."""
    house.write("task", "0 9 * * *")
    house.sync()
    house.clock.advance(DAY)
    house.restart()
    while not house.runs():
        step(house)
    assert house.states("task") == [RunState.STARTING]
    house.restart()
    house.run()
    assert house.states("task") == [RunState.SUCCESS]
    assert len(house.performed) == 1


def step(house) -> None:
    """Do one job."""
    engine = house.app.engine
    engine._timekeeper.begin()
    engine._timekeeper.tend()
    (held,) = engine._timekeeper.claim(1)
    engine._work(held, engine._write_down)


def test_t12_looking_does_not_swallow_what_is_due(house):
    house.write("task", "0 9 * * *")
    house.sync()
    house.clock.advance(timedelta(hours=23, seconds=30))
    assert [view.title for view in house.views()] == ["task"]
    assert house.view("task").next_runs[0] == parse_instant("2026-10-14T09:00:00+08:00")
    house.run()
    assert house.dues("task") == ["10-13 01:00"]


def test_t40_a_clock_that_is_set_back_repeats_nothing(house):
    house.write("task", "0 * * * *")
    house.sync()
    house.run(HOUR)
    house.clock.jump(-HOUR)
    house.run()
    house.run(timedelta(minutes=30))
    assert len(house.runs("task")) == 1
    house.run(timedelta(minutes=30))
    house.run(HOUR)
    assert house.dues("task") == ["10-12 03:00", "10-12 04:00"]


@pytest.mark.parametrize(("step_by", "count"), [(HOUR, 1), (DAY, 24)])
def test_t40_a_clock_that_is_set_forward_is_a_miss_like_any_other(house, step_by, count):
    house.write("task", "0 * * * *")
    house.sync()
    house.clock.jump(step_by + timedelta(minutes=5))
    house.run()
    assert len(house.runs("task")) == 1
    assert sum(each.count for each in house.occurrences("task")) == count


def test_t42_a_paused_file_is_checked_like_any_other(house):
    house.create("task", "0 9 * * *", status="paused")
    with pytest.raises(BadInput):
        house.update("task", when="0 25 * * *")
    assert house.view("task").fault is None
    house.edit("task", "0 9 * * *", "0 25 * * *")
    assert house.view("task").fault is not None
    house.run(2 * DAY)
    assert house.runs("task") == []


def test_t42_what_passed_in_a_pause_is_recorded_and_does_not_run(house):
    house.create("task", "0 9 * * *")
    house.update("task", status="paused")
    house.run(2 * DAY)
    house.update("task", status="enabled")
    house.run()
    assert house.runs("task") == []
    assert house.outcomes("task") == [("skipped", "paused", 2)]
    house.run(DAY)
    assert house.dues("task") == ["10-15 01:00"]


def test_t42_a_change_that_makes_a_past_instant_does_not_run_it(house):
    house.create("task", "0 9 * * *")
    house.run(timedelta(minutes=5))
    house.update("task", when="3 10 * * *")
    house.run(HOUR)
    assert house.runs("task") == []
    assert house.view("task").next_runs[0] == parse_instant("2026-10-13T10:03:00+08:00")


def test_t42_an_invalid_edit_of_a_living_task_is_told_at_its_next_instant_and_not_every_minute(house):
    house.write("task", "0 9 * * *")
    house.sync()
    house.edit("task", "0 9 * * *", "0 25 * * *")
    house.until("2026-10-13T09:00:00+08:00")
    house.minute_by_minute("2026-10-13T10:00:00+08:00")
    assert house.states() == [RunState.FAILURE]
    assert len(house.told) == 1
    assert "when" in house.told[0]
    assert house.performed == []
