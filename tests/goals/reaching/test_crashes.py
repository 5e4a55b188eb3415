"""A power cut at any write, or while a bot is asked: the same end, and nothing outside is done twice."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta

import pytest
from tests.goals.reaching.towns import TASK, Owner, Town, TwinGroups, Worker, goal, profile
from tests.goals.running.test_crashes import Breaking, Fate, OneCut, PowerCut

from zhixing.goals.loop.limits import Limits
from zhixing.goals.loop.model import Graph, Node
from zhixing.goals.running import ports as running
from zhixing.goals.running.scripted import MISSED, chosen, passed, planned
from zhixing.kernel.clock import ManualClock
from zhixing.store.connection import Store
from zhixing.world.bots.port import NotSent, Said
from zhixing.world.bots.scripted import Line, ScriptedRemote

STRIDE = {"sqlite": 1, "postgresql": 9}
"""How much farther apart the cuts are on the database that is slow to begin with."""


def starter(clock: ManualClock, profiles, bots, **members) -> Callable[[Store], Town]:
    """Return what starts the program on a store; the bots outlive it."""
    return lambda cut: Town(cut, clock, profiles, bots, **members)


def run_until_over(store: Store, fate: Fate, task: str, start: Callable[[Store], Town]) -> Graph:
    """Start the program again and again until the goal is over."""
    for _ in range(20):
        town = start(Breaking(store, fate))
        started_over(town, task)
        found = town.goals.graph(task)
        if found is not None and found.head.status != "RUNNING":
            return found
        town.clock.advance(timedelta(seconds=5))
    return pytest.fail("it never came to an end")


def started_over(town: Town, task: str, limits: Limits | None = None) -> None:
    """Do what a start of the program does, as far as the power lasts."""
    with suppress(PowerCut):
        town.engine.reclaim_all()
        assert town.goals.execute(goal(task, limits, key=task)).status == 200
        town.goals.take_up()
        town.engine.drain()


@pytest.mark.parametrize(
    "case",
    [
        ("model", "after", 3),
        ("command", "before", 1),
        ("command", "after", 1),
        ("http", "before", 2),
        ("http", "after", 2),
    ],
)
def test_a_cut_at_any_write_leads_to_the_same_end_and_nothing_outside_is_done_twice(store, clock, dialect, case):
    """But a command that was cut off before its end was written: nobody knows what it did, so another bot is asked."""
    (kind, when, stride), at, interrupted = case, 1, 0
    while True:
        task, fate = f"g{at}", OneCut(at, when)
        worker = ScriptedRemote([Line(passed("work of a"))]) if kind == "http" else Worker()
        owner = Owner({task: [planned("a"), planned()]}, {"a": [chosen("bot-a"), chosen("spare")]})
        profiles = [profile("owner"), profile("bot-a", kind), profile("spare")]
        bots = {"owner": owner, "bot-a": worker, "spare": Worker()}
        graph = run_until_over(store, fate, task, starter(clock, profiles, bots))
        assert graph.head.status == "DONE", at
        assert graph.nodes["a"].run.output == {"output": "work of a"}, at
        if graph.nodes["a"].run.attempt == 2:
            interrupted += 1
            assert (kind, graph.nodes["a"].run.last_exec_error) == ("command", "interrupted"), at
        assert (
            len(worker.errands) == 1 or kind == "model" or (graph.nodes["a"].run.attempt, worker.errands) == (2, [])
        ), at
        if fate.count < at:
            break
        at += stride * STRIDE[dialect]
    assert at > 18
    if dialect == "sqlite":
        # After its run was begun, or before its end was written.
        assert interrupted == (1 if kind == "command" else 0)


@dataclass(slots=True)
class Dying(Worker):
    """A bot during whose first answer the power fails."""

    answers: tuple[str, ...] = ()
    broken: list[BaseException] = field(default_factory=lambda: [PowerCut()])
    errands: list = field(default_factory=list)


@pytest.mark.parametrize(("kind", "asked"), [("model", [1, 1]), ("scripted", [1, 1]), ("command", [1])])
def test_a_model_that_was_cut_off_is_asked_again_and_a_command_is_not_run_again(store, clock, kind, asked):
    owner = Owner({TASK: [planned("a"), planned()]}, {"a": [chosen("bot-a"), chosen("spare")]})
    bots = {"owner": owner, "bot-a": Dying(), "spare": Worker()}
    profiles = [profile("owner"), profile("bot-a", kind), profile("spare")]
    graph = run_until_over(store, lambda: "never", TASK, starter(clock, profiles, bots))
    assert graph.head.status == "DONE"
    assert [each.attempt for each in bots["bot-a"].errands] == asked
    assert graph.nodes["a"].run.last_exec_error == ("" if len(asked) == 2 else "interrupted")


def test_a_run_whose_job_the_engine_forgot_is_put_on_its_way_again(store, clock):
    bots = {"owner": Owner({TASK: [planned("a"), planned()]}), "bot-a": Worker()}
    town = Town(store, clock, [profile("owner"), profile("bot-a")], bots)
    deliver = town.reaching.deliverer.deliver

    def and_forget(delivery):
        arrived = deliver(delivery)
        with store.write() as tx:
            tx.execute("DELETE FROM jobs WHERE name = 'goal_run'")
        return arrived

    town.reaching.deliverer.deliver = and_forget
    town.run()
    town.later(5)
    assert town.states() == {TASK: "DONE", "a": "DONE"}


def test_a_bot_that_could_not_be_reached_is_sent_to_again_when_nobody_had_written_down_that_it_was_not(store, clock):
    """The power fails between the word that it was not reached and the goal that hears it."""
    remote = ScriptedRemote([Line(passed("work of a"))], faults=[NotSent("status_503")])
    bots = {"owner": Owner({TASK: [planned("a"), planned()]}), "bot-a": remote}
    town = Town(store, clock, [profile("owner"), profile("bot-a", "http")], bots)
    deliver, lost = town.reaching.deliverer.deliver, []

    def and_the_power_fails(delivery):
        try:
            return deliver(delivery)
        except running.NotSent as error:
            if not lost:
                lost.append(error.reason)
                raise PowerCut from error
            raise

    town.reaching.deliverer.deliver = and_the_power_fails
    started_over(town, TASK)
    started_over(town, TASK)
    assert lost == ["status_503"]
    assert len(remote.errands) == 2
    assert town.states() == {TASK: "DONE", "a": "DONE"}
    assert town.runs() == {"a#1": "done"}


# Relays


class Relayer(Worker):
    """A bot that bids and does the rest."""

    def ask(self, errand):
        if errand.text.startswith("[bbs-bid]"):
            return Said('{"completion_rate": 80}')
        return super().ask(errand)


SHALLOW = Limits(max_depth=1, bbs_max_depth=2)


@pytest.mark.parametrize("case", [("model", "after", 2), ("command", "before", 1), ("command", "after", 2)])
def test_a_relay_that_is_cut_anywhere_hangs_in_one_node_and_is_done_once(store, clock, dialect, case):
    """Whether the winner was told can always be found out here, so nobody waits for one that never was."""
    (kind, when, stride), at, interrupted = case, 1, 0
    profiles = [profile("owner"), profile("bot-a"), profile("r", kind, relay=True)]
    while True:
        task, fate = f"g{at}", OneCut(at, when)
        owner, bot = Owner({task: [planned("a"), planned()]}, {"a": [MISSED]}), Relayer(passed("the rest"))
        start = starter(clock, profiles, {"owner": owner, "r": bot})
        for _ in range(3):
            town = start(Breaking(store, fate))
            started_over(town, task, SHALLOW)
            clock.advance(timedelta(seconds=5))
        *earlier, last = relays_of(town, task)
        assert (last.status, town.goals.graph(task).head.status) == ("DONE", "DONE"), at
        for each in earlier:
            interrupted += 1
            assert (kind, each.run.acceptance.gaps) == ("command", ("interrupted",)), at
        keys = [each.key for each in bot.errands]
        assert len(set(keys)) == len(keys) or kind == "model", at
        Town(store, clock, profiles, {}).goals.cancel(task)
        if fate.count < at:
            break
        at += stride * STRIDE[dialect]
    assert at > 18
    if (dialect, stride) == ("sqlite", 1):
        assert interrupted == (1 if kind == "command" else 0)


def relays_of(town: Town, task: str) -> list[Node]:
    graph = town.goals.graph(task)
    assert graph is not None
    return [each for each in graph.nodes.values() if each.id.startswith("bbs-")]


def test_groups_are_begun_once_wherever_the_power_fails(store, clock, dialect):
    at = 1
    several = '{"outcome": "HIT_MULTI_BOTS", "bot_ids": ["x", "y"]}'
    while True:
        task, fate, groups = f"g{at}", OneCut(at, "after"), TwinGroups()
        bots = {"owner": Owner({task: [planned("a"), planned()]}, {"a": [several]})}
        profiles = [profile("owner"), profile("x"), profile("y")]
        graph = run_until_over(store, fate, task, starter(clock, profiles, bots, groups=groups))
        assert graph.head.status == "DONE", at
        assert len(groups.wanted) == 1, at
        if fate.count < at:
            break
        at += STRIDE[dialect]
