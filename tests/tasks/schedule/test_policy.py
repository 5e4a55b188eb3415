"""What is decided about instants that passed: a table for each policy, with as many rows that do not run as that do."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zhixing.kernel.moments import zone
from zhixing.tasks.schedule.cron import Cron
from zhixing.tasks.schedule.model import Action, At, Every, Missed, Overlap, Schedule
from zhixing.tasks.schedule.next import MAX_COUNTED, next_due
from zhixing.tasks.schedule.policy import (
    MAX_CATCH_UP,
    Miss,
    Plan,
    Queue,
    Run,
    Skip,
    Why,
    decide,
    instant_key,
    resume,
)

MIDNIGHT = datetime(2026, 10, 12, tzinfo=UTC)
DAILY = Schedule("s1", "t1", "daily", Cron.parse("0 9 * * *"), "UTC", Action("tell"), settled=MIDNIGHT)
HOURLY = replace(DAILY, trigger=Cron.parse("0 * * * *"))
ONCE = replace(DAILY, trigger=At(MIDNIGHT + timedelta(hours=9)))


def at(text: str) -> datetime:
    """Read `day hour:minute[:second]` of October 2026."""
    day, clock = text.split()
    return datetime.fromisoformat(f"2026-10-{day}T{clock}+00:00")


def said(plan: Plan) -> list[str]:
    """Write the outcomes of a plan in short."""
    lines = []
    for outcome in plan.outcomes:
        due = f"{outcome.due:%d %H:%M}"
        match outcome:
            case Run():
                lines.append(f"run {due} late {int(outcome.late.total_seconds())}")
            case Queue():
                lines.append(f"queue {due}")
            case Skip() | Miss():
                kind = type(outcome).__name__.lower()
                lines.append(f"{kind} {due} {outcome.why.value} {outcome.count}")
    return lines


@pytest.mark.parametrize(
    ("schedule", "missed", "now", "expected"),
    [
        # On time, or so little late that it counts as on time.
        (DAILY, Missed.ONCE, "12 09:00", ["run 12 09:00 late 0"]),
        (DAILY, Missed.SKIP, "12 09:00", ["run 12 09:00 late 0"]),
        (DAILY, Missed.ALL, "12 09:00", ["run 12 09:00 late 0"]),
        (DAILY, Missed.SKIP, "12 09:01", ["run 12 09:00 late 60"]),
        (ONCE, Missed.SKIP, "12 09:01", ["run 12 09:00 late 60"]),
        # Not yet.
        (DAILY, Missed.ONCE, "12 08:59:59", []),
        (DAILY, Missed.ALL, "12 00:00", []),
        (ONCE, Missed.ONCE, "12 08:59:59", []),
        # Missed: once.
        (DAILY, Missed.ONCE, "12 09:01:01", ["run 12 09:00 late 61"]),
        (DAILY, Missed.ONCE, "13 08:59", ["run 12 09:00 late 86340"]),
        (DAILY, Missed.ONCE, "15 10:00", ["miss 14 09:00 coalesced 3", "run 15 09:00 late 3600"]),
        (DAILY, Missed.ONCE, "15 09:00:30", ["miss 14 09:00 coalesced 3", "run 15 09:00 late 30"]),
        (HOURLY, Missed.ONCE, "13 00:30", ["miss 12 23:00 coalesced 23", "run 13 00:00 late 1800"]),
        (ONCE, Missed.ONCE, "13 09:00", ["run 12 09:00 late 86400"]),
        (ONCE, Missed.ONCE, "13 09:00:01", ["miss 12 09:00 too_late 1"]),
        # Missed: skip.
        (DAILY, Missed.SKIP, "12 09:01:01", ["miss 12 09:00 not_wanted 1"]),
        (DAILY, Missed.SKIP, "15 10:00", ["miss 15 09:00 not_wanted 4"]),
        (DAILY, Missed.SKIP, "15 09:00:30", ["miss 14 09:00 not_wanted 3", "run 15 09:00 late 30"]),
        (ONCE, Missed.SKIP, "12 09:02", ["miss 12 09:00 not_wanted 1"]),
        # Missed: all.
        (DAILY, Missed.ALL, "12 21:00", ["run 12 09:00 late 43200"]),
        (DAILY, Missed.ALL, "13 10:00", ["run 12 09:00 late 90000", "run 13 09:00 late 3600"]),
        (ONCE, Missed.ALL, "30 09:00", ["run 12 09:00 late 1555200"]),
    ],
)
def test_what_passed_is_settled(schedule: Schedule, missed: Missed, now: str, expected: list[str]):
    plan = decide(replace(schedule, missed=missed), at(now), running=0, waiting=0)
    assert said(plan) == expected
    assert plan.settled == at(now)
    assert plan.next == next_due(schedule.trigger, zone("UTC"), at(now))


@pytest.mark.parametrize(
    ("overlap", "running", "waiting", "expected"),
    [
        (Overlap.SKIP, 0, 0, "run 12 09:00 late 0"),
        (Overlap.SKIP, 1, 0, "skip 12 09:00 overlap 1"),
        (Overlap.SKIP, 0, 1, "skip 12 09:00 overlap 1"),
        (Overlap.QUEUE, 0, 0, "run 12 09:00 late 0"),
        (Overlap.QUEUE, 1, 0, "queue 12 09:00"),
        (Overlap.QUEUE, 1, 1, "skip 12 09:00 queue_full 1"),
        (Overlap.QUEUE, 0, 1, "skip 12 09:00 queue_full 1"),
        (Overlap.PARALLEL, 0, 0, "run 12 09:00 late 0"),
        (Overlap.PARALLEL, 7, 0, "run 12 09:00 late 0"),
    ],
)
@pytest.mark.parametrize("missed", Missed)
def test_an_instant_meets_the_run_before(missed: Missed, overlap: Overlap, running: int, waiting: int, expected: str):
    schedule = replace(DAILY, missed=missed, overlap=overlap)
    assert said(decide(schedule, at("12 09:00"), running=running, waiting=waiting)) == [expected]


def test_a_late_run_meets_the_run_before_too():
    plan = decide(DAILY, at("13 10:00"), running=1, waiting=0)
    assert said(plan) == ["miss 12 09:00 coalesced 1", "skip 13 09:00 overlap 1"]


def test_catching_up_with_all_is_not_dropped_by_a_run_under_way():
    plan = decide(replace(DAILY, missed=Missed.ALL), at("13 09:00"), running=1, waiting=0)
    assert said(plan) == ["run 12 09:00 late 86400", "run 13 09:00 late 0"]


def test_a_day_of_seconds_is_one_run_and_one_row():
    schedule = replace(DAILY, trigger=Every(1, MIDNIGHT))
    plan = decide(schedule, at("13 00:00"), running=0, waiting=0)
    assert plan.outcomes == (
        Miss(
            at("12 23:59:59"),
            Why.COALESCED,
            count=86_399,
            first=at("12 00:00:01"),
        ),
        Run(at("13 00:00"), timedelta(0)),
    )


def test_catching_up_with_all_is_bounded_and_says_what_was_left():
    schedule = replace(DAILY, trigger=Every(1, MIDNIGHT), missed=Missed.ALL)
    left, *runs = decide(schedule, at("13 00:00"), running=0, waiting=0).outcomes
    assert len(runs) == MAX_CATCH_UP
    assert left == Miss(at("12 23:43:20"), Why.BOUND, count=86_400 - MAX_CATCH_UP, first=at("12 00:00:01"))
    assert [run.due for run in runs] == [at("12 23:43:20") + timedelta(seconds=n + 1) for n in range(MAX_CATCH_UP)]


@pytest.mark.parametrize("missed", Missed)
def test_what_cannot_be_counted_in_time_says_at_least(missed: Missed):
    schedule = replace(DAILY, trigger=Cron.parse("* * * 1 *"), missed=missed, settled=MIDNIGHT - timedelta(days=300))
    plan = decide(schedule, MIDNIGHT, running=0, waiting=0)
    row = plan.outcomes[0]
    assert isinstance(row, Miss)
    assert not row.exact
    assert row.count + sum(isinstance(outcome, Run) for outcome in plan.outcomes) == MAX_COUNTED


@pytest.mark.parametrize("back", [timedelta(seconds=1), timedelta(hours=1), timedelta(days=400)])
def test_a_clock_that_goes_back_changes_nothing(back: timedelta):
    handled = replace(HOURLY, settled=at("13 00:00"))
    plan = decide(handled, at("13 00:00") - back, running=0, waiting=0)
    assert plan == Plan((), handled.settled, at("13 01:00"))


@pytest.mark.parametrize(
    ("schedule", "now", "expected"),
    [
        (DAILY, "12 08:00", []),
        (DAILY, "12 09:00", ["skip 12 09:00 paused 1"]),
        (DAILY, "15 10:00", ["skip 15 09:00 paused 4"]),
        (replace(DAILY, missed=Missed.ALL), "15 10:00", ["skip 15 09:00 paused 4"]),
        (ONCE, "12 08:00", []),
        (ONCE, "12 10:00", ["skip 12 09:00 paused 1"]),
    ],
)
def test_what_fell_into_a_pause_is_one_row(schedule: Schedule, now: str, expected: list[str]):
    plan = resume(schedule, at(now))
    assert said(plan) == expected
    assert plan.settled == at(now)
    assert plan.next == next_due(schedule.trigger, zone("UTC"), at(now))


def test_a_key_is_the_instant_in_utc():
    assert instant_key(datetime.fromisoformat("2026-10-12T17:00:00+08:00")) == "2026-10-12T09:00:00Z"
    assert instant_key(datetime.fromisoformat("2026-10-12T17:00:00.5+08:00")) == "2026-10-12T09:00:00.500000Z"


steps = st.lists(
    st.tuples(
        # Seconds between two looks; the clock may go back.
        st.one_of(st.integers(-4_000, 4_000), st.integers(0, 200_000)),
        st.integers(0, 2),
        st.integers(0, 1),
        st.booleans(),
    ),
    max_size=12,
)


@given(
    steps,
    st.sampled_from([Every(7, MIDNIGHT), Every(3_600, MIDNIGHT), Cron.parse("*/5 * * * *"), Cron.parse("0 9 * * 1,3")]),
    st.sampled_from(Missed),
    st.sampled_from(Overlap),
)
def test_every_instant_is_settled_once_however_one_looks(looks, trigger, missed: Missed, overlap: Overlap):
    schedule = replace(DAILY, trigger=trigger, missed=missed, overlap=overlap)
    now, settled, keys = MIDNIGHT, 0, []
    for step, running, waiting, paused in looks:
        now += timedelta(seconds=step)
        plan = resume(schedule, now) if paused else decide(schedule, now, running=running, waiting=waiting)
        for outcome in plan.outcomes:
            assert schedule.settled < outcome.due <= now
            settled += getattr(outcome, "count", 1)
            keys.append(instant_key(outcome.due))
        assert plan.settled >= schedule.settled
        schedule = replace(schedule, settled=plan.settled)
    assert len(keys) == len(set(keys))
    instants = 0
    following = next_due(trigger, zone("UTC"), MIDNIGHT)
    while following is not None and following <= schedule.settled and instants < 5_000:
        instants += 1
        following = next_due(trigger, zone("UTC"), following)
    if following is None or following > schedule.settled:
        assert settled == instants
