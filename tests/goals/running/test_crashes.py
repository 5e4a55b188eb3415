"""A power cut at any write: the goal comes to the same end, nothing is delivered twice, no leaf has two attempts."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import timedelta

import pytest
from tests.goals.running.houses import House, goal, is_done, shape, twice

from zhixing.goals.loop.limits import Limits
from zhixing.goals.loop.model import Graph
from zhixing.goals.running.ports import Arrived, Delivery, Heard, Place
from zhixing.goals.running.scripted import (
    MISSED,
    ScriptedBoard,
    ScriptedDeliverer,
    ScriptedPlanner,
    failed,
    planned,
    scripted_ports,
)
from zhixing.kernel.clock import ManualClock
from zhixing.store.connection import Store, Tx


class PowerCut(BaseException):
    """The process ends here."""


STRIDE = {"sqlite": 1, "postgresql": 3}
"""Every write is cut once on the one database; every third, for its own locks, on the other."""
Fate = Callable[[], str]
"""What happens to the next write: cut "before" it is durable, right "after" it, or "never"."""


class Breaking:
    """A store during whose writes the power may fail."""

    def __init__(self, store: Store, fate: Fate) -> None:
        self._store = store
        self._fate = fate

    def __getattr__(self, name: str):
        return getattr(self._store, name)

    @contextmanager
    def write(self) -> Iterator[Tx]:
        fate = self._fate()
        with self._store.write() as tx:
            yield tx
            if fate == "before":
                raise PowerCut
        if fate == "after":
            raise PowerCut


class OneCut:
    """Cut the power at one write, counted over all starts of the program."""

    def __init__(self, at: int, when: str) -> None:
        self._at = at
        self._when = when
        self.count = 0

    def __call__(self) -> str:
        self.count += 1
        return self._when if self.count == self._at else "never"


@dataclass(slots=True)
class Watched(ScriptedDeliverer):
    """Executors that note when a leaf arrives while an earlier attempt at it is neither ended nor withdrawn."""

    ended: set[tuple[str, int]] = field(default_factory=set)
    at_once: list[str] = field(default_factory=list)

    def deliver(self, delivery: Delivery) -> Arrived:
        before = {(d.node_id, d.attempt) for d in self.delivered if d.node_id == delivery.node_id}
        stopped = {(p.node_id, p.attempt) for p in self.withdrawn} | self.ended
        if before - stopped:
            self.at_once.append(delivery.key)
        return ScriptedDeliverer.deliver(self, delivery)

    def poll(self, place: Place) -> Heard | None:
        heard = ScriptedDeliverer.poll(self, place)
        self.ended.add((place.node_id, place.attempt))
        return heard


def outside(task: str, memory: str = "complete") -> tuple[ScriptedPlanner, Watched]:
    """Give a goal of two leaves, one of which fails and is mended."""
    planner = ScriptedPlanner({task: [planned("a", "b"), planned()], "a": [planned("fix"), planned()]})
    return planner, Watched({"a": [failed("chapter 2")]}, memory=memory)


def run_until_done(store: Store, clock: ManualClock, fate: Fate, task: str, ports, *, pause: float = 1) -> Graph:
    """Start the program again and again until the goal is done."""
    for _ in range(200):
        house = House(Breaking(store, fate), clock, ports)
        with suppress(PowerCut):
            house.engine.reclaim_all()
            assert house.goals.execute(goal(task, key=task)).status == 200
            house.goals.take_up()
            house.engine.drain()
            found = house.goals.graph(task)
            if found is not None and is_done(found):
                return found
        clock.advance(timedelta(seconds=pause))
    return pytest.fail("it never came to an end")


def same(graph: Graph, task: str) -> dict[str, object]:
    """Return the shape of a goal under a name that all goals have."""
    found = repr(shape(graph))
    return {"shape": found.replace(f"'{task}'", "'g'")}


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_cut_at_any_write_leads_to_the_same_graph_and_every_leaf_is_delivered_once(store, clock, dialect, when):
    """trap_05, theme_04."""
    planner, deliverer = outside("calm")
    calm = run_until_done(store, clock, OneCut(0, when), "calm", scripted_ports(planner, deliverer))
    at = 1 - STRIDE[dialect]
    while True:
        at += STRIDE[dialect]
        task, fate = f"g{at}", OneCut(at, when)
        planner, deliverer = outside(task)
        graph = run_until_done(store, clock, fate, task, scripted_ports(planner, deliverer))
        assert same(graph, task) == same(calm, "calm"), at
        assert sorted(each.node_id for each in deliverer.delivered) == ["a", "b", "fix"], at
        if fate.count < at:
            break
    assert at > 30


def test_executors_that_remember_nothing_get_nothing_twice_and_one_attempt_at_a_time(store, clock, dialect):
    """What was leaving when the power failed is unknown: it is waited for, withdrawn, and only then put out anew."""
    at, unknown = 1 - STRIDE[dialect], 0
    while True:
        at += STRIDE[dialect]
        task, fate = f"g{at}", OneCut(at, "before")
        planner, deliverer = outside(task, memory="none")
        graph = run_until_done(store, clock, fate, task, scripted_ports(planner, deliverer), pause=100)
        assert is_done(graph)
        assert not twice(each.key for each in deliverer.delivered), at
        assert not deliverer.at_once, at
        unknown += bool(deliverer.withdrawn)
        if fate.count < at:
            break
    assert unknown == (3 if STRIDE[dialect] == 1 else unknown) > 0


@pytest.mark.parametrize("seed", range(4))
def test_cut_after_cut_nothing_is_lost_or_delivered_twice(store, clock, seed):
    """theme_06."""
    chance = random.Random(seed)
    planner, deliverer = outside("calm")
    calm = run_until_done(store, clock, lambda: "never", "calm", scripted_ports(planner, deliverer))
    for number in range(3):
        task = f"g{number}"
        planner, deliverer = outside(task)
        fate = lambda: chance.choices(["before", "after", "never"], [6, 6, 88])[0]  # noqa: E731
        graph = run_until_done(store, clock, fate, task, scripted_ports(planner, deliverer))
        assert same(graph, task) == same(calm, "calm")
        assert sorted(each.node_id for each in deliverer.delivered) == ["a", "b", "fix"]
        assert not deliverer.at_once


def test_a_goal_whose_jobs_are_all_gone_is_taken_up_where_it_was(store, clock):
    """The engine forgets keys after a while; what left is known by its mark, not by its job."""
    for at in range(2, 40, 3):
        task, (planner, deliverer) = f"g{at}", outside(f"g{at}")
        ports = scripted_ports(planner, deliverer)
        with suppress(PowerCut):
            House(Breaking(store, OneCut(at, "after")), clock, ports).run(goal(task, key=task))
        with store.write() as tx:
            tx.execute("DELETE FROM jobs")
        run_until_done(store, clock, lambda: "never", task, ports)
        assert sorted(each.node_id for each in deliverer.delivered) == ["a", "b", "fix"], at


@pytest.mark.parametrize("memory", ["complete", "none"])
@pytest.mark.parametrize("when", ["before", "after"])
def test_the_winner_of_a_relay_is_told_once_wherever_the_power_fails(store, clock, dialect, when, memory):
    """Where nobody knows whether it was told, it keeps the rest until its time is over, and is not told again."""
    at = 1 - STRIDE[dialect]
    while True:
        at += STRIDE[dialect]
        task, fate = f"g{at}", OneCut(at, when)
        planner, board = ScriptedPlanner({task: [planned("a")]}, {"a": [MISSED]}), ScriptedBoard({"weak": 5, "bot": 9})
        board.memory = memory
        ports = scripted_ports(planner, board=board)
        for _ in range(2):
            house = House(Breaking(store, fate), clock, ports)
            with suppress(PowerCut):
                house.engine.reclaim_all()
                house.goals.execute(goal(task, limits=Limits(max_depth=1), key=task))
                house.goals.take_up()
                house.engine.drain()
            clock.advance(timedelta(seconds=1))
        found = house.goals.graph(task)
        assert found is not None, at
        assert found.head.relay.owner == "bot", at
        told_of_doubt = "delivery_unknown" in ports.teller.topics
        assert not told_of_doubt or memory == "none", at
        assert [each.bot_id for each in board.told] == ["bot"] or told_of_doubt, at
        assert len(board.told) <= 1
        House(store, clock, ports).goals.cancel(task)
        if fate.count < at:
            break
    assert at > 15
