"""The bound of the kernel. Real bombs burst in a group that the test makes for itself; the others are counted ones."""

from __future__ import annotations

import json
import os
import resource
import select
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest
from tests.machine import lacks

from zhixing.world.sandbox import grouping
from zhixing.world.sandbox.bwrap import OWN_PROCESSES, Bubblewrap
from zhixing.world.sandbox.grouping import Group, find_place, grouped, sweep
from zhixing.world.sandbox.port import Ended, Limits

MOST = 64
THREADS_OF_SERVER = 4
GUARD_MOST = 600
"""Processes that a bomb has should the bound under test not hold."""
FORTY = "for i in $(seq 40); do sleep 1000 & done"
MANY = "for i in $(seq 200); do {begin} sleep 1000 & done"


@pytest.fixture
def place() -> Path:
    """Give the folder below which groups can be made."""
    with ExitStack() as stack:
        grouped(1, stack)
    found = grouping._tried[0] if grouping._tried else None
    if found is None:
        lacks("control groups")
    return found


def groups_of_ours(place: Path) -> list[Path]:
    return [path for path in place.glob("zhixing-*") if f"-{os.getpid()}-" in path.name]


def limited(script, text: str):
    return replace(script(text), limits=replace(script("").limits, processes=MOST))


@pytest.mark.usefixtures("place")
@pytest.mark.parametrize("begin", ["", "setsid"], ids=["one session", "many sessions"])
def test_the_process_that_is_too_many_is_refused_and_ends_the_run(sandbox, script, begin):
    finished = sandbox.run(limited(script, MANY.format(begin=begin) + "; wait"), threading.Event())
    assert finished.ended is Ended.TOO_MANY_PROCESSES
    assert b"Resource temporarily unavailable" in finished.stderr.head


@pytest.mark.usefixtures("place")
def test_a_command_that_was_refused_a_process_does_not_end_well(sandbox, script):
    text = f"sh -c '{MANY.format(begin='')}' 2>/dev/null; exit 0"
    finished = sandbox.run(limited(script, text), threading.Event())
    assert finished.ended is Ended.TOO_MANY_PROCESSES
    assert not finished.succeeded


@contextmanager
def no_more_files() -> Iterator[None]:
    """Let this process open no more files than it has."""
    free = os.open(os.devnull, os.O_RDONLY)
    os.close(free)
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (free, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)


@pytest.mark.parametrize("tried", [True, False], ids=["whether groups can be made is known", "is not known"])
def test_a_server_that_runs_out_of_files_for_a_moment_goes_on_making_groups(place, monkeypatch, tried):
    monkeypatch.setattr(grouping, "_tried", [place] if tried else [])
    with no_more_files(), ExitStack() as stack, pytest.raises(OSError, match="Too many open files"):
        grouped(1, stack)
    assert groups_of_ours(place) == []
    with ExitStack() as stack:
        assert grouped(1, stack).enter != ()


@pytest.mark.usefixtures("nowhere")
def test_where_there_are_no_groups_the_tree_is_looked_at(sandbox, script):
    finished = sandbox.run(limited(script, MANY.format(begin="setsid") + "; wait"), threading.Event())
    assert (finished.ended, finished.signal) == (Ended.TOO_MANY_PROCESSES, 9)


@pytest.mark.parametrize("most", [1, 2, 41])
def test_as_many_as_are_allowed_are_no_offence(sandbox, script, most):
    text = {1: "exec true", 2: "(exec true); exec true", 41: FORTY}[most]
    finished = sandbox.run(script(text, limits=Limits(processes=most)), threading.Event())
    assert finished.succeeded


def test_what_is_killed_at_the_end_for_being_left_is_no_offence(sandbox, script):
    text = "(while :; do (exec true); done) & (while :; do (exec true); done) & exec true"
    assert all(sandbox.run(limited(script, text), threading.Event()).succeeded for _ in range(5))


def test_no_group_is_left_after_a_run(sandbox, script, place):
    sandbox.run(script("setsid sleep 1000 & sleep 1000 & true"), threading.Event())
    assert groups_of_ours(place) == []


def test_no_group_is_left_of_a_command_that_did_not_begin(walled, script, place, tmp_path):
    binary = tmp_path / "bwrap"
    binary.write_text("#!/bin/sh\nexit 1\n")
    binary.chmod(0o755)
    with pytest.raises(Exception, match="隔离环境没有起来"):
        Bubblewrap(binary, walled._clock).run(script("true"), threading.Event())
    assert groups_of_ours(place) == []


def test_what_is_left_in_a_group_ends_with_it(place, is_left):
    word = f"{os.getpid()}.0625"
    with ExitStack() as stack:
        group = grouped(MOST, stack)
        text = f"trap '' TERM; setsid sleep {word} & setsid sleep {word} & echo; wait"
        with subprocess.Popen((*group.enter, "/bin/bash", "-c", text), stdout=subprocess.PIPE) as process:
            process.stdout.readline()
            group.remove()
            assert process.wait(60) == -9
    assert not is_left(f"sleep\0{word}")
    assert groups_of_ours(place) == []


def test_the_group_of_a_server_that_is_no_more_is_removed_and_that_of_one_that_lives_is_not(place):
    child = subprocess.Popen(["/bin/true"])
    child.wait()
    _, namespace, _, start = grouping._server(os.getpid()).split("-")
    dead = place / f"zhixing-{namespace}-{child.pid}-{start}-1"
    again = place / f"zhixing-{namespace}-{os.getpid()}-{int(start) + 1}-1"
    elsewhere = place / f"zhixing-1-{child.pid}-{start}-1"
    with ExitStack() as stack:
        for folder in (dead, again, elsewhere):
            folder.mkdir()
            stack.callback(Group(folder).remove)
        group = grouped(MOST, stack)
        sweep(place)
        assert not dead.exists()
        assert not again.exists()
        assert elsewhere.exists()
        assert Path(group.enter[-1]).exists()


def test_a_place_that_was_taken_away_is_looked_for_anew(place, monkeypatch, tmp_path):
    monkeypatch.setattr(grouping, "_tried", [tmp_path / "gone"])
    with ExitStack() as stack:
        assert grouped(MOST, stack).enter
    assert grouping._tried == [place]


def test_a_folder_that_only_looks_like_one_is_not_used(tmp_path):
    (tmp_path / "cgroup.subtree_control").write_text("")
    assert find_place([tmp_path / "missing", tmp_path]) is None
    assert [path.name for path in tmp_path.iterdir()] == ["cgroup.subtree_control"]


def test_a_group_that_bounds_nothing_is_not_used(tmp_path, monkeypatch):
    def make(folder: Path, most: int) -> Group:  # noqa: ARG001 - the port
        (folder / "made").mkdir()
        (folder / "made" / "pids.events").write_text("max 0\n")
        return Group(folder / "made", "tasks")

    monkeypatch.setattr(grouping, "_make", make)
    monkeypatch.setattr(Group, "remove", lambda group: None)  # noqa: ARG005 - the port
    assert find_place([tmp_path]) is None


BOMBS = {
    "the classic, waited for": ":(){ :|:& };:; sleep 1000",
    "sessions": "echo 'setsid bash b.sh & setsid bash b.sh & sleep 1000' > b.sh; bash b.sh",
    "deaf": "trap '' TERM HUP; b(){ b & setsid -f true; b & }; exec 2>/dev/null; while :; do b; done",
}
BURST = """
import json, os, sys, threading
from pathlib import Path
from zhixing.kernel.clock import SystemClock
from zhixing.world.sandbox import grouping
from zhixing.world.sandbox.bare import Unconfined
from zhixing.world.sandbox.bwrap import Bubblewrap
from zhixing.world.sandbox.port import Command, Limits, Mount

guard, binary, folder, text, most = sys.argv[1:]
Path(guard, "cgroup.procs").write_text("0")
if Path(guard).name not in Path("/proc/self/cgroup").read_text() or grouping._place() != Path(guard):
    sys.exit("the bomb would burst outside")
sandbox = Bubblewrap(Path(binary), SystemClock()) if binary else Unconfined(SystemClock())
here = Path(folder)
env = {"PATH": "/usr/bin:/bin"}
command = Command(("bash", "-c", text), here, env, (Mount(here, writable=True),), limits=Limits(processes=int(most)))
finished = sandbox.run(command, threading.Event())
left = [path.name for path in Path(guard).iterdir() if path.is_dir()]
alone = Path(guard, "pids.current").read_text().strip()
peak = Path(guard, "pids.peak")
most = peak.read_text().strip() if peak.exists() else "0"
print(json.dumps([finished.ended, finished.succeeded, left, alone, most]))
"""
_numbers = count(1)


@pytest.fixture
def guard(place: Path) -> Iterator[Path]:
    """Give a group around server and bomb that holds whatever the code under test does, and has been seen to hold."""
    if not (place / "tasks").exists():
        lacks("control groups of version 1, as the guard of the test is")
    made = place / f"test-{os.getpid()}-{next(_numbers)}"
    made.mkdir()
    try:
        (made / "pids.max").write_text("1")
        subprocess.run(["/bin/sh", "-c", 'echo 0 >"$1/tasks"; (:); :', "sh", made], check=False, capture_output=True)
        assert (made / "pids.events").read_text() != "max 0\n"
        (made / "pids.max").write_text(str(GUARD_MOST))
        yield made
    finally:
        (made / "pids.max").write_text("0")
        for group in (*(path for path in made.iterdir() if path.is_dir()), made):
            remove_with_all(group)


def remove_with_all(group: Path) -> None:
    for _ in range(1_000):
        for number in (group / "cgroup.procs").read_text().split():
            with suppress(ProcessLookupError):
                os.kill(int(number), signal.SIGKILL)
        with suppress(OSError):
            group.rmdir()
            return
        select.select([], [], [], 0.01)
    pytest.fail("something of a bomb is left")


@pytest.mark.parametrize("text", BOMBS.values(), ids=BOMBS.keys())
def test_a_bomb_fails(sandbox, folder, guard, text):
    binary = str(sandbox.binary) if isinstance(sandbox, Bubblewrap) else ""
    words = [sys.executable, "-c", BURST, guard, binary, folder, text, str(MOST)]
    done = subprocess.run(words, capture_output=True, check=False, timeout=120)
    ended, succeeded, left, alone, most = json.loads(done.stdout or b"[0, 0, 0, 0, 0]")
    assert (ended, succeeded, left) == (Ended.TOO_MANY_PROCESSES, False, []), done.stderr.decode()
    assert int(alone) <= THREADS_OF_SERVER
    assert int(most) <= MOST + THREADS_OF_SERVER + OWN_PROCESSES
