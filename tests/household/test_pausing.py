"""Disable and enable: everything that pends stops at once, and only what that stopped starts again."""

from __future__ import annotations

from datetime import timedelta

import pytest
from tests.household import examples
from tests.household.conftest import WHO

from zhixing.kernel.errors import Conflict
from zhixing.tasks.rules.model import StoppedBy
from zhixing.tasks.task import Status

SECOND, MINUTE, HOUR, DAY = timedelta(seconds=1), timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


def record_seconds(house, slug: str) -> int:
    task_id = house.task_id(slug)
    with house.store.read() as tx:
        return house.records.get(tx, task_id).standing.current


def test_a_duration_that_pends_comes_to_nothing(house) -> None:
    house.apply(examples.lights_off())
    house.see("living_room_off", True)
    house.clock.advance(290 * SECOND)
    house.see("living_room_off", True)
    switched = house.household.disable("living_room_off", who=WHO)
    assert (switched.news, switched.task.status, [rule.enabled for rule in switched.rules]) == (
        True, Status.PAUSED, [False],
    )  # fmt: skip
    house.clock.advance(HOUR)
    house.drain()
    assert house.did == []


def test_what_held_before_a_pause_does_not_count_after_it(house) -> None:
    house.apply(examples.lights_off())
    house.see("living_room_off", True)
    house.clock.advance(290 * SECOND)
    house.household.disable("living_room_off", who=WHO)
    house.household.enable("living_room_off", who=WHO)
    house.see("living_room_off", True)
    house.clock.advance(20 * SECOND)
    house.see("living_room_off", True)
    assert house.did == []


def test_an_exit_that_pends_comes_to_nothing(house) -> None:
    house.apply(examples.curtain())
    house.see("wakeup_curtain", True)
    house.clock.advance(2 * MINUTE)
    house.see("wakeup_curtain", False)
    house.clock.advance(59 * SECOND)
    house.household.disable("wakeup_curtain", who=WHO)
    house.clock.advance(DAY)
    house.drain()
    assert house.did == ["10-12 10:00:00 r1 enter"]


def test_an_exit_that_pends_goes_on_where_nothing_is_paused(house) -> None:
    house.apply(examples.curtain())
    house.see("wakeup_curtain", True)
    house.clock.advance(2 * MINUTE)
    house.see("wakeup_curtain", False)
    house.clock.advance(60 * SECOND)
    house.pass_time(5 * MINUTE)
    assert house.did == ["10-12 10:00:00 r1 enter", "10-12 10:03:00 r1 exit"]


def test_a_session_ends_with_the_pause_and_its_target_is_not_told(house) -> None:
    house.apply(examples.phone())
    with house.store.write() as tx:
        house.records.start_session(tx, "t1", at=house.clock.now(), key="k", who=WHO)
    house.clock.advance(50 * MINUTE)
    house.household.disable("phone_time_daily", who=WHO)
    house.clock.advance(DAY / 4)
    house.drain()
    assert record_seconds(house, "phone_time_daily") == 50 * 60
    assert house.did == []


@pytest.mark.parametrize("example", [examples.drink_daily, examples.medicine])
def test_a_job_does_not_act_in_a_pause(house, example) -> None:
    slug = house.apply(example())
    house.clock.advance(MINUTE)
    house.household.disable(slug, who=WHO)
    house.clock.advance(DAY + HOUR)
    house.drain()
    assert house.did == []
    house.household.enable(slug, who=WHO)
    house.drain()
    assert house.did == []
    assert [line.rsplit(" ", 2)[1:] for line in house.said(slug)] == [["skipped", "paused"]]


def test_an_at_that_passed_in_a_pause_ends_its_task_as_expired(house) -> None:
    house.apply(examples.medicine())
    house.household.disable("med_tomorrow_9am", who=WHO)
    house.clock.advance(2 * DAY)
    house.household.enable("med_tomorrow_9am", who=WHO)
    house.pass_time(MINUTE, every=SECOND)
    assert house.ends("med_tomorrow_9am") == ["expired"]


def test_only_what_the_pause_stopped_starts_again(house) -> None:
    plan = examples.drink_daily()
    plan["rules"].append(examples.sitting()["rules"][0])
    plan["schedules"].append(examples.reminder("other"))
    house.apply(plan)
    house.household.disable_rule("r2", who=WHO)
    house.cron.update("j2", {"enabled": False}, who=WHO)
    house.household.disable("drink_8_daily", who=WHO)
    house.step()
    house.household.enable("drink_8_daily", who=WHO)
    view = house.view("drink_8_daily")
    assert [rule.stopped_by for rule in view.rules] == [None, StoppedBy.USER]
    assert [job.plan.enabled for job in view.jobs] == [True, False]
    house.clock.advance(2 * HOUR)
    house.drain()
    assert house.did == ["10-12 12:00:00 j1"]


def test_what_is_stopped_in_a_pause_stays_stopped(house) -> None:
    house.apply(examples.drink_daily())
    house.household.disable("drink_8_daily", who=WHO)
    house.household.disable_rule("r1", who=WHO)
    house.cron.update("j1", {"enabled": False}, who=WHO)
    house.household.enable("drink_8_daily", who=WHO)
    assert [rule.stopped_by for rule in house.view("drink_8_daily").rules] == [StoppedBy.USER]
    house.clock.advance(2 * HOUR)
    house.drain()
    assert house.did == []


def test_what_is_made_in_a_pause_waits_for_its_end(house) -> None:
    house.apply(examples.sitting())
    house.household.disable("sit_30min", who=WHO)
    house.household.create_rule("sit_30min", examples.sitting()["rules"][0] | {"name": "[sit_30min] 又"}, who=WHO)
    job = house.cron.add({"name": "催", "message": "催", "schedule": {"kind": "every", "everyMs": 60_000}}, who=WHO).job
    house.household.link("sit_30min", "cron", job.id, who=WHO)
    house.clock.advance(10 * MINUTE)
    house.drain()
    assert house.did == []
    house.household.enable("sit_30min", who=WHO)
    assert [rule.enabled for rule in house.view("sit_30min").rules] == [True, True]
    house.clock.advance(MINUTE)
    house.drain()
    assert house.did == ["10-12 10:11:00 j1"]


def test_doing_it_again_is_no_news(house) -> None:
    house.apply(examples.sitting())
    assert not house.household.enable("sit_30min", who=WHO).news
    assert house.household.disable("sit_30min", who=WHO).news
    again = house.household.disable("sit_30min", who=WHO)
    assert (again.news, [rule.id for rule in again.rules]) == (False, ["r1"])
    assert house.household.enable("sit_30min", who=WHO).news


def test_a_pause_is_seen_with_its_beginning(house) -> None:
    house.apply(examples.sitting())
    house.clock.advance(MINUTE)
    house.household.disable("sit_30min", who=WHO)
    assert house.view("sit_30min").paused_at == house.clock.now()
    assert [view.slug for view in house.household.list()] == ["sit_30min"]
    house.household.enable("sit_30min", who=WHO)
    assert house.view("sit_30min").paused_at is None


def test_a_task_whose_time_is_over_is_not_resumed(house) -> None:
    house.apply(examples.drink_today())
    house.household.disable("drink_8_today", who=WHO)
    house.clock.advance(DAY)
    with pytest.raises(Conflict, match="已经过期"):
        house.household.enable("drink_8_today", who=WHO)
    house.drain()
    assert house.ends("drink_8_today") == ["expired"]


def test_work_under_way_is_called_off(steady_house) -> None:
    house = steady_house
    house.apply(examples.drink_daily())
    house.busy = True
    house.clock.advance(2 * HOUR)
    house.drain()
    assert house.said("drink_8_daily")[0].split()[3] == "running"
    house.household.disable("drink_8_daily", who=WHO)
    assert house.said("drink_8_daily")[0].split()[3:] == ["cancelled", "paused"]
