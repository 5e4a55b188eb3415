"""Many at once, and what a look at many files costs."""

from __future__ import annotations

import os
from datetime import timedelta
from pathlib import Path

import pytest
from tests.documents.room.house import CHAT, WHO

from zhixing.documents import files, ledger
from zhixing.documents.files import tasks_folder
from zhixing.documents.run import Cause, RunState
from zhixing.kernel.errors import BadInput, TooLarge
from zhixing.kernel.moments import parse_instant
from zhixing.tasks import occurrences
from zhixing.tasks.occurrence import OccurrenceState

TO_NINE = timedelta(hours=23)
LONG_AGO = parse_instant("2026-10-01T00:00:00+08:00").timestamp()


def enter(house, tx, task_id: str, number: int = 1) -> str:
    """Have a run wait for its turn, of a task that is nothing but its number; return its id."""
    now = house.clock.now()
    made = occurrences.new(task_id, "manual", str(number), now, OccurrenceState.CLAIMED, now=now)
    occurrences.add(tx, made, now=now, who=WHO)
    wish = {"task_id": task_id, "occurrence_id": made.id, "cause": Cause.MANUAL, "who": WHO, "session_id": CHAT}
    return house.app.documents._queue.enter(tx, **wish).id


def test_a_thousand_due_at_once_start_in_order_and_never_more_than_may(furnished):
    """The rows of a thousand runs that nobody carries out: whatever ends makes room for the one that waited longest."""
    house = furnished(at_once=4)
    with house.home.store.write() as tx:
        wanted = [enter(house, tx, f"t{number}") for number in range(1000)]
    assert wanted == sorted(wanted)
    started = []
    while True:
        with house.home.store.write() as tx:
            busy = sorted(run_id for run_id, _ in ledger.under_way(tx))
            if not busy:
                break
            assert len(busy) <= 4
            started.append(busy[0])
            ledger.move(tx, ledger.get(tx, busy[0]), RunState.SUCCESS, now=house.clock.now())
            house.app.documents._queue.pump(tx)
    assert started == wanted


def test_many_runs_of_one_task_at_the_head_of_the_queue_hold_up_nobody(furnished):
    house = furnished(at_once=1)
    with house.home.store.write() as tx:
        first = enter(house, tx, "first")
        for number in range(50):
            enter(house, tx, "greedy", number)
        enter(house, tx, "modest")
    more = furnished(at_once=3)
    with more.home.store.write() as tx:
        ledger.move(tx, ledger.get(tx, first), RunState.SUCCESS, now=more.clock.now())
        more.app.documents._queue.pump(tx)
        assert sorted(task_id for _, task_id in ledger.under_way(tx)) == ["greedy", "modest"]


def test_sixty_due_at_once_run_once_each(house):
    for number in range(60):
        house.write(f"task{number:03}", "0 9 * * *", deliver="none")
    house.sync()
    house.run(TO_NINE)
    assert house.states() == [RunState.SUCCESS] * 60
    assert len({run.task_id for run in house.runs()}) == 60


def test_one_task_with_many_catch_ups_is_in_nobodys_way(house):
    house.write("greedy", "* * * * *", missed="all")
    house.write("modest", "25 10 * * *")
    house.sync()
    house.clock.advance(timedelta(minutes=25))
    house.run()
    assert len(house.runs("greedy")) == 25
    assert house.states("modest") == [RunState.SUCCESS]
    assert house.record(house.only("modest"))["trigger"]["lateSeconds"] == 0


def test_too_many_tasks_are_refused_in_words(house, monkeypatch):
    monkeypatch.setattr(files, "MOST_TASKS", 3)
    for number in range(4):
        house.write(f"task{number}", "@manual")
    with pytest.raises(TooLarge):
        house.views()


def test_a_file_that_has_not_changed_is_not_read_again(house, monkeypatch):
    file = house.write("task", "0 9 * * *")
    os.utime(file, (LONG_AGO, LONG_AGO))
    house.sync()

    def read(*_):
        raise AssertionError("it was read again")

    monkeypatch.setattr(files, "read_text", read)
    assert house.sync() == 0


def test_a_file_replaced_by_one_of_the_same_size_and_time_is_noticed(house):
    file = house.write("task", "0 9 * * *")
    os.utime(file, (LONG_AGO, LONG_AGO))
    house.sync()
    other = file.with_name("other")
    other.write_text(file.read_text().replace("0 9 * * *", "0 8 * * *"))
    os.utime(other, (LONG_AGO, LONG_AGO))
    other.replace(file)
    assert [at.hour for at in house.view("task").next_runs] == [8, 8, 8]


def test_a_young_file_is_read_again_though_it_looks_the_same(house):
    """Within the coarseness of the clocks of disks, two versions may look alike."""
    now = house.clock.now().timestamp()
    file = house.write("task", "0 9 * * *")
    os.utime(file, (now, now))
    house.sync()
    with file.open("r+") as opened:
        opened.write(file.read_text().replace("0 9 * * *", "0 8 * * *"))
    os.utime(file, (now, now))
    house.clock.advance(timedelta(seconds=1))
    assert [at.hour for at in house.view("task").next_runs] == [8, 8, 8]


def test_the_newest_of_what_was_deleted_are_kept_and_no_more(house):
    for number in range(files.KEPT_DELETED + 3):
        house.create(f"task{number}", "@manual")
        house.app.documents.delete(house.project, f"task{number}", who=WHO)
        house.clock.advance(timedelta(seconds=1))
    trash = tasks_folder(house.project).parent / "trash"
    assert len(list(trash.iterdir())) == files.KEPT_DELETED
    assert any(each.name.endswith(f"task{files.KEPT_DELETED + 2}") for each in trash.iterdir())


def test_what_is_old_elsewhere_is_not_removed_through_a_link(house, tmp_path):
    theirs = tmp_path / "theirs"
    for number in range(files.KEPT_DELETED + 3):
        (theirs / f"{number}").mkdir(parents=True)
    (tasks_folder(house.project).parent / "trash").symlink_to(theirs)
    house.create("task", "0 9 * * *")
    with pytest.raises(BadInput, match="是链接"):
        house.app.documents.delete(house.project, "task", who=WHO)
    assert len(list(theirs.iterdir())) == files.KEPT_DELETED + 3
    assert house.view("task").fault is None


def test_what_cannot_be_removed_stands_in_nobodys_way(tmp_path):
    file = Path("/proc/version")
    files.remove_tree(file)
    files.remove_tree(tmp_path / "nothing")
    assert file.exists()


def test_a_title_that_looks_like_a_run_is_a_task(house):
    house.create("20261013-010000-000", "0 9 * * *")
    house.run(TO_NINE)
    assert house.states("20261013-010000-000") == [RunState.SUCCESS]


def test_two_projects_with_one_title_are_two_tasks(house, tmp_path):
    (tmp_path / "other").mkdir()
    other = house.app.documents.project(tmp_path / "other")
    house.create("task", "0 9 * * *")
    house.project, mine = other, house.project
    house.create("task", "0 9 * * *")
    house.run(TO_NINE)
    assert house.states() == [RunState.SUCCESS] * 2
    assert len(house.runs("task")) == 1
    house.project = mine
    assert len(house.runs("task")) == 1
