"""Runs wait here for their turn: one run of a task at a time, a bounded number of all tasks together.

Everything happens in the transaction of whoever calls: what makes a run wait, ends one, or calls one off also starts
what may start now. A run that is promised has a job; its key is the run, so it starts once.
"""

from __future__ import annotations

import secrets
from dataclasses import replace
from datetime import datetime, timedelta

from zhixing.documents import ledger
from zhixing.documents.artifacts.folders import later, run_id_of
from zhixing.documents.run import Cause, Run, RunState, startable
from zhixing.engine.model import Engine, Job
from zhixing.engine.model import Run as Attempt
from zhixing.kernel.clock import Clock
from zhixing.store.connection import Tx
from zhixing.tasks.occurrence import OccurrenceState
from zhixing.tasks.scheduling import Scheduling

RUN = "document.run"
"""The name of the job of a run. Its payload has `run`."""
WAKE = "document.wake"
"""The name of the job that looks again when a run that waits for another try is ready."""


def run_key(run_id: str) -> str:
    """Return the key of the job of a run."""
    return f"document:run:{run_id}"


class Queue:
    """The queue of a home. `at_once` is the most runs at a time. Make it before the engine starts."""

    def __init__(self, engine: Engine, clock: Clock, scheduling: Scheduling, at_once: int) -> None:
        self._engine = engine
        self._clock = clock
        self._scheduling = scheduling
        self._at_once = at_once
        engine.register(WAKE, self._wake)

    def enter(
        self,
        tx: Tx,
        *,
        task_id: str,
        occurrence_id: str,
        cause: Cause,
        who: str,
        session_id: str,
        reason: str = "",
        due: datetime | None = None,
        attempt: int = 1,
        pause: timedelta = timedelta(0),
    ) -> Run:
        """Have a run wait for its turn, at the earliest after a pause; it may have started when this returns."""
        now = self._clock.now()
        ready = now + pause
        run = Run(
            id=_free_id(tx, now),
            task_id=task_id,
            occurrence_id=occurrence_id,
            cause=cause,
            reason=reason,
            due=due,
            attempt=attempt,
            state=RunState.QUEUED,
            who=who,
            session_id=session_id,
            ready_at=ready,
            queued_at=now,
            seal=secrets.token_hex(16),
        )
        ledger.insert(tx, run)
        if ready > now:
            self._engine.enqueue(tx, Job(WAKE, f"document:wake:{run.id}", ready))
        self.pump(tx)
        return ledger.get(tx, run.id)

    def hurry(self, tx: Tx, run: Run, *, who: str, session_id: str, reason: str) -> Run:
        """Let a run that waits for another try be ready now, for whoever asks for it."""
        now = self._clock.now()
        ledger.make_ready(tx, replace(run, ready_at=now, who=who, session_id=session_id, reason=reason or run.reason))
        self.pump(tx)
        return ledger.get(tx, run.id)

    def pump(self, tx: Tx) -> None:
        """Promise the runs that may start now."""
        now = self._clock.now()
        under_way = ledger.under_way(tx)
        busy, free = {task_id for _, task_id in under_way}, self._at_once - len(under_way)
        # Many runs of one task may wait in front of those of others: each look starts one of them and looks past it.
        while free > 0 and (chosen := startable(ledger.waiting(tx, now, busy), busy, free)):
            for one in chosen:
                ledger.move(tx, ledger.get(tx, one.id), RunState.STARTING, now=now)
                job = Job(RUN, run_key(one.id), now, {"run": one.id}, f"document:{one.task_id}")
                self._engine.enqueue(tx, job)
                busy.add(one.task_id)
            free -= len(chosen)

    def call_off(self, tx: Tx, run: Run, *, who: str, why: str) -> Run:
        """End a run that has not begun, and its occurrence."""
        now = self._clock.now()
        self._engine.cancel(tx, run_key(run.id))
        ended = ledger.move(tx, run, RunState.CANCELLED, now=now, why=why)
        self._scheduling.finish_occurrence(tx, run.occurrence_id, OccurrenceState.CANCELLED, why, who=who)
        return ended

    def _wake(self, attempt: Attempt) -> None:
        with attempt.commit() as tx:
            self.pump(tx)


def _free_id(tx: Tx, now: datetime) -> str:
    """Return the id of a run that begins to wait now: the first behind all others from this millisecond on."""
    wanted, newest = run_id_of(now), ledger.newest_id(tx)
    return wanted if newest is None or newest < wanted else later(newest)
