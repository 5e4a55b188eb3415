"""What fails is tried again with growing pauses, a bounded number of times, and never silently."""

from __future__ import annotations

import logging
from datetime import timedelta

import pytest

from zhixing.engine.backoff import LOSSES, Again, GiveUp, after_error, after_loss, one_line, pause
from zhixing.engine.model import Job, JobState, Retry, RetryAt
from zhixing.kernel.errors import StoreUnavailable
from zhixing.kernel.moments import parse_instant

NOW = parse_instant("2026-10-12T10:00:00Z")


@pytest.mark.parametrize(
    ("times", "seconds"), [(1, 1), (2, 4), (3, 16), (4, 64), (5, 256), (6, 600), (7, 600), (5000, 600)]
)
def test_pauses_grow_by_the_factor_up_to_the_longest(times, seconds):
    assert pause(times, Retry()) == timedelta(seconds=seconds)


@pytest.mark.parametrize(
    ("failures", "seconds"),
    [(0, 1), (1, 4), (2, 16), (3, 64), (4, None), (5, None), (99, None)],
)
def test_a_job_may_fail_as_often_as_its_retry_says(failures, seconds):
    """The fifth failure of five attempts is the last."""
    said = after_error(OSError("cable"), failures, 0, Retry(attempts=5), NOW)
    if seconds is None:
        assert said == GiveUp(failures + 1, 0, "OSError: cable")
    else:
        assert said == Again(failures + 1, 0, "OSError: cable", NOW + timedelta(seconds=seconds))


@pytest.mark.parametrize(
    ("losses", "seconds"), [(0, 0), (1, 1), (2, 4), (3, 16), (6, 600), (LOSSES - 2, 600), (LOSSES - 1, None)]
)
def test_a_lost_start_is_made_up_for_at_once_but_not_for_ever(losses, seconds):
    """A job that kills its process must neither run in a tight loop nor be given up for two power cuts."""
    said = after_loss("gone", 3, losses, Retry(), NOW)
    if seconds is None:
        assert said == GiveUp(3, losses + 1, "gone")
    else:
        assert said == Again(3, losses + 1, "gone", NOW + timedelta(seconds=seconds))


@pytest.mark.parametrize(("asked", "given"), [(60, 60), (0.5, 0.5), (0, 1), (-60, 1)])
def test_a_handler_that_names_an_instant_gets_it_if_it_lies_ahead(asked, given):
    said = after_error(RetryAt(NOW + timedelta(seconds=asked), "quiet"), 4, 2, Retry(), NOW)
    assert said == Again(4, 2, "RetryAt: quiet", NOW + timedelta(seconds=given))


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (ValueError("a\nb\t c\x00d"), "ValueError: a b c d"),
        (ValueError(), "ValueError"),
        (ValueError("半\ud800个"), "ValueError: 半?个"),
        (ValueError("长" * 9000), "ValueError: " + "长" * 488),
    ],
)
def test_an_error_is_kept_as_one_line_that_can_be_stored(error, line):
    assert one_line(error) == line


def test_a_failing_job_is_tried_again_with_growing_pauses_and_then_given_up(works, caplog):
    """The pauses survive restarts: they are in the ledger."""
    caplog.set_level(logging.WARNING)
    starts, gave_up = [], []
    begin = works.clock.now()

    def handler(run) -> None:
        starts.append((run.attempt, (works.clock.now() - begin).total_seconds()))
        raise ConnectionError("the hub\nis away")

    def note(tx, job: Job, error: str) -> None:
        assert works.engine.get(tx, job.key).state is JobState.FAILED
        gave_up.append((job.key, job.payload, error))

    works.register("send", handler, Retry(attempts=4), note)
    works.enqueue(works.job("send", payload={"secret": "1234"}))
    for _ in range(30):
        works.drain()
        works.clock.advance(timedelta(seconds=1))
    assert starts == [(1, 0), (2, 1), (3, 5), (4, 21)]
    assert gave_up == [("send", {"secret": "1234"}, "ConnectionError: the hub is away")]
    row = works.row("send")
    assert (row.state, row.attempt, row.error) == (JobState.FAILED, 4, "ConnectionError: the hub is away")
    assert len([line for line in caplog.messages if "send" in line]) == 4
    assert "1234" not in caplog.text


def test_a_job_that_waits_for_its_next_attempt_says_when_and_why(works):
    def handler(_) -> None:
        raise ValueError("busy")

    works.register("send", handler)
    job = works.job("send")
    works.enqueue(job)
    works.drain()
    row = works.row("send")
    assert (row.state, row.error, row.job) == (JobState.PENDING, "ValueError: busy", job)
    assert row.ready_at == works.clock.now() + timedelta(seconds=1)


def test_a_job_put_off_by_its_handler_uses_up_no_attempt(works):
    starts = []

    def handler(run) -> None:
        starts.append(run.attempt)
        if len(starts) < 8:
            raise RetryAt(works.clock.now() + timedelta(minutes=5), "not yet")

    works.register("wait", handler, Retry(attempts=2))
    works.enqueue(works.job("wait"))
    for _ in range(8):
        works.drain()
        works.clock.advance(timedelta(minutes=5))
    assert starts == [1, 2, 3, 4, 5, 6, 7, 8]
    row = works.row("wait")
    assert (row.state, row.error) == (JobState.DONE, None)


def test_a_database_that_was_away_uses_up_no_attempt(works):
    starts = []

    def handler(run) -> None:
        starts.append(run.attempt)
        if len(starts) < 4:
            raise StoreUnavailable("store_locked", place="…")

    works.register("save", handler, Retry(attempts=2))
    works.enqueue(works.job("save"))
    for _ in range(10):
        works.drain()
        works.clock.advance(timedelta(seconds=1))
    assert starts == [1, 2, 3, 4]
    assert works.state("save") is JobState.DONE


def test_even_a_handler_that_wants_to_end_the_process_only_fails(works):
    def handler(_) -> None:
        raise SystemExit(3)

    works.register("exit", handler, Retry(attempts=1))
    works.enqueue(works.job("exit"))
    assert works.drain() == 1
    row = works.row("exit")
    assert (row.state, row.error) == (JobState.FAILED, "SystemExit: 3")


def test_what_goes_wrong_after_the_commit_does_not_undo_it(works, caplog):
    def handler(run) -> None:
        with run.commit():
            pass
        raise ValueError("too late")

    works.register("note", handler)
    works.enqueue(works.job("note"))
    works.drain()
    assert works.state("note") is JobState.DONE
    assert "job note raised after it was done: ValueError: too late" in caplog.messages


def test_a_hook_that_raises_does_not_make_the_job_run_for_ever(works):
    def handler(_) -> None:
        raise ValueError("bad")

    def hook(*_) -> None:
        raise KeyError("no such task")

    works.register("note", handler, Retry(attempts=1), hook)
    works.enqueue(works.job("note"))
    assert works.drain() == 1
    row = works.row("note")
    assert row.state is JobState.FAILED
    assert row.error == "ValueError: bad (gave_up: KeyError: 'no such task')"


def test_a_failing_job_at_the_head_does_not_keep_others_from_running(works):
    """Poison at the head of a queue (DBOS #805)."""
    ran = []

    def handler(run) -> None:
        if run.job.key.startswith("bad"):
            raise ValueError("bad")
        ran.append(run.job.key)

    works.register("any", handler)
    works.enqueue(*(works.job("any", f"bad {n}", after=-60) for n in range(5)), works.job("any", "good"))
    assert works.drain() == 6
    assert ran == ["good"]
