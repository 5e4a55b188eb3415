"""What the hot paths cost the database: each is led by an index that holds only the rows it is about."""

from __future__ import annotations

import pytest

from zhixing.engine import ledger
from zhixing.engine.ledger import Claims, Slot

CLAIMS = Claims(("ring", "send"))

PLANS = {
    "read the nearest": (ledger.FROM_HEAD, (9,), "jobs_pending"),
    "read on": (ledger.FROM_SLOT, (1, 1, "k", 9), "jobs_pending"),
    "start a free one": (CLAIMS.one, ("t", "o", 9, "k", 9, "ring", "send"), None),
    "start one of a lane": (CLAIMS.of_lane, ("t", "o", 9, "l", 9, "ring", "send", "l"), "jobs_lane"),
    "start one of a lane while a share is full": (
        f"{CLAIMS.of_lane} AND name NOT IN (?)",
        ("t", "o", 9, "l", 9, "ring", "send", "l", "ask"),
        "jobs_lane",
    ),
    "see the first of a lane": (CLAIMS.first_of_lane, ("l", 9, "ring", "send"), "jobs_lane"),
    "finish": (ledger.DONE, (9, "k", "t"), None),
    "put back": (ledger.PUT_BACK, (9, 0, 0, "e", "k", "t"), None),
    "extend": (ledger.EXTEND, (9, "k", "t"), None),
    "see who runs": (ledger.RUNNING, (), "jobs_running"),
    "cancel the waiting of a lane": (ledger.CANCEL_WAITING, (9, "l"), "jobs_lane"),
    "cancel the running of a lane": (ledger.CANCEL_RUNNING, (9, "l"), None),
    "forget the finished": (ledger.PRUNE, (9, 9), "jobs_finished"),
}


@pytest.mark.parametrize("what", PLANS)
@pytest.mark.parametrize("dialect", ["sqlite"], indirect=True)
def test_no_hot_path_walks_the_table_or_sorts(store, what):
    """Procrastinate's index did not fit far timers: with 100,000 waiting, jobs were 14 s late (#393, #1225)."""
    sql, params, index = PLANS[what]
    with store.read() as tx:
        steps = [row[-1] for row in tx.rows(f"EXPLAIN QUERY PLAN {sql}", params)]
    for step in steps:
        assert "TEMP B-TREE" not in step
        assert not step.startswith(("SCAN", "SEARCH")) or "USING" in step, steps
    assert index is None or any(f" {index} " in f"{step} " for step in steps), steps


@pytest.mark.parametrize("what", PLANS)
@pytest.mark.parametrize("dialect", ["postgresql"], indirect=True)
def test_the_same_indexes_serve_the_other_database(store, what):
    sql, params, index = PLANS[what]
    with store.write() as tx:
        # The planner chooses by what it knows of the rows, so it is given some, and told to look at them.
        jobs = [(f"k{n}", "ring", n, n, n, f"l{n % 400}" if n % 2 else None, "{}", 0) for n in range(2_000)]
        tx.many(ledger.INSERT, jobs)
        tx.execute("ANALYZE jobs")
        # A small table would be read whole; what counts is that it need not be.
        tx.execute("SET LOCAL enable_seqscan = off")
        tx.execute("SET LOCAL enable_bitmapscan = off")
        steps = [row[0] for row in tx.rows(f"EXPLAIN {sql}", params)]
    assert not any("Seq Scan" in step or "Sort" in step for step in steps), steps
    assert index is None or any(index in step for step in steps), steps


def test_pages_meet_without_gap_where_many_jobs_are_due_at_once(store):
    """A thousand reminders for nine o'clock differ in nothing but their keys."""
    with store.write() as tx:
        for n in range(7):
            tx.execute(ledger.INSERT, (f"k{n}", "ring", 5, 5, 5, None, "{}", 0))
    with store.read() as tx:
        page = ledger.pending(tx, None, 3)
        rest = ledger.pending(tx, page[-1], 99)
    assert [entry.key for entry in page + rest] == [f"k{n}" for n in range(7)]
    assert page[0] == Slot(5, 5, "k0", None, "ring")
