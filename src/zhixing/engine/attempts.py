"""One attempt at a job: the fenced transactions its handler is given, and the one that says what became of it."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta

import msgspec

from zhixing.engine import ledger
from zhixing.engine.backoff import GiveUp, Verdict, after_error, one_line
from zhixing.engine.ledger import Held, Lease, Slot
from zhixing.engine.model import GaveUp, Handler, Job, Retry, RetryAt, Share, Superseded
from zhixing.kernel.clock import Clock
from zhixing.kernel.errors import StoreUnavailable
from zhixing.kernel.moments import from_micros, micros
from zhixing.store.connection import Store, Tx

_log = logging.getLogger("zhixing.engine")


@dataclass(frozen=True, slots=True)
class Duty:
    """Who does the jobs of one name, how often, who is told when it was in vain, and how many are done at once."""

    handler: Handler
    retry: Retry
    gave_up: GaveUp | None
    share: Share | None = None


class Attempt:
    """The `Run` that a handler is given."""

    def __init__(self, store: Store, clock: Clock, lease: timedelta, held: Held) -> None:
        self.job: Job = held.job()
        self.attempt = held.attempt
        self.finished = False
        """Whether the job is done, durably."""
        self._store = store
        self._clock = clock
        self._lease = lease
        self._held = held

    @contextmanager
    def checkpoint(self) -> Iterator[Tx]:
        """Open a transaction that keeps the job running, and its lease fresh."""
        with self._store.write() as tx:
            # The fence is written first: the row stays locked until the end, so nobody can take the job in between.
            until = micros(self._clock.now() + self._lease)
            if not ledger.extend(tx, [(self._held.key, self._held.token)], until):
                raise Superseded(self._held.key)
            yield tx

    @contextmanager
    def commit(self) -> Iterator[Tx]:
        """Open the transaction that finishes the job."""
        with self._store.write() as tx:
            if not ledger.finish(tx, self._held, self._clock.now()):
                raise Superseded(self._held.key)
            tx.on_commit(self._note_finished)
            yield tx

    def _note_finished(self) -> None:
        self.finished = True


class Desk:
    """Where attempts are made and their outcome is written down, whichever thread does it."""

    def __init__(self, store: Store, clock: Clock, lease: timedelta) -> None:
        self._store = store
        self._clock = clock
        self._lease = lease

    def perform(self, duty: Duty, held: Held) -> Verdict | None:
        """Run the handler; return what is to be written about the job, or None when nothing is."""
        attempt: Attempt | None = None
        try:
            attempt = Attempt(self._store, self._clock, self._lease, held)
            duty.handler(attempt)
            if not attempt.finished:
                with attempt.commit():
                    pass
        except Superseded:
            _log.info("job %s: attempt %d was superseded", held.key, held.attempt)
        # A handler may raise anything, even SystemExit; whatever it is belongs into the ledger.
        except (Exception, SystemExit) as error:  # noqa: BLE001
            if attempt is not None and attempt.finished:
                _log.warning("job %s raised after it was done: %s", held.key, one_line(error))
                return None
            verdict = after_error(error, held.failures, held.losses, duty.retry, self._clock.now())
            if not isinstance(error, RetryAt):
                note(held, verdict)
            return verdict
        return None

    def settle(self, held: Held, verdict: Verdict, gave_up: GaveUp | None, unless: Lease | None = None) -> Slot | None:
        """Write down the verdict if the job is still held, and its lease not newer than `unless`.

        Returns where the job stands when it is to be tried again.
        """
        try:
            return self._write(held, verdict, gave_up, unless)
        except StoreUnavailable:
            raise
        except Exception as error:
            if gave_up is None or not isinstance(verdict, GiveUp):
                raise
            # The job must not run for ever because the news of its failure cannot be delivered.
            _log.exception("job %s: its gave_up hook raised", held.key)
            said = f"{verdict.error} (gave_up: {one_line(error)})"
            return self._write(held, GiveUp(verdict.failures, verdict.losses, said), None, unless)

    def _write(self, held: Held, verdict: Verdict, gave_up: GaveUp | None, unless: Lease | None) -> Slot | None:
        with self._store.write() as tx:
            if unless is not None and ledger.lost(tx, unless) is None:
                return None
            if not isinstance(verdict, GiveUp):
                return ledger.put_back(tx, held, verdict)
            if ledger.give_up(tx, held, verdict, self._clock.now()) and gave_up is not None:
                gave_up(tx, _job(held), verdict.error)
            return None


def note(held: Held, verdict: Verdict) -> None:
    """Log what went wrong with a job, in one line and without its payload."""
    if isinstance(verdict, GiveUp):
        _log.error("job %s: attempt %d failed, given up: %s", held.key, held.attempt, verdict.error)
    else:
        again = verdict.ready.isoformat()
        _log.warning("job %s: attempt %d failed, again at %s: %s", held.key, held.attempt, again, verdict.error)


def _job(held: Held) -> Job:
    try:
        return held.job()
    except msgspec.DecodeError:
        return Job(held.name, held.key, from_micros(held.due), {}, held.lane)
