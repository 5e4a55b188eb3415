"""A small office: an engine that is drained by hand, tasks with schedules, and an action that does as it is told."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from zhixing.engine.embedded import EmbeddedEngine
from zhixing.engine.model import Handler, Job, Retry, RetryAt, Run
from zhixing.kernel.clock import ManualClock
from zhixing.kernel.moments import zone
from zhixing.store.connection import Tx
from zhixing.tasks import journal, occurrences
from zhixing.tasks.journal import Entry
from zhixing.tasks.occurrence import Occurrence, OccurrenceState
from zhixing.tasks.operations import Tasks
from zhixing.tasks.schedule.expression import parse_expression
from zhixing.tasks.schedule.model import Action, Schedule
from zhixing.tasks.scheduling import Scheduling
from zhixing.tasks.task import PERMANENT, Lifecycle, Task, Way

SHANGHAI = "Asia/Shanghai"


class Office:
    """The room as the program wires it. Where `restarts`, everything is closed and opened anew before every step.

    The action `tell` notes the instant it is for in `told` and finishes. While the office is `busy` it begins, and
    comes back every minute to see whether it may finish; while it is `broken` it fails. `refusals` ticks fail. The
    clock is stepped by `jolt` when the next handler begins.
    """

    def __init__(self, home: Any, clock: ManualClock, *, restarts: bool) -> None:
        self.clock = clock
        self.told: list[str] = []
        self.busy = False
        self.broken = False
        self.refusals = 0
        self.jolt = timedelta(0)
        self._home = home
        self._restarts = restarts
        self.open()

    def open(self) -> None:
        self.store = self._home.store
        self._worker = EmbeddedEngine(self.store, self.clock, owner="甲")
        engine = StubbornEngine(self._worker, self)
        self.scheduling = Scheduling(self.store, engine, self.clock)
        self.tasks = Tasks(engine, self.clock, [self.scheduling.on_status_change])
        engine.register("tell", self._tell, Retry(attempts=2), gave_up=self.scheduling.action_gave_up)
        engine.register("tell in vain", self._fail, Retry(attempts=1))
        self.engine = engine

    def restart(self) -> int:
        """Close everything and open it as the program does at start; return how much was set right."""
        self._home.reopen()
        self.open()
        return self.scheduling.reconcile()

    def step(self) -> None:
        if self._restarts:
            self.restart()

    def add_task(self, lifecycle: Lifecycle = PERMANENT, title: str = "喝水") -> Task:
        self.step()
        with self.store.write() as tx:
            return self.tasks.create(
                tx, title=title, way=Way.HOUSEHOLD, zone_name=SHANGHAI, lifecycle=lifecycle, who="小明"
            )

    def add(
        self, task: Task | str, expression: str, *, part: str = "daily", zone_name: str = SHANGHAI, **rest: Any
    ) -> Schedule:
        self.step()
        trigger = parse_expression(expression, zone(zone_name), self.clock.now())
        given = {"action": Action("tell", {"text": "喝水"}), "who": "小明"} | rest
        with self.store.write() as tx:
            task_id = task if isinstance(task, str) else task.id
            return self.scheduling.add(tx, task_id, part=part, trigger=trigger, zone_name=zone_name, **given)

    def do(self, operation: str, task: Task, **rest: Any) -> Task:
        """Run an operation of `Tasks` by its name."""
        self.step()
        with self.store.write() as tx:
            return getattr(self.tasks, operation)(tx, task.id, **({"who": "小明"} | rest))

    def drain(self) -> int:
        self.step()
        return self._worker.drain()

    def pass_time(self, span: timedelta, every: timedelta = timedelta(minutes=1)) -> None:
        """Let time pass as it does for a program that runs: it looks `every` so often."""
        end = self.clock.now() + span
        while self.clock.now() < end:
            self.clock.advance(min(every, end - self.clock.now()))
            self._worker.drain()

    def rows(self, task: Task) -> list[Occurrence]:
        """Give the occurrences of a task, the earliest first."""
        with self.store.read() as tx:
            return occurrences.of_task(tx, task.id, limit=1_000)[::-1]

    def said(self, task: Task, tz: str = SHANGHAI) -> list[str]:
        """Write the occurrences of a task in short: instant, state, reason and count."""
        return [short(occurrence, zone(tz)) for occurrence in self.rows(task)]

    def pending(self) -> list[str]:
        """Give the names of the jobs that would still be started."""
        with self.store.read() as tx:
            return [name for (name,) in tx.rows("SELECT name FROM jobs WHERE state IN ('pending', 'running')")]

    def entries(self, task: Task) -> list[Entry]:
        with self.store.read() as tx:
            return journal.of_task(tx, task.id, limit=1_000)[::-1]

    def _tell(self, run: Run) -> None:
        name = run.job.payload["occurrence"]
        if self.broken:
            raise RuntimeError("没有应答")
        if self.busy:
            with run.checkpoint() as tx:
                self.scheduling.start_occurrence(tx, name)
            raise RetryAt(self.clock.now() + timedelta(minutes=1), "busy")
        with run.commit() as tx:
            self.scheduling.finish_occurrence(tx, name, OccurrenceState.DONE)
            self.told.append(run.job.payload["due"])

    def _fail(self, run: Run) -> None:
        raise RuntimeError(run.job.key)


def short(occurrence: Occurrence, tz: ZoneInfo) -> str:
    words = [f"{occurrence.due.astimezone(tz):%m-%d %H:%M}", occurrence.state.value]
    words += [] if occurrence.reason is None else [occurrence.reason]
    words += [] if occurrence.count == 1 else [str(occurrence.count)]
    return " ".join(words)


class StubbornEngine:
    """The real engine, except that handlers meet what the office has in store for them."""

    def __init__(self, engine: EmbeddedEngine, office: Office) -> None:
        self._engine = engine
        self._office = office

    def __getattr__(self, name: str) -> Any:
        return getattr(self._engine, name)

    def register(self, name: str, handler: Handler, *rest: Any, **options: Any) -> None:
        def handle(run: Run) -> None:
            self._office.clock.jump(self._office.jolt)
            self._office.jolt = timedelta(0)
            handler(run)

        self._engine.register(name, handle, *rest, **options)

    def enqueue_all(self, tx: Tx, jobs: list[Job]) -> int:
        if self._office.refusals:
            self._office.refusals -= 1
            raise OSError("满了")
        return self._engine.enqueue_all(tx, jobs)


@pytest.fixture(params=["in one go", "with restarts"])
def office(request: pytest.FixtureRequest, home, clock: ManualClock) -> Office:
    return Office(home, clock, restarts=request.param == "with restarts")


@pytest.fixture
def steady_office(home, clock: ManualClock) -> Office:
    """Give the same, where nothing restarts unless the test says so."""
    return Office(home, clock, restarts=False)


@pytest.fixture
def wall() -> Callable[[str], datetime]:
    """Read `month-day hour:minute` of 2026 in Shanghai."""
    return lambda text: datetime.strptime(f"2026-{text}", "%Y-%m-%d %H:%M").replace(tzinfo=zone(SHANGHAI))
