"""The disk is full at every statement of everything that is done to a household task, and then has room again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from typing import Any

import pytest
from tests.chaos.householder import ACTS, CAMERA, CUP, END, LONGEST_WAIT, PLANS, Killed, Life
from tests.chaos.traces import Traces
from tests.faces.http.conftest import TOKEN, ZONE, Client

from zhixing.app import App, build
from zhixing.faces.http import create_app
from zhixing.household.plan import read_plan
from zhixing.kernel.clock import ManualClock
from zhixing.kernel.errors import StoreUnavailable
from zhixing.store.connection import Store
from zhixing.tasks.rules import store as rules_store
from zhixing.tasks.rules.book import Book
from zhixing.world.perception.reading import read_verdict

WAKES = (10, 24, 100, 125, 177, 260)
"""Seconds at which something comes of time alone."""


class Disk(Killed):
    """A disk that is full, for some of the transactions, after so many statements; None: it has room."""

    def __init__(self) -> None:
        super().__init__("never")
        self.room: int | None = None
        self.about = ""
        self.refused = 0

    def at(self, step: str) -> None:
        where, _, what = step.partition(" ")
        if self.room is None or where not in ("inside", "before") or not what.startswith(self.about):
            return
        if self.room == 0:
            self.refused += 1
            raise StoreUnavailable("store_full", place="home.db")
        self.room -= 1


@pytest.fixture
def disk() -> Disk:
    return Disk()


@pytest.fixture
def traces(home, tmp_path) -> Traces:
    return Traces(home.url, tmp_path)


@pytest.fixture
def life(traces, disk) -> Iterator[Life]:
    with closing(Life(traces.url, traces.log, disk)) as life:
        yield life


@pytest.fixture(scope="module")
def undisturbed(migrated_file, tmp_path_factory) -> dict[str, Any]:
    """Live days in which the disk has room; return what is found of them."""
    folder = tmp_path_factory.mktemp("undisturbed")
    (folder / "home.db").write_bytes(migrated_file.read_bytes())
    traces = Traces(f"sqlite:///{folder / 'home.db'}", folder)
    with closing(Life(traces.url, traces.log, Disk())) as life:
        life.live("alone")
    return traces.found()


def everything(store: Store) -> dict[str, list[Any]]:
    """Return every row of the database."""
    tables = {
        "sqlite": "SELECT name FROM sqlite_master WHERE type = 'table'",
        "postgresql": "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()",
    }
    with store.read() as tx:
        names = sorted(name for (name,) in tx.rows(tables[store.dialect]))
        return {name: sorted(tx.rows(f"SELECT * FROM {name}"), key=str) for name in names}


def check_the_book(app: App) -> None:
    """See that what is in memory of the rules, for whoever asks next, is what is on the disk."""
    with app.store.write() as tx, app.rules._taking.sessions.open(tx) as book:
        fresh = Book(tx, rules_store.book(tx), {})
        assert contents(book) == contents(fresh)


def contents(book: Book) -> dict[str, Any]:
    return {
        "rules": book.rules,
        "of rules": {rule: watch.id for rule, watch in book.watch_of.items()},
        "known": {name: watch.kept() for name, watch in book.watches.items()},
        "states": {rule: book.watch_of[rule].members[rule].state for rule in book.rules},
        "enabled": {rule for rule in book.rules if book.watch_of[rule].members[rule].enabled},
        "listed": {
            place: {watch.id for watch in listed} for place, listed in (*book.named.items(), *book.open.items())
        },
        "wake": (book.wake, book.wake_key, book.cameras, book.generation),
    }


def test_what_a_full_disk_refuses_is_refused_whole_and_goes_on_with_room(life, disk, traces, undisturbed, home):
    life.app.recover()
    for number, act in enumerate(ACTS):
        life.pass_until(act.second)
        before = everything(home.store)
        for room in range(1_000):
            disk.room = room
            try:
                life.do(number)
            except StoreUnavailable:
                assert everything(home.store) == before
            else:
                break
            finally:
                disk.room = None
            if room % 7 == 0:
                check_the_book(life.app)
                before = everything(home.store)
        check_the_book(life.app)
        life.app.engine.drain()
    life.pass_until(END + LONGEST_WAIT)

    assert disk.refused > 5 * len(ACTS)
    assert traces.found() == undisturbed


@pytest.mark.parametrize("room", [0, 1, 5])
def test_what_comes_of_time_alone_waits_for_room(life, disk, traces, undisturbed, room):
    disk.about = "done wake"
    life.app.recover()
    last = 0
    for number, act in enumerate(ACTS):
        disk.room = room if any(last < second <= act.second for second in WAKES) else None
        life.pass_until(act.second)
        disk.room = None
        life.do(number)
        life.app.engine.drain()
        check_the_book(life.app)
        last = act.second
    life.pass_until(END + LONGEST_WAIT)

    assert disk.refused >= len(WAKES)
    assert traces.found() == undisturbed


@pytest.mark.parametrize("dialect", ["sqlite"])
def test_a_camera_is_told_that_the_disk_is_full_and_may_say_it_again(home, clock: ManualClock):
    """The pages of the file are counted, so that SQLite itself runs out of them."""
    app = build(home.store, clock, ZONE, {})
    for number in range(40):
        plan = {**PLANS["cups"], "task": {"task_id": f"cups_{number}", "description": "喝" * 100}}
        plan["rules"] = [{**PLANS["cups"]["rules"][0], "name": f"喝水 {number}"}]
        app.household.apply(read_plan(plan), who="chaos")
    said = {"source": CAMERA, "condition": CUP, "value": False, "at": clock.now().isoformat(), "reason": "看" * 150}
    app.rules.ingest([read_verdict(said)])
    clock.advance(timedelta(minutes=1))
    said |= {"value": True, "at": clock.now().isoformat()}
    with closing(Client(create_app(app, TOKEN), {"Authorization": f"Bearer {TOKEN}"})) as client:
        before = everything(home.store)
        home.store._writer.execute("PRAGMA max_page_count = 1")

        answer = client("POST", "/api/v1/perception/verdicts", json=said)
        assert (answer.status_code, answer.json()["error"]["code"]) == (503, "store_full")
        assert everything(home.store) == before

        home.store._writer.execute("PRAGMA max_page_count = 1000000")
        check_the_book(app)
        assert client.post("/api/v1/perception/verdicts", said)["fired"] == 40
        assert client.post("/api/v1/perception/verdicts", said)["fired"] == 0
    counted = everything(home.store)
    assert len(counted["occurrences"]) == len(counted["record_writes"]) == 40
