"""Document 003, downcity.md §7.4 (T19, T23, T41): what is written while the server works counts at once, or is safe.

Files are changed by hand, by another process, and in pieces; folders go away under a run; the disk is full.
"""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from tests.chaos.pages import long, put, quick
from tests.chaos.study import Study, leave, until
from tests.chaos.test_server import Theatre, greeted
from tests.machine import lacks

from zhixing.documents.model import Manual, Standing
from zhixing.documents.reading import read_definition

SEED = 20261201
EDITS = 40
NAMESPACE = ("unshare", "--user", "--map-root-user", "--mount")
ROOT = Path(__file__).parents[2]
MOST_LINES = 8
"""Of the log, about a disk that was full for some seconds."""


@pytest.fixture
def theatre(tmp_path: Path) -> Iterator[Theatre]:
    with ExitStack() as processes:
        yield Theatre(tmp_path, processes)


@pytest.fixture
def study(theatre: Theatre, dialect: str, tmp_path: Path, request: pytest.FixtureRequest) -> Study:
    url = None if dialect == "sqlite" else request.getfixturevalue("postgresql_schemas")("documents")
    return Study(theatre, url, tmp_path / "project")


def serving(study: Study) -> subprocess.Popen[str]:
    server = study.theatre.serve()
    greeted(server)
    return server


def test_what_other_processes_write_start_and_call_off_is_done_by_the_server(study):
    server = serving(study)
    theatre = study.theatre
    theatre.env["PYTHONPATH"] = str(ROOT)
    authors = [
        theatre.start(Path(__file__).with_name("author.py"), theatre.home, name, 8, SEED + number)
        for number, name in enumerate(("one", "two"))
    ]
    said = [author.communicate(timeout=90)[0] for author in authors]
    assert [author.returncode for author in authors] == [0, 0]
    runs = dict(line.split() for text in said for line in text.splitlines())
    assert len(runs) == len(set(runs.values())) == 16
    until(study.quiet)
    leave(server)

    states = {run_id: study.state(run_id) for run_id in runs.values()}
    assert set(states.values()) == {"success", "cancelled"}
    for title, run_id in runs.items():
        assert "new" in study.source(title) == (study.tasks / title / "task.md").read_text()
        texts = [text for channel, text, _ in study.letters(run_id) if channel == "inbox"]
        assert texts == ["new"] if states[run_id] == "success" else len(texts) <= 1
        assert study.noted(title) in ([], [run_id])


def test_a_run_is_called_off_from_another_process(study):
    put(study.project, "long", long("long"))
    server = serving(study)
    run_id = study.run("long")
    until(lambda: study.noted("long"))
    with study.app() as app:
        app.documents.cancel(run_id, who="chaos")
    study.await_state(run_id, "cancelled")
    until(study.quiet)
    assert study.record("long", run_id)["status"] == "cancelled"
    leave(server)


def test_files_that_are_changed_by_hand_are_taken_in_while_the_server_runs(study):
    server = serving(study)
    chance = random.Random(SEED)
    due = "time:2999-01-01T00:00:00+08:00"
    text = ""
    for number in range(EDITS):
        name = f"task-{number % 4}"
        text = quick(name, chance.choice([due, "@manual", "0 9 * * *"]), f"says {number}")
        file = study.tasks / name / "task.md"
        if not file.exists() or chance.random() < 0.5:
            put(study.project, name, text)
        else:
            file.write_text(text, encoding="utf-8")  # the same file, as some editors do it
        if chance.random() < 0.3:
            until(lambda name=name, text=text: study.source(name) == text)
    for number in range(4):
        written = (study.tasks / f"task-{number}" / "task.md").read_text()
        until(lambda number=number, written=written: study.source(f"task-{number}") == written)

    # In pieces: what is there for a moment only may be a fault, and is over with the last piece.
    file = study.tasks / "task-0" / "task.md"
    whole = quick("task-0", "0 8 * * 1-5", "in pieces")
    half = whole.index("kind:")
    with file.open("w", encoding="utf-8") as pen:
        pen.write(whole[:half])
        pen.flush()
        until(lambda: study.fault("task-0"))
        pen.write(whole[half:])
    until(lambda: study.source("task-0") == whole and not study.fault("task-0"))
    scheduled = study.rows("SELECT expression FROM schedules JOIN documents USING (task_id) WHERE folder = 'task-0'")
    assert scheduled == [("0 8 * * 1-5",)]

    # Another name keeps the task, and what is taken away ends it.
    (task_id,) = study.rows("SELECT task_id FROM documents WHERE folder = 'task-1'")[0]
    (study.tasks / "task-1").rename(study.tasks / "renamed")
    until(lambda: study.rows("SELECT 1 FROM documents WHERE folder = 'renamed'"))
    assert study.rows("SELECT task_id FROM documents WHERE folder = 'renamed'") == [(task_id,)]
    shutil.rmtree(study.tasks / "task-2")
    until(lambda: study.rows("SELECT 1 FROM tasks WHERE title = 'task-2' AND status = 'deleted'"))
    assert study.rows("SELECT status FROM tasks WHERE id = ?", (task_id,)) == [("active",)]
    leave(server)


@pytest.mark.parametrize("dialect", ["sqlite"])
def test_a_folder_of_tasks_that_is_away_ends_nothing_and_is_followed_when_it_is_back(study, tmp_path):
    put(study.project, "kept", quick("kept", "0 9 * * *", "before"))
    server = serving(study)
    until(lambda: study.source("kept"))
    study.tasks.rename(tmp_path / "away")
    put(study.project, "other", quick("other", "@manual", "other"))
    until(lambda: study.source("other"))
    shutil.rmtree(study.tasks)
    (tmp_path / "away").rename(study.tasks)
    text = quick("kept", "0 9 * * *", "after")
    put(study.project, "kept", text)
    until(lambda: study.source("kept") == text)
    shutil.rmtree(study.tasks)
    study.tasks.mkdir()
    put(study.project, "new", quick("new", "@manual", "new"))
    until(lambda: study.source("new"))
    leave(server)


def test_a_folder_that_is_deleted_under_its_run_ends_the_run_and_nothing_else(study):
    put(study.project, "doomed", long("doomed"))
    put(study.project, "other", quick("other", "@manual", "other"))
    server = serving(study)
    run_id = study.run("doomed")
    until(lambda: study.noted("doomed"))
    shutil.rmtree(study.tasks / "doomed")
    assert study.await_state(run_id, "cancelled", "failure") == "cancelled"
    study.await_state(study.run("other"), "success")
    until(study.quiet)
    assert study.rows("SELECT status FROM tasks WHERE title = 'doomed'") == [("deleted",)]
    assert [channel for channel, *_ in study.letters(run_id)].count("inbox") <= 1
    assert not (study.tasks / "doomed").exists()
    leave(server)
    assert "Traceback" not in (study.theatre.home / "zhixing.log").read_text()


def may_mount(place: Path) -> bool:
    """Whether this machine lets a test have a small disk of its own."""
    if shutil.which(NAMESPACE[0]) is None:
        return False
    trial = [*NAMESPACE, "mount", "-t", "tmpfs", "-o", "size=64k", "none", str(place)]
    return subprocess.run(trial, capture_output=True, timeout=60, check=False).returncode == 0


def test_a_full_disk_loses_nothing_and_all_goes_on_with_room(tmp_path):
    if not may_mount(tmp_path):
        lacks("a disk of its own")
    child = Path(__file__).with_name("small_disk.py")
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [*NAMESPACE, sys.executable, str(child), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, env=env, check=False)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["alive"]
    once, held = found["once"], found["held"]
    assert once["state"] == "success"
    for each in (once, held):
        assert each["noted"] == [each["id"]]
        assert each["state"] == each["record"]
        assert [channel for channel, *_ in each["told"]] == ["inbox", "keyed"]
        definition = read_definition(each["file"])
        assert (definition.when, definition.status) == (Manual(), Standing.PAUSED)
    # There may be room in the database while there is none for the files, or it was seen that there soon is none.
    brought = {text for _, text, _ in held["told"]}
    assert (
        brought == {"brought"} if held["state"] == "success" else all(re.search("磁盘快?满了", one) for one in brought)
    )
    assert found["log"].count("\n") <= MOST_LINES
