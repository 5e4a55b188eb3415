"""A power cut at any write leaves a goal with its task or neither, both at one, and no news told twice."""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta

import pytest
from tests.goals.keeping.houses import TASK, KeptHouse, goal
from tests.goals.running.test_crashes import Breaking, OneCut, PowerCut

from zhixing.goals.loop.values import GraphStatus
from zhixing.goals.running.scripted import ScriptedDeliverer, ScriptedPlanner, planned, scripted_ports
from zhixing.store.connection import Store
from zhixing.tasks.task import Status
from zhixing.world.channels.memory import MemoryChannel

STRIDE = {"sqlite": 1, "postgresql": 4}
"""Every write is cut once on the one database; every fourth, for its own locks, on the other."""
MOST_CUTS = 60


def live(store: Store, clock, fate, end: str) -> tuple[KeptHouse, MemoryChannel]:
    """Start again after every cut until the goal has ended."""
    never_ends = {"a": [None]} if end == "delete" else {}
    ports = scripted_ports(ScriptedPlanner({TASK: [planned("a"), planned()]}), ScriptedDeliverer(never_ends))
    phone = MemoryChannel(idempotent=True)
    for _ in range(20):
        breaking = Breaking(store, fate)
        home = KeptHouse(breaking, clock, ports, phone)
        with suppress(PowerCut):
            home.goals.take_up()
            assert home.goals.execute(goal()).status == 200
            home.engine.drain()
            if end == "delete" and home.task().status is Status.ACTIVE:
                home.do("delete")
            home.engine.drain()
            return home, phone
        check_at_one(store)
        # What the dead process held is free again when its lease has run out.
        clock.advance(timedelta(minutes=5))
    raise AssertionError("it never ended")


def check_at_one(store: Store) -> None:
    """Check that no goal is without its task, and that both have ended or neither."""
    with store.read() as tx:
        pairs = tx.rows(
            "SELECT goals.status, tasks.status FROM goals LEFT JOIN goal_tasks ON goal_tasks.goal_id = goals.task_id"
            " LEFT JOIN tasks ON tasks.id = goal_tasks.task_id"
        )
        assert tx.row("SELECT count(*) FROM tasks") == (len(pairs),)
    ends = {"RUNNING": "active", "DONE": "completed", "CANCELLED": "deleted"}
    assert [task for _, task in pairs] == [ends[status] for status, _ in pairs]


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("end", ["done", "delete"])
def test_goal_and_task_are_at_one_and_news_are_told_once(home, clock, dialect, when, end):
    for at in range(1, MOST_CUTS, STRIDE[dialect]):
        fate = OneCut(at, when)
        lived, phone = live(home.store, clock, fate, end)
        assert lived.graph.head.status is (GraphStatus.DONE if end == "done" else GraphStatus.CANCELLED)
        check_at_one(home.store)
        assert [each.text.splitlines()[0] for each in phone.arrived] == (["做完了。"] if end == "done" else [])
        assert len(lived.inbox()) == len(phone.arrived)
        kinds = lived.kinds()
        assert len(set(kinds)) == len(kinds)
        if fate.count < at:
            return
        with home.store.write() as tx:
            for table in ("goals", "goal_nodes", "goal_log", "goal_sendings", "goal_tasks", "tasks", "journal", "jobs"):
                tx.execute(f"DELETE FROM {table}")
            for table in ("messages", "occurrences"):
                tx.execute(f"DELETE FROM {table}")
    raise AssertionError("there were more writes than cuts")
