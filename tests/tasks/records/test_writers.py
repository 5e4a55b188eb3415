"""Two who write at once, and a process that dies between two writes."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from zhixing.kernel.errors import Conflict
from zhixing.tasks.records.content import read_content
from zhixing.tasks.records.operations import Records

DAILY = {"window": "day"}
CUPS = {"target": 8, "unit": "杯", "window": "day", "recurring_pattern": DAILY}
PHONE = {"target_minutes": 60, "recurring_pattern": DAILY}


def at_once(home, act, writers: int = 4) -> list:
    """Have several processes do something at the same time, each over a store of its own; return what they got."""
    stores = [home.open() for _ in range(writers)]
    together = threading.Barrier(writers)

    def write(number: int):
        together.wait()
        with stores[number].write() as tx:
            return act(tx, number)

    with ThreadPoolExecutor(writers) as threads:
        return list(threads.map(write, range(writers)))


def test_no_increment_is_lost_and_one_reaches_the_target(home, steady):
    task = steady.task("progress", CUPS)
    now = steady.clock.now()
    written = at_once(
        home,
        lambda tx, number: steady.records.increment(tx, task.id, 2, at=now, key=f"o{number}", who="甲"),
    )
    assert sorted(answer.current for answer in written) == [2, 4, 6, 8]
    assert [answer.first_reached for answer in written].count(True) == 1
    assert len(steady.reached) == 1


def test_the_same_increment_by_several_counts_once(home, steady):
    task = steady.task("progress", CUPS)
    now = steady.clock.now()
    written = at_once(home, lambda tx, _: steady.records.increment(tx, task.id, 8, at=now, key="o1", who="甲"))
    assert sorted(answer.why for answer in written) == ["", "again", "again", "again"]
    assert steady.derived(task)["current"] == 8
    assert len(steady.reached) == 1


def test_one_session_is_opened(home, steady):
    task = steady.task("duration", PHONE)
    now = steady.clock.now()
    written = at_once(
        home,
        lambda tx, number: steady.records.start_session(tx, task.id, at=now, key=f"o{number}", who="甲"),
    )
    assert sorted(answer.why for answer in written) == ["", "open", "open", "open"]


def test_one_record_is_made(home, steady):
    task = steady.task("progress", CUPS)
    steady.do("remove", task)

    def make(tx, _number) -> str:
        try:
            return steady.records.init(tx, task.id, read_content("progress", CUPS), who="甲").id
        except Conflict as conflict:
            return str(conflict)

    made = at_once(home, make)
    assert len([name for name in made if name.startswith("rec")]) == 1
    assert made.count("这个任务已经有记录了，一个任务只能有一个。") == 3


def test_a_job_that_is_started_twice_does_no_harm(home, steady):
    """The process died between the transaction of the job and the note that it was done."""
    task = steady.task("duration", PHONE)
    steady.go_to("10-12 23:50")
    steady.write("start_session", task)
    steady.go_to("10-13 00:00")
    steady.engine.drain()
    with steady.store.write() as tx:
        tx.execute("UPDATE jobs SET state = 'pending' WHERE name = 'record.period' AND state = 'done'")
    home.reopen()
    steady.open()
    steady.engine.drain()
    with steady.store.read() as tx:
        assert tx.row("SELECT count(*) FROM jobs WHERE name = 'record.period' AND state = 'pending'") == (1,)
        assert steady.records.target_at(tx, task.id) == steady.wall("10-13 01:00")


@pytest.mark.parametrize("hour", ["10-12 23:59:59", "10-13 00:00:00", "10-13 00:04:59", "10-13 00:05:00"])
def test_nothing_happens_at_five_past_twelve(ledger, hour):
    task = ledger.task("progress", CUPS)
    ledger.write("increment", task, 3)
    ledger.go_to(hour)
    ledger.engine.drain()
    current = 3 if hour < "10-13" else 0
    assert ledger.derived(task)["current"] == current


def test_records_need_no_engine_to_be_running(steady, clock):
    """A command line writes into a home whose server is not up: no job is ever run, and every period is right."""

    class Idle:
        def register(self, *_: object, **__: object) -> None: ...

        def enqueue(self, *_: object) -> int:
            return 1

    task = steady.task("duration", PHONE)
    records = Records(Idle(), clock)
    steady.go_to("10-12 23:30")
    with steady.store.write() as tx:
        records.start_session(tx, task.id, at=clock.now(), key="o1", who="甲")
    steady.go_to("10-13 00:30")
    with steady.store.write() as tx:
        assert records.end_session(tx, task.id, at=clock.now(), key="o2", who="甲").current == 1800
