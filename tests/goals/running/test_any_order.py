"""Random orders of everything that can happen to a goal at the shell, with power cuts at any write in between.

The store is SQLite on disk; bots outside do as luck has it, remember what they were told, and outlive the cuts. After
each step what must hold of every graph is checked on what is stored, besides the fold of its log.
"""

from __future__ import annotations

import json
import random
import shutil
import tempfile
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import Literal

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from tests.conftest import START
from tests.goals.loop.worlds import broken, failed, must_hold, passed
from tests.goals.running.houses import TASK, House, goal, twice
from tests.goals.running.test_crashes import Breaking, OneCut, PowerCut

from zhixing.goals.contracts.planning import HEADERS
from zhixing.goals.contracts.searching import Candidate
from zhixing.goals.loop.events import BbsResult, Budget, Report, Started
from zhixing.goals.loop.limits import Limits, Spent
from zhixing.goals.loop.model import Graph, TaskSpec
from zhixing.goals.loop.replies import Reply
from zhixing.goals.loop.values import GraphStatus, NodeStatus, RunMode
from zhixing.goals.running import scripted
from zhixing.goals.running.ports import Arrived, Delivery, Heard, NotSent, Place, Ports, Question
from zhixing.goals.running.scripted import MISSED, ScriptedTeller, chosen, planned
from zhixing.kernel.clock import ManualClock
from zhixing.kernel.moments import micros
from zhixing.store.migrations import migrate
from zhixing.store.opening import open_store, sqlite_url

SMALL = Limits(max_loop=4, max_plan_round=3, max_harness=2, bbs_max_depth=2, max_nodes=30, tokens=400)
MOST_A_CALL = 30
ANY = st.integers(0, 10_000)
BOTS = st.sampled_from(["r1", "r2", "r3"])
WHEN = st.sampled_from(["before", "after"])
FINAL = {GraphStatus.DONE, GraphStatus.CANCELLED}


@cache
def template() -> Path:
    """Return a migrated database, made once."""
    path = Path(tempfile.mkdtemp()) / "template.db"
    with closing(open_store(sqlite_url(path))) as store:
        migrate(store, ManualClock(START))
    return path


@dataclass
class Outside:
    """Everybody outside in one: what they answer is a matter of luck, what they were told is remembered."""

    memory: Literal["complete", "none"]
    luck: random.Random = field(default_factory=lambda: random.Random(0))
    graph: Graph | None = None
    made: int = 0
    sent: list[Delivery] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    over: set[tuple[str, int]] = field(default_factory=set)
    """The attempts that ended or were withdrawn."""
    wrong: list[str] = field(default_factory=list)
    cut: str = ""
    """When the power fails at the next delivery: "before" or "after" it arrived, else empty."""

    def look(self) -> Graph | None:
        """Return the goal as it is stored; set by whoever opens the house."""
        return self.graph

    def one_of(self, **chances: int) -> str:
        return self.luck.choices(list(chances), list(chances.values()))[0]

    def spend(self) -> Spent:
        return Spent(self.luck.randrange(MOST_A_CALL + 1))

    def is_called(self, what: str) -> None:
        """Check that a goal that calls somebody is under way and has something left."""
        graph = self.look()
        assert graph is not None
        limit = graph.head.info.limits.tokens
        if graph.head.status is not GraphStatus.RUNNING or (limit is not None and graph.head.spent.tokens >= limit):
            self.wrong.append(f"{what}: {graph.head.status} {graph.head.spent}")

    def ask(self, question: Question) -> Heard:
        self.is_called(question.key)
        fate = self.one_of(good=40, silly=1, broken=1, fails=1)
        if fate == "broken":
            raise OSError(question.key)
        if fate == "fails":
            return Heard("", "failed", spent=self.spend())
        answer = "{" if fate == "silly" else self.answer(question)
        return Heard(answer, spent=self.spend())

    def answer(self, question: Question) -> str:
        if not question.prompt.startswith(HEADERS):
            return MISSED if self.luck.random() < 0.1 else chosen("bot")
        graph = self.look()
        assert graph is not None
        below = [each.child for each in graph.head.relations if each.parent == question.subject]
        if any(graph.nodes[each].status is NodeStatus.DONE for each in below) and self.luck.random() < 0.4:
            return planned()
        self.made += 3
        return planned(*(f"n{self.made - n}" for n in range(self.luck.choice([1, 2, 2, 3]))))

    def candidates(self, _task: str, node_id: str, _spec: TaskSpec) -> list[Candidate]:
        return [Candidate("bot", node_id)] if self.luck.random() < 0.95 else []

    def deliver(self, delivery: Delivery) -> Arrived:
        self.is_called(delivery.key)
        fate, cut, self.cut = self.one_of(arrives=12, refused=1, lost=1, broken=1), self.cut, ""
        if fate == "refused":
            raise NotSent("busy")
        if fate != "lost" and cut != "before":
            before = {(each.node_id, each.attempt) for each in self.sent if each.node_id == delivery.node_id}
            if before - self.over:
                self.wrong.append(f"{delivery.key} beside {before - self.over}")
            self.sent.append(delivery)
        if cut:
            raise PowerCut
        if fate != "arrives":
            raise OSError(delivery.key)
        return Arrived(run_id=delivery.key)

    def whereabouts(self, delivery: Delivery) -> Arrived | Literal["not_sent", "unknown"]:
        if self.memory == "none":
            return "unknown"
        return Arrived() if any(each.key == delivery.key for each in self.sent) else "not_sent"

    def poll(self, place: Place) -> Heard | None:
        fate = self.one_of(passed=6, failed=2, going=3, silly=1, broken=1, crashed=1)
        if fate == "going":
            return None
        if fate == "broken":
            raise OSError(place.key)
        self.over.add((place.node_id, place.attempt))
        if fate == "crashed":
            return Heard("", "failed", "crashed", self.spend())
        said = {"passed": scripted.passed("work"), "failed": scripted.failed("chapter 2"), "silly": "well"}[fate]
        return Heard(said, spent=self.spend())

    def withdraw(self, place: Place) -> None:
        self.over.add((place.node_id, place.attempt))

    def bids(self, question: Question) -> list[tuple[str, Heard]]:
        self.is_called(question.key)
        rates = [(f"r{n}", self.luck.choice([0, 40, 90, 101])) for n in range(1, 4)]
        return [(bot, Heard(json.dumps({"completion_rate": rate}), spent=self.spend())) for bot, rate in rates]

    def message(self, question: Question) -> None:
        fate = self.one_of(arrives=8, refused=1, broken=1)
        if fate == "refused":
            raise NotSent("away")
        self.told.append(question.key)
        if fate == "broken":
            raise OSError(question.key)


class AnyOrder(RuleBasedStateMachine):
    """Whatever bots, people, machines and the power do, in any order."""

    @initialize(memory=st.sampled_from(["complete", "none"]))
    def begins(self, memory: Literal["complete", "none"]) -> None:
        self.folder = tempfile.TemporaryDirectory()
        path = Path(self.folder.name) / "goals.db"
        shutil.copy(template(), path)
        self.store = open_store(sqlite_url(path))
        self.clock = ManualClock(START)
        self.outside = Outside(memory)
        self.teller = ScriptedTeller()
        self.before: Graph | None = None
        self.said: list[tuple[str, object]] = []
        self.steps = 0
        self.info = goal(limits=SMALL, key="k")
        self.house = self.opened(OneCut(0, "never"))
        assert self.house.goals.execute(self.info).status == 200

    def opened(self, fate: OneCut) -> House:
        ports = Ports(self.outside, self.outside, self.outside, self.teller)
        house = House(Breaking(self.store, fate), self.clock, ports)  # type: ignore[arg-type]
        self.outside.look = lambda: house.goals.graph(TASK)  # type: ignore[method-assign]
        return house

    @property
    def graph(self) -> Graph:
        return self.house.graph

    def some(self, number: int) -> str:
        """Return a node: mostly one that runs."""
        running = [each.id for each in self.graph.nodes.values() if each.status is NodeStatus.RUNNING]
        names = running if running and number % 4 else list(self.graph.nodes)
        return names[number % len(names)]

    def shake(self, seed: int) -> None:
        """Let luck change with every step, whatever numbers are drawn."""
        self.steps += 1
        self.outside.luck.seed(f"{seed}/{self.steps}")

    @rule(seed=ANY)
    def goes_on(self, seed: int) -> None:
        self.shake(seed)
        self.house.engine.drain()
        self.no_tick_is_overdue()

    @rule(seed=ANY, seconds=st.sampled_from([1, 6, 100, 200, 400, 700, 4000]))
    def time_passes(self, seed: int, seconds: int) -> None:
        self.shake(seed)
        self.house.later(seconds)
        self.no_tick_is_overdue()

    def no_tick_is_overdue(self) -> None:
        head, now = self.graph.head, micros(self.clock.now()) // 1000
        assert head.status is not GraphStatus.RUNNING or head.wake_at is None or head.wake_at >= now

    @rule(seed=ANY)
    def bots_work(self, seed: int) -> None:
        for step in range(3):
            self.time_passes(seed + step, 6)

    @rule(seed=ANY, at=st.integers(1, 25), when=WHEN, pause=st.sampled_from([0, 6, 6, 700]))
    def power_fails(self, seed: int, at: int, when: str, pause: int) -> None:
        """Cut the power at one of the next writes, and start anew."""
        self.shake(seed)
        self.house = self.opened(OneCut(at, when))
        self.clock.advance(timedelta(seconds=pause))
        with suppress(PowerCut):
            self.house.engine.drain()
            self.comes_up()
        self.outside.cut = ""
        self.house = self.opened(OneCut(0, "never"))
        self.comes_up()
        self.no_tick_is_overdue()

    @rule(seed=ANY, at=st.integers(1, 12), when=WHEN)
    def power_fails_while_bots_work(self, seed: int, at: int, when: str) -> None:
        self.power_fails(seed, at, when, 6)

    @rule(seed=ANY, when=WHEN)
    def power_fails_at_a_delivery(self, seed: int, when: str) -> None:
        self.outside.cut = when
        self.power_fails(seed, 0, when, 6)

    def comes_up(self) -> None:
        self.house.engine.reclaim_all()
        assert self.house.goals.execute(self.info).data["task_id"] == TASK
        self.house.goals.take_up()
        self.house.engine.drain()

    def say(self, how: str, *message: object) -> Reply:
        """Say something; what was taken changes nothing when it is said again."""
        reply: Reply = getattr(self.house.goals, how)(TASK, *message)
        if how in {"report", "bbs_result"}:
            self.said.append((how, message[0]))
            self.note_end(message[0], reply)
            before = self.graph
            getattr(self.house.goals, how)(TASK, *message)
            assert reply.status != 200 or self.graph == before
        return reply

    def note_end(self, message: object, reply: Reply) -> None:
        """Note that an attempt is over whose executor says so."""
        if isinstance(message, Report) and reply.status == 200:
            attempts = {n for node, n in self.sent if node == message.node and message.attempt in {None, n}}
            self.outside.over |= {(message.node, n) for n in attempts}

    @property
    def sent(self) -> list[tuple[str, int]]:
        return [(each.node_id, each.attempt) for each in self.outside.sent]

    @rule(number=ANY, how=st.sampled_from(["passed", "failed", "broken"]), old=st.booleans())
    def reports(self, number: int, how: str, *, old: bool) -> None:
        node = self.some(number)
        if self.graph.nodes[node].status is not NodeStatus.RUNNING and number % 4:
            return
        said = {"passed": passed(node), "failed": failed(node, "rest"), "broken": broken(node)}[how]
        attempt = self.graph.nodes[node].run.attempt - old
        self.say("report", replace(said, attempt=attempt if number % 3 else None, event_id=f"e{number}"))

    @rule(number=ANY)
    def started(self, number: int) -> None:
        self.house.goals.report(TASK, Started(self.some(number)))

    @rule(number=ANY)
    def repeated(self, number: int) -> None:
        if self.said:
            how, message = self.said[number % len(self.said)]
            self.note_end(message, getattr(self.house.goals, how)(TASK, message))

    @rule(bot=BOTS)
    def claimed(self, bot: str) -> None:
        self.say("claim", bot)

    @rule(number=ANY, bot=BOTS)
    def attached(self, number: int, bot: str) -> None:
        owner = self.graph.head.relay.owner or bot
        parent = TASK if number % 3 else self.some(number)
        first = self.say("attach", owner, parent, TaskSpec("rest", "do the rest"), f"k{number % 5}")
        again = self.say("attach", owner, parent, TaskSpec("rest", "do the rest"), f"k{number % 5}")
        assert first.status != 200 or again.data["node_id"] == first.data["node_id"]

    @rule(number=ANY, bot=BOTS, verdict=st.sampled_from(["PASS", "PASS", "FAIL", "maybe"]))
    def relay_reports(self, number: int, bot: str, verdict: str) -> None:
        relays = [each.id for each in self.graph.nodes.values() if each.run.run_mode is RunMode.BBS]
        node = relays[-1] if relays and number % 5 else self.some(number)
        owner = self.graph.head.relay.owner or bot
        self.say("bbs_result", BbsResult(owner, node, verdict, gaps=("rest",) if number % 2 else (), output={"n": 1}))

    @rule(number=ANY)
    def retried(self, number: int) -> None:
        self.say("retry", self.some(number) if number % 2 else "")

    @rule(number=ANY, likely=st.integers(0, 9))
    def resolved(self, number: int, likely: int) -> None:
        if likely > 7:
            self.say("resolve", self.some(number), "by a person")

    @rule(tokens=st.sampled_from([0, 50, 400, 800]), likely=st.integers(0, 9))
    def budgeted(self, tokens: int, likely: int) -> None:
        if likely > 7:
            self.say("budget", Budget(tokens=tokens))

    @rule(likely=st.integers(0, 19))
    def cancelled(self, likely: int) -> None:
        if likely > 18:
            self.say("cancel")
            assert self.graph.head.status is not GraphStatus.RUNNING

    @invariant()
    def what_is_stored_is_sound(self) -> None:
        graph = self.graph
        must_hold(self.before, graph, [])
        if self.before is not None and self.before.head.status in FINAL:
            assert graph.head.status is self.before.head.status
        self.before = graph
        self.house.check_log()

    @invariant()
    def nobody_outside_saw_anything_wrong(self) -> None:
        assert self.outside.wrong == []
        assert not twice(each.key for each in self.outside.sent)
        assert not twice(self.outside.told)

    @invariant()
    def budget_is_kept_but_for_the_call_under_way(self) -> None:
        head = self.graph.head
        limit = head.info.limits.tokens
        assert limit is not None
        assert head.status is not GraphStatus.RUNNING or head.spent.tokens < limit

    @invariant()
    def what_runs_is_looked_after(self) -> None:
        """Somebody fetches the result of every leaf that runs, or a tick finds it."""
        with self.store.read() as tx:
            jobs = tx.rows("SELECT name, payload FROM jobs WHERE state IN ('pending', 'running')")
            (due,) = tx.row("SELECT due_at FROM goals WHERE task_id = ?", (TASK,)) or (None,)
        polled = {json.loads(payload)["subject"] for name, payload in jobs if name == "goal_poll"}
        ticks = [payload for name, payload in jobs if name == "goal_wake"]
        for node in self.graph.nodes.values():
            if node.status is NodeStatus.RUNNING:
                assert node.id in polled or (due is not None and ticks), node.id

    def teardown(self) -> None:
        """Let everybody do their part: the goal ends, and then nobody is bothered any more."""
        if not hasattr(self, "house"):
            return
        try:
            for step in range(20):
                if self.graph.head.status is not GraphStatus.RUNNING:
                    break
                self.outside.luck.seed(step)
                self.house.later(700)
            self.house.goals.cancel(TASK)
            self.house.engine.drain()
            calls = len(self.outside.sent), len(self.outside.told), self.outside.made
            self.house.later(100_000)
            assert (len(self.outside.sent), len(self.outside.told), self.outside.made) == calls
            assert self.graph.head.status is not GraphStatus.RUNNING
            self.what_is_stored_is_sound()
            self.nobody_outside_saw_anything_wrong()
        finally:
            self.store.close()
            self.folder.cleanup()


AnyOrder.TestCase.settings = settings(
    max_examples=50, stateful_step_count=40, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True
)
TestAnyOrder = AnyOrder.TestCase
