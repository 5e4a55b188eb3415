"""Real groups under the deliverer, and the whole house with an engine of its own threads."""

from __future__ import annotations

import threading

from tests.goals.reaching.towns import BACKEND, TASK, Owner, Worker, goal, profile

from zhixing.engine.embedded import EmbeddedEngine
from zhixing.goals.bots.profiles import Catalog
from zhixing.goals.groups.operations import Groups
from zhixing.goals.loop.limits import Limits
from zhixing.goals.loop.values import GraphStatus
from zhixing.goals.reaching.room import furnish
from zhixing.goals.reaching.runs import talks_reported, turns_counted
from zhixing.goals.running.ports import Ports
from zhixing.goals.running.room import opened
from zhixing.goals.running.scripted import ScriptedTeller, passed, planned
from zhixing.kernel.clock import SystemClock
from zhixing.world.bots.port import Said

SEVERAL = '{"outcome": "HIT_MULTI_BOTS", "bot_ids": ["x", "y"], "collab_mode": "manager_worker", "manager_bot_id": "x"}'


class Heralding(ScriptedTeller):
    """People who wait for the end."""

    def __init__(self) -> None:
        super().__init__()
        self.done = threading.Event()

    def tell(self, news):
        super().tell(news)
        if news.topic == "done":
            self.done.set()


class House:
    """Everything a goal needs, as the program puts it together."""

    def __init__(self, store, clock, profiles, bots) -> None:
        self.engine = EmbeddedEngine(store, clock, owner="甲")
        catalog = Catalog(tuple(profiles))
        groups = Groups(
            store,
            self.engine,
            clock,
            catalog=lambda: catalog,
            ask=lambda each, errand: bots[each.id].ask(errand),
            ended=talks_reported(lambda: self.goals),
            used=turns_counted(lambda: self.goals),
        )
        reaching = furnish(
            store,
            self.engine,
            clock,
            catalog=lambda: catalog,
            reach=lambda each: bots[each.id],
            fallback=None,
            overlays=(),
            groups=groups,
            goals_of=lambda: self.goals,
        )
        self.teller = Heralding()
        ports = Ports(reaching.planner, reaching.deliverer, reaching.board, self.teller)
        self.goals = opened(store, self.engine, clock, ports, backend=BACKEND)


def neighbours(*leaves: str, searches):
    profiles = [profile("owner"), *(profile(each) for each in ("bot-a", "bot-b", "x", "y"))]
    owner = Owner({TASK: [planned(*leaves), planned()]}, searches)
    bots = {"owner": owner, "bot-a": Worker(), "bot-b": Worker()}
    bots["x"] = Worker(passed("what we found"))
    bots["y"] = Worker("my part")
    return profiles, bots


def test_a_leaf_of_a_group_is_talked_through_and_ends_as_its_reporter_says(store, clock):
    profiles, bots = neighbours("a", searches={"a": [SEVERAL]})
    house = House(store, clock, profiles, bots)
    assert house.goals.execute(goal()).status == 200
    house.engine.drain()
    graph = house.goals.graph(TASK)
    assert graph.head.status is GraphStatus.DONE
    assert graph.nodes["a"].run.output == {"output": "what we found"}
    assert bots["y"].errands


def test_what_the_turns_of_a_group_use_counts_once(store, clock):
    profiles, bots = neighbours("a", searches={"a": [SEVERAL]})
    bots["x"], bots["y"] = Worker(Said(passed("found"), tokens=7, cost=0.5)), Worker(Said("my part", tokens=5))
    house = House(store, clock, profiles, bots)
    assert house.goals.execute(goal()).status == 200
    house.engine.drain()
    turns = 7 * len(bots["x"].errands) + 5 * len(bots["y"].errands)
    assert house.goals.graph(TASK).head.spent.tokens == turns + len(bots["owner"].errands)


def test_a_group_that_talks_on_and_on_stops_when_nothing_is_left_to_use(store, clock):
    profiles, bots = neighbours("a", searches={"a": [SEVERAL]})
    bots["x"], bots["y"] = Worker(Said("还没好，再看看", tokens=100)), Worker(Said("嗯", tokens=100))
    house = House(store, clock, profiles, bots)
    assert house.goals.execute(goal(limits=Limits(tokens=500))).status == 200
    house.engine.drain()
    graph = house.goals.graph(TASK)
    assert (graph.head.status, graph.head.hung_reason) == ("HUNG", "budget_exhausted")
    assert 500 <= graph.head.spent.tokens <= 800
    assert "budget_warning" in house.teller.topics


def test_bots_and_groups_work_side_by_side_in_the_background(store):
    profiles, bots = neighbours("a", "b", "c", searches={"c": [SEVERAL]})
    house = House(store, SystemClock(), profiles, bots)
    house.engine.start()
    try:
        assert house.goals.execute(goal()).status == 200
        assert house.teller.done.wait(60)
    finally:
        house.engine.stop()
    states = {each.id: each.status.value for each in house.goals.graph(TASK).nodes.values()}
    assert states == {TASK: "DONE", "a": "DONE", "b": "DONE", "c": "DONE"}
    assert [len(bots[each].errands) for each in ("bot-a", "bot-b")] == [1, 1]
