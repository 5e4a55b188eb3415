"""Random orders of everything that can happen, with crashes in between: the invariants of the case file hold.

They are checked after each event by `worlds.must_hold`; at the end the log folds to the snapshot.
"""

from __future__ import annotations

from dataclasses import replace

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test
from tests.goals.loop.worlds import ROOT, World, attach, broken, closed, info, miss, passed, plan, relay_done

from zhixing.goals.loop.effects import Kind
from zhixing.goals.loop.events import (
    BbsResult,
    Bids,
    Budget,
    Cancel,
    Child,
    Claim,
    Delivered,
    DeliverFailed,
    Event,
    Execute,
    PlanResult,
    RelaySendFailed,
    RelaySent,
    Report,
    Resolve,
    Restarted,
    Retry,
    SearchResult,
    Started,
    Tick,
)
from zhixing.goals.loop.limits import Limits, Spent
from zhixing.goals.loop.model import Judgement
from zhixing.goals.loop.tree import children_of, scoped_running
from zhixing.goals.loop.values import GraphStatus, SearchOutcome

SMALL = Limits(max_loop=4, max_plan_round=3, max_harness=2, bbs_max_depth=2, max_nodes=30, tokens=400)
ANY = st.integers(0, 10_000)
BOTS = st.sampled_from(["r1", "r2", "r3"])


class AnyOrder(RuleBasedStateMachine):
    """Whatever bots, people and machines do, in any order."""

    def __init__(self) -> None:
        super().__init__()
        self.world = World().tell(Execute(info("ac1", "ac2", limits=SMALL)))
        self.sent: list[Report | BbsResult] = []
        self.made = 0

    def some(self, number: int, *kinds: Kind) -> str:
        """Return a node: mostly one about which something is awaited, sometimes any."""
        waiting = [each.subject for each in self.world.graph.head.awaited if each.kind in kinds]
        names = waiting if waiting and number % 8 else list(self.world.graph.nodes)
        return names[number % len(names)]

    def new(self) -> str:
        self.made += 1
        return f"n{self.made}"

    @rule(number=ANY)
    def goes_on(self, number: int) -> None:
        """Answer something that is awaited as one would hope."""
        for each in self.world.graph.head.awaited[: 1 + number % 3]:
            self.world.tell(self.good_answer(each.kind, each.subject, number))

    def good_answer(self, kind: str, subject: str, number: int) -> Event:
        match kind:
            case "plan":
                finished = any(n.status == "DONE" for n in children_of(self.world.graph, subject))
                return closed(subject) if finished and number % 2 else plan(subject, self.new(), self.new())
            case "search":
                return SearchResult(subject, SearchOutcome.HIT_SINGLE, "bot")
            case "deliver":
                return Delivered(subject)
            case "bid":
                return Bids((("r1", 50), ("r2", 1 + number % 100)))
            case _:
                return RelaySent(subject)

    @rule(number=ANY)
    def delivers(self, number: int) -> None:
        """Let whoever works finish: a leaf, or the relay."""
        relay = self.world.graph.head.relay
        running = [each for each in self.world.graph.nodes.values() if each.status == "RUNNING"]
        if relay.owner is not None and scoped_running(self.world.graph) is None:
            self.world.tell(attach(relay.owner, self.new()))
        elif running:
            node = running[number % len(running)]
            done = relay_done(relay.owner or "", node.id) if node.run.run_mode == "bbs" else passed(node.id)
            self.say(done if number % 4 else broken(node.id))

    @rule(number=ANY)
    def nobody_is_found(self, number: int) -> None:
        self.world.tell(miss(self.some(number, Kind.SEARCH)))

    @rule(number=ANY, count=st.integers(1, 3), known=st.booleans())
    def planner_gives_children(self, number: int, count: int, *, known: bool) -> None:
        target = self.some(number, Kind.PLAN)
        new = [self.new() for _ in range(count)]
        children = [*new, ROOT, target, new[0]] if known else new
        self.world.tell(PlanResult(target, tuple(map(Child, children)), has_gap=number % 5 > 0, spent=Spent(1)))

    @rule(number=ANY, judged=st.sampled_from([None, (), ("ac1",), ("ac1", "ac2")]), fails=st.booleans())
    def planner_closes(self, number: int, judged: tuple[str, ...] | None, *, fails: bool) -> None:
        verdicts = None if judged is None else tuple(Judgement(each, not fails, "seen") for each in judged)
        self.world.tell(closed(self.some(number, Kind.PLAN), verdicts=verdicts))

    @rule(number=ANY, detail=st.sampled_from(["", "no way", "plan_parse_fail", "plan_empty_content"]))
    def planner_gives_nothing(self, number: int, detail: str) -> None:
        self.world.tell(plan(self.some(number, Kind.PLAN), detail=detail))

    @rule(number=ANY, outcome=st.sampled_from(SearchOutcome))
    def search_ends(self, number: int, outcome: SearchOutcome) -> None:
        self.world.tell(SearchResult(self.some(number, Kind.SEARCH), outcome, "bot", "group", reason="x"))

    @rule(number=ANY)
    def found(self, number: int) -> None:
        self.world.tell(SearchResult(self.some(number, Kind.SEARCH), SearchOutcome.HIT_SINGLE, "bot"))

    @rule(number=ANY, how=st.sampled_from([Delivered, DeliverFailed, Started]))
    def delivery_ends(self, number: int, how: type) -> None:
        self.world.tell(how(self.some(number, Kind.DELIVER)))

    @rule(number=ANY, result=st.sampled_from(["pass", "fail", "error", "timeout", "nonsense"]), back=st.integers(0, 2))
    def reported(self, number: int, result: str, back: int) -> None:
        running = [each.id for each in self.world.graph.nodes.values() if each.status == "RUNNING"]
        node = running[number % len(running)] if running and number % 4 else self.some(number)
        attempt = max(1, self.world.node(node).run.attempt - back) if number % 3 else None
        by = "somebody" if number % 7 == 0 else ""
        report = {
            "pass": Report(node, success=True, data=f"w{number}"),
            "fail": Report(node, success=False, gaps=["missing"]),
            "error": Report(node, exec_error="boom", kind="error"),
            "timeout": Report(node, exec_error="sla_timeout", kind="timeout"),
            "nonsense": Report(node, success="yes", data={"a": 1}),
        }[result]
        self.say(replace(report, attempt=attempt, by=by, spent=Spent(5)))

    @precondition(lambda self: self.sent)
    @rule(number=ANY)
    def repeated(self, number: int) -> None:
        self.world.tell(self.sent[number % len(self.sent)])

    def say(self, message: Report | BbsResult) -> None:
        """Say something, and again at once: an accepted message changes nothing the second time."""
        self.sent.append(message)
        self.world.tell(message)
        if self.world.status == 200 and not isinstance(message, Report):
            before = self.world.graph
            assert self.world.tell(message).graph == before, "I5"
        if isinstance(message, Report) and self.world.status == 200 and message.attempt is not None:
            before = self.world.graph.nodes
            assert self.world.tell(replace(message, spent=Spent())).graph.nodes == before, "I5"

    @rule(seconds=st.sampled_from([1, 100, 200, 400, 700, 4000]))
    def time_passes(self, seconds: int) -> None:
        self.world.tell(Tick(), at=self.world.now / 1000 + seconds)

    @rule(rates=st.dictionaries(BOTS, st.sampled_from([0, 40, 100, 101, True, "50"]), max_size=3))
    def bid(self, rates: dict[str, object]) -> None:
        self.world.tell(Bids(tuple(rates.items())))

    @rule(bot=BOTS, how=st.sampled_from([Claim, RelaySendFailed]))
    def claimed(self, bot: str, how: type) -> None:
        self.world.tell(how(bot))

    @rule(number=ANY, bot=BOTS, key=st.sampled_from(["", "k1"]))
    def attached(self, number: int, bot: str, key: str) -> None:
        owner = self.world.graph.head.relay.owner
        self.world.tell(attach(owner or bot, self.new(), ROOT if number % 3 else self.some(number), key=key))

    @rule(number=ANY, bot=BOTS, verdict=st.sampled_from(["PASS", "DONE", "FAIL", "", "maybe"]), error=st.booleans())
    def relay_reports(self, number: int, bot: str, verdict: str, *, error: bool) -> None:
        relays = [each.id for each in self.world.graph.nodes.values() if each.run.run_mode == "bbs"]
        node = relays[-1] if relays and number % 5 else self.some(number)
        gaps = ("rest",) if number % 2 else ()
        owner = self.world.graph.head.relay.owner
        error_text = "lost" if error else ""
        self.say(BbsResult(owner or bot, node, verdict, gaps=gaps, output={"n": number}, exec_error=error_text))

    @rule(number=ANY)
    def retried(self, number: int) -> None:
        self.world.tell(Retry(self.some(number) if number % 2 else ""))

    @rule(number=ANY)
    def resolved(self, number: int) -> None:
        self.world.tell(Resolve(self.some(number), "by a person"))

    @rule(tokens=st.sampled_from([0, 50, 400]), likely=st.integers(0, 9))
    def budgeted(self, tokens: int, likely: int) -> None:
        if not likely:
            self.world.tell(Budget(tokens=tokens))

    @rule(likely=st.integers(0, 19))
    def cancelled(self, likely: int) -> None:
        if not likely:
            self.world.tell(Cancel())
            assert self.world.graph.head.status is not GraphStatus.RUNNING

    @rule(known=st.sampled_from(["not_sent", "sent", "unknown"]))
    def crashed(self, known: str) -> None:
        self.world.reopened()
        in_flight = {f"{each.kind}:{each.subject}": known for each in self.world.graph.head.awaited}
        self.world.tell(Restarted(in_flight))  # type: ignore[arg-type]

    @invariant()
    def stays_within_budget(self) -> None:
        head = self.world.graph.head
        limit = head.info.limits.tokens
        assert limit is not None
        assert head.status is not GraphStatus.RUNNING or head.spent.tokens < limit

    @invariant()
    def delivers_each_attempt_once(self) -> None:
        sent = [each.key for each in self.world.effects if each.name == "deliver"]
        attempts = {(each.id, n) for each in self.world.graph.nodes.values() for n in range(each.run.attempt + 1)}
        assert {tuple(key.removeprefix("g/deliver:").split("#")) for key in sent} <= {(a, str(n)) for a, n in attempts}

    @rule(number=ANY, steps=st.integers(2, 12))
    def goes_on_for_a_while(self, number: int, steps: int) -> None:
        for step in range(steps):
            self.goes_on(number + step)
            self.delivers(number + 1 + 2 * step)

    def teardown(self) -> None:
        """Let everybody do their part: whatever the state, the goal ends, and nothing is waited for in vain."""
        self.world.reopened()
        for step in range(400):
            graph = self.world.graph
            if graph.head.status is not GraphStatus.RUNNING:
                return
            if graph.head.awaited:
                each = graph.head.awaited[0]
                self.world.tell(self.good_answer(each.kind, each.subject, 2 * step + 1))
            elif graph.head.relay.owner or any(each.status == "RUNNING" for each in graph.nodes.values()):
                self.delivers(4 * step + 1)
            else:
                assert graph.head.wake_at is not None, "I8"
                self.world.tell(Tick(), at=max(self.world.now, graph.head.wake_at) / 1000)
        raise AssertionError(self.world.states())


MANY = settings(
    max_examples=100, stateful_step_count=60, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True
)


def test_whatever_happens_in_whatever_order_the_invariants_hold() -> None:
    run_state_machine_as_test(AnyOrder, settings=MANY)
