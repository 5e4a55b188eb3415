"""`task apply`: everything of a plan, or nothing; and the same step by step.

The clock starts on Monday, 12 October 2026, at 10:00 in Shanghai.
"""

from __future__ import annotations

from datetime import timedelta

import pytest
from tests.household import examples
from tests.household.conftest import WHO

from zhixing.household.plan import read_plan
from zhixing.kernel.errors import BadInput, Conflict, NotFound, TooLarge
from zhixing.kernel.moments import parse_instant
from zhixing.tasks.rules.model import Agreement, DeviceAction, Mode
from zhixing.tasks.task import PERMANENT, Status, Term, until

TABLES = (
    "tasks", "household_tasks", "household_revisions", "records", "schedules", "cron_jobs", "rules", "rule_conditions",
    "journal", "occurrences", "terminations",
)  # fmt: skip
TONIGHT = parse_instant("2026-10-12T23:59:59+08:00")


@pytest.mark.parametrize("example", examples.EXAMPLES, ids=lambda one: one.__name__)
def test_every_example_of_the_document_becomes_a_task(house, example) -> None:
    plan = example()
    slug = house.apply(plan)
    house.step()
    view = house.household.get(slug)
    assert view.task.description == plan["task"]["description"]
    assert [rule.plan.name for rule in view.rules] == [rule["name"] for rule in plan["rules"]]
    assert [job.plan.name for job in view.jobs] == [job["name"] for job in plan.get("schedules", [])]
    assert (view.record is None) == (plan.get("record") is None)
    assert all(rule.enabled and rule.task_id == view.task.id for rule in view.rules)


def test_names_of_devices_become_numbers(house) -> None:
    (rule,) = house.view(house.apply(examples.lights_off())).rules
    assert rule.plan.on_enter.actions == (DeviceAction("light_living", "prop.2.1", value=False),)
    assert (rule.plan.trigger.agreement, rule.plan.trigger.mode) == (Agreement.ALL, Mode.EVENT)


def test_a_task_ends_when_its_record_does(house) -> None:
    assert house.view(house.apply(examples.drink_today())).task.lifecycle == until(TONIGHT)
    assert house.view(house.apply(examples.drink_daily())).task.lifecycle == PERMANENT


# Nothing by halves


@pytest.mark.parametrize("step", ["records.init", "scheduling.add", "rules.create"])
def test_where_a_step_fails_nothing_is_left(steady_house, step: str, monkeypatch) -> None:
    house = steady_house
    plan = read_plan(examples.drink_today())
    room, _, operation = step.partition(".")
    before = house.count(*TABLES, "jobs", "counters")
    whole = getattr(type(getattr(house, room)), operation)

    def fails(*args, **options):
        whole(*args, **options)
        raise OSError("磁盘满了")

    with monkeypatch.context() as broken:
        broken.setattr(type(getattr(house, room)), operation, fails)
        with pytest.raises(OSError, match="磁盘满了"):
            house.household.apply(plan, who=WHO)
    assert house.count(*TABLES, "jobs", "counters") == before
    house.household.apply(plan, who=WHO)
    assert house.household.get("drink_8_today").task.id == "t1"


def test_the_last_rule_that_clashes_takes_everything_with_it(house) -> None:
    house.apply(examples.sitting())
    before = house.count(*TABLES)
    plan = examples.drink_today()
    plan["rules"].append(examples.sitting()["rules"][0])
    with pytest.raises(Conflict):
        house.apply(plan)
    assert house.count(*TABLES) == before
    house.clock.advance(timedelta(days=1))
    house.drain()
    assert [view.slug for view in house.household.list()] == ["sit_30min"]


WRONG = [
    (examples.lights_off, "rules.0.action.did", "light_livingg", "light_living（客厅吸顶灯）"),
    (examples.lights_off, "rules.0.action.iid", "prop.onn", "prop.on"),
    (examples.lights_off, "rules.0.action.iid", "prop.99.1", "prop."),
    (examples.lights_off, "rules.0.action.value", "off", ""),
    (examples.lights_off, "rules.0.action.value", None, "缺少要写入的值"),
    (examples.lights_off, "rules.0.source", ["cam_living", "cam_bath"], "cam_living（客厅摄像头）"),
    (examples.lights_off, "rules.0.source", ["light_living"], "没有「light_living」这个感知设备"),
    (examples.curtain, "rules.0.on_enter_action.value", 300, ""),
    (examples.medicine, "schedules.0.at", "2026-10-12T09:58:00+08:00", "已经过去了"),
    (examples.drink_today, "task.expires_at", "2026-10-11T09:00:00+08:00", "已经过去了"),
]


@pytest.mark.parametrize(("example", "path", "value", "reason"), WRONG)
def test_what_the_home_does_not_have_is_refused(steady_house, example, path, value, reason) -> None:
    with pytest.raises(BadInput) as caught:
        steady_house.apply(examples.changed(example(), path, value))
    assert reason in str(caught.value)
    assert steady_house.count(*TABLES) == dict.fromkeys(TABLES, 0)


@pytest.mark.parametrize("source", ["cam_study", "cam_balcony", "door_entrance", "button_bedside"])
def test_a_source_may_be_out_of_use_offline_or_a_sensor(house, source: str) -> None:
    slug = house.apply(examples.changed(examples.lights_off(), "rules.0.source", source))
    assert house.household.get(slug).rules[0].plan.trigger.sources == (source,)


def test_an_action_takes_its_arguments(house) -> None:
    say = {
        "did": "speaker_living",
        "iid": "play-text",
        "value": "欢迎回家",
        "idempotent": False,
        "cooldown_minutes": 30,
    }
    slug = house.apply(examples.changed(examples.lights_off(), "rules.0.action", say))
    (action,) = house.household.get(slug).rules[0].plan.on_enter.actions
    assert (action.iid.split(".")[0], action.value, action.params, action.cooldown_minutes) == (
        "action", None, ("欢迎回家",), 30,
    )  # fmt: skip
    with pytest.raises(BadInput, match="要 1 个参数，给了 2 个"):
        house.apply(examples.changed(examples.curtain(), "rules.0.on_enter_action", say | {"params": ["再来"]}))


# Slugs


def test_a_slug_belongs_to_one_living_task(house) -> None:
    house.apply(examples.sitting())
    with pytest.raises(Conflict, match="已经有标识为 sit_30min 的任务"):
        house.apply(examples.sitting())
    with pytest.raises(Conflict):
        house.household.create_task("sit_30min", "又一个", who=WHO)
    house.household.disable("sit_30min", who=WHO)
    with pytest.raises(Conflict):
        house.apply(examples.sitting())


@pytest.mark.parametrize("reason", ["completed", "expired", "abandoned"])
def test_a_slug_is_free_when_its_task_has_ended(house, reason: str) -> None:
    house.apply(examples.sitting())
    house.household.delete("sit_30min", who=WHO, reason=reason)
    house.apply(examples.sitting())
    assert house.household.get("sit_30min").task.id == "t2"
    assert [view.task.id for view in house.household.list()] == ["t2"]


def test_a_task_does_not_come_back_to_a_slug_that_is_taken(house) -> None:
    house.apply(examples.sitting())
    house.household.delete("sit_30min", who=WHO, reason="abandoned")
    house.household.create_task("sit_30min", "新的", who=WHO)
    with house.store.write() as tx, pytest.raises(Conflict, match="已经有标识为"):
        house.tasks.restore(tx, "t1", who=WHO)


def test_a_task_that_comes_back_has_its_slug_again(house) -> None:
    house.apply(examples.sitting())
    house.household.delete("sit_30min", who=WHO, reason="abandoned")
    with house.store.write() as tx:
        house.tasks.restore(tx, "t1", who=WHO)
    assert [rule.enabled for rule in house.household.get("sit_30min").rules] == [True]
    house.household.delete("sit_30min", who=WHO, reason="completed")
    assert house.ends("sit_30min") == ["completed", "abandoned"]


@pytest.mark.parametrize("slug", ["", "A", "a-b", "a" * 33, "喝水", "a b", "a\n", "'; DROP TABLE tasks", None, 5])
def test_a_slug_of_another_shape_is_refused(steady_house, slug) -> None:
    with pytest.raises(BadInput, match="1 到 32 位"):
        steady_house.household.create_task(slug, "描述", who=WHO)


@pytest.mark.parametrize("description", ["", "  ", "长" * 201, None])
def test_a_description_of_no_use_is_refused(steady_house, description) -> None:
    with pytest.raises(BadInput, match="1 到 200 个字"):
        steady_house.household.create_task("a", description, who=WHO)


def test_a_long_description_is_kept_whole(house) -> None:
    house.household.create_task("a", "长" * 200, who=WHO)
    task = house.household.get("a").task
    assert (len(task.description), len(task.title), task.title[-1]) == (200, 100, "…")


# Step by step, as the document's commands do it


def test_the_steps_make_what_the_plan_makes(house) -> None:
    plan = examples.drink_today()
    household = house.household
    household.create_task("drink_8_today", "今天喝够 8 杯水", who=WHO)
    household.create_rule("drink_8_today", plan["rules"][0], who=WHO)
    household.init_record("drink_8_today", "progress", plan["record"]["content"], who=WHO)
    remind = house.cron.add(
        {
            "name": "[drink_8_today] 喝水提醒",
            "message": "催",
            "schedule": {"kind": "cron", "expr": "0 18 * * *", "tz": "Asia/Shanghai"},
        },
        who=WHO,
    )
    household.link("drink_8_today", "cron", remind.job.id, who=WHO)
    view = household.get("drink_8_today")
    assert (len(view.rules), len(view.jobs)) == (1, 1)
    assert view.task.lifecycle == until(TONIGHT)
    house.clock.advance(timedelta(hours=14))
    house.drain()
    assert house.ends("drink_8_today") == ["expired"]
    assert house.did == ["10-12 18:00:00 j1"]


def test_words_for_a_target_come_after_the_record(house) -> None:
    plan = examples.phone()
    house.household.create_task("phone_time_daily", "玩手机", who=WHO)
    with pytest.raises(BadInput, match="先建 duration 记录"):
        house.household.create_rule("phone_time_daily", plan["rules"][0], who=WHO)
    house.household.init_record("phone_time_daily", "duration", plan["record"]["content"], who=WHO)
    house.household.create_rule("phone_time_daily", plan["rules"][0], who=WHO)


def test_a_step_of_a_task_that_is_not_there_is_refused(steady_house) -> None:
    plan = examples.sitting()
    for step in (
        lambda: steady_house.household.create_rule("nobody", plan["rules"][0], who=WHO),
        lambda: steady_house.household.init_record("nobody", "event", {}, who=WHO),
        lambda: steady_house.household.link("nobody", "cron", "j1", who=WHO),
        lambda: steady_house.household.get("nobody"),
        lambda: steady_house.household.logs("nobody"),
        lambda: steady_house.household.undo("nobody", who=WHO),
        lambda: steady_house.household.disable("nobody", who=WHO),
        lambda: steady_house.household.enable("nobody", who=WHO),
        lambda: steady_house.household.delete("nobody", who=WHO),
        lambda: steady_house.household.update("nobody", who=WHO, description="新"),
    ):
        with pytest.raises(NotFound, match="没有标识为「nobody」的任务"):
            step()


def test_a_second_record_is_refused(house) -> None:
    house.apply(examples.drink_daily())
    with pytest.raises(Conflict):
        house.household.init_record("drink_8_daily", "event", {}, who=WHO)


def test_a_task_has_a_bounded_number_of_rules(steady_house) -> None:
    steady_house.household.create_task("many", "很多", who=WHO)
    rule = examples.sitting()["rules"][0]
    for number in range(20):
        steady_house.household.create_rule("many", rule | {"name": f"[many] {number}"}, who=WHO)
    with pytest.raises(TooLarge, match="最多有 20 条规则"):
        steady_house.household.create_rule("many", rule | {"name": "[many] 最后"}, who=WHO)


def test_only_cron_jobs_are_linked(house) -> None:
    house.apply(examples.sitting())
    with pytest.raises(BadInput, match="不能关联「rule」"):
        house.household.link("sit_30min", "rule", "r1", who=WHO)


def test_a_target_may_be_what_ends_a_task(house) -> None:
    plan = examples.changed(examples.drink_today(), "task.lifecycle", "target")
    assert house.view(house.apply(plan)).task.lifecycle.term is Term.TARGET
    assert house.household.get("drink_8_today").task.status is Status.ACTIVE


def test_every_task_is_known_in_one_look_by_what_it_is_for_and_the_names_of_its_rules(house):
    house.household.apply(read_plan(examples.fall()), who=WHO)
    house.household.apply(read_plan(examples.medicine()), who=WHO)
    house.household.disable("fall_alert", who=WHO)
    assert [(one.slug, one.active, one.rules) for one in house.household.briefs()] == [
        ("med_tomorrow_9am", True, ()),
        ("fall_alert", False, ("[fall_alert] 摔倒报警",)),
    ]
    house.household.delete("fall_alert", who=WHO)
    assert [one.description for one in house.household.briefs()] == [
        view.task.description for view in house.household.list()
    ]
