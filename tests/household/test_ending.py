"""How household tasks end: each way leaves one row that says how, and nothing goes on behind it."""

from __future__ import annotations

from datetime import timedelta

import pytest
from tests.household import examples
from tests.household.conftest import WHO

from zhixing.household import terminations
from zhixing.kernel.errors import BadInput, NotFound
from zhixing.kernel.moments import parse_instant
from zhixing.tasks.task import Status, Term

SECOND, MINUTE, HOUR, DAY = timedelta(seconds=1), timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


def count(house, slug: str, by: int = 1) -> None:
    task_id = house.task_id(slug)
    with house.store.write() as tx:
        key = f"k{house.clock.now().isoformat()}"
        house.records.increment(tx, task_id, by, at=house.clock.now(), key=key, who=WHO)


@pytest.mark.parametrize(
    ("reason", "status"),
    [("completed", Status.COMPLETED), ("expired", Status.EXPIRED), ("abandoned", Status.DELETED)],
)
def test_a_task_is_ended_for_a_reason(house, reason: str, status: Status) -> None:
    house.apply(examples.drink_daily())
    count(house, "drink_8_daily", 3)
    house.clock.advance(2 * HOUR)
    house.drain()
    ended = house.household.delete("drink_8_daily", who=WHO, reason=reason)
    row = ended.termination
    assert (row.slug, row.reason.value, row.description) == ("drink_8_daily", reason, "妈妈每天喝 8 杯水")
    assert (row.record_kind, row.snapshot) == (
        "progress",
        {"target": 8, "current": 3, "unit": "杯", "window": "day"},
    )
    assert (row.rules, row.jobs, row.occurrences, row.at) == (1, 1, 1, house.clock.now())
    assert ([rule.id for rule in ended.rules], [job.id for job in ended.jobs]) == (["r1"], ["j1"])
    assert house.task("drink_8_daily").status is status
    assert house.ends("drink_8_daily") == [reason]


def test_the_reason_is_completed_where_none_is_given(house) -> None:
    house.apply(examples.sitting())
    assert house.household.delete("sit_30min", who=WHO).termination.reason.value == "completed"


def test_a_reason_that_is_none_is_refused(house) -> None:
    house.apply(examples.sitting())
    with pytest.raises(BadInput, match="completed、expired 或 abandoned"):
        house.household.delete("sit_30min", who=WHO, reason="bored")
    assert house.ends("sit_30min") == []


def test_ending_it_again_finds_nothing(house) -> None:
    house.apply(examples.sitting())
    house.household.delete("sit_30min", who=WHO)
    with pytest.raises(NotFound):
        house.household.delete("sit_30min", who=WHO)
    assert house.ends("sit_30min") == ["completed"]


def test_a_session_under_way_is_in_the_snapshot(house) -> None:
    house.apply(examples.phone())
    began = house.clock.now()
    with house.store.write() as tx:
        house.records.start_session(tx, "t1", at=began, key="k", who=WHO)
    house.clock.advance(25 * MINUTE + 59 * SECOND)
    row = house.household.delete("phone_time_daily", who=WHO, reason="abandoned").termination
    assert row.snapshot == {
        "target_minutes": 60,
        "accumulated_minutes": 25,
        "in_flight_minutes": 25,
        "active_session_start_at": "2026-10-12T10:00:00+08:00",
    }


@pytest.mark.parametrize("pends", ["duration", "exit", "job"])
def test_nothing_that_pends_outlives_its_task(house, pends: str) -> None:
    plan = {"duration": examples.lights_off, "exit": examples.curtain, "job": examples.drink_daily}[pends]()
    slug = house.apply(plan)
    if pends != "job":
        house.see(slug, True)
    if pends == "exit":
        house.clock.advance(MINUTE)
        house.see(slug, False)
    before = list(house.did)
    house.household.delete(slug, who=WHO, reason="abandoned")
    house.clock.advance(DAY)
    house.drain()
    assert house.did == before
    assert house.pending() == []


def test_an_ended_task_is_in_no_list(house) -> None:
    house.apply(examples.drink_daily())
    house.household.delete("drink_8_daily", who=WHO)
    assert house.household.list() == ()
    assert house.household.rules() == ()
    assert house.cron.list() == ()
    with pytest.raises(NotFound, match="没有编号为「j1」的定时任务"):
        house.cron.get("j1")


# By itself


def test_a_task_expires_at_its_end(house) -> None:
    house.apply(examples.drink_today())
    count(house, "drink_8_today", 5)
    house.clock.advance(14 * HOUR)
    house.drain()
    house.drain()
    (row,) = house.household.ended()
    assert (row.reason.value, row.snapshot and row.snapshot["current"]) == ("expired", 5)
    assert row.at == house.clock.now()


def test_the_end_of_a_record_ends_a_task_that_said_nothing(house) -> None:
    house.household.create_task("steps", "今天走 100 步", who=WHO)
    content = {"target": 100, "unit": "步", "window": "day", "expires_at": "2026-10-12T12:00:00+08:00"}
    house.household.init_record("steps", "progress", content, who=WHO)
    assert house.view("steps").task.lifecycle.term is Term.TEMPORARY
    house.clock.advance(2 * HOUR)
    house.drain()
    assert house.ends("steps") == ["expired"]


def test_another_end_of_the_record_is_another_end_of_the_task(house) -> None:
    house.apply(examples.drink_today())
    house.cron.remove("j2", who=WHO)
    later = "2026-10-13T12:00:00+08:00"
    house.household.update("drink_8_today", who=WHO, record={"expires_at": later})
    house.clock.advance(14 * HOUR)
    house.drain()
    assert house.ends("drink_8_today") == []
    house.clock.advance(12 * HOUR)
    house.drain()
    assert house.ends("drink_8_today") == ["expired"]
    assert house.task("drink_8_today").lifecycle.expires_at == parse_instant(later)


def test_a_record_without_an_end_any_more_lets_its_task_live(house) -> None:
    house.apply(examples.drink_today())
    house.cron.remove("j2", who=WHO)
    patch = {"expires_at": None, "recurring_pattern": {"window": "day"}}
    house.household.update("drink_8_today", who=WHO, record=patch)
    house.clock.advance(3 * DAY)
    house.drain()
    assert house.ends("drink_8_today") == []
    assert house.view("drink_8_today").task.lifecycle.term is Term.PERMANENT


# Terminations, as the document makes them


def termination(slug: str, at: str = "2026-10-12T12:00:00+08:00") -> dict:
    return {"name": f"[{slug}] 到期销毁", "message": f"到期销毁 task {slug}", "schedule": {"kind": "at", "at": at}}


@pytest.mark.parametrize("linked", ["linked", "never linked"])
def test_a_termination_ends_its_task(house, linked: str) -> None:
    house.apply(examples.sitting())
    job = house.cron.add(termination("sit_30min"), who=WHO).job
    if linked == "linked":
        house.household.link("sit_30min", "cron", job.id, who=WHO)
        assert house.view("sit_30min").task.lifecycle.expires_at == parse_instant("2026-10-12T12:00:00+08:00")
    house.clock.advance(2 * HOUR)
    house.drain()
    house.drain()
    assert house.ends("sit_30min") == ["expired"]
    house.clock.advance(DAY)
    house.drain()
    assert house.ends("sit_30min") == ["expired"]


def test_firing_a_termination_twice_is_harmless(house) -> None:
    house.apply(examples.sitting())
    job = house.cron.add(termination("sit_30min"), who=WHO).job
    house.cron.run(job.id, who=WHO)
    house.clock.advance(SECOND)
    house.cron.run(job.id, who=WHO)
    house.drain()
    house.clock.advance(2 * HOUR)
    house.drain()
    assert house.ends("sit_30min") == ["expired"]
    assert [run.state.value for run in house.cron.runs(job.id)] == ["done"] * 3


def test_a_termination_leaves_a_task_alone_that_was_given_the_slug_later(house) -> None:
    house.apply(examples.sitting())
    house.cron.add(termination("sit_30min"), who=WHO)
    house.clock.advance(MINUTE)
    house.household.delete("sit_30min", who=WHO)
    house.apply(examples.sitting())
    house.clock.advance(2 * HOUR)
    house.drain()
    assert house.view("sit_30min").task.id == "t3"


def test_a_termination_may_be_put_off(house) -> None:
    house.apply(examples.sitting())
    job = house.cron.add(termination("sit_30min"), who=WHO).job
    house.household.link("sit_30min", "cron", job.id, who=WHO)
    house.cron.update(job.id, {"schedule": {"kind": "at", "at": "2026-10-12T13:00:00+08:00"}}, who=WHO)
    house.clock.advance(2 * HOUR)
    house.drain()
    assert house.ends("sit_30min") == []
    house.clock.advance(HOUR)
    house.drain()
    assert house.ends("sit_30min") == ["expired"]


def test_the_earlier_end_stays_where_a_later_termination_is_linked(house) -> None:
    house.apply(examples.drink_today())
    job = house.cron.add(termination("drink_8_today", "2026-10-13T12:00:00+08:00"), who=WHO).job
    house.household.link("drink_8_today", "cron", job.id, who=WHO)
    assert house.view("drink_8_today").task.lifecycle.expires_at == parse_instant("2026-10-12T23:59:59+08:00")


# What ends with its target


def with_target() -> dict:
    return examples.changed(examples.drink_today(), "task.lifecycle", "target")


def test_a_target_that_is_reached_completes_its_task(house) -> None:
    house.apply(with_target())
    count(house, "drink_8_today", 7)
    house.drain()
    assert house.ends("drink_8_today") == []
    house.clock.advance(SECOND)
    count(house, "drink_8_today")
    house.drain()
    (row,) = house.household.ended()
    assert (row.reason.value, row.snapshot and row.snapshot["current"]) == ("completed", 8)
    house.clock.advance(DAY)
    house.drain()
    assert house.ends("drink_8_today") == ["completed"]


def test_what_is_under_way_ends_before_its_task_does(steady_house) -> None:
    house = steady_house
    house.apply(with_target())
    house.busy = True
    house.clock.advance(2 * HOUR)
    house.drain()
    count(house, "drink_8_today", 8)
    house.drain()
    assert house.ends("drink_8_today") == []
    (row,) = [row for row in house.cron.runs("j1") if row.open]
    with house.store.write() as tx:
        from zhixing.tasks.occurrence import OccurrenceState

        house.scheduling.finish_occurrence(tx, row.id, OccurrenceState.DONE)
    house.pass_time(10 * SECOND, every=SECOND)
    assert house.ends("drink_8_today") == ["completed"]


def test_a_target_that_is_not_reached_expires(house) -> None:
    house.apply(with_target())
    house.clock.advance(14 * HOUR)
    house.drain()
    assert house.ends("drink_8_today") == ["expired"]


@pytest.mark.parametrize("example", [examples.drink_today, examples.drink_daily])
def test_other_tasks_go_on_past_their_target(house, example) -> None:
    slug = house.apply(example())
    count(house, slug, 9)
    house.pass_time(MINUTE)
    assert house.ends(slug) == []


# What is nothing but an `at`


def test_a_task_that_is_only_an_at_is_completed_when_it_fired(house) -> None:
    house.apply(examples.medicine())
    house.clock.advance(23 * HOUR - SECOND)
    house.drain()
    assert (house.did, house.ends("med_tomorrow_9am")) == ([], [])
    house.clock.advance(SECOND)
    house.drain()
    assert house.did == ["10-13 09:00:00 j1"]
    house.pass_time(10 * SECOND, every=SECOND)
    assert house.ends("med_tomorrow_9am") == ["completed"]
    assert house.pending() == []


def test_an_at_that_was_missed_ends_its_task_as_expired(house) -> None:
    house.apply(examples.medicine())
    house.clock.advance(3 * DAY)
    house.pass_time(10 * SECOND, every=SECOND)
    assert house.did == []
    assert house.ends("med_tomorrow_9am") == ["expired"]


def test_it_waits_for_the_last_of_several(house) -> None:
    plan = examples.medicine()
    plan["schedules"].append(plan["schedules"][0] | {"name": "又", "at": "2026-10-13T12:00:00+08:00"})
    house.apply(plan)
    house.clock.advance(23 * HOUR)
    house.pass_time(MINUTE, every=SECOND)
    assert house.ends("med_tomorrow_9am") == []
    house.clock.advance(3 * HOUR)
    house.pass_time(MINUTE, every=SECOND)
    assert house.ends("med_tomorrow_9am") == ["completed"]


def test_it_waits_for_the_work_to_be_done(steady_house) -> None:
    house = steady_house
    house.apply(examples.medicine())
    house.busy = True
    house.clock.advance(23 * HOUR)
    house.pass_time(HOUR, every=MINUTE)
    assert house.ends("med_tomorrow_9am") == []


@pytest.mark.parametrize("more", ["rule", "record", "cron", "disabled"])
def test_a_task_that_is_more_than_an_at_goes_on(house, more: str) -> None:
    plan = examples.medicine()
    if more == "rule":
        plan["rules"] = examples.sitting()["rules"]
    if more == "cron":
        plan["schedules"].append(examples.reminder("x"))
    if more == "disabled":
        plan["schedules"].append(plan["schedules"][0] | {"name": "又", "at": "2026-10-13T12:00:00+08:00"})
    plan["task"]["lifecycle"] = "permanent"
    house.apply(plan)
    if more == "record":
        house.household.init_record("med_tomorrow_9am", "event", {}, who=WHO)
    if more == "disabled":
        house.cron.update("j2", {"enabled": False}, who=WHO)
    house.clock.advance(2 * DAY)
    house.pass_time(MINUTE, every=SECOND)
    assert house.ends("med_tomorrow_9am") == []


def test_a_task_whose_only_job_was_taken_away_goes_on(house) -> None:
    house.apply(examples.medicine())
    house.cron.remove("j1", who=WHO)
    house.clock.advance(2 * DAY)
    house.pass_time(MINUTE, every=SECOND)
    assert house.ends("med_tomorrow_9am") == []


def test_ends_are_listed_latest_first(house) -> None:
    for example in (examples.sitting, examples.mother, examples.fall):
        slug = house.apply(example())
        house.clock.advance(SECOND)
        house.household.delete(slug, who=WHO)
    assert [row.slug for row in house.household.ended()] == ["fall_alert", "mom_arrival", "sit_30min"]
    assert len(house.household.ended(limit=2)) == 2
    with house.store.read() as tx:
        assert [row.slug for row in terminations.of_task(tx, "t2")] == ["mom_arrival"]
