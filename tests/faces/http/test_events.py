"""The journal as server-sent events, over both databases: nothing missed, nothing twice, nobody left hanging."""

from __future__ import annotations

import asyncio

import pytest

from zhixing.faces.http.feed import MOST_FOLLOWERS
from zhixing.kernel.errors import StoreUnavailable
from zhixing.notices.model import Source, Submission
from zhixing.tasks import journal


@pytest.fixture
def say(app, clock):
    """Say something from another thread, as other requests do."""

    def said(text: str):
        return app.notices.submit(Submission(text, Source.DIRECT, clock.now(), "Asia/Shanghai"), who="test")

    return lambda text: asyncio.to_thread(said, text)


class Watched:
    """The store of a home as its HTTP face sees it: counts what is read, and goes away when told to."""

    def __init__(self, store) -> None:
        self._store = store
        self.reads = 0
        self.down = False

    def __getattr__(self, name: str):
        return getattr(self._store, name)

    def read(self):
        self.reads += 1
        if self.down:
            raise StoreUnavailable("store_locked", place="x")
        return self._store.read()


@pytest.fixture
def watched(store, serve, stream) -> Watched:
    watched = Watched(store)
    api = serve(store=watched)
    watched.stream = lambda: stream(api=api)
    return watched


@pytest.fixture
def written(store):
    def numbers() -> list[int]:
        with store.read() as tx:
            return [entry.seq for entry in journal.since(tx, 0, 1000)]

    return numbers


def ids(entries) -> list[int]:
    return [entry["id"] for entry in entries]


def test_a_stream_begins_now_and_tells_what_comes(stream, say, written) -> None:
    async def follow():
        await say("买牛奶")
        async with stream() as events:
            assert (events.status, events.headers["content-type"]) == (200, "text/event-stream; charset=utf-8")
            assert await events.event() == {"id": str(written()[-1])}
            notice = await say("明晚九点提醒我交表")
            created, understood = await events.entries(2)
        assert (created["kind"], created["task"], created["seq"]) == ("created", notice.task.id, created["id"])
        assert (understood["kind"], understood["why"]) == ("understood", "planned")
        assert understood["at"].endswith("+08:00")

    asyncio.run(follow())


def test_who_was_away_gets_everything_in_between_once(stream, say, written) -> None:
    async def follow():
        await say("买牛奶")
        async with stream(query="after=0") as events:
            before = await events.entries(2)
        await say("买米")
        await say("买面")
        async with stream(headers={"last-event-id": str(before[-1]["id"])}) as events:
            missed = await events.entries(4)
            await say("买油")
            after = await events.entries(2)
        assert ids(before) + ids(missed) + ids(after) == written()

    asyncio.run(follow())


def test_who_was_cut_off_before_the_first_entry_misses_nothing(stream, say) -> None:
    async def follow():
        await say("买牛奶")
        async with stream() as events:
            place = await events.event()
        await say("买米")
        async with stream(headers={"last-event-id": place["id"]}) as events:
            assert [entry["kind"] for entry in await events.entries(2)] == ["created", "understood"]

    asyncio.run(follow())


def test_the_last_id_seen_wins_over_the_address(stream, say, written) -> None:
    async def follow():
        await say("买牛奶")
        await say("买米")
        seen = written()[1]
        async with stream(query="after=0", headers={"last-event-id": str(seen)}) as events:
            assert ids(await events.entries(2)) == written()[2:]

    asyncio.run(follow())


def test_a_number_from_another_database_begins_now(stream, say, written) -> None:
    async def follow():
        await say("买牛奶")
        async with stream(query="after=4711") as events:
            assert await events.event() == {"id": str(written()[-1])}
            await say("买米")
            assert ids(await events.entries(2)) == written()[2:]

    asyncio.run(follow())


def test_more_than_a_page_comes_in_order(stream, say, store, clock, written) -> None:
    async def follow():
        notice = await say("买牛奶")

        def fill() -> None:
            with store.write() as tx:
                for _ in range(450):
                    journal.write(tx, notice.task.id, journal.Kind.NEAR_MISS, at=clock.now(), who="test")

        await asyncio.to_thread(fill)
        async with stream(query="after=0") as events:
            assert ids(await events.entries(452)) == written()

    asyncio.run(follow())


def test_many_followers_share_one_look_and_none_looks_when_nobody_follows(watched, clock) -> None:
    async def follow():
        streams = [watched.stream() for _ in range(20)]
        for each in streams:
            await each.__aenter__()
            await each.event()
        before, begun = watched.reads, clock.monotonic()
        while clock.monotonic() < begun + 60:
            await streams[0].comment()
        # 120 looks, and one each for every follower about four times; 20 times 120 if each looked for itself.
        assert watched.reads - before < 300
        for each in streams:
            await each.__aexit__()
        before = watched.reads
        for _ in range(100):
            await clock.sleep(1)
        assert watched.reads == before

    asyncio.run(follow())


def test_a_quiet_stream_is_kept_open_with_comments(stream, clock) -> None:
    async def follow():
        async with stream() as events:
            await events.event()
            begun = clock.monotonic()
            for _ in range(4):
                await events.comment()
            assert clock.monotonic() - begun >= 15

    asyncio.run(follow())


def test_streams_end_when_the_server_stops(api, stream) -> None:
    async def follow():
        async with stream() as events, stream() as others:
            for each in (events, others):
                await each.event()
            api.state.feed.close()
            for each in (events, others):
                assert await each.event() is None

    asyncio.run(follow())


def test_a_stream_outlives_a_database_that_cannot_be_read_for_a_while(watched, say) -> None:
    async def follow():
        async with watched.stream() as events:
            await events.event()
            watched.down = True
            await say("买牛奶")
            for _ in range(2):
                await events.comment()
            watched.down = False
            assert [entry["kind"] for entry in await events.entries(2)] == ["created", "understood"]

    asyncio.run(follow())


def test_there_are_only_so_many_streams(stream) -> None:
    async def follow():
        streams = [stream() for _ in range(MOST_FOLLOWERS)]
        for each in streams:
            await each.__aenter__()
            await each.event()
            await each.comment()
        async with stream() as refused:
            assert refused.status == 503
        for each in streams:
            await each.__aexit__()
        async with stream() as taken:
            assert taken.status == 200

    asyncio.run(follow())
