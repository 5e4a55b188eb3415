"""The embedded engine: one timekeeper thread and a small crew in the process that also serves the user.

Only the timekeeper (or the thread that calls `drain`) touches the agenda, the leases and the list of running jobs;
everybody else leaves word in a deque and wakes it. While nothing is ready it reads no table: it looks at the clock and
asks the store once a second whether another process has written.
"""

from __future__ import annotations

import logging
import secrets
import threading
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import timedelta
from functools import partial

from zhixing.engine import ledger
from zhixing.engine.agenda import Agenda
from zhixing.engine.attempts import Desk, Duty, note
from zhixing.engine.backoff import Again, Verdict, after_loss
from zhixing.engine.crew import Crew
from zhixing.engine.leases import Watch
from zhixing.engine.ledger import Claims, Held, Lease, Slot
from zhixing.engine.model import GaveUp, Handler, Job, JobRow, Retry
from zhixing.kernel.clock import Clock
from zhixing.kernel.errors import StoreUnavailable
from zhixing.kernel.moments import micros
from zhixing.store.connection import Store, Tx, UniqueViolation

_log = logging.getLogger("zhixing.engine")

WINDOW = 1024
"""Pending jobs held in memory, about."""

LOOK = 1.0
"""Seconds between two looks for what other processes wrote."""

PRUNED = 512
"""Finished jobs forgotten at once, and the number of jobs after whose end the next such round is due."""

_FIRST_PAUSE = 0.1
_LONGEST_PAUSE = 2.0


class EmbeddedEngine:
    """Runs jobs out of `store` (design §6).

    `owner` is for people to read in the ledger; what a worker may write is fenced by a token that no other start has.
    A job is under `lease` while it runs; all workers of one store use the same length. Finished jobs are kept for
    `retention`; as long, their keys stay taken. `stop` waits up to `patience` for handlers to end.
    """

    def __init__(
        self,
        store: Store,
        clock: Clock,
        *,
        owner: str,
        lease: timedelta = timedelta(seconds=8),
        workers: int = 16,
        retention: timedelta = timedelta(days=30),
        patience: timedelta = timedelta(seconds=10),
    ) -> None:
        self._store = store
        self._clock = clock
        self._owner = owner
        self._lease = lease
        self._workers = workers
        self._retention = retention
        self._patience = patience.total_seconds()
        self._duties: dict[str, Duty] = {}
        self._desk = Desk(store, clock, lease)
        self._boot = secrets.token_hex(8)
        self._starts = 0
        self._seq = 0
        self._counting = threading.Lock()
        # What other threads leave for the timekeeper.
        self._news: deque[Slot] = deque()
        self._ended: deque[str] = deque()
        self._stale = True
        self._wake = threading.Event()
        # What only the timekeeper touches.
        self._agenda = Agenda(WINDOW)
        self._watch = Watch(lease)
        self._claims = Claims(())
        self._running: dict[str, Held] = {}
        self._unknown: set[str] = set()
        self._look_at = self._renew_at = 0.0
        self._ended_since_prune = PRUNED
        # Its life.
        self._thread: threading.Thread | None = None
        self._crew: Crew[Held] = Crew(workers, self._work_on)
        self._listening = False
        self._halt = threading.Event()
        self._deadline = 0.0

    # What everybody may call, from any thread.

    def register(self, name: str, handler: Handler, retry: Retry | None = None, gave_up: GaveUp | None = None) -> None:
        """Say who does the jobs of a name; each name once."""
        if self._thread is not None:
            raise RuntimeError("register handlers before start()")
        if name in self._duties:
            raise ValueError(f"jobs named {name!r} have a handler already")
        self._duties[name] = Duty(handler, retry or Retry(), gave_up)

    def enqueue(self, tx: Tx, *jobs: Job) -> int:
        """Add the jobs whose keys are new; return how many were."""
        now = self._clock.now()
        first = self._take_seq(len(jobs), micros(now))
        slots = [ledger.insert(tx, job, first + index, now) for index, job in enumerate(jobs)]
        new = [slot for slot in slots if slot is not None]
        if new:
            tx.on_commit(partial(self._announce, new))
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
        return ledger.cancel(tx, key, self._clock.now())

    def cancel_lane(self, tx: Tx, lane: str) -> int:
        """Cancel all unfinished jobs of a lane."""
        return ledger.cancel_lane(tx, lane, self._clock.now())

    def get(self, tx: Tx, key: str) -> JobRow | None:
        """Return the job of that key."""
        return ledger.get(tx, key)

    def start(self) -> None:
        """Start the timekeeper and, as they are needed, up to `workers` threads."""
        if self._thread is not None:
            raise RuntimeError("the engine runs already")
        self._begin()
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
        self._wake.set()
        thread.join()
        self._thread = None
        self._listening = False
        self._crew.dismiss()
        if self._running:
            _log.warning("stopped while %d jobs were running: %s", len(self._running), ", ".join(self._running_keys()))

    def drain(self) -> int:
        """Run what is ready in the calling thread, one job at a time, until nothing is; return how many were run."""
        if self._thread is not None:
            raise RuntimeError("the engine runs in the background")
        self._begin()
        ran = 0
        try:
            while True:
                self._tend()
                held = self._claim(1)
                if held:
                    self._work(held[0], self._write_down)
                    ran += 1
                elif not self._agenda.wanting:
                    self._prune_if_due()
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
            self._take_over(lease)
        return len(leases)

    # What the timekeeper does.

    def _begin(self) -> None:
        self._claims = Claims(tuple(self._duties))
        self._listening = True
        self._stale = True

    def _keep_time(self) -> None:
        trouble = 0
        while not self._is_over():
            self._wake.clear()
            try:
                pause = self._turn()
                if trouble:
                    _log.info("the engine works again")
                trouble = 0
            # The one loop that must never end; what happened is logged, once per outage.
            except Exception as error:  # noqa: BLE001
                self._stale = True
                if trouble == 0:
                    unexpected = not isinstance(error, StoreUnavailable)
                    _log.warning("the engine cannot work, tries again: %s", error, exc_info=unexpected)
                pause = min(_FIRST_PAUSE * 2 ** min(trouble, 16), _LONGEST_PAUSE)
                trouble += 1
            self._clock.wait(self._wake, pause)

    def _is_over(self) -> bool:
        if not self._halt.is_set():
            return False
        self._take_in()
        return not self._running or self._clock.monotonic() >= self._deadline

    def _turn(self) -> float:
        """Do what is to be done now; return the seconds after which there may be more."""
        self._tend()
        if not self._halt.is_set():
            for held in self._claim(self._workers - len(self._running)):
                self._crew.hand(held)
        self._prune_if_due()
        return self._pause()

    def _tend(self) -> None:
        """Bring the agenda and the leases up to date."""
        self._take_in()
        now, monotonic = self._clock.now(), self._clock.monotonic()
        if self._watch.look(now, monotonic):
            _log.info("the wall clock was stepped, or the machine slept")
            self._renew_at = monotonic
        if monotonic >= self._look_at:
            self._look_at = monotonic + LOOK
            if self._store.changed():
                self._stale = True
        if self._running and monotonic >= self._renew_at:
            self._renew(monotonic)
        if self._stale:
            self._reload()
        over = self._watch.over(monotonic)
        if over:
            for lease in over:
                self._take_over(lease)
            self._reload()
        while self._agenda.wanting:
            self._read_on()

    def _take_in(self) -> None:
        """Take in what other threads left."""
        with suppress(IndexError):
            while True:
                held = self._running.pop(self._ended.popleft())
                self._ended_since_prune += 1
                if held.lane is not None:
                    self._agenda.vacate(held.lane)
        if len(self._news) > 4 * WINDOW:
            self._stale = True
            self._news.clear()
        slots = []
        with suppress(IndexError):
            while True:
                slot = self._news.popleft()
                slots.append(slot)
        self._note_unknown(slots)
        self._agenda.add(slot for slot in slots if slot.name in self._duties)

    def _renew(self, monotonic: float) -> None:
        """Extend the leases of all running jobs in one write."""
        until = micros(self._clock.now() + self._lease)
        with self._store.write() as tx:
            ledger.extend(tx, [(held.key, held.token) for held in self._running.values()], until)
        self._renew_at = monotonic + self._lease.total_seconds() / 4

    def _take_over(self, lease: Lease) -> None:
        with self._store.read() as tx:
            held = ledger.lost(tx, lease)
        if held is None:
            return
        duty = self._duties.get(held.name)
        now = self._clock.now()
        said = "its worker was lost"
        if duty is None:
            self._desk.settle(held, Again(held.failures, held.losses, said, now), None, lease)
        else:
            verdict = after_loss(said, held.failures, held.losses, duty.retry, now)
            note(held, verdict)
            self._desk.settle(held, verdict, duty.gave_up, lease)

    def _reload(self) -> None:
        """Read the agenda and the others' leases anew."""
        # First, so that whoever marks it from now on is heard.
        self._stale = False
        self._agenda.forget()
        with self._store.read() as tx:
            page = ledger.pending(tx, None, self._agenda.page)
            leases = [lease for lease in ledger.running(tx) if lease.token not in self._running]
        self._extend(page)
        self._watch.see(leases, self._clock.now(), self._clock.monotonic())

    def _read_on(self) -> None:
        with self._store.read() as tx:
            page = ledger.pending(tx, self._agenda.horizon, self._agenda.page)
        self._extend(page)

    def _extend(self, page: list[Slot]) -> None:
        self._agenda.extend(page, self._duties)
        self._note_unknown(page)

    def _note_unknown(self, slots: list[Slot]) -> None:
        for name in {slot.name for slot in slots} - self._duties.keys() - self._unknown:
            self._unknown.add(name)
            _log.warning("no handler here for jobs named %s: they wait", name)

    def _prune_if_due(self) -> None:
        if self._ended_since_prune < PRUNED:
            return
        with self._store.write() as tx:
            gone = ledger.prune(tx, self._clock.now() - self._retention, PRUNED)
        self._ended_since_prune = gone

    def _claim(self, room: int) -> list[Held]:
        """Start up to `room` ready jobs."""
        started: list[Held] = []
        while len(started) < room:
            now = micros(self._clock.now())
            slots = self._agenda.take(now, room - len(started))
            if not slots:
                break
            started += self._start(slots, now)
        return started

    def _start(self, slots: list[Slot], now: int) -> list[Held]:
        until = now + self._lease // timedelta(microseconds=1)
        started: list[Held] = []
        try:
            with self._store.write() as tx:
                for slot in slots:
                    self._starts += 1
                    token = f"{self._boot}-{self._starts}"
                    held = self._claims.claim(tx, slot, now, token=token, owner=self._owner, until=until)
                    if held is not None:
                        started.append(held)
                    elif slot.lane is not None:
                        self._agenda.empty(slot.lane)
        # Another process started a job of the same lane at the same moment.
        except UniqueViolation:
            self._stale = True
            return []
        if started and not self._running:
            self._renew_at = self._clock.monotonic() + self._lease.total_seconds() / 4
        for held in started:
            self._running[held.token] = held
            if held.lane is not None:
                self._agenda.occupy(held.lane)
        return started

    def _pause(self) -> float:
        if self._agenda.wanting:
            return 0.0
        now, monotonic = micros(self._clock.now()), self._clock.monotonic()
        pause = self._look_at - monotonic
        if self._running:
            pause = min(pause, self._renew_at - monotonic)
        lease_over = self._watch.next()
        if lease_over is not None:
            pause = min(pause, lease_over - monotonic)
        ready = self._agenda.next()
        if ready is not None and len(self._running) < self._workers:
            pause = min(pause, (ready - now) / 1_000_000)
        return max(0.0, pause)

    def _running_keys(self) -> list[str]:
        return sorted(held.key for held in self._running.values())

    # What happens in other threads.

    def _take_seq(self, count: int, now: int) -> int:
        """Return the first of `count` numbers that rise in the order of enqueueing, here and across restarts."""
        with self._counting:
            first = max(self._seq + 1, now)
            self._seq = first + count - 1
            return first

    def _announce(self, slots: Iterable[Slot]) -> None:
        if self._listening:
            self._news.extend(slots)
            self._wake.set()

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
            self._stale = True
            raise
        finally:
            self._ended.append(held.token)
            self._wake.set()

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
