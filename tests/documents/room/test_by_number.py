"""A document task is also a task of the home: what is done to it by its number shows in its file."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from tests.documents.room.house import PowerCut

from zhixing.documents.files import tasks_folder
from zhixing.documents.model import Standing
from zhixing.documents.run import RunState
from zhixing.kernel.errors import Conflict

DAY = timedelta(days=1)


def do(house, operation, task_id):
    with house.app.store.write() as tx:
        getattr(house.app.tasks, operation)(tx, task_id, who="test")
    house.run()


def test_a_pause_by_number_pauses_the_file_and_its_end_enables_it(house):
    house.create("晨报", "0 9 * * *")
    task_id = house.view("晨报").task_id
    do(house, "pause", task_id)
    assert house.view("晨报").definition.status is Standing.PAUSED
    house.run(DAY)
    assert house.runs("晨报") == []
    do(house, "resume", task_id)
    assert house.view("晨报").definition.status is Standing.ENABLED
    house.run(DAY)
    assert house.states("晨报") == [RunState.SUCCESS]


def test_what_is_done_is_disabled_and_comes_back_enabled(house):
    house.create("晨报", "0 9 * * *")
    task_id = house.view("晨报").task_id
    do(house, "complete", task_id)
    assert house.view("晨报").definition.status is Standing.DISABLED
    do(house, "restore", task_id)
    assert house.view("晨报").definition.status is Standing.ENABLED


def test_a_task_that_is_disabled_in_its_file_stays_so_when_its_pause_is_told_again(house):
    house.create("晨报", "0 9 * * *", status="disabled")
    text = house.text("晨报")
    house.run()
    assert house.text("晨报") == text


def test_deleting_by_number_takes_the_folder_away_and_it_can_be_moved_back(house):
    house.create("晨报", "0 9 * * *")
    task_id = house.view("晨报").task_id
    do(house, "delete", task_id)
    assert house.views() == []
    trash = house.project / ".downcity" / "trash"
    (kept,) = trash.iterdir()
    with pytest.raises(Conflict, match="移回"):
        do(house, "restore", task_id)
    kept.rename(tasks_folder(house.project) / "晨报")
    assert house.view("晨报").definition.status is Standing.ENABLED
    house.run(DAY)
    assert house.states("晨报") == [RunState.SUCCESS]


def test_an_edit_that_came_meanwhile_is_left_as_it_is(house):
    house.create("晨报", "0 9 * * *")
    task_id = house.view("晨报").task_id
    with house.app.store.write() as tx:
        house.app.tasks.pause(tx, task_id, who="test")
    house.edit("晨报", "测试", "改过了")
    house.run()
    assert "改过了" in house.text("晨报")
    assert house.view("晨报").definition.description == "改过了"


def test_no_script_can_say_that_its_run_has_ended_well(house):
    house.create("task", "@manual")
    run = house.by_hand("task")

    def forge(command):
        folder = command.cwd
        written = json.loads((folder / "run.json").read_text(encoding="utf-8"))
        (folder / "run.json").write_text(json.dumps(written | {"status": "success"}), encoding="utf-8")
        (folder / "output.md").write_text("假的", encoding="utf-8")
        raise PowerCut

    house.answer = forge
    house.cut()
    house.restart()
    house.run()
    assert house.states("task") == [RunState.INTERRUPTED]
    assert house.record(run)["status"] == "interrupted"
    assert "假的" not in "".join(house.told)
