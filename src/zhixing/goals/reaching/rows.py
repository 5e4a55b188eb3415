"""The rows of runs: what a bot was given, how far that is, and what it came to. Instants are milliseconds."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from enum import StrEnum

from zhixing.goals.contracts.extracting import LONGEST
from zhixing.store.connection import Tx
from zhixing.world.bots.hearing import plain
from zhixing.world.bots.port import FAILED, Receipt, Said

LONGEST_ERROR = 2000
_MOST_TOKENS = 10**15
_MOST_COST = 1e15


class RunState(StrEnum):
    """How far a run is.

    `leaving` and `sent` are of bots that work on their own side: nobody knows yet, and it is there. `queued` and
    `asking` are of bots that only answer. `refused` provably reached nobody; `interrupted` was cut off on the way.
    """

    LEAVING = "leaving"
    SENT = "sent"
    QUEUED = "queued"
    ASKING = "asking"
    DONE = "done"
    FAILED = "failed"
    INTERRUPTED = "interrupted"
    STOPPED = "stopped"
    REFUSED = "refused"


ENDED = frozenset({RunState.DONE, RunState.FAILED, RunState.INTERRUPTED})
"""The states in which a run has a result that counts."""
OPEN = frozenset({RunState.LEAVING, RunState.SENT, RunState.QUEUED, RunState.ASKING})
"""The states of a run that is under way."""


@dataclass(frozen=True, slots=True)
class Subject:
    """Which attempt a run is: its key is that of the effect that wanted it."""

    key: str
    task_id: str
    node_id: str
    attempt: int


@dataclass(frozen=True, slots=True)
class KeptRun:
    """A run as it is kept; `said` says nothing before there is a result."""

    subject: Subject
    bot_id: str
    text: str = field(repr=False)
    state: RunState
    receipt: Receipt
    said: Said


def add(tx: Tx, subject: Subject, bot_id: str, text: str, *, state: RunState, at: int) -> bool:
    """Keep a new run; return False when there is one of that key, or of that attempt."""
    return bool(
        tx.execute(
            "INSERT INTO goal_runs (key, task_id, node_id, attempt, bot_id, text, state, run_id, session_id, content,"
            " run_status, error, tokens, cost, created_at, changed_at)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, '', '', '', '', '', 0, 0, ?, ?) ON CONFLICT DO NOTHING",
            (
                subject.key,
                subject.task_id,
                subject.node_id,
                subject.attempt,
                bot_id,
                plain(text),
                state.value,
                at,
                at,
            ),
        )
    )


_COLUMNS = (
    "key, task_id, node_id, attempt, bot_id, text, state, run_id, session_id, content, run_status, error, tokens, cost"
)


def of_key(tx: Tx, key: str) -> KeptRun | None:
    """Return the run of an effect."""
    return _read(tx, "key = ?", key)


def of_attempt(tx: Tx, task_id: str, node_id: str, attempt: int) -> KeptRun | None:
    """Return the run of an attempt at a node."""
    return _read(tx, "task_id = ? AND node_id = ? AND attempt = ?", task_id, node_id, attempt)


def bots_before(tx: Tx, task_id: str, node_id: str, attempt: int) -> tuple[str, ...]:
    """Return the bots that had earlier attempts at a node, without those that only our own end cut off."""
    found = tx.rows(
        "SELECT bot_id FROM goal_runs WHERE task_id = ? AND node_id = ? AND attempt < ? AND state <> ?"
        " ORDER BY attempt",
        (task_id, node_id, attempt, RunState.INTERRUPTED.value),
    )
    return tuple(bot_id for (bot_id,) in found)


def move(tx: Tx, key: str, before: Collection[RunState], after: RunState, at: int) -> bool:
    """Put a run into another state; return False when it is in none of those it may come from."""
    marks = ", ".join("?" for _ in before)
    return bool(
        tx.execute(
            f"UPDATE goal_runs SET state = ?, changed_at = ? WHERE key = ? AND state IN ({marks})",
            (after.value, at, key, *(each.value for each in before)),
        )
    )


def place(tx: Tx, key: str, receipt: Receipt, at: int) -> None:
    """Note where a run is that left, also of one that was stopped while it did: only so can its bot be told."""
    leaving, stopped = RunState.LEAVING.value, RunState.STOPPED.value
    tx.execute(
        "UPDATE goal_runs SET state = CASE WHEN state = ? THEN ? ELSE state END, run_id = ?, session_id = ?,"
        " changed_at = ? WHERE key = ? AND state IN (?, ?) AND run_id = ''",
        (
            leaving,
            RunState.SENT.value,
            plain(receipt.run_id),
            plain(receipt.session_id),
            at,
            key,
            leaving,
            stopped,
        ),
    )


def end(tx: Tx, key: str, state: RunState, said: Said, at: int) -> bool:
    """Keep what a run came to (`bounded`); return False when it does not count any more: then it is only kept."""
    counts = move(tx, key, OPEN, state, at)
    tx.execute(
        "UPDATE goal_runs SET text = '', content = ?, run_status = ?, error = ?, tokens = ?, cost = ?, changed_at = ?"
        " WHERE key = ? AND run_status = ''",
        (
            said.content,
            said.run_status,
            said.error,
            said.tokens,
            said.cost,
            at,
            key,
        ),
    )
    return counts


def forget(tx: Tx, task_id: str, limit: int) -> int:
    """Let go of the runs of a goal, at most `limit`; return how many."""
    return tx.execute(
        "DELETE FROM goal_runs WHERE key IN (SELECT key FROM goal_runs WHERE task_id = ? LIMIT ?)", (task_id, limit)
    )


def bounded(said: Said) -> Said:
    """Return what a bot said as it can be kept; of a long text the end, for that is where a result stands."""
    return Said(
        plain(said.content[-LONGEST:]),
        plain(said.run_status[:100]) or FAILED,
        plain(said.error[:LONGEST_ERROR]),
        max(0, min(said.tokens, _MOST_TOKENS)),
        max(0.0, min(said.cost, _MOST_COST)),
    )


def _read(tx: Tx, where: str, *values: object) -> KeptRun | None:
    row = tx.row(f"SELECT {_COLUMNS} FROM goal_runs WHERE {where}", values)
    if row is None:
        return None
    key, task_id, node_id, attempt, bot_id, text, state, run_id, session_id, *said = row
    return KeptRun(
        Subject(key, task_id, node_id, attempt), bot_id, text, RunState(state), Receipt(run_id, session_id), Said(*said)
    )
