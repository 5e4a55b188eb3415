"""Hearing of files that are changed by hand, from the real notices of the system."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from tests.documents.room.house import PATIENCE, House

from zhixing.documents.files import remove_tree, tasks_folder


@pytest.fixture
def dialect() -> str:
    return "sqlite"


@pytest.fixture
def watched(house: House) -> Iterator[House]:
    house.app.watching.start()
    yield house
    house.app.watching.stop()


def soon(happened) -> None:
    pause = threading.Event()
    for _ in range(PATIENCE * 50):
        if happened():
            return
        pause.wait(0.02)
    pytest.fail("it did not happen")


def test_a_task_written_while_somebody_watches_is_known_without_anybody_looking(watched):
    watched.write("task", "0 9 * * *")
    soon(lambda: watched.row("task") is not None)
    watched.edit("task", "0 9 * * *", "0 12 * * *")
    soon(lambda: "0 12" in watched.row("task").source)
    remove_tree(tasks_folder(watched.project) / "task")
    soon(lambda: watched.row("task") is None)


def test_what_was_written_before_is_known_as_soon_as_somebody_watches(house):
    house.write("task", "0 9 * * *")
    house.app.watching.start()
    try:
        soon(lambda: house.row("task") is not None)
    finally:
        house.app.watching.stop()


def test_a_project_that_is_new_is_watched_too(watched, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    project = watched.app.documents.project(other)
    watched.app.engine.drain()
    watched.project = project
    watched.write("task", "0 9 * * *")
    soon(lambda: watched.row("task") is not None)


def test_a_file_that_breaks_is_known_to_be_broken(watched):
    watched.write("task", "0 9 * * *")
    soon(lambda: watched.row("task") is not None)
    watched.edit("task", "0 9 * * *", "nonsense")
    soon(lambda: watched.row("task").fault is not None)


def test_an_edit_in_the_moment_in_which_watching_begins_is_heard(house, monkeypatch):
    """Between the first look and the first notice of the system lies a gap; what falls into it is seen all the same."""
    written = threading.Event()
    sync = type(house.app.documents).sync

    def sync_and_write(self, project):
        count = sync(self, project)
        if not written.is_set():
            written.set()
            house.write("task", "0 9 * * *")
        return count

    monkeypatch.setattr(type(house.app.documents), "sync", sync_and_write)
    house.app.watching.start()
    try:
        soon(lambda: house.row("task") is not None)
    finally:
        house.app.watching.stop()


def test_watching_ends_when_it_is_told_to_however_early(house):
    for _ in range(30):
        house.app.watching.start()
        house.app.watching.stop()
    assert not [each for each in threading.enumerate() if each.name == "zhixing-files"]


def test_a_folder_of_tasks_that_went_away_and_came_back_is_watched_again(watched):
    watched.write("one", "0 9 * * *")
    soon(lambda: watched.row("one") is not None)
    ours, away = watched.project / ".downcity", watched.project / "away"
    ours.rename(away)
    away.rename(ours)
    watched.write("two", "0 9 * * *")
    soon(lambda: watched.row("two") is not None)
    assert watched.row("one") is not None
