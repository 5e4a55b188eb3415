"""A theatre in which a home has tasks of documents, and what can be found of them."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, TypeVar

from tests.chaos.pages import LOG
from tests.chaos.test_server import Theatre

from zhixing.app import App, opened
from zhixing.kernel.clock import SystemClock
from zhixing.settings import home_zone, load, put
from zhixing.store.opening import open_store
from zhixing.world.sandbox.processes import below

CLOCK = SystemClock()
PATIENCE = 90
"""Seconds after which something that should happen is said not to."""
_LOOK = 0.05

T = TypeVar("T")


def until(what: Callable[[], T]) -> T:
    """Look until there is something to see, and return it."""
    never = threading.Event()
    since = CLOCK.monotonic()
    while CLOCK.monotonic() - since < PATIENCE:
        if found := what():
            return found
        never.wait(_LOOK)
    raise AssertionError("it never came to that")


class Study:
    """A home on one of the databases, and the project of its tasks."""

    def __init__(self, theatre: Theatre, url: str | None, project: Path) -> None:
        self.theatre = theatre
        if url is not None:
            theatre.env["ZHIXING_STORE_URL"] = url
        self.project = project
        (project / LOG).mkdir(parents=True, exist_ok=True)
        put(theatre.home, "documents.project", str(project))
        self.url = load(theatre.home, theatre.env).store_url

    @property
    def tasks(self) -> Path:
        return self.project / ".downcity" / "task"

    @contextmanager
    def app(self) -> Iterator[App]:
        """Open the home in this process, as the command line does."""
        home, env = self.theatre.home, self.theatre.env
        with opened(load(home, env), CLOCK, home_zone("Asia/Shanghai", env), home, env) as app:
            yield app

    def rows(self, sql: str, params: tuple[object, ...] = ()) -> list[Any]:
        with closing(open_store(self.url)) as store, store.read() as tx:
            return tx.rows(sql, params)

    def run(self, title: str) -> str:
        """Have a task run; return the id of the run."""
        with self.app() as app:
            return app.documents.run(app.documents.project(None), title, who="chaos").run.id

    def state(self, run_id: str) -> str:
        return str(self.rows("SELECT state FROM document_runs WHERE id = ?", (run_id,))[0][0])

    def await_state(self, run_id: str, *states: str) -> str:
        """Wait until a run is in one of some states; return which."""
        return until(lambda: self.state(run_id) if self.state(run_id) in states else "")

    def noted(self, title: str) -> list[str]:
        """Return the runs of a task that its script has noted."""
        file = self.project / LOG / title
        return file.read_text().split() if file.exists() else []

    def record(self, title: str, run_id: str) -> dict[str, Any]:
        """Return what run.json says of a run."""
        record: dict[str, Any] = json.loads((self.tasks / title / run_id / "run.json").read_text())
        return record

    def letters(self, run_id: str) -> list[Any]:
        """Return channel, text and state of what was told of a run."""
        return self.rows(
            "SELECT channel, text, messages.state FROM messages JOIN document_runs ON"
            " document_runs.occurrence_id = messages.occurrence_id WHERE document_runs.id = ?",
            (run_id,),
        )

    def quiet(self) -> bool:
        """Whether nothing is left to do: no run, no letter, no file to change."""
        left = (
            "SELECT 1 FROM jobs WHERE state IN ('pending', 'running') AND name <> 'schedule.tick' UNION ALL"
            " SELECT 1 FROM document_runs WHERE ended_at IS NULL UNION ALL"
            " SELECT 1 FROM messages WHERE state IN ('pending', 'sending')"
        )
        return not self.rows(f"{left} LIMIT 1")

    def source(self, folder: str) -> str:
        """Return what a task.md said when it was last read and could be."""
        found = self.rows("SELECT source FROM documents WHERE folder = ?", (folder,))
        return found[0][0] if found else ""

    def fault(self, folder: str) -> str:
        found = self.rows("SELECT fault FROM documents WHERE folder = ?", (folder,))
        return (found[0][0] or "") if found else ""


@contextmanager
def family(pid: int) -> Iterator[list[int]]:
    """Give handles of everybody who descends from a process."""
    handles = []
    try:
        handles += [os.pidfd_open(each) for each in below(pid)]
        yield handles
    finally:
        for handle in handles:
            os.close(handle)


def await_ends(handles: list[int]) -> None:
    """Wait until the processes of all handles have ended."""
    for handle in handles:
        poll = select.poll()
        poll.register(handle, select.POLLIN)
        assert poll.poll(PATIENCE * 1000), "somebody is left"


def leave(server: subprocess.Popen[str]) -> None:
    """Ask a server to end, and see that it does, without complaint."""
    server.send_signal(signal.SIGTERM)
    server.communicate(timeout=PATIENCE)
    assert server.returncode == 0
