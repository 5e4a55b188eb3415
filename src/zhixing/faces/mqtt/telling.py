"""What happens in the home, told at the broker as the journal grows.

`PREFIX/task/NAME` is how a task is, kept by the broker (retained) as long as the task lives; how it ended is told once,
and nothing is kept of it. NAME is its slug, or its id where it has none. `PREFIX/occurrence` is what happened just now
and is never kept. Both are the shapes of the HTTP API.

While there is no broker the place in the journal stays where it is; what is older than `STALE` when it comes back is
not told as if it were new. A program that ends forgets its place: who must miss nothing follows the HTTP API.
"""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

import msgspec

from zhixing.faces import wire
from zhixing.household import registry
from zhixing.kernel.clock import Clock
from zhixing.kernel.errors import StoreUnavailable
from zhixing.kernel.moments import zone
from zhixing.kernel.wording import wording
from zhixing.store.connection import Store, Tx
from zhixing.tasks import journal
from zhixing.tasks import store as tasks
from zhixing.tasks.journal import Entry, Kind
from zhixing.tasks.task import Status, Task
from zhixing.world.mqtt.topics import level

_log = logging.getLogger("zhixing.mqtt")

LOOK = 0.5
"""Seconds between two looks at the journal."""
PAGE = 200
STALE = timedelta(seconds=60)
"""What happened longer ago is told to nobody as if it happened now."""
MOST_TASKS = 1_000
"""Tasks whose state is told after a connection was made."""
TOLD = frozenset(
    {
        Kind.OCCURRENCE_CLAIMED,
        Kind.OCCURRENCE_DONE,
        Kind.OCCURRENCE_FAILED,
        Kind.OCCURRENCE_SKIPPED,
        Kind.OCCURRENCE_MISSED,
        Kind.OCCURRENCE_INTERRUPTED,
        Kind.OCCURRENCE_CANCELLED,
    }
)
"""Entries that are told as occurrences."""
CHANGES = frozenset(
    {
        Kind.CREATED,
        Kind.UNDERSTOOD,
        Kind.ANSWERED,
        Kind.REVISED,
        Kind.PAUSED,
        Kind.RESUMED,
        Kind.COMPLETED,
        Kind.RESTORED,
        Kind.EXPIRED,
        Kind.DELETED,
    }
)
"""Entries after which a task is not as it was."""
LIVING = (Status.ACTIVE, Status.PAUSED)
ENDED = (Status.COMPLETED, Status.EXPIRED, Status.DELETED)


@dataclass(frozen=True, slots=True)
class _Post:
    """What is said on a topic, whether the broker keeps it, and of when it is where that counts."""

    topic: str
    payload: bytes
    kept: bool
    at: datetime | None = None


class Connection(Protocol):
    """What is told through; `world.mqtt.watching.Watching` is one."""

    @property
    def online(self) -> bool:
        """Whether the broker is there."""
        ...

    @property
    def greetings(self) -> int:
        """How many times the broker has greeted us: after each, it may have forgotten what it kept."""
        ...

    def tell(self, topic: str, payload: bytes, *, retained: bool) -> bool:
        """Hand a message over; False where that is not possible now."""
        ...


class Telling:
    """Tells from `start` to `stop`, through a connection to the broker."""

    def __init__(self, store: Store, connection: Connection, clock: Clock, *, prefix: str) -> None:
        self._store = store
        self._connection = connection
        self._clock = clock
        self._prefix = prefix
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None
        self._place: int | None = None
        self._greeted = 0
        self._waiting: deque[_Post] = deque()

    def start(self) -> None:
        """Begin with what happens from now on."""
        self._place = self._newest()
        self._thread = threading.Thread(target=self._tell, name="mqtt-telling", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End after a last look."""
        self._stopping.set()
        if self._thread is not None:
            self._thread.join()

    def _newest(self) -> int | None:
        try:
            with self._store.read() as tx:
                return journal.last(tx)
        except StoreUnavailable:
            return None

    def _tell(self) -> None:
        while True:
            last = self._stopping.is_set()
            try:
                self.look()
            except StoreUnavailable:
                pass  # the next look finds it there again, or the one after
            # One entry that cannot be told must not silence the others.
            except Exception:  # noqa: BLE001
                _log.exception("news could not be told over MQTT")
                self._waiting.clear()
                self._place = self._newest()
            if last:
                return
            self._clock.wait(self._stopping, LOOK)

    def look(self) -> None:
        """Tell what is new since the last look; at the first one there is nothing new yet."""
        if not self._connection.online:
            return
        if self._place is None:
            self._place = self._newest()
            return
        if self._greeted != (greeted := self._connection.greetings):
            left = [post for post in self._waiting if not post.kept]
            with self._store.read() as tx:
                self._waiting = deque([*self._all_states(tx), *left])
            self._greeted = greeted
        more = True
        while self._tell_waiting() and more:
            more = self._read_page(self._place) and not self._stopping.is_set()

    def _tell_waiting(self) -> bool:
        """Hand over what waits; False where something is left."""
        stale = 0
        while self._waiting:
            post = self._waiting[0]
            if post.at is not None and self._clock.now() - post.at > STALE:
                stale += 1
            elif not self._connection.tell(post.topic, post.payload, retained=post.kept):
                break
            self._waiting.popleft()
        if stale:
            _log.warning("%s", wording("mqtt.news_skipped", count=stale))
        return not self._waiting

    def _read_page(self, after: int) -> bool:
        """Let the news of the next entries wait; return whether there may be more."""
        with self._store.read() as tx:
            entries = journal.since(tx, after, PAGE)
            for entry in entries:
                if entry.kind in TOLD:
                    self._waiting.append(self._happened(tx, entry, tasks.get(tx, entry.task_id)))
            for task_id in dict.fromkeys(entry.task_id for entry in entries if entry.kind in CHANGES):
                self._waiting.extend(self._changed(tx, tasks.get(tx, task_id)))
        if entries:
            self._place = entries[-1].seq
        return bool(entries)

    def _all_states(self, tx: Tx) -> Iterator[_Post]:
        """Give how all that lives is, and take back the newest of what has ended: the broker may have it as it was."""
        for task in tasks.page(tx, statuses=ENDED, limit=tasks.LARGEST_PAGE).tasks:
            if not self._taken_over(tx, task):
                yield _Post(self._topic(tx, task), b"", kept=True)
        before: str | None = None
        for _ in range(MOST_TASKS // tasks.LARGEST_PAGE):
            page = tasks.page(tx, statuses=LIVING, limit=tasks.LARGEST_PAGE, before=before)
            yield from (self._state(tx, task) for task in page.tasks)
            before = page.more
            if before is None:
                return

    def _changed(self, tx: Tx, task: Task) -> Iterator[_Post]:
        if task.status in LIVING:
            yield self._state(tx, task)
        elif not self._taken_over(tx, task):
            yield self._state(tx, task)
            yield _Post(self._topic(tx, task), b"", kept=True)

    def _state(self, tx: Tx, task: Task) -> _Post:
        said = {**wire.of_task(task), "slug": registry.slug_of(tx, task.id)}
        return _Post(self._topic(tx, task), msgspec.json.encode(said), kept=task.status in LIVING)

    def _happened(self, tx: Tx, entry: Entry, task: Task) -> _Post:
        told = wire.of_entry(entry, zone(task.zone))
        said = {**told, "slug": registry.slug_of(tx, task.id), "title": task.title}
        return _Post(f"{self._prefix}/occurrence", msgspec.json.encode(said), kept=False, at=entry.at)

    def _topic(self, tx: Tx, task: Task) -> str:
        return f"{self._prefix}/task/{level(registry.slug_of(tx, task.id) or task.id)}"

    def _taken_over(self, tx: Tx, task: Task) -> bool:
        """Whether the name of a task that has ended is that of another one now."""
        slug = registry.slug_of(tx, task.id)
        return slug is not None and registry.find(tx, slug) is not None
