"""A process that works on the goals of a test: url, file of deliveries, and how many of them it makes before it stalls.

It says what people are told, and "stalled" when a delivery has left and does not come back.
"""

from __future__ import annotations

import os
import sys
import threading
from datetime import timedelta
from pathlib import Path

from zhixing.engine.embedded import EmbeddedEngine
from zhixing.goals.running.ports import Arrived, Delivery, News
from zhixing.goals.running.room import opened
from zhixing.goals.running.scripted import ScriptedDeliverer, ScriptedPlanner, planned, scripted_ports
from zhixing.kernel.clock import SystemClock
from zhixing.store.opening import open_store

url, deliveries, most = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
GOALS = [f"g{number}" for number in range(8)]


def say(line: str) -> None:
    os.write(1, f"{line}\n".encode())


class Executors(ScriptedDeliverer):
    """Executors that all processes share: what they got is in a file."""

    def deliver(self, delivery: Delivery) -> Arrived:
        with deliveries.open("a") as file:
            file.write(f"{delivery.key}\n")
        arrived = ScriptedDeliverer.deliver(self, delivery)
        if len(self.delivered) >= most:
            say("stalled")
            threading.Event().wait()
        return arrived

    def whereabouts(self, delivery: Delivery):
        known = delivery.key in deliveries.read_text().splitlines()
        return Arrived(run_id="found") if known else "not_sent"


class People:
    def tell(self, news: News) -> None:
        say(f"{news.topic} {news.task_id}")


store, clock = open_store(url), SystemClock()
engine = EmbeddedEngine(store, clock, owner="甲", lease=timedelta(seconds=1), workers=4)
planner = ScriptedPlanner({task: [planned(f"{task}a", f"{task}b"), planned()] for task in GOALS})
ports = scripted_ports(planner, Executors(), teller=People())
goals = opened(store, engine, clock, ports, backend="https://goals.example")
goals.take_up()
engine.start()
say("ready")
sys.stdin.read()
