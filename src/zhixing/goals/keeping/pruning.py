"""Old logs of goals: a goal that ended long ago keeps its graph and its result, not every step that led there."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from zhixing.engine.model import Engine, Job, Run
from zhixing.goals.loop.values import GraphStatus
from zhixing.kernel.clock import Clock
from zhixing.kernel.moments import micros
from zhixing.store.connection import Store, Tx

PRUNE: Final = "goal_prune"
"""The name of the job that clears logs away, once a day."""
KEPT: Final = timedelta(days=90)
"""How long after its last change the log of an ended goal is kept."""
GOALS_AT_ONCE: Final = 20
ENTRIES_AT_ONCE: Final = 500
"""Entries that one transaction takes away: each may be long, and others wait for their turn to write."""
MOST_BATCHES: Final = 200
"""Transactions of one day; what is left then waits for the next."""

_DAY = timedelta(days=1)
_ENDED = (GraphStatus.DONE.value, GraphStatus.FAILED.value, GraphStatus.CANCELLED.value)


class Pruning:
    """Clears old logs away. Registers a handler, so make it before the engine starts."""

    def __init__(self, store: Store, engine: Engine, clock: Clock) -> None:
        self._store = store
        self._engine = engine
        self._clock = clock
        engine.register(PRUNE, self._prune)

    def take_up(self) -> None:
        """See to it that logs are cleared away every day; at the start of the program, as often as one likes."""
        with self._store.write() as tx:
            self._expect(tx, timedelta())

    def _expect(self, tx: Tx, pause: timedelta) -> None:
        due = self._clock.now() + pause
        self._engine.enqueue(tx, Job(PRUNE, f"goal-prune:{due:%Y-%m-%d}", due))

    def _prune(self, run: Run) -> None:
        before = micros(self._clock.now() - KEPT) // 1000
        for _ in range(MOST_BATCHES):
            with run.checkpoint() as tx:
                if not prune(tx, before):
                    break
        with run.commit() as tx:
            self._expect(tx, _DAY)


def prune(tx: Tx, before: int, limit: int = ENTRIES_AT_ONCE) -> int:
    """Take entries of goals away that ended before an instant (milliseconds), at most `limit`; return how many.

    Goals that hang are kept whole: people may take them up again.
    """
    left = limit
    for goal_id in _old(tx, before, GOALS_AT_ONCE):
        tx.execute("DELETE FROM goal_sendings WHERE task_id = ?", (goal_id,))
        left -= tx.execute(
            "DELETE FROM goal_log WHERE task_id = ? AND seq IN"
            " (SELECT seq FROM goal_log WHERE task_id = ? ORDER BY seq LIMIT ?)",
            (goal_id, goal_id, left),
        )
        if left <= 0:
            break
    return limit - left


def _old(tx: Tx, before: int, limit: int) -> list[str]:
    marks = ", ".join("?" for _ in _ENDED)
    found = tx.rows(
        f"SELECT task_id FROM goals WHERE status IN ({marks}) AND changed_at < ?"
        " AND EXISTS (SELECT 1 FROM goal_log WHERE goal_log.task_id = goals.task_id) ORDER BY created_at LIMIT ?",
        (*_ENDED, before, limit),
    )
    return [str(task_id) for (task_id,) in found]
