"""What was told, what will be, and everything that happens as it happens."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Annotated, Any
from zoneinfo import ZoneInfo

from fastapi import APIRouter, Header, Query, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from zhixing.delivery.model import Message
from zhixing.delivery.operations import LONGEST_PAGE
from zhixing.faces import wire
from zhixing.faces.http.api import bodies, shapes
from zhixing.faces.http.api.tasks import Days
from zhixing.faces.http.feed import SILENCE, EventStream, Feed, event
from zhixing.faces.http.home import AtHome, Home
from zhixing.faces.wire import Wire
from zhixing.kernel.errors import StoreUnavailable
from zhixing.kernel.moments import parse_instant
from zhixing.kernel.moments import zone as find_zone
from zhixing.notices import store as notices
from zhixing.store.connection import Tx
from zhixing.tasks import store as tasks
from zhixing.tasks.journal import Entry

router = APIRouter(tags=["telling"])

_FAULT = {"$ref": "#/components/schemas/Fault"}
_LARGEST_NUMBER = 2**63 - 1
Number = Annotated[int | None, Query(ge=0, le=_LARGEST_NUMBER, description="Only what came after this entry.")]
LastNumber = Annotated[int | None, Header(ge=0, le=_LARGEST_NUMBER, description="The last id seen; wins over `after`.")]


@router.get("/inbox", response_model=shapes.Inbox)
def inbox(
    home: AtHome,
    after: Annotated[str | None, Query(description="Only what was told after this message.")] = None,
    limit: Annotated[int, Query(ge=1, le=LONGEST_PAGE)] = 50,
) -> Wire:
    """List what was told and not dismissed, oldest first: the last ones, or the first ones behind `after`."""
    with home.app.store.read() as tx:
        messages = home.app.delivery.inbox(tx, after, limit)
        zones = _zones(tx, home, {message.task_id for message in messages})
    return {
        "messages": [wire.of_message(message, zones[message.task_id]) for message in messages],
        "last": messages[-1].id if messages else after,
    }


@router.post("/inbox/{message_id}/read", response_model=shapes.Message)
def read(home: AtHome, message_id: str) -> Wire:
    """Note that a message was seen. That completes nothing."""
    with home.app.store.write() as tx:
        return _message(tx, home, home.app.delivery.read(tx, message_id))


@router.post("/inbox/{message_id}/dismiss", response_model=shapes.Message)
def dismiss(home: AtHome, message_id: str) -> Wire:
    """Remove a message from the inbox. That completes nothing."""
    with home.app.store.write() as tx:
        return _message(tx, home, home.app.delivery.dismiss(tx, message_id))


@router.post("/inbox/{message_id}/acknowledge", response_model=shapes.Message)
def acknowledge(home: AtHome, message_id: str) -> Wire:
    """Note that it is seen and dealt with: nothing more is sent about it. That completes nothing."""
    with home.app.store.write() as tx:
        return _message(tx, home, home.app.delivery.acknowledge(tx, message_id))


@router.post("/inbox/{message_id}/snooze", response_model=shapes.Message)
def snooze(home: AtHome, message_id: str, body: bodies.Snoozed) -> Wire:
    """Have it told again, once, at another time."""
    until = parse_instant(body.until)
    with home.app.store.write() as tx:
        return _message(tx, home, home.app.delivery.snooze(tx, message_id, until))


@router.post("/channels/{name}/test", response_model=shapes.Trial)
def send_test(home: AtHome, name: str) -> Wire:
    """Send a message marked as a test through a channel, now, and say what became of it."""
    trial = home.app.delivery.test(name)
    return {"channel": name, "arrived": trial.arrived, "says": trial.says}


@router.get("/coming", response_model=shapes.Coming)
def coming(
    home: AtHome, days: Days = 7, limit: Annotated[int, Query(ge=1, le=500, description="At most so many.")] = 100
) -> Wire:
    """List what will be told in the days to come, in order."""
    now = home.app.clock.now()
    with home.app.store.read() as tx:
        found = notices.coming(tx, now, now + timedelta(days=days), limit + 1)
    return {"reminders": [wire.of_coming(*each) for each in found[:limit]], "more": len(found) > limit}


@router.get(
    "/events",
    status_code=200,
    response_class=EventStream,
    responses={
        200: {"model": shapes.JournalEntry, "description": "Each event's data, under its number as id."},
        # The framework would write the form of the stream beside it.
        "default": {"description": "It was not done.", "content": {"application/json": {"schema": _FAULT}}},
    },
)
async def events(request: Request, home: AtHome, after: Number = None, last_event_id: LastNumber = None) -> Response:
    """Follow the journal: what is in it behind `after` or `Last-Event-ID`, else from now on, and then as it grows.

    Reconnecting with the last id seen misses nothing and repeats nothing.
    """
    feed: Feed = request.app.state.feed
    feed.check_room()
    seen = last_event_id if last_event_id is not None else after
    newest = await run_in_threadpool(feed.newest)
    # A number that is not there yet was seen in another database.
    return EventStream(_events(feed, home, newest if seen is None else min(seen, newest)))


async def _events(feed: Feed, home: Home, after: int) -> AsyncIterator[bytes]:
    # So that also a reader who is cut off before the first entry comes back to this place.
    yield event(after)
    async for entries in feed.follow(after):
        if not entries:
            yield SILENCE
            continue
        try:
            written = await run_in_threadpool(_written, home, entries)
        except StoreUnavailable:
            return  # whoever comes back with the last id gets these entries
        for each in written:
            yield each


def _written(home: Home, entries: list[Entry]) -> list[bytes]:
    with home.app.store.read() as tx:
        zones = _zones(tx, home, {entry.task_id for entry in entries})
    return [event(entry.seq, _json(wire.of_entry(entry, zones[entry.task_id]))) for entry in entries]


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def _message(tx: Tx, home: Home, message: Message) -> Wire:
    return wire.of_message(message, _zones(tx, home, {message.task_id})[message.task_id])


def _zones(tx: Tx, home: Home, task_ids: set[str]) -> dict[str, ZoneInfo]:
    found = {task_id: tasks.find(tx, task_id) for task_id in task_ids}
    return {task_id: find_zone(task.zone if task else home.app.zone.name) for task_id, task in found.items()}
