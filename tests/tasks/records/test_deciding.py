"""What a write does, as plain functions."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from zhixing.kernel.errors import BadInput, TooLarge
from zhixing.tasks.records.content import read_content
from zhixing.tasks.records.deciding import (
    began,
    check_step,
    check_write,
    completed,
    counted,
    length,
    one_line,
    reached_at,
    taken_back,
    timed,
)
from zhixing.tasks.records.model import Period, Reached, Session, Window

SHANGHAI = ZoneInfo("Asia/Shanghai")
NOON = datetime(2026, 10, 12, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
DAY = Period(Window.DAY, NOON.date(), NOON, NOON + 60 * MINUTE)
ENDLESS = Period(Window.LONGTERM, NOON.date(), NOON, None)


def stretch(start: int, end: int | None) -> Session:
    """Give a session from and to so many minutes after noon."""
    return Session(1, NOON + start * MINUTE, None if end is None else NOON + end * MINUTE)


@pytest.mark.parametrize(
    ("sessions", "minutes", "reached"),
    [
        ([], 10, None),
        ([(0, 9)], 10, None),
        ([(0, 10)], 10, 10),
        ([(0, 20)], 10, 10),
        ([(0, 4), (10, 15)], 10, None),
        ([(0, 4), (10, 16)], 10, 16),
        ([(0, 4), (10, None)], 10, 16),
        ([(5, None)], 10, 15),
        ([(5, None)], 55, 60),  # at the very end
        ([(5, None)], 56, None),  # not in this period any more
        ([(-30, 5), (10, None)], 10, 15),  # what was before the period does not count
        ([(-30, None)], 10, 10),
        ([(-30, -20), (70, 90)], 1, None),
    ],
)
def test_the_instant_of_a_target_is_found_in_the_sessions(sessions, minutes, reached):
    found = reached_at([stretch(*session) for session in sessions], minutes * MINUTE, DAY)
    assert found == (None if reached is None else NOON + reached * MINUTE)


def test_without_an_end_a_session_that_goes_on_reaches_everything():
    assert reached_at([stretch(0, None)], 10_000 * MINUTE, ENDLESS) == NOON + 10_000 * MINUTE
    assert reached_at([stretch(0, 5)], 10_000 * MINUTE, ENDLESS) is None


@pytest.mark.parametrize(
    ("session", "until", "minutes"),
    [
        ((0, 10), None, 10),
        ((-5, 10), None, 10),
        ((55, 70), None, 5),
        ((-5, 70), None, 60),
        ((-5, -1), None, 0),
        ((70, 80), None, 0),
        ((5, None), 20, 15),
        ((5, None), 90, 55),
        ((5, None), 4, 0),  # the clock was put back
        ((5, None), None, 0),
    ],
)
def test_only_the_part_inside_a_period_counts(session, until, minutes):
    until_at = None if until is None else NOON + until * MINUTE
    assert length(stretch(*session), until_at, DAY) == minutes * MINUTE


def test_a_session_never_begins_before_the_last_one_ended():
    assert began(NOON, None) == NOON
    assert began(NOON, NOON - MINUTE) == NOON
    assert began(NOON, NOON + MINUTE) == NOON + MINUTE


@pytest.mark.parametrize(
    ("amount", "days", "losses"),
    [
        (1, [], []),
        (1, [("b", 3), ("a", 2)], [("b", 1)]),
        (4, [("b", 3), ("a", 2)], [("b", 3), ("a", 1)]),
        (9, [("b", 3), ("a", 2)], [("b", 3), ("a", 2)]),
    ],
)
def test_what_is_taken_back_comes_from_the_nearest_days_and_leaves_none_below_zero(amount, days, losses):
    assert taken_back(amount, days) == losses


def test_time_meets_its_target_to_the_microsecond():
    almost = timedelta(minutes=10) - timedelta(microseconds=1)
    assert not timed(DAY, almost, 10, None).met
    assert timed(DAY, almost, 10, None).current == 599
    assert timed(DAY, timedelta(minutes=10), 10, None).met
    assert not timed(DAY, timedelta(days=1), None, None).met


@pytest.mark.parametrize(
    ("current", "target", "reached", "done"),
    [
        (7, 8, None, False),
        (8, 8, None, True),
        (7, 8, 8, True),  # it was reached, and one was taken back
        (8, 10, 8, False),  # it was reached, and then more was wanted
        (10, 10, 8, True),
        (5, 6, 8, True),
    ],
)
def test_a_oneshot_is_completed_by_its_target(current, target, reached, done):
    content = read_content(
        "progress", {"target": target, "unit": "杯", "window": "day", "expires_at": "2026-10-12T23:59:59+08:00"}
    )
    mark = None if reached is None else Reached(NOON, reached)
    assert completed(content, counted(ENDLESS, current, target, mark)) is done


def test_what_recurs_is_never_completed():
    daily = read_content("duration", {"target_minutes": 1, "recurring_pattern": {"window": "day"}})
    assert not completed(daily, timed(DAY, timedelta(hours=1), 1, None))


@pytest.mark.parametrize("delta", [0, 10**7, -(10**7), True, 1.5, "1", None])
def test_a_step_that_is_none_is_refused(delta):
    with pytest.raises(BadInput, match="每次增减应为"):
        check_step(delta)


@pytest.mark.parametrize(
    ("at", "key", "words"),
    [
        (NOON + timedelta(seconds=61), "k", r"时间 2026-10-12T20:01:01\+08:00 还没到"),
        (NOON - timedelta(days=367), "k", r"时间 2025-10-10T20:00:00\+08:00 太早，最多补记 366 天内的"),
        (NOON, "", "记录的幂等键要有 1 到 200 个字符"),
        (NOON, "k" * 201, "记录的幂等键"),
        (NOON, "k\n", "记录的幂等键"),
    ],
)
def test_an_instant_or_a_key_that_nobody_can_mean_is_refused(at, key, words):
    with pytest.raises(BadInput, match=words):
        check_write(at, key, NOON, SHANGHAI)


def test_a_clock_that_is_a_minute_ahead_is_believed():
    check_write(NOON + timedelta(seconds=60), "k" * 200, NOON, SHANGHAI)
    check_write(NOON - timedelta(days=366), "o1", NOON, SHANGHAI)


def test_an_event_is_one_line():
    assert one_line(" 猫\n进了\t厨房\u2028\x00 ") == "猫 进了 厨房"
    assert len(one_line("猫" * 500)) == 500
    with pytest.raises(BadInput, match="要记的事件是空的"):
        one_line(" \n\u200b")
    with pytest.raises(TooLarge, match="最多 500 个字"):
        one_line("猫" * 501)
