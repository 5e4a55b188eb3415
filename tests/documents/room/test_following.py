"""T19, T23, T41: files that people change, and the tasks that follow them."""

from __future__ import annotations

import threading
from datetime import timedelta
from pathlib import Path

import pytest
from tests.documents.room.house import CHAT, PATIENCE, task_md

from zhixing.documents import files, rows
from zhixing.documents.files import tasks_folder
from zhixing.documents.model import Standing
from zhixing.documents.operations import Change
from zhixing.documents.reading import read_definition
from zhixing.documents.run import RunState
from zhixing.kernel.errors import BadInput, Conflict, NotFound, Unavailable
from zhixing.tasks import store as tasks_store
from zhixing.tasks.task import Status
from zhixing.world.sandbox.scripted import printing

DAY = timedelta(days=1)
TO_NINE = timedelta(hours=23)


def test_t19_a_task_made_while_the_program_runs_needs_no_restart(house):
    house.run()
    house.create("task", "0 11 * * *")
    house.run(timedelta(hours=1))
    assert house.dues("task") == ["10-12 03:00"]


def test_t23_a_command_and_the_file_are_one_task_with_one_run(house):
    house.create("task", "0 9 * * *")
    house.sync()
    other = house.beside()
    other.documents.sync(house.project)
    house.edit("task", "测试", "别的")
    other.documents.sync(house.project)
    house.sync()
    house.run(TO_NINE)
    other.engine.drain()
    assert len(house.runs()) == 1
    assert len(house.views()) == 1


def test_titles_that_make_one_folder_are_two_tasks(house):
    for title in ("a/b", "a b", "A:B"):
        house.create(title, "0 9 * * *")
    assert {view.title for view in house.views()} == {"a/b", "a b", "A:B"}
    assert len({view.folder.casefold() for view in house.views()}) == 3
    assert house.view("a b").title == "a b"
    house.run(TO_NINE)
    assert len(house.runs()) == 3


def test_the_same_title_again_changes_nothing_unless_it_is_wanted(house):
    house.create("task", "0 9 * * *")
    again = house.create("task", "0 10 * * *")
    assert again.reused
    assert [at.hour for at in again.view.next_runs] == [9, 9, 9]
    over = house.create("task", "0 10 * * *", overwrite=True)
    assert not over.reused
    assert [at.hour for at in over.view.next_runs] == [10, 10, 10]
    assert len(house.views()) == 1


def test_a_copied_folder_is_listed_with_its_fault_until_its_title_is_free(house):
    house.write("task", "0 9 * * *")
    house.write("task", "0 9 * * *", folder="task copy")
    assert [view.fault is None for view in house.views()] == [True, False]
    house.app.documents.delete(house.project, "task", who="test")
    (view,) = house.views()
    assert (view.folder, view.fault) == ("task copy", None)
    house.run(TO_NINE)
    assert len(house.told) == 1


def test_a_folder_renamed_by_hand_keeps_its_task_and_its_runs(house):
    house.write("task", "0 9 * * *")
    house.sync()
    house.run(TO_NINE)
    before = house.view("task").task_id
    tasks = tasks_folder(house.project)
    (tasks / "task").rename(tasks / "renamed")
    house.sync()
    assert (house.view("task").folder, house.view("task").task_id) == ("renamed", before)
    assert house.folder(house.only("task")).is_dir()
    house.run(DAY)
    assert house.dues("task") == ["10-13 01:00", "10-14 01:00"]


def test_a_folder_renamed_by_hand_runs_though_nobody_has_looked(house):
    house.write("task", "0 9 * * *")
    house.sync()
    tasks = tasks_folder(house.project)
    (tasks / "task").rename(tasks / "renamed")
    house.run(TO_NINE)
    assert house.states("task") == [RunState.SUCCESS]
    assert len(house.views()) == 1


def test_a_title_changed_by_hand_is_the_title_of_the_same_task(house):
    house.write("old", "0 9 * * *")
    before = house.view("old").task_id
    house.edit("old", '"old"', '"new"')
    assert house.view("new").task_id == before
    assert house.task("new").title == "new"
    with pytest.raises(NotFound):
        house.view("nothing of that name")


def test_a_title_changed_by_command_takes_the_folder_with_it(house):
    house.create("old", "0 9 * * *")
    house.run(TO_NINE)
    view = house.update("old", title="new")
    assert view.folder == "new"
    assert house.folder(house.only("new")).is_dir()
    house.run(DAY)
    assert house.states("new") == [RunState.SUCCESS] * 2


def test_a_title_that_is_taken_is_refused_and_nothing_has_changed(house):
    house.create("one", "0 9 * * *")
    house.create("two", "0 9 * * *")
    before = house.text("one")
    with pytest.raises(Conflict):
        house.update("one", title="two")
    assert house.text("one") == before


def test_a_file_that_breaks_is_told_when_it_is_due_and_counts_again_when_it_is_repaired(house):
    file = house.write("task", "0 9 * * *")
    good = file.read_text()
    house.sync()
    file.write_text("---\ntitle: [\n---\n")
    (view,) = house.views()
    assert view.fault is not None
    assert view.title == "task"
    house.run(TO_NINE)
    assert house.states() == [RunState.FAILURE]
    assert len(house.told) == 1
    assert house.performed == []
    file.write_text(good)
    assert house.view("task").fault is None
    house.run(DAY)
    assert house.states() == [RunState.FAILURE, RunState.SUCCESS]


@pytest.mark.parametrize("contents", [b"\xff\xfe", b"", b"x" * 300_000, b"---\n---\n"])
def test_a_file_that_never_was_a_task_is_listed_with_its_fault(house, contents):
    place = tasks_folder(house.project) / "odd"
    place.mkdir(parents=True)
    (place / "task.md").write_bytes(contents)
    (view,) = house.views()
    assert (view.title, view.task_id) == ("odd", None)
    assert view.fault is not None
    with pytest.raises(type(view.fault)):
        house.by_hand("odd")


def test_links_are_not_followed(house, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "task.md").write_text(task_md("evil", "0 9 * * *"))
    (tasks_folder(house.project) / "linked").symlink_to(tmp_path / "elsewhere")
    house.write("task", "0 9 * * *")
    file = tasks_folder(house.project) / "file" / "task.md"
    file.parent.mkdir()
    file.symlink_to(tmp_path / "elsewhere" / "task.md")
    assert [(view.title, view.fault is None) for view in house.views()] == [("file", False), ("task", True)]


def test_a_folder_that_is_gone_ends_its_task(house):
    house.write("task", "0 9 * * *")
    task = house.task("task")
    files.remove_tree(tasks_folder(house.project) / "task")
    assert house.views() == []
    house.run(2 * DAY)
    assert house.runs() == []
    with house.home.store.read() as tx:
        assert tasks_store.get(tx, task.id).status is Status.DELETED


def test_a_disk_that_is_away_ends_nothing(house):
    house.write("task", "0 9 * * *")
    before = house.view("task").task_id
    ours, away = house.project / ".downcity", house.project / "unmounted"
    ours.rename(away)
    house.views()
    for change in (
        lambda: house.update("task", status="paused"),
        lambda: house.create("other", "@manual"),
        lambda: house.app.documents.delete(house.project, "task", who="test"),
    ):
        with pytest.raises(Unavailable):
            change()
    house.run(TO_NINE)
    house.restart()
    house.app.documents.project(None)
    assert house.states() == [RunState.FAILURE]
    assert len(house.told) == 1
    away.rename(ours)
    assert house.view("task").task_id == before
    house.run(DAY)
    assert house.states("task") == [RunState.FAILURE, RunState.SUCCESS]


def test_a_folder_that_cannot_be_looked_into_ends_nothing(house, monkeypatch):
    file = house.write("task", "0 9 * * *")
    before = house.view("task").task_id
    lstat = Path.lstat

    def refused(path):
        if path == file:
            raise PermissionError(13, "Permission denied")
        return lstat(path)

    monkeypatch.setattr(Path, "lstat", refused)
    house.sync()
    monkeypatch.undo()
    assert house.view("task").task_id == before


def test_a_project_whose_folder_of_tasks_was_never_made_is_ready_for_tasks(house):
    (tasks_folder(house.project)).rmdir()
    house.app.documents.project(None)
    house.create("task", "@manual")
    assert house.view("task").fault is None


def test_a_deleted_task_runs_no_more_and_its_title_is_free(house):
    house.create("task", "0 9 * * *")
    house.run(TO_NINE)
    first = house.view("task").task_id
    house.app.documents.delete(house.project, "task", who="test")
    house.run(2 * DAY)
    assert len(house.told) == 1
    house.create("task", "0 9 * * *")
    assert house.view("task").task_id != first
    assert house.runs("task") == []
    house.run(DAY)
    assert len(house.runs("task")) == 1


def test_a_file_edited_during_a_run_counts_for_the_next_one(house):
    house.write("task", "0 9 * * *", "echo one")
    house.sync()

    def answer(command):
        house.edit("task", "echo one", "echo two")
        return printing((command.cwd / "task-script.sh").read_bytes())(command)

    house.answer = answer
    house.run(TO_NINE)
    house.answer = lambda command: printing((command.cwd / "task-script.sh").read_bytes())(command)
    house.run(DAY)
    assert house.told == ["echo one", "echo two"]
    assert "echo one" in (house.folder(house.runs("task")[0]) / "input.md").read_text()


def test_a_folder_deleted_during_a_run_is_a_failure_that_is_told(house):
    house.write("task", "0 9 * * *")
    house.sync()

    def answer(command):
        done = printing(b"ok")(command)
        files.remove_tree(tasks_folder(house.project) / "task")
        return done

    house.answer = answer
    house.run(TO_NINE)
    assert house.states() == [RunState.FAILURE]
    assert len(house.told) == 1
    house.sync()
    house.run(2 * DAY)
    assert house.views() == []
    assert len(house.runs()) == 1


def test_a_task_file_that_is_gone_when_its_run_begins_is_not_run(house):
    house.write("task", "0 9 * * *")
    house.sync()
    (tasks_folder(house.project) / "task" / "task.md").unlink()
    house.run(TO_NINE)
    assert house.performed == []


def test_t41_two_writers_of_one_file_lose_nothing(house):
    """Two processes create tasks and change one of them at the same time: every word of both is there."""
    house.create("shared", "0 9 * * *")
    other = house.beside()
    begin = threading.Barrier(2, timeout=PATIENCE)
    failures: list[BaseException] = []

    def work(documents, name: str) -> None:
        try:
            begin.wait()
            for number in range(8):
                text = task_md(f"{name}{number}", "0 9 * * *")
                documents.create(house.project, read_definition(text), who=name)
                documents.update(house.project, "shared", Change({f"x-{name}{number}": "1"}), who=name)
                documents.tasks_of(house.project)
        except BaseException as error:  # noqa: BLE001 - the test says so
            failures.append(error)

    threads = [
        threading.Thread(target=work, args=(documents, name))
        for documents, name in ((house.app.documents, "a"), (other.documents, "b"))
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert failures == []
    text = house.text("shared")
    assert all(f"x-{name}{number}" in text for name in "ab" for number in range(8))
    views = house.views()
    assert len(views) == 17
    assert all(view.fault is None for view in views)
    assert len({view.task_id for view in views}) == 17
    house.run(TO_NINE)
    assert len(house.runs()) == 17


def test_t41_who_has_read_an_older_text_is_refused(house):
    house.create("task", "0 9 * * *")
    seen = house.view("task").revision
    house.update("task", description="新的")
    with pytest.raises(Conflict):
        house.app.documents.update(house.project, "task", Change({"description": "旧的"}), who="test", revision=seen)
    assert house.view("task").definition.description == "新的"


def test_t41_a_crash_between_folder_and_file_leaves_no_task_and_no_obstacle(house):
    (tasks_folder(house.project) / "task").mkdir(parents=True)
    assert house.views() == []
    house.create("task", "0 9 * * *")
    assert house.view("task").fault is None


def test_t41_what_was_broken_a_moment_ago_does_not_lose_the_task_that_another_process_has_made(house, monkeypatch):
    house.put("task", "---\n---\n")
    other = house.beside()
    find, made = rows.find, []

    def slow(tx, project, folder):
        row = find(tx, project, folder)
        if not made:
            made.append("")
            house.write("task", "0 9 * * *")
            made[0] = other.documents.get(house.project, "task").task_id
        return row

    monkeypatch.setattr(rows, "find", slow)
    house.sync()
    monkeypatch.undo()
    assert house.view("task").task_id == made[0]


def test_t41_a_stale_look_does_not_undo_what_another_process_has_written(house, monkeypatch):
    house.create("task", "0 9 * * *")
    other = house.beside()
    read, once = files.read_text, [True]

    def slow(project, folder):
        text = read(project, folder)
        if once and once.pop():
            other.documents.update(house.project, "task", Change({"when": "0 12 * * *"}), who="b")
        return text

    house.edit("task", "测试", "一改")
    monkeypatch.setattr(files, "read_text", slow)
    house.sync()
    monkeypatch.undo()
    row = house.row("task")
    assert row.source == house.text("task")
    house.run(TO_NINE)
    assert house.dues("task") == ["10-12 04:00"]


def test_the_time_of_a_task_that_is_over_is_in_its_file(house):
    house.create("task", "0 9 * * *", expiresAt="2026-10-13T12:00:00+08:00")
    house.run(TO_NINE)
    house.until("2026-10-13T12:00:00+08:00")
    assert house.view("task").definition.status is Standing.DISABLED
    house.run(3 * DAY)
    assert len(house.runs("task")) == 1
    before = house.text("task")
    with pytest.raises(BadInput):
        house.update("task", status="enabled")
    assert house.text("task") == before
    house.update("task", status="enabled", expiresAt=None)
    house.run(DAY)
    assert len(house.runs("task")) == 2


def test_unknown_fields_and_comments_outlast_every_rewriting(house):
    text = task_md("task", "time:2026-10-12T11:00:00+08:00").replace("---\n\n", "owner: me  # mine\n---\n\n")
    house.put("task", text)
    house.sync()
    house.run(timedelta(hours=1))
    assert "owner: me  # mine" in house.text("task")
    assert "@manual" in house.text("task")


def test_a_session_that_is_unknown_is_no_reason_to_lose_the_result(house):
    house.create("task", "0 9 * * *", sessionId="tg-4711")
    house.run(TO_NINE)
    assert house.told == []
    assert "好了" in [message.text for message in house.inbox()]
    house.app.documents.chats.bind("tg-4711", ["family"])
    house.run(DAY)
    assert [letter.text for letter in house.family.arrived] == ["好了"]


def test_a_crash_while_a_file_is_rewritten_leaves_the_old_or_the_new_one(house, monkeypatch):
    house.create("task", "0 9 * * *")
    before = house.text("task")

    def fail(*_, **__):
        raise RuntimeError("power")

    monkeypatch.setattr("os.rename", fail)
    with pytest.raises(RuntimeError):
        house.update("task", description="x")
    monkeypatch.undo()
    assert house.text("task") == before
    assert [each.name for each in (tasks_folder(house.project) / "task").iterdir()] == ["task.md"]


def test_a_file_edited_while_the_program_was_away_counts_from_its_start(house):
    house.write("task", "0 9 * * *")
    house.sync()
    house.edit("task", "0 9 * * *", "0 12 * * *")
    house.restart()
    house.run(timedelta(hours=2))
    assert house.dues("task") == ["10-12 04:00"]
    assert house.only("task").session_id == CHAT
