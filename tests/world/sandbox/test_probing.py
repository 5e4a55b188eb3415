from __future__ import annotations

import threading
from pathlib import Path

import pytest

from zhixing.kernel.errors import Unavailable
from zhixing.world.sandbox.bare import Unconfined
from zhixing.world.sandbox.bwrap import Bubblewrap
from zhixing.world.sandbox.port import Mode
from zhixing.world.sandbox.probing import Refusing, Unready, Wanted, binaries, find_walls, probe, try_out
from zhixing.world.sandbox.scripted import FunctionSandbox, printing

NETWORK = b"Inter-| Receive\n face |bytes\n    lo: 0 0\n"


def pretending(path: Path, text: str) -> Path:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


def test_the_walls_of_this_machine_stand(walled):
    assert walled.mode is Mode.BWRAP
    assert try_out(walled) is None


@pytest.mark.usefixtures("walled")
@pytest.mark.parametrize("wanted", [Wanted.AUTO, Wanted.BWRAP])
def test_walls_are_tried_once_in_the_life_of_a_process(clock, wanted, tmp_path, monkeypatch):
    found = probe(clock, wanted)
    pretending(tmp_path / "bwrap", "exit 1")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert isinstance(found, Bubblewrap)
    assert probe(clock, wanted).binary == found.binary


def test_there_is_none_without_walls_unless_it_was_asked_for(clock):
    assert isinstance(probe(clock, Wanted.NONE), Unconfined)
    assert probe(clock, Wanted.NONE).mode is Mode.NONE


def test_walls_that_let_everything_through_are_not_used(clock):
    assert "隔离不完整" in try_out(Unconfined(clock))


@pytest.mark.parametrize(
    ("printed", "code", "stands"),
    [
        (b"2\n" + NETWORK, 0, True),
        (b"2\n" + NETWORK, 1, False),
        (b"4711\n" + NETWORK, 0, False),
        (b"2\n" + NETWORK + b"  eth0: 0 0\n", 0, False),
        (b"", 0, False),
    ],
    ids=["all well", "sees a home", "own processes", "network", "silence"],
)
def test_a_trial_is_judged_by_what_it_saw(printed, code, stands):
    reason = try_out(FunctionSandbox(printing(printed, code=code)))
    assert (reason is None) is stands


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("echo 'bwrap: execvp sh: No such file' >&2; exit 1", "bwrap 起不来：execvp sh: No such file"),
        ("exit 1", "bwrap 起不来：一句话也没有留下就没了"),
        ("kill -9 $$", "bwrap 起不来：一句话也没有留下就没了"),
    ],
)
def test_why_the_walls_do_not_stand_is_one_line(tmp_path, clock, text, says):
    binary = pretending(tmp_path / "bwrap", text)
    assert try_out(Bubblewrap(binary, clock)) == says


def test_a_kernel_that_forbids_namespaces_is_told_as_such(tmp_path, clock):
    binary = pretending(tmp_path / "bwrap", "echo 'bwrap: Creating new namespace failed: Operation not permitted' >&2")
    reason = try_out(Bubblewrap(binary, clock))
    assert reason.count("Creating new namespace failed") == 1
    assert "\n" not in reason


def test_a_bwrap_that_is_no_program_is_told(tmp_path, clock):
    binary = tmp_path / "bwrap"
    binary.write_bytes(b"")
    assert try_out(Bubblewrap(binary, clock)) == "bwrap 起不来：Permission denied"


def test_the_bwrap_of_the_machine_comes_before_the_one_of_the_package(tmp_path, monkeypatch):
    binary = pretending(tmp_path / "bwrap", "exit 1")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert next(binaries()) == binary


def test_the_next_one_is_taken_where_the_first_does_not_work(walled, tmp_path, clock):
    broken = pretending(tmp_path / "bwrap", "exit 1")
    found = find_walls([broken, walled.binary], clock)
    assert isinstance(found, Bubblewrap)
    assert found.binary == walled.binary


def test_a_machine_where_none_stands_says_why(tmp_path, clock):
    broken = pretending(tmp_path / "bwrap", "echo 'bwrap: no' >&2; exit 1")
    assert find_walls([broken], clock) == Unready("bwrap 起不来：no")
    assert "没有找到能运行的 bwrap" in find_walls([], clock).reason


def test_a_machine_without_walls_refuses_every_command(script):
    refusing = Refusing("这里没有")
    with pytest.raises(Unavailable, match="这里不能运行命令：这里没有"):
        refusing.run(script("true"), threading.Event())
