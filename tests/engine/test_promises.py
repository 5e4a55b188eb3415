"""What every job may rely on: not before it is due, at least one start, one finish, all or nothing."""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta

import pytest

from zhixing.engine.embedded import EmbeddedEngine
from zhixing.engine.model import Engine, Job, JobState, Superseded
from zhixing.engine.timekeeper import WINDOW
from zhixing.kernel.moments import micros


def test_the_embedded_engine_fits_the_port(home, clock):
    engine: Engine = EmbeddedEngine(home.store, clock, owner="甲")
    assert engine.drain() == 0


def test_a_job_starts_at_its_due_time_and_not_a_microsecond_before(works):
    """Other queues fire early: huey drops the part of a naive eta below the second and is up to 620 ms too soon."""
    started = []
    works.register("ring", lambda run: started.append(works.clock.now() - run.job.due))
    works.enqueue(works.job("ring", after=1.000001))
    works.clock.advance(timedelta(seconds=1))
    assert works.drain() == 0
    assert works.state("ring") is JobState.PENDING
    works.clock.advance(timedelta(microseconds=1))
    assert works.drain() == 1
    assert started == [timedelta(0)]
    assert works.state("ring") is JobState.DONE


def test_jobs_start_in_the_order_in_which_they_are_due(works):
    order = []
    works.register("ring", lambda run: order.append(run.job.key))
    works.enqueue(works.job("ring", "third", after=3), works.job("ring", "first", after=1))
    works.enqueue(works.job("ring", "second", after=2), works.job("ring", "also second", after=2))
    works.clock.advance(timedelta(seconds=5))
    works.drain()
    assert order == ["first", "second", "also second", "third"]


def test_the_handler_gets_the_job_as_it_was_enqueued(works):
    seen = []
    works.register("tell", lambda run: seen.append((run.job, run.attempt)))
    job = works.job("tell", "通知/1", payload={"给": "妈妈", "次": [1, 2.5, None, True]}, lane="家")
    works.enqueue(job)
    works.drain()
    assert seen == [(job, 1)]


def test_what_the_handler_writes_and_done_become_true_together(works, effects):
    def handler(run) -> None:
        with run.commit() as tx:
            tx.execute("INSERT INTO effects VALUES (?, ?, ?)", (run.job.key, "甲", run.attempt))
            if run.attempt == 1:
                raise OSError("the cable is out")

    works.register("note", handler)
    works.enqueue(works.job("note"))
    works.drain()
    assert effects() == []
    assert works.state("note") is JobState.PENDING
    works.clock.advance(timedelta(seconds=1))
    works.drain()
    assert effects() == [("note", "甲", 2)]
    assert works.state("note") is JobState.DONE


def test_a_job_is_finished_once(works):
    def handler(run) -> None:
        with run.commit():
            pass
        with pytest.raises(Superseded), run.commit():
            pass
        with pytest.raises(Superseded), run.checkpoint():
            pass

    works.register("once", handler)
    works.enqueue(works.job("once"))
    assert works.drain() == 1
    assert works.state("once") is JobState.DONE
    assert works.drain() == 0


def test_a_handler_that_does_not_commit_has_its_job_finished_for_it(works):
    works.register("plain", lambda _: None)
    works.enqueue(works.job("plain"))
    works.drain()
    assert works.row("plain").finished_at == works.clock.now()


def test_a_job_enqueued_in_a_transaction_that_is_rolled_back_was_never_there(steady_works, home):
    """Nobody may be told about an order that was not placed, and no timer may run for it."""
    works, ran = steady_works, []
    works.register("ring", ran.append)
    with suppress(ZeroDivisionError), home.store.write() as tx:
        assert works.engine.enqueue(tx, works.job("ring")) == 1
        raise ZeroDivisionError
    assert works.drain() == 0
    assert works.row("ring") is None
    assert ran == []


def test_enqueueing_a_key_again_changes_nothing(works):
    """A deterministic key makes doing it twice doing it once, also when the second wish differs or comes too late."""
    seen = []
    works.register("ring", lambda run: seen.append(run.job.payload))
    first = works.job("ring", after=60, payload={"n": 1})
    assert works.enqueue(first) == 1
    assert works.enqueue(works.job("ring", payload={"n": 2}), works.job("ring", "other", after=99)) == 1
    assert works.drain() == 0, "the job kept its due time"
    works.clock.advance(timedelta(seconds=60))
    assert works.drain() == 1
    assert seen == [{"n": 1}]
    assert works.enqueue(first) == 0, "done is not forgotten"
    assert works.drain() == 0


def test_a_key_enqueued_again_with_another_lane_keeps_its_lane(works):
    order = []
    works.register("ring", lambda run: order.append((run.job.key, run.job.lane)))
    works.enqueue(works.job("ring", "a", lane="家"))
    works.enqueue(works.job("ring", "a"))
    works.enqueue(works.job("ring", "b"))
    works.enqueue(works.job("ring", "b", lane="家"))
    works.drain()
    assert order == [("a", "家"), ("b", None)]


def test_many_jobs_are_added_in_one_go(steady_works, home):
    works, ran = steady_works, []
    works.register("ring", lambda run: ran.append(run.job.key))
    jobs = [works.job("ring", f"{n:02}", after=n) for n in range(20)]
    works.enqueue(jobs[3])
    with home.store.write() as tx:
        assert works.engine.enqueue_all(tx, iter(jobs)) == 19
        assert works.engine.enqueue_all(tx, []) == 0
    works.clock.advance(timedelta(seconds=9))
    assert works.drain() == 10
    assert ran == [f"{n:02}" for n in range(10)]


def test_what_a_handler_enqueues_for_now_runs_in_the_same_drain(works):
    def first(run) -> None:
        with run.commit() as tx:
            works.engine.enqueue(tx, works.job("second"), works.job("second", "later", after=1))

    works.register("first", first)
    works.register("second", lambda _: None)
    works.enqueue(works.job("first"))
    assert works.drain() == 2
    assert works.state("later") is JobState.PENDING


def test_a_handler_may_enqueue_thousands(works):
    """More than is kept for the engine to take in; then it reads them from the ledger."""

    def first(run) -> None:
        with run.commit() as tx:
            works.engine.enqueue_all(tx, [works.job("far", f"{n}", after=9000 - n) for n in range(5000)])
            works.engine.enqueue(tx, works.job("near"))

    works.register("first", first)
    works.register("far", lambda _: None)
    works.register("near", lambda _: None)
    works.enqueue(works.job("first"))
    assert works.drain() == 2
    works.clock.advance(timedelta(seconds=4011))
    assert works.drain() == 11


def test_the_handler_may_move_the_clock(works):
    """Simulations do; what became due meanwhile is run too."""
    works.register("tick", lambda _: works.clock.advance(timedelta(minutes=1)))
    works.enqueue(works.job("tick", "a"), works.job("tick", "b", after=60), works.job("tick", "c", after=121))
    assert works.drain() == 2


def test_more_waiting_jobs_than_are_held_in_memory(steady_works, home):
    """Waiting costs a row, not memory or time: 10,000 sleeping workflows cost DBOS 26 s of CPU at every restart."""
    works, ran = steady_works, []
    works.register("ring", lambda run: ran.append(run.job.key))
    start = works.clock.now()
    with home.store.write() as tx:
        works.engine.enqueue_all(
            tx, [Job("ring", f"far {n:05}", start + timedelta(hours=1, seconds=n)) for n in range(10_000)]
        )
    works.restart()
    with home.store.write() as tx:
        works.engine.enqueue(tx, works.job("ring", "near", after=1))
        works.engine.enqueue(tx, works.job("ring", "beyond", after=20_000))
    works.clock.advance(timedelta(seconds=1))
    assert works.drain() == 1
    assert ran == ["near"]
    works.clock.advance(timedelta(hours=1, seconds=WINDOW + 100))
    works.drain()
    assert ran[1:] == [f"far {n:05}" for n in range(WINDOW + 102)]


def test_unknown_jobs_wait_for_a_version_that_knows_them(steady_works, caplog):
    """After an upgrade DBOS strands what older code had begun; here nothing is lost when the code changes."""
    works, ran = steady_works, []
    works.register("old", lambda run: ran.append(run.job.key))
    works.register("new", lambda run: ran.append(run.job.key))
    works.enqueue(works.job("old", "a", lane="家"), works.job("new", "b", after=1, lane="家"), works.job("old", "c"))
    works.clock.advance(timedelta(seconds=1))
    works.dismiss("old")
    assert works.drain() == 1, "they hold up neither the others nor their lane"
    assert works.drain() == 0
    assert ran == ["b"]
    assert caplog.messages.count("no handler here for jobs named old: they wait") == 1
    works.register("old", lambda run: ran.append(run.job.key))
    works.restart()
    assert works.drain() == 2
    assert ran == ["b", "a", "c"]


def test_a_row_whose_payload_was_damaged_fails_alone(steady_works, home):
    works, gave_up = steady_works, []
    works.register("ring", lambda _: None, gave_up=lambda _, job, error: gave_up.append((job.key, error)))
    works.enqueue(works.job("ring", "damaged"), works.job("ring", "sound"))
    with home.store.write() as tx:
        tx.execute("UPDATE jobs SET payload = '{' WHERE key = 'damaged'")
    for _ in range(5):
        works.drain()
        works.clock.advance(timedelta(minutes=10))
    assert works.state("sound") is JobState.DONE
    assert [key for key, _ in gave_up] == ["damaged"]


def test_finished_jobs_are_forgotten_after_the_retention_and_not_all_at_once(steady_works, home):
    """Tables that only grow make other queues slow (Procrastinate #393, #1225); deleting all at once would too."""
    works = steady_works
    works.register("ring", lambda _: None)
    works.enqueue(works.job("ring", "waiting", after=10**8))
    old = micros(works.clock.now() - timedelta(days=31))
    with home.store.write() as tx:
        works.engine.enqueue_all(tx, [works.job("ring", f"old {n}") for n in range(600)])
        tx.execute("UPDATE jobs SET state = 'done', finished_at = ? WHERE key LIKE 'old %'", (old,))
    works.enqueue(works.job("ring", "fresh"))

    def count() -> int:
        with home.store.read() as tx:
            return tx.row("SELECT COUNT(*) FROM jobs")[0]

    works.drain()
    assert count() == 602 - 512
    works.drain()
    assert count() == 2
    assert works.state("fresh") is JobState.DONE
    assert works.state("waiting") is JobState.PENDING


def test_one_name_has_one_handler(steady_works):
    steady_works.register("ring", lambda _: None)
    with pytest.raises(ValueError, match="'ring'"):
        steady_works.engine.register("ring", lambda _: None)
