"""The twin, and what it has in common with those that do run commands."""

from __future__ import annotations

import signal
import threading
from datetime import timedelta

import pytest

from zhixing.kernel.errors import Unavailable
from zhixing.world.sandbox.bare import Unconfined
from zhixing.world.sandbox.port import Ended, Limits, Mode
from zhixing.world.sandbox.scripted import FunctionSandbox, ScriptedSandbox, ending, never_ending, printing

TEXT = "printf 'a hunter2hunter2 b'; printf 'oops' >&2; exit 3"
PRINTED = printing(b"a hunter2hunter2 b", b"oops", code=3)


@pytest.fixture(params=["bwrap", "none", "scripted"])
def answering(request: pytest.FixtureRequest):
    """Give every sandbox, such that `TEXT` is answered as a shell does."""
    if request.param == "bwrap":
        return request.getfixturevalue("walled")
    return Unconfined(request.getfixturevalue("clock")) if request.param == "none" else FunctionSandbox(PRINTED)


@pytest.mark.parametrize("kept", [100, 6, 0])
@pytest.mark.parametrize("logged", [100, 6])
def test_what_is_printed_is_kept_cut_and_written_alike(answering, script, folder, kept, logged):
    command = script(
        TEXT,
        limits=Limits(kept_bytes=kept, logged_bytes=logged),
        secrets=("hunter2hunter2",),
        out=folder / "out",
        err=folder / "err",
    )
    finished = answering.run(command, threading.Event())
    assert (finished.ended, finished.code, finished.signal) == (Ended.EXITED, 3, None)
    assert finished.stdout.head + finished.stdout.tail == {100: b"a *** b", 6: b"a ** b", 0: b""}[kept]
    assert (finished.stdout.total, finished.stdout.dropped) == (7, {100: 0, 6: 1, 0: 7}[kept])
    assert finished.stdout.logged == min(logged, 7)
    assert (folder / "out").read_text().startswith("a *** b"[:logged])
    assert ("字节没有写进来" in (folder / "out").read_text()) is (logged < 7)
    assert (folder / "err").read_bytes() == b"oops"


def test_a_file_that_cannot_be_written_stops_the_command_alike(answering, script, folder):
    with pytest.raises(Unavailable):
        answering.run(script(TEXT, out=folder / "missing" / "out"), threading.Event())


def test_a_request_to_stop_that_came_before_is_heeded_alike(answering, script):
    stop = threading.Event()
    stop.set()
    answer = FunctionSandbox(never_ending) if isinstance(answering, FunctionSandbox) else answering
    finished = answer.run(script("sleep 1000"), stop)
    assert (finished.ended, finished.code, finished.signal) == (Ended.CANCELLED, None, signal.SIGTERM)
    assert not finished.succeeded


def test_a_script_is_answered_in_its_order_and_the_commands_are_remembered(script):
    late = ending(Ended.TIMED_OUT, b"so far", elapsed=timedelta(minutes=10))
    sandbox = ScriptedSandbox(printing(b"first"), late)
    first, second = script("one"), script("two")
    assert sandbox.run(first, threading.Event()).stdout.head == b"first"
    finished = sandbox.run(second, threading.Event())
    assert (finished.ended, finished.elapsed, finished.mode) == (
        Ended.TIMED_OUT,
        timedelta(minutes=10),
        Mode.SCRIPTED,
    )
    assert sandbox.commands == [first, second]


def test_more_commands_than_answers_are_a_mistake(script):
    sandbox = ScriptedSandbox()
    with pytest.raises(LookupError):
        sandbox.run(script("one"), threading.Event())
    sandbox.then(printing(b"late"))
    assert sandbox.run(script("one"), threading.Event()).succeeded


def test_a_command_that_never_ends_waits_for_the_request_to_stop(script, running):
    sandbox, stop = FunctionSandbox(never_ending), threading.Event()
    future = running(sandbox, script("forever"), stop)
    assert not future.done()
    stop.set()
    assert future.result(60).ended is Ended.CANCELLED
