"""What starts when: the part of the embedded engine that belongs to one thread.

Only the thread that keeps time calls the methods of `Timekeeper`; everybody else leaves word in its `Mailbox`.
"""

from __future__ import annotations

import logging
import secrets
import threading
from collections import deque
from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import timedelta
from typing import TypeVar

from zhixing.engine import ledger
from zhixing.engine.agenda import Agenda
from zhixing.engine.attempts import Desk, Duty, note
from zhixing.engine.backoff import Again, after_loss
from zhixing.engine.leases import Watch
from zhixing.engine.ledger import Claims, Held, Lease, Slot
from zhixing.engine.model import Share
from zhixing.engine.shares import ALL_FREE, Places
from zhixing.kernel.clock import Clock
from zhixing.kernel.moments import micros
from zhixing.store.connection import Store, Tx

_log = logging.getLogger("zhixing.engine")

_MICROSECOND = timedelta(microseconds=1)
_LOST = "its worker was lost"

T = TypeVar("T")

WINDOW = 1024
"""Pending jobs held in memory, about."""

LINE = 8 * WINDOW
"""Jobs that wait for a place of one share and are held in memory, about; all is read anew when more have waited."""

LOOK = 1.0
"""Seconds between two looks for what other processes wrote."""

PRUNED = 512
"""Finished jobs forgotten at once, and the number of jobs after whose end the next such round is due."""


class Mailbox:
    """Where any thread leaves word for the timekeeper, which wakes up."""

    def __init__(self) -> None:
        self.wake = threading.Event()
        self.stale = True
        """Whether the ledger may hold what the timekeeper was not told of."""
        self._cancelled = False
        self._news: deque[Slot] = deque()
        self._ended: deque[str] = deque()

    def announce(self, slots: Iterable[Slot]) -> None:
        """Say that these jobs are pending now, durably."""
        self._news.extend(slots)
        self.wake.set()

    def note_cancelled(self) -> None:
        """Say that jobs were cancelled, durably."""
        self._cancelled = True
        self.wake.set()

    def cancelled(self) -> bool:
        """Take out whether jobs were cancelled."""
        if not self._cancelled:
            return False
        # Before anybody looks at what was cancelled: who says so from now on is heard again.
        self._cancelled = False
        return True

    def end(self, token: str) -> None:
        """Say that nobody works on the job of that token any more."""
        self._ended.append(token)
        self.wake.set()

    def ended(self) -> list[str]:
        """Take out the tokens of jobs that ended."""
        return _emptied(self._ended)

    def news(self) -> list[Slot]:
        """Take out the jobs that have become pending; a flood of them is left to be read from the ledger."""
        if len(self._news) > 4 * WINDOW:
            self.stale = True
            self._news.clear()
        return _emptied(self._news)


def _emptied(entries: deque[T]) -> list[T]:
    taken: list[T] = []
    with suppress(IndexError):
        while True:
            taken.append(entries.popleft())
    return taken


class Timekeeper:
    """Knows which jobs run here and which are next, and starts them when they are due."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        desk: Desk,
        duties: Mapping[str, Duty],
        *,
        owner: str,
        lease: timedelta,
        retention: timedelta,
    ) -> None:
        self.mailbox = Mailbox()
        self.running: dict[str, Held] = {}
        """What was started here and has not ended, by token."""
        self._store = store
        self._clock = clock
        self._desk = desk
        self._duties = duties
        self._owner = owner
        self._lease = lease
        self._retention = retention
        self._claims = Claims(())
        self._shares: Mapping[str, Share] = {}
        self._agenda = Agenda(WINDOW, LINE)
        self._watch = Watch(lease)
        self._unknown: set[str] = set()
        self._boot = secrets.token_hex(8)
        self._starts = 0
        self._look_at = self._renew_at = 0.0
        self._ended_since_prune = PRUNED

    def begin(self) -> None:
        """Start anew: the handlers are known now, and whatever was known of the ledger may have changed."""
        self._claims = Claims(tuple(self._duties))
        self._shares = {name: duty.share for name, duty in self._duties.items() if duty.share is not None}
        self._watch.begin()
        self.mailbox.stale = True

    def take_in(self) -> None:
        """Take in what other threads left."""
        for token in self.mailbox.ended():
            held = self.running.pop(token)
            self._ended_since_prune += 1
            if held.lane is not None:
                self._agenda.vacate(held.lane)
        if self.mailbox.cancelled():
            self._agenda.look_again()
        slots = self.mailbox.news()
        self._note_unknown(slots)
        self._agenda.add(slot for slot in slots if slot.name in self._duties)

    def tend(self) -> None:
        """Bring the agenda and the leases up to date."""
        self.take_in()
        now, monotonic = self._clock.now(), self._clock.monotonic()
        if self._watch.look(now, monotonic):
            _log.info("the wall clock was stepped, or the machine slept")
            self._renew_at = monotonic
        if monotonic >= self._look_at:
            self._look_at = monotonic + LOOK
            if self._store.changed():
                self.mailbox.stale = True
        if self.running and monotonic >= self._renew_at:
            self._renew()
        if self.mailbox.stale or self._agenda.worn:
            self._reload()
        over = self._watch.over(monotonic)
        if over:
            for lease in over:
                self.take_over(lease)
            self._reload()
        while self._agenda.wanting:
            self._read_on()

    def claim(self, room: int) -> list[Held]:
        """Start up to `room` ready jobs, several in one transaction."""
        started: list[Held] = []
        while len(started) < room:
            now = micros(self._clock.now())
            slots = self._agenda.take(now, room - len(started), self._places())
            if not slots:
                break
            started += self._start(slots, now)
        return started

    def is_idle(self) -> bool:
        """Return whether, right after `claim`, nothing that is ready was left unread."""
        return not self._agenda.wanting and not self._agenda.worn

    def pause(self, room: int) -> float:
        """Return the seconds after which there may be something to do, if nobody wakes us."""
        if self._agenda.wanting or self._agenda.worn:
            return 0.0
        monotonic = self._clock.monotonic()
        pause = self._look_at - monotonic
        if self.running:
            pause = min(pause, self._renew_at - monotonic)
        over = self._watch.next()
        if over is not None:
            pause = min(pause, over - monotonic)
        ready = self._agenda.next()
        if ready is not None and room > 0:
            pause = min(pause, (ready - micros(self._clock.now())) / 1_000_000)
        return max(0.0, pause)

    def prune_if_due(self) -> None:
        """Forget some of the oldest finished jobs, when enough have been finished since the last time."""
        if self._ended_since_prune < PRUNED:
            return
        with self._store.write() as tx:
            gone = ledger.prune(tx, self._clock.now() - self._retention, PRUNED)
        # A full round means that there may be more: then the next one is due at once.
        self._ended_since_prune = gone

    def take_over(self, lease: Lease) -> None:
        """Make the job of `lease` pending again, unless its worker extended that lease or ended the job meanwhile."""
        with self._store.read() as tx:
            held = ledger.lost(tx, lease)
        if held is None:
            return
        duty = self._duties.get(held.name)
        now = self._clock.now()
        if duty is None:
            self._desk.settle(held, Again(held.failures, held.losses, _LOST, now), None, lease)
        else:
            verdict = after_loss(_LOST, held.failures, held.losses, duty.retry, now)
            note(held, verdict)
            self._desk.settle(held, verdict, duty.gave_up, lease)

    def _start(self, slots: list[Slot], now: int) -> list[Held]:
        until = now + self._lease // _MICROSECOND
        started: list[Held] = []
        places = self._places()
        with self._store.write() as tx:
            for slot in slots:
                self._starts += 1
                token = f"{self._boot}-{self._starts}"
                full = places.full()
                held = self._claims.claim(tx, slot, now, full, token=token, owner=self._owner, until=until)
                if held is not None:
                    started.append(held)
                    places.take(held.name)
                else:
                    self._leave(tx, slot, now, places)
        if started and not self.running:
            self._renew_at = self._clock.monotonic() + self._renewal
        for held in started:
            self.running[held.token] = held
            if held.lane is not None:
                self._agenda.occupy(held.lane)
        return started

    def _leave(self, tx: Tx, slot: Slot, now: int, places: Places) -> None:
        """Remember a slot that led to nothing that could be started, if there is something that only has to wait."""
        first = slot if slot.lane is None else self._claims.first(tx, slot.lane, now) if places.full() else None
        share = None if first is None else places.share_of(first.name)
        if first is not None and share is not None and not places.is_free(share):
            self._agenda.hold_up(slot, first, share)
        elif slot.lane is not None:
            self._agenda.empty(slot.lane)

    def _places(self) -> Places:
        return Places(self._shares, (held.name for held in self.running.values())) if self._shares else ALL_FREE

    @property
    def _renewal(self) -> float:
        """Seconds between two renewals: three may fail before the lease is over."""
        return self._lease.total_seconds() / 4

    def _renew(self) -> None:
        """Extend the leases of all running jobs in one write."""
        until = micros(self._clock.now() + self._lease)
        with self._store.write() as tx:
            ledger.extend(tx, [(held.key, held.token) for held in self.running.values()], until)
        self._renew_at = self._clock.monotonic() + self._renewal

    def _reload(self) -> None:
        """Read the agenda and the others' leases anew."""
        # First, so that whoever marks it from now on is heard.
        self.mailbox.stale = False
        self._agenda.forget()
        with self._store.read() as tx:
            page = ledger.pending(tx, None, self._agenda.page)
            leases = [lease for lease in ledger.running(tx) if lease.token not in self.running]
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
