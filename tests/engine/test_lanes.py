"""Jobs of one lane run one at a time, in order of due time; lanes do not hold each other up."""

from __future__ import annotations

import threading
from datetime import timedelta

from zhixing.engine.model import Job, JobState, Retry, RetryAt
from zhixing.engine.timekeeper import WINDOW
from zhixing.kernel.clock import SystemClock


def test_a_lane_keeps_its_order_and_others_go_on(works):
    order = []
    works.register("say", lambda run: order.append(run.job.key))
    works.enqueue(
        works.job("say", "客厅 2", after=-1, lane="客厅"),
        works.job("say", "厨房", after=-2, lane="厨房"),
        works.job("say", "客厅 1", after=-3, lane="客厅"),
        works.job("say", "free", after=-2.5),
    )
    assert works.drain() == 4
    assert order == ["客厅 1", "free", "厨房", "客厅 2"]


def test_of_equal_due_times_the_one_enqueued_first_runs_first(works):
    order = []
    works.register("say", lambda run: order.append(run.job.key))
    due = works.clock.now()
    works.enqueue(*(Job("say", key, due, lane="家") for key in "zyx"))
    works.clock.advance(timedelta(milliseconds=1))
    works.enqueue(Job("say", "a", due, lane="家"))
    works.drain()
    assert order == ["z", "y", "x", "a"]


def test_a_job_that_failed_does_not_hold_up_its_lane_while_it_waits(works):
    """A poisoned head of the queue blocked everything behind it in DBOS (#805) and Absurd."""
    order = []

    def handler(run) -> None:
        order.append(run.job.key)
        if run.job.key == "poison":
            raise ValueError("no such device")

    works.register("say", handler, Retry(attempts=2))
    works.enqueue(works.job("say", "poison", lane="家"), works.job("say", "next", lane="家"))
    works.drain()
    assert order == ["poison", "next"]


def test_a_job_put_off_by_its_handler_comes_after_what_is_due_before(works):
    order = []

    def handler(run) -> None:
        order.append(run.job.key)
        if run.attempt == 1 and run.job.key == "first":
            raise RetryAt(works.job("say", after=2).due, "quiet hour")

    works.register("say", handler)
    works.enqueue(*(works.job("say", key, after, lane="家") for key, after in (("first", 0), ("b", 1), ("c", 3))))
    for _ in range(4):
        works.drain()
        works.clock.advance(timedelta(seconds=1))
    assert order == ["first", "b", "first", "c"]


def test_a_long_waiting_line_in_one_lane_does_not_hide_what_is_behind_it(home, engines, log):
    """Only so many jobs are held in memory; those that cannot start must not fill it, as in Absurd."""
    engine, release = engines(), threading.Event()

    def first(run) -> None:
        log.put(run.job.key)
        assert release.wait(20)

    engine.register("first", first)
    engine.register("say", lambda run: log.put(run.job.key))
    now = SystemClock().now()
    with home.store.write() as tx:
        engine.enqueue(tx, Job("first", "first", now - timedelta(seconds=9), lane="家"))
        engine.enqueue_all(
            tx, [Job("say", f"{n:04}", now - timedelta(seconds=5), lane="家") for n in range(WINDOW + 50)]
        )
        engine.enqueue(tx, Job("say", "free", now - timedelta(seconds=1)))
    engine.start()
    assert log.take(2) == ["first", "free"]
    release.set()
    assert log.take(3) == ["0000", "0001", "0002"]


def test_threads_never_run_two_jobs_of_a_lane_at_once(home, engines, log):
    engine = engines()
    inside: dict[str, int] = {}

    def handler(run) -> None:
        lane = run.job.lane
        inside[lane] = inside.get(lane, 0) + 1
        with run.checkpoint():
            alone = inside[lane] == 1
        with run.commit():
            inside[lane] -= 1
        log.put((lane, run.job.payload["n"], alone))

    engine.register("say", handler)
    now = SystemClock().now()
    jobs = [
        Job("say", f"{lane}{n}", now + timedelta(seconds=n - 50), {"n": n}, lane)
        for n in range(30)
        for lane in ("甲", "乙", "丙")
    ]
    with home.store.write() as tx:
        engine.enqueue_all(tx, jobs[:45])
    engine.start()
    with home.store.write() as tx:
        engine.enqueue_all(tx, jobs[45:])
    done = log.take(90)
    assert all(alone for *_, alone in done)
    for lane in ("甲", "乙", "丙"):
        numbers = [n for where, n, _ in done if where == lane]
        assert numbers[:15] == list(range(15))
        assert sorted(numbers) == list(range(30))


def test_a_lane_is_kept_by_two_engines_together(home, engines, log):
    """APScheduler's two schedulers ran the same job twice; here the lane and the key hold across processes."""
    first, second = engines(owner="甲"), engines(owner="乙")
    inside = []

    def handler(run) -> None:
        inside.append(run.job.key)
        with run.checkpoint():
            alone = len(inside) == 1
        with run.commit():
            inside.remove(run.job.key)
        log.put((run.job.payload["n"], alone))

    now = SystemClock().now()
    with home.store.write() as tx:
        first.enqueue_all(tx, [Job("say", f"{n}", now + timedelta(seconds=n - 50), {"n": n}, "家") for n in range(40)])
    for engine in (first, second):
        engine.register("say", handler)
        engine.start()
    done = log.take(40)
    assert done == [(n, True) for n in range(40)]
    assert log.empty()


def test_a_cancelled_lane_runs_nothing_more(works):
    def ending(run) -> None:
        with run.commit() as tx:
            assert works.engine.cancel_lane(tx, "任务/1") == 2

    works.register("end", ending)
    works.register("say", lambda _: None)
    works.enqueue(works.job("end", lane="任务/1"), works.job("say", "a", lane="任务/1"))
    works.enqueue(works.job("say", "b", after=60, lane="任务/1"), works.job("say", "c", lane="任务/2"))
    assert works.drain() == 2
    assert [works.state(key) for key in ("end", "a", "b", "c")] == [
        JobState.DONE,
        JobState.CANCELLED,
        JobState.CANCELLED,
        JobState.DONE,
    ]
