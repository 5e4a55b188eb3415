"""Schedules in motion: ticks, runs, pauses and crashes, on both databases and with restarts in between.

The clock starts on Monday, 12 October 2026, at 10:00 in Shanghai.
"""

from __future__ import annotations

from datetime import timedelta

import pytest

from zhixing.engine.model import JobState
from zhixing.kernel.errors import BadInput, Conflict, NotFound, TooLarge
from zhixing.kernel.moments import parse_instant, zone
from zhixing.tasks import occurrences
from zhixing.tasks.journal import Kind
from zhixing.tasks.occurrence import OccurrenceState
from zhixing.tasks.schedule import store as schedules
from zhixing.tasks.schedule.expression import parse_expression
from zhixing.tasks.schedule.model import Action, Missed, Overlap, ScheduleState
from zhixing.tasks.schedule.next import next_due
from zhixing.tasks.scheduling import MAX_SCHEDULES

HOUR, DAY, MINUTE, SECOND = timedelta(hours=1), timedelta(days=1), timedelta(minutes=1), timedelta(seconds=1)


def test_a_schedule_acts_at_its_instant_and_not_before(office, clock):
    task = office.add_task()
    office.add(task, "30 10 * * *")
    clock.advance(30 * MINUTE - SECOND)
    office.drain()
    assert office.said(task) == []
    clock.advance(SECOND)
    office.drain()
    assert office.said(task) == ["10-12 10:30 done"]
    office.drain()
    assert office.told == ["2026-10-12T02:30:00+00:00"]


def test_a_schedule_goes_on_day_after_day(office, clock):
    task = office.add_task()
    office.add(task, "0 1,10 * * 1-5")
    for _ in range(14):
        clock.advance(9 * HOUR)
        office.drain()
    days = (13, 14, 15, 16)
    assert office.said(task) == [f"10-{day} {hour}:00 done" for day in days for hour in ("01", "10")]


def test_every_keeps_its_grid_when_ticks_are_late(office, clock):
    task = office.add_task()
    office.add(task, "every 90s")
    for late in (5, 20, 0):
        clock.advance(timedelta(seconds=90 + late))
        office.drain()
    assert [f"{row.due:%M:%S}" for row in office.rows(task)] == ["01:30", "03:00", "04:30"]


def test_an_at_acts_once_and_the_schedule_ends(office, clock):
    task = office.add_task()
    schedule = office.add(task, "at 2026-10-12T10:15:00+08:00")
    clock.advance(DAY)
    office.drain()
    clock.advance(DAY)
    office.drain()
    assert office.said(task) == ["10-12 10:15 done"]
    with office.store.read() as tx:
        assert schedules.get(tx, schedule.id).state is ScheduleState.ENDED


@pytest.mark.parametrize(("ago", "told"), [(timedelta(0), 1), (timedelta(seconds=60), 1)])
def test_an_at_that_has_just_passed_acts_at_once(office, clock, ago, told):
    task = office.add_task()
    office.add(task, f"at {(clock.now() - ago).isoformat()}")
    office.drain()
    assert len(office.told) == told


def test_an_at_in_the_past_is_refused(office):
    task = office.add_task()
    with pytest.raises(BadInput, match="2026-10-12T09:58:59\\+08:00 已经过去了"):
        office.add(task, "at 2026-10-12T01:58:59Z")
    assert office.said(task) == []


def test_the_work_is_told_what_it_is_for(steady_office, clock):
    task = steady_office.add_task()
    schedule = steady_office.add(task, "30 10 * * *", action=Action("tell", {"text": "喝水", "task": "别的"}))
    steady_office.busy = True
    clock.advance(30 * MINUTE)
    steady_office.drain()
    (row,) = steady_office.rows(task)
    with steady_office.store.read() as tx:
        job = steady_office.engine.get(tx, row.id).job
    assert job.payload == {
        "text": "喝水", "occurrence": row.id, "task": task.id, "part": "daily", "due": "2026-10-12T02:30:00+00:00",
    }  # fmt: skip
    assert job.lane == f"run:{schedule.id}"


def test_the_journal_tells_the_whole_story(office, clock):
    task = office.add_task()
    office.add(task, "30 10 * * *")
    clock.advance(30 * MINUTE + SECOND)
    office.drain()
    told = office.entries(task)
    assert [entry.kind for entry in told] == [
        Kind.CREATED,
        Kind.SCHEDULED,
        Kind.OCCURRENCE_CLAIMED,
        Kind.OCCURRENCE_DONE,
    ]
    assert told[1].data["expression"] == "30 10 * * *"
    assert told[1].data["zone"] == "Asia/Shanghai"
    assert told[2].data["late_seconds"] == 1.0
    assert [entry.seq for entry in told] == [1, 2, 3, 4]


# Missed


@pytest.mark.parametrize(
    ("missed", "expected"),
    [
        (Missed.ONCE, ["10-14 09:00 missed coalesced 2", "10-15 09:00 done"]),
        (Missed.SKIP, ["10-15 09:00 missed not_wanted 3"]),
        (Missed.ALL, ["10-13 09:00 done", "10-14 09:00 done", "10-15 09:00 done"]),
    ],
)
def test_after_three_days_of_silence(office, clock, missed, expected):
    task = office.add_task()
    office.add(task, "0 9 * * *", missed=missed)
    clock.advance(3 * DAY)
    office.restart()
    office.drain()
    assert office.said(task) == expected
    assert office.told == sorted(office.told)
    clock.advance(DAY)
    office.drain()
    assert office.said(task)[-1] == f"10-16 09:00 {'missed not_wanted' if missed is Missed.SKIP else 'done'}"


def test_what_passed_too_long_ago_is_recorded_and_not_run(office, clock):
    task = office.add_task()
    office.add(task, "at 2026-10-12T12:00:00+08:00")
    clock.advance(26 * HOUR + SECOND)
    office.drain()
    assert office.said(task) == ["10-12 12:00 missed too_late"]
    assert office.told == []


def test_a_night_of_seconds_is_one_run_and_one_row(office, clock):
    task = office.add_task()
    office.add(task, "every 1s")
    clock.advance(8 * HOUR)
    office.drain()
    assert office.said(task) == ["10-12 17:59 missed coalesced 28799", "10-12 18:00 done"]
    missed = next(entry for entry in office.entries(task) if entry.kind is Kind.OCCURRENCE_MISSED)
    assert missed.data["first"] == "2026-10-12T02:00:01+00:00"
    assert missed.data["at_least"] is False


# Overlap


def begin_a_long_run(office, clock, overlap: Overlap):
    task = office.add_task()
    office.add(task, "*/10 * * * *", overlap=overlap)
    office.busy = True
    clock.advance(10 * MINUTE)
    office.drain()
    assert office.said(task) == ["10-12 10:10 running"]
    for _ in range(2):
        clock.advance(10 * MINUTE)
        office.drain()
    return task


def test_while_a_run_goes_on_the_next_ones_are_skipped(office, clock):
    task = begin_a_long_run(office, clock, Overlap.SKIP)
    assert office.said(task) == ["10-12 10:10 running", "10-12 10:20 skipped overlap", "10-12 10:30 skipped overlap"]
    office.busy = False
    for _ in range(2):
        clock.advance(5 * MINUTE)
        office.drain()
    assert office.said(task)[0] == "10-12 10:10 done"
    assert office.said(task)[-1] == "10-12 10:40 done"


def test_while_a_run_goes_on_one_waits_and_then_runs(office, clock):
    task = begin_a_long_run(office, clock, Overlap.QUEUE)
    assert office.said(task) == ["10-12 10:10 running", "10-12 10:20 due", "10-12 10:30 skipped queue_full"]
    office.busy = False
    clock.advance(MINUTE)
    office.drain()
    assert office.said(task) == ["10-12 10:10 done", "10-12 10:20 done", "10-12 10:30 skipped queue_full"]
    assert office.told == ["2026-10-12T02:10:00+00:00", "2026-10-12T02:20:00+00:00"]


def test_runs_may_go_on_side_by_side(office, clock):
    task = begin_a_long_run(office, clock, Overlap.PARALLEL)
    assert office.said(task) == ["10-12 10:10 running", "10-12 10:20 running", "10-12 10:30 running"]


# Pause, complete, delete


@pytest.mark.parametrize(
    ("stop", "start", "reason"),
    [("pause", "resume", "paused"), ("complete", "restore", "completed"), ("delete", "restore", "deleted")],
)
@pytest.mark.parametrize("overlap", [Overlap.QUEUE, Overlap.PARALLEL])
def test_stopping_a_task_cancels_what_is_pending_at_once(
    office, clock, *, stop: str, start: str, reason: str, overlap: Overlap
):
    task = begin_a_long_run(office, clock, overlap)
    office.busy = False
    office.do(stop, task)
    stopped = [row for row in office.rows(task) if row.state is OccurrenceState.CANCELLED]
    assert len(stopped) == (2 if overlap is Overlap.QUEUE else 3)
    assert {row.reason for row in stopped} == {reason}
    assert office.pending() == []
    clock.advance(30 * MINUTE)
    office.drain()
    assert office.told == []
    assert not any(row.open for row in office.rows(task))
    # Started again: nothing of the time between runs, and one row says so.
    office.do(start, task)
    office.drain()
    assert office.told == []
    assert office.said(task)[-1] == "10-12 11:00 skipped paused 3"
    clock.advance(10 * MINUTE)
    office.drain()
    assert office.told == ["2026-10-12T03:10:00+00:00"]


def test_a_pause_that_no_instant_falls_into_changes_nothing(office, clock):
    """The instant at the end had a tick before the pause; it needs another one after it."""
    task = office.add_task()
    office.add(task, "30 10 * * *")
    office.do("pause", task)
    clock.advance(10 * MINUTE)
    office.do("resume", task)
    office.do("pause", task)
    office.do("resume", task)
    clock.advance(20 * MINUTE)
    office.drain()
    assert office.said(task) == ["10-12 10:30 done"]


def test_a_schedule_given_to_a_paused_task_waits_for_it(office, clock):
    task = office.do("pause", office.add_task())
    office.add(task, "*/10 * * * *")
    clock.advance(HOUR)
    office.drain()
    assert office.said(task) == []
    office.do("resume", task)
    clock.advance(10 * MINUTE)
    office.drain()
    assert office.said(task) == ["10-12 11:00 skipped paused 6", "10-12 11:10 done"]


def test_an_at_that_fell_into_a_pause_is_recorded_and_over(office, clock):
    task = office.add_task()
    schedule = office.add(task, "at 2026-10-12T10:15:00+08:00")
    office.do("pause", task)
    clock.advance(HOUR)
    office.do("resume", task)
    office.drain()
    assert office.said(task) == ["10-12 10:15 skipped paused"]
    with office.store.read() as tx:
        assert schedules.get(tx, schedule.id).state is ScheduleState.ENDED


def test_the_schedules_of_other_tasks_go_on(office, clock):
    paused, other = office.add_task(), office.add_task()
    office.add(paused, "30 10 * * *")
    office.add(other, "30 10 * * *")
    office.do("pause", paused)
    clock.advance(30 * MINUTE)
    office.drain()
    assert (office.said(paused), office.said(other)) == ([], ["10-12 10:30 done"])


def test_a_paused_task_that_is_deleted_needs_no_second_stop(office, clock):
    task = office.add_task()
    office.add(task, "30 10 * * *")
    office.do("pause", task)
    office.do("delete", task)
    assert office.pending() == []
    clock.advance(HOUR)
    office.drain()
    assert office.said(task) == []


# Adding and removing


def test_a_removed_schedule_acts_no_more(office, clock):
    task = office.add_task()
    schedule = office.add(task, "*/10 * * * *", overlap=Overlap.QUEUE)
    office.busy = True
    clock.advance(10 * MINUTE)
    office.drain()
    office.step()
    with office.store.write() as tx:
        office.scheduling.remove(tx, schedule.id, who="小明", why="不要了")
    office.busy = False
    clock.advance(HOUR)
    office.drain()
    assert office.said(task) == ["10-12 10:10 cancelled removed"]
    assert office.pending() == []
    assert office.told == []
    last = office.entries(task)[-1]
    assert (last.kind, last.why, last.data["expression"]) == (Kind.UNSCHEDULED, "不要了", "*/10 * * * *")
    with office.store.write() as tx, pytest.raises(NotFound):
        office.scheduling.remove(tx, schedule.id, who="小明")


def test_an_instant_does_not_run_twice_when_its_schedule_is_replaced(office, clock):
    task = office.add_task()
    schedule = office.add(task, "30 10 * * *")
    clock.advance(30 * MINUTE)
    office.drain()
    office.step()
    with office.store.write() as tx:
        office.scheduling.remove(tx, schedule.id, who="小明")
    office.add(task, f"at {clock.now().isoformat()}")
    office.drain()
    assert office.said(task) == ["10-12 10:30 done"]
    assert len(office.told) == 1


def test_a_part_has_one_schedule_and_a_task_has_not_too_many(steady_office):
    office = steady_office
    task = office.add_task()
    office.add(task, "@daily")
    with pytest.raises(Conflict, match="已经有叫「daily」的时间安排"):
        office.add(task, "@hourly")
    for number in range(1, MAX_SCHEDULES):
        office.add(task, "@daily", part=f"part {number}")
    with pytest.raises(TooLarge, match="最多有 100 个"):
        office.add(task, "@daily", part="one more")


def test_a_schedule_needs_a_task_and_a_zone(steady_office):
    task = steady_office.add_task()
    with pytest.raises(BadInput, match="不认识的时区"), steady_office.store.write() as tx:
        steady_office.scheduling.add(
            tx, task.id, part="daily", trigger=None, zone_name="Asia/Atlantis", action=Action("tell"), who="小明"
        )
    with pytest.raises(NotFound, match="没有编号为「t99」的任务"):
        steady_office.add("t99", "@daily")


# The end of a run


def finish(office, name: str, outcome: OccurrenceState, reason: str | None = None):
    with office.store.write() as tx:
        return office.scheduling.finish_occurrence(tx, name, outcome, reason)


def test_an_action_that_fails_for_good_fails_its_occurrence(office, clock):
    task = office.add_task()
    office.add(task, "30 10 * * *")
    office.broken = True
    clock.advance(30 * MINUTE)
    office.drain()
    assert office.said(task) == ["10-12 10:30 claimed"]
    clock.advance(SECOND)
    office.drain()
    assert office.said(task) == ["10-12 10:30 failed RuntimeError: 没有应答"]
    office.broken = False
    clock.advance(DAY)
    office.drain()
    assert office.said(task)[-1] == "10-13 10:30 done"


def test_news_about_an_occurrence_that_has_ended_changes_nothing(steady_office, clock):
    task = begin_a_long_run(steady_office, clock, Overlap.QUEUE)
    first, second, _ = steady_office.rows(task)
    assert finish(steady_office, first.id, OccurrenceState.SKIPPED, "安静时段").reason == "安静时段"
    assert finish(steady_office, first.id, OccurrenceState.FAILED).state is OccurrenceState.SKIPPED
    steady_office.do("pause", task)
    assert finish(steady_office, second.id, OccurrenceState.DONE).state is OccurrenceState.CANCELLED
    assert len([entry for entry in steady_office.entries(task) if entry.data.get("occurrence") == first.id]) == 3


@pytest.mark.parametrize("outcome", [OccurrenceState.DUE, OccurrenceState.CLAIMED, OccurrenceState.RUNNING])
def test_a_run_does_not_end_by_going_on(steady_office, clock, outcome):
    task = begin_a_long_run(steady_office, clock, Overlap.SKIP)
    with pytest.raises(ValueError, match="is not an end"):
        finish(steady_office, steady_office.rows(task)[0].id, outcome)


def test_work_that_begins_again_finds_itself_begun(steady_office, clock):
    task = begin_a_long_run(steady_office, clock, Overlap.SKIP)
    running = steady_office.rows(task)[0]
    with steady_office.store.write() as tx:
        assert steady_office.scheduling.start_occurrence(tx, running.id) == running
    assert len([entry for entry in steady_office.entries(task) if entry.kind is Kind.OCCURRENCE_RUNNING]) == 1


def test_an_action_may_end_its_own_task(steady_office, clock):
    """The occurrence is finished first, so ending the task does not pull the job away under its own feet."""
    office = steady_office
    task = office.add_task()

    def complete_the_task(run) -> None:
        with run.commit() as tx:
            office.scheduling.finish_occurrence(tx, run.job.key, OccurrenceState.DONE)
            office.tasks.complete(tx, task.id, who="clock")

    office.engine.register("last", complete_the_task)
    office.add(task, "every 10m", action=Action("last"))
    clock.advance(10 * MINUTE)
    office.drain()
    clock.advance(HOUR)
    office.drain()
    assert office.said(task) == ["10-12 10:10 done"]


# Crashes


def test_a_tick_that_fails_is_tried_again_as_a_whole(steady_office, clock):
    office = steady_office
    task = office.add_task()
    office.add(task, "30 10 * * *")
    office.refusals = 1
    clock.advance(30 * MINUTE)
    office.drain()
    assert office.said(task) == []
    clock.advance(SECOND)
    office.drain()
    assert office.said(task) == ["10-12 10:30 done"]


def test_a_tick_that_fails_for_good_is_recorded_and_the_next_one_comes(steady_office, clock):
    office = steady_office
    task = office.add_task()
    office.add(task, "30 10 * * *")
    office.refusals = 5
    clock.advance(30 * MINUTE)
    for _ in range(6):
        office.drain()
        clock.advance(2 * MINUTE)
    assert office.said(task) == ["10-12 10:30 failed tick_failed"]
    assert office.entries(task)[-1].data["error"] == "OSError: 满了"
    clock.advance(DAY)
    office.drain()
    assert office.said(task)[-1] == "10-13 10:30 done"


def test_work_that_ended_without_telling_is_interrupted_and_the_one_behind_it_runs(steady_office, clock):
    office = steady_office
    task = office.add_task()
    office.add(task, "*/10 * * * *", overlap=Overlap.QUEUE, action=Action("tell in vain"))
    for _ in range(2):
        clock.advance(10 * MINUTE)
        office.drain()
    assert office.said(task) == ["10-12 10:10 claimed", "10-12 10:20 due"]
    assert office.restart() == 1
    assert office.said(task) == ["10-12 10:10 interrupted lost", "10-12 10:20 claimed"]
    assert office.restart() == 0


def test_work_under_way_is_left_alone_by_a_restart(steady_office, clock):
    task = begin_a_long_run(steady_office, clock, Overlap.QUEUE)
    before = steady_office.rows(task)
    assert steady_office.restart() == 0
    assert steady_office.rows(task) == before


def test_a_schedule_that_lost_its_tick_gets_another_one(steady_office, clock):
    office = steady_office
    task = office.add_task()
    schedule = office.add(task, "30 10 * * *")
    with office.store.write() as tx:
        assert office.engine.cancel_lane(tx, f"schedule:{schedule.id}") == 1
    assert office.restart() == 1
    assert office.entries(task)[-1].kind is Kind.RECONCILED
    clock.advance(30 * MINUTE)
    office.drain()
    assert office.said(task) == ["10-12 10:30 done"]
    assert office.restart() == 0


def test_a_schedule_settled_by_a_clock_that_ran_ahead_comes_back(steady_office, clock):
    office = steady_office
    task = office.add_task()
    office.add(task, "30 10 * * *")
    clock.jump(400 * DAY)
    office.drain()
    clock.jump(-400 * DAY)
    assert office.restart() == 1
    clock.advance(30 * MINUTE)
    office.drain()
    assert "10-12 10:30 done" in office.said(task)


def test_many_schedules_are_looked_through_page_by_page(steady_office):
    office = steady_office
    for _ in range(6):
        task = office.add_task()
        for part in range(99):
            office.add(task, "@daily", part=f"part {part}")
    with office.store.write() as tx:
        tx.execute("UPDATE jobs SET state = 'cancelled' WHERE key LIKE 'schedule:s594:%' OR key LIKE 'schedule:s1:%'")
    assert office.restart() == 2


# Derived, never stored


def test_the_next_instant_is_derived_from_what_is_settled(office, clock, wall):
    task = office.add_task()
    schedule = office.add(task, "0 9 * * *")
    clock.advance(2 * DAY)
    office.drain()
    with office.store.read() as tx:
        found = schedules.get(tx, schedule.id)
        assert occurrences.counts(tx, task.id, "daily") == (0, 0)
    assert next_due(found.trigger, zone(found.zone), found.settled) == wall("10-15 09:00")


def test_a_finished_tick_leaves_exactly_one_next_tick(steady_office):
    office = steady_office
    task = office.add_task()
    office.add(task, "*/10 * * * *")
    office.pass_time(HOUR)
    with office.store.read() as tx:
        rows = tx.rows("SELECT key, state FROM jobs WHERE name = 'schedule.tick' ORDER BY due")
    assert [state for _, state in rows] == [JobState.DONE.value] * 6 + [JobState.PENDING.value]
    assert rows[-1][0] == "schedule:s1:1:2026-10-12T03:10:00Z"


class TestCalendars:
    """Triggers that need a calendar, and what happens where its table ends."""

    def test_a_day_left_out_later_is_not_run_and_put_back_it_is(self, office):
        task = office.add_task()
        schedule = office.add(task, "on day at 08:00")
        tz = zone(schedule.zone)
        for expression, kind in (
            ("on day at 08:00 except 2026-10-13,2026-10-14", Kind.LEFT_OUT),
            ("on day at 08:00 except 2026-10-14", Kind.PUT_BACK),
        ):
            office.step()
            with office.store.write() as tx:
                trigger = parse_expression(expression, tz)
                office.scheduling.change(tx, schedule.id, trigger, who="小明", kind=kind, what="a day")
        office.pass_time(timedelta(days=3), every=timedelta(hours=1))
        assert [row.due.astimezone(tz).day for row in office.rows(task)] == [13, 15]
        assert {Kind.LEFT_OUT, Kind.PUT_BACK} <= {entry.kind for entry in office.entries(task)}

    def test_where_the_table_ends_the_schedule_waits_and_says_so_once(self, office):
        task = office.add_task()
        office.clock.jump(parse_instant("2026-12-30T10:00:00+08:00") - office.clock.now())
        schedule = office.add(task, "on workday at 08:00")
        office.pass_time(timedelta(days=5), every=timedelta(hours=6))
        with office.store.read() as tx:
            assert schedules.get(tx, schedule.id).state is ScheduleState.WAITING
        assert [entry.data["until"] for entry in office.entries(task) if entry.kind is Kind.OUT_OF_TABLE] == [
            "2026-12-31"
        ]
        assert office.pending() == []
        assert office.restart() == 0
        # Completing and restoring the task leaves it waiting: the table has not grown.
        office.do("complete", task)
        office.do("restore", task)
        with office.store.read() as tx:
            assert schedules.get(tx, schedule.id).state is ScheduleState.WAITING

    def test_a_schedule_that_waited_goes_on_when_its_table_has_grown(self, office):
        task = office.add_task()
        schedule = office.add(task, "on workday at 08:00")
        # What an older program left behind, whose table ended on the 12th of October.
        with office.store.write() as tx:
            tx.execute("UPDATE schedules SET state = 'waiting' WHERE id = ?", (schedule.id,))
            tx.execute("DELETE FROM jobs")
        office.clock.advance(timedelta(days=2))
        assert office.restart() == 1
        office.drain()
        # Of the days in between the newest runs late; the other one is in the books.
        assert office.said(task) == ["10-13 08:00 missed coalesced", "10-14 08:00 done"]
