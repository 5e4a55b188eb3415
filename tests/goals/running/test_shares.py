"""Bots may think for minutes: however many goals wait for them, a reminder starts at once."""

from __future__ import annotations

import queue
import threading
from dataclasses import dataclass, field

from tests.goals.running.houses import BACKEND, goal

from zhixing.engine.embedded import EmbeddedEngine
from zhixing.engine.model import Job, Share
from zhixing.goals.running.ports import Heard, Question
from zhixing.goals.running.room import opened
from zhixing.goals.running.scripted import ScriptedPlanner, scripted_ports
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
