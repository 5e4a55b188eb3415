from __future__ import annotations

import asyncio
import threading
from datetime import UTC, datetime, timedelta

import pytest

from zhixing.kernel.clock import LONGEST_WAIT, Clock, ManualClock, SystemClock

START = datetime(2026, 10, 12, 2, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)


class Recorded(threading.Event):
    """Remembers how long it was waited on, and waits for nothing."""

    def __init__(self) -> None:
        super().__init__()
        self.waits: list[float | None] = []

    def wait(self, timeout: float | None = None) -> bool:
        self.waits.append(timeout)
        return self.is_set()


def test_the_machines_clock_tells_aware_utc() -> None:
    assert SystemClock().now().utcoffset() == timedelta(0)


def test_the_machines_monotonic_seconds_never_go_back() -> None:
    clock = SystemClock()
    readings = [clock.monotonic() for _ in range(100)]
    assert readings == sorted(readings)


@pytest.mark.parametrize(("asked", "waited"), [(0.25, 0.25), (3600.0, LONGEST_WAIT), (-5.0, 0.0)])
def test_a_wait_is_never_longer_than_one_look_at_the_wall_clock(asked: float, waited: float) -> None:
    wake = Recorded()
    assert SystemClock().wait(wake, asked) is False
    assert wake.waits == [waited]


@pytest.mark.parametrize("clock", [SystemClock(), ManualClock(START)])
def test_whoever_is_woken_is_told_so(clock: Clock) -> None:
    wake = threading.Event()
    wake.set()
    assert clock.wait(wake, 3600) is True


def test_sleeping_on_the_machines_clock_comes_back() -> None:
    asyncio.run(SystemClock().sleep(0))


def test_a_manual_clock_stands_still_until_it_is_moved() -> None:
    clock = ManualClock(START)
    assert (clock.now(), clock.monotonic()) == (clock.now(), clock.monotonic()) == (START, 0.0)
    clock.advance(HOUR)
    assert (clock.now(), clock.monotonic()) == (START + HOUR, 3600.0)


def test_a_manual_clock_tells_utc_whatever_it_was_set_with() -> None:
    clock = ManualClock(datetime.fromisoformat("2026-10-12T10:00:00+08:00"))
    assert clock.now() == START
    assert clock.now().utcoffset() == timedelta(0)


def test_a_manual_clock_needs_an_offset() -> None:
    with pytest.raises(ValueError, match="aware"):
        ManualClock(datetime(2026, 10, 12))


def test_time_does_not_run_backwards() -> None:
    with pytest.raises(ValueError, match="jump"):
        ManualClock(START).advance(-HOUR)


@pytest.mark.parametrize("step", [HOUR, -HOUR, timedelta(days=1)])
def test_a_jump_moves_the_wall_and_no_duration(step: timedelta) -> None:
    clock = ManualClock(START)
    clock.jump(step)
    assert (clock.now(), clock.monotonic()) == (START + step, 0.0)


def test_waiting_on_a_manual_clock_lets_one_look_pass_at_once() -> None:
    clock = ManualClock(START)
    assert clock.wait(threading.Event(), 3600) is False
    assert clock.monotonic() == LONGEST_WAIT
    assert clock.wait(threading.Event(), 0.5) is False
    assert clock.now() == START + timedelta(seconds=LONGEST_WAIT + 0.5)


def test_being_woken_takes_no_time_on_a_manual_clock() -> None:
    clock, wake = ManualClock(START), threading.Event()
    wake.set()
    clock.wait(wake, 3600)
    assert clock.monotonic() == 0.0


def test_sleeping_on_a_manual_clock_takes_the_whole_time_at_once() -> None:
    clock = ManualClock(START)
    asyncio.run(clock.sleep(3600))
    assert clock.monotonic() == 3600.0
