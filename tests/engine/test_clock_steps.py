"""The wall clock is stepped by NTP, by people and by machines that sleep: nothing fires early, twice or never."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import timedelta

import pytest

from zhixing.engine.embedded import EmbeddedEngine
from zhixing.engine.model import Job, JobState
from zhixing.kernel.clock import ManualClock

HOUR = timedelta(hours=1)


@pytest.mark.parametrize("step", [HOUR, timedelta(days=1)])
def test_after_a_step_forward_what_is_due_starts_at_once(works, step):
    """Celery beat stops for an hour after a step (#6438, #9074), others replay a burst: each job starts once."""
    ran = []
    works.register("ring", lambda run: ran.append(run.job.key))
    works.enqueue(*(works.job("ring", f"{n:02}", after=60 * n) for n in range(1, 31)))
    works.enqueue(works.job("ring", "far", after=step.total_seconds() + 1))
    assert works.drain() == 0
    works.clock.jump(step)
    assert works.drain() == 30
    assert ran == [f"{n:02}" for n in range(1, 31)]
    works.clock.advance(timedelta(seconds=1))
    assert works.drain() == 1


@pytest.mark.parametrize("step", [HOUR, timedelta(days=1)])
def test_after_a_step_back_nothing_fires_early_or_again(works, step):
    ran = []
    works.register("ring", lambda run: ran.append(run.job.key))
    works.enqueue(works.job("ring", "before"), works.job("ring", "after", after=600))
    assert works.drain() == 1
    works.clock.jump(-step)
    assert works.drain() == 0
    works.clock.advance(timedelta(seconds=600))
    assert works.drain() == 0
    works.clock.advance(step)
    assert works.drain() == 1
    assert ran == ["before", "after"]


def test_a_step_forward_declares_no_live_worker_dead(steady_works, home, clock):
    """A machine that slept wakes up with every lease run out and every worker alive."""
    works = steady_works
    second = EmbeddedEngine(home.open(), clock, owner="乙")
    second.register("send", lambda _: None)

    def handler(run) -> None:
        assert second.drain() == 0
        clock.jump(HOUR)
        assert second.drain() == 0
        clock.advance(timedelta(seconds=1))
        with run.checkpoint():
            pass
        assert second.drain() == 0

    works.register("send", handler)
    works.enqueue(works.job("send"))
    assert works.drain() == 1
    assert works.row("send").attempt == 1
    assert works.state("send") is JobState.DONE


class Looked:
    """A store that counts how often tables were opened, and lets a test act whenever the engine looks for changes.

    With a clock moved by hand a started engine runs through hours in no time: its waiting is what moves the clock.
    """

    def __init__(self, store, clock: ManualClock) -> None:
        self.clock = clock
        self._store = store
        self.dialect = store.dialect
        self.close = store.close
        self.accesses = 0
        self.looks = 0
        self.acts: dict[int, Callable[[], None]] = {}

    def read(self):
        self.accesses += 1
        return self._store.read()

    def write(self):
        self.accesses += 1
        return self._store.write()

    def changed(self) -> bool:
        self.looks += 1
        self.acts.pop(self.looks, lambda: None)()
        return self._store.changed()


@pytest.fixture
def looked(home, clock) -> Looked:
    return Looked(home.open(), clock)


def test_while_nothing_is_due_no_table_is_read(looked, clock, engines, log):
    """DBOS polls its queues, 7.5 % CPU with 21 of them; an idle hour here costs 3,600 looks at the clock."""
    engine = engines(clock, looked)
    engine.register("ring", lambda _: log.put(clock.now()))
    job = Job("ring", "ring", clock.now() + HOUR)
    with looked.write() as tx:
        engine.enqueue(tx, job)
    idle = []
    looked.acts = {10: lambda: idle.append(looked.accesses), 3590: lambda: idle.append(looked.accesses)}
    engine.start()
    assert log.next() >= job.due
    engine.stop()
    before, after = idle
    assert before == after
    assert looked.looks >= 3600


@pytest.mark.parametrize(("step", "lasts"), [(HOUR, timedelta(seconds=10)), (-HOUR, 2 * HOUR)])
def test_a_waiting_engine_notices_a_step(looked, engines, log, step, lasts):
    """A wait lasts a second at most, then the wall clock counts: a job due in an hour, a step after ten looks."""
    clock = looked.clock
    engine = engines(clock, looked)
    engine.register("ring", lambda run: log.put((clock.now() - run.job.due, clock.monotonic())))
    job = Job("ring", "ring", clock.now() + HOUR)
    with looked.write() as tx:
        engine.enqueue(tx, job)
    looked.acts = {10: lambda: clock.jump(step)}
    engine.start()
    late, waited = log.next()
    engine.stop()
    assert late >= timedelta(0)
    assert waited >= lasts.total_seconds() - 1


def test_a_machine_that_slept_does_not_start_its_own_running_jobs_again(looked, clock, engines, log):
    engine, release = engines(clock, looked, patience=timedelta(days=9)), threading.Event()

    def handler(run) -> None:
        assert release.wait(20)
        with run.commit():
            log.put(run.attempt)

    looked.acts = {20: lambda: clock.jump(HOUR), 40: lambda: clock.jump(-HOUR), 60: lambda: clock.jump(HOUR)}
    looked.acts[90] = release.set
    engine.register("send", handler)
    with looked.write() as tx:
        engine.enqueue(tx, Job("send", "send", clock.now()))
    engine.start()
    assert log.next() == 1
    engine.stop()
    assert log.empty()
