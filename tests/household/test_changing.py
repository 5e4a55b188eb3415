"""Changes are revisions; the latest can be taken back: rules, jobs, settings of the record, words; not counts."""

from __future__ import annotations

from datetime import timedelta

import pytest
from tests.household import examples
from tests.household.conftest import WHO

from zhixing.household.revisions import MOST_KEPT, Kind
from zhixing.household.rulebook import write_rule
from zhixing.kernel.errors import BadInput, Conflict, NotFound, TooLarge
from zhixing.tasks import journal
from zhixing.tasks.rules.model import Agreement, Mode, Response

SECOND, MINUTE, HOUR, DAY = timedelta(seconds=1), timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
CRON = {"kind": "cron", "expr": "0 21 * * *", "tz": "Asia/Shanghai"}


def state(house, slug: str) -> dict:
    """Everything about a task that a person may set, without ids."""
    view = house.view(slug)
    return {
        "description": view.task.description,
        "ends": view.task.lifecycle.expires_at,
        "record": view.record,
        "rules": sorted((str(write_rule(rule.plan)), rule.enabled) for rule in view.rules),
        "jobs": [(job.id, job.plan) for job in view.jobs],
    }


CHANGES = [
    ("description", lambda house: house.household.update("drink_8_daily", who=WHO, description="每天喝 10 杯水")),
    ("record", lambda house: house.household.update("drink_8_daily", who=WHO, record={"target": 10})),
    ("record with an end", lambda house: house.household.update(
        "drink_8_daily", who=WHO, record={"expires_at": "2026-10-20T12:00:00+08:00"})),
    ("several", lambda house: house.household.update(
        "drink_8_daily", who=WHO, description="每天喝 10 杯水", record={"target": 10},
        rules={"r1": {"duration_seconds": 5}})),
    ("rule", lambda house: house.household.update_rule("r1", {"condition": "妈妈端杯", "source": "cam_kids"}, who=WHO)),
    ("rule off", lambda house: house.household.disable_rule("r1", who=WHO)),
    ("rule gone", lambda house: house.household.delete_rule("r1", who=WHO)),
    ("rule made", lambda house: house.household.create_rule(
        "drink_8_daily", examples.sitting()["rules"][0], who=WHO)),
    ("job", lambda house: house.cron.update("j1", {"schedule": CRON, "message": "喝水了吗"}, who=WHO)),
    ("job off", lambda house: house.cron.update("j1", {"enabled": False}, who=WHO)),
    ("job gone", lambda house: house.cron.remove("j1", who=WHO)),
]  # fmt: skip


@pytest.mark.parametrize("change", [act for _, act in CHANGES], ids=[name for name, _ in CHANGES])
def test_a_change_is_taken_back_and_done_again(house, change) -> None:
    house.apply(examples.drink_daily())
    before = state(house, "drink_8_daily")
    change(house)
    after = state(house, "drink_8_daily")
    assert after != before
    for expected in (before, after, before, after):
        house.step()
        house.household.undo("drink_8_daily", who=WHO)
        assert state(house, "drink_8_daily") == expected


@pytest.mark.parametrize("change", [act for _, act in CHANGES], ids=[name for name, _ in CHANGES])
def test_a_change_is_one_revision_with_who_and_what(house, change) -> None:
    house.apply(examples.drink_daily())
    change(house)
    (revision,) = house.household.revisions("drink_8_daily")
    assert (revision.who, revision.number) == (WHO, house.view("drink_8_daily").task.revision)
    assert revision.changes
    assert all(one.before != one.after for one in revision.changes)
    with house.store.read() as tx:
        told = [entry for entry in journal.of_task(tx, "t1") if "changes" in entry.data]
    assert [entry.data["kind"] for entry in told] == [revision.kind.value]


def test_only_the_latest_change_is_taken_back(house) -> None:
    house.apply(examples.drink_daily())
    house.household.update("drink_8_daily", who=WHO, record={"target": 10})
    house.household.update_rule("r1", {"duration_seconds": 5}, who=WHO)
    house.household.undo("drink_8_daily", who=WHO)
    view = house.view("drink_8_daily")
    assert (view.rules[0].plan.trigger.duration, view.record.target) == (0, 10)


def test_counts_are_not_taken_back(house) -> None:
    house.apply(examples.drink_daily())
    house.household.update("drink_8_daily", who=WHO, record={"target": 10})
    with house.store.write() as tx:
        house.records.increment(tx, "t1", 4, at=house.clock.now(), key="k", who=WHO)
    house.household.undo("drink_8_daily", who=WHO)
    with house.store.read() as tx:
        assert house.records.get(tx, "t1").standing.current == 4


def test_where_nothing_was_changed_there_is_nothing_to_take_back(house) -> None:
    house.apply(examples.sitting())
    with pytest.raises(Conflict, match="没有可撤销的修改"):
        house.household.undo("sit_30min", who=WHO)


def test_a_change_that_changes_nothing_is_no_revision(house) -> None:
    house.apply(examples.drink_daily())
    assert house.household.update("drink_8_daily", who=WHO, description="妈妈每天喝 8 杯水") is None
    assert house.household.update("drink_8_daily", who=WHO, record={"target": 8}) is None
    assert house.household.update("drink_8_daily", who=WHO, rules={"r1": {"mode": "event"}}) is None
    house.household.enable_rule("r1", who=WHO)
    house.cron.update("j1", {"enabled": True}, who=WHO)
    assert house.household.revisions("drink_8_daily") == ()


def test_a_taken_back_removal_that_meets_its_name_again_is_refused_whole(house) -> None:
    house.apply(examples.drink_daily())
    house.household.delete_rule("r1", who=WHO)
    other = examples.sitting()
    other["rules"][0]["name"] = "[drink_8_daily] 喝水计数"
    house.apply(other)
    with pytest.raises(Conflict):
        house.household.undo("drink_8_daily", who=WHO)
    assert len(house.household.revisions("drink_8_daily")) == 1


def test_an_at_that_is_over_is_not_brought_back(house) -> None:
    house.apply(examples.medicine())
    house.cron.remove("j1", who=WHO)
    house.clock.advance(2 * DAY)
    with pytest.raises(BadInput, match="已经过去了"):
        house.household.undo("med_tomorrow_9am", who=WHO)


def test_a_job_that_comes_back_acts_and_what_it_did_stays_in_its_runs(house) -> None:
    house.apply(examples.drink_daily())
    house.clock.advance(2 * HOUR)
    house.drain()
    house.cron.remove("j1", who=WHO)
    house.clock.advance(2 * HOUR)
    house.drain()
    house.household.undo("drink_8_daily", who=WHO)
    house.clock.advance(2 * HOUR)
    house.drain()
    assert house.did == ["10-12 12:00:00 j1", "10-12 16:00:00 j1"]
    assert len(house.cron.runs("j1")) == 2


def test_a_hundred_revisions_are_kept(steady_house) -> None:
    steady_house.apply(examples.sitting())
    for number in range(MOST_KEPT + 5):
        steady_house.household.update("sit_30min", who=WHO, description=f"第 {number} 次")
    kept = steady_house.household.revisions("sit_30min")
    assert len(kept) == MOST_KEPT
    assert kept[0].changes[0].after == f"第 {MOST_KEPT + 4} 次"
    steady_house.household.undo("sit_30min", who=WHO)
    assert steady_house.view("sit_30min").task.description == f"第 {MOST_KEPT + 3} 次"


def test_several_things_change_together_or_not_at_all(house) -> None:
    house.apply(examples.phone())
    before = state(house, "phone_time_daily")
    for wrong in (
        {"rules": {"r1": {"mode": "event"}}},
        {"rules": {"r1": {"duration_seconds": 0}}},
        {"rules": {"r9": {"duration_seconds": 5}}},
        {"record": {"target_minutes": None}},
        {"record": {"colour": 1}},
    ):
        with pytest.raises((BadInput, NotFound)):
            house.household.update(
                "phone_time_daily", who=WHO, **({"description": "新", "record": {"target_minutes": 30}} | wrong)
            )
        assert state(house, "phone_time_daily") == before
    revision = house.household.update(
        "phone_time_daily", who=WHO, why="太久", description="新", record={"target_minutes": 30},
        rules={"r1": {"duration_seconds": 60}},
    )  # fmt: skip
    assert revision is not None
    assert (revision.kind, revision.why, [one.part for one in revision.changes]) == (
        Kind.SEVERAL, "太久", ["description", "record", "rule:r1"],
    )  # fmt: skip


def test_a_rule_of_another_task_is_not_changed_along(house) -> None:
    house.apply(examples.sitting())
    house.apply(examples.mother())
    with pytest.raises(BadInput, match="规则 r2 不属于这个任务"):
        house.household.update("sit_30min", who=WHO, rules={"r2": {"duration_seconds": 5}})


# Rules


def test_what_is_cleared_is_gone(house) -> None:
    house.apply(examples.phone())
    rule = house.household.update_rule("r1", {}, who=WHO, clear=["on_target_desc", "duration_seconds"])
    assert (rule.plan.on_target, rule.plan.trigger.duration) == (Response(), 0)


@pytest.mark.parametrize(
    ("said", "clear", "reason"),
    [
        ({}, [], "没有要修改的内容"),
        ({}, ["colour"], "没有「colour」这个字段"),
        ({}, ["condition"], "缺少「condition」"),
        ({}, ["name"], "缺少「name」"),
        ({}, ["on_enter_desc", "on_exit_desc"], "至少要有进入或离开动作"),
        ({"duration_seconds": 5}, ["duration_seconds"], "不能同时修改又清空"),
        ({"on_enter_action": {"did": "light_living", "iid": "on", "value": True}}, [], "只能在设备动作和文案里选一种"),
        ({"source": ["nowhere"]}, [], "没有「nowhere」这个感知设备"),
    ],
)
def test_a_change_of_a_rule_that_does_not_fit_is_refused(steady_house, said, clear, reason: str) -> None:
    steady_house.apply(examples.phone())
    with pytest.raises(BadInput, match=reason):
        steady_house.household.update_rule("r1", said, who=WHO, clear=clear)
    assert steady_house.household.revisions("phone_time_daily") == ()


def test_a_rule_may_change_its_mode(house) -> None:
    house.apply(examples.lights_off())
    action = {"did": "light_living", "iid": "on", "value": False}
    rule = house.household.update_rule("r1", {"mode": "state", "on_enter_action": action}, who=WHO, clear=["actions"])
    assert (rule.plan.trigger.mode, rule.plan.on_enter.actions[0].iid) == (Mode.STATE, "prop.2.1")
    assert rule.plan.trigger.agreement is Agreement.ALL


def test_a_rule_keeps_its_actions_when_its_device_is_not_asked_for_again(house) -> None:
    house.apply(examples.lights_off())
    rule = house.household.update_rule("r1", {"duration_seconds": 60}, who=WHO)
    assert rule.plan.on_enter.actions[0].did == "light_living"


def test_rules_are_listed_with_their_tasks(house) -> None:
    house.apply(examples.sitting())
    house.apply(examples.mother())
    assert [(slug, rule.id) for slug, rule in house.household.rules()] == [("sit_30min", "r1"), ("mom_arrival", "r2")]
    assert house.household.rule("r2")[0] == "mom_arrival"
    with pytest.raises(NotFound):
        house.household.rule("r9")
    house.household.delete("mom_arrival", who=WHO)
    with pytest.raises(Conflict, match="已经结束"):
        house.household.update_rule("r2", {"duration_seconds": 5}, who=WHO)


def test_a_query_changed_while_a_duration_pends_starts_anew(house) -> None:
    house.apply(examples.lights_off())
    house.see("living_room_off", True)
    house.clock.advance(200 * SECOND)
    house.household.update_rule("r1", {"condition": "客厅里没有人"}, who=WHO)
    house.see("living_room_off", True)
    house.clock.advance(150 * SECOND)
    house.see("living_room_off", True)
    assert house.did == []


def test_what_does_not_touch_the_trigger_keeps_what_pends(house) -> None:
    house.apply(examples.lights_off())
    house.see("living_room_off", True)
    house.clock.advance(150 * SECOND)
    house.see("living_room_off", True)
    house.household.update_rule("r1", {"name": "[living_room_off] 关灯", "cooldown_seconds": 60}, who=WHO)
    house.clock.advance(150 * SECOND)
    house.see("living_room_off", True)
    assert house.did == ["10-12 10:05:00 r1 enter"]


# Looking


def test_a_log_tells_what_happened_and_asking_changes_nothing(house) -> None:
    house.apply(examples.drink_daily())
    house.see("drink_8_daily", False)
    house.clock.advance(SECOND)
    house.see("drink_8_daily", True)
    house.clock.advance(2 * HOUR)
    house.drain()
    for _ in range(2):
        log = house.household.logs("drink_8_daily")
        assert [(line.part, line.name) for line in log.lines] == [
            ("cron:j1", "[drink_8_daily] 喝水提醒"),
            ("rule:r1:enter", "[drink_8_daily] 喝水计数"),
        ]
        assert {state.value: number for state, number in log.counts.items()} == {"done": 2}
    recent = house.household.logs("drink_8_daily", since=house.clock.now() - HOUR)
    assert [line.job_id for line in recent.lines] == ["j1"]
    assert len(house.household.logs("drink_8_daily", limit=1).lines) == 1


def test_a_log_has_what_came_close(house) -> None:
    house.apply(examples.lights_off())
    house.see("living_room_off", True)
    house.clock.advance(170 * SECOND)
    house.see("living_room_off", True)
    house.clock.advance(120 * SECOND)
    house.see("living_room_off", False)
    log = house.household.logs("living_room_off")
    assert log.near_misses == 1
    (line,) = log.lines
    assert (line.kind.value, line.rule_id, line.name) == ("near_miss", "r1", "[living_room_off] 客厅无人关灯")


def test_the_log_of_an_ended_task_is_there_still(house) -> None:
    house.apply(examples.drink_daily())
    house.clock.advance(2 * HOUR)
    house.drain()
    house.household.delete("drink_8_daily", who=WHO)
    assert [line.name for line in house.household.logs("drink_8_daily").lines] == ["[drink_8_daily] 喝水提醒"]


def test_tasks_are_summed_up_with_their_records(house) -> None:
    house.apply(examples.sitting())
    house.apply(examples.drink_daily())
    with house.store.write() as tx:
        house.records.increment(tx, "t2", 3, at=house.clock.now(), key="k", who=WHO)
    with_record, without = house.household.summary()
    assert (without.record, without.total) == (None, None)
    assert with_record.record is not None
    assert (with_record.record.standing.current, with_record.total) == (3, None)
    (summed, _) = house.household.summary(window="all")
    assert summed.total is not None
    with pytest.raises(BadInput, match="day、all"):
        house.household.summary(window="week")


def test_a_house_has_a_bounded_number_of_tasks(steady_house, monkeypatch) -> None:
    from zhixing.household import registry

    monkeypatch.setattr(registry, "MOST_TASKS", 2)
    for slug in ("a", "b"):
        steady_house.household.create_task(slug, slug, who=WHO)
    with pytest.raises(TooLarge, match="最多有 2 个家庭任务"):
        steady_house.household.create_task("c", "c", who=WHO)
