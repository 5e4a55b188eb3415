"""T13-T18: tasks of one instant."""

from __future__ import annotations

from datetime import timedelta

import pytest
from tests.documents.room.house import cut_off, task_md

from zhixing.documents.model import Manual, Standing
from zhixing.documents.run import Cause, RunState
from zhixing.kernel.errors import BadInput
from zhixing.world.sandbox.scripted import printing

AT = "time:2026-10-12T10:30:00+08:00"
HALF = timedelta(minutes=30)
DAY = timedelta(days=1)


def test_t16_it_runs_once_and_its_file_says_so(house):
    house.write("task", AT)
    house.sync()
    house.run(HALF)
    definition = house.view("task").definition
    assert (definition.when, definition.status) == (Manual(), Standing.PAUSED)
    assert house.only("task").cause is Cause.TIME
    house.restart()
    house.run(DAY)
    assert house.told == ["好了"]


def test_t16_the_file_put_back_as_it_was_does_not_run_again(house):
    file = house.write("task", AT)
    text = file.read_text()
    house.sync()
    house.run(HALF)
    file.write_text(text)
    house.sync()
    house.run(DAY)
    assert len(house.runs("task")) == 1
    file.write_text(text)
    house.restart()
    house.run(DAY)
    assert len(house.told) == 1


@pytest.mark.parametrize("answer", [printing(code=1), printing(stderr=b"broken", code=127)])
def test_t15_one_that_fails_is_over_too(house, answer):
    house.answer = answer
    house.write("task", AT)
    house.sync()
    house.minute_by_minute("2026-10-12T11:30:00+08:00")
    assert house.states("task") == [RunState.FAILURE]
    assert house.view("task").definition.status is Standing.PAUSED
    assert len(house.told) == 1
    assert house.app.engine.drain() == 0


def test_t15_one_that_was_in_the_way_of_itself_is_over_too(house):
    """A run by hand is under way when the instant comes: that is recorded, and the file says that it passed."""
    house.write("task", AT, overlap="skip")
    house.sync()

    def answer(command):
        house.clock.jump(timedelta(seconds=2))
        house.beside().engine.drain()
        return printing(b"ok")(command)

    house.answer = answer
    house.run(HALF - timedelta(seconds=2))
    house.by_hand("task")
    house.run()
    house.run(DAY)
    assert [each for each in house.outcomes("task") if each[0] == "skipped"] == [("skipped", "overlap", 1)]
    assert house.view("task").definition.status is Standing.PAUSED
    assert house.view("task").definition.when == Manual()


def test_t13_a_crash_in_it_is_told_and_not_repeated(house):
    house.write("task", AT)
    house.sync()
    house.answer = cut_off
    house.cut(HALF)
    assert house.states("task") == [RunState.RUNNING]
    house.answer = printing(b"again")
    house.restart()
    house.run(DAY)
    assert house.states("task") == [RunState.INTERRUPTED]
    assert house.outcomes("task") == [("interrupted", house.occurrences("task")[0].reason, 1)]
    assert house.view("task").definition.when == Manual()
    assert len(house.performed) == 1
    assert len(house.told) == 1
    assert "中断" in house.told[0]
    assert house.record(house.only("task"))["status"] == "interrupted"


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (AT, "time:2026-10-12T12:00:00+08:00", ["10-12 04:00"]),
        ("*/10 * * * *", "time:2026-10-12T12:00:00+08:00", ["10-12 04:00"]),
        ("time:2026-10-12T12:00:00+08:00", AT, ["10-12 02:30"]),
        (AT, "0 12 * * *", ["10-12 04:00"]),
    ],
)
@pytest.mark.parametrize("by", ["command", "file"])
def test_t17_another_time_is_the_only_time(house, before, after, expected, by):
    house.create("task", before)
    if by == "command":
        house.update("task", when=after)
    else:
        house.put("task", task_md("task", after))
        house.sync()
    house.minute_by_minute("2026-10-12T13:00:00+08:00", timedelta(minutes=10))
    assert house.dues("task") == expected


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (AT, "time:2026-10-12T12:00:00+08:00", ["10-12 04:00"]),
        ("*/10 * * * *", "time:2026-10-12T12:00:00+08:00", ["10-12 04:00"]),
        (AT, "@manual", []),
    ],
)
def test_t17_a_later_time_counts_though_nobody_has_looked_at_the_file(house, before, after, expected):
    house.create("task", before)
    house.put("task", task_md("task", after))
    house.minute_by_minute("2026-10-12T13:00:00+08:00", timedelta(minutes=10))
    assert house.dues("task") == expected


def test_a_file_that_was_paused_while_nobody_looked_does_not_run(house):
    house.create("task", AT)
    house.edit("task", "enabled", "paused")
    house.run(HALF)
    assert house.runs("task") == []
    assert house.outcomes("task") == [("cancelled", "paused", 1)]


@pytest.mark.parametrize("missed", ["once", "skip"])
def test_one_that_was_missed_says_so_in_its_file(house, missed):
    house.create("task", AT, missed=missed)
    house.clock.advance(3 * DAY)
    house.restart()
    house.run()
    house.sync()
    house.run()
    assert [state for state, _, _ in house.outcomes("task")] == ["missed"]
    assert house.view("task").definition.when == Manual()
    assert house.view("task").definition.status is Standing.PAUSED
    why = {"once": "错过太久，不再补", "skip": "设为错过不补"}[missed]
    assert house.told == [f"2026-10-12 10:30 到点时服务没有在运行，这次没有执行（{why}）。"]


def test_t17_the_new_time_of_one_that_is_running_stays(house):
    house.write("task", AT)
    house.sync()

    def answer(command):
        house.put("task", task_md("task", "time:2026-10-12T15:00:00+08:00"))
        return printing(b"ok")(command)

    house.answer = answer
    house.run(HALF)
    house.sync()
    house.run(timedelta(hours=6))
    assert house.dues("task") == ["10-12 02:30", "10-12 07:00"]
    assert house.view("task").definition.when == Manual()


def test_t18_a_time_that_has_passed_is_refused_and_the_message_says_how_late(house):
    with pytest.raises(BadInput) as refused:
        house.create("task", "time:2026-10-12T09:00:00+08:00")
    assert "60" in str(refused.value)
    assert house.views() == []
    house.write("by hand", "time:2026-10-12T09:00:00+08:00")
    (view,) = house.views()
    assert view.fault is not None
    house.run(DAY)
    assert house.runs() == []


def test_t18_a_time_that_has_just_passed_runs_at_once(house):
    house.create("task", "time:2026-10-12T09:59:30+08:00")
    house.run()
    assert house.dues("task") == ["10-12 01:59"]


def test_one_whose_time_passed_in_a_pause_cannot_be_enabled_as_it_is(house):
    house.create("task", AT, status="paused")
    house.run(DAY)
    with pytest.raises(BadInput):
        house.update("task", status="enabled")
    assert house.view("task").fault is None
    assert house.view("task").definition.status is Standing.PAUSED
    house.update("task", status="enabled", when="time:2026-10-13T12:00:00+08:00")
    house.run(DAY)
    assert house.dues("task") == ["10-13 04:00"]


def test_the_author_who_changed_his_mind_between_instant_and_rewriting_keeps_his_change(house):
    file = house.write("task", AT)
    house.sync()
    house.answer = cut_off
    house.cut(HALF)
    file.write_text(task_md("task", "0 9 * * *"))
    house.restart()
    house.answer = printing(b"ok")
    house.run(DAY)
    assert house.view("task").definition.status is Standing.ENABLED
    assert house.dues("task") == ["10-12 02:30", "10-13 01:00"]
