"""A real sandbox, a folder to run in, and the patience to wait for processes."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from tests.machine import walls

from zhixing.kernel.clock import SystemClock
from zhixing.world.sandbox import grouping
from zhixing.world.sandbox.bare import Unconfined
from zhixing.world.sandbox.bwrap import Bubblewrap
from zhixing.world.sandbox.port import Command, Finished, Limits, Mount, Sandbox

CLOCK = SystemClock()
PATIENT = Limits(wall=timedelta(seconds=60), grace=timedelta(seconds=60), processes=200)
PATIENCE = 60
"""Seconds after which something that should happen has not happened."""
PATH = "/usr/bin:/bin"


@pytest.fixture(scope="session")
def walled() -> Bubblewrap:
    return walls()


@pytest.fixture(params=["bwrap", "none"])
def sandbox(request: pytest.FixtureRequest) -> Sandbox:
    """Give every sandbox that runs commands, one after the other."""
    return request.getfixturevalue("walled") if request.param == "bwrap" else Unconfined(CLOCK)


@pytest.fixture
def nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let this be a machine where no control groups can be made."""
    monkeypatch.setattr(grouping, "_tried", [None])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Give the folder of a run."""
    made = tmp_path / "run"
    made.mkdir()
    return made


@pytest.fixture
def script(folder: Path) -> Callable[..., Command]:
    """Make a command of a bash script that may write in `folder`."""

    def make(text: str, **changes) -> Command:
        command = Command(("bash", "-c", text), folder, {"PATH": PATH}, (Mount(folder, writable=True),), limits=PATIENT)
        return replace(command, **changes)

    return make


@pytest.fixture
def inside(walled: Bubblewrap, script: Callable[..., Command]) -> Callable[..., Finished]:
    """Run a script within walls."""
    return lambda text, **changes: walled.run(script(text, **changes), threading.Event())


@pytest.fixture
def until() -> Callable[[Callable[[], bool]], None]:
    """Return as soon as something has happened."""

    def wait(happened: Callable[[], bool]) -> None:
        pause = threading.Event()
        for _ in range(PATIENCE * 100):
            if happened():
                return
            pause.wait(0.01)
        pytest.fail("it did not happen")

    return wait


@pytest.fixture
def running() -> Iterator[Callable[..., Future[Finished]]]:
    """Run a command beside the test. It is stopped when the test ends."""
    stops: list[threading.Event] = []
    with ThreadPoolExecutor(2) as pool:

        def run(sandbox: Sandbox, command: Command, stop: threading.Event | None = None) -> Future[Finished]:
            stops.append(stop or threading.Event())
            return pool.submit(sandbox.run, command, stops[-1])

        yield run
        for stop in stops:
            stop.set()


@pytest.fixture
def is_left() -> Callable[[str], bool]:
    """Tell whether a process with a word in its command line runs on this machine."""

    def look(word: str) -> bool:
        for path in Path("/proc").glob("[0-9]*/cmdline"):
            with suppress(OSError):
                if word.encode() in path.read_bytes():
                    return True
        return False

    return look
