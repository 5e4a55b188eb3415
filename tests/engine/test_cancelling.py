"""Cancelling takes effect at once: what waits does not start, what runs cannot commit."""

from __future__ import annotations

from contextlib import suppress

import pytest

from zhixing.engine.model import JobState, Superseded


def test_a_cancelled_job_does_not_start(works):
    ran = []
    works.register("ring", ran.append)
    works.enqueue(works.job("ring", "a"), works.job("ring", "b"))
    assert works.cancel("a")
    assert works.drain() == 1
    assert [run.job.key for run in ran] == ["b"]
    assert works.state("a") is JobState.CANCELLED


def test_cancelling_what_is_finished_or_unknown_changes_nothing(works):
    works.register("ring", lambda _: None)
    works.enqueue(works.job("ring"))
    works.drain()
    assert not works.cancel("ring")
    assert not works.cancel("no such job")
    assert works.state("ring") is JobState.DONE


def test_a_job_cancelled_while_it_runs_cannot_commit(works, home, effects):
    """DBOS finished the running step six seconds after the cancel; here whatever the handler has in hand is dropped."""

    def handler(run) -> None:
        with home.store.write() as tx:
            assert works.engine.cancel(tx, run.job.key)
        with run.commit() as tx:
            tx.execute("INSERT INTO effects VALUES ('a', 'a', 1)")

    works.register("ring", handler)
    works.enqueue(works.job("ring"))
    assert works.drain() == 1
    assert effects() == []
    assert works.state("ring") is JobState.CANCELLED
    assert works.drain() == 0


def test_a_job_cancelled_while_it_runs_cannot_keep_a_checkpoint_either(works, home, effects):
    def handler(run) -> None:
        with home.store.write() as tx:
            works.engine.cancel(tx, run.job.key)
        with pytest.raises(Superseded), run.checkpoint() as tx:
            tx.execute("INSERT INTO effects VALUES ('a', 'a', 1)")

    works.register("ring", handler)
    works.enqueue(works.job("ring"))
    works.drain()
    assert effects() == []


def test_a_failure_does_not_bring_a_cancelled_job_back(works, home):
    def handler(run) -> None:
        with home.store.write() as tx:
            works.engine.cancel(tx, run.job.key)
        raise ValueError("the device is gone")

    works.register("ring", handler)
    works.enqueue(works.job("ring"))
    works.drain()
    assert works.state("ring") is JobState.CANCELLED


def test_a_cancel_that_is_rolled_back_did_not_happen(steady_works, home):
    works = steady_works
    works.register("ring", lambda _: None)
    works.enqueue(works.job("ring"))
    with suppress(ZeroDivisionError), home.store.write() as tx:
        works.engine.cancel(tx, "ring")
        raise ZeroDivisionError
    assert works.drain() == 1
