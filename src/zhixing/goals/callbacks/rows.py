"""The rows of messages that belong to no known goal, and the way from a session to its goals."""

from __future__ import annotations

import json
from dataclasses import dataclass

from zhixing.goals.loop.values import GraphStatus
from zhixing.store.connection import Tx

MOST_FOUND = 10


@dataclass(frozen=True, slots=True)
class Kept:
    """A message as it came; `times` counts how often, `at` is when first, in milliseconds."""

    digest: str
    bot_id: str
    body: str
    times: int
    at: int


def keep(tx: Tx, new: Kept) -> None:
    """Keep a message, or count it once more."""
    tx.execute(
        "INSERT INTO goal_callbacks (digest, bot_id, body, times, at) VALUES (?, ?, ?, ?, ?)"
        " ON CONFLICT (digest) DO UPDATE SET times = goal_callbacks.times + 1",
        (new.digest, new.bot_id, new.body, new.times, new.at),
    )


def forget_all_but(tx: Tx, most: int) -> None:
    """Let go of the oldest messages."""
    tx.execute(
        "DELETE FROM goal_callbacks WHERE digest NOT IN"
        " (SELECT digest FROM goal_callbacks ORDER BY at DESC, digest DESC LIMIT ?)",
        (most,),
    )


def kept(tx: Tx, limit: int) -> tuple[Kept, ...]:
    """Return the latest messages, the newest first."""
    found = tx.rows(
        "SELECT digest, bot_id, body, times, at FROM goal_callbacks ORDER BY at DESC, digest DESC LIMIT ?", (limit,)
    )
    return tuple(Kept(*each) for each in found)


def with_session(tx: Tx, session_id: str) -> list[str]:
    """Return the goals under way of which a node has a session. It is the caller's to look at which node."""
    written = json.dumps(session_id, ensure_ascii=False)
    pattern = f'"session_id":{written}'.replace("!", "!!").replace("%", "!%").replace("_", "!_")
    found = tx.rows(
        "SELECT task_id FROM goals WHERE status = ? AND (snapshot LIKE ? ESCAPE '!' OR EXISTS (SELECT 1 FROM goal_nodes"
        " WHERE goal_nodes.task_id = goals.task_id AND goal_nodes.node LIKE ? ESCAPE '!')) ORDER BY task_id LIMIT ?",
        (GraphStatus.RUNNING.value, f"%{pattern}%", f"%{pattern}%", MOST_FOUND),
    )
    return [task_id for (task_id,) in found]
