"""The reminder table of document 004 §5, row by row, with the instants at its edges."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from zhixing.kernel.moments import parse_instant, zone
from zhixing.notices.model import Node, NodeKind, PlannedReminder, Precision
from zhixing.notices.reminders import plan, reminder_after_deadline

TZ = zone("Asia/Shanghai")
AT = parse_instant("2026-10-13T15:00:00+08:00")
DAY = date(2026, 10, 13)
NINE = parse_instant("2026-10-13T09:00:00+08:00")
LONG_BEFORE = parse_instant("2026-10-12T10:00:00+08:00")
TICK = timedelta(microseconds=1)
MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)

DEADLINE, END, OPEN, REMINDER, REPEAT, START, UNKNOWN = (
    NodeKind.DEADLINE,
    NodeKind.END,
    NodeKind.OPEN,
    NodeKind.REMINDER,
    NodeKind.REPEAT,
    NodeKind.START,
    NodeKind.UNKNOWN,
)


def timed(kind: NodeKind, at: datetime = AT, lead: int | None = None) -> Node:
    return Node(kind, Precision.MINUTE, "明天下午3点", "明天下午3点开会", at=at, lead_minutes=lead)


def dated(kind: NodeKind, day: date = DAY, lead: int | None = None) -> Node:
    return Node(kind, Precision.DATE, "明天", "明天开会", day=day, lead_minutes=lead)


def told(*nodes: Node, now: datetime = LONG_BEFORE, tz=TZ) -> list[tuple[datetime | str, str]]:
    return [(reminder.at or "asap", reminder.reason) for reminder in plan(nodes, now, tz)]


# 时间明确修饰“提醒我”: that instant, no default lead.


@pytest.mark.parametrize("kind", [REMINDER, OPEN])
@pytest.mark.parametrize(
    ("now", "comes"),
    [(LONG_BEFORE, True), (AT - TICK, True), (AT, True), (AT + TICK, False), (AT + 30 * MINUTE, False)],
)
def test_a_specified_time_or_an_opening_is_told_at_its_instant(kind: NodeKind, now: datetime, *, comes: bool):
    reason = "specified" if kind is REMINDER else "open"
    assert told(timed(kind), now=now) == ([(AT, reason)] if comes else [])


# 原文明确提前: by the words, never replaced by a default.


@pytest.mark.parametrize("kind", [START, DEADLINE, OPEN, END, REMINDER])
@pytest.mark.parametrize("lead", [0, 1, 10, 1440, 10_080])
def test_a_lead_counts_back_from_its_node_whatever_happens_there(kind: NodeKind, lead: int):
    early = AT - lead * MINUTE
    assert told(timed(kind, lead=lead), now=early - HOUR) == [(early, "lead")]


@pytest.mark.parametrize("kind", [START, DEADLINE, OPEN])
@pytest.mark.parametrize(
    ("now", "comes"),
    [(AT - 10 * MINUTE - TICK, True), (AT - 10 * MINUTE, True), (AT - 10 * MINUTE + TICK, False), (AT - MINUTE, False)],
)
def test_a_lead_that_has_passed_is_not_replaced_by_a_default(kind: NodeKind, now: datetime, *, comes: bool):
    assert told(timed(kind, lead=10), now=now) == ([(AT - 10 * MINUTE, "lead")] if comes else [])


# 只提供事项开始: thirty minutes before, or at the start.


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        (LONG_BEFORE, [(AT - 30 * MINUTE, "default_start_30")]),
        (AT - 30 * MINUTE - TICK, [(AT - 30 * MINUTE, "default_start_30")]),
        (AT - 30 * MINUTE, [(AT, "at_start_lead_passed")]),
        (AT - 30 * MINUTE + TICK, [(AT, "at_start_lead_passed")]),
        (AT - TICK, [(AT, "at_start_lead_passed")]),
        (AT, [(AT, "at_start_lead_passed")]),
        (AT + TICK, []),
        (AT + 24 * HOUR, []),
    ],
)
def test_a_start_is_told_half_an_hour_before_or_else_when_it_begins(now: datetime, expected: list[object]):
    assert told(timed(START), now=now) == expected


# 只提供明确截止: an hour before, or soon while more than two minutes are left.


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        (LONG_BEFORE, [(AT - HOUR, "deadline_1h")]),
        (AT - HOUR - TICK, [(AT - HOUR, "deadline_1h")]),
        (AT - HOUR, [("asap", "deadline_asap")]),
        (AT - HOUR + TICK, [("asap", "deadline_asap")]),
        (AT - 2 * MINUTE - TICK, [("asap", "deadline_asap")]),
        (AT - 2 * MINUTE, []),
        (AT - 2 * MINUTE + TICK, []),
        (AT, []),
        (AT + HOUR, []),
    ],
)
def test_a_deadline_is_told_an_hour_before_or_soon(now: datetime, expected: list[object]):
    assert told(timed(DEADLINE), now=now) == expected


# 只提供结束: shown, not told. Nor is what has no policy.


@pytest.mark.parametrize("kind", [END, REPEAT, UNKNOWN])
@pytest.mark.parametrize("now", [LONG_BEFORE, AT - MINUTE, AT])
def test_an_end_and_what_has_no_policy_is_not_told(kind: NodeKind, now: datetime):
    assert told(timed(kind), now=now) == []
    assert told(dated(kind), now=now) == []


# 日期级: 09:00 of the day, or soon on that day.


@pytest.mark.parametrize("kind", [OPEN, START, DEADLINE, REMINDER])
@pytest.mark.parametrize(
    ("now", "expected"),
    [
        (LONG_BEFORE, [(NINE, "date_0900")]),
        (NINE - TICK, [(NINE, "date_0900")]),
        (NINE, [(NINE, "date_0900")]),
        (NINE + TICK, [("asap", "date_asap")]),
        (NINE.replace(hour=23, minute=59, second=59), [("asap", "date_asap")]),
        (NINE.replace(hour=0) + 24 * HOUR - TICK, [("asap", "date_asap")]),
        (NINE.replace(hour=0) + 24 * HOUR, []),
        (NINE + 24 * HOUR, []),
    ],
)
def test_a_bare_date_is_told_once_at_nine_or_soon_that_day(kind: NodeKind, now: datetime, expected: list[object]):
    assert told(dated(kind), now=now) == expected


def test_the_day_of_a_bare_date_is_that_of_its_zone():
    # 23:30 UTC on the 12th is already the 13th in Shanghai, and still the 12th in New York.
    now = datetime(2026, 10, 12, 23, 30, tzinfo=UTC)
    assert told(dated(START, date(2026, 10, 12)), now=now) == []
    assert told(dated(START, date(2026, 10, 12)), now=now, tz=zone("America/New_York")) == [("asap", "date_asap")]


@pytest.mark.parametrize(
    ("lead", "now", "expected"),
    [
        (1440, LONG_BEFORE - HOUR, [(NINE - 24 * HOUR, "lead")]),
        (1440, NINE - 24 * HOUR, [(NINE - 24 * HOUR, "lead")]),
        (1440, NINE - 24 * HOUR + TICK, []),
        (4320, LONG_BEFORE, []),
    ],
)
def test_a_lead_in_days_moves_the_nine_of_a_bare_date(lead: int, now: datetime, expected: list[object]):
    assert told(dated(START, lead=lead), now=now) == expected


def test_nine_is_a_reading_of_the_wall_also_where_the_clocks_are_moved_that_day():
    tz = zone("America/New_York")
    assert told(dated(START, date(2026, 11, 1)), now=LONG_BEFORE, tz=tz) == [
        (parse_instant("2026-11-01T09:00:00-05:00"), "date_0900")
    ]


def test_a_day_without_a_nine_is_told_at_the_first_instant_behind_the_gap():
    # Samoa left out 30 December 2011.
    tz = zone("Pacific/Apia")
    (told_at,) = plan([dated(START, date(2011, 12, 30))], datetime(2011, 12, 1, tzinfo=UTC), tz)
    assert told_at.at == datetime(2011, 12, 30, 10, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("at", "early"),
    [
        # Half an hour of real time, also across a moved clock.
        ("2027-03-14T03:00:00-04:00", "2027-03-14T01:30:00-05:00"),
        ("2026-11-01T01:15:00-05:00", "2026-11-01T01:45:00-04:00"),
    ],
)
def test_a_lead_is_real_time_across_a_moved_clock(at: str, early: str):
    tz = zone("America/New_York")
    node = timed(START, parse_instant(at).astimezone(tz))
    ((told_at, reason),) = told(node, now=parse_instant(at) - 24 * HOUR, tz=tz)
    assert (str(told_at).replace(" ", "T"), reason) == (early, "default_start_30")


# Several nodes.


def test_reminders_at_the_same_instant_are_one():
    nodes = [timed(REMINDER, AT - 30 * MINUTE), timed(START)]
    assert plan(nodes, LONG_BEFORE, TZ) == (PlannedReminder(AT - 30 * MINUTE, "specified+default_start_30", (0, 1)),)


def test_equal_reasons_are_named_once():
    nodes = [timed(OPEN), timed(OPEN), timed(REMINDER)]
    assert plan(nodes, LONG_BEFORE, TZ) == (PlannedReminder(AT, "open+specified", (0, 1, 2)),)


def test_equal_instants_in_different_zones_are_one():
    nodes = [timed(OPEN), timed(OPEN, AT.astimezone(UTC))]
    assert plan(nodes, LONG_BEFORE, TZ) == (PlannedReminder(AT, "open", (0, 1)),)


def test_everything_due_soon_is_one():
    nodes = [dated(DEADLINE, date(2026, 10, 12)), timed(DEADLINE, LONG_BEFORE + 30 * MINUTE)]
    assert plan(nodes, LONG_BEFORE, TZ) == (PlannedReminder(None, "date_asap+deadline_asap", (0, 1)),)


def test_instants_that_differ_stay_apart_and_come_in_order():
    nodes = [timed(DEADLINE), timed(START, AT - 3 * HOUR), timed(REMINDER, AT - HOUR + TICK), timed(END)]
    assert told(*nodes) == [
        (AT - 3 * HOUR - 30 * MINUTE, "default_start_30"),
        (AT - HOUR, "deadline_1h"),
        (AT - HOUR + TICK, "specified"),
    ]


def test_what_is_due_soon_comes_first():
    assert told(timed(REMINDER), dated(DEADLINE, date(2026, 10, 12))) == [("asap", "date_asap"), (AT, "specified")]


def test_nothing_comes_of_nothing():
    assert plan([], LONG_BEFORE, TZ) == ()
    assert plan([Node(START, Precision.UNKNOWN, "改天", "改天开会")], LONG_BEFORE, TZ) == ()


# A specified reminder behind a deadline of the same matter.


@pytest.mark.parametrize(
    ("nodes", "behind"),
    [
        ([timed(DEADLINE), timed(REMINDER, AT + TICK)], True),
        ([timed(REMINDER, AT + HOUR), timed(DEADLINE)], True),
        ([timed(DEADLINE), timed(REMINDER, AT)], False),
        ([timed(DEADLINE), timed(REMINDER, AT - HOUR)], False),
        ([timed(DEADLINE), timed(START, AT + HOUR)], False),
        ([timed(OPEN), timed(REMINDER, AT + HOUR)], False),
        ([dated(DEADLINE), timed(REMINDER, AT)], False),
        ([timed(DEADLINE), dated(REMINDER, date(2026, 10, 14))], False),
        ([timed(DEADLINE, AT + 2 * HOUR), timed(DEADLINE), timed(REMINDER, AT + HOUR)], True),
        ([timed(REMINDER)], False),
        ([], False),
    ],
)
def test_a_reminder_behind_its_deadline_is_noticed(nodes: list[Node], *, behind: bool):
    assert reminder_after_deadline(nodes) is behind
