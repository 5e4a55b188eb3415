"""What the world does to rules: verdicts, time, and clocks that are set."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from datetime import timedelta
from hashlib import blake2b

from zhixing.engine.model import Engine, Job, Retry, Run, Superseded
from zhixing.kernel.clock import Clock
from zhixing.kernel.errors import StoreUnavailable, TooLarge
from zhixing.kernel.moments import micros
from zhixing.store.connection import Store, Tx
from zhixing.tasks.rules.answering import Answering
from zhixing.tasks.rules.book import Book
from zhixing.tasks.rules.hearing import SECOND
from zhixing.tasks.rules.session import WAKE, Sessions
from zhixing.tasks.rules.tally import Taken
from zhixing.tasks.rules.watch import Outcome, Watch
from zhixing.world.perception.verdict import Value, Verdict

_log = logging.getLogger("zhixing.rules")

MOST_VERDICTS = 1_000
"""Verdicts taken at once."""
AHEAD = 60 * SECOND
"""A verdict from further in the future than this is refused."""
LONGEST_EVENT = 40
"""Characters of an event's name that is remembered as it is; of a longer one, a digest is."""
BATCH = 500
"""Conditions settled in one transaction."""
STEP = SECOND
"""The clock was put back when it lost more than this against the one that never goes back."""
AWAY = 60 * SECOND
"""It was put forward, or the machine slept, when it gained more than this."""
POSTPONED = timedelta(seconds=60)
"""How long a condition is left alone whose rules could not be settled."""


class Taking:
    """Registers the handler of the job that looks at the clock, so make it before the engine starts."""

    def __init__(
        self,
        store: Store,
        engine: Engine,
        clock: Clock,
        *,
        cameras: Callable[[], Sequence[str]],
        answering: Answering,
    ) -> None:
        self._store = store
        self._engine = engine
        self._clock = clock
        self._cameras = cameras
        self._answering = answering
        self._sessions = self.sessions = Sessions(engine, self)
        self._seen: tuple[int, float, int] | None = None
        """What both clocks showed when they were last compared, and how many times the first had been put back."""
        self._before: tuple[int, float, int] | None = None
        engine.register(WAKE, self._wake, Retry(attempts=4), gave_up=self._gave_up)

    def ingest(self, verdicts: Sequence[Verdict]) -> Taken:
        """Take verdicts, in their order, in one transaction: all of them or, where that fails, none."""
        if len(verdicts) > MOST_VERDICTS:
            raise TooLarge("lines_many", limit=MOST_VERDICTS)
        cameras = self._cameras_in_use()
        with self._store.write() as tx, self._sessions.open(tx) as book:
            self._use(tx, book, cameras)
            return self._take(tx, book, verdicts)

    def take_up(self) -> None:
        """Go on after the process was away; at start, before the engine. Nothing fires because of it.

        What pends keeps its instants, and waits for a first verdict that says how things are now.
        """
        cameras = self._cameras_in_use()
        with self._store.write() as tx, self._sessions.open(tx) as book:
            self._come_back(tx, book, book.alive)
            self._use(tx, book, cameras)
            book.note_alive(micros(self._clock.now()))
            if book.wake_key is not None:
                self._engine.cancel(tx, book.wake_key)
            book.wake = book.wake_key = None
            book.altered = True

    def _take(self, tx: Tx, book: Book, verdicts: Sequence[Verdict]) -> Taken:
        now = micros(self._clock.now())
        book.note_alive(now)
        horizon = now + AHEAD
        answers = self._answering.count
        changed = unheard = stale = future = 0
        named, opened, cameras = book.named, book.open, book.cameras or ()
        for verdict in verdicts:
            at = micros(verdict.at)
            if at > horizon:
                future += 1
                continue
            source, query = verdict.source, verdict.query
            watches = named.get((source, query), ())
            if query in opened and source in cameras:
                watches = (*watches, *opened[query])
            outcome = Outcome.STALE if watches else None
            for watch in watches:
                if watch.now > horizon:
                    watch.rewind(now)
                done = _let(watch, verdict, at, now)
                if done is not Outcome.STALE:
                    book.dirty[watch.id] = watch
                    outcome = done if outcome is not Outcome.CHANGED else outcome
                if watch.effects:
                    self._answering.drain(tx, book, watch)
            changed += outcome is Outcome.CHANGED
            stale += outcome is Outcome.STALE
            unheard += outcome is None
        self._answering.hand_over(tx)
        return Taken(self._answering.count - answers, changed, unheard, stale, future)

    def _wake(self, run: Run) -> None:
        cameras = self._cameras_in_use()
        if run.attempt > 1:
            self._settle_apart(run)
        with run.commit() as tx, self._sessions.open(tx) as book:
            if book.wake_key == run.job.key:
                book.wake = book.wake_key = None
                book.altered = True
            self._use(tx, book, cameras)
            now = micros(self._clock.now())
            book.note_alive(now)
            for watch in list(book.due(now, BATCH)):
                self._settle(tx, book, watch, now)

    def _settle_apart(self, run: Run) -> None:
        """Settle what is due one by one, because together they failed; what fails again is left alone for a while."""
        with run.checkpoint() as tx, self._sessions.open(tx) as book:
            now = micros(self._clock.now())
            due = [watch.id for watch in book.due(now, BATCH)]
            for identity in due:
                book.postpone(book.watches[identity], now)
        for identity in due:
            try:
                with run.checkpoint() as tx, self._sessions.open(tx) as book:
                    watch = book.watches.get(identity)
                    if watch is not None:
                        self._settle(tx, book, watch, now)
            except (Superseded, StoreUnavailable):
                raise
            # Whatever it is, it must not stand the other rules still.
            except Exception:  # noqa: BLE001
                _log.exception("the rules of condition %s could not be settled", identity)
                self._sessions.avoided[identity] = now + POSTPONED // timedelta(microseconds=1)

    def _gave_up(self, tx: Tx, job: Job, error: str) -> None:
        """Look again a little later: one failure must not stand all rules still."""
        _log.error("rules could not be settled: %s", error)
        with self._sessions.open(tx) as book:
            if book.wake_key == job.key:
                book.wake = book.wake_key = None
            at = micros(self._clock.now() + POSTPONED)
            for watch in list(book.due(at, len(book.watches))):
                book.postpone(watch, at)
            book.altered = True

    def _settle(self, tx: Tx, book: Book, watch: Watch, now: int) -> None:
        if watch.now > now + AHEAD:
            watch.rewind(now)
        watch.advance(now)
        if watch.wake is not None and watch.wake <= now:
            watch.look_ahead()
        book.touch(watch)
        self._answering.drain(tx, book, watch)

    def ending(self, tx: Tx) -> None:
        """Hand over what became due."""
        self._answering.hand_over(tx)

    def failed(self) -> None:
        """Forget what was not kept."""
        self._seen = self._before
        self._answering.forget()

    def _use(self, tx: Tx, book: Book, cameras: frozenset[str] | None) -> None:
        if cameras is None or cameras == book.cameras:
            return
        book.cameras = cameras
        book.altered = True
        now = micros(self._clock.now())
        for watch in list(book.watches.values()):
            if watch.use(cameras, now):
                book.touch(watch)
                self._answering.drain(tx, book, watch)

    def _come_back(self, tx: Tx, book: Book, alive: int | None) -> None:
        """Take up all that went on until we were last there, and then what may have happened since."""
        now = micros(self._clock.now())
        for watch in list(book.watches.values()):
            if watch.now > now + AHEAD:
                watch.rewind(now)
            if alive is not None:
                watch.advance(min(alive, now))
            watch.come_back(now)
            book.touch(watch)
            self._answering.drain(tx, book, watch)

    def _cameras_in_use(self) -> frozenset[str] | None:
        """Ask which cameras are in use; None where that cannot be told now. Never inside a transaction."""
        try:
            return frozenset(self._cameras())
        # They are of the world outside: whatever it raises, the cameras of before go on.
        except Exception as error:  # noqa: BLE001
            _log.warning("the cameras in use cannot be told: %s", error)
            return None

    def began(self, tx: Tx, book: Book) -> None:
        """Notice that the clock was set, or the machine slept, since it was last looked at."""
        now, monotonic = micros(self._clock.now()), self._clock.monotonic()
        seen = self._before = self._seen
        gained = 0 if seen is None else now - seen[0] - round((monotonic - seen[1]) * SECOND)
        if seen is not None and gained > AWAY:
            self._come_back(tx, book, seen[0])
        # Of several programs on one database, each notices; the first one sets everything right.
        elif seen is not None and gained < -STEP and book.set_back == seen[2]:
            book.put_back(-gained)
        self._seen = (now, monotonic, book.set_back)


def _name(event: str) -> str:
    if len(event) <= LONGEST_EVENT and event.isprintable():
        return event
    return blake2b(event.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def _let(watch: Watch, verdict: Verdict, at: int, now: int) -> Outcome:
    """Let a watch take a verdict, as what it is."""
    if verdict.event is not None and verdict.value is Value.TRUE:
        return watch.pulse(verdict.source, _name(verdict.event), at, now, verdict.reason)
    return watch.take(
        verdict.source, verdict.value, at, firm=verdict.firm, lasting=verdict.lasting, reason=verdict.reason
    )
