"""Clearing away: a goal that ended long ago keeps its graph and its result, not every step that led there.

What goes is its log, what bots were given and said, and the talks of its groups; then groups that nobody uses, and the
conversations of which nothing comes any more. Everything goes in pieces: others wait for their turn to write.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import partial
from typing import Final

from zhixing.engine.model import Engine, Job, Run
from zhixing.goals.groups import rows as groups
from zhixing.goals.groups.model import MOST_KNOWN
from zhixing.goals.loop.values import GraphStatus
from zhixing.goals.reaching import rows as runs
from zhixing.goals.talking import rows as talks
from zhixing.kernel.clock import Clock
from zhixing.kernel.moments import millis
from zhixing.store.connection import Store, Tx

PRUNE: Final = "goal_prune"
"""The name of the job that clears away, once a day."""
KEPT: Final = timedelta(days=90)
"""How long after its last change an ended goal is kept whole; conversations and groups, from their beginning."""
GOALS_AT_ONCE: Final = 200
"""Goals that are looked for at a time."""
ROWS_AT_ONCE: Final = 500
"""Rows that one transaction takes away: each may be long."""
MOST_BATCHES: Final = 200
"""Transactions of one day for each kind; what is left then waits for the next."""

_DAY = timedelta(days=1)
_ENDED = tuple(each.value for each in GraphStatus if not each.open)
_MARKS = ", ".join("?" for _ in _ENDED)
_Place = tuple[int, str]
"""When a goal was handed in, and its id: the order in which goals are gone through."""


class Pruning:
    """Clears away. Registers a handler, so make it before the engine starts."""

    def __init__(self, store: Store, engine: Engine, clock: Clock) -> None:
        self._store = store
        self._engine = engine
        self._clock = clock
        engine.register(PRUNE, self._prune)

    def take_up(self) -> None:
        """See to it that it is done every day; at the start of the program, as often as one likes."""
        with self._store.read() as tx:
            wanted = tx.row("SELECT 1 FROM goals LIMIT 1") or tx.row("SELECT 1 FROM goal_drafts LIMIT 1")
        if wanted:
            with self._store.write() as tx:
                self._expect(tx, timedelta())

    def expect(self, tx: Tx) -> None:
        """See to it from tomorrow on, now that there is something that will once be cleared away."""
        self._expect(tx, _DAY)

    def _expect(self, tx: Tx, pause: timedelta) -> None:
        due = self._clock.now() + pause
        self._engine.enqueue(tx, Job(PRUNE, f"goal-prune:{due:%Y-%m-%d}", due))

    def _prune(self, run: Run) -> None:
        since = self._clock.now() - KEPT
        before, left = millis(since), MOST_BATCHES
        for goal_id in self._candidates(before):
            left -= _in_pieces(run, left, partial(prune, goal_id=goal_id, before=before))
            if left <= 0:
                break
        _in_pieces(run, MOST_BATCHES, lambda tx: groups.forget_groups(tx, before, MOST_KNOWN, ROWS_AT_ONCE))
        _in_pieces(run, MOST_BATCHES, lambda tx: talks.forget(tx, since, ROWS_AT_ONCE))
        with run.commit() as tx:
            self._expect(tx, _DAY)

    def _candidates(self, before: int) -> Iterator[str]:
        """Yield goals of which something is to be cleared away, looked for without keeping anybody from writing."""
        after: _Place | None = (-1, "")
        while after is not None:
            with self._store.read() as tx:
                found = _candidates(tx, before, after)
                old = [goal_id for _, goal_id in found if _is_old(tx, goal_id, before)]
            yield from old
            after = found[-1] if len(found) == GOALS_AT_ONCE else None


def _in_pieces(run: Run, most: int, forget: Callable[[Tx], int]) -> int:
    """Clear away until there is nothing left, in `most` transactions at most; return how many it took."""
    for count in range(1, most + 1):
        with run.checkpoint() as tx:
            if forget(tx) < ROWS_AT_ONCE:
                return count
    return most


def prune(tx: Tx, goal_id: str, before: int, limit: int = ROWS_AT_ONCE) -> int:
    """Take rows of a goal away that ended before an instant (milliseconds), at most `limit`; return how many.

    Goals that hang are kept whole: people may take them up again.
    """
    if not _is_old(tx, goal_id, before):
        return 0
    tx.execute("DELETE FROM goal_sendings WHERE task_id = ?", (goal_id,))
    left = limit
    for forget in (_forget_log, runs.forget, groups.forget_talks):
        left -= forget(tx, goal_id, left) if left > 0 else 0
    return limit - left


def _forget_log(tx: Tx, goal_id: str, limit: int) -> int:
    return tx.execute(
        "DELETE FROM goal_log WHERE task_id = ? AND seq IN"
        " (SELECT seq FROM goal_log WHERE task_id = ? ORDER BY seq LIMIT ?)",
        (goal_id, goal_id, limit),
    )


def _candidates(tx: Tx, before: int, after: _Place) -> list[_Place]:
    # When a goal was changed last stands behind its snapshot, which may be long: that is looked up one by one.
    found = tx.rows(
        f"SELECT created_at, task_id FROM goals WHERE status IN ({_MARKS}) AND created_at < ?"
        " AND (created_at > ? OR (created_at = ? AND task_id > ?))"
        " AND (EXISTS (SELECT 1 FROM goal_log WHERE goal_log.task_id = goals.task_id)"
        " OR EXISTS (SELECT 1 FROM goal_runs WHERE goal_runs.task_id = goals.task_id)"
        " OR EXISTS (SELECT 1 FROM goal_talks WHERE goal_talks.task_id = goals.task_id))"
        " ORDER BY created_at, task_id LIMIT ?",
        (*_ENDED, before, after[0], after[0], after[1], GOALS_AT_ONCE),
    )
    return [(created, str(goal_id)) for created, goal_id in found]


def _is_old(tx: Tx, goal_id: str, before: int) -> bool:
    return (
        tx.row(
            f"SELECT 1 FROM goals WHERE task_id = ? AND status IN ({_MARKS}) AND changed_at < ?",
            (goal_id, *_ENDED, before),
        )
        is not None
    )
