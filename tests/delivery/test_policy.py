"""When a message may go, without a database, a network or a clock."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zhixing.delivery.model import Message, MessageState, Timing
from zhixing.delivery.policy import FREE, Go, Hold, Policy, Quiet, decide, may_join, read_quiet

SHANGHAI = ZoneInfo("Asia/Shanghai")
BERLIN = ZoneInfo("Europe/Berlin")
NIGHT = Quiet(time(22), time(7), SHANGHAI)
NOON = datetime(2026, 10, 12, 12, 0, tzinfo=SHANGHAI)
CHOSEN = Message(
    id="m2",
    key="o1:phone",
    channel="phone",
    task_id="t1",
    occurrence_id="o1",
    title="交作业",
    text="今晚截止",
    due_at=NOON,
    told_at=NOON,
    state=MessageState.PENDING,
    next_try_at=NOON,
)
NAMED = replace(CHOSEN, timing=Timing.NAMED)


def at(text, zone=SHANGHAI, fold=0):
    return datetime.fromisoformat(text).replace(tzinfo=zone, fold=fold).astimezone(UTC)


def minutes_ago(*minutes):
    return [NOON - timedelta(minutes=each) for each in minutes]


# Quiet hours


@pytest.mark.parametrize(
    ("now", "until"),
    [
        ("2026-10-12 21:59:59", None),
        ("2026-10-12 22:00", "2026-10-13 07:00"),
        ("2026-10-13 00:00", "2026-10-13 07:00"),
        ("2026-10-13 06:59:59", "2026-10-13 07:00"),
        ("2026-10-13 07:00", None),
        ("2026-10-13 12:00", None),
    ],
)
def test_a_night_begins_with_its_first_instant_and_ends_before_its_last(now, until):
    assert NIGHT.until(at(now)) == (at(until) if until else None)


def test_a_stretch_inside_one_day_is_one_too():
    nap = Quiet(time(12, 30), time(14), SHANGHAI)

    assert nap.until(at("2026-10-12 13:00")) == at("2026-10-12 14:00")
    assert nap.until(at("2026-10-12 23:00")) is None


def test_the_hours_are_those_of_the_home_whatever_zone_now_comes_in():
    assert NIGHT.until(datetime(2026, 10, 12, 15, 0, tzinfo=UTC)) == at("2026-10-13 07:00")


def test_an_end_that_the_clocks_skip_is_the_first_instant_behind_the_gap():
    quiet = Quiet(time(22), time(2, 30), BERLIN)

    assert quiet.until(at("2027-03-28 01:59", BERLIN)) == at("2027-03-28 03:00", BERLIN)
    assert quiet.until(at("2027-03-28 03:10", BERLIN)) is None


def test_an_end_that_comes_twice_is_over_at_its_first_coming():
    quiet = Quiet(time(22), time(2, 30), BERLIN)

    assert quiet.until(at("2026-10-25 02:10", BERLIN)) == at("2026-10-25 02:30", BERLIN)
    assert quiet.until(at("2026-10-25 02:10", BERLIN, fold=1)) is None


def test_a_night_with_a_change_of_clocks_in_it_ends_at_its_hour():
    quiet = Quiet(time(22), time(7), BERLIN)

    assert quiet.until(at("2026-10-24 23:00", BERLIN)) == at("2026-10-25 07:00", BERLIN)
    assert quiet.until(at("2027-03-27 23:00", BERLIN)) == at("2027-03-28 07:00", BERLIN)


@given(
    st.datetimes(datetime(2026, 1, 1), datetime(2028, 1, 1), timezones=st.just(UTC)),
    st.times(),
    st.times(),
    st.sampled_from([SHANGHAI, BERLIN, ZoneInfo("Australia/Lord_Howe"), ZoneInfo("America/St_Johns")]),
)
def test_what_is_held_is_held_for_a_bounded_time_and_not_held_again(now, start, end, zone):
    quiet = Quiet(start.replace(tzinfo=None), end.replace(tzinfo=None), zone)

    until = quiet.until(now) if start != end else None

    if until is not None:
        assert now < until <= now + timedelta(hours=26)
        assert quiet.until(until) is None


@pytest.mark.parametrize("text", ["22:00-07:00", " 22:00 – 7:00 ", "22:00~07:00"])
def test_a_stretch_is_read_as_people_write_it(text):
    assert read_quiet(text) == (time(22), time(7))


def test_what_we_chose_waits_for_the_end_and_what_the_user_named_goes_and_says_so():
    policy, night = Policy(NIGHT), at("2026-10-12 23:00")

    assert decide(policy, CHOSEN, night, []) == Hold(at("2026-10-13 07:00"), "held_quiet")
    assert decide(policy, NAMED, night, []) == Go("named_in_quiet")
    assert decide(policy, NAMED, NOON, []) == Go()
    assert may_join(policy, NAMED, night)
    assert not may_join(policy, CHOSEN, night)
    assert may_join(policy, CHOSEN, NOON)


# The hour's limit


def test_without_a_policy_everything_goes():
    assert decide(FREE, CHOSEN, NOON, minutes_ago(*range(50))) == Go()


def test_below_the_limit_messages_go_one_by_one_and_the_last_place_takes_all():
    policy = Policy(per_hour=3)

    assert decide(policy, CHOSEN, NOON, []) == Go()
    assert decide(policy, CHOSEN, NOON, minutes_ago(5)) == Go()
    assert decide(policy, CHOSEN, NOON, minutes_ago(5, 10)) == Go(together=True)


@pytest.mark.parametrize("message", [CHOSEN, NAMED])
def test_over_the_limit_a_message_waits_until_the_oldest_is_an_hour_ago(message):
    found = decide(Policy(per_hour=2), message, NOON, minutes_ago(5, 20))

    assert found == Hold(NOON + timedelta(minutes=40), "held_limit")


def test_what_is_an_hour_ago_does_not_count_any_more():
    assert decide(Policy(per_hour=1), CHOSEN, NOON, minutes_ago(60)) == Go(together=True)


def test_quiet_hours_come_before_the_limit():
    night = at("2026-10-12 23:00")

    assert decide(Policy(NIGHT, 1), CHOSEN, night, [night]) == Hold(at("2026-10-13 07:00"), "held_quiet")
