"""Short words for tests of the goal graph, and what must hold of every graph at all times."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from zhixing.goals.loop.coding import decode_entry, decode_state, encode_entry, encode_state
from zhixing.goals.loop.deciding import Decision, decide
from zhixing.goals.loop.effects import Deliver, Effect, Search, effect_of
from zhixing.goals.loop.events import (
    Attach,
    BbsResult,
    Bids,
    Child,
    Delivered,
    Event,
    Execute,
    PlanResult,
    Report,
    SearchResult,
)
from zhixing.goals.loop.folding import Entry, folded
from zhixing.goals.loop.limits import Limits
from zhixing.goals.loop.model import Criterion, Graph, Node, TaskInfo, TaskSpec
from zhixing.goals.loop.tree import children_of, depth_of, is_live, is_scoped, parent_of
from zhixing.goals.loop.values import GraphStatus, NodeStatus, SearchOutcome, TaskType

ROOT = "g"
SECOND = 1000


def info(*criteria: str, limits: Limits | None = None, **members: Any) -> TaskInfo:
    acceptances = tuple(Criterion(each, f"criterion {each}") for each in criteria)
    spec = TaskSpec("a title", "do it all", "", "reach it", acceptances)
    return TaskInfo(ROOT, spec, owner_bot_id="owner", limits=limits or Limits(), **members)


def plan(target: str, *children: str, gap: bool = True, detail: str = "", **members: Any) -> PlanResult:
    return PlanResult(target, tuple(map(Child, children)), gap, detail, **members)


def closed(target: str = ROOT, **members: Any) -> PlanResult:
    return plan(target, gap=False, detail="done", **members)


def hit(node: str, bot: str = "") -> SearchResult:
    return SearchResult(node, SearchOutcome.HIT_SINGLE, bot or f"bot-{node}")


def miss(node: str) -> SearchResult:
    return SearchResult(node, SearchOutcome.MISS, reason="nobody")


def passed(node: str, **members: Any) -> Report:
    return Report(node, success=True, data=f"work of {node}", gaps=[], **members)


def failed(node: str, *gaps: str, **members: Any) -> Report:
    return Report(node, success=False, data="half", gaps=list(gaps), **members)


def broken(node: str, error: str = "boom", **members: Any) -> Report:
    return Report(node, exec_error=error, kind="error", **members)


def attach(bot: str, node_id: str, parent: str = ROOT, **members: Any) -> Attach:
    return Attach(bot, parent, node_id, **members)


def relay_done(bot: str, node_id: str, **members: Any) -> BbsResult:
    return BbsResult(bot, node_id, "PASS", output={"part": "by relay"}, **members)


@dataclass
class World:
    """A goal that is decided about, with its log; every step checks what must always hold."""

    state: Graph | None = None
    now: int = 0
    log: list[Entry] = field(default_factory=list)
    effects: list[Effect] = field(default_factory=list)
    last: Decision | None = None

    def tell(self, *events: Event, at: float | None = None) -> World:
        """Let events happen, at an instant in seconds."""
        self.now = self.now if at is None else int(at * SECOND)
        for event in events:
            before = self.state
            self.last = decide(self.state, event, self.now)
            self.state = self.last.state
            self.effects += self.last.effects
            if self.last.entry is not None:
                self.log.append(self.last.entry)
            if self.state is not None:
                must_hold(before, self.state, self.effects)
            if before is not None and before.head.status in {GraphStatus.DONE, GraphStatus.CANCELLED}:
                assert not self.last.effects, "I15"
                assert set(self.graph.nodes) == set(before.nodes), "I15"
        return self

    def running(self, *nodes: str) -> World:
        """Have leaves found and delivered."""
        for each in nodes:
            self.tell(hit(each), Delivered(each))
        return self

    @property
    def graph(self) -> Graph:
        assert self.state is not None
        return self.state

    @property
    def status(self) -> int:
        assert self.last is not None
        return self.last.reply.status

    def states(self) -> dict[str, str]:
        return {node.id: node.status.value for node in self.graph.nodes.values()}

    def node(self, node_id: str) -> Node:
        return self.graph.nodes[node_id]

    def awaited(self) -> list[str]:
        return sorted(f"{each.kind}:{each.subject}" for each in self.graph.head.awaited)

    def asked(self, name: str, subject: str) -> int:
        """Return how many attempts at an effect were asked for."""
        return len({each.attempt for each in self.effects if each.name == name and each.subject == subject})

    def reopened(self) -> World:
        """Lose everything but what was stored, and check that the log gives the same as the snapshot."""
        entries = [decode_entry(encode_entry(each)) for each in self.log]
        assert entries == self.log
        stored = decode_state(encode_state(self.graph))
        assert stored == self.graph == folded(None, entries)
        self.state = stored
        return self


def started(*children: str, limits: Limits | None = None, criteria: Sequence[str] = ()) -> World:
    """Return a goal whose first plan was answered with these children."""
    world = World().tell(Execute(info(*criteria, limits=limits)))
    return world.tell(plan(ROOT, *children)) if children else world


def hung_leaf(bids: dict[str, int] | None = None) -> World:
    """Return a goal with one leaf that nobody can do, after a round of bids if there are any."""
    world = started("a", limits=Limits(max_depth=1)).tell(miss("a"))
    return world if bids is None else world.tell(Bids(tuple(bids.items())))


def must_hold(before: Graph | None, graph: Graph, effects: list[Effect]) -> None:
    """Check the invariants I1 to I15 that can be read off a graph, the one before it, and all effects so far."""
    final = {NodeStatus.DONE, NodeStatus.CANCELLED}
    for node in () if before is None else before.nodes.values():
        assert node.status not in final or graph.nodes[node.id].status is node.status, f"I1 {node.id}"
    for node in graph.nodes.values():
        _node_must_hold(graph, node)
    _tree_must_hold(graph)
    keys = [each.key for each in effects if isinstance(each, Deliver)]
    assert len({each.rsplit("#", 1)[0] for each in keys}) <= len(graph.nodes)
    assert not any(isinstance(each, Deliver | Search) and each.subject == graph.root.id for each in effects), "I13"
    scoped = [n for n in graph.nodes.values() if is_scoped(n) and n.status is NodeStatus.RUNNING]
    assert len(scoped) <= 1, "I11"
    assert not scoped or graph.head.relay.owner == scoped[0].run.assignee, "I11"
    subjects = [(each.kind, each.subject) for each in graph.head.awaited]
    assert len(subjects) == len(set(subjects)), "I3"
    if graph.head.status is GraphStatus.RUNNING:
        assert graph.head.info.task_type is not TaskType.DYNAMIC or _moves(graph), "I8"
    else:
        assert not graph.head.awaited, "I7"
        assert not any(is_live(each) for each in graph.nodes.values() if each.id != ROOT), "I7"
        assert graph.head.output, "a goal that ended says what there is"
    if graph.head.status is GraphStatus.HUNG:
        assert graph.head.hung_reason is not None, "I9"
    if graph.head.status is not GraphStatus.FAILED:
        assert (graph.root.status is NodeStatus.DONE) == (graph.head.status is GraphStatus.DONE), "I4"
    for each in graph.head.awaited:
        assert effect_of(graph, each).key


def _node_must_hold(graph: Graph, node: Node) -> None:
    limits = graph.head.info.limits
    if node.status is NodeStatus.DONE:
        assert node.run.acceptance is not None, f"I2 {node.id}"
        evidence = {each.ac_id for each in node.run.acceptance.metric if each.passed and each.evidence}
        if graph.head.info.task_type is TaskType.DYNAMIC:
            assert {each.id for each in node.spec.acceptances} <= evidence, f"I2 {node.id}"
    if node.status is NodeStatus.HUNG:
        assert node.run.hung_reason is not None, f"I9 {node.id}"
    if node.status is NodeStatus.FAILED:
        assert node.run.acceptance is not None, node.id
        assert node.run.acceptance.gaps, node.id
    assert node.run.retries <= limits.max_harness, f"I6 {node.id}"
    assert node.run.plan_round <= limits.max_plan_round, f"I6 {node.id}"
    assert graph.head.relay.count <= limits.bbs_max_depth, "I6"
    assert len(graph.nodes) <= limits.max_nodes, "I6"
    # A node splits above the greatest depth; remedies and relays reach below it by as much again, and one.
    assert depth_of(graph, node.id) <= 2 * limits.max_depth + 2, f"I6 {node.id}"


def _tree_must_hold(graph: Graph) -> None:
    children = [each.child for each in graph.head.relations]
    assert sorted(children) == sorted(set(graph.nodes) - {graph.root.id}), "I10"
    for node in graph.nodes.values():
        assert node.id == graph.root.id or parent_of(graph, node.id) in graph.nodes, "I10"


def _moves(graph: Graph) -> bool:
    """Whether something will move an open goal: an answer, a leaf that runs or is due, or an offer of a relay."""
    relay = graph.head.relay
    waits = bool(graph.head.awaited) or relay.next_offer is not None or relay.owner is not None
    return waits or (graph.head.wake_at is not None and any(_is_leaf(graph, n) for n in graph.nodes.values()))


def _is_leaf(graph: Graph, node: Node) -> bool:
    return is_live(node) and not children_of(graph, node.id) and node.id != ROOT


def limits(**members: Any) -> Limits:
    return replace(Limits(), **members)
