"""The rows of a graph: its head in the row of the goal, and a row for each of its nodes.

A step changes one or two nodes of a graph that may have hundreds, so that only those are written. What the decider left
alone is the same object before and after. Nodes never go and never change places.
"""

from __future__ import annotations

from dataclasses import dataclass

from zhixing.goals.loop.coding import decode_parts, decode_state, encode_head, encode_node
from zhixing.goals.loop.model import Graph
from zhixing.store.connection import Tx

_PUT = (
    "INSERT INTO goal_nodes (task_id, place, node) VALUES (?, ?, ?)"
    " ON CONFLICT (task_id, place) DO UPDATE SET node = excluded.node"
)


def put(tx: Tx, before: Graph | None, after: Graph) -> None:
    """Keep the nodes in which a graph differs from the one that is kept, None for nothing."""
    old = {} if before is None else before.nodes
    task_id = after.head.info.task_id
    changed = [
        (task_id, place, encode_node(node))
        for place, (node_id, node) in enumerate(after.nodes.items())
        if old.get(node_id) is not node
    ]
    if changed:
        tx.many(_PUT, changed)


@dataclass(frozen=True, slots=True)
class Read:
    """A graph as it was read, and whether it is written in parts or, as it was once, whole."""

    graph: Graph
    is_apart: bool


def read(tx: Tx, task_id: str) -> Read | None:
    """Return a graph as it is."""
    row = tx.row("SELECT snapshot FROM goals WHERE task_id = ?", (task_id,))
    if row is None:
        return None
    nodes = tx.rows("SELECT node FROM goal_nodes WHERE task_id = ? ORDER BY place", (task_id,))
    graph = decode_parts(row[0], (node for (node,) in nodes)) if nodes else decode_state(row[0])
    return Read(graph, bool(nodes))


def take_apart(tx: Tx, task_id: str) -> Graph | None:
    """Return a graph that is about to change; one that was written whole is written in parts first."""
    found = read(tx, task_id)
    if found is None:
        return None
    if not found.is_apart:
        put(tx, None, found.graph)
        head = encode_head(found.graph.head)
        tx.execute("UPDATE goals SET snapshot = ? WHERE task_id = ?", (head, task_id))
    return found.graph
