"""The embedded engine: one timekeeper thread and a small crew in the process that also serves the user.

While nothing is ready it reads no table: it looks at the clock and asks the store once a second whether another process
has written. In the background (`start`) or by hand (`drain`), jobs are started, performed and settled by the same code.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable
from datetime import timedelta

from zhixing.engine import ledger
from zhixing.engine.attempts import Desk, Duty
from zhixing.engine.backoff import Verdict
from zhixing.engine.crew import Crew
from zhixing.engine.ledger import Held, Slot
from zhixing.engine.model import GaveUp, Handler, Job, JobRow, Retry, Share
from zhixing.engine.timekeeper import Timekeeper
from zhixing.kernel.clock import Clock
from zhixing.kernel.errors import StoreUnavailable
from zhixing.kernel.moments import micros
from zhixing.store.connection import Store, Tx

_log = logging.getLogger("zhixing.engine")

_FIRST_PAUSE = 0.1
_LONGEST_PAUSE = 2.0


class EmbeddedEngine:
    """Runs jobs out of `store` (design §6).

    `owner` is for people to read in the ledger; what a worker may write is fenced by a token that no other start has.
    A job is under `lease` while it runs; all workers of one store use the same length. At most `workers` jobs run at
    once. Finished jobs are kept for `retention`; as long, their keys stay taken. `stop` waits up to `patience` for
    handlers to end.
    """

    def __init__(
        self,
        store: Store,
        clock: Clock,
        *,
        owner: str,
        lease: timedelta = timedelta(seconds=8),
        workers: int = 32,
        retention: timedelta = timedelta(days=30),
        patience: timedelta = timedelta(seconds=10),
    ) -> None:
        self._clock = clock
        self._store = store
        self._workers = workers
        self._patience = patience.total_seconds()
        self._duties: dict[str, Duty] = {}
        self._desk = Desk(store, clock, lease)
        self._timekeeper = Timekeeper(
            store, clock, self._desk, self._duties, owner=owner, lease=lease, retention=retention
        )
        self._mailbox = self._timekeeper.mailbox
        self._crew: Crew[Held] = Crew(workers, self._work_on)
        self._thread: threading.Thread | None = None
        self._listening = False
        self._halt = threading.Event()
        self._deadline = 0.0
        self._counting = threading.Lock()
        self._seq = 0

    def register(
        self,
        name: str,
        handler: Handler,
        retry: Retry | None = None,
        gave_up: GaveUp | None = None,
        share: Share | None = None,
    ) -> None:
        """Say who does the jobs of a name, and in which share; each name once, each share always as large."""
        if self._thread is not None:
            raise RuntimeError("register handlers before start()")
        if name in self._duties:
            raise ValueError(f"jobs named {name!r} have a handler already")
        for other in self._duties.values():
            if (
                share is not None
                and other.share is not None
                and other.share.name == share.name
                and other.share != share
            ):
                raise ValueError(f"the share {share.name!r} has {other.share.most} places already, not {share.most}")
        self._duties[name] = Duty(handler, retry or Retry(), gave_up, share)

    def enqueue(self, tx: Tx, *jobs: Job) -> int:
        """Add the jobs whose keys are new; return how many were."""
        now = self._clock.now()
        first = self._take_seq(len(jobs), micros(now))
        slots = [ledger.insert(tx, job, first + index, now) for index, job in enumerate(jobs)]
        new = [slot for slot in slots if slot is not None]
        if new:
            tx.on_commit(lambda: self._announce(new))
        return len(new)

    def enqueue_all(self, tx: Tx, jobs: Iterable[Job]) -> int:
        """Add many jobs in one statement; return how many were new."""
        batch = list(jobs)
        now = self._clock.now()
        first = self._take_seq(len(batch), micros(now))
        count = ledger.insert_all(tx, batch, first, now)
        # Which of them were new is not known; a slot without a pending job behind it does no harm.
        tx.on_commit(
            lambda: self._announce(
                Slot(micros(job.due), first + index, job.key, job.lane, job.name) for index, job in enumerate(batch)
            )
        )
        return count

    def cancel(self, tx: Tx, key: str) -> bool:
        """Cancel a job that is not finished."""
        tx.on_commit(self._note_cancelled)
        return ledger.cancel(tx, key, self._clock.now())

    def cancel_lane(self, tx: Tx, lane: str) -> int:
        """Cancel all unfinished jobs of a lane."""
        tx.on_commit(self._note_cancelled)
        return ledger.cancel_lane(tx, lane, self._clock.now())

    def get(self, tx: Tx, key: str) -> JobRow | None:
        """Return the job of that key."""
        return ledger.get(tx, key)

    def start(self) -> None:
        """Start the timekeeper and, as they are needed, up to `workers` threads."""
        if self._thread is not None:
            raise RuntimeError("the engine runs already")
        self._timekeeper.begin()
        self._listening = True
        self._halt.clear()
        self._thread = threading.Thread(target=self._keep_time, name="zhixing-timekeeper", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Finish what is being run, up to `patience`, and start nothing more; what is left over keeps its lease."""
        thread = self._thread
        if thread is None:
            return
        self._deadline = self._clock.monotonic() + self._patience
        self._halt.set()
        self._mailbox.wake.set()
        thread.join()
        self._thread = None
        self._listening = False
        self._crew.dismiss()
        left = sorted(held.key for held in self._timekeeper.running.values())
        if left:
            _log.warning("stopped while %d jobs were running: %s", len(left), ", ".join(left))

    def drain(self) -> int:
        """Run what is ready in the calling thread, one job at a time, until nothing is; return how many were run."""
        if self._thread is not None:
            raise RuntimeError("the engine runs in the background")
        self._timekeeper.begin()
        self._listening = True
        ran = 0
        try:
            while True:
                self._timekeeper.tend()
                started = self._timekeeper.claim(1)
                if started:
                    self._work(started[0], self._write_down)
                    ran += 1
                elif self._timekeeper.is_idle():
                    self._timekeeper.prune_if_due()
                    return ran
        finally:
            self._listening = False

    def reclaim_all(self) -> int:
        """Make every running job pending again, without waiting for leases; return how many there were.

        Only for a caller who knows that no other worker is alive, such as the one server of a SQLite home at start.
        """
        if self._thread is not None:
            raise RuntimeError("reclaim_all() is for the time before start()")
        with self._store.read() as tx:
            leases = ledger.running(tx)
        for lease in leases:
            self._timekeeper.take_over(lease)
        return len(leases)

    def _keep_time(self) -> None:
        trouble = 0
        while not self._is_over():
            self._mailbox.wake.clear()
            try:
                pause = self._turn()
                if trouble:
                    _log.info("the engine works again")
                trouble = 0
            # The one loop that must never end; what happened is logged, once per outage.
            except Exception as error:  # noqa: BLE001
                self._mailbox.stale = True
                if trouble == 0:
                    unexpected = not isinstance(error, StoreUnavailable)
                    _log.warning("the engine cannot work, tries again: %s", error, exc_info=unexpected)
                pause = min(_FIRST_PAUSE * 2 ** min(trouble, 16), _LONGEST_PAUSE)
                trouble += 1
            self._clock.wait(self._mailbox.wake, pause)

    def _is_over(self) -> bool:
        if not self._halt.is_set():
            return False
        self._timekeeper.take_in()
        return not self._timekeeper.running or self._clock.monotonic() >= self._deadline

    def _turn(self) -> float:
        """Do what is to be done now; return the seconds after which there may be more."""
        self._timekeeper.tend()
        if not self._halt.is_set():
            for held in self._timekeeper.claim(self._room()):
                self._crew.hand(held)
        self._timekeeper.prune_if_due()
        return self._timekeeper.pause(self._room())

    def _room(self) -> int:
        return self._workers - len(self._timekeeper.running)

    def _take_seq(self, count: int, now: int) -> int:
        """Return the first of `count` numbers that rise in the order of enqueueing, here and across restarts."""
        with self._counting:
            first = max(self._seq + 1, now)
            self._seq = first + count - 1
            return first

    def _announce(self, slots: Iterable[Slot]) -> None:
        if self._listening:
            self._mailbox.announce(slots)

    def _note_cancelled(self) -> None:
        if self._listening:
            self._mailbox.note_cancelled()

    def _work_on(self, held: Held) -> None:
        self._work(held, self._write_down_patiently)

    def _work(self, held: Held, write_down: Callable[[Duty, Held, Verdict], None]) -> None:
        """Run one job to its end."""
        duty = self._duties[held.name]
        try:
            verdict = self._desk.perform(duty, held)
            if verdict is not None:
                write_down(duty, held, verdict)
        except BaseException:
            # Nobody here holds the job any more, but its row says so: let the watch see that lease.
            self._mailbox.stale = True
            raise
        finally:
            self._mailbox.end(held.token)

    def _write_down(self, duty: Duty, held: Held, verdict: Verdict) -> None:
        slot = self._desk.settle(held, verdict, duty.gave_up)
        if slot is not None:
            self._announce((slot,))

    def _write_down_patiently(self, duty: Duty, held: Held, verdict: Verdict) -> None:
        """Write down the verdict as soon as the store can be written to; until then the job counts as running."""
        pause = _FIRST_PAUSE
        while True:
            try:
                self._write_down(duty, held, verdict)
            except StoreUnavailable:
                # If the engine stops before it is written, the job's lease runs out.
                if self._clock.wait(self._halt, pause):
                    return
                pause = min(2 * pause, _LONGEST_PAUSE)
            else:
                return
