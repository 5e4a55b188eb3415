"""A ledger: tasks with records, an engine drained by hand, and everything closed and opened anew between the steps."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import pytest

from zhixing.engine.embedded import EmbeddedEngine
from zhixing.kernel.clock import ManualClock
from zhixing.kernel.moments import zone
from zhixing.tasks import journal
from zhixing.tasks.journal import Entry
from zhixing.tasks.operations import Tasks
from zhixing.tasks.records.content import read_content
from zhixing.tasks.records.model import Written
from zhixing.tasks.records.operations import Records
from zhixing.tasks.records.views import RecordView
from zhixing.tasks.task import PERMANENT, Lifecycle, Task, Way

SHANGHAI = "Asia/Shanghai"


class Ledger:
    """The room as the program wires it. `reached` and `renewed` note what the hooks were called with."""

    def __init__(self, home: Any, clock: ManualClock, *, restarts: bool) -> None:
        self.clock = clock
        self.reached: list[tuple[str, str, datetime]] = []
        self.renewed: list[str] = []
        self.keys = 0
        self._home = home
        self._restarts = restarts
        self.open()

    def open(self) -> None:
        self.store = self._home.store
        self.engine = EmbeddedEngine(self.store, self.clock, owner="甲")
        self.records = Records(
            self.engine,
            self.clock,
            renewed=lambda _tx, task_id: self.renewed.append(task_id),
            first_reached=lambda _tx, task_id, period, at: self.reached.append((task_id, period.day.isoformat(), at)),
        )
        self.tasks = Tasks(self.engine, self.clock, [self.records.on_status_change])

    def step(self) -> None:
        if self._restarts:
            self._home.reopen()
            self.open()

    def task(self, kind: str, content: Mapping[str, Any], *, tz: str = SHANGHAI, life: Lifecycle = PERMANENT) -> Task:
        """Make a task with a record."""
        self.step()
        with self.store.write() as tx:
            made = self.tasks.create(tx, title="喝水", way=Way.HOUSEHOLD, zone_name=tz, lifecycle=life, who="小明")
            self.records.init(tx, made.id, read_content(kind, content), who="小明")
        return made

    def do(self, operation: str, task: Task, *given: Any, **rest: Any) -> Any:
        """Run an operation of `Records`, in a transaction of its own."""
        self.step()
        with self.store.write() as tx:
            return getattr(self.records, operation)(tx, task.id, *given, **({"who": "小明"} | rest))

    def write(
        self, operation: str, task: Task, *given: Any, at: datetime | str | None = None, key: str | None = None
    ) -> Written:
        """Run a write, for now and under a new key unless told otherwise; a text is a wall clock of the task's zone."""
        self.keys += 1
        if isinstance(at, str):
            at = self.wall(at, task.zone)
        return self.do(operation, task, *given, at=at or self.clock.now(), key=key or f"k{self.keys}")

    def change(self, operation: str, task: Task) -> Task:
        """Run an operation of `Tasks`."""
        self.step()
        with self.store.write() as tx:
            return getattr(self.tasks, operation)(tx, task.id, who="小明")

    def ask(self, operation: str, task: Task, **rest: Any) -> Any:
        """Read something."""
        self.step()
        with self.store.read() as tx:
            return getattr(self.records, operation)(tx, task.id, **rest)

    def view(self, task: Task) -> RecordView:
        return self.ask("get", task)

    def derived(self, task: Task) -> dict[str, Any]:
        return self.view(task).shape()["derived"]

    def entries(self, task: Task) -> list[Entry]:
        with self.store.read() as tx:
            return journal.of_task(tx, task.id, limit=1_000)[::-1]

    def go_to(self, text: str, tz: str = SHANGHAI) -> None:
        """Let time pass until a wall clock shows `month-day hour:minute[:second]` of 2026."""
        self.clock.advance(self.wall(text, tz) - self.clock.now())

    @staticmethod
    def wall(text: str, tz: str = SHANGHAI, fold: int = 0) -> datetime:
        form = "%Y-%m-%d %H:%M:%S" if text.count(":") == 2 else "%Y-%m-%d %H:%M"
        return datetime.strptime(f"2026-{text}", form).replace(tzinfo=zone(tz), fold=fold)


@pytest.fixture(params=["in one go", "with restarts"])
def ledger(request: pytest.FixtureRequest, home, clock: ManualClock) -> Ledger:
    return Ledger(home, clock, restarts=request.param == "with restarts")


@pytest.fixture
def steady(home, clock: ManualClock) -> Ledger:
    """Give the same, where nothing restarts."""
    return Ledger(home, clock, restarts=False)
