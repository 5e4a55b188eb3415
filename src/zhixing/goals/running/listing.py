"""Goals in lists: how many there are, one alone, those that look for somebody outside, and what relays did."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

import msgspec

from zhixing.goals.loop.model import Graph, Node, TaskInfo
from zhixing.goals.loop.values import GraphStatus, NodeStatus, RunMode
from zhixing.goals.running.rows import Listed, graph_of
from zhixing.store.connection import Row, Store

MOST_RELAYED = 200
"""Goals in which relays are looked for, the newest ones."""

_OF_RELAYS = '%"run_mode":"bbs"%'
_COLUMNS = "info, config, status, bbs_mode, created_at, changed_at"


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which goals: of an owner or of all (None), in these states (empty: none at all), relays wanted or whatever."""

    owner: str | None = None
    statuses: Collection[GraphStatus] = tuple(GraphStatus)
    bbs_only: bool = False


@dataclass(frozen=True, slots=True)
class Relayed:
    """A node on which a bot of the board works or worked."""

    graph: Graph
    node: Node


class Listing:
    """The goals of a store, to be looked at."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def page(self, wanted: Wanted, limit: int, offset: int = 0) -> tuple[Listed, ...]:
        """Return goals, the newest first."""
        where, values = _where(wanted)
        with self._store.read() as tx:
            found = tx.rows(
                f"SELECT {_COLUMNS} FROM goals WHERE {where} ORDER BY created_at DESC, task_id DESC LIMIT ? OFFSET ?",
                (*values, limit, offset),
            )
        return tuple(map(_listed, found))

    def count(self, wanted: Wanted) -> int:
        """Return how many goals there are."""
        where, values = _where(wanted)
        with self._store.read() as tx:
            row = tx.row(f"SELECT COUNT(*) FROM goals WHERE {where}", values)
        return int(row[0]) if row is not None else 0

    def record(self, task_id: str) -> Listed | None:
        """Return one goal as it stands in lists."""
        with self._store.read() as tx:
            row = tx.row(f"SELECT {_COLUMNS} FROM goals WHERE task_id = ?", (task_id,))
        return None if row is None else _listed(row)

    def beginning(self, head: str, limit: int) -> tuple[str, ...]:
        """Return the ids of goals that begin with `head`, the newest first."""
        with self._store.read() as tx:
            found = tx.rows(
                "SELECT task_id FROM goals WHERE substr(task_id, 1, ?) = ?"
                " ORDER BY created_at DESC, task_id DESC LIMIT ?",
                (len(head), head, limit),
            )
        return tuple(task_id for (task_id,) in found)

    def relayed(self, statuses: Collection[NodeStatus] = (), word: str = "") -> tuple[Relayed, ...]:
        """Return the relays of the newest goals that had some; no status for all, `word` is looked for in titles."""
        with self._store.read() as tx:
            found = tx.rows(
                "SELECT task_id FROM goals WHERE snapshot LIKE ? OR EXISTS (SELECT 1 FROM goal_nodes"
                " WHERE goal_nodes.task_id = goals.task_id AND goal_nodes.node LIKE ?)"
                " ORDER BY created_at DESC, task_id DESC LIMIT ?",
                (_OF_RELAYS, _OF_RELAYS, MOST_RELAYED),
            )
            graphs = [graph_of(tx, task_id) for (task_id,) in found]
        word = word.casefold()
        return tuple(each for graph in graphs if graph is not None for each in _relays(graph, statuses, word))


def _relays(graph: Graph, statuses: Collection[NodeStatus], word: str) -> Iterator[Relayed]:
    for node in reversed(tuple(graph.nodes.values())):
        fits = not statuses or node.status in statuses
        if node.run.run_mode is RunMode.BBS and fits and word in f"{node.spec.title} {node.spec.objective}".casefold():
            yield Relayed(graph, node)


def _where(wanted: Wanted) -> tuple[str, tuple[str, ...]]:
    if not wanted.statuses:
        return "1 = 0", ()
    values = [each.value for each in wanted.statuses]
    parts = [f"status IN ({', '.join('?' for _ in values)})"]
    if wanted.owner is not None:
        parts.append("owner = ?")
        values.append(wanted.owner)
    if wanted.bbs_only:
        parts.append("bbs_mode = 1")
    return " AND ".join(parts), tuple(values)


def _listed(row: Row) -> Listed:
    info, config, status, bbs_mode, created, changed = row
    return Listed(
        msgspec.json.decode(info, type=TaskInfo),
        msgspec.json.decode(config),
        GraphStatus(status),
        bool(bbs_mode),
        created,
        changed,
    )
