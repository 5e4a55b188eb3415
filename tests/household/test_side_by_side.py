"""Beside each other (§重复检查, §主语取值规则): tasks with the same condition, and several people in one task."""

from __future__ import annotations

from copy import deepcopy
from datetime import timedelta

from tests.household import examples
from tests.household.conftest import WHO

from zhixing.household.plan import read_plan
from zhixing.world.perception.verdict import Value, Verdict

READING = "用户在沙发上看书；不含看手机，不含睡觉"


def light(slug: str, iid: str, value: int) -> dict:
    """Give a task that sets one property of the lamp on the condition that all of them share."""
    plan = examples.lights_off()
    plan["task"] |= {"task_id": slug, "description": slug}
    plan["rules"][0] |= {"name": f"[{slug}]", "condition": READING, "duration_seconds": None}
    plan["rules"][0]["action"] = {"did": examples.LAMP, "iid": iid, "value": value}
    return plan


def test_brightness_and_colour_of_one_lamp_do_not_clash(live_in):
    life = live_in()
    for slug, iid, value in (("bright", "brightness", 80), ("warm", "color-temperature", 3000)):
        life.app.household.apply(read_plan(light(slug, iid, value)), who=WHO)
    life.play(
        """
        10-12 19:59:20  0:00:40  bright  no
        10-12 20:00:00  0:00:20  bright  yes
        """
    )
    assert sorted(life.commands(examples.LAMP)) == [
        "10-12 20:00:00 prop.2.2=80",
        "10-12 20:00:00 prop.2.3=3000",
    ]
    assert life.books("bright") == life.books("warm") == ["10-12 20:00:00 enter done"]


def test_the_old_one_is_paused_for_the_new_one_and_comes_back_with_all_it_had(house):
    house.apply(examples.drink_daily())
    with house.store.write() as tx:
        house.records.increment(tx, "t1", 3, at=house.clock.now(), key="k", who=WHO)
    house.household.disable("drink_8_daily", who=WHO)
    new = deepcopy(examples.drink_daily())
    new["task"]["task_id"] = "drink_new"
    new["rules"][0]["name"] = "[drink_new] 喝水计数"
    house.apply(new)
    for value in (False, True):
        house.clock.advance(timedelta(minutes=2))
        house.see("drink_new", value)
    assert house.did == ["10-12 10:04:00 r2 enter"]
    house.household.delete("drink_new", who=WHO, reason="abandoned")
    house.household.enable("drink_8_daily", who=WHO)
    for value in (False, True):
        house.clock.advance(timedelta(minutes=2))
        house.see("drink_8_daily", value)
    assert house.did[1:] == ["10-12 10:08:00 r1 enter"]
    with house.store.read() as tx:
        assert house.records.get(tx, "t1").standing.current == 3


def test_two_people_who_are_named_are_two_rules_that_count_into_one_record(live_in):
    plan = examples.drink_daily()
    plan["rules"] = [
        plan["rules"][0] | {"name": f"[drink_8_daily] {who}", "condition": f"{who}{examples.DRINKING}"}
        for who in ("妈妈", "爸爸")
    ]
    life = live_in()
    made = life.app.household.apply(read_plan(plan), who=WHO)
    seen = [
        Verdict("cam_living", rule.plan.trigger.query, value, life.at(f"10-12 13:{minute:02}:00"), firm=True)
        for rule, start in zip(made.rules, (0, 30), strict=True)
        for value, minute in ((Value.FALSE, start), (Value.TRUE, start + 5))
    ]
    life.live(seen, (), life.at("10-12 14:00:00"))
    assert life.record("drink_8_daily") == "2 of 8"
    assert [row for row in life.books("drink_8_daily") if "enter" in row] == [
        "10-12 13:05:00 enter done",
        "10-12 13:35:00 enter done",
    ]
