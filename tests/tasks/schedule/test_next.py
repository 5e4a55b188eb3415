"""The next instants of every kind of trigger."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import example, given, reject, settings
from hypothesis import strategies as st

from zhixing.kernel.errors import BadInput
from zhixing.kernel.moments import zone
from zhixing.tasks.schedule.cron import Cron
from zhixing.tasks.schedule.model import At, Every, Trigger
from zhixing.tasks.schedule.next import MAX_COUNTED, next_due, passed, upcoming

ANCHOR = datetime(2026, 10, 12, 2, tzinfo=UTC)
ZONES = [
    "Asia/Shanghai", "America/New_York", "Europe/Paris", "Australia/Lord_Howe", "America/Santiago", "Africa/Cairo",
]  # fmt: skip


def after(**step: float) -> datetime:
    return ANCHOR + timedelta(**step)


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        (timedelta(0), timedelta(seconds=90)),
        (timedelta(seconds=89.999999), timedelta(seconds=90)),
        (timedelta(seconds=90), timedelta(seconds=180)),
        (timedelta(days=365, seconds=1), timedelta(days=365, seconds=90)),
        (timedelta(seconds=-1), timedelta(0)),
        (timedelta(days=-30), timedelta(0)),
    ],
)
def test_every_stays_on_its_grid(asked: timedelta, expected: timedelta):
    # 365 days are a multiple of 90 s, so the grid meets there whatever the clock was set to in between.
    assert next_due(Every(90, ANCHOR), zone("UTC"), ANCHOR + asked) == ANCHOR + expected


def test_every_day_is_24_hours_also_when_the_clocks_are_moved():
    tz = zone("Europe/Paris")
    found = upcoming(Every(86_400, datetime(2026, 10, 24, 7, tzinfo=UTC)), tz, datetime(2026, 10, 24, tzinfo=UTC), 3)
    assert [f"{instant.astimezone(tz):%H:%M}" for instant in found] == ["09:00", "08:00", "08:00"]


def test_at_comes_once():
    at = At(ANCHOR)
    assert next_due(at, zone("UTC"), after(seconds=-0.000001)) == ANCHOR
    assert next_due(at, zone("UTC"), ANCHOR) is None
    assert upcoming(at, zone("UTC"), after(days=-1), 5) == [ANCHOR]


def test_at_keeps_the_offset_it_was_written_with():
    at = At(datetime(2026, 10, 25, 2, 30, fold=1, tzinfo=zone("Europe/Paris")))
    assert at.expression == "at 2026-10-25T02:30:00+01:00"
    assert next_due(at, zone("Asia/Shanghai"), after(days=1)) == datetime(2026, 10, 25, 1, 30, tzinfo=UTC)


def test_at_and_every_refuse_readings_without_an_offset():
    for made in (lambda: At(datetime(2026, 10, 12)), lambda: Every(60, datetime(2026, 10, 12))):
        with pytest.raises(BadInput):
            made()


@pytest.mark.parametrize("seconds", [0, -1, 366 * 86_400 + 1])
def test_every_has_bounds(seconds: int):
    with pytest.raises(BadInput) as refusal:
        Every(seconds, ANCHOR)
    assert refusal.value.key == "every_out_of_range"


def test_every_ends_with_the_calendar():
    assert upcoming(Every(1, ANCHOR), zone("UTC"), datetime.max.replace(tzinfo=UTC), 3) == []


# What has passed


@pytest.mark.parametrize(
    ("trigger", "span", "count"),
    [
        (Every(60, ANCHOR), timedelta(minutes=10), 10),
        (Every(60, ANCHOR), timedelta(seconds=59), 0),
        (Every(1, ANCHOR), timedelta(days=1), 86_400),
        (Every(60, ANCHOR), timedelta(minutes=-10), 0),
        (Every(60, after(hours=1)), timedelta(minutes=61), 2),
        (Cron.parse("0 * * * *"), timedelta(hours=10), 10),
        (Cron.parse("0 9 * * *"), timedelta(hours=-10), 0),
        (At(after(minutes=5)), timedelta(minutes=5), 1),
        (At(after(minutes=5)), timedelta(minutes=4), 0),
    ],
)
def test_what_passed_is_counted(trigger: Trigger, span: timedelta, count: int):
    found = passed(trigger, zone("UTC"), ANCHOR, ANCHOR + span, 3)
    assert (found.count, found.exact) == (count, True)
    assert len(found.newest) == min(3, count)
    if count:
        assert found.first == next_due(trigger, zone("UTC"), ANCHOR)


def test_the_newest_are_kept_in_order():
    found = passed(Every(60, ANCHOR), zone("UTC"), ANCHOR, after(minutes=10, seconds=30), 2)
    assert found.newest == (after(minutes=9), after(minutes=10))


@pytest.mark.parametrize("expression", ["* * * * *", "* * * 1 *"])
def test_a_year_of_minutes_is_bounded_work_and_says_so(expression: str):
    """In the second one nothing happens in the last eleven months, so the newest has to be searched for."""
    cron = Cron.parse(expression)
    until = datetime(2026, 12, 31, 23, 59, tzinfo=UTC)
    found = passed(cron, zone("UTC"), datetime(2025, 12, 31, tzinfo=UTC), until, 2)
    assert (found.count, found.exact) == (MAX_COUNTED, False)
    newest = until if expression == "* * * * *" else datetime(2026, 1, 31, 23, 59, tzinfo=UTC)
    assert found.newest == (newest - timedelta(minutes=1), newest)


# For any trigger


@st.composite
def fields(draw: st.DrawFn, low: int, high: int) -> str:
    def term() -> str:
        kind = draw(st.sampled_from(["star", "value", "range", "step"]))
        if kind == "star":
            return "*"
        first = draw(st.integers(low, high))
        last = draw(st.integers(first, high))
        if kind == "step" and last > first:
            return f"{first}-{last}/{draw(st.integers(1, last - first))}"
        return f"{first}-{last}" if kind == "range" else str(first)

    return ",".join(term() for _ in range(draw(st.integers(1, 2))))


@st.composite
def crons(draw: st.DrawFn) -> Cron:
    bounds = ((0, 59), (0, 23), (1, 31), (1, 12), (0, 7))
    expression = " ".join(draw(fields(low, high)) for low, high in bounds)
    try:
        return Cron.parse(expression)
    except BadInput as refusal:
        if refusal.key != "cron_never":
            # Of well-formed fields only a day that never is may be refused.
            raise
        return reject()


moments = st.datetimes(datetime(1999, 1, 1), datetime(2040, 1, 1)).map(lambda naive: naive.replace(tzinfo=UTC))
triggers = st.one_of(crons(), st.builds(Every, st.integers(1, 10**6), moments), st.builds(At, moments))


@given(triggers, st.sampled_from(ZONES), moments)
@example(Cron.parse("30 2 * * *"), "Europe/Paris", datetime(2026, 10, 25, 0, 30, tzinfo=UTC))
@example(Cron.parse("*/15 * * * *"), "Australia/Lord_Howe", datetime(2026, 4, 4, 14, 59, tzinfo=UTC))
@settings(deadline=None)
def test_instants_come_in_order_and_from_wherever_one_asks(trigger: Trigger, tz_name: str, asked: datetime):
    tz = zone(tz_name)
    found = upcoming(trigger, tz, asked, 3)
    assert all(earlier < later for earlier, later in pairwise([asked, *found]))
    for before, instant in pairwise([asked, *found]):
        # The same from the instant before, from half way, and from just before it.
        assert next_due(trigger, tz, before) == instant
        assert next_due(trigger, tz, before + (instant - before) / 2) == instant
        assert next_due(trigger, tz, instant - timedelta(microseconds=1)) == instant


@given(crons(), st.sampled_from(ZONES), moments)
@settings(deadline=None)
def test_cron_comes_at_most_once_a_minute_and_only_when_the_wall_shows_it(cron: Cron, tz_name: str, asked: datetime):
    tz = zone(tz_name)
    found = upcoming(cron, tz, asked, 5)
    assert all(later - earlier >= timedelta(minutes=1) for earlier, later in pairwise(found))
    for instant in found:
        local = instant.astimezone(tz)
        assert local.second == 0
        moved = (instant - timedelta(days=1)).astimezone(tz).utcoffset() != local.utcoffset()
        if not moved:
            assert local.minute in cron.minute.values
            assert local.hour in cron.hour.values
