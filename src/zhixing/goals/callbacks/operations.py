"""What becomes of messages that name no leaf: the leaf that runs in their session, or a line for who looks for them."""

from __future__ import annotations

from zhixing.goals.callbacks import rows
from zhixing.goals.callbacks.rows import Kept
from zhixing.goals.contracts.shapes import compact
from zhixing.goals.loop.model import Node
from zhixing.goals.loop.results import digest_of
from zhixing.goals.loop.values import NodeStatus
from zhixing.goals.running.rows import graph_of
from zhixing.kernel.clock import Clock
from zhixing.kernel.moments import millis
from zhixing.store.connection import Store

MOST_KEPT = 500
LONGEST_KEPT = 8000
"""Characters of a message that are kept."""


class Callbacks:
    """The messages of a store that name no leaf."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    def place_of(self, session_id: str) -> tuple[str, str, int] | None:
        """Return task, node and attempt of the leaf that runs in a session; None when none does, or several do."""
        found = []
        with self._store.read() as tx:
            for task_id in rows.with_session(tx, session_id) if session_id else ():
                graph = graph_of(tx, task_id)
                nodes = () if graph is None else graph.nodes.values()
                found += [(task_id, each.id, each.run.attempt) for each in nodes if _runs_in(each, session_id)]
        return found[0] if len(found) == 1 else None

    def keep(self, body: object, bot_id: str = "") -> None:
        """Keep a message that belongs to no known goal; the same one again is only counted."""
        text = compact(body)[:LONGEST_KEPT]
        digest = digest_of(bot_id, "unmatched", 0, {"body": body})
        with self._store.write() as tx:
            rows.keep(tx, Kept(digest, bot_id, text, 1, millis(self._clock.now())))
            rows.forget_all_but(tx, MOST_KEPT)

    def kept(self, limit: int = MOST_KEPT) -> tuple[Kept, ...]:
        """Return the messages that belong to no known goal, the newest first."""
        with self._store.read() as tx:
            return rows.kept(tx, limit)


def _runs_in(node: Node, session_id: str) -> bool:
    return node.run.session_id == session_id and node.status is NodeStatus.RUNNING
