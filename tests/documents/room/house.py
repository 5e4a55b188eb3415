"""A home with a project of document tasks: everything as the program wires it, with a clock that is moved by hand."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from zhixing.app import App, build
from zhixing.delivery.model import Message
from zhixing.documents import rows
from zhixing.documents.files import tasks_folder
from zhixing.documents.model import FILE
from zhixing.documents.operations import Change, Created, DocumentView
from zhixing.documents.reading import read_definition
from zhixing.documents.run import Run, RunState
from zhixing.documents.terms import Terms
from zhixing.documents.yamlblock import Value
from zhixing.kernel.clock import ManualClock
from zhixing.kernel.moments import parse_instant
from zhixing.settings import HomeZone, ZoneSource
from zhixing.tasks import occurrences
from zhixing.tasks import store as tasks_store
from zhixing.tasks.occurrence import Occurrence
from zhixing.tasks.task import Task
from zhixing.world.channels.memory import MemoryChannel
from zhixing.world.models.port import Model
from zhixing.world.sandbox.port import Command, Finished, Sandbox
from zhixing.world.sandbox.scripted import FunctionSandbox, printing

CHAT = "phone"
"""The session of tasks that name none: the channel of the same name."""
WHO = "test"
PATIENCE = 60
"""Seconds after which something that should happen has not happened."""

Answer = Callable[[Command], Finished | None]


class PowerCut(BaseException):
    """The process ends here: no handler of errors sees it."""


def cut_off(_command: Command) -> Finished:
    raise PowerCut


def task_md(title: str, when: str, body: str = "echo ok", **fields: str) -> str:
    """Write a file as somebody would by hand. `fields` replace and add; one that is empty is left out."""
    written = {
        "title": title,
        "when": when,
        "description": "测试",
        "sessionId": CHAT,
        "kind": "script",
        "status": "enabled",
        **fields,
    }
    lines = "".join(f"{name}: {json.dumps(text, ensure_ascii=False)}\n" for name, text in written.items() if text)
    return f"---\n{lines}---\n\n{body}\n"


class StandingClock(ManualClock):
    """A clock for engines in the background: whoever waits really waits a moment, and time stands still meanwhile."""

    def wait(self, wake: threading.Event, seconds: float) -> bool:
        return wake.wait(max(0.0, min(seconds, 0.02)))


class House:
    """A home whose scripts end as `answer` says. `phone` is the channel of the session that tasks have."""

    def __init__(
        self,
        home: Any,
        clock: ManualClock,
        project: Path,
        *,
        zone: str = "Asia/Shanghai",
        sandbox: Sandbox | None = None,
        model: Model | None = None,
        **terms: Any,
    ) -> None:
        self.home = home
        self.clock = clock
        self.project = project
        self.phone = MemoryChannel(CHAT)
        self.family = MemoryChannel("family")
        self.answer: Answer = printing("好了\n".encode())
        self.performed: list[str] = []
        """The ids of runs in the order in which their scripts were run."""
        self._zone = zone
        self._sandbox = sandbox or FunctionSandbox(self._answer)
        self._model = model
        self._terms = {"project": project, **terms}
        self.app = self._open(home.store)
        self.app.documents.project(None)

    def _answer(self, command: Command) -> Finished | None:
        self.performed.append(command.env["DC_RUN_ID"])
        return self.answer(command)

    def _open(self, store: Any) -> App:
        return build(
            store,
            self.clock,
            HomeZone(self._zone, ZoneSource.CONFIG),
            {CHAT: self.phone, "family": self.family},
            phone=(CHAT,),
            model=self._model,
            sandbox=self._sandbox,
            terms=Terms(**self._terms),
        )

    def restart(self, *, zone: str | None = None) -> None:
        """Close everything and open it again, as after the end of the process; what ran is known to be cut off."""
        self._zone = zone or self._zone
        self.app = self._open(self.home.reopen())
        self.app.engine.reclaim_all()
        self.app.recover()

    def beside(self, store: Any = None) -> App:
        """Return what another process runs on the same database and the same files."""
        return self._open(store or self.home.open())

    # What people do

    def write(self, title: str, when: str, body: str = "echo ok", *, folder: str | None = None, **fields: str) -> Path:
        """Write a task.md by hand, and let nobody know."""
        return self.put(folder or title, task_md(title, when, body, **fields))

    def put(self, folder: str, text: str) -> Path:
        file = tasks_folder(self.project) / folder / FILE
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8", newline="")
        return file

    def edit(self, folder: str, before: str, after: str) -> None:
        """Change a task.md by hand, and let nobody know."""
        file = tasks_folder(self.project) / folder / FILE
        text = file.read_text(encoding="utf-8")
        assert before in text
        file.write_text(text.replace(before, after), encoding="utf-8")

    def create(
        self, title: str, when: str, body: str = "echo ok", *, overwrite: bool = False, **fields: str
    ) -> Created:
        definition = read_definition(task_md(title, when, body, **fields))
        return self.app.documents.create(self.project, definition, who=WHO, overwrite=overwrite)

    def update(self, title: str, /, **fields: Value | None) -> DocumentView:
        return self.app.documents.update(self.project, title, Change(fields), who=WHO)

    def by_hand(self, title: str, **more: Any) -> Run:
        """Have a task run now."""
        return self.app.documents.run(self.project, title, who=WHO, **more).run

    # Time

    def sync(self) -> int:
        return self.app.documents.sync(self.project)

    def run(self, forward: timedelta = timedelta(0)) -> None:
        """Let time pass, and do what is due."""
        self.clock.advance(forward)
        self.app.engine.drain()

    def until(self, instant: str) -> None:
        """Let time pass up to an instant, and do what is due then."""
        self.run(parse_instant(instant) - self.clock.now())

    def minute_by_minute(self, until: str, step: timedelta = timedelta(minutes=1)) -> None:
        """Let time pass up to an instant as it passes in a process that lives."""
        end = parse_instant(until)
        while self.clock.now() < end:
            self.run(min(step, end - self.clock.now()))

    def cut(self, forward: timedelta = timedelta(0)) -> None:
        """Let time pass, until the power fails in the middle of what is done."""
        with suppress(PowerCut):
            self.run(forward)
            raise AssertionError("the power did not fail")

    # What is seen

    def view(self, title: str) -> DocumentView:
        return self.app.documents.get(self.project, title)

    def views(self) -> list[DocumentView]:
        return self.app.documents.tasks_of(self.project)

    def row(self, folder: str) -> rows.DocumentRow | None:
        """Return what is known of a file, without looking at it."""
        with self.home.store.read() as tx:
            return rows.find(tx, self.project, folder)

    def task(self, title: str) -> Task:
        task_id = self.view(title).task_id
        assert task_id is not None
        with self.home.store.read() as tx:
            return tasks_store.get(tx, task_id)

    def runs(self, title: str | None = None) -> list[Run]:
        """Return the runs of a task, or all, the oldest first."""
        task_id = None if title is None else self.view(title).task_id
        return list(reversed(self.app.documents.runs(task_id=task_id, limit=500)))

    def states(self, title: str | None = None) -> list[RunState]:
        return [run.state for run in self.runs(title)]

    def only(self, title: str | None = None) -> Run:
        (run,) = self.runs(title)
        return run

    def occurrences(self, title: str) -> list[Occurrence]:
        """Return what was due of a task, the earliest first."""
        task_id = self.view(title).task_id
        assert task_id is not None
        with self.home.store.read() as tx:
            return list(reversed(occurrences.of_task(tx, task_id, limit=1000)))

    def outcomes(self, title: str) -> list[tuple[str, str | None, int]]:
        return [(each.state.value, each.reason, each.count) for each in self.occurrences(title)]

    def dues(self, title: str) -> list[str]:
        """Return the instants, in UTC, of the runs of a task."""
        return [run.due.strftime("%m-%d %H:%M") for run in self.runs(title) if run.due is not None]

    def folder(self, run: Run) -> Path:
        return self.app.documents.run_folder(run)

    def record(self, run: Run) -> dict[str, Any]:
        """Return run.json."""
        return json.loads((self.folder(run) / "run.json").read_text(encoding="utf-8"))

    @property
    def told(self) -> list[str]:
        """What arrived at the chat."""
        return [letter.text for letter in self.phone.arrived]

    def inbox(self) -> list[Message]:
        with self.home.store.read() as tx:
            return self.app.delivery.inbox(tx, limit=500)

    def text(self, folder: str) -> str:
        return (tasks_folder(self.project) / folder / FILE).read_text(encoding="utf-8")

    def now_is(self, instant: str) -> datetime:
        """Set the wall clock before anything has happened."""
        self.clock.jump(parse_instant(instant) - self.clock.now())
        return self.clock.now()
