"""Threads that look, that are stopped, and that live through whatever goes wrong around them."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import pytest
from tests.household.watching.conftest import HALL, LIVING, Watched
from tests.household.watching.eyes import Question, always, png

from zhixing.kernel.clock import SystemClock
from zhixing.world.devices.port import Camera
from zhixing.world.perception.snapshots import Snapshot

Watch = Callable[..., Watched]
SOMEBODY = "画面中有人"
PATIENCE = 20


@contextmanager
def running(house: Watched) -> Iterator[None]:
    house.poller.start()
    try:
        yield
    finally:
        house.network.closing.set()
        house.poller.stop()


def test_it_looks_until_it_is_stopped_and_can_be_started_again(watched: Watch) -> None:
    house = watched(hold=0)
    house.rule(SOMEBODY)
    seen = threading.Semaphore(0)

    def judge(question: Question) -> object:
        seen.release()
        return always(True)(question)

    house.network.judge = judge
    for _ in range(2):
        house.poller.start()
        with pytest.raises(RuntimeError):
            house.poller.start()
        assert seen.acquire(timeout=PATIENCE)
        assert seen.acquire(timeout=PATIENCE)
        house.poller.stop()
        house.poller.stop()
    before = len(house.network.asked)
    assert before >= 4
    assert [thread.name for thread in threading.enumerate() if thread.name.startswith("zhixing-look")] == []


def test_one_camera_is_never_asked_about_twice_at_once(watched: Watch) -> None:
    house = watched(cameras=(LIVING, HALL), at_once=4, hold=0)
    house.rule(SOMEBODY, "everywhere")
    under_way: list[bytes] = []
    twice: list[bytes] = []
    most: list[int] = []
    both, enough = threading.Barrier(2), threading.Event()

    def judge(question: Question) -> object:
        twice.extend(each for each in under_way if each == question.picture)
        under_way.append(question.picture)
        if len(most) < 4:
            both.wait(PATIENCE)
        most.append(len(under_way))
        if len(most) >= 6:
            enough.set()
        under_way.remove(question.picture)
        return always(False)(question)

    house.network.judge = judge
    with running(house):
        assert enough.wait(PATIENCE)
    assert twice == []
    assert max(most) == 2


def test_what_comes_after_the_stop_is_dropped(watched: Watch) -> None:
    house = watched(hold=0)
    house.rule(SOMEBODY)

    def judge(question: Question) -> object:
        house.poller.stop()
        return always(True)(question)

    house.network.judge = judge
    house.look()
    assert house.known(SOMEBODY) == "unknown"
    house.network.judge = always(True)
    house.passes(11)
    assert house.known(SOMEBODY) == "true"


class Broken:
    """A giver of pictures that breaks its promise of how it fails."""

    def __init__(self, house: Watched) -> None:
        self.works = False
        self._house = house

    def snapshot(self, source: str) -> Snapshot:
        if not self.works:
            raise OSError(5, f"the cable of {source} is out")
        return Snapshot(png(1), "image/png", self._house.clock.now())


def test_what_nobody_expected_is_told_once_and_over_when_it_is_over(
    watched: Watch, caplog: pytest.LogCaptureFixture
) -> None:
    house = watched()
    house.rule(SOMEBODY)
    house.network.judge = always(True)
    camera = Broken(house)
    house.poll(snapshots=camera, hold=0)
    with caplog.at_level(logging.WARNING, "zhixing.vision"):
        house.passes(60)
    assert [record.getMessage() for record in caplog.records] == [f"camera {LIVING} cannot be watched"]
    camera.works = True
    house.passes(15)
    assert house.known(SOMEBODY) == "true"


def test_a_database_that_is_away_stops_nobody(watched: Watch, caplog: pytest.LogCaptureFixture) -> None:
    house = watched()
    house.rule(SOMEBODY)
    house.look()
    house.house.store.close()
    with caplog.at_level(logging.WARNING, "zhixing.vision"):
        for _ in range(3):
            house.clock.advance(house.seconds(10))
            assert house.poller.drain() == 1
    assert len(caplog.records) == 1


def test_a_hub_that_cannot_say_which_cameras_may_be_used_has_none_looked_at(watched: Watch) -> None:
    house = watched(hold=0)
    house.rule(SOMEBODY)
    hub = house.house.hub

    class Mute:
        def cameras(self) -> Sequence[Camera]:
            raise ConnectionError

    house.poller = house.poll(hub=Mute(), hold=0)
    house.passes(60)
    assert house.network.looked_at == []
    house.poller = house.poll(hub=hub, hold=0)
    house.passes(5)
    assert house.network.looked_at != []


def test_more_conditions_than_one_transaction_takes_are_told_in_several(watched: Watch) -> None:
    house = watched()
    queries = [f"第 {number} 件事" for number in range(1_030)]
    house.rules(queries)
    house.network.shows[LIVING] = 404
    house.look()
    assert house.known(queries[-1]) == "unknown"
    assert len(house.poller.state.eye(LIVING).known) == 1_030


def test_what_is_too_much_for_one_question_comes_with_the_next(watched: Watch) -> None:
    house = watched()
    queries = [f"第 {number} 件事" for number in range(130)]
    house.rules(queries)
    house.network.judge = always(True)
    house.network.shows[LIVING] = png(1)
    house.passes(25)
    first, second, third, *_ = (list(question.conditions.values()) for question in house.network.asked)
    assert (first, second, third) == (queries[:60], queries[60:120], queries[120:])


def test_it_works_by_the_clock_of_the_machine(watched: Watch) -> None:
    house = watched()
    house.rule(SOMEBODY)
    house.network.judge = always(True)
    house.poll(clock=SystemClock())
    assert house.poller.drain() == 1
    assert 0 < house.poller.due_in() <= 10
