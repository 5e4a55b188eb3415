"""A house with everything a household task is made of, as the program wires it; what is to be done is only noted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.faces.miloco.conftest import Terminal
from tests.household import examples
from tests.household.living import Life
from tests.household.spoken import NOON, Talking

from zhixing.engine.embedded import EmbeddedEngine
from zhixing.engine.model import Run
from zhixing.household import registry, terminations
from zhixing.household.carrying import Carrying
from zhixing.household.cron import CronJobs
from zhixing.household.doing.messaging import MESSAGE
from zhixing.household.operations import Household
from zhixing.household.parts import Parts
from zhixing.household.people import People
from zhixing.household.plan import read_plan
from zhixing.household.terminations import Terminations
from zhixing.household.viewing import TaskView
from zhixing.household.wrapping_up import WrappingUp
from zhixing.kernel.clock import ManualClock
from zhixing.kernel.moments import zone
from zhixing.store.connection import Tx
from zhixing.tasks import occurrences
from zhixing.tasks import store as tasks_store
from zhixing.tasks.occurrence import OccurrenceState
from zhixing.tasks.operations import Tasks
from zhixing.tasks.records.model import Period
from zhixing.tasks.records.operations import Records
from zhixing.tasks.rules.model import Fired
from zhixing.tasks.rules.operations import Rules
from zhixing.tasks.scheduling import Scheduling
from zhixing.tasks.task import Task
from zhixing.world.devices.homeplan import default_home
from zhixing.world.devices.stored import StoreKeeper
from zhixing.world.devices.virtual import VirtualHome
from zhixing.world.perception.verdict import Value, Verdict

SHANGHAI = "Asia/Shanghai"
WHO = "小明"


class House:
    """`did` has what rules answered and jobs said: instant, and the rule's direction or the job.

    While it is `busy`, the work of jobs begins and does not end. Where `restarts`, everything is closed and opened anew
    before every step.
    """

    def __init__(self, home: Any, clock: ManualClock, *, restarts: bool = False, zone_name: str = SHANGHAI) -> None:
        self.clock = clock
        self.did: list[str] = []
        self.busy = False
        self._home = home
        self._zone = zone_name
        self._restarts = restarts
        self.open()

    def open(self) -> None:
        self.store = self._home.store
        self.engine = EmbeddedEngine(self.store, self.clock, owner="甲")
        self.hub = VirtualHome(default_home(), StoreKeeper(self.store, self.clock))
        self.scheduling = Scheduling(self.store, self.engine, self.clock)
        self.records = Records(
            self.engine,
            self.clock,
            renewed=self._renewed,
            first_reached=self._first_reached,
        )
        cameras = tuple(camera.did for camera in self.hub.cameras() if camera.in_use)
        self.rules = Rules(
            self.store,
            self.engine,
            self.clock,
            cameras=lambda: cameras,
            fired=self._fired,
            target_at=self.records.target_at,
        )
        self.tasks = Tasks(
            self.engine,
            self.clock,
            (
                Terminations(self.records.snapshot).on_status_change,
                self.records.on_status_change,
                self.rules.on_status_change,
                self.scheduling.on_status_change,
                self._lives_again,
            ),
        )
        self.wrapping_up = WrappingUp(self.engine, self.clock, self.tasks)
        carrying = Carrying(
            self.engine,
            self.clock,
            tasks=self.tasks,
            scheduling=self.scheduling,
            wrapping_up=self.wrapping_up,
            zone=self._zone,
        )
        parts = Parts(self.clock, self._zone, self.tasks, self.rules, self.records, carrying)
        self.household = Household(self.store, self.hub, parts)
        self.cron = CronJobs(self.store, self.engine, parts, self.scheduling)
        self.people = People(self.store, self.hub)
        self.engine.register(MESSAGE, self._say, gave_up=self.scheduling.action_gave_up)
        self.scheduling.reconcile()
        self.rules.take_up()

    def restart(self) -> None:
        self._home.reopen()
        self.open()

    def step(self) -> None:
        if self._restarts:
            self.restart()

    def apply(self, plan: dict[str, Any]) -> str:
        """Apply a plan; return its slug."""
        self.step()
        return self.household.apply(read_plan(plan), who=WHO).slug

    def view(self, slug: str) -> TaskView:
        return self.household.get(slug)

    def drain(self) -> None:
        self.step()
        self.engine.drain()

    def pass_time(self, span: timedelta, every: timedelta = timedelta(seconds=30)) -> None:
        """Let time pass as it does for a program that runs."""
        end = self.clock.now() + span
        self.drain()
        while self.clock.now() < end:
            self.clock.advance(min(every, end - self.clock.now()))
            self.engine.drain()

    def see(self, slug: str, value: bool | None, *sources: str) -> None:  # noqa: FBT001
        """Let cameras judge the first rule of a task, firmly."""
        (rule, *_) = self.household.get(slug).rules
        said = Value.UNKNOWN if value is None else Value.TRUE if value else Value.FALSE
        where = sources or rule.plan.trigger.sources or (examples.LIVING,)
        self.rules.ingest(
            [Verdict(source, rule.plan.trigger.query, said, self.clock.now(), firm=True) for source in where]
        )
        self.drain()

    def task_id(self, slug: str) -> str:
        with self.store.read() as tx:
            found = registry.newest(tx, slug)
        assert found is not None
        return found

    def task(self, slug: str) -> Task:
        task_id = self.task_id(slug)
        with self.store.read() as tx:
            return tasks_store.get(tx, task_id)

    def ends(self, slug: str) -> list[str]:
        """Give the ways in which the tasks of a slug ended, the latest first."""
        with self.store.read() as tx:
            return [end.reason.value for end in terminations.page(tx) if end.slug == slug]

    def said(self, slug: str) -> list[str]:
        """Write what is in the books of a task in short."""
        task_id = self.task_id(slug)
        with self.store.read() as tx:
            rows = occurrences.of_task(tx, task_id, 1_000)[::-1]
        return [
            " ".join(filter(None, (self.when(row.due), row.part, row.state.value, row.reason or ""))) for row in rows
        ]

    def when(self, at: datetime) -> str:
        return f"{at.astimezone(zone(self._zone)):%m-%d %H:%M:%S}"

    def pending(self) -> list[str]:
        """Give the names of the jobs that would still be started."""
        with self.store.read() as tx:
            return sorted(name for (name,) in tx.rows("SELECT name FROM jobs WHERE state IN ('pending', 'running')"))

    def count(self, *tables: str) -> dict[str, int]:
        with self.store.read() as tx:
            return {table: int((tx.row(f"SELECT count(*) FROM {table}") or (0,))[0]) for table in tables}

    # What is made first calls what is made later.

    def _renewed(self, tx: Tx, task_id: str) -> None:
        self.rules.retarget(tx, task_id)

    def _first_reached(self, tx: Tx, task_id: str, period: Period, at: datetime) -> None:
        self.wrapping_up.first_reached(tx, task_id, period, at)

    def _lives_again(self, tx: Tx, before: Task, after: Task) -> None:
        self.wrapping_up.on_status_change(tx, before, after)

    def _fired(self, tx: Tx, fires: Sequence[Fired]) -> None:
        for one in fires:
            self.did.append(f"{self.when(one.at)} {one.rule.id} {one.direction.value}")
            self.scheduling.finish_occurrence(tx, one.occurrence_id, OccurrenceState.DONE)

    def _say(self, run: Run) -> None:
        if self.busy:
            with run.checkpoint() as tx:
                self.scheduling.start_occurrence(tx, run.job.payload["occurrence"])
            return
        with run.commit() as tx:
            occurrence = occurrences.get(tx, run.job.payload["occurrence"])
            self.did.append(f"{self.when(occurrence.due)} {run.job.payload['job']}")
            self.scheduling.finish_occurrence(tx, occurrence.id, OccurrenceState.DONE)


@pytest.fixture(params=["in one go", "with restarts"])
def house(request: pytest.FixtureRequest, home: Any, clock: ManualClock) -> House:
    return House(home, clock, restarts=request.param == "with restarts")


@pytest.fixture
def steady_house(home: Any, clock: ManualClock) -> House:
    """Give the same, where nothing restarts unless the test says so."""
    return House(home, clock)


@pytest.fixture(params=["in one go", "with restarts"])
def live_in(request: pytest.FixtureRequest, home: Any, clock: ManualClock, tmp_path: Path) -> Callable[..., Life]:
    """Give homes as they are lived in: in a zone, from an instant on; with restarts everywhere, too."""

    def live(zone_name: str = SHANGHAI, start: str | None = None, lag: int = 0) -> Life:
        if start is not None:
            clock.jump(datetime.fromisoformat(start) - clock.now())
        return Life(
            home,
            clock,
            terminal=Terminal(tmp_path / "home", clock, {"ZHIXING_STORE_URL": home.url, "TZ": zone_name}),
            zone_name=zone_name,
            restarts=request.param == "with restarts",
            lag=timedelta(seconds=lag),
        )

    return live


@pytest.fixture
def talking(home: Any) -> Callable[..., Talking]:
    """Return what opens a home that is talked to, on either database."""
    return lambda model=None: Talking(home, ManualClock(NOON), model)
