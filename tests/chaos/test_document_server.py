"""Document 003, downcity.md §7.4 (T13, T14, T16, T23, T28, T29): the real server is killed while tasks run."""

from __future__ import annotations

import random
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path

import pytest
from tests.chaos.pages import long, put, quick
from tests.chaos.study import CLOCK, Study, await_ends, family, leave, until
from tests.chaos.test_server import Theatre, greeted

from zhixing.documents.model import Manual, Standing
from zhixing.documents.reading import read_definition
from zhixing.kernel.moments import from_micros
from zhixing.settings import put as set_value

SEED = 20261201
ONCE, CRONS = 48, 4
KILLS = {"sqlite": 12, "postgresql": 6}
BEFORE, AFTER = 9.0, 9.0
"""Seconds before and after a full minute in which something is due."""


@pytest.fixture
def theatre(tmp_path: Path) -> Iterator[Theatre]:
    with ExitStack() as processes:
        yield Theatre(tmp_path, processes)


@pytest.fixture
def study(theatre: Theatre, dialect: str, tmp_path: Path, request: pytest.FixtureRequest) -> Study:
    url = None if dialect == "sqlite" else request.getfixturevalue("postgresql_schemas")("documents")
    return Study(theatre, url, tmp_path / "project")


def serving(study: Study):
    server = study.theatre.serve()
    greeted(server)
    return server


@pytest.mark.parametrize("sandbox", ["bwrap", "none"])
def test_a_killed_server_leaves_nobody_behind_and_its_run_is_interrupted_told_once_and_not_replayed(study, sandbox):
    set_value(study.theatre.home, "documents.sandbox", sandbox)
    put(study.project, "long", long("long"))
    server = serving(study)
    run_id = study.run("long")
    until(lambda: study.noted("long"))
    assert study.record("long", run_id)["status"] == "running"

    with family(server.pid) as handles:
        assert len(handles) >= 5, "the script, its children, and whoever watches over them"
        study.theatre.end(server)
        await_ends(handles)
    assert study.state(run_id) == "running"

    for _ in range(2):  # the second start has nothing more to say
        server = serving(study)
        study.await_state(run_id, "interrupted")
        until(study.quiet)
        study.theatre.end(server)
    record = study.record("long", run_id)
    assert (record["status"], record.get("ok", False)) == ("interrupted", False)
    assert study.noted("long") == [run_id]
    assert len(study.rows("SELECT id FROM document_runs")) == 1
    told = study.letters(run_id)
    assert sorted(channel for channel, *_ in told) == ["inbox", "keyed"]
    assert all(run_id in text for _, text, _ in told)
    assert study.rows("SELECT state FROM occurrences WHERE part = 'manual'") == [("interrupted",)]
    assert [count for (channel, _), count in study.theatre.taken().items() if channel == "keyed"] == [1]


@pytest.mark.parametrize("dialect", ["sqlite"])
def test_the_tick_after_a_killed_run_is_a_normal_one(study):
    put(study.project, "each", long("each", "* * * * *"))
    server = serving(study)
    cut_off = study.run("each")
    until(lambda: study.noted("each"))
    put(study.project, "each", quick("each", "* * * * *", "hello"))
    study.theatre.end(server)

    server = serving(study)
    study.await_state(cut_off, "interrupted")
    found = until(lambda: study.rows("SELECT id FROM document_runs WHERE trigger = 'cron' AND state = 'success'"))
    assert ("inbox", "hello", "sent") in study.letters(found[0][0])
    assert len(study.rows("SELECT 1 FROM document_runs WHERE trigger = 'manual'")) == 1
    leave(server)


def test_each_instant_runs_at_most_once_and_is_accounted_for_however_often_the_server_is_killed(study, dialect):
    chance = random.Random(SEED)
    set_value(study.theatre.home, "documents.at_once", "8")
    server = serving(study)  # the first start makes the home
    minute = (CLOCK.now() + timedelta(seconds=60 + BEFORE + 4)).replace(second=0, microsecond=0)
    for number in range(CRONS):
        put(study.project, f"each-{number}", quick(f"each-{number}", "* * * * *", "tick", pause=0.2))
    for number in range(ONCE):
        due = minute + timedelta(seconds=chance.uniform(-BEFORE, AFTER))
        pause = chance.uniform(0, 0.6)
        put(study.project, f"once-{number}", quick(f"once-{number}", f"time:{due.isoformat()}", "once", pause=pause))
    until(lambda: len(study.rows("SELECT 1 FROM schedules")) == ONCE + CRONS)
    wait_for(minute - timedelta(seconds=BEFORE + 1))
    pause = threading.Event()
    for _ in range(KILLS[dialect]):
        pause.wait(chance.uniform(0, 1.2))
        assert server.poll() is None, "it ended by itself"
        study.theatre.end(server)
        server = study.theatre.serve()
        if chance.random() < 0.75:
            greeted(server)
    study.theatre.end(server)
    server = serving(study)
    until(lambda: CLOCK.now() > minute + timedelta(seconds=AFTER) and len(ended(study)) >= ONCE and study.quiet())
    for number in range(CRONS):
        put(study.project, f"each-{number}", quick(f"each-{number}", "@manual", "tick"))
    until(lambda: not study.rows("SELECT 1 FROM schedules WHERE state = 'active'"))
    until(study.quiet)
    leave(server)
    check(study, minute)


def wait_for(instant):
    until(lambda: CLOCK.now() >= instant)


def ended(study: Study) -> list[str]:
    """Return the one-shots whose instant is settled."""
    return [
        task
        for (task,) in study.rows(
            "SELECT DISTINCT title FROM occurrences JOIN tasks ON tasks.id = task_id"
            " WHERE title LIKE 'once-%' AND occurrences.state IN ('done', 'failed', 'interrupted', 'missed')"
        )
    ]


def check(study: Study, minute) -> None:
    """See that every instant came to one end, that nothing ran twice, and that files and rows say the same."""
    occurrences = study.rows(
        "SELECT title, occurrences.state, due, reason FROM occurrences JOIN tasks ON tasks.id = task_id"
        " WHERE part = 'when'"
    )
    once = [(title, state) for title, state, *_ in occurrences if title.startswith("once")]
    assert sorted(title for title, _ in once) == sorted(f"once-{number}" for number in range(ONCE))
    assert {state for _, state in once} <= {"done", "interrupted"}, Counter(once)
    ticks = Counter((title, from_micros(due)) for title, _, due, _ in occurrences if title.startswith("each"))
    assert set(ticks.values()) == {1}
    assert {(f"each-{number}", minute) for number in range(CRONS)} <= set(ticks)
    assert {state for title, state, *_ in occurrences if title.startswith("each")} <= {"done", "interrupted", "missed"}

    runs = study.rows(
        "SELECT document_runs.id, title, document_runs.state, occurrence_id, attempt FROM document_runs"
        " JOIN tasks ON tasks.id = document_runs.task_id"
    )
    assert max(Counter(occurrence for *_, occurrence, _ in runs).values()) == 1
    assert {attempt for *_, attempt in runs} == {1}
    for run_id, title, state, *_ in runs:
        assert study.noted(title).count(run_id) == 1 if state == "success" else study.noted(title).count(run_id) <= 1
        assert study.record(title, run_id)["status"] == state
        told = Counter(channel for channel, *_ in study.letters(run_id))
        assert told == {"inbox": 1, "keyed": 1}
    known = {(title, run_id) for run_id, title, *_ in runs}
    titles = [f"once-{number}" for number in range(ONCE)] + [f"each-{number}" for number in range(CRONS)]
    noted = [(title, run_id) for title in titles for run_id in study.noted(title)]
    assert len(noted) == len(set(noted))
    assert set(noted) <= known
    assert sum(state == "interrupted" for _, _, state, *_ in runs) > 0, "no kill met a run"
    for number in range(ONCE):
        definition = read_definition((study.tasks / f"once-{number}" / "task.md").read_text())
        assert (definition.when, definition.status) == (Manual(), Standing.PAUSED)
    assert max(study.theatre.taken().values()) == 1
    assert {state for (state,) in study.rows("SELECT state FROM messages WHERE channel = 'keyed'")} == {"sent"}


def test_a_server_that_is_asked_to_end_cuts_off_what_runs_and_says_so(study):
    put(study.project, "stubborn", long("stubborn"))
    put(study.project, "waiting", quick("waiting", "@manual", "late"))
    server = serving(study)
    run_id = study.run("stubborn")
    until(lambda: study.noted("stubborn"))
    with family(server.pid) as handles:
        leave(server)  # well before a lease runs out, or the engine loses its patience
        await_ends(handles)

    assert study.rows("SELECT state, why FROM document_runs WHERE id = ?", (run_id,)) == [("interrupted", "stopped")]
    assert study.record("stubborn", run_id)["status"] == "interrupted"
    server = serving(study)
    until(study.quiet)
    leave(server)
    assert study.noted("stubborn") == [run_id]
    assert sorted(channel for channel, *_ in study.letters(run_id)) == ["inbox", "keyed"]


@pytest.mark.parametrize("dialect", ["postgresql"])
def test_two_servers_of_one_database_run_each_instant_once_and_one_takes_over_from_the_other(study, tmp_path):
    other_place = tmp_path / "other"
    other_place.mkdir()
    with ExitStack() as processes:
        other = Theatre(other_place, processes)
        both = (study, Study(other, study.url, study.project))
        servers = [serving(each) for each in both]
        due = CLOCK.now() + timedelta(seconds=4)
        for number in range(20):
            put(study.project, f"once-{number}", quick(f"once-{number}", f"time:{due.isoformat()}", "once"))
        put(study.project, "long", long("long"))
        until(lambda: len(study.rows("SELECT 1 FROM schedules")) == 20)
        until(lambda: len(study.rows("SELECT 1 FROM document_runs WHERE state = 'success'")) == 20 and study.quiet())
        assert [len(study.noted(f"once-{number}")) for number in range(20)] == [1] * 20
        assert len(study.rows("SELECT 1 FROM occurrences")) == 20
        assert len(study.rows("SELECT 1 FROM documents")) == 21
        assert len(study.rows("SELECT 1 FROM tasks WHERE title LIKE 'once-%' OR title = 'long'")) == 21

        run_id = study.run("long")
        until(lambda: study.noted("long"))
        with ExitStack() as stack:
            families = [stack.enter_context(family(server.pid)) for server in servers]
            mine = 0 if families[0] else 1
            both[mine].theatre.end(servers[mine])
            await_ends(families[mine])
        study.await_state(run_id, "interrupted")
        again = study.run("once-0")
        study.await_state(again, "success")
        assert study.noted("long") == [run_id]
        leave(servers[1 - mine])
