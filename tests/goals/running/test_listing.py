"""Goals in lists: by owner and state, page by page, with what relays did."""

from __future__ import annotations

import pytest
from tests.goals.running.houses import TASK, House, goal

from zhixing.goals.loop.limits import Limits
from zhixing.goals.loop.model import TaskSpec
from zhixing.goals.loop.values import GraphStatus, NodeStatus
from zhixing.goals.running.listing import Listing, Wanted
from zhixing.goals.running.scripted import MISSED, ScriptedPlanner, planned, scripted_ports


@pytest.fixture
def house(store, clock) -> House:
    planner = ScriptedPlanner({TASK: [planned("a")], "late": [planned("b")]}, {"a": [MISSED]})
    return House(store, clock, scripted_ports(planner))


@pytest.fixture
def listing(store) -> Listing:
    return Listing(store)


def fill(house: House, clock) -> None:
    """Hand in a goal that looks for somebody outside, and, later, one that was given up."""
    house.goals.execute(goal(limits=Limits(max_depth=1)), {"x": 1})
    house.engine.drain()
    clock.advance(clock.now().resolution * 1000)
    house.goals.execute(goal("late"))
    house.goals.cancel("late")


def test_goals_are_found_by_owner_state_and_whether_somebody_is_looked_for(house, listing, clock) -> None:
    fill(house, clock)

    def ids(wanted: Wanted) -> list[str]:
        found = [each.info.task_id for each in listing.page(wanted, 10)]
        assert listing.count(wanted) == len(found)
        return found

    assert ids(Wanted()) == ids(Wanted("u")) == ["late", TASK]
    assert ids(Wanted("other")) == ids(Wanted(statuses=())) == []
    assert ids(Wanted(statuses=[GraphStatus.CANCELLED, GraphStatus.DONE])) == ["late"]
    assert ids(Wanted(bbs_only=True)) == [TASK]


def test_a_page_begins_where_the_one_before_ended(house, listing, clock) -> None:
    fill(house, clock)
    pages = [[each.info.task_id for each in listing.page(Wanted(), 1, offset)] for offset in (0, 1, 2)]
    assert pages == [["late"], [TASK], []]


def test_one_goal_stands_alone_as_it_does_in_lists(house, listing, clock) -> None:
    fill(house, clock)
    found = listing.record(TASK)
    assert found in listing.page(Wanted(), 10)
    assert found is not None
    assert (found.config, found.bbs_mode, found.status) == ({"x": 1}, True, GraphStatus.RUNNING)
    assert listing.record("none") is None


def test_relays_are_found_by_state_and_title(house, listing, clock) -> None:
    fill(house, clock)
    assert listing.relayed() == ()
    house.goals.claim(TASK, "r1")
    node_id = house.goals.attach(TASK, "r1", TASK, TaskSpec(title="Relay", objective="the rest")).data["node_id"]
    for found in (listing.relayed(), listing.relayed([NodeStatus.RUNNING], "relay"), listing.relayed(word="REST")):
        assert [each.node.id for each in found] == [node_id]
    assert listing.relayed([NodeStatus.DONE]) == listing.relayed(word="none") == ()
