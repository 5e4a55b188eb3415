"""A worker that died loses its jobs to the next one, and one that was only thought dead cannot spoil them."""

from __future__ import annotations

from datetime import timedelta

import pytest

from zhixing.engine.backoff import LOSSES
from zhixing.engine.embedded import EmbeddedEngine
from zhixing.engine.leases import Watch
from zhixing.engine.ledger import Lease
from zhixing.engine.model import JobState, Superseded
from zhixing.kernel.moments import micros

LEASE = timedelta(seconds=8)


class PowerCut(BaseException):
    """What a process that dies here looks like to the database: nothing is written any more."""


def dying(_) -> None:
    raise PowerCut


def test_a_job_whose_process_died_starts_again_after_its_lease(works):
    """APScheduler and huey lose what was running; Procrastinate leaves it 'doing' for ever (#740, #1397)."""
    starts = []

    def handler(run) -> None:
        starts.append(run.attempt)
        if run.attempt == 1:
            raise PowerCut

    works.register("send", handler)
    works.enqueue(works.job("send"), works.job("send", "behind", after=20, lane="家"))
    with pytest.raises(PowerCut):
        works.drain()
    works.restart()
    works.clock.advance(LEASE - timedelta(seconds=1))
    assert works.drain() == 0
    works.clock.advance(timedelta(seconds=1))
    assert works.drain() == 1
    assert starts == [1, 2]
    assert works.state("send") is JobState.DONE


def test_at_its_own_restart_nobody_waits_for_a_lease(steady_works):
    works = steady_works
    works.register("send", dying)
    works.enqueue(works.job("send"), works.job("send", "other", lane="家"))
    for _ in range(2):
        with pytest.raises(PowerCut):
            works.drain()
    works.dismiss("send")
    works.register("send", lambda _: None)
    assert works.engine.reclaim_all() == 2
    assert works.drain() == 2
    assert works.row("send").attempt == 2


def test_what_was_checkpointed_before_the_crash_is_seen_by_the_next_attempt(works, effects):
    """Exactly-once effects do not exist; a handler can know that it may have done something already."""

    def handler(run) -> None:
        if run.attempt > 1:
            assert effects() == [("send", "sending", 1)]
            return
        with run.checkpoint() as tx:
            tx.execute("INSERT INTO effects VALUES ('send', 'sending', ?)", (run.attempt,))
        with run.commit() as tx:
            tx.execute("INSERT INTO effects VALUES ('send', 'sent', ?)", (run.attempt,))
            raise PowerCut

    works.register("send", handler)
    works.enqueue(works.job("send"))
    with pytest.raises(PowerCut):
        works.drain()
    works.clock.advance(2 * LEASE)
    assert works.drain() == 1
    assert effects() == [("send", "sending", 1)]
    assert works.row("send").attempt == 2


def test_a_superseded_worker_can_neither_finish_nor_fail_the_job(steady_works, home, clock, effects):
    """Split brain: the first worker was paused beyond its lease, the second did the job meanwhile."""
    works = steady_works
    second = EmbeddedEngine(home.open(), clock, owner="乙")

    def handler(run) -> None:
        with run.commit() as tx:
            tx.execute("INSERT INTO effects VALUES (?, '乙', ?)", (run.job.key, run.attempt))

    def paused(run) -> None:
        clock.advance(2 * LEASE)
        assert second.drain() == 1
        if run.job.key == "raises":
            raise ValueError("too late")
        with pytest.raises(Superseded), run.checkpoint():
            pass
        with run.commit() as tx:
            tx.execute("INSERT INTO effects VALUES (?, '甲', ?)", (run.job.key, run.attempt))

    works.register("send", paused)
    second.register("send", handler)
    for key in ("commits", "raises"):
        works.enqueue(works.job("send", key))
        assert works.drain() == 1
        assert works.state(key) is JobState.DONE
    assert effects() == [("commits", "乙", 2), ("raises", "乙", 2)]


def test_a_checkpoint_keeps_the_lease_fresh(steady_works, home, clock):
    works = steady_works
    second = EmbeddedEngine(home.open(), clock, owner="乙")
    second.register("send", lambda _: None)

    def handler(run) -> None:
        for _ in range(5):
            clock.advance(LEASE / 2)
            assert second.drain() == 0
            with run.checkpoint():
                pass

    works.register("send", handler)
    works.enqueue(works.job("send"))
    assert works.drain() == 1
    assert works.row("send").attempt == 1


def test_a_job_that_always_kills_its_process_is_given_up_in_the_end(steady_works):
    works, gave_up = steady_works, []
    works.register("bomb", dying, gave_up=lambda _, job, error: gave_up.append((job.key, error)))
    works.enqueue(works.job("bomb"))
    for _ in range(LOSSES):
        with pytest.raises(PowerCut):
            works.drain()
        works.restart()
        assert works.engine.reclaim_all() == 1
        works.clock.advance(timedelta(minutes=10))
    assert works.drain() == 0
    assert gave_up == [("bomb", "its worker was lost")]
    assert works.row("bomb").state is JobState.FAILED


def test_a_job_nobody_here_knows_is_made_pending_for_those_who_do(steady_works):
    works = steady_works
    works.register("send", dying)
    works.enqueue(works.job("send"))
    with pytest.raises(PowerCut):
        works.drain()
    works.dismiss("send")
    works.clock.advance(2 * LEASE)
    assert works.drain() == 0
    assert works.state("send") is JobState.PENDING


# The watch: (wall seconds, monotonic seconds) at which a lease is looked at, in wall seconds until it lasts.


@pytest.fixture
def watch(clock):
    start = clock.now()

    class Looking:
        def __init__(self) -> None:
            self.watch = Watch(LEASE)
            self.start = start

        def look(self, wall: float, monotonic: float, until: float = 8.0) -> bool:
            now = start + timedelta(seconds=wall)
            self.watch.look(now, monotonic)
            self.watch.see([Lease("k", "t", micros(start + timedelta(seconds=until)))], now, monotonic)
            return bool(self.watch.over(monotonic))

    return Looking()


def test_a_lease_is_over_when_its_time_has_come(watch):
    assert not watch.look(0, 0)
    assert not watch.look(7.9, 7.9)
    assert watch.look(8, 8)


def test_a_lease_that_ran_out_before_anybody_looked_is_over_at_once(watch):
    assert watch.look(100, 0)


def test_a_renewed_lease_is_not_over(watch):
    assert not watch.look(0, 0)
    assert not watch.look(7, 7, until=15)
    assert not watch.look(14, 14, until=15)
    assert watch.look(15, 15, until=15)


def test_another_machine_whose_clock_is_an_hour_slow_is_not_declared_dead(watch):
    """What changes while we look on is alive, whatever its clock says."""
    watch.watch.see([], watch.start, 0)
    assert not watch.look(0, 0, until=-3592)
    assert not watch.look(2, 2, until=-3590)
    assert not watch.look(9, 9, until=-3590)
    assert watch.look(10, 10, until=-3590)


def test_a_machine_that_slept_wakes_up_with_nobody_declared_dead(watch):
    """All leases have run out by the wall clock, while their holders are alive and only need a moment."""
    assert not watch.look(0, 0)
    assert not watch.look(3600, 1)
    assert not watch.look(3602, 3, until=3610)


def test_a_worker_that_really_died_is_noticed_after_the_clock_went_forward(watch):
    assert not watch.look(0, 0)
    assert not watch.look(3600, 1)
    assert watch.look(3607, 8)


def test_a_worker_that_died_is_noticed_in_time_although_the_clock_went_back(watch):
    """By the wall clock its lease lasts another hour."""
    assert not watch.look(0, 0)
    assert not watch.look(-3600, 1)
    assert not watch.look(-3594, 7)
    assert watch.look(-3593, 8)


def test_a_lease_first_seen_just_after_a_step_is_given_its_full_length(watch, clock):
    watch.watch.look(clock.now(), 0)
    assert not watch.look(3600, 1)
    assert not watch.look(3607, 8)
    assert watch.look(3608, 9)
