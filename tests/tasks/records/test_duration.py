"""Timing: sessions to the second, over midnight, over summer time, over crashes and pauses."""

from __future__ import annotations

from datetime import timedelta

import pytest

from zhixing.kernel.errors import BadInput
from zhixing.tasks.journal import Kind
from zhixing.tasks.records.model import Written
from zhixing.tasks.task import until

HOUR = timedelta(hours=1)
MINUTE = timedelta(minutes=1)
SECOND = timedelta(seconds=1)
DAILY = {"target_minutes": 60, "recurring_pattern": {"window": "day"}}
FREE = {"recurring_pattern": {"window": "day"}}
FOREVER = {"recurring_pattern": {"window": "longterm"}}


def once(minutes: int = 60, end: str = "2026-10-12T23:59:59+08:00") -> dict:
    return {"target_minutes": minutes, "expires_at": end}


def spend(ledger, task, start: str, end: str, tz: str = "Asia/Shanghai") -> Written:
    """Have a session from one wall clock to another."""
    ledger.go_to(start, tz)
    ledger.write("start_session", task)
    ledger.go_to(end, tz)
    return ledger.write("end_session", task)


def by_day(ledger, task) -> list[tuple[str, int]]:
    return [(line["date"], line["accumulated_seconds"]) for line in ledger.ask("archives", task)["archives"]]


def test_a_session_has_exact_seconds(ledger):
    task = ledger.task("duration", DAILY)
    ledger.write("start_session", task)
    ledger.clock.advance(timedelta(minutes=12, seconds=34.5))
    ended = ledger.write("end_session", task)
    assert (ended.applied, ended.session_seconds, ended.current, ended.reached) == (True, 754, 754, False)
    shape = ledger.view(task).shape()
    assert shape["sessions"] == [
        {
            "id": "rec1-1",
            "task_id": task.id,
            "start_at": "2026-10-12T10:00:00+08:00",
            "end_at": "2026-10-12T10:12:34.500000+08:00",
            "duration_seconds": 754,
            "archived_at": None,
        }
    ]
    assert shape["record"]["target_minutes"] == 60
    assert shape["derived"] == {
        "kind": "duration",
        "accumulated_minutes_today": 12,
        "accumulated_seconds": 754,
        "target_minutes": 60,
        "remaining_minutes": 48,
        "progress_pct": 754 / 3600,
        "ratio": 754 / 3600,
        "reached": False,
        "reached_at": None,
        "period_start": "2026-10-12T00:00:00+08:00",
        "period_end": "2026-10-13T00:00:00+08:00",
        "active_session_start_at": None,
    }


def test_fractions_of_seconds_add_up(ledger):
    """120 sessions of 29.5 s are 59 minutes, not 58."""
    task = ledger.task("duration", FREE)
    for _ in range(12):
        ledger.write("start_session", task)
        ledger.clock.advance(29.5 * SECOND)
        ledger.write("end_session", task)
    assert ledger.view(task).standing.current == 354


def test_a_session_under_way_counts_up_to_now(ledger):
    task = ledger.task("duration", DAILY)
    ledger.write("start_session", task)
    ledger.clock.advance(25 * MINUTE)
    view = ledger.view(task)
    assert (view.minutes, view.in_flight, view.open_since) == (25, 25 * MINUTE, ledger.wall("10-12 10:00"))
    assert view.shape()["derived"]["active_session_start_at"] == "2026-10-12T10:00:00+08:00"
    assert view.shape()["record"]["active_session_start_at"] == "2026-10-12T10:00:00+08:00"
    assert view.shape()["sessions"] == []


def test_a_session_survives_a_crash(ledger):
    """The process is gone for an hour; the session is the one that began before."""
    task = ledger.task("duration", DAILY)
    ledger.write("start_session", task)
    ledger.clock.advance(HOUR)
    ledger._home.reopen()
    ledger.open()
    assert ledger.view(task).in_flight == HOUR
    assert ledger.write("end_session", task).session_seconds == 3600


def test_a_second_start_leaves_the_first_as_it_is(ledger):
    task = ledger.task("duration", DAILY)
    ledger.write("start_session", task)
    ledger.clock.advance(MINUTE)
    second = ledger.write("start_session", task)
    assert (second.applied, second.why, second.current) == (False, "open", 60)
    assert ledger.view(task).open_since == ledger.wall("10-12 10:00")


def test_an_end_without_a_start_changes_nothing(ledger):
    task = ledger.task("duration", DAILY)
    ended = ledger.write("end_session", task)
    assert (ended.applied, ended.why, ended.session_seconds) == (False, "none_open", None)


@pytest.mark.parametrize("end", ["10-12 10:00:00", "10-12 09:59:59"])
def test_a_session_without_length_is_dropped(ledger, end):
    task = ledger.task("duration", DAILY)
    ledger.write("start_session", task)
    ended = ledger.write("end_session", task, at=end)
    assert (ended.applied, ended.why, ended.session_seconds, ended.current) == (True, "empty", 0, 0)
    assert ledger.view(task).open_since is None
    assert ledger.write("start_session", task).applied


def test_start_and_end_may_be_told_late(ledger):
    task = ledger.task("duration", DAILY)
    ledger.go_to("10-12 12:00")
    ledger.write("start_session", task, at="10-12 10:30")
    assert ledger.view(task).minutes == 90
    assert ledger.write("end_session", task, at="10-12 11:00").session_seconds == 1800


def test_no_time_counts_twice(ledger):
    task = ledger.task("duration", DAILY)
    spend(ledger, task, "10-12 10:00", "10-12 11:00")
    ledger.go_to("10-12 11:30")
    ledger.write("start_session", task, at="10-12 10:30")
    assert ledger.view(task).open_since == ledger.wall("10-12 11:00")
    assert ledger.write("end_session", task, at="10-12 11:30").current == 5400


@pytest.mark.parametrize("operation", ["start_session", "end_session", "reach"])
def test_nothing_is_booked_in_the_future(ledger, operation):
    task = ledger.task("duration", DAILY)
    with pytest.raises(BadInput, match="还没到，不能记在将来"):
        ledger.write(operation, task, at="10-12 10:01:01")
    assert ledger.write("start_session", task, at="10-12 10:01:00").applied
    assert ledger.view(task).in_flight == timedelta()


def test_a_start_twice_under_one_key_opens_one_session(ledger):
    """The handler of a start is tried again after its session has ended: it must not begin another one."""
    task = ledger.task("duration", DAILY)
    ledger.write("start_session", task, key="o1")
    ledger.clock.advance(MINUTE)
    ledger.write("end_session", task, key="o2")
    assert ledger.write("start_session", task, key="o1").why == "again"
    again = ledger.write("end_session", task, key="o2")
    assert (again.applied, again.why, again.session_seconds) == (False, "again", 60)
    assert ledger.view(task).open_since is None
    assert ledger.write("start_session", task, key="o3").applied
    assert ledger.write("start_session", task, key="o4").why == "open"
    ledger.write("end_session", task, key="o5", at="10-12 10:01:00")
    assert ledger.write("start_session", task, key="o4").why == "again"


# Midnight


def test_a_session_over_midnight_is_split_at_midnight(ledger):
    task = ledger.task("duration", DAILY)
    ended = spend(ledger, task, "10-12 23:10", "10-13 00:20")
    assert (ended.session_seconds, ended.current) == (4200, 1200)
    assert by_day(ledger, task) == [("2026-10-12", 3000)]
    assert len(ledger.view(task).sessions) == 1


def test_a_session_that_ends_at_midnight_belongs_to_the_day_before(ledger):
    task = ledger.task("duration", DAILY)
    ended = spend(ledger, task, "10-12 23:00", "10-13 00:00")
    assert (ended.current, ended.reached, ended.first_reached) == (3600, True, True)
    assert ledger.reached == [(task.id, "2026-10-12", ledger.wall("10-13 00:00"))]
    assert ledger.view(task).standing.current == 0


def test_a_session_of_days_fills_the_days_between(ledger):
    task = ledger.task("duration", FREE)
    ledger.go_to("10-12 22:00")
    ledger.write("start_session", task)
    ledger.go_to("10-15 01:30")
    assert by_day(ledger, task) == [("2026-10-14", 86400), ("2026-10-13", 86400), ("2026-10-12", 7200)]
    assert ledger.view(task).standing.current == 5400
    ledger.write("end_session", task)
    assert by_day(ledger, task)[0] == ("2026-10-14", 86400)


def test_a_session_that_ended_during_an_outage_is_booked_to_its_day(ledger):
    task = ledger.task("duration", DAILY)
    ledger.go_to("10-12 22:00")
    ledger.write("start_session", task)
    ledger.go_to("10-14 09:00")
    ended = ledger.write("end_session", task, at="10-12 22:45")
    assert (ended.current, ended.session_seconds) == (2700, 2700)
    assert by_day(ledger, task) == [("2026-10-13", 0), ("2026-10-12", 2700)]
    assert ledger.view(task).standing.current == 0


@pytest.mark.parametrize(
    ("tz", "start", "end", "seconds"),
    [
        ("Asia/Shanghai", "10-12 20:00", "10-13 20:00", [14400, 72000]),
        ("Europe/Paris", "10-24 20:00", "10-25 20:00", [14400, 75600]),  # the day of 25 hours
        ("America/New_York", "10-31 20:00", "11-01 20:00", [14400, 75600]),
    ],
)
def test_on_the_day_of_25_hours_the_time_that_passed_counts(ledger, tz, start, end, seconds):
    task = ledger.task("duration", FREE, tz=tz)
    ended = spend(ledger, task, start, end, tz)
    assert ended.session_seconds == sum(seconds)
    assert [by_day(ledger, task)[0][1], ledger.view(task).standing.current] == seconds


@pytest.mark.parametrize(
    ("tz", "start", "end", "seconds"),
    [
        ("Europe/Paris", "03-28 20:00", "03-29 20:00", [14400, 68400]),
        ("America/New_York", "03-07 20:00", "03-08 20:00", [14400, 68400]),
        ("Asia/Shanghai", "03-28 20:00", "03-29 20:00", [14400, 72000]),
    ],
)
def test_on_the_day_of_23_hours_too(ledger, tz, start, end, seconds):
    ledger.clock.jump(ledger.wall("03-01 10:00") - ledger.clock.now())
    task = ledger.task("duration", FREE, tz=tz)
    ended = spend(ledger, task, start, end, tz)
    assert ended.session_seconds == sum(seconds)
    assert [by_day(ledger, task)[0][1], ledger.view(task).standing.current] == seconds


def test_a_session_over_the_hour_that_happens_twice_lasts_an_hour_longer(ledger):
    task = ledger.task("duration", DAILY, tz="Europe/Paris")
    ended = spend(ledger, task, "10-25 02:30", "10-25 03:30", "Europe/Paris")
    assert ended.session_seconds == 7200


def test_weeks_and_months_are_cut_at_their_own_ends(ledger):
    weekly = ledger.task("duration", {"recurring_pattern": {"window": "week"}})
    monthly = ledger.task("duration", {"recurring_pattern": {"window": "month"}})
    ledger.go_to("10-18 23:00")
    ledger.write("start_session", weekly)
    ledger.go_to("10-19 01:00")
    assert ledger.write("end_session", weekly).current == 3600
    assert by_day(ledger, weekly) == [("2026-10-12", 3600)]
    ledger.go_to("10-31 23:00")
    ledger.write("start_session", monthly)
    ledger.go_to("11-01 01:00")
    assert ledger.write("end_session", monthly).current == 3600
    assert by_day(ledger, monthly) == [("2026-10-01", 3600)]


def test_longterm_never_begins_anew(ledger):
    task = ledger.task("duration", FOREVER)
    spend(ledger, task, "10-12 23:00", "10-13 01:00")
    ledger.go_to("12-31 10:00")
    assert ledger.view(task).minutes == 120
    assert by_day(ledger, task) == []
    assert ledger.view(task).shape()["derived"]["period_end"] is None


def test_what_is_practised_this_week_adds_up_over_the_days(ledger):
    """「这周练琴满 300 分钟」: no pattern, one end; the days do not begin anew."""
    task = ledger.task("duration", once(300, "2026-10-18T23:59:59+08:00"))
    for day in (12, 13, 14):
        spend(ledger, task, f"10-{day} 18:00", f"10-{day} 19:30")
    assert not ledger.view(task).completed
    assert spend(ledger, task, "10-15 18:00", "10-15 18:40").first_reached
    view = ledger.view(task)
    assert (view.completed, view.minutes, view.reached_at) == (True, 310, ledger.wall("10-15 18:30"))
    assert view.shape()["record"]["status"] == "completed"


# The target


def test_the_target_is_at_the_exact_second(ledger):
    task = ledger.task("duration", DAILY)
    assert ledger.ask("target_at", task) is None
    spend(ledger, task, "10-12 10:00:00", "10-12 10:20:30")
    assert ledger.ask("target_at", task) is None
    ledger.go_to("10-12 11:00")
    ledger.write("start_session", task)
    assert ledger.ask("target_at", task) == ledger.wall("10-12 11:39:30")
    ledger.go_to("10-12 11:39:30")
    written = ledger.write("reach", task)
    assert (written.applied, written.first_reached, written.reached, written.current) == (True, True, True, 3600)
    assert ledger.reached == [(task.id, "2026-10-12", ledger.wall("10-12 11:39:30"))]
    assert ledger.ask("target_at", task) is None
    assert ledger.view(task).reached_at == ledger.wall("10-12 11:39:30")


def test_a_target_counts_from_the_real_start(ledger):
    """The rule fired 90 s after the condition began; the target does not wait those 90 s."""
    task = ledger.task("duration", DAILY)
    ledger.go_to("10-12 11:01:30")
    ledger.write("start_session", task, at="10-12 11:00")
    assert ledger.ask("target_at", task) == ledger.wall("10-12 12:00")


def test_a_target_is_reached_once_a_period(ledger):
    task = ledger.task("duration", DAILY)
    ledger.write("start_session", task)
    ledger.go_to("10-12 11:00")
    assert ledger.write("reach", task, key="o1").first_reached
    again = ledger.write("reach", task, key="o2")
    assert (again.applied, again.why, again.first_reached) == (False, "reached", False)
    assert ledger.write("reach", task, key="o1").why == "again"
    ledger.go_to("10-12 12:00")
    assert not ledger.write("end_session", task).first_reached
    assert len(ledger.reached) == 1


@pytest.mark.parametrize("at", ["10-12 10:59:59", "10-12 10:30:00"])
def test_a_target_is_not_reached_before_it_is(ledger, at):
    task = ledger.task("duration", DAILY)
    ledger.write("start_session", task)
    ledger.go_to("10-12 10:59:59")
    written = ledger.write("reach", task, at=at)
    assert (written.applied, written.why, written.reached) == (False, "short", False)
    assert ledger.reached == []


def test_without_a_target_nothing_is_reached(ledger):
    task = ledger.task("duration", FREE)
    ledger.write("start_session", task)
    ledger.clock.advance(HOUR)
    assert ledger.ask("target_at", task) is None
    assert ledger.write("reach", task).why == "short"


def test_a_session_that_ends_past_the_target_reached_it_when_it_did(ledger):
    task = ledger.task("duration", DAILY)
    ended = spend(ledger, task, "10-12 10:00", "10-12 11:30")
    assert ended.first_reached
    assert ledger.reached == [(task.id, "2026-10-12", ledger.wall("10-12 11:00"))]
    told = [entry.data for entry in ledger.entries(task) if entry.kind is Kind.TARGET_REACHED]
    assert told == [{"record": "rec1", "day": "2026-10-12", "at": "2026-10-12T03:00:00+00:00", "target": 60}]


def test_a_session_over_midnight_may_reach_two_targets(ledger):
    task = ledger.task("duration", DAILY)
    ended = spend(ledger, task, "10-12 22:00", "10-13 02:00")
    assert ended.first_reached
    assert [(day, at) for _, day, at in ledger.reached] == [
        ("2026-10-12", ledger.wall("10-12 23:00")),
        ("2026-10-13", ledger.wall("10-13 01:00")),
    ]


def test_the_target_of_the_next_day_is_told_at_midnight(ledger):
    task = ledger.task("duration", DAILY)
    ledger.go_to("10-12 23:40")
    ledger.write("start_session", task)
    assert ledger.ask("target_at", task) is None  # not within this day
    assert ledger.renewed == [task.id]
    ledger.go_to("10-13 00:00")
    ledger.engine.drain()
    assert ledger.renewed == [task.id] * 2
    assert ledger.ask("target_at", task) == ledger.wall("10-13 01:00")
    ledger.go_to("10-14 00:00")
    ledger.engine.drain()
    assert ledger.renewed == [task.id] * 3


def test_midnight_is_no_matter_where_no_session_runs(ledger):
    task = ledger.task("duration", DAILY)
    spend(ledger, task, "10-12 10:00", "10-12 10:20")
    ledger.renewed.clear()
    ledger.go_to("10-13 00:01")
    ledger.engine.drain()
    ledger.go_to("10-14 00:01")
    ledger.engine.drain()
    assert ledger.renewed == []


def test_many_sessions_have_one_job_at_midnight(ledger):
    task = ledger.task("duration", DAILY)
    for _ in range(5):
        ledger.write("start_session", task)
        ledger.clock.advance(MINUTE)
        ledger.write("end_session", task)
    with ledger.store.read() as tx:
        assert tx.row("SELECT count(*) FROM jobs WHERE name = 'record.period'") == (1,)


def test_a_session_started_behind_a_midnight_that_was_settled_is_looked_after(ledger):
    task = ledger.task("duration", DAILY)
    spend(ledger, task, "10-12 10:00", "10-12 10:20")
    ledger.go_to("10-13 00:01")
    ledger.engine.drain()
    ledger.write("start_session", task, at="10-12 23:58")
    ledger.renewed.clear()
    ledger.go_to("10-14 00:00")
    ledger.engine.drain()
    assert ledger.renewed == [task.id]


def test_the_new_period_waits_for_a_clock_that_was_put_back(steady, clock):
    task = steady.task("duration", DAILY)
    steady.go_to("10-12 23:40")
    steady.write("start_session", task)
    steady.go_to("10-13 00:00")
    run = steady.engine
    steady.renewed.clear()
    clock.jump(-MINUTE)
    run.drain()
    assert steady.renewed == []
    clock.advance(2 * MINUTE)
    run.drain()
    assert steady.renewed == [task.id]


def test_a_target_of_a_whole_day_is_reached_at_its_end(ledger):
    task = ledger.task("duration", {"target_minutes": 1440, "recurring_pattern": {"window": "day"}})
    ledger.go_to("10-13 00:00")
    ledger.write("start_session", task)
    assert ledger.ask("target_at", task) == ledger.wall("10-14 00:00")
    ledger.go_to("10-14 00:00")
    assert ledger.write("reach", task).first_reached
    assert ledger.reached == [(task.id, "2026-10-13", ledger.wall("10-14 00:00"))]


def test_a_target_that_passed_unnoticed_is_still_named(ledger):
    task = ledger.task("duration", DAILY)
    ledger.write("start_session", task)
    ledger.go_to("10-12 15:00")
    assert ledger.ask("target_at", task) == ledger.wall("10-12 11:00")
    assert ledger.write("reach", task).first_reached
    assert ledger.view(task).reached_at == ledger.wall("10-12 11:00")


def test_a_late_reach_goes_to_the_day_it_was_in(ledger):
    """The process was down from 22:30 to 00:30, and the target fell into that."""
    task = ledger.task("duration", DAILY)
    ledger.go_to("10-12 22:00")
    ledger.write("start_session", task)
    ledger.go_to("10-13 00:30")
    assert ledger.ask("target_at", task) == ledger.wall("10-12 23:00")
    assert ledger.write("reach", task, at="10-12 23:00").first_reached
    assert ledger.reached == [(task.id, "2026-10-12", ledger.wall("10-12 23:00"))]
    assert ledger.ask("target_at", task) == ledger.wall("10-13 01:00")


def test_a_lower_target_moves_the_instant(ledger):
    task = ledger.task("duration", DAILY)
    ledger.write("start_session", task)
    ledger.renewed.clear()
    ledger.do("update", task, {"target_minutes": 30})
    assert ledger.renewed == [task.id]
    assert ledger.ask("target_at", task) == ledger.wall("10-12 10:30")
    ledger.go_to("10-12 10:40")
    ledger.do("update", task, {"target_minutes": 20})
    assert ledger.reached == []  # of a session under way the rule tells, with its own instant
    assert ledger.ask("target_at", task) == ledger.wall("10-12 10:20")


def test_a_lower_target_is_reached_at_once_where_no_session_runs(ledger):
    task = ledger.task("duration", DAILY)
    spend(ledger, task, "10-12 10:00", "10-12 10:40")
    ledger.do("update", task, {"target_minutes": 30})
    assert ledger.reached == [(task.id, "2026-10-12", ledger.wall("10-12 10:40"))]


def test_taking_the_target_away_leaves_nothing_to_reach(ledger):
    task = ledger.task("duration", DAILY)
    ledger.write("start_session", task)
    ledger.do("update", task, {"target_minutes": None})
    assert ledger.ask("target_at", task) is None
    ledger.clock.advance(2 * HOUR)
    assert not ledger.write("end_session", task).first_reached
    assert ledger.derived(task)["remaining_minutes"] is None


# Pauses and ends


@pytest.mark.parametrize("operation", ["pause", "complete", "delete"])
def test_a_task_that_stops_being_active_ends_its_session_at_once(ledger, operation):
    task = ledger.task("duration", DAILY)
    ledger.write("start_session", task)
    ledger.clock.advance(10 * MINUTE)
    after = ledger.change(operation, task)
    ledger.clock.advance(HOUR)
    view = ledger.view(task)
    assert (view.minutes, view.open_since) == (10, None)
    told = [entry for entry in ledger.entries(task) if entry.kind is Kind.RECORDED][-1]
    assert (told.why, told.data["action"]) == (after.status.value, "end")


def test_time_of_a_pause_never_counts(ledger):
    task = ledger.task("duration", DAILY)
    ledger.write("start_session", task)
    ledger.clock.advance(10 * MINUTE)
    ledger.change("pause", task)
    ledger.clock.advance(HOUR)
    assert ledger.write("end_session", task).why == "paused"
    ledger.change("resume", task)
    assert ledger.ask("target_at", task) is None
    assert ledger.write("end_session", task).why == "none_open"
    ledger.write("start_session", task)
    ledger.clock.advance(5 * MINUTE)
    assert ledger.write("end_session", task).current == 900


def test_a_target_that_a_pause_shows_to_be_reached_is_told_by_the_next_write(ledger):
    task = ledger.task("duration", DAILY)
    ledger.write("start_session", task)
    ledger.go_to("10-12 11:30")
    ledger.change("pause", task)
    assert ledger.reached == []
    assert ledger.view(task).reached_at == ledger.wall("10-12 11:00")
    ledger.change("resume", task)
    ledger.write("start_session", task)
    assert ledger.ask("target_at", task) == ledger.wall("10-12 11:30")
    ledger.clock.advance(MINUTE)
    assert ledger.write("end_session", task).first_reached
    assert ledger.reached == [(task.id, "2026-10-12", ledger.wall("10-12 11:00"))]


def test_a_task_that_is_already_paused_is_deleted_without_ado(ledger):
    task = ledger.task("duration", DAILY)
    ledger.write("start_session", task)
    ledger.clock.advance(MINUTE)
    ledger.change("pause", task)
    ledger.clock.advance(MINUTE)
    ledger.change("delete", task)
    assert ledger.view(task).standing.current == 60


def test_a_task_without_a_record_may_be_paused(ledger):
    task = ledger.task("duration", DAILY)
    ledger.do("remove", task)
    ledger.change("pause", task)
    assert ledger.ask("target_at", task) is None
    assert ledger.ask("find", task) is None


def test_the_end_of_a_task_that_comes_late_counts_no_minute_more(ledger):
    """The task ended at 12:00 while nothing ran; its expiry was carried out at 15:00."""
    task = ledger.task("duration", DAILY, life=until(ledger.wall("10-12 12:00")))
    ledger.go_to("10-12 11:30")
    ledger.write("start_session", task)
    ledger.go_to("10-12 15:00")
    assert ledger.view(task).minutes == 30
    ledger.engine.drain()
    view = ledger.view(task)
    assert (view.minutes, view.open_since, view.sessions[0].end) == (30, None, ledger.wall("10-12 12:00"))


def test_after_the_end_of_the_record_an_end_changes_nothing_and_no_time_is_added(ledger):
    task = ledger.task("duration", once(60, "2026-10-12T12:00:00+08:00"))
    ledger.go_to("10-12 11:30")
    ledger.write("start_session", task)
    assert ledger.ask("target_at", task) is None  # it would be at 12:30
    ledger.go_to("10-12 13:00")
    assert ledger.view(task).minutes == 30
    ended = ledger.write("end_session", task)
    assert (ended.applied, ended.why, ended.current) == (False, "ended", 1800)
    assert ledger.write("start_session", task).why == "ended"
    assert ledger.view(task).open_since is None


def test_an_end_before_the_record_ended_may_be_told_after_it(ledger):
    task = ledger.task("duration", once(60, "2026-10-12T12:00:00+08:00"))
    ledger.go_to("10-12 11:30")
    ledger.write("start_session", task)
    ledger.go_to("10-12 12:00:30")
    ended = ledger.write("end_session", task, at="10-12 11:50")
    assert (ended.applied, ended.session_seconds) == (True, 1200)


def test_a_later_end_does_not_bring_back_the_time_between(ledger):
    task = ledger.task("duration", once(60, "2026-10-12T12:00:00+08:00"))
    ledger.go_to("10-12 11:30")
    ledger.write("start_session", task)
    ledger.go_to("10-12 13:00")
    ledger.do("update", task, {"expires_at": "2026-10-12T20:00:00+08:00"})
    ledger.go_to("10-12 14:00")
    assert ledger.view(task).minutes == 30


def test_a_record_that_is_removed_ends_its_session(ledger):
    task = ledger.task("duration", DAILY)
    ledger.write("start_session", task)
    ledger.renewed.clear()
    ledger.do("remove", task)
    assert ledger.renewed == [task.id]
    ledger.go_to("10-13 00:01")
    ledger.engine.drain()
    assert ledger.renewed == [task.id]
