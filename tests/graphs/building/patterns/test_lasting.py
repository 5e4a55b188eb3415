"""PAT-TIME-01."""

from __future__ import annotations

from datetime import time
from typing import Any

import pytest
from tests.graphs.building.things import (
    CLICK,
    DOUBLE,
    REMOTE,
    RULE,
    held,
    levels,
    lit,
    pressed,
    ran,
    sends,
    sound,
)

from zhixing.graphs.building.builder import Builder
from zhixing.graphs.building.patterns.lasting import Monthday, day_progress, in_year, measured
from zhixing.graphs.building.sketch import Span
from zhixing.graphs.building.time_cards import loop
from zhixing.kernel.errors import BadInput

MEASURED, NOT_STARTED, CLOCK_BACK = 1, 2, 3
INSIDE, OUTSIDE = 1, 2
FAST = {"options": {"event_queue_interval_ms": 0}}


def stopwatch() -> Builder:
    builder = Builder(RULE)
    fragment = measured(builder, "took")
    builder.wire(pressed(builder), *fragment.into("start"))
    builder.wire(pressed(builder, DOUBLE), *fragment.into("end"))
    for name, level in (("measured", MEASURED), ("not_started", NOT_STARTED), ("clock_back", CLOCK_BACK)):
        lit(builder, fragment.out(name), level)
    return builder


def start(at_ms: int) -> dict[str, Any]:
    return sends(at_ms, REMOTE, CLICK)


def end(at_ms: int) -> dict[str, Any]:
    return sends(at_ms, REMOTE, DOUBLE)


@pytest.mark.parametrize(
    ("ms", "minutes"),
    [(59_700, 1), (10_000, 1), (119_000, 2), (117_000, 1), (3_600_000, 60)],
)
def test_a_duration_is_whole_minutes_and_a_timer_of_one_is_not_none(ms: int, minutes: int) -> None:
    result = ran(stopwatch(), start(0), end(ms), **FAST)
    assert levels(result) == [(ms, MEASURED)]
    assert held(result)["took"] == minutes


def test_a_stopwatch_passes_the_checks() -> None:
    sound(stopwatch())


def test_a_second_start_changes_nothing_and_a_second_end_has_no_start() -> None:
    result = ran(stopwatch(), start(0), start(100_000), end(180_000), end(200_000), **FAST)
    assert levels(result) == [(180_000, MEASURED), (200_000, NOT_STARTED)]
    assert held(result)["took"] == 3


def test_a_clock_that_is_set_back_gives_no_duration() -> None:
    back = {"at_ms": 1000, "clock": "2025-03-03T07:00:00+08:00"}
    result = ran(stopwatch(), start(0), back, end(2000), **FAST)
    assert levels(result) == [(2000, CLOCK_BACK)]
    assert held(result)["took"] == 0


def daylight(first: time, last: time) -> Builder:
    builder = Builder(RULE)
    fragment = day_progress(builder, first, last, "part")
    beat = builder.add(loop(Span(1, "min")))
    builder.wire(pressed(builder), beat.pin("start"))
    builder.wire(pressed(builder, DOUBLE), beat.pin("stop"))
    builder.wire(beat.out(), *fragment.into("tick"))
    lit(builder, fragment.out("worked"), 1)
    return builder


@pytest.mark.parametrize(
    ("first", "last", "part"),
    [
        (time(7), time(9), 0.5),  # it is eight
        (time(8), time(9), 0),
        (time(6), time(8), 1),
        (time(6), time(7), 1),  # over: stays whole until it starts again
        (time(22), time(18), 0.5),  # over midnight
        (time(7, 59, 30), time(8, 0, 30), 0.5),
    ],
)
def test_enabled_in_the_middle_the_part_that_has_passed_is_right_at_once(first: time, last: time, part: float) -> None:
    builder = daylight(first, last)
    sound(builder)
    assert held(ran(builder))["part"] == pytest.approx(part)


def test_the_part_grows_with_each_tick_and_stays_within_0_and_1() -> None:
    builder = daylight(time(8), time(8, 4))
    parts = [held(ran(builder, start(1), until_ms=60_000 * each + 1))["part"] for each in range(7)]
    assert parts == pytest.approx([0, 0.25, 0.5, 0.75, 1, 1, 1])


@pytest.mark.parametrize(
    ("first", "last", "day", "inside"),
    [
        ((3, 1), (5, 31), "2025-03-01", INSIDE),
        ((3, 1), (5, 31), "2025-05-31", INSIDE),
        ((3, 1), (5, 31), "2025-06-01", OUTSIDE),
        ((11, 15), (3, 15), "2025-12-31", INSIDE),
        ((11, 15), (3, 15), "2026-01-01", INSIDE),
        ((11, 15), (3, 15), "2026-03-15", INSIDE),
        ((11, 15), (3, 15), "2026-03-16", OUTSIDE),
        ((11, 15), (3, 15), "2025-11-14", OUTSIDE),
        ((2, 29), (2, 29), "2024-02-29", INSIDE),
    ],
)
def test_a_part_of_the_year_may_lie_over_its_end(first: Monthday, last: Monthday, day: str, inside: int) -> None:
    builder = Builder(RULE)
    fragment = in_year(builder, first, last, "today")
    builder.wire(pressed(builder), *fragment.into("ask"))
    lit(builder, fragment.out("inside"), INSIDE)
    lit(builder, fragment.out("outside"), OUTSIDE)
    sound(builder)
    assert levels(ran(builder, start(1), start=f"{day}T12:00:00+08:00")) == [(1, inside)]


def test_what_has_no_length_or_is_no_day_is_refused() -> None:
    builder = Builder(RULE)
    with pytest.raises(BadInput):
        day_progress(builder, time(8), time(8), "part")
    for day in ((2, 30), (13, 1), (0, 1)):
        with pytest.raises(BadInput):
            in_year(builder, (1, 1), day, "today")
