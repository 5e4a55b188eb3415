"""Hearing of files that are changed by hand, from the real notices of the system."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from tests.documents.room.house import PATIENCE, House

from zhixing.documents import watching
from zhixing.documents.files import remove_tree, tasks_folder
from zhixing.documents.operations import Documents
from zhixing.kernel.errors import StoreUnavailable

NEVER = PATIENCE * 10


@pytest.fixture
def dialect() -> str:
    return "sqlite"


@pytest.fixture
def watched(house: House) -> Iterator[House]:
    house.app.watching.start()
    yield house
    house.app.watching.stop()


@contextmanager
def looking_over(house: House, away: float) -> Iterator[None]:
    """Have a house watched that looks everything over again each `away` seconds."""
    house.app.watching.start(away)
    try:
        yield
    finally:
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


def deaf(*_folders, stop_event, **_rest):
    """Watch a disk that tells nothing, whose seconds are short."""
    while not stop_event.wait(0.01):
        yield set()


def gone_quiet(*_folders, **_rest):
    """Watch nothing, and end at once."""
    return iter(())


@pytest.mark.parametrize("watch", [deaf, gone_quiet])
def test_where_the_disk_tells_nothing_files_are_looked_at_again_and_again(house, monkeypatch, watch):
    monkeypatch.setattr(watching, "watch", watch)
    with looking_over(house, 0.1):
        house.write("task", "0 9 * * *")
        soon(lambda: house.row("task") is not None)
        house.edit("task", "0 9 * * *", "0 12 * * *")
        soon(lambda: "0 12" in house.row("task").source)


def test_a_folder_made_in_the_moment_in_which_watching_begins_is_watched_too(house, monkeypatch):
    """It is taken in by the first look, and none of the watched folders has told of it."""
    watch, begun = watching.watch, []

    def late(*folders, **rest):
        if not begun:
            house.write("task", "0 9 * * *")
        begun.append(folders)
        return watch(*folders, **rest)

    monkeypatch.setattr(watching, "watch", late)
    with looking_over(house, NEVER):
        soon(lambda: house.row("task") is not None)
        soon(lambda: len(begun) > 1)
        house.edit("task", "0 9 * * *", "0 12 * * *")
        soon(lambda: "0 12" in house.row("task").source)


def test_a_folder_that_goes_away_in_that_moment_keeps_nobody_waiting(house, monkeypatch):
    watch, begun = watching.watch, []

    def late(*folders, **rest):
        if not begun:
            remove_tree(tasks_folder(house.project) / "task")
        begun.append(folders)
        return watch(*folders, **rest)

    house.write("task", "0 9 * * *")
    monkeypatch.setattr(watching, "watch", late)
    with looking_over(house, NEVER):
        soon(lambda: len(begun) > 1 and house.row("task") is None)


def test_a_project_that_nobody_tells_of_is_found(house, monkeypatch, tmp_path):
    monkeypatch.setattr(watching, "watch", deaf)
    with looking_over(house, 1):
        other = tmp_path / "other"
        other.mkdir()
        house.project = house.app.documents.project(other)
        house.write("task", "0 9 * * *")
        soon(lambda: house.row("task") is not None)


class Panic(BaseException):
    """What a library in another language ends with when it is at a loss."""


@pytest.mark.parametrize("name", ["sync", "projects"])
@pytest.mark.parametrize("error", [StoreUnavailable("store_closed"), OSError("no disk"), RuntimeError(), Panic()])
def test_a_look_that_fails_ends_nothing_and_is_made_up_for(house, monkeypatch, name, error):
    look, failed = getattr(Documents, name), []

    def failing(self, *rest):
        if len(failed) < 3 and threading.current_thread().name == "zhixing-files":
            failed.append(error)
            raise error
        return look(self, *rest)

    monkeypatch.setattr(Documents, name, failing)
    monkeypatch.setattr(watching, "watch", deaf)
    with looking_over(house, 0.1):
        house.write("task", "0 9 * * *")
        soon(lambda: len(failed) == 3 and house.row("task") is not None)
        house.edit("task", "0 9 * * *", "0 12 * * *")
        soon(lambda: "0 12" in house.row("task").source)


def test_what_stays_wrong_is_logged_once(house, monkeypatch, caplog):
    looks = []

    def failing(_self, project):
        looks.append(project)
        raise StoreUnavailable("store_closed")

    monkeypatch.setattr(Documents, "sync", failing)
    monkeypatch.setattr(watching, "watch", deaf)
    with looking_over(house, 1):
        soon(lambda: len(looks) > 5)
    assert len([record for record in caplog.records if str(house.project) in record.getMessage()]) == 1
