"""The log of a goal: every entry holds an event and what it changed, and the state is the fold of the entries."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from zhixing.goals.loop.board import Action
from zhixing.goals.loop.events import Event
from zhixing.goals.loop.model import Graph, Head, Node


@dataclass(frozen=True, slots=True)
class Entry:
    """One decision that changed something. `seq` counts from 1 without gaps; `nodes` are those that changed."""

    seq: int
    at: int
    event: Event
    head: Head
    nodes: tuple[Node, ...]
    actions: tuple[Action, ...] = ()


def entry_of(before: Graph | None, after: Graph, event: Event, at: int, actions: tuple[Action, ...]) -> Entry:
    """Return the entry that leads from one state to the next."""
    old = {} if before is None else before.nodes
    changed = tuple(node for node in after.nodes.values() if old.get(node.id) is not node and old.get(node.id) != node)
    return Entry(after.head.seq, at, event, after.head, changed, actions)


def folded(state: Graph | None, entries: Iterable[Entry]) -> Graph | None:
    """Return the state after these entries. Raises `ValueError` when one is missing or out of order.

    What was folded already is skipped, so a log may overlap its snapshot.
    """
    for entry in entries:
        seq = 0 if state is None else state.head.seq
        if entry.seq <= seq:
            continue
        if entry.seq != seq + 1:
            raise ValueError(entry.seq)
        nodes = {} if state is None else dict(state.nodes)
        nodes.update({node.id: node for node in entry.nodes})
        state = Graph(entry.head, nodes)
    return state
