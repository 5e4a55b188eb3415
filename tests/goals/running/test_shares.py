"""Bots may think for minutes: however many goals wait for them, a reminder starts at once."""

from __future__ import annotations

import queue
import threading
from dataclasses import dataclass, field

from tests.goals.running.houses import BACKEND, goal

from zhixing.engine.embedded import EmbeddedEngine
from zhixing.engine.model import Job, Share
from zhixing.goals.running.ports import Arrived, Delivery, Heard, Place, Question
from zhixing.goals.running.room import SENDING, opened
from zhixing.goals.running.scripted import ScriptedDeliverer, ScriptedPlanner, planned, scripted_ports
from zhixing.kernel.clock import SystemClock

SOON = 20
GOALS = 60


@dataclass(slots=True)
class Thinking(ScriptedPlanner):
    """An owner bot that thinks until it is told to stop."""

    began: queue.Queue[str] = field(default_factory=queue.Queue)
    enough: threading.Event = field(default_factory=threading.Event)

    def ask(self, question: Question) -> Heard:
        self.began.put(question.task_id)
        assert self.enough.wait(SOON)
        return Heard("nothing comes to mind")


@dataclass(slots=True)
class Dawdling(ScriptedDeliverer):
    """Bots that keep whoever brings an errand until they are told to stop; only `quick` takes it at once."""

    kept: queue.Queue[str] = field(default_factory=queue.Queue)
    enough: threading.Event = field(default_factory=threading.Event)
    collecting: threading.Event = field(default_factory=threading.Event)
    collected: threading.Event = field(default_factory=threading.Event)

    def deliver(self, delivery: Delivery) -> Arrived:
        if delivery.node_id != "quick":
            self.kept.put(delivery.node_id)
            assert self.enough.wait(SOON)
        return ScriptedDeliverer.deliver(self, delivery)

    def poll(self, place: Place) -> Heard | None:
        if place.node_id == "quick":
            self.collecting.set()
            for _ in range(SENDING.most):
                self.kept.get(timeout=SOON)
            self.collected.set()
        return ScriptedDeliverer.poll(self, place)


def test_a_result_is_collected_while_bots_keep_everybody_who_brings_something(store):
    names = ["quick", *(f"slow{number}" for number in range(GOALS))]
    planner = ScriptedPlanner({f"g-{each}": (planned(each), planned()) for each in names})
    deliverer = Dawdling()
    engine = EmbeddedEngine(store, SystemClock(), owner="甲")
    goals = opened(store, engine, SystemClock(), scripted_ports(planner, deliverer), backend=BACKEND)
    engine.start()
    try:
        assert goals.execute(goal("g-quick")).status == 200
        assert deliverer.collecting.wait(SOON)
        # Collecting has begun, and must not have one of the places of those who bring something.
        for each in names[1:]:
            assert goals.execute(goal(f"g-{each}")).status == 200
        assert deliverer.collected.wait(SOON)
    finally:
        deliverer.enough.set()
        engine.stop()


def test_a_reminder_starts_while_every_goal_waits_for_its_bot(store):
    clock, planner, rung = SystemClock(), Thinking({}), threading.Event()
    engine = EmbeddedEngine(store, clock, owner="甲")
    goals = opened(store, engine, clock, scripted_ports(planner), backend=BACKEND, share=Share("bots", 5))
    engine.register("ring", lambda _: rung.set())
    for number in range(GOALS):
        assert goals.execute(goal(f"g{number}")).status == 200
    engine.start()
    try:
        assert {planner.began.get(timeout=SOON) for _ in range(5)} == {f"g{number}" for number in range(5)}
        with store.write() as tx:
            engine.enqueue(tx, Job("ring", "take your medicine", clock.now()))
        assert rung.wait(SOON)
        assert planner.began.empty()
    finally:
        planner.enough.set()
        engine.stop()
