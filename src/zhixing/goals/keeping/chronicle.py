"""What a change of a goal means to people, for the journal of its task. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from zhixing.goals.keeping.texts import LONGEST, single_line
from zhixing.goals.loop.model import Graph, Node
from zhixing.goals.loop.values import Dispatch, GraphStatus, NodeStatus
from zhixing.tasks.journal import Kind

MOST = 50
"""Lines of one change: a goal that stops may hang in hundreds of places."""

_ENDS = {
    GraphStatus.DONE: Kind.GOAL_DONE,
    GraphStatus.FAILED: Kind.GOAL_FAILED,
    GraphStatus.CANCELLED: Kind.GOAL_CANCELLED,
    GraphStatus.HUNG: Kind.GOAL_STOPPED,
    GraphStatus.RUNNING: Kind.GOAL_RESUMED,
}


@dataclass(frozen=True, slots=True)
class Happened:
    """One line of the journal. `why` is a code: a `Hung`, a limit, or nothing; texts in `data` are on one line."""

    kind: Kind
    why: str = ""
    data: dict[str, Any] = field(default_factory=dict)


def happened(before: Graph, after: Graph) -> tuple[Happened, ...]:
    """Return what a change means, in the order in which it is told."""
    lines = [*_budget(before, after), *_of_nodes(before, after), *_relay(before, after)]
    return (*lines[: MOST - 1], *_status(before, after))


def _status(before: Graph, after: Graph) -> Iterator[Happened]:
    if after.head.status is not before.head.status:
        reason = after.head.hung_reason if after.head.status is GraphStatus.HUNG else None
        yield Happened(_ENDS[after.head.status], "" if reason is None else reason.value)


def _of_nodes(before: Graph, after: Graph) -> Iterator[Happened]:
    # Of a goal that stopped, everything hangs for the one reason that is told of the goal.
    stopped = after.head.status is not GraphStatus.RUNNING
    for node in after.nodes.values():
        old = before.nodes.get(node.id)
        if old is node:
            continue
        was = None if old is None else old.status
        reason = node.run.hung_reason
        if node.status is NodeStatus.HUNG and was is not NodeStatus.HUNG and reason is not None and not stopped:
            yield Happened(Kind.GOAL_HUNG, reason.value, _named(node))
        if node.run.dispatch is Dispatch.UNKNOWN and (old is None or old.run.dispatch is not Dispatch.UNKNOWN):
            yield Happened(Kind.GOAL_UNSURE, "", _named(node))
        if old is not None and node.run.late_count > old.run.late_count:
            yield Happened(Kind.GOAL_LATE, "", _named(node))


def _named(node: Node) -> dict[str, Any]:
    return {"node": node.id[:LONGEST], "title": title_of(node)}


def title_of(node: Node) -> str:
    """Return what a node is called."""
    spec = node.spec
    return single_line(next((each for each in (spec.title, spec.objective, spec.instruction) if each.strip()), node.id))


def _relay(before: Graph, after: Graph) -> Iterator[Happened]:
    was, now = before.head.relay, after.head.relay
    if now.mode and not was.mode and after.head.status is GraphStatus.RUNNING:
        reason = after.root.run.hung_reason
        yield Happened(Kind.GOAL_RELAY_WANTED, "" if reason is None else reason.value)
    if now.owner is not None and now.owner != was.owner:
        yield Happened(Kind.GOAL_RELAYED, "", {"bot": single_line(now.owner)})


def _budget(before: Graph, after: Graph) -> Iterator[Happened]:
    for name in after.head.told:
        if name not in before.head.told:
            yield Happened(Kind.GOAL_BUDGET, name)
