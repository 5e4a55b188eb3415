"""A goal as its task is shown: how far it is, who is on it, what hangs and why."""

from __future__ import annotations

import pytest
from tests.goals.keeping.houses import TASK, KeptHouse, goal

from zhixing.goals.keeping.viewing import Part, seen, status_of
from zhixing.goals.loop.limits import Limits
from zhixing.goals.loop.values import GraphStatus
from zhixing.goals.running.scripted import (
    MISSED,
    ScriptedBoard,
    ScriptedDeliverer,
    ScriptedPlanner,
    planned,
    scripted_ports,
)
from zhixing.world.channels.memory import MemoryChannel


@pytest.fixture
def house(store, clock):
    """Open a house with these twins outside, and run a goal in it."""

    def run(plans, searches=None, deliverer=None, board=None) -> KeptHouse:
        ports = scripted_ports(ScriptedPlanner(plans, searches or {}), deliverer, board)
        home = KeptHouse(store, clock, ports, MemoryChannel())
        home.run(goal(limits=Limits(max_depth=1)))
        return home

    return run


def look(home: KeptHouse):
    task_id = home.task().id
    with home.store.read() as tx:
        return seen(tx, task_id)


def test_a_goal_under_way_says_how_far_it_is_and_who_is_on_it(house):
    home = house({TASK: [planned("a", "b"), planned()]}, deliverer=ScriptedDeliverer({"b": [None]}))
    found = look(home)
    assert (found.done, found.leaves) == (1, 2)
    assert found.working == (Part("b", "b", "bot-b"),)
    assert (found.hanging, found.unsure, found.relay_wanted) == ((), (), False)
    with home.store.read() as tx:
        assert status_of(tx, "t1") == (TASK, GraphStatus.RUNNING)
        assert status_of(tx, "t2") is None
        assert seen(tx, "t2") is None


def test_what_hangs_is_named_with_its_reason_and_not_what_hangs_for_its_sake(house):
    plans = {TASK: [planned("a"), planned()], "a": [planned()]}
    home = house(plans, {"a": [MISSED]}, board=ScriptedBoard({"strong": 90}))
    found = look(home)
    assert found.hanging == (Part("a", "a", "", "miss_depth_exhausted"),)
    assert (found.relay_wanted, found.relay_owner, found.reason) == (True, "strong", "child_hung")


def test_what_may_not_have_arrived_is_named(house):
    home = house({TASK: [planned("a")]}, deliverer=ScriptedDeliverer(refusals={"a": [RuntimeError("cut")]}))
    assert [each.id for each in look(home).unsure] == ["a"]


def test_a_goal_that_is_being_planned_has_one_part_itself(house):
    home = house({TASK: [planned()]})
    assert (look(home).done, look(home).leaves) == (1, 1)
