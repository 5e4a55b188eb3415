"""A home with a project of document tasks, whose scripts do what a test tells them to."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from tests.documents.agent.playing import finished
from tests.faces.http.conftest import ZONE

from zhixing.app import App, build
from zhixing.documents.terms import Terms
from zhixing.kernel.clock import Clock
from zhixing.world.sandbox.port import Command, Ended, Finished, Mode

PATIENCE = 30
API = "/api/v1"
DOCUMENTS, RUNS = f"{API}/documents", f"{API}/document-runs"
SCRIPT = {
    "title": "晨报",
    "description": "每天一份",
    "sessionId": "tg-1",
    "kind": "script",
    "body": "echo 早",
    "when": "0 9 * * 1-5",
}
EXTRAS = {
    "timezone": "Asia/Tokyo",
    "missed": "skip",
    "overlap": "queue",
    "timeout": "10m",
    "retries": 2,
    "env": ["API_BASE"],
    "network": True,
    "paths": ["data/in.csv", "reports:rw"],
    "deliver": "on-failure",
    "expiresAt": "2027-01-01T00:00:00+08:00",
}


def fault(answer: Any) -> tuple[int, str]:
    """Return status and code of an error, whose line a person can read."""
    error = answer.json()["error"]
    assert set(answer.json()) == {"error"}
    assert "\n" not in error["message"]
    assert any("\u4e00" <= character <= "\u9fff" for character in error["message"])
    return answer.status_code, error["code"]


def at(title: str, rest: str = "") -> str:
    """Return the address of a task."""
    return f"{DOCUMENTS}/{quote(title, safe='')}{rest}"


class Stage:
    """A sandbox: a command begins, writes what it `leaves`, waits until it may end, and prints; or is called off."""

    mode = Mode.SCRIPTED

    def __init__(self) -> None:
        self.begun = threading.Event()
        self.may_end = threading.Event()
        self.may_end.set()
        self.prints = "早上好\n".encode()
        self.leaves: dict[str, bytes] = {}
        self.bodies: list[str] = []

    def run(self, command: Command, stop: threading.Event) -> Finished:
        self.bodies.append((command.cwd / "task-script.sh").read_text(encoding="utf-8"))
        for name, content in self.leaves.items():
            (command.cwd / name).write_bytes(content)
        self.begun.set()
        waited = 0
        while not self.may_end.wait(0.02) and not stop.is_set():
            waited += 1
            assert waited < PATIENCE * 50, "nobody let the script end"
        if stop.is_set():
            return finished(ended=Ended.CANCELLED, code=None, signal=15)
        return finished(self.prints)


@pytest.fixture
def dialect() -> str:
    return "sqlite"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


@pytest.fixture
def stage() -> Stage:
    return Stage()


@pytest.fixture
def home_of(store, project, stage) -> Callable[[Clock], App]:
    """Make the home over a clock."""

    def made(clock: Clock) -> App:
        return build(store, clock, ZONE, {}, terms=Terms(project=project), sandbox=stage)

    return made


@pytest.fixture
def app(home_of, clock) -> App:
    return home_of(clock)


@pytest.fixture
def make(client) -> Callable[..., Any]:
    """Make a task that prints something."""

    def made(title: str = "晨报", **more: Any) -> Any:
        return client.post(DOCUMENTS, {**SCRIPT, "title": title, **more})

    return made


@pytest.fixture
def start(client) -> Callable[..., str]:
    """Have a task run; return the id of the run."""

    def started(title: str = "晨报", **body: Any) -> str:
        answer = client("POST", at(title, "/run"), json=body)
        assert answer.status_code == 202, answer.text
        return str(answer.json()["executionId"])

    return started


@pytest.fixture
def begun(make, start) -> str:
    """Give the run of a new task, which waits to be carried out."""
    make()
    return start()


@pytest.fixture
def ended(app, begun, project) -> Path:
    """Give the folder of a run that has ended well; its name is the id."""
    app.engine.drain()
    return project / ".downcity" / "task" / "晨报" / begun


@pytest.fixture
def under_way(stage) -> Callable[..., Any]:
    """Carry out what waits, in a thread; inside the block it runs, behind it has ended."""

    @contextmanager
    def running(app: App) -> Iterator[None]:
        stage.begun.clear()
        stage.may_end.clear()
        thread = threading.Thread(target=app.engine.drain)
        thread.start()
        try:
            assert stage.begun.wait(PATIENCE)
            yield
        finally:
            stage.may_end.set()
            thread.join(PATIENCE)
            assert not thread.is_alive()

    return running
