"""T13, T14: processes that end in the middle, and what the next one finds."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from tests.documents.room.house import PowerCut, cut_off

from zhixing.documents import files, rows, running
from zhixing.documents.artifacts.writer import RunFolder
from zhixing.documents.ending import Ending
from zhixing.documents.run import RunState
from zhixing.documents.telling import delivery_of
from zhixing.kernel.errors import StoreUnavailable, Unavailable
from zhixing.world.sandbox.scripted import printing

DAY = timedelta(days=1)
TO_NINE = timedelta(hours=23)


def test_t13_a_run_cut_off_is_interrupted_and_the_next_instant_is_normal(house):
    house.write("task", "0 9 * * *")
    house.sync()
    house.answer = cut_off
    house.cut(TO_NINE)
    house.answer = printing(b"ok")
    house.restart()
    house.run()
    assert house.states("task") == [RunState.INTERRUPTED]
    assert house.outcomes("task")[0][0] == "interrupted"
    assert len(house.told) == 1
    house.run(DAY)
    assert house.states("task") == [RunState.INTERRUPTED, RunState.SUCCESS]
    assert len(house.told) == 2


def test_t13_a_run_by_hand_that_was_cut_off_is_told_and_not_repeated(house):
    house.create("task", "@manual")
    house.by_hand("task")
    house.answer = cut_off
    house.cut()
    house.restart()
    house.run()
    assert house.states("task") == [RunState.INTERRUPTED]
    assert len(house.told) == 1
    assert len(house.performed) == 1


def test_t13_an_interrupted_run_is_not_tried_again_by_itself(house):
    """Retries are for runs whose failure is known."""
    house.write("task", "0 9 * * *", retries="3")
    house.sync()
    house.answer = cut_off
    house.cut(TO_NINE)
    house.restart()
    house.run(timedelta(hours=2))
    assert house.states("task") == [RunState.INTERRUPTED]


def test_t14_a_marker_of_a_dead_process_is_in_nobodys_way(house):
    """The row says running until somebody takes the job over: at once at a start, at the end of the lease elsewhere."""
    house.write("task", "*/10 * * * *")
    house.sync()
    house.answer = cut_off
    house.cut(timedelta(minutes=10))
    house.answer = printing(b"ok")
    other = house.beside()
    other.engine.drain()
    for _ in range(20):
        house.clock.advance(timedelta(seconds=1))
        other.engine.drain()
    assert house.states("task") == [RunState.INTERRUPTED]
    house.clock.advance(timedelta(minutes=10))
    other.engine.drain()
    assert house.states("task") == [RunState.INTERRUPTED, RunState.SUCCESS]


def test_a_crash_before_anything_ran_loses_nothing(house, monkeypatch):
    """STARTING is a promise: nobody has begun it, so it begins."""
    house.write("task", "0 9 * * *")
    house.sync()

    def cut(*_):
        raise PowerCut

    monkeypatch.setattr(running, "make_run_folder", cut)
    house.cut(TO_NINE)
    assert house.states("task") == [RunState.STARTING]
    monkeypatch.undo()
    house.restart()
    house.run()
    assert house.states("task") == [RunState.SUCCESS]
    assert len(house.told) == 1


@pytest.mark.parametrize(
    ("answer", "state", "words"),
    [
        (printing(b"the result"), RunState.SUCCESS, "the result"),
        (printing(b"", b"boom", code=3), RunState.FAILURE, "3"),
    ],
)
def test_a_crash_between_the_files_and_the_row_is_the_end_that_the_files_tell(house, monkeypatch, answer, state, words):
    house.write("task", "0 9 * * *")
    house.sync()
    house.answer = answer
    finish = RunFolder.finish

    def finish_and_die(self, *args, **more):
        finish(self, *args, **more)
        raise PowerCut

    monkeypatch.setattr(RunFolder, "finish", finish_and_die)
    house.cut(TO_NINE)
    monkeypatch.undo()
    assert house.states("task") == [RunState.RUNNING]
    house.restart()
    house.run()
    house.run(timedelta(minutes=5))
    assert house.states("task") == [state]
    assert house.record(house.only("task"))["status"] == state.value
    assert len(house.told) == 1
    assert words in house.told[0]
    assert len(house.performed) == 1


def test_a_crash_after_the_row_tells_once(house, monkeypatch):
    house.write("task", "0 9 * * *")
    house.sync()
    tidy = running.Running._tidy

    def die(*_):
        raise PowerCut

    monkeypatch.setattr(running.Running, "_tidy", die)
    house.cut(TO_NINE)
    monkeypatch.setattr(running.Running, "_tidy", tidy)
    house.restart()
    house.run(timedelta(hours=1))
    assert house.states("task") == [RunState.SUCCESS]
    assert house.told == ["好了"]


def test_a_full_disk_is_a_failure_that_is_told(house, monkeypatch):
    """Its files cannot be written, so it is no success, whatever the script said."""
    house.write("task", "0 9 * * *")
    house.sync()
    put = RunFolder._put

    def full(self, name, data):
        if name == "run.json" and b'"success"' in data:
            raise Unavailable("artifact_unwritable", file=name, why="磁盘已满")
        put(self, name, data)

    monkeypatch.setattr(RunFolder, "_put", full)
    house.run(TO_NINE)
    assert house.states("task") == [RunState.FAILURE]
    assert len(house.told) == 1
    assert "磁盘已满" in house.told[0]


def test_a_disk_that_is_full_from_the_start_runs_nothing(house, monkeypatch):
    house.write("task", "0 9 * * *")
    house.sync()

    def full(_self, name, _data):
        raise Unavailable("artifact_unwritable", file=name, why="磁盘已满")

    monkeypatch.setattr(RunFolder, "_put", full)
    house.run(TO_NINE)
    assert house.states("task") == [RunState.FAILURE]
    assert house.performed == []
    assert len(house.told) == 1


def test_run_json_says_how_far_the_telling_is_also_after_a_restart(house):
    house.write("task", "0 9 * * *")
    house.sync()
    house.run(TO_NINE)
    house.restart()
    house.run()
    run = house.only("task")
    assert house.record(run)["delivery"]["state"] == "sent"
    with house.home.store.read() as tx:
        assert delivery_of(run, house.app.delivery.messages(tx, run.occurrence_id)).state == "sent"


def test_a_run_json_that_is_spoiled_does_not_stop_the_telling(house):
    house.write("task", "0 9 * * *")
    house.sync()
    house.run(TO_NINE)
    run = house.only("task")
    (house.folder(run) / "run.json").write_text("{")
    house.by_hand("task")
    house.run(timedelta(hours=2))
    assert len(house.told) == 2
    assert json.loads((house.folder(house.runs("task")[1]) / "run.json").read_text())["status"] == "success"


def test_leaving_cuts_off_what_runs_and_says_so(house):
    house.create("task", "@manual")
    house.by_hand("task")

    def answer(_command):
        house.app.running.leave()

    house.answer = answer
    house.run()
    assert house.states("task") == [RunState.INTERRUPTED]
    assert len(house.told) == 1
    assert "中断" in house.told[0]


def test_a_crash_in_the_middle_of_renaming_loses_neither_task_nor_runs(house, monkeypatch):
    house.create("old", "0 9 * * *")
    house.run(TO_NINE)
    before = house.view("old").task_id

    def cut(*_):
        raise PowerCut

    monkeypatch.setattr(rows, "relocate", cut)
    with pytest.raises(PowerCut):
        house.update("old", title="new")
    monkeypatch.undo()
    house.restart()
    (view,) = house.views()
    assert (view.task_id, view.folder, view.fault) == (before, "new", None)
    house.run(DAY)
    assert len(house.runs(view.title)) == 2


def test_a_crash_between_instant_and_rewriting_runs_a_one_shot_once(house, monkeypatch):
    house.create("task", "time:2026-10-12T11:00:00+08:00")

    def cut(*_):
        raise PowerCut

    monkeypatch.setattr(files, "write_text", cut)
    house.cut(timedelta(hours=1))
    monkeypatch.undo()
    house.restart()
    house.run(DAY)
    assert house.states("task") == [RunState.SUCCESS]
    assert house.told == ["好了"]
    assert "@manual" in house.text("task")


def test_a_store_that_is_away_when_a_run_ends_does_not_lose_its_result(house, monkeypatch):
    """The files say how it ended; whoever takes the run up again believes them."""
    house.create("task", "@manual")
    house.by_hand("task")
    end, times = Ending.end, [0]

    def away(self, *args):
        times[0] += 1
        if times[0] == 1:
            raise StoreUnavailable("store_locked", place="-")
        end(self, *args)

    monkeypatch.setattr(Ending, "end", away)
    house.run()
    house.run(timedelta(minutes=1))
    assert house.states("task") == [RunState.SUCCESS]
    assert house.told == ["好了"]
    assert len(house.performed) == 1


@pytest.mark.parametrize("code", [0, 1])
def test_whoever_was_taken_for_dead_and_comes_back_changes_nothing(house, code):
    """A machine that slept: another one has ended its run meanwhile, and has told so."""
    house.create("task", "@manual", retries="2")
    house.by_hand("task")
    other = house.beside()

    def answer(command):
        other.engine.drain()
        for _ in range(20):
            house.clock.advance(timedelta(seconds=1))
            other.engine.drain()
        return printing(b"too late", code=code)(command)

    house.answer = answer
    house.run()
    house.run(timedelta(minutes=5))
    assert house.states("task") == [RunState.INTERRUPTED]
    assert house.record(house.only("task"))["status"] == "interrupted"
    assert len(house.told) == 1
    assert "too late" not in house.told[0]
