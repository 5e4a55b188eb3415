"""What repeats, in the calendar feed: read back, and expanded by another implementation of RFC 5545."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from itertools import takewhile
from zoneinfo import ZoneInfo

import pytest
from dateutil.rrule import rrulestr
from hypothesis import given
from hypothesis import strategies as st
from icalendar import Calendar as Feed

from zhixing.kernel.moments import parse_instant
from zhixing.language.repeats import LAST
from zhixing.notices.feed import CalendarFeed
from zhixing.notices.model import NodeKind, Precision, SeriesPlan
from zhixing.notices.recurrence import MOST_SINGLES, recurrences, singles
from zhixing.notices.series import Series
from zhixing.tasks.schedule import days
from zhixing.tasks.schedule.calendar import Calendar
from zhixing.tasks.schedule.model import Action, Every, Schedule

NOW = parse_instant("2026-10-12T10:00:00+08:00")
HOME = ZoneInfo("Asia/Shanghai")
EIGHT = time(8)


def series(trigger, *, precision=Precision.MINUTE, zone="Asia/Shanghai", done=()):
    schedule = Schedule("s1", "t1", "repeat", trigger, zone, Action("x"), NOW)
    plan = SeriesPlan(trigger.expression, None, NodeKind.REMINDER, precision, "specified")
    return Series(1, "x", plan, 2, NOW, schedule, frozenset(done))


def written(rule):
    """Write a rule as the feed does, for the other implementation; times are bare readings of the wall clock."""
    parts = []
    for name, values in rule.items():
        texts = [
            (one.astimezone(HOME) if isinstance(one, datetime) else one).strftime("%Y%m%dT%H%M%S")
            if isinstance(one, date)
            else str(one)
            for one in values
        ]
        parts.append(f"{name}={','.join(texts)}")
    return ";".join(parts)


def expanded(recurrence, end):
    start = recurrence.start.replace(tzinfo=None)
    left_out = {one.replace(tzinfo=None) for one in recurrence.left_out}
    coming = takewhile(lambda one: one < end, rrulestr(written(recurrence.rule), dtstart=start))
    return [one for one in coming if one not in left_out]


ANCHOR = date(2026, 10, 12)
RULES = st.one_of(
    st.builds(days.EveryDays, st.just(ANCHOR), st.integers(1, 9)),
    st.builds(
        days.EveryWeeks,
        st.sets(st.integers(1, 7), min_size=1).map(lambda found: tuple(sorted(found))),
        st.just(ANCHOR),
        st.integers(1, 4),
    ),
    st.builds(
        days.EveryMonths,
        st.sets(st.integers(1, 31), min_size=1, max_size=3).map(lambda found: tuple(sorted(found))),
        st.just(ANCHOR),
        st.integers(1, 5),
    ),
    st.just(days.EveryMonths((LAST,), ANCHOR)),
    st.builds(days.MonthlyWeekday, st.sampled_from([1, 2, 3, 4, 5, LAST]), st.integers(1, 7)),
    st.builds(days.EveryYear, st.integers(1, 12), st.integers(1, 29)),
)
BOUNDS = st.one_of(
    st.just({}),
    st.builds(lambda last: {"last": last}, st.dates(date(2026, 11, 1), date(2028, 1, 1))),
    st.builds(lambda count: {"first": datetime(2026, 10, 13), "count": count}, st.integers(1, 40)),
)


@given(RULES, BOUNDS, st.sets(st.dates(date(2026, 10, 12), date(2026, 12, 31)), max_size=3))
def test_a_rule_gives_just_the_times_of_the_series(rule, bounds, left_out):
    trigger = Calendar(rule, (EIGHT, time(20, 30)), left_out=frozenset(left_out), **bounds)
    end = datetime(2029, 1, 1)
    begun = NOW.astimezone(HOME).replace(tzinfo=None)
    found = recurrences(series(trigger))
    assert found is not None
    times = sorted(one for each in found for one in expanded(each, end))
    assert times == list(takewhile(lambda one: one < end, trigger.readings(begun)))


def test_the_wall_clock_of_the_zone_is_kept():
    (found,) = recurrences(series(Calendar(days.EveryDays(ANCHOR), (EIGHT,)), zone="Europe/Berlin")) or ()
    assert found.start == datetime(2026, 10, 12, 8, tzinfo=ZoneInfo("Europe/Berlin"))


def test_each_time_of_the_day_has_a_rule_of_its_own():
    found = recurrences(series(Calendar(days.EveryDays(ANCHOR), (EIGHT, time(20, 30)))))
    assert [one.key for one in found or ()] == ["0800", "2030"]


def test_an_alarm_comes_as_long_before_as_was_said():
    (found,) = recurrences(series(Calendar(days.EveryDays(ANCHOR), (EIGHT,), lead=30))) or ()
    assert found.alarm == timedelta(minutes=-30)


def test_a_bare_day_repeats_as_a_whole_day_and_is_told_at_its_hour():
    trigger = Calendar(days.EveryMonths((1,), ANCHOR), (time(9),), last=date(2027, 3, 1))
    (found,) = recurrences(series(trigger, precision=Precision.DATE)) or ()
    assert (found.start, found.alarm) == (date(2026, 11, 1), timedelta(hours=9))
    assert found.rule["UNTIL"] == [date(2027, 3, 1)]


def test_what_was_done_ahead_does_not_come_any_more():
    due = datetime(2026, 10, 14, 0, 0, tzinfo=UTC)
    (found,) = recurrences(series(Calendar(days.EveryDays(ANCHOR), (EIGHT,)), done=(due,))) or ()
    assert found.left_out == (datetime(2026, 10, 14, 8, tzinfo=HOME),)


def test_what_ended_ends_there_also_where_it_was_counted():
    trigger = Calendar(days.EveryDays(ANCHOR), (EIGHT,), first=datetime(2026, 10, 13), count=10)
    (found,) = recurrences(series(trigger), NOW + timedelta(days=3)) or ()
    assert "COUNT" not in found.rule
    assert found.rule["UNTIL"] == [(NOW + timedelta(days=3)).astimezone(UTC)]


def test_what_ended_before_it_began_has_no_rule():
    assert recurrences(series(Calendar(days.EveryDays(ANCHOR), (EIGHT,))), NOW) == ()


@pytest.mark.parametrize(
    "rule",
    [days.EveryLunar(8, (15,)), days.StatutoryDays(days.Statute.WORKDAY), days.StatutoryDays(days.Statute.HOLIDAY)],
)
def test_tables_have_no_rule(rule):
    assert recurrences(series(Calendar(rule, (EIGHT,)))) is None


def test_statutory_working_days_are_named_for_sixty_days():
    work = series(Calendar(days.StatutoryDays(days.Statute.WORKDAY), (EIGHT,)))
    found = singles(work, NOW)
    assert found[0] == datetime(2026, 10, 13, 0, 0, tzinfo=UTC)
    assert NOW + timedelta(days=55) < found[-1] < NOW + timedelta(days=61)
    assert all(one.astimezone(HOME).isoweekday() <= 5 for one in found)


def test_an_interval_of_minutes_is_named_and_bounded():
    often = series(Every(60, NOW))
    assert recurrences(often) is None
    assert len(singles(often, NOW)) == MOST_SINGLES


def test_an_interval_of_days_is_a_rule_of_elapsed_time():
    (found,) = recurrences(series(Every(172_800, NOW))) or ()
    assert (found.rule, found.start) == (
        {"FREQ": ["DAILY"], "INTERVAL": [2]},
        (NOW + timedelta(days=2)).astimezone(UTC),
    )


def test_a_day_that_was_left_out_is_not_named():
    trigger = Calendar(days.StatutoryDays(days.Statute.WORKDAY), (EIGHT,))
    without = replace(trigger, left_out=frozenset((date(2026, 10, 13),)))
    assert singles(series(without), NOW) == singles(series(trigger), NOW)[1:]


# In a house


def events(house):
    feed = Feed.from_ical(CalendarFeed(house.app.store, house.clock).read())
    return feed, feed.walk("VEVENT")


def test_what_repeats_is_one_event_with_a_rule_and_an_alarm(house):
    notice = house.say("每周三下午3点开会")
    feed, (event,) = events(house)
    assert event.to_ical().decode().count("RRULE:FREQ=WEEKLY;BYDAY=WE;WKST=MO") == 1
    assert b"DTSTART;TZID=Asia/Shanghai:20261014T150000" in event.to_ical()
    (alarm,) = event.walk("VALARM")
    assert alarm.decoded("trigger") == timedelta(minutes=-30)
    assert str(event["uid"]).startswith(f"{notice.task.id}.s1500@")
    assert [zone["tzid"] for zone in feed.walk("VTIMEZONE")] == ["Asia/Shanghai"]


def test_a_day_left_out_is_an_exception(house):
    notice = house.say("每周三下午3点开会")
    house.app.repeating.skip(notice.task.id, date(2026, 10, 21), who="test")
    _, (event,) = events(house)
    assert b"EXDATE;TZID=Asia/Shanghai:20261021T150000" in event.to_ical()


def test_the_last_day_of_the_month_can_be_said(house):
    house.say("每月最后一天交房租")
    _, (event,) = events(house)
    assert event["rrule"]["BYMONTHDAY"] == [-1]
    assert event.decoded("dtstart") == date(2026, 10, 31)


def test_lunar_and_statutory_days_are_events_of_their_own_with_lasting_names(house):
    house.say("法定工作日早上8点提醒我打卡")
    _, found = events(house)
    assert len(found) > 35
    assert all("rrule" not in event for event in found)
    before = {str(event["uid"]) for event in found}
    assert len(before) == len(found)
    house.let_pass(timedelta(days=1))
    after = {str(event["uid"]) for event in events(house)[1]}
    assert len(before - after) <= 1


def test_a_series_that_is_over_ends_in_the_calendar(house):
    notice = house.say("每天早上8点提醒我吃药")
    house.let_pass(timedelta(days=2))
    house.change(notice, "complete")
    _, (event,) = events(house)
    assert event["rrule"]["UNTIL"][0] <= house.clock.now()
    assert not event.walk("VALARM")


def test_a_deleted_series_is_cancelled(house):
    notice = house.say("每天早上8点提醒我吃药")
    house.change(notice, "delete")
    _, (event,) = events(house)
    assert event["status"] == "CANCELLED"
