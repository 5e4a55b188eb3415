"""Following a run: its lines as they come, once each, and its end."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import httpx
from tests.faces.http.conftest import TOKEN
from tests.faces.http.documents.conftest import DOCUMENTS, PATIENCE, RUNS, SCRIPT, at
from tests.faces.http.test_serving import serving

from zhixing.documents.artifacts.facts import Event
from zhixing.faces.http import create_app
from zhixing.faces.http.run_feed import MOST_FOLLOWERS, RunFeed, numbered
from zhixing.kernel.clock import SystemClock

HEADERS = {"Authorization": f"Bearer {TOKEN}"}


def heard(lines: Iterator[str]) -> Iterator[dict[str, Any]]:
    """Yield the events of a stream that have data."""
    fields: dict[str, str] = {}
    for line in lines:
        if line.startswith(":"):
            continue
        if line:
            name, _, value = line.partition(": ")
            fields[name] = value
            continue
        if "data" in fields:
            yield {"event": fields.get("event", ""), "id": int(fields["id"]), **json.loads(fields["data"])}
        fields = {}


def test_whoever_follows_a_run_hears_its_lines_as_they_come_and_its_end(home_of, under_way) -> None:
    app = home_of(SystemClock())
    with (
        serving(create_app(app, TOKEN)) as url,
        httpx.Client(base_url=url, headers=HEADERS, timeout=PATIENCE) as client,
    ):
        client.post(DOCUMENTS, json=SCRIPT)
        run = client.post(at("晨报", "/run")).json()["executionId"]
        with client.stream("GET", f"{RUNS}/{run}/events") as answer:
            assert answer.headers["content-type"].startswith("text/event-stream")
            events = heard(answer.iter_lines())
            with under_way(app):
                first = [next(events), next(events)]
                assert [one["phase"] for one in first] == ["preparing", "script_running"]
            *lines, ended = events
        assert [one["phase"] for one in lines][-1] == "completed"
        assert (ended["event"], ended["status"], ended["executionId"]) == ("ended", "success", run)
        numbers = [one["id"] for one in (*first, *lines, ended)]
        assert numbers == sorted(set(numbers))
        # Who was away since the second line gets the rest once; who has heard the end is told that this was all.
        with client.stream("GET", f"{RUNS}/{run}/events", headers={"Last-Event-ID": str(numbers[1])}) as answer:
            assert [one["id"] for one in heard(answer.iter_lines())] == numbers[2:]
        over = client.get(f"{RUNS}/{run}/events", headers={"Last-Event-ID": str(numbers[-1])})
        assert (over.status_code, over.content) == (204, b"")


def test_a_run_that_waits_is_followed_until_it_is_called_off(home_of) -> None:
    app = home_of(SystemClock())
    with (
        serving(create_app(app, TOKEN)) as url,
        httpx.Client(base_url=url, headers=HEADERS, timeout=PATIENCE) as client,
    ):
        client.post(DOCUMENTS, json=SCRIPT)
        client.post(at("晨报", "/run"))
        run = client.post(at("晨报", "/run"), json={"queue": True}).json()["executionId"]
        with client.stream("GET", f"{RUNS}/{run}/events") as answer:
            client.post(f"{RUNS}/{run}/cancel")
            (ended,) = heard(answer.iter_lines())
        assert (ended["event"], ended["status"]) == ("ended", "cancelled")


def test_streams_of_runs_end_whole_when_the_server_stops(home_of) -> None:
    app, ends, ready = home_of(SystemClock()), [], threading.Event()

    def follow(url: str, run: str) -> None:
        with httpx.stream("GET", f"{url}{RUNS}/{run}/events", headers=HEADERS, timeout=PATIENCE) as events:
            for _ in events.iter_lines():
                ready.set()
        # Cut off in the middle, httpx would have raised.
        ends.append("whole")

    with (
        serving(create_app(app, TOKEN)) as url,
        httpx.Client(base_url=url, headers=HEADERS, timeout=PATIENCE) as client,
    ):
        client.post(DOCUMENTS, json=SCRIPT)
        run = client.post(at("晨报", "/run")).json()["executionId"]
        follower = threading.Thread(target=follow, args=(url, run))
        follower.start()
        assert ready.wait(PATIENCE)
    follower.join(PATIENCE)
    assert ends == ["whole"]


def test_a_quiet_run_is_kept_open_with_comments_and_nobody_looks_when_nobody_follows(
    app, stream, begun, clock, monkeypatch
) -> None:
    looks: list[str] = []
    find = app.documents.find_run
    monkeypatch.setattr(app.documents, "find_run", lambda run: looks.append(run) or find(run))

    async def follow() -> None:
        streams = [stream(f"{RUNS}/{begun}/events") for _ in range(10)]
        for each in streams:
            await each.__aenter__()
            assert await each.event() == {"id": "0"}
        del looks[:]
        since = clock.monotonic()
        for _ in range(3):
            await streams[0].comment()
        passed = clock.monotonic() - since
        # Two looks a second for all of them, and one each now and then; ten times that if each looked for itself.
        assert len(looks) < 2 * passed + 100
        for each in streams:
            await each.__aexit__()
        del looks[:]
        for _ in range(100):
            await clock.sleep(1)
        assert looks == []

    asyncio.run(follow())


def test_there_are_only_so_many_followers(stream, begun) -> None:
    async def follow() -> None:
        streams = [stream(f"{RUNS}/{begun}/events") for _ in range(MOST_FOLLOWERS)]
        for each in streams:
            await each.__aenter__()
            await each.event()
            await each.comment()
        async with stream(f"{RUNS}/{begun}/events") as refused:
            assert refused.status == 503
        for each in streams:
            await each.__aexit__()
        async with stream(f"{RUNS}/{begun}/events") as taken:
            assert taken.status == 200

    asyncio.run(follow())


def test_of_many_who_come_in_at_once_no_more_follow_than_may(app, begun, clock) -> None:
    feed = RunFeed(app.documents, clock)

    async def follow() -> None:
        feed.check_room()
        followers = [feed.follow(begun, 0) for _ in range(MOST_FOLLOWERS)]
        for each in followers:
            await anext(each)
        late = feed.follow(begun, 0)
        assert [page async for page in late] == []
        for each in followers:
            await each.aclose()

    asyncio.run(follow())


def test_lines_of_one_instant_keep_their_order_and_their_numbers_when_more_come(clock) -> None:
    def events(count: int) -> list[Event]:
        return [Event(clock.now() + timedelta(milliseconds=n // 3), "x", str(n)) for n in range(count)]

    few, many = numbered(events(5)), numbered(events(20))
    assert [line.number for line in many[:5]] == [line.number for line in few]
    numbers = [line.number for line in many]
    assert numbers == sorted(set(numbers))
    # Of what was cut off in front, whole instants change nothing.
    assert [line.number for line in numbered(events(20)[3:])] == numbers[3:]
