"""The cron tool: jobs by id, on their own and linked, over restarts and days of 23 and 25 hours."""

from __future__ import annotations

from datetime import timedelta

import pytest
from tests.household import examples
from tests.household.conftest import WHO, House

from zhixing.household.jobs import Purpose
from zhixing.kernel.clock import ManualClock
from zhixing.kernel.errors import BadInput, Conflict, NotFound
from zhixing.kernel.moments import parse_instant
from zhixing.tasks import store as tasks_store
from zhixing.tasks.task import Status

SECOND, MINUTE, HOUR, DAY = timedelta(seconds=1), timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
DAILY = {"kind": "cron", "expr": "0 12 * * *", "tz": "Asia/Shanghai"}


def add(house, schedule=DAILY, **rest):
    house.step()
    return house.cron.add({"name": "[a] 喝水", "schedule": schedule, "message": "提醒喝水"} | rest, who=WHO)


def test_a_job_acts_on_its_own(house) -> None:
    view = add(house)
    assert (view.job.id, view.slug, view.next) == ("j1", None, parse_instant("2026-10-12T04:00:00Z"))
    house.clock.advance(2 * HOUR)
    house.drain()
    house.clock.advance(DAY)
    house.drain()
    assert house.did == ["10-12 12:00:00 j1", "10-13 12:00:00 j1"]
    assert [run.state.value for run in house.cron.runs("j1")] == ["done", "done"]
    assert house.household.list() == ()


def test_an_every_keeps_its_grid_over_restarts(house) -> None:
    add(house, {"kind": "every", "everyMs": 90_000})
    for late in (5, 20, 0):
        house.clock.advance(timedelta(seconds=90 + late))
        house.drain()
    assert house.did == ["10-12 10:01:30 j1", "10-12 10:03:00 j1", "10-12 10:04:30 j1"]


def test_an_every_with_an_anchor_keeps_to_that(house) -> None:
    anchor = int(parse_instant("2026-10-12T10:00:07+08:00").timestamp() * 1_000)
    add(house, {"kind": "every", "everyMs": 60_000, "anchorMs": anchor})
    house.clock.advance(MINUTE)
    house.drain()
    assert house.did == ["10-12 10:00:07 j1"]


def test_an_at_on_its_own_is_over_when_it_fired(house) -> None:
    add(house, {"kind": "at", "at": "2026-10-12T12:00:00+08:00"})
    house.clock.advance(2 * HOUR)
    house.pass_time(5 * SECOND, every=SECOND)
    assert house.did == ["10-12 12:00:00 j1"]
    assert house.cron.list() == ()
    assert [run.state.value for run in house.cron.runs("j1")] == ["done"]
    with house.store.read() as tx:
        assert tasks_store.get(tx, "t1").status is Status.COMPLETED


def test_an_at_that_has_just_passed_acts_and_an_earlier_one_is_refused(house) -> None:
    add(house, {"kind": "at", "at": "2026-10-12T09:59:00+08:00"})
    with pytest.raises(BadInput, match="已经过去了"):
        add(house, {"kind": "at", "at": "2026-10-12T09:58:59+08:00"})
    house.drain()
    assert house.did == ["10-12 09:59:00 j1"]


# Days that are not 24 hours long


@pytest.mark.parametrize(
    ("now", "zone_name", "expr", "expected"),
    [
        ("2026-03-28T12:00:00+01:00", "Europe/Berlin", "30 2 * * *", ["03-29 03:00:00", "03-30 02:30:00"]),
        ("2026-10-24T12:00:00+02:00", "Europe/Berlin", "30 2 * * *", ["10-25 02:30:00", "10-26 02:30:00"]),
        ("2026-03-28T12:00:00+01:00", "Europe/Berlin", "0 8 * * *", ["03-29 08:00:00", "03-30 08:00:00"]),
    ],
)
@pytest.mark.parametrize("restarts", [False, True])
def test_a_job_keeps_to_the_wall_clock_of_its_zone(home, now, zone_name, expr, expected, *, restarts: bool) -> None:
    clock = ManualClock(parse_instant(now))
    house = House(home, clock, restarts=restarts, zone_name=zone_name)
    add(house, {"kind": "cron", "expr": expr, "tz": zone_name})
    for _ in range(96):
        clock.advance(HOUR / 2)
        house.drain()
    assert house.did[:2] == [f"{one} j1" for one in expected]


def test_the_zone_of_a_job_is_its_own(house) -> None:
    add(house, {"kind": "cron", "expr": "0 12 * * *", "tz": "Asia/Tokyo"})
    house.clock.advance(HOUR)
    house.drain()
    assert house.did == ["10-12 11:00:00 j1"]


# Changes


def test_a_job_that_is_disabled_does_not_act_until_it_is_enabled(house) -> None:
    add(house, enabled=False)
    assert house.cron.get("j1").next is None
    house.clock.advance(3 * HOUR)
    house.drain()
    house.cron.update("j1", {"enabled": True}, who=WHO)
    house.drain()
    assert house.did == []
    house.clock.advance(DAY)
    house.drain()
    assert house.did == ["10-13 12:00:00 j1"]


def test_another_schedule_takes_the_place_of_the_old_one(house) -> None:
    add(house)
    house.clock.advance(2 * HOUR)
    house.drain()
    house.cron.update("j1", {"schedule": {"kind": "cron", "expr": "0 12,13 * * *", "tz": "Asia/Shanghai"}}, who=WHO)
    house.drain()
    house.clock.advance(HOUR)
    house.drain()
    assert house.did == ["10-12 12:00:00 j1", "10-12 13:00:00 j1"]


def test_another_name_or_message_leaves_the_schedule_alone(house) -> None:
    add(house, {"kind": "every", "everyMs": 60_000})
    house.clock.advance(30 * SECOND)
    house.cron.update("j1", {"name": "新", "message": "起来走走"}, who=WHO)
    house.clock.advance(30 * SECOND)
    house.drain()
    assert house.did == ["10-12 10:01:00 j1"]
    assert house.cron.get("j1").job.plan.message == "起来走走"


def test_a_message_that_ends_a_task_makes_a_termination_of_it(house) -> None:
    house.apply(examples.sitting())
    add(house, {"kind": "at", "at": "2026-10-12T12:00:00+08:00"})
    view = house.cron.update("j1", {"message": "到期销毁 task sit_30min"}, who=WHO)
    assert view.job.plan.purpose is Purpose.TERMINATE
    house.clock.advance(2 * HOUR)
    house.drain()
    assert (house.did, house.ends("sit_30min")) == ([], ["expired"])


@pytest.mark.parametrize(
    "patch",
    [
        {},
        {"colour": 1},
        {"enabled": "no"},
        {"name": ""},
        {"schedule": {"kind": "cron", "expr": "0 9 * * *"}},
        {"schedule": {"kind": "at", "at": "2026-10-12T09:00:00+08:00"}},
        [],
        None,
    ],
)
def test_a_change_of_no_use_is_refused(steady_house, patch) -> None:
    before = add(steady_house)
    with pytest.raises(BadInput):
        steady_house.cron.update("j1", patch, who=WHO)
    assert steady_house.cron.get("j1") == before


def test_a_job_that_is_removed_is_gone_and_its_runs_are_not(house) -> None:
    add(house)
    house.clock.advance(2 * HOUR)
    house.drain()
    house.cron.remove("j1", who=WHO)
    assert house.cron.list() == ()
    for act in (
        lambda: house.cron.get("j1"),
        lambda: house.cron.remove("j1", who=WHO),
        lambda: house.cron.update("j1", {"enabled": False}, who=WHO),
        lambda: house.cron.run("j1", who=WHO),
        lambda: house.household.link("a", "cron", "j1", who=WHO),
    ):
        with pytest.raises(NotFound):
            act()
    assert len(house.cron.runs("j1")) == 1
    house.clock.advance(DAY)
    house.drain()
    assert house.did == ["10-12 12:00:00 j1"]
    assert house.pending() == []


@pytest.mark.parametrize("job_id", ["", "j0", "j99", "x", "j1; DROP TABLE cron_jobs", "r1"])
def test_a_job_that_is_none_is_not_found(steady_house, job_id: str) -> None:
    for act in (steady_house.cron.get, steady_house.cron.runs):
        with pytest.raises(NotFound, match="没有编号为"):
            act(job_id)


# Now


def test_a_job_may_be_run_now(house) -> None:
    add(house)
    run = house.cron.run("j1", who=WHO)
    assert house.cron.run("j1", who=WHO) == run
    house.drain()
    house.clock.advance(2 * HOUR)
    house.drain()
    assert house.did == ["10-12 10:00:00 j1", "10-12 12:00:00 j1"]
    assert [run.state.value for run in house.cron.runs("j1")] == ["done", "done"]


def test_a_job_that_is_disabled_may_be_run_now(house) -> None:
    add(house, enabled=False)
    house.cron.run("j1", who=WHO)
    house.drain()
    assert house.did == ["10-12 10:00:00 j1"]


def test_a_job_of_a_paused_task_is_not_run(house) -> None:
    house.apply(examples.drink_daily())
    house.household.disable("drink_8_daily", who=WHO)
    with pytest.raises(Conflict, match="已经暂停"):
        house.cron.run("j1", who=WHO)


# Linked


def test_a_linked_job_belongs_to_its_task(house) -> None:
    house.apply(examples.sitting())
    add(house)
    house.household.link("sit_30min", "cron", "j1", who=WHO)
    view = house.cron.get("j1")
    assert (view.slug, view.next) == ("sit_30min", parse_instant("2026-10-12T04:00:00Z"))
    assert [job.id for job in house.view("sit_30min").jobs] == ["j1"]
    house.clock.advance(2 * HOUR)
    house.drain()
    assert house.did == ["10-12 12:00:00 j1"]
    assert house.said("sit_30min") == ["10-12 12:00:00 cron:j1 done"]
    house.household.delete("sit_30min", who=WHO)
    house.clock.advance(DAY)
    house.drain()
    assert house.did == ["10-12 12:00:00 j1"]


def test_what_a_job_did_before_it_was_linked_stays_findable(house) -> None:
    house.apply(examples.sitting())
    add(house)
    house.clock.advance(2 * HOUR)
    house.drain()
    house.household.link("sit_30min", "cron", "j1", who=WHO)
    house.clock.advance(DAY)
    house.drain()
    assert [f"{run.due:%m-%d}" for run in house.cron.runs("j1")] == ["10-13", "10-12"]
    assert len(house.cron.runs("j1", limit=1)) == 1


def test_the_task_that_carried_a_job_goes_silently(house) -> None:
    house.apply(examples.sitting())
    add(house)
    house.household.link("sit_30min", "cron", "j1", who=WHO)
    assert house.household.ended() == ()
    with house.store.read() as tx:
        assert tasks_store.get(tx, "t2").status is Status.DELETED
    assert [view.slug for view in house.household.list()] == ["sit_30min"]


def test_what_is_under_way_ends_where_it_began(steady_house) -> None:
    house = steady_house
    house.apply(examples.sitting())
    add(house)
    house.busy = True
    house.clock.advance(2 * HOUR)
    house.drain()
    house.household.link("sit_30min", "cron", "j1", who=WHO)
    with house.store.read() as tx:
        assert tasks_store.get(tx, "t2").status is Status.ACTIVE
    (run,) = house.cron.runs("j1")
    from zhixing.tasks.occurrence import OccurrenceState

    with house.store.write() as tx:
        house.scheduling.finish_occurrence(tx, run.id, OccurrenceState.DONE)
    house.pass_time(30 * SECOND, every=SECOND)
    with house.store.read() as tx:
        assert tasks_store.get(tx, "t2").status is Status.COMPLETED
    assert [run.state.value for run in house.cron.runs("j1")] == ["done"]


def test_an_at_that_fired_before_it_was_linked_does_not_fire_again(house) -> None:
    house.apply(examples.sitting())
    add(house, {"kind": "at", "at": "2026-10-12T10:00:30+08:00"})
    house.clock.advance(30 * SECOND)
    house.drain()
    house.household.link("sit_30min", "cron", "j1", who=WHO)
    house.pass_time(MINUTE, every=SECOND)
    assert house.did == ["10-12 10:00:30 j1"]


def test_a_job_belongs_to_one_task(house) -> None:
    house.apply(examples.drink_daily())
    house.apply(examples.sitting())
    for slug in ("sit_30min", "drink_8_daily"):
        with pytest.raises(Conflict, match="定时任务 j1 已经属于一个任务"):
            house.household.link(slug, "cron", "j1", who=WHO)


def test_a_name_with_a_slug_in_front_links_nothing(house) -> None:
    house.apply(examples.sitting())
    add(house, name="[sit_30min] 催")
    assert house.view("sit_30min").jobs == ()
    assert house.cron.get("j1").slug is None


def test_a_job_linked_to_a_paused_task_waits(house) -> None:
    house.apply(examples.sitting())
    house.household.disable("sit_30min", who=WHO)
    add(house)
    house.household.link("sit_30min", "cron", "j1", who=WHO)
    house.clock.advance(3 * HOUR)
    house.drain()
    assert house.did == []


def test_a_task_whose_only_at_was_linked_is_completed_behind_it(house) -> None:
    house.household.create_task("med", "吃药", who=WHO)
    add(house, {"kind": "at", "at": "2026-10-12T12:00:00+08:00"})
    house.household.link("med", "cron", "j1", who=WHO)
    house.clock.advance(2 * HOUR)
    house.pass_time(5 * SECOND, every=SECOND)
    assert (house.did, house.ends("med")) == (["10-12 12:00:00 j1"], ["completed"])


def test_jobs_are_listed_in_the_order_they_were_made(house) -> None:
    house.apply(examples.drink_daily())
    add(house)
    house.apply(examples.drink_today())
    assert [(view.job.id, view.slug) for view in house.cron.list()] == [
        ("j1", "drink_8_daily"),
        ("j2", None),
        ("j3", "drink_8_today"),
        ("j4", "drink_8_today"),
    ]
