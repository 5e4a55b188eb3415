"""A goal as its task is shown: how far it is, who is on it, what hangs and why. `seen_of` is pure."""

from __future__ import annotations

from dataclasses import dataclass

from zhixing.goals.keeping import links
from zhixing.goals.keeping.chronicle import title_of
from zhixing.goals.loop.model import Graph, Node
from zhixing.goals.loop.tree import is_scoped
from zhixing.goals.loop.values import Dispatch, GraphStatus, NodeStatus
from zhixing.goals.running import rows
from zhixing.store.connection import Tx

MOST = 20
"""Nodes of a kind that are shown."""


@dataclass(frozen=True, slots=True)
class Part:
    """A node that people look at. `who` is its bot, empty for none; `reason` is why it hangs, a code of `Hung`."""

    id: str
    title: str
    who: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class SeenGoal:
    """A goal in numbers and names. `leaves` are the parts that bots do; `unsure` those that may not have arrived."""

    goal_id: str
    status: GraphStatus
    reason: str
    done: int
    leaves: int
    working: tuple[Part, ...]
    hanging: tuple[Part, ...]
    unsure: tuple[Part, ...]
    relay_wanted: bool
    relay_owner: str
    graph: Graph


def status_of(tx: Tx, task_id: str) -> tuple[str, GraphStatus] | None:
    """Return which goal a task is and how it stands, without reading all of it; None for a task that is no goal."""
    row = tx.row(
        "SELECT goals.task_id, goals.status FROM goal_tasks JOIN goals ON goals.task_id = goal_tasks.goal_id"
        " WHERE goal_tasks.task_id = ?",
        (task_id,),
    )
    return None if row is None else (str(row[0]), GraphStatus(row[1]))


def seen(tx: Tx, task_id: str) -> SeenGoal | None:
    """Return the goal that a task is, None for a task that is no goal."""
    goal_id = links.goal_of(tx, task_id)
    graph = None if goal_id is None else rows.graph_of(tx, goal_id)
    return None if graph is None else seen_of(graph)


def seen_of(graph: Graph) -> SeenGoal:
    """Return a goal in numbers and names."""
    head = graph.head
    parents = {each.parent for each in head.relations}
    leaves = [node for node in graph.nodes.values() if node.id not in parents and _matters(node)]
    parts = [node for node in leaves if node.id != graph.root.id] or leaves
    hanging = [node for node in graph.nodes.values() if node.status is NodeStatus.HUNG and not node.run.superseded]
    # What hangs for its children's sake hangs no more when they do not.
    causes = [node for node in hanging if node.id not in parents] or hanging
    reason = head.hung_reason or graph.root.run.hung_reason
    return SeenGoal(
        goal_id=graph.root.id,
        status=head.status,
        reason="" if reason is None else reason.value,
        done=sum(node.status is NodeStatus.DONE for node in parts),
        leaves=len(parts),
        working=_parts([node for node in parts if node.status is NodeStatus.RUNNING]),
        hanging=_parts(causes),
        unsure=_parts([node for node in parts if node.run.dispatch is Dispatch.UNKNOWN]),
        relay_wanted=head.relay.mode and head.status is GraphStatus.RUNNING,
        relay_owner=head.relay.owner or "",
        graph=graph,
    )


def _matters(node: Node) -> bool:
    """Whether a leaf counts: not one that another took the place of, nor a relay that did not get through."""
    return not node.run.superseded and not (is_scoped(node) and node.status is NodeStatus.FAILED)


def _parts(nodes: list[Node]) -> tuple[Part, ...]:
    return tuple(
        Part(
            node.id,
            title_of(node),
            node.run.assignee or "",
            "" if node.run.hung_reason is None else node.run.hung_reason.value,
        )
        for node in nodes[:MOST]
    )
