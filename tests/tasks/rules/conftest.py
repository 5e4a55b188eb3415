"""A small house: an engine that is drained by hand, tasks with rules, and hooks that note what they are told."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from zhixing.engine.embedded import EmbeddedEngine
from zhixing.kernel.clock import ManualClock
from zhixing.store.connection import Tx
from zhixing.tasks import journal
from zhixing.tasks.journal import Entry, Kind
from zhixing.tasks.operations import Tasks
from zhixing.tasks.rules.model import Agreement, Fired, Mode, Plan, Response, Rule, Trigger
from zhixing.tasks.rules.operations import Rules
from zhixing.tasks.rules.tally import Taken
from zhixing.tasks.task import PERMANENT, Lifecycle, Task, Way
from zhixing.world.perception.verdict import Value, Verdict

SHANGHAI = "Asia/Shanghai"
START = datetime.fromisoformat("2026-10-12T02:00:00+00:00")
SAY = Response(descs=("说一声",))
VALUES = {"T": Value.TRUE, "F": Value.FALSE, "U": Value.UNKNOWN}


def plan(
    mode: str = "event",
    *,
    name: str = "有人",
    query: str = "有人",
    sources: Sequence[str] = ("cam1",),
    agreement: str = "any",
    duration: int = 0,
    tolerance: int = 30,
    expiry: int | None = 180,
    **rest: Any,
) -> Plan:
    trigger = Trigger(query, tuple(sources), Agreement(agreement), Mode(mode), duration, tolerance, expiry)
    given: dict[str, Any] = {"on_enter": SAY} | ({"on_exit": SAY} if mode == "state" else {}) | rest
    return Plan(name, trigger, **given)


def at(seconds: float, start: datetime = START) -> datetime:
    return start + timedelta(seconds=seconds)


def verdict(value: str, seconds: float, source: str = "cam1", query: str = "有人", **rest: Any) -> Verdict:
    return Verdict(source, query, VALUES[value], at(seconds), **rest)


def frames(
    text: str, *, every: float = 4, first: float = 0, source: str = "cam1", query: str = "有人"
) -> list[Verdict]:
    """Read `T F U .`, one verdict every few seconds; a dot is a frame without one."""
    return [
        verdict(letter, first + every * index, source, query)
        for index, letter in enumerate(text.replace(" ", ""))
        if letter != "."
    ]


class House:
    """The room as the program wires it. Where `restarts`, everything is closed and opened anew before every step."""

    def __init__(self, home: Any, clock: ManualClock, *, restarts: bool) -> None:
        self.home = home
        self.clock = clock
        self.restarts = restarts
        self.cameras: list[str] = ["cam1", "cam2"]
        self.fired: list[Fired] = []
        self.stopped: list[str] = []
        self.targets: dict[str, datetime] = {}
        self.asides: list[Callable[[Tx, Fired], None]] = []
        """What a hook does besides taking note."""
        self.open()

    def open(self) -> None:
        self.store = self.home.store
        self.engine = EmbeddedEngine(self.store, self.clock, owner="甲")
        self.rules = Rules(
            self.store,
            self.engine,
            self.clock,
            cameras=lambda: self.cameras,
            fired=self._fired,
            target_at=lambda _, task_id: self.targets.get(task_id),
            stopped=lambda _, rule: self.stopped.append(rule.id),
        )
        self.tasks = Tasks(self.engine, self.clock, [self.rules.on_status_change])

    def restart(self) -> None:
        self.home.reopen()
        self.open()
        self.rules.take_up()

    def step(self) -> None:
        if self.restarts:
            self.restart()

    def add_task(self, title: str = "看家", lifecycle: Lifecycle = PERMANENT) -> Task:
        with self.store.write() as tx:
            return self.tasks.create(
                tx, title=title, way=Way.HOUSEHOLD, zone_name=SHANGHAI, lifecycle=lifecycle, who="小明"
            )

    def add(self, mode: str = "event", *, task: Task | None = None, **rest: Any) -> Rule:
        owner = task or self.add_task()
        self.step()
        with self.store.write() as tx:
            return self.rules.create(tx, owner.id, plan(mode, **rest), who="小明")

    def do(self, operation: str, subject: Rule | Task, *args: Any) -> Any:
        """Run an operation on a rule or a task by its name."""
        self.step()
        room = self.rules if isinstance(subject, Rule) else self.tasks
        with self.store.write() as tx:
            return getattr(room, operation)(tx, subject.id, *args, who="小明")

    def take(self, verdicts: Iterable[Verdict]) -> Taken:
        self.step()
        return self.rules.ingest(list(verdicts))

    def play(self, verdicts: Iterable[Verdict], until: float | datetime | None = None) -> None:
        """Let time pass as verdicts come in, each at its instant, and go on to `until`."""
        for each in sorted(verdicts, key=lambda verdict: verdict.at):
            self.pass_until(each.at)
            self.take([each])
        if until is not None:
            self.pass_until(until if isinstance(until, datetime) else at(until))

    def pass_until(self, instant: datetime) -> None:
        """Let time pass, stopping wherever the engine has something to do."""
        self.step()
        while self.clock.now() < instant:
            self.engine.drain()
            due = self.next_job()
            stop = instant if due is None or due > instant else max(due, self.clock.now())
            self.clock.advance(max(stop - self.clock.now(), timedelta(0)))
            if stop is not instant:
                self.engine.drain()
        self.engine.drain()

    def next_job(self) -> datetime | None:
        from zhixing.kernel.moments import from_micros

        with self.store.read() as tx:
            row = tx.row("SELECT min(ready) FROM jobs WHERE state = 'pending'")
        return None if row is None or row[0] is None else from_micros(row[0])

    def _fired(self, tx: Tx, fires: Sequence[Fired]) -> None:
        for fired in fires:
            self.fired.append(fired)
            for aside in list(self.asides):
                aside(tx, fired)

    @property
    def said(self) -> list[str]:
        """Write what fired in short: rule, direction and the second it is for."""
        return [f"{each.rule.id} {each.direction} {seconds(each.at)}" for each in self.fired]

    def entries(self, task_id: str, kind: Kind | None = None) -> list[Entry]:
        with self.store.read() as tx:
            found = journal.of_task(tx, task_id, limit=1_000)[::-1]
        return [entry for entry in found if kind is None or entry.kind is kind]

    def near_misses(self, rule: Rule) -> list[str]:
        found = self.entries(rule.task_id, Kind.NEAR_MISS)
        return [entry.why for entry in found if entry.data["rule"] == rule.id]


def seconds(instant: datetime) -> str:
    return f"{(instant - START).total_seconds():.10g}"


@pytest.fixture(params=["in one go", "with restarts"])
def house(request: pytest.FixtureRequest, home, clock: ManualClock) -> House:
    return House(home, clock, restarts=request.param == "with restarts")


@pytest.fixture
def steady_house(home, clock: ManualClock) -> House:
    """Give the same, where nothing restarts unless the test says so."""
    return House(home, clock, restarts=False)


@pytest.fixture
def changed() -> Callable[..., Plan]:
    """Give a plan with some of it changed; what is of the trigger is looked for there."""

    def changed(before: Plan, **parts: Any) -> Plan:
        of_trigger = {name: value for name, value in parts.items() if hasattr(before.trigger, name)}
        rest = {name: value for name, value in parts.items() if name not in of_trigger}
        return replace(before, trigger=replace(before.trigger, **of_trigger), **rest)

    return changed
