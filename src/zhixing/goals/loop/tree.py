"""The shape of a goal graph, read off its relations."""

from __future__ import annotations

from collections.abc import Iterator

from zhixing.goals.loop.model import Graph, Node
from zhixing.goals.loop.values import GraphStatus, NodeStatus, RunMode, TaskType, Verdict

_LIVE = {NodeStatus.PENDING, NodeStatus.PLANNING, NodeStatus.RUNNING}


def parent_of(graph: Graph, node_id: str) -> str | None:
    """Return the id of the parent, None for the root."""
    return next((each.parent for each in graph.head.relations if each.child == node_id), None)


def children_of(graph: Graph, node_id: str) -> list[Node]:
    """Return the children in the order in which they came."""
    return [graph.nodes[each.child] for each in graph.head.relations if each.parent == node_id]


def ancestors_of(graph: Graph, node_id: str) -> Iterator[Node]:
    """Yield the parent, its parent, and so on up to the root."""
    above = parent_of(graph, node_id)
    while above is not None:
        yield graph.nodes[above]
        above = parent_of(graph, above)


def depth_of(graph: Graph, node_id: str) -> int:
    """Return how deep a node lies; the root is 0."""
    return sum(1 for _ in ancestors_of(graph, node_id))


def remedies_above(graph: Graph, node_id: str) -> int:
    """Return how many ancestors failed their own acceptance, each of which this node helps to mend."""
    return sum(1 for each in ancestors_of(graph, node_id) if failed_once(each))


def failed_once(node: Node) -> bool:
    """Whether a node has failed its acceptance and not been accepted since."""
    return node.run.acceptance is not None and node.run.acceptance.verdict is Verdict.FAIL


def is_scoped(node: Node) -> bool:
    """Whether a relay bot attached the node."""
    return node.run.run_mode is RunMode.BBS


def is_live(node: Node) -> bool:
    """Whether something may still come of a node by itself. A relay that failed stays as a checkpoint."""
    return node.status in _LIVE or (node.status is NodeStatus.FAILED and not is_scoped(node))


def is_over(graph: Graph) -> bool:
    """Whether a goal has stopped; people can take up a hung one again."""
    return graph.head.status is not GraphStatus.RUNNING


def is_external(graph: Graph) -> bool:
    """Whether another system drives the goal and this graph only mirrors it."""
    return graph.head.info.task_type is not TaskType.DYNAMIC


def scoped_running(graph: Graph) -> Node | None:
    """Return the node on which a relay bot works: there is one at most."""
    return next((n for n in graph.nodes.values() if is_scoped(n) and n.status is NodeStatus.RUNNING), None)
