"""When a goal has to be looked at next, if nothing else happens."""

from __future__ import annotations

from collections.abc import Iterator

from zhixing.goals.loop.harness import due_of, sla_of
from zhixing.goals.loop.limits import WARN_AT
from zhixing.goals.loop.model import Graph
from zhixing.goals.loop.tree import is_external, is_over, scoped_running
from zhixing.goals.loop.values import RunMode


def next_due(graph: Graph) -> int | None:
    """Return the instant of the next tick that finds something to do, None when there is none."""
    return None if is_over(graph) else min(_dues(graph), default=None)


def _dues(graph: Graph) -> Iterator[int]:
    head, limits = graph.head, graph.head.info.limits
    if limits.wall_clock is not None:
        warned = "wall_clock" in head.told
        yield head.started_at + (limits.wall_clock if warned else -int(-limits.wall_clock * WARN_AT // 1))
    if is_external(graph):
        return
    for node in graph.nodes.values():
        due = due_of(limits, node)
        if due is not None:
            yield due + 1
    if head.relay.next_offer is not None:
        yield head.relay.next_offer
    if head.relay.claimed_at is not None and scoped_running(graph) is None:
        yield head.relay.claimed_at + sla_of(limits, RunMode.BBS) + 1
