"""Several processes at the same talks: workers are asked side by side, and their manager once."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import timedelta

from tests.goals.groups.rooms import CHAT, MANAGED, Cast, Room, ask_for, done

from zhixing.engine.embedded import EmbeddedEngine
from zhixing.goals.contracts.executing import read_execution
from zhixing.kernel.clock import SystemClock

SOON = 30
TALKS = 6


class Told(list):
    """What goals were told by all programs; `over` counts it."""

    def __init__(self, over: threading.Semaphore) -> None:
        super().__init__()
        self._over = over

    def append(self, end) -> None:
        super().append(end)
        self._over.release()


@contextmanager
def programs(home, ask, ends: Told) -> Iterator[list[Room]]:
    """Run two programs on one store until the end of the block."""
    rooms = []
    for owner in "甲乙":
        engine = EmbeddedEngine(home.store, SystemClock(), owner=owner, lease=timedelta(seconds=20), workers=4)
        rooms.append(Room(home.store, SystemClock(), ask, engine=engine))
        rooms[-1].ends = ends
    for room in rooms:
        room.engine.start()
    try:
        yield rooms
    finally:
        for room in rooms:
            room.engine.stop()


def test_workers_are_asked_at_the_same_time_and_joined_once_by_two_programs(home):
    together, over = threading.Barrier(2, timeout=SOON), threading.Semaphore(0)

    def meet(errand):
        # In one of the talks b and c wait for each other.
        if errand.key.startswith("both/"):
            together.wait()
        return "好"

    lines = {"a": [ask_for("做"), done()], "b": [meet], "c": [meet]}
    casts = {key: Cast(lines) for key in (*(f"talk{n}" for n in range(TALKS)), "both")}
    handed_in = [(n, key) for key in casts for n in range(4)]
    with programs(home, lambda bot, errand: casts[errand.key.split("/")[0]](bot, errand), Told(over)) as rooms:
        with ThreadPoolExecutor(4) as threads:
            runs = set(threads.map(lambda each: rooms[each[0] % 2].begin(MANAGED, key=each[1]), handed_in))
        for _ in casts:
            assert over.acquire(timeout=SOON)
    assert len(runs) == len(rooms[0].ends) == len(casts)
    for run_id in runs:
        said = [f"{each.bot_id} {each.word}" for each in rooms[0].groups.lines(run_id)]
        assert [said[0], *sorted(said[1:3]), *said[3:]] == ["a said", "b said", "c said", "a done"]
        assert read_execution("n", rooms[0].groups.result(run_id).content).success is True
    assert {each.order.count(bot) for each in casts.values() for bot in "bc"} == {1}
    assert {each.order.count("a") for each in casts.values()} == {2}


def test_the_same_delivery_begun_at_once_is_one_talk(home, clock):
    room = Room(home.store, clock, Cast({"a": [done()]}))
    with ThreadPoolExecutor(6) as threads:
        runs = set(threads.map(lambda _: room.begin(CHAT), range(12)))
    assert len(runs) == 1
    room.engine.drain()
    assert room.cast.order == "a"
    assert len(room.groups.known()) == 1
