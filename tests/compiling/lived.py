"""A household task twice: lived through in a home, and compiled and run on the virtual clock of a hub.

What happens is told to both: the home hears a verdict, the hub hears the device. What is compared are commands with
their instants, in milliseconds from the start.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from zhixing.app import App, build
from zhixing.compiling.compiler import compile_task
from zhixing.compiling.model import Compiled, Deed, Site, deed_of
from zhixing.compiling.operations import to_graph
from zhixing.engine import ledger
from zhixing.graphs.simulating.run import simulate
from zhixing.graphs.simulating.script import DeviceEvent, Line, Property, PropertyReport, Script, Signal
from zhixing.household import registry
from zhixing.household.doing import store as doing
from zhixing.household.doing.model import Step, StepState
from zhixing.household.plan import read_plan
from zhixing.kernel.clock import ManualClock
from zhixing.kernel.moments import from_micros, parse_instant, zone
from zhixing.settings import HomeZone, ZoneSource
from zhixing.store.connection import Store
from zhixing.store.migrations import migrate
from zhixing.store.opening import open_store, sqlite_url
from zhixing.tasks import occurrences
from zhixing.world.perception.verdict import Value, Verdict

SHANGHAI = "Asia/Shanghai"
START = parse_instant("2026-10-12T10:00:00+08:00")
"""A Monday."""
PLACES = {
    "door_entrance": (2, 1),
    "window_balcony": (2, 1),
    "motion_entrance": (2, 1),
    "climate_living": (2, 1),
    "climate_kids": (2, 2),
}
"""Which property of each sensor the tests change."""
PRESSES = {"click": 1, "double": 2, "long": 3}

At = tuple[int, Deed]


@dataclass(frozen=True)
class Told:
    """At `at` seconds a sensor shows `value`, or a button is pressed; `holds`: what that says of the condition."""

    at: float
    source: str
    value: Any
    holds: bool

    def signal(self) -> Signal:
        if isinstance(self.value, str):
            return DeviceEvent(self.source, 2, PRESSES[self.value], {})
        return PropertyReport(Property(self.source, *PLACES[self.source]), self.value)


def told(at: float, source: str, value: Any, holds: bool | None = None) -> Told:  # noqa: FBT001
    return Told(at, source, value, bool(value) if holds is None else holds)


class Both:
    """One home with its tasks."""

    def __init__(self, folder: Path, start: datetime = START, zone_name: str = SHANGHAI) -> None:
        self.start = start
        self.clock = ManualClock(start)
        self.store: Store = open_store(sqlite_url(folder / "home.db"))
        migrate(self.store, self.clock)
        self.zone = zone_name
        self.app: App = build(self.store, self.clock, HomeZone(zone_name, ZoneSource.CONFIG), {})

    def apply(self, plan: dict[str, Any]) -> str:
        return self.app.household.apply(read_plan(plan), who="test").slug

    def of(self, plan: dict[str, Any], place: Site | None = None) -> Compiled:
        """Compile a task that is gone afterwards; for the home's own hub, or for one with other devices."""
        slug = self.apply(plan)
        try:
            if place is None:
                return self.compiled(slug)
            return compile_task(self.app.household.get(slug), place, self.clock.now())
        finally:
            self.app.household.delete(slug, who="test", reason="abandoned")

    def compiled(self, slug: str) -> Compiled:
        return to_graph(
            self.app.household, self.app.hub, self.app.graphs.home(), slug, zone=self.zone, now=self.clock.now()
        )

    def ran(self, compiled: Compiled, story: Sequence[Told], seconds: float) -> list[At]:
        """Give what the hub did."""
        assert compiled.rule is not None, [each.text() for each in compiled.left]
        before = {each.signal().property: each.value for each in story if each.at <= 0}
        lines = tuple(
            Line(round(each.at * 1_000), each.signal()) for each in sorted(story, key=lambda one: one.at) if each.at > 0
        )
        script = Script(self.start, zone(self.zone), round(seconds * 1_000), state=before, lines=lines)
        result = simulate(compiled.rule, script)
        return [(each.at_ms, deed_of(each)) for each in result.outputs]

    def lived(self, slug: str, story: Sequence[Told], seconds: float) -> list[At]:
        """Give what the home did. What its devices show already counts as done: a hub does it again."""
        (rule, *_) = self.app.household.get(slug).rules or (None,)
        task_id = self._task(slug)
        for number, each in enumerate(sorted(story, key=lambda one: one.at)):
            self.pass_time(max(each.at, 0))
            event = f"press-{number}" if isinstance(each.value, str) else None
            if event is not None and not each.holds:
                continue
            value = Value.TRUE if each.holds else Value.FALSE
            query = rule.plan.trigger.query
            verdict = Verdict(each.source, query, value, self.clock.now(), firm=True, lasting=True, event=event)
            self.app.rules.ingest([verdict])
            self._pass(self.clock.now())
        self.pass_time(seconds)
        with self.store.read() as tx:
            rows = {each.id: each for each in occurrences.of_task(tx, task_id, 1_000)[::-1]}
            steps = doing.of_occurrences(tx, list(rows))
        found = [(rows[each.occurrence_id].due, each) for each in steps if _given(each)]
        found.sort(key=lambda one: (one[0], one[1].occurrence_id, one[1].number))
        return [(round((due - self.start) / timedelta(milliseconds=1)), _deed(step)) for due, step in found]

    def pass_time(self, seconds: float) -> None:
        """Let time pass until so long after the start, and do what is due."""
        self._pass(self.start + timedelta(seconds=seconds))

    def _task(self, slug: str) -> str:
        with self.store.read() as tx:
            return registry.task_of(tx, slug)

    def _pass(self, end: datetime) -> None:
        while True:
            due = self._due()
            at = end if due is None else min(end, max(due, self.clock.now()))
            self.clock.advance(max(at - self.clock.now(), timedelta(0)))
            if due is None or due > end:
                return
            self.app.engine.drain()

    def _due(self) -> datetime | None:
        with self.store.read() as tx:
            slots = ledger.pending(tx, None, 1)
        return from_micros(slots[0].ready) if slots else None


def _given(step: Step) -> bool:
    return step.state is StepState.DONE or step.reason == "already" or step.state is StepState.UNCONFIRMED


def _deed(step: Step) -> Deed:
    _, siid, number = step.iid.split(".")
    values = step.wanted if isinstance(step.wanted, tuple) else (step.wanted,)
    return step.did, int(siid), int(number), values
