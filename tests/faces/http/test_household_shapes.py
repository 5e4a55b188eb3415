"""What OpenAPI says of household tasks and of the home is what is written: no field more, none less."""

from __future__ import annotations

from datetime import timedelta

import pytest
from tests.faces.http.described import check

from zhixing.faces import home_wire, household_wire, perception_wire
from zhixing.faces.http.api import home_shapes, household_shapes
from zhixing.household import sight, viewing
from zhixing.household.overview import overview, page
from zhixing.kernel.moments import zone

CHINA = zone("Asia/Shanghai")
PLANS = ["living_room_off", "drink_8_daily", "phone_time_daily", "wakeup_curtain"]


@pytest.fixture
def dialect() -> str:
    return "sqlite"


@pytest.fixture
def lived_in(client, app, plan_of, clock, pass_time):
    """Give a home in which something of every kind has happened."""
    for name in PLANS:
        client.post("/api/v1/household/tasks", plan_of(name))
    client.post("/api/v1/cron", {"name": "n", "schedule": {"kind": "every", "everyMs": 60000}, "message": "提醒喝水"})
    clock.advance(timedelta(minutes=2))
    said = {"source": "cam_kids", "firm": True, "at": clock.now().isoformat()}
    seen = ["妈妈举杯喝水", "用户坐起或离床", "用户低头看手机"]
    verdicts = [said | {"condition": condition, "value": True, "lasting": True} for condition in seen]
    client.post("/api/v1/perception/verdicts", verdicts)
    pass_time(timedelta(minutes=2))
    said["at"] = clock.now().isoformat()
    client.post("/api/v1/perception/verdicts", said | {"condition": "用户坐起或离床", "value": False})
    pass_time(timedelta(seconds=1))
    client("PUT", "/api/v1/home/devices/light_living/on", json={"value": True})
    client.post("/api/v1/household/tasks/living_room_off/disable")
    return app


def test_everything_about_tasks_is_described(lived_in, clock) -> None:
    names, now = sight.names_of(lived_in.hub), clock.now()
    with lived_in.store.read() as tx:
        tasks = page(tx).tasks
        assert len(tasks) == len(PLANS) + 1
        seen = [overview(tx, lived_in.records, task.id, now) for task in tasks]
        for one in seen:
            check(household_shapes.HouseholdTask, household_wire.of_task(one, names))
            log = viewing.log(tx, one.parts.slug, one.task.id, None, 50)
            check(household_shapes.Log, household_wire.of_log(log, CHINA))
        for run in lived_in.doing.runs(tx):
            check(household_shapes.Run, household_wire.of_run(run, CHINA))
        assert [run for one in seen for run in one.runs]
        assert {one.record.kind.value for one in seen if one.record} == {"progress", "duration"}


def test_everything_about_the_home_is_described(lived_in) -> None:
    check(home_shapes.Home, home_wire.of_home(sight.look(lived_in.hub, lived_in.people.list())))
    for happening in lived_in.hub.happenings(50):
        check(home_shapes.Happening, home_wire.of_happening(happening, CHINA))
    with lived_in.store.read() as tx:
        asked = lived_in.rules.asked(tx)
    assert asked
    for one in asked:
        check(home_shapes.Condition, perception_wire.of_asked(one))
    check(home_shapes.Taken, perception_wire.of_counts(perception_wire.take(lived_in.rules, [])))
