"""Graphs as they were read or written last, so that the next step of a goal need not read all of its nodes again.

Only what is durable is kept, by its version, and the row of a goal says which version is there: another process, or a
transaction that was rolled back, makes nobody see a wrong graph.
"""

from __future__ import annotations

import threading
from collections import OrderedDict

from zhixing.goals.loop.model import Graph
from zhixing.goals.running import parts, rows
from zhixing.goals.running.rows import Kept
from zhixing.store.connection import Tx

MOST_NODES = 8192
"""Nodes kept in memory, those of the goals that were wanted last; about three kilobytes each."""


class Recent:
    """The goals of one store, read through memory. Safe to use from several threads: graphs are values."""

    def __init__(self, most_nodes: int = MOST_NODES) -> None:
        self._most = most_nodes
        self._graphs: OrderedDict[str, Graph] = OrderedDict()
        self._nodes = 0
        self._turn = threading.Lock()

    def graph(self, tx: Tx, task_id: str) -> Graph | None:
        """Return a goal as `tx` sees it."""
        there = rows.standing(tx, task_id)
        if there is None:
            return None
        return self._known(task_id, there[0]) or rows.graph_of(tx, task_id)

    def seen(self, tx: Tx, task_id: str) -> Graph | None:
        """Return a goal as a transaction sees it that only reads, and remember it."""
        there = rows.standing(tx, task_id)
        if there is None:
            return None
        known = self._known(task_id, there[0])
        if known is not None:
            return known
        found = parts.read(tx, task_id)
        # What is written whole has to be taken apart by whoever changes it, so nobody is to have it from memory.
        if found is not None and found.is_apart:
            self._remember(found.graph)
        return None if found is None else found.graph

    def taken(self, tx: Tx, task_id: str) -> Kept | None:
        """Return a goal that is to be changed: writers take turns, so nobody else changes it until `tx` ends."""
        there = rows.standing(tx, task_id)
        if there is None:
            return None
        version, due_at = there
        graph = self._known(task_id, version) or parts.take_apart(tx, task_id)
        return None if graph is None else Kept(graph, due_at)

    def keep(self, tx: Tx, graph: Graph) -> None:
        """Remember what `tx` makes of a goal, once it is durable."""
        tx.on_commit(lambda: self._remember(graph))

    def _known(self, task_id: str, version: int) -> Graph | None:
        with self._turn:
            graph = self._graphs.get(task_id)
            if graph is None or graph.head.seq != version:
                return None
            self._graphs.move_to_end(task_id)
            return graph

    def _remember(self, graph: Graph) -> None:
        task_id = graph.head.info.task_id
        with self._turn:
            old = self._graphs.get(task_id)
            if old is graph or (old is not None and old.head.seq > graph.head.seq):
                return
            self._graphs[task_id] = graph
            self._graphs.move_to_end(task_id)
            self._nodes += len(graph.nodes) - (0 if old is None else len(old.nodes))
            while self._nodes > self._most:
                _, oldest = self._graphs.popitem(last=False)
                self._nodes -= len(oldest.nodes)
