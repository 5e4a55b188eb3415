"""Who lets time pass for goals, and who tells people."""

from __future__ import annotations

from zhixing.engine.model import Job, RetryAt, Run
from zhixing.goals.loop.effects import Tell, Wake
from zhixing.goals.running.jobs import effect_in
from zhixing.goals.running.operations import Goals
from zhixing.goals.running.ports import News, Teller
from zhixing.kernel.clock import Clock
from zhixing.store.connection import Tx


class Waking:
    """Handlers of ticks and news."""

    def __init__(self, goals: Goals, teller: Teller, clock: Clock) -> None:
        self._goals = goals
        self._teller = teller
        self._clock = clock

    def wake(self, run: Run) -> None:
        """Let a tick come."""
        if self._clock.now() < run.job.due:
            raise RetryAt(run.job.due, "the clock went back")
        with run.commit() as tx:
            self._goals.wake(tx, effect_in(run.job, Wake))

    def wake_failed(self, tx: Tx, job: Job, _error: str) -> None:
        """Note that a tick will not come."""
        self._goals.forget_wake(tx, effect_in(job, Wake))

    def tell(self, run: Run) -> None:
        """Pass news on."""
        told = effect_in(run.job, Tell)
        self._teller.tell(News(told.key, told.task_id, told.subject, told.topic, told.values))
