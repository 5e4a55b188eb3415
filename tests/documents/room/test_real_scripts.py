"""T28, T29, T34, T35: real bash within real walls, from the file to the message."""

from __future__ import annotations

import threading
from contextlib import suppress
from pathlib import Path

import pytest
from tests.documents.room.house import PATIENCE, House
from tests.machine import walls

from zhixing.documents.model import Kind
from zhixing.documents.run import RunState
from zhixing.documents.templates import template
from zhixing.kernel.clock import SystemClock

CLOCK = SystemClock()


@pytest.fixture
def dialect() -> str:
    return "sqlite"


@pytest.fixture
def house(furnished) -> House:
    return furnished(sandbox=walls())


def is_left(word: str) -> bool:
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            if word.encode() in path.read_bytes():
                return True
    return False


def ran(house: House, body: str, **fields: str) -> RunState:
    house.create("task", "@manual", body, **fields)
    house.by_hand("task")
    house.run()
    return house.only("task").state


def test_t28_a_run_that_times_out_is_closed_when_its_processes_are_gone(house):
    state = ran(house, "exec -a zhixing-t28 sleep 300", timeout="1s")
    assert state is RunState.FAILURE
    assert not is_left("zhixing-t28")
    record = house.record(house.only("task"))
    assert (record["exit"]["timedOut"], record["exit"]["sandbox"]) == (True, "bwrap")
    assert len(house.told) == 1


@pytest.mark.parametrize(
    "body",
    [
        "(exec -a zhixing-t29 sleep 300) & wait",
        "setsid bash -c 'exec -a zhixing-t29 sleep 300' & wait",
        "trap '' TERM\n(trap '' TERM; exec -a zhixing-t29 sleep 300) &\nwhile true; do wait; done",
    ],
)
def test_t29_nothing_of_a_script_outlives_its_timeout(house, body):
    assert ran(house, f"echo half\n{body}", timeout="1s") is RunState.FAILURE
    assert not is_left("zhixing-t29")
    assert "half" in house.told[0]


def test_t29_a_server_left_in_the_background_does_not_keep_the_run(house):
    assert ran(house, "(exec -a zhixing-server sleep 300) &\necho done", timeout="60s") is RunState.SUCCESS
    assert house.told == ["done"]
    assert not is_left("zhixing-server")


def test_a_run_that_is_called_off_takes_its_processes_along(house):
    house.create("task", "@manual", "touch begun; exec -a zhixing-called-off sleep 300")
    run = house.by_hand("task")
    begun = house.folder(run) / "begun"

    def call_off() -> None:
        pause = threading.Event()
        for _ in range(PATIENCE * 50):
            if begun.exists():
                break
            pause.wait(0.02)
        beside.documents.cancel(run.id, who="b")

    beside = house.beside()
    thread = threading.Thread(target=call_off)
    thread.start()
    house.run()
    thread.join(PATIENCE)
    assert house.states("task") == [RunState.CANCELLED]
    assert not is_left("zhixing-called-off")


@pytest.mark.parametrize(
    ("body", "printed"),
    [
        ("head -c 50000000 /dev/zero | tr '\\0' x; echo", 50_000_001),
        ("head -c 3000000 /dev/urandom; echo end", 3_000_004),
        ("for _ in $(seq 1 200); do head -c 500000 /dev/zero | tr '\\0' 'y'; echo; done", 100_000_200),
    ],
    ids=["one line of 50 MB", "binary", "100 MB of lines"],
)
def test_t34_whatever_is_printed_is_bounded_and_counted(house, body, printed):
    """100 MB instead of 500: the bounds are the same and far below both."""
    assert ran(house, body) is RunState.SUCCESS
    run = house.only("task")
    left = house.record(run)["exit"]
    assert left["stdoutBytes"] == printed
    assert left["droppedBytes"] > 0
    assert len(house.told[0]) <= 20_000
    assert (house.folder(run) / "stdout.log").stat().st_size <= 17 * 1024 * 1024
    assert (house.folder(run) / "output.md").stat().st_size <= 5 * 1024 * 1024


def test_t35_the_documents_template_runs_under_bash(house):
    assert "set -euo pipefail" in template(Kind.SCRIPT)
    state = ran(house, template(Kind.SCRIPT))
    assert "pipefail" not in house.told[0]
    assert state in {RunState.SUCCESS, RunState.FAILURE}


def test_t35_a_stage_of_a_pipe_that_fails_fails_the_run(house):
    assert ran(house, "set -euo pipefail\nfalse | cat\necho unreachable") is RunState.FAILURE
    assert "unreachable" not in house.told[0]


def test_line_ends_of_windows_are_no_part_of_words(house):
    assert ran(house, "echo one\r\nif true; then\r\n  echo two\r\nfi\r") is RunState.SUCCESS
    assert house.told == ["one\ntwo"]


def test_a_file_with_line_ends_of_windows_is_a_task(house):
    from tests.documents.room.house import task_md

    house.put("task", task_md("task", "@manual", "set -eu\necho one").replace("\n", "\r\n"))
    house.by_hand("task")
    house.run()
    assert house.told == ["one"]


def test_who_reads_gets_nothing_and_does_not_wait(house):
    assert ran(house, "cat; read -r x || echo nothing") is RunState.SUCCESS
    assert house.told == ["nothing"]


def test_a_script_sees_its_names_and_not_the_files_of_tasks(house):
    body = (
        'echo "$DC_SESSION_ID $DC_RUN_ID"; test "$PWD" = "$DC_RUN_DIR" && echo here; '
        'cat "$DC_PROJECT_ROOT/.downcity/task/task/task.md" 2>/dev/null || echo hidden; '
        'touch "$DC_PROJECT_ROOT/x" 2>/dev/null || echo read-only'
    )
    assert ran(house, body) is RunState.SUCCESS
    run = house.only("task")
    assert house.told == [f"phone {run.id}\nhere\nhidden\nread-only"]


def test_standard_error_is_kept_and_not_sent(house):
    assert ran(house, "echo noise >&2; echo result") is RunState.SUCCESS
    assert house.told == ["result"]
    assert (house.folder(house.only("task")) / "stderr.log").read_text() == "noise\n"


def test_a_script_that_spoils_its_folder_has_its_record_all_the_same(house):
    body = "rm -rf ./* ; mkdir run.json output.md; chmod 500 . ; echo done"
    assert ran(house, body) is RunState.SUCCESS
    assert house.record(house.only("task"))["status"] == "success"
    assert house.told == ["done"]
