"""Several processes on one database, and what happens to their jobs when one is killed or paused."""

from __future__ import annotations

from datetime import timedelta

from zhixing.engine.embedded import EmbeddedEngine
from zhixing.engine.model import Job
from zhixing.kernel.clock import SystemClock

CLOCK = SystemClock()
LEASE = 1


def enqueue(home, *jobs: Job) -> None:
    with home.store.write() as tx:
        EmbeddedEngine(home.store, CLOCK, owner="测试").enqueue_all(tx, jobs)


def jobs(name: str, count: int) -> list[Job]:
    return [Job(name, f"{name} {n:03}", CLOCK.now()) for n in range(count)]


def finishing(owner: str, log):
    def handler(run) -> None:
        with run.commit() as tx:
            tx.execute("INSERT INTO effects (key, owner, attempt) VALUES (?, ?, ?)", (run.job.key, owner, run.attempt))
        log.put(run.job.key)

    return handler


def test_the_jobs_of_a_killed_process_are_taken_over_by_a_live_one(home, engines, worker, effects, log):
    """DBOS without its proprietary conductor finished 0 of 20 in 45 s, Procrastinate left them 'doing'."""
    engine = engines(lease=timedelta(seconds=LEASE))
    engine.register("slow", finishing("乙", log))
    doomed = worker("甲", LEASE)
    enqueue(home, *jobs("slow", 4))
    assert doomed.hear_all(4) == [f"started slow {n:03}" for n in range(4)]
    engine.start()
    assert log.empty()
    doomed.kill()
    log.take(4)
    assert effects() == [(f"slow {n:03}", "乙", 2) for n in range(4)]


def test_a_process_paused_beyond_its_lease_cannot_finish_what_another_took_over(home, engines, worker, effects, log):
    """Split brain: the fence is in the database, so it does not matter what the sleeper believes."""
    engine = engines(lease=timedelta(seconds=LEASE))
    engine.register("slow", finishing("乙", log))
    # With so long a lease it renews nothing now: paused in the middle of a write it would hold the whole database.
    sleeper = worker("甲", 3600)
    enqueue(home, *jobs("slow", 3))
    sleeper.hear_all(3)
    sleeper.pause()
    engine.start()
    log.take(3)
    sleeper.go_on()
    sleeper.tell("go")
    assert sleeper.hear_all(3) == [f"superseded slow {n:03}" for n in range(3)]
    assert effects() == [(f"slow {n:03}", "乙", 2) for n in range(3)]


def test_three_processes_do_every_job_once(home, engines, worker, effects, log):
    """Two APScheduler or gunicorn workers run jobs twice (#160, #766); starting B re-runs A's live work in DBOS."""
    engine = engines()
    engine.register("quick", finishing("乙", log))
    for owner in ("甲", "丙"):
        worker(owner, 8, log)
    engine.start()
    enqueue(home, *jobs("quick", 200))
    log.take(200)
    assert [(key, attempt) for key, _, attempt in effects()] == [(f"quick {n:03}", 1) for n in range(200)]
    assert log.empty()


def test_what_another_process_enqueues_is_noticed(engines, worker, log):
    """A command line does not run jobs itself."""
    engine = engines()
    engine.register("here", lambda run: log.put(run.job.key))
    engine.start()
    worker("甲", 8).tell("enqueue here 早安")
    assert log.next() == "早安"


def test_a_killed_home_starts_again_with_what_it_was_doing(home, worker, effects, log):
    """The one server of a home knows that its predecessor is dead, so nobody waits for a lease of an hour."""
    doomed = worker("甲", 3600)
    enqueue(home, *jobs("slow", 2))
    doomed.hear_all(2)
    doomed.kill()
    engine = EmbeddedEngine(home.store, CLOCK, owner="甲")
    engine.register("slow", finishing("甲", log))
    assert engine.drain() == 0
    assert engine.reclaim_all() == 2
    assert engine.drain() == 2
    assert effects() == [("slow 000", "甲", 2), ("slow 001", "甲", 2)]


def test_jobs_survive_processes_that_are_killed_again_and_again(home, engines, worker, effects, log):
    """Nothing lost, nothing finished twice, wherever the blow falls."""
    enqueue(home, *jobs("quick", 600))
    for _ in range(3):
        doomed = worker("甲", LEASE)
        doomed.hear_all(30)
        doomed.kill()
    already = len(effects())
    assert already >= 90
    engine = engines(lease=timedelta(seconds=LEASE))
    engine.register("quick", finishing("乙", log))
    engine.start()
    log.take(600 - already)
    engine.stop()
    assert [key for key, _, _ in effects()] == [f"quick {n:03}" for n in range(600)]
    with home.store.read() as tx:
        assert tx.rows("SELECT DISTINCT state FROM jobs") == [("done",)]
