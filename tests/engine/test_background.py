"""The engine in the background: threads, waking, other processes, and a database that comes and goes."""

from __future__ import annotations

import threading
from datetime import timedelta

import pytest

from zhixing.engine.embedded import EmbeddedEngine
from zhixing.engine.model import Job, JobState, Retry
from zhixing.kernel.clock import SystemClock
from zhixing.store.opening import open_store

CLOCK = SystemClock()


def job(name: str, key: str | None = None, after: float = 0, **rest) -> Job:
    return Job(name, key or name, CLOCK.now() + timedelta(seconds=after), **rest)


def enqueue(engine, store, *jobs: Job) -> None:
    with store.write() as tx:
        engine.enqueue(tx, *jobs)


def state_of(home, engine, key: str) -> JobState:
    with home.store.read() as tx:
        return engine.get(tx, key).state


def test_enqueueing_wakes_the_engine_and_no_job_starts_early(home, engines, log):
    engine = engines(store=home.store)
    engine.register("ring", lambda run: log.put(CLOCK.now() - run.job.due))
    engine.start()
    for n in range(5):
        enqueue(engine, home.store, job("ring", f"{n}", after=0.01 * n))
        assert log.next() >= timedelta(0)


def test_a_slow_handler_does_not_delay_the_others(home, engines, log):
    """Handlers talk to the network; one that hangs must not make everybody's reminder late."""
    engine, release = engines(store=home.store, workers=3), threading.Event()

    def slow(run) -> None:
        log.put(run.job.key)
        assert release.wait(20)

    engine.register("slow", slow)
    engine.register("quick", lambda run: log.put(run.job.key))
    engine.start()
    enqueue(engine, home.store, job("slow", "slow 1"), job("slow", "slow 2"))
    assert sorted(log.take(2)) == ["slow 1", "slow 2"]
    enqueue(engine, home.store, *(job("quick", f"{n}") for n in range(20)))
    assert log.take(20) == [f"{n}" for n in range(20)]
    release.set()
    engine.stop()
    assert state_of(home, engine, "slow 1") is JobState.DONE


def test_a_full_crew_neither_loses_jobs_nor_mixes_up_a_lane(home, engines, log):
    engine, release = engines(store=home.store, workers=2), threading.Event()

    def slow(run) -> None:
        log.put(run.job.key)
        assert release.wait(20)

    engine.register("slow", slow)
    engine.register("quick", lambda run: log.put(run.job.key))
    engine.start()
    enqueue(engine, home.store, job("slow", "slow 1"), job("slow", "slow 2"))
    log.take(2)
    enqueue(engine, home.store, *(job("quick", f"{n}", lane="家") for n in range(10)))
    enqueue(engine, home.store, *(job("quick", f"free {n}") for n in range(10)))
    assert log.empty()
    release.set()
    done = log.take(20)
    assert [key for key in done if key.isdigit()] == [f"{n}" for n in range(10)]
    assert sorted(key for key in done if not key.isdigit()) == [f"free {n}" for n in range(10)]


def test_stopping_waits_for_what_runs_and_starts_nothing_more(home, engines, log):
    engine, started = engines(store=home.store, workers=1), threading.Event()
    halting = threading.Event()

    def handler(run) -> None:
        started.set()
        assert halting.wait(20)
        log.put(run.job.key)

    engine.register("ring", handler)
    engine.start()
    enqueue(engine, home.store, job("ring", "first"), job("ring", "second"))
    assert started.wait(20)
    stopping = threading.Thread(target=engine.stop)
    stopping.start()
    halting.set()
    stopping.join(20)
    assert log.take(1) == ["first"]
    assert state_of(home, engine, "first") is JobState.DONE
    assert state_of(home, engine, "second") is JobState.PENDING
    engine.start()
    assert log.next() == "second"


def test_stopping_does_not_wait_for_ever(home, engines, log, caplog):
    engine = engines(store=home.store, patience=timedelta(0))
    release, left = threading.Event(), threading.Event()

    def handler(run) -> None:
        log.put(run.job.key)
        assert release.wait(20)
        left.set()

    engine.register("hang", handler)
    engine.start()
    enqueue(engine, home.store, job("hang"))
    log.next()
    engine.stop()
    assert state_of(home, engine, "hang") is JobState.RUNNING
    assert "stopped while 1 jobs were running: hang" in caplog.messages
    release.set()
    assert left.wait(20)


def test_it_runs_one_way_at_a_time(engines):
    engine = engines()
    engine.start()
    for call in (engine.start, engine.drain, engine.reclaim_all, lambda: engine.register("x", lambda _: None)):
        with pytest.raises(RuntimeError):
            call()
    engine.stop()
    engine.stop()
    assert engine.drain() == 0


def test_failures_are_tried_again_in_the_background(home, engines, log):
    engine = engines(store=home.store)

    def handler(run) -> None:
        log.put(run.attempt)
        raise ValueError("no")

    engine.register("try", handler, Retry(attempts=3, first=timedelta(milliseconds=1)), lambda *_: log.put("gave up"))
    engine.start()
    enqueue(engine, home.store, job("try", lane="家"))
    assert log.take(4) == [1, 2, 3, "gave up"]


def test_a_hanging_handler_keeps_its_lease(home, engines, log):
    """A lease is renewed as long as the process lives, so a second worker does not start a long job again."""
    first, second = engines(lease=timedelta(seconds=0.4)), engines(lease=timedelta(seconds=0.4))
    release, waiting = threading.Event(), threading.Event()

    def slow(run) -> None:
        waiting.set()
        assert release.wait(20)
        log.put((run.job.key, run.attempt))

    for engine in (first, second):
        engine.register("slow", slow)
        engine.register("tick", lambda run: log.put((run.job.key, run.attempt)))
    first.start()
    enqueue(first, home.store, job("slow"))
    assert waiting.wait(20)
    second.start()
    # Several leases' time passes, as the jobs that end meanwhile show.
    enqueue(first, home.store, *(job("tick", f"{n}", after=0.4 * n) for n in range(5)))
    assert log.take(5) == [(f"{n}", 1) for n in range(5)]
    release.set()
    assert log.next() == ("slow", 1)


def test_a_locked_database_only_delays(home, engines, log, messages):
    """Somebody's backup holds the database: first a handler cannot commit, then the engine cannot start anything."""
    store = open_store(home.url, busy_seconds=0.05)
    engine, go_on = engines(store=store), threading.Event()

    def handler(run) -> None:
        log.put((run.job.key, run.attempt))
        assert go_on.wait(20)

    engine.register("save", handler, Retry(attempts=1))
    engine.start()
    enqueue(engine, store, job("save", "a"))
    assert log.next() == ("a", 1)
    enqueue(engine, store, job("save", "b", after=0.3))
    with home.store.write():
        go_on.set()
        messages.until("job a: attempt 1 failed, again at")
        messages.until("the engine cannot work, tries again: 数据库正被占用")
    assert sorted(log.take(2)) == [("a", 2), ("b", 1)]
    messages.until("the engine works again")
    engine.stop()
    assert state_of(home, engine, "a") is JobState.DONE
    store.close()


@pytest.mark.parametrize("dialect", ["sqlite"], indirect=True)
def test_a_full_disk_only_delays(home, engines, log, messages):
    engine = engines(store=home.store)

    def handler(run) -> None:
        log.put(run.attempt)
        with run.commit() as tx:
            tx.execute("INSERT INTO counters (name, value) VALUES (?, 1)", ("长" * 50_000,))

    def set_room(pages: int) -> None:
        (used,) = home.store._writer.execute("PRAGMA page_count").fetchone()
        home.store._writer.execute(f"PRAGMA max_page_count = {used + pages}")

    engine.register("save", handler, Retry(attempts=1))
    set_room(8)
    engine.start()
    enqueue(engine, home.store, job("save"))
    messages.until("job save: attempt 1 failed")
    messages.until("job save: attempt 2 failed")
    set_room(1000)
    assert log.take(3) == [1, 2, 3]
    engine.stop()
    assert state_of(home, engine, "save") is JobState.DONE


@pytest.mark.parametrize("dialect", ["postgresql"], indirect=True)
def test_a_database_server_that_restarts_only_delays(home, engines, log):
    """Procrastinate stopped hearing of new jobs after a restart (#1425), DBOS stranded work (py#716)."""
    import psycopg

    name = f"engine-{id(home)}"
    store = open_store(f"{home.url}&application_name={name}")
    engine, go_on = engines(store=store), threading.Event()

    def handler(run) -> None:
        with run.commit():
            log.put((run.job.key, run.attempt))
            assert go_on.wait(20)

    def cut_off() -> None:
        with psycopg.connect(home.url, autocommit=True) as other:
            ours = "SELECT pid FROM pg_stat_activity WHERE application_name = %s"
            for (pid,) in other.execute(ours, (name,)).fetchall():
                other.execute("SELECT pg_terminate_backend(%s, 10000)", (pid,))

    engine.register("save", handler, Retry(attempts=1))
    engine.start()
    enqueue(engine, store, job("save", "running"))
    assert log.next() == ("running", 1)
    cut_off()
    go_on.set()
    assert log.next() == ("running", 2)
    cut_off()
    with home.open().write() as tx:
        EmbeddedEngine(home.store, CLOCK, owner="命令行").enqueue(tx, job("save", "from outside"))
    assert log.next() == ("from outside", 1)
    engine.stop()
    assert state_of(home, engine, "running") is JobState.DONE
    store.close()


def test_a_store_that_is_gone_does_not_keep_the_engine_from_stopping(home, engines, log, messages):
    store = home.open()
    engine, go_on = engines(store=store), threading.Event()

    def handler(run) -> None:
        log.put(run.attempt)
        assert go_on.wait(20)

    engine.register("save", handler)
    engine.start()
    enqueue(engine, store, job("save"))
    log.next()
    store.close()
    go_on.set()
    messages.until("job save: attempt 1 failed")
    engine.stop()
    assert state_of(home, engine, "save") is JobState.RUNNING, "its lease runs out"


def test_a_damaged_commit_hook_of_the_application_does_not_stop_the_engine(home, engines, log):
    engine = engines(store=home.store)

    def handler(run) -> None:
        log.put((run.job.key, run.attempt))
        with run.commit() as tx:
            tx.on_commit(lambda: 1 / 0)

    engine.register("save", handler)
    engine.start()
    enqueue(engine, home.store, job("save", "a"))
    assert log.next() == ("a", 1)
    enqueue(engine, home.store, job("save", "b"))
    assert log.next() == ("b", 1)
    engine.stop()
    assert state_of(home, engine, "a") is JobState.DONE
    assert log.empty()
