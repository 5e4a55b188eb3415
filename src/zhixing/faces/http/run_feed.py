"""The progress of runs as it comes, for everybody who follows one: one look at files and rows for all of them.

The lines are those of `run-progress.json`, which has the newest few; a line is known by its instant, so that whoever
comes back with the last number he saw gets what came after it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from starlette.concurrency import run_in_threadpool

from zhixing.documents.artifacts.facts import Event
from zhixing.documents.artifacts.names import PROGRESS
from zhixing.documents.operations import Documents
from zhixing.documents.run import Run
from zhixing.faces.document_runs import folder_of, seen_in
from zhixing.faces.http.feed import KEEP_ALIVE, LOOK
from zhixing.kernel.clock import Clock
from zhixing.kernel.errors import NotFound, StoreUnavailable, Unavailable, ZhixingError
from zhixing.kernel.moments import micros

MOST_FOLLOWERS = 100
_MOST_AT_ONCE = 100
"""Lines of one millisecond that have numbers of their own; more than a file has."""

Mark = tuple[object, ...]
"""What a run looks like from outside; something is new when it is another one."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of progress and its number."""

    number: int
    event: Event


@dataclass(frozen=True, slots=True)
class Page:
    """What is new about a run. `ended` is the run once nothing more comes, `last` the number of that news.

    `gone`: there is no such run any more.
    """

    lines: tuple[Line, ...] = ()
    ended: Run | None = None
    last: int = 0
    gone: bool = False


class RunFeed:
    """Progress of runs. To be used by one event loop; nothing is looked at while nobody follows."""

    def __init__(self, documents: Documents, clock: Clock) -> None:
        self._documents = documents
        self._clock = clock
        self._bells: dict[asyncio.Event, str] = {}
        self._looking: asyncio.Task[None] | None = None
        self._marks: dict[str, Mark] = {}
        self._closed = False

    def check_room(self) -> None:
        """Raise `Unavailable` when there are as many followers as may be."""
        if len(self._bells) >= MOST_FOLLOWERS:
            raise Unavailable("streams_many", limit=MOST_FOLLOWERS)

    def close(self) -> None:
        """End all that follow, now."""
        self._closed = True
        self._ring(self._bells)

    def read(self, run_id: str, after: int) -> Page:
        """Return what is known of a run behind the line `after`."""
        try:
            # The files of a run are written before its row says that it has ended.
            run = self._documents.find_run(run_id)
            seen = seen_in(folder_of(self._documents, run))
        except NotFound:
            return Page(gone=True)
        except StoreUnavailable:
            return Page()
        known = numbered(() if seen is None or seen.progress is None else seen.progress.events)
        lines = tuple(line for line in known if line.number > after)
        if run.ended_at is None:
            return Page(lines)
        newest = known[-1].number + 1 if known else 0
        return Page(lines, run, max(newest, number_of(run.ended_at, _MOST_AT_ONCE - 1)))

    async def follow(self, run_id: str, after: int) -> AsyncIterator[Page]:
        """Yield what is new about a run behind the line `after`, as it comes; an empty page now and then.

        It ends with the run, or when the feed is closed; while the database cannot be read it waits. Of many who came
        in at once, those for whom no room is left end at once: they come back and are told so.
        """
        if len(self._bells) >= MOST_FOLLOWERS:
            return
        bell = asyncio.Event()
        self._bells[bell] = run_id
        if self._looking is None:
            self._looking = asyncio.create_task(self._look())
        try:
            while not self._closed:
                bell.clear()
                page = await run_in_threadpool(self.read, run_id, after)
                yield page
                if page.ended is not None or page.gone:
                    return
                if page.lines:
                    after = page.lines[-1].number
                await bell.wait()
        finally:
            del self._bells[bell]
            if not self._bells and self._looking is not None:
                self._looking.cancel()
                self._looking, self._marks = None, {}

    async def _look(self) -> None:
        quiet_since = self._clock.monotonic()
        while not self._closed:
            await self._clock.sleep(LOOK)
            before, followed = self._marks, set(self._bells.values())
            self._marks = await run_in_threadpool(self._marks_of, followed)
            now = self._clock.monotonic()
            silent = now - quiet_since >= KEEP_ALIVE
            self._ring(
                bell for bell, run_id in self._bells.items() if silent or before.get(run_id) != self._marks.get(run_id)
            )
            if silent:
                quiet_since = now

    def _marks_of(self, run_ids: set[str]) -> dict[str, Mark]:
        return {run_id: self._mark(run_id) for run_id in run_ids}

    def _mark(self, run_id: str) -> Mark:
        try:
            run = self._documents.find_run(run_id)
            folder = folder_of(self._documents, run)
        except ZhixingError as error:
            return (error.key,)
        try:
            known = None if folder is None else (folder / PROGRESS).lstat()
        except OSError:
            known = None
        return (run.state,) if known is None else (run.state, known.st_mtime_ns, known.st_ino, known.st_size)

    @staticmethod
    def _ring(bells: Iterable[asyncio.Event]) -> None:
        for bell in bells:
            bell.set()


def numbered(events: Sequence[Event]) -> tuple[Line, ...]:
    """Give each line a number: its milliseconds since the epoch, and its place among those of the same one."""
    lines: list[Line] = []
    before, place = 0, 0
    for event in events:
        at = number_of(event.at)
        place = place + 1 if at == before else 0
        before = at
        lines.append(Line(at + min(place, _MOST_AT_ONCE - 2), event))
    return tuple(lines)


def number_of(at: datetime, place: int = 0) -> int:
    """Return the number of what happened at an instant."""
    return micros(at) // 1_000 * _MOST_AT_ONCE + place
