"""Jobs that wait long for somebody else have a share of the workers: what waits for a place holds up nobody else."""

from __future__ import annotations

import threading
from collections import Counter
from datetime import timedelta

import pytest

from zhixing.engine.embedded import EmbeddedEngine
from zhixing.engine.model import Job, JobState, RetryAt, Share
from zhixing.engine.timekeeper import WINDOW
from zhixing.kernel.clock import SystemClock

BOTS = Share("bots", 3)
SOON = 20


class Bots:
    """Handlers that wait until they are let go, and note what ran at once."""

    def __init__(self, log) -> None:
        self.log = log
        self._let_go = threading.Semaphore(0)
        self._counting = threading.Lock()
        self._inside = 0
        self.most = 0

    def ask(self, run) -> None:
        with self._counting:
            self._inside += 1
            self.most = max(self.most, self._inside)
        self.log.put(run.job.key)
        assert self._let_go.acquire(timeout=SOON)
        with self._counting:
            self._inside -= 1

    def let_go(self, count: int = 1) -> None:
        self._let_go.release(count)


@pytest.fixture
def bots(log) -> Bots:
    return Bots(log)


def asks(count: int, **members) -> list[Job]:
    began = SystemClock().now() - timedelta(seconds=1000)
    return [Job("ask", f"ask {n:04}", began + timedelta(milliseconds=n), **members) for n in range(count)]


def enqueue(home, engine: EmbeddedEngine, *jobs: Job) -> None:
    with home.store.write() as tx:
        engine.enqueue_all(tx, jobs)


def states(home, engine: EmbeddedEngine, *keys: str) -> list[tuple[str, int]]:
    with home.store.read() as tx:
        rows = [engine.get(tx, key) for key in keys]
    return [(row.state.value, row.attempt) for row in rows]


@pytest.mark.parametrize("count", [100, 2 * WINDOW + 300])
def test_a_reminder_starts_at_once_while_everything_else_waits_for_bots(home, engines, log, bots, count):
    engine = engines()
    engine.register("ask", bots.ask, share=BOTS)
    engine.register("ring", lambda run: log.put(run.job.key))
    enqueue(home, engine, *asks(count))
    engine.start()
    assert sorted(log.take(3)) == ["ask 0000", "ask 0001", "ask 0002"]
    enqueue(home, engine, Job("ring", "take your medicine", SystemClock().now()))
    assert log.next() == "take your medicine"
    assert states(home, engine, "ask 0003", f"ask {count - 1:04}") == [("pending", 0)] * 2
    for number in (3, 4, 5):
        bots.let_go()
        assert log.next() == f"ask {number:04}"
    enqueue(home, engine, Job("ring", "and again", SystemClock().now()))
    assert log.next() == "and again"
    bots.let_go(count)
    assert sorted(log.take(count - 6)) == [f"ask {n:04}" for n in range(6, count)]
    engine.stop()
    assert bots.most == BOTS.most


def test_duties_of_one_share_have_its_places_together(home, engines, log, bots):
    engine = engines()
    for name in ("ask", "send"):
        engine.register(name, bots.ask, share=BOTS)
    engine.register("model", bots.ask, share=Share("models", 1))
    now = SystemClock().now()
    order = [("ask", 1), ("model", 2), ("send", 3), ("model", 4), ("ask", 5), ("send", 6)]
    jobs = [Job(name, f"{n}", now - timedelta(seconds=9 - n)) for name, n in order]
    enqueue(home, engine, *jobs)
    engine.start()
    assert sorted(log.take(4)) == ["1", "2", "3", "5"]
    assert states(home, engine, "4", "6") == [("pending", 0)] * 2
    bots.let_go(6)
    assert sorted(log.take(2)) == ["4", "6"]


def test_who_is_called_again_later_gives_the_place_away_meanwhile(works):
    heard = []

    def ask(run) -> None:
        heard.append(run.job.key)
        if len(heard) == 1:
            raise RetryAt(works.clock.now() + timedelta(seconds=5), "under way")

    works.register("ask", ask, share=Share("bots", 1))
    works.enqueue(works.job("ask", "a", -2), works.job("ask", "b", -1))
    assert works.drain() == 2
    works.clock.advance(timedelta(seconds=5))
    assert works.drain() == 1
    assert heard == ["a", "b", "a"]


def test_by_hand_everything_is_done_in_order_whatever_shares_there_are(works):
    order = []
    works.register("ask", lambda run: order.append(run.job.key), share=Share("bots", 1))
    works.register("ring", lambda run: order.append(run.job.key))
    names = ["ask", "ask", "ring", "ask", "ring"]
    works.enqueue(*(works.job(name, f"{n}", n - 9, lane="家" if n % 2 else None) for n, name in enumerate(names)))
    assert works.drain() == 5
    assert order == list("01234")


def test_after_a_restart_what_waited_for_a_place_waits_on_and_none_is_lost(home, engines, log, bots):
    engine = engines(patience=timedelta(0))
    engine.register("ask", bots.ask, share=BOTS)
    enqueue(home, engine, *asks(100))
    engine.start()
    log.take(3)
    engine.stop()
    other, later = engines(owner="丙"), Bots(log)
    other.register("ask", later.ask, share=BOTS)
    other.register("ring", lambda run: log.put(run.job.key))
    assert other.reclaim_all() == 3
    other.start()
    begun = log.take(3)
    enqueue(home, other, Job("ring", "ring", SystemClock().now()))
    assert log.next() == "ring"
    later.let_go(100)
    assert sorted(begun + log.take(97)) == [each.key for each in asks(100)]
    other.stop()
    assert later.most == BOTS.most
    bots.let_go(3)


def test_what_is_cancelled_while_it_waits_never_starts(home, engines, log, bots):
    engine = engines()
    engine.register("ask", bots.ask, share=Share("bots", 1))
    enqueue(home, engine, *asks(5))
    engine.start()
    assert log.next() == "ask 0000"
    with home.store.write() as tx:
        assert engine.cancel(tx, "ask 0001")
        assert engine.cancel(tx, "ask 0003")
    bots.let_go(5)
    assert log.take(2) == ["ask 0002", "ask 0004"]
    engine.stop()
    assert states(home, engine, "ask 0001", "ask 0003") == [("cancelled", 0)] * 2


def test_a_lane_keeps_its_order_though_its_first_job_waits_for_a_place(home, engines, log, bots):
    engine = engines()
    engine.register("ask", bots.ask, share=Share("bots", 1))
    engine.register("ring", lambda run: log.put(run.job.key))
    now = SystemClock().now()
    enqueue(
        home,
        engine,
        Job("ask", "elsewhere", now - timedelta(seconds=9)),
        Job("ask", "first of 家", now - timedelta(seconds=8), lane="家"),
        *(Job("ring", f"{n} of 家", now - timedelta(seconds=7 - n), lane="家") for n in range(2)),
        Job("ring", "free", now),
    )
    engine.start()
    assert sorted(log.take(2)) == ["elsewhere", "free"]
    enqueue(home, engine, Job("ring", "of another lane", now, lane="店"))
    assert log.next() == "of another lane"
    assert states(home, engine, "0 of 家") == [("pending", 0)]
    bots.let_go(2)
    assert log.take(3) == ["first of 家", "0 of 家", "1 of 家"]


def test_a_lane_goes_on_when_what_it_waited_behind_is_cancelled(home, engines, log, bots):
    engine = engines()
    engine.register("ask", bots.ask, share=Share("bots", 1))
    engine.register("ring", lambda run: log.put(run.job.key))
    now = SystemClock().now()
    enqueue(
        home,
        engine,
        Job("ask", "elsewhere", now - timedelta(seconds=9)),
        Job("ask", "first of 家", now - timedelta(seconds=8), lane="家"),
        Job("ring", "next of 家", now - timedelta(seconds=7), lane="家"),
        Job("ring", "free", now),
    )
    engine.start()
    assert sorted(log.take(2)) == ["elsewhere", "free"]
    with home.store.write() as tx:
        engine.cancel(tx, "first of 家")
    assert log.next() == "next of 家"
    bots.let_go()


def test_many_lanes_and_shares_together_lose_nothing_and_never_pass_their_bounds(home, engines, log):
    engine = engines()
    shares = {"ask": Share("bots", 2), "send": Share("bots", 2), "model": Share("models", 3), "ring": None}
    inside: Counter[str] = Counter()
    counting, broken = threading.Lock(), []

    def handler(run) -> None:
        share = shares[run.job.name]
        kinds = [run.job.lane, share.name if share else None]
        with counting:
            inside.update(kinds)
            if (run.job.lane and inside[run.job.lane] > 1) or (share and inside[share.name] > share.most):
                broken.append(run.job.key)
        with run.commit(), counting:
            inside.subtract(kinds)
        log.put(run.job.key)

    for name, share in shares.items():
        engine.register(name, handler, share=share)
    names, began = list(shares), SystemClock().now() - timedelta(seconds=9)
    jobs = [
        Job(names[n % 7 % 4], f"{n}", began + timedelta(milliseconds=n % 11), lane=f"lane {n % 5}" if n % 3 else None)
        for n in range(200)
    ]
    enqueue(home, engine, *jobs[:150])
    engine.start()
    enqueue(home, engine, *jobs[150:])
    assert sorted(log.take(200)) == sorted(each.key for each in jobs)
    engine.stop()
    assert broken == []
    assert states(home, engine, "0", "199") == [(JobState.DONE.value, 1)] * 2


def test_a_share_is_the_same_wherever_it_is_named(home, clock):
    engine = EmbeddedEngine(home.store, clock, owner="甲")
    engine.register("ask", lambda _: None, share=Share("bots", 2))
    engine.register("send", lambda _: None, share=Share("bots", 2))
    with pytest.raises(ValueError, match="bots"):
        engine.register("poll", lambda _: None, share=Share("bots", 3))
    with pytest.raises(ValueError, match="place"):
        Share("nothing", 0)
