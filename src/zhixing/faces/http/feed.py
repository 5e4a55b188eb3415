"""The journal as it grows, for everybody who follows it: one look at the database for all of them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import aclosing
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.responses import StreamingResponse
from starlette.types import Send

from zhixing.kernel.clock import Clock
from zhixing.kernel.errors import StoreUnavailable, Unavailable
from zhixing.store.connection import Store
from zhixing.tasks import journal
from zhixing.tasks.journal import Entry

LOOK = 0.5
"""Seconds between two looks for new entries, while anybody follows."""
KEEP_ALIVE = 15.0
"""Seconds of silence after which a follower gets an empty page."""
MOST_FOLLOWERS = 200
PAGE = 200
UNKNOWN = -1


class Feed:
    """New journal entries. To be used by one event loop; nothing is looked at while nobody follows."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._bells: set[asyncio.Event] = set()
        self._looking: asyncio.Task[None] | None = None
        self._seen = UNKNOWN
        self._closed = False

    def newest(self) -> int:
        """Return the number of the newest entry."""
        with self._store.read() as tx:
            return journal.last(tx)

    def check_room(self) -> None:
        """Raise `Unavailable` when there are as many followers as may be."""
        if len(self._bells) >= MOST_FOLLOWERS:
            raise Unavailable("streams_many", limit=MOST_FOLLOWERS)

    def close(self) -> None:
        """End all that follow, now."""
        self._closed = True
        self._ring()

    async def follow(self, after: int) -> AsyncIterator[list[Entry]]:
        """Yield the entries behind `after`, page by page and then as they come; an empty page now and then.

        It ends when the feed is closed; while the database cannot be read it waits. A slow reader holds up nobody: it
        is behind, and finds its entries in the database.
        """
        bell = asyncio.Event()
        self._bells.add(bell)
        if self._looking is None:
            self._seen = UNKNOWN
            self._looking = asyncio.create_task(self._look())
        try:
            while not self._closed:
                bell.clear()
                page = await run_in_threadpool(self._read, after)
                yield page
                if page:
                    after = page[-1].seq
                else:
                    await bell.wait()
        finally:
            self._bells.discard(bell)
            if not self._bells and self._looking is not None:
                self._looking.cancel()
                self._looking = None

    def _read(self, after: int) -> list[Entry]:
        try:
            with self._store.read() as tx:
                return journal.since(tx, after, PAGE)
        except StoreUnavailable:
            self._seen = UNKNOWN
            return []

    async def _look(self) -> None:
        quiet_since = self._clock.monotonic()
        while not self._closed:
            await self._clock.sleep(LOOK)
            try:
                newest = await run_in_threadpool(self.newest)
            except StoreUnavailable:
                newest = UNKNOWN
            now = self._clock.monotonic()
            if newest != self._seen or now - quiet_since >= KEEP_ALIVE:
                self._seen, quiet_since = newest, now
                self._ring()

    def _ring(self) -> None:
        for bell in self._bells:
            bell.set()


class EventStream(StreamingResponse):
    """Server-sent events; what produces them is closed with the connection, however that ends."""

    media_type = "text/event-stream"

    def __init__(self, events: AsyncIterator[bytes], headers: Mapping[str, str] | None = None) -> None:
        super().__init__(events, headers={"X-Accel-Buffering": "no", **(headers or {})})

    async def stream_response(self, send: Send) -> None:
        """Send the events until there are no more."""
        events: Any = self.body_iterator
        async with aclosing(events):
            await super().stream_response(send)


def event(number: int, data: bytes | None = None) -> bytes:
    """Write one event. Without data it only says where the reader is, so that it can come back to this place."""
    return b"id: %d\n\n" % number if data is None else b"id: %d\ndata: %s\n\n" % (number, data)


SILENCE = b": \n\n"
"""A comment, which keeps proxies from hanging up."""
