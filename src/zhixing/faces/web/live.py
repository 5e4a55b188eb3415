"""One stream that says that something happened; pages look for themselves what that was."""

from __future__ import annotations

from collections.abc import AsyncIterator

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from zhixing.faces.http.feed import SILENCE, EventStream, Feed, event
from zhixing.faces.web.desk import AtDesk

router = APIRouter(include_in_schema=False)


@router.get("/live")
async def live(request: Request, desk: AtDesk) -> Response:
    """Tell a page whenever something happened."""
    feed: Feed = request.app.state.feed
    feed.check_room()
    del desk  # it has a session, which is all
    return EventStream(_changes(feed, await run_in_threadpool(feed.newest)))


async def _changes(feed: Feed, after: int) -> AsyncIterator[bytes]:
    async for entries in feed.follow(after):
        yield event(entries[-1].seq, b"changed") if entries else SILENCE
