"""Rules over both databases: what a person does to them, what they leave in the books, and what their hooks may do."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from tests.tasks.rules.conftest import SAY, House, at, frames, plan, seconds, verdict

from zhixing.kernel.errors import BadInput, Conflict, NotFound, TooLarge
from zhixing.kernel.moments import from_micros
from zhixing.tasks import occurrences
from zhixing.tasks.journal import Kind
from zhixing.tasks.occurrence import OccurrenceState
from zhixing.tasks.rules import store
from zhixing.tasks.rules.model import NOTHING, DeviceAction, Limit, QuietSpan, Response, StoppedBy
from zhixing.tasks.rules.tally import Asked, Taken
from zhixing.tasks.task import until

ACT = Response(actions=(DeviceAction("light1", "prop.2.1", value=True),))
LATER = 10_000


def test_a_rule_comes_back_as_it_was_made(house: House):
    made = house.add(
        "state", duration=90, quiet=(QuietSpan(1320, 420),), on_enter=ACT, on_target=SAY, limit=Limit(3, 9), cooldown=5
    )
    assert made.id == "r1"
    assert made.enabled
    with house.home.reopen().read() as tx:
        assert store.get(tx, "r1") == made
        assert store.by_name(tx, "有人") == made
        assert store.of_task(tx, made.task_id) == [made]
        assert store.page(tx).rules == (made,)


def test_an_unknown_rule_is_said_to_be_unknown(steady_house: House):
    with steady_house.store.read() as tx:
        assert store.find(tx, "r9") is None
        with pytest.raises(NotFound, match="没有编号为「r9」的规则"):
            store.get(tx, "r9")


def test_names_are_unique_among_the_rules_of_tasks_that_have_not_ended(house: House):
    rule = house.add()
    with pytest.raises(Conflict, match="已经有叫「有人」的规则"):
        house.add()
    other = house.add(name="别的")
    with pytest.raises(Conflict, match="已经有叫「有人」"):
        house.do("change", other, plan(name="有人"))
    with house.store.write() as tx:
        house.tasks.complete(tx, rule.task_id, who="小明")
    assert house.add().id == "r3"


def test_a_deleted_rule_gives_its_name_back(house: House):
    rule = house.add()
    house.do("delete", rule)
    assert house.add().id == "r2"
    with house.store.read() as tx:
        assert [rule.id for rule in store.page(tx).rules] == ["r2"]


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"name": "  "}, "规则要有名称"),
        ({"query": "\n"}, "看什么"),
        ({"name": "长" * 201}, "name 太多或太长"),
        ({"query": "长" * 2001}, "query 太多或太长"),
        ({"sources": [f"cam{number}" for number in range(65)]}, "sources 太多"),
        ({"duration": -1}, "duration 应在 0 到 86400"),
        ({"duration": 86_401}, "duration"),
        ({"exit_debounce": 100_000}, "exit_debounce"),
        ({"expiry": 0}, "expiry"),
        ({"tolerance": -1}, "tolerance"),
        ({"cooldown": -5}, "cooldown"),
        ({"limit": Limit(0, 60)}, "limit.fires"),
        ({"limit": Limit(1, 0)}, "limit.seconds"),
        ({"quiet": (QuietSpan(600, 600),)}, "免打扰"),
        ({"quiet": (QuietSpan(0, 1440),)}, "免打扰"),
        ({"quiet": tuple(QuietSpan(0, minute) for minute in range(1, 10))}, "quiet"),
        ({"on_enter": Response(ACT.actions, ("说",))}, "只能写设备动作或文字描述中的一种"),
        ({"on_enter": Response(descs=("说",) * 33)}, "response"),
    ],
)
def test_a_plan_out_of_bounds_is_refused_in_words(steady_house: House, parts, message):
    with pytest.raises(BadInput, match=message):
        steady_house.add(**parts)


def test_sources_are_sorted_and_texts_trimmed(steady_house: House):
    made = steady_house.add(name=" 客厅 \n 有人 ", sources=("cam2", " cam1", "cam2", ""))
    assert made.plan.name == "客厅 有人"
    assert made.plan.trigger.sources == ("cam1", "cam2")


def test_a_task_has_a_bounded_number_of_rules(steady_house: House):
    task = steady_house.add_task()
    with steady_house.store.write() as tx:
        for number in range(100):
            steady_house.rules.create(tx, task.id, plan(name=f"第 {number} 条"), who="小明")
        with pytest.raises(TooLarge, match="最多有 100 条"):
            steady_house.rules.create(tx, task.id, plan(name="多了"), who="小明")


def test_a_fire_is_an_occurrence_that_is_claimed_and_told(house: House):
    rule = house.add("state")
    said = verdict("T", 4, reason="门口\n站着 一个人")
    house.play([verdict("F", 0), said, verdict("F", 8), verdict("F", 12), verdict("F", 16)], LATER)
    enter, leave = house.fired
    with house.store.read() as tx:
        entered = occurrences.get(tx, enter.occurrence_id)
        left = occurrences.get(tx, leave.occurrence_id)
    assert (entered.task_id, entered.part, entered.key) == (rule.task_id, "rule:r1:enter", at(4).isoformat())
    assert (left.part, left.key, left.due) == ("rule:r1:exit", at(4).isoformat(), at(68))
    assert {entered.state, left.state} == {OccurrenceState.CLAIMED}
    assert (enter.source, enter.because, enter.late) == ("cam1", "门口 站着 一个人", 0.0)
    assert (leave.since, leave.left) == (at(4), at(8))
    told = [entry.data for entry in house.entries(rule.task_id, Kind.OCCURRENCE_CLAIMED)]
    assert [each["part"] for each in told] == ["rule:r1:enter", "rule:r1:exit"]
    assert told[0]["because"] == "门口 站着 一个人"


def test_an_answer_that_is_empty_leaves_no_occurrence(house: House):
    rule = house.add("state", on_exit=NOTHING)
    house.play(frames("F T F F"), LATER)
    house.play([verdict("T", LATER + 4)])
    assert house.said == ["r1 enter 4", f"r1 enter {LATER + 4}"]
    assert [entry.data["part"] for entry in house.entries(rule.task_id, Kind.OCCURRENCE_CLAIMED)] == [
        "rule:r1:enter"
    ] * 2


def test_what_ingest_says_it_took(steady_house: House):
    steady_house.add()
    steady_house.play(frames("F T"))
    taken = steady_house.take(
        [
            verdict("T", 4.5),
            verdict("F", 5),
            verdict("T", 3),
            verdict("T", 65.5),
            verdict("T", 5, query="下雨"),
            verdict("T", 5, source="cam7"),
            verdict("T", 6, event="e1"),
            verdict("T", 6, event="e1"),
        ]
    )
    assert taken == Taken(fired=1, changed=3, unheard=2, stale=2, future=1)


def test_verdicts_a_moment_ahead_of_the_clock_are_taken_and_those_further_ahead_refused(steady_house: House):
    steady_house.add()
    assert steady_house.take([verdict("F", -1), verdict("T", 60)]).fired == 1
    assert steady_house.take([verdict("F", 60.001)]) == Taken(future=1)


def test_too_many_verdicts_at_once_are_refused(steady_house: House):
    with pytest.raises(TooLarge):
        steady_house.rules.ingest([verdict("T", 0)] * 1001)


def test_an_event_that_comes_too_late_is_no_trigger(house: House):
    rule = house.add()
    house.clock.advance(timedelta(seconds=100))
    house.take([verdict("T", 69.9, event="e1")])
    house.take([verdict("T", 70, event="e2")])
    house.take([verdict("T", 70, event="e1")])
    assert house.said == ["r1 enter 70"]
    assert house.near_misses(rule) == ["old_event"]


def test_near_misses_are_told_with_what_was_held_and_needed(house: House):
    rule = house.add(duration=20)
    house.play([*frames("F T T T T"), verdict("F", 23), verdict("F", 25)], 60)
    (entry,) = house.entries(rule.task_id, Kind.NEAR_MISS)
    assert entry.why == "held"
    assert entry.data == {
        "rule": "r1", "name": "有人", "held": 19.0, "needed": 20.0, "source": "cam1",
        "since": at(4).isoformat(), "at": at(23).isoformat(),
    }  # fmt: skip
    assert house.fired == []


def test_a_single_false_of_one_camera_ends_what_holds_though_another_has_something_earlier_to_settle(house: House):
    house.add("state", sources=("cam1", "cam2"), agreement="all", tolerance=0, expiry=None, exit_debounce=0)
    house.play([verdict("T", 5, "cam1"), verdict("T", 5, "cam2"), verdict("F", 6, "cam2")], until=60)
    assert house.said == ["r1 enter 5", "r1 exit 6"]


def test_disabling_stops_a_pending_exit_at_once(house: House):
    rule = house.add("state")
    house.play(frames("F T F F"))
    house.do("disable", rule)
    house.pass_until(at(LATER))
    assert house.said == ["r1 enter 4"]


def test_disabling_and_enabling_within_a_duration_keeps_its_end(house: House):
    rule = house.add(duration=20)
    house.play(frames("F T T"))
    house.do("disable", rule)
    house.play(frames("T", first=12))
    house.do("enable", rule)
    house.play(frames("T T T", first=16), 60)
    assert house.said == ["r1 enter 24"]


def test_what_passed_while_it_was_stopped_does_not_fire(house: House):
    rule = house.add(duration=20)
    house.play(frames("F T T"))
    house.do("disable", rule)
    house.play(frames("T T T T T T", first=12))
    house.do("enable", rule)
    house.play(frames("T T T", first=36), 60)
    assert house.fired == []
    assert house.near_misses(rule) == ["passed_while_stopped"]


def test_enabling_twice_and_disabling_twice_changes_nothing_more(house: House):
    rule = house.add()
    assert house.do("enable", rule) == rule
    stopped = house.do("disable", rule)
    assert house.do("disable", rule) == stopped
    assert stopped.revision == 2
    assert [entry.kind for entry in house.entries(rule.task_id)][-1] is Kind.RULE_STOPPED


def test_a_pause_of_the_task_stops_its_rules_and_its_end_starts_only_those(house: House):
    task = house.add_task()
    first, second = house.add(task=task), house.add(task=task, name="第二条")
    house.do("disable", second)
    house.do("pause", task)
    house.play(frames("F T F F"))
    assert house.fired == []
    house.do("resume", task)
    house.play(frames("T", first=20))
    assert house.said == ["r1 enter 20"]
    with house.store.read() as tx:
        assert store.get(tx, first.id).enabled
        assert store.get(tx, second.id).stopped_by is StoppedBy.USER


def test_a_rule_disabled_during_a_pause_stays_so_after_it(house: House):
    rule = house.add()
    with house.store.read() as tx:
        from zhixing.tasks import store as tasks

        task = tasks.get(tx, rule.task_id)
    house.do("pause", task)
    house.do("disable", rule)
    house.do("resume", task)
    house.play(frames("F T"))
    assert house.fired == []


def test_a_rule_enabled_during_a_pause_starts_with_its_end(house: House):
    task = house.add_task()
    rule = house.add(task=task)
    house.do("disable", rule)
    house.do("pause", task)
    assert house.do("enable", rule).stopped_by is StoppedBy.TASK
    house.play(frames("F T F F"))
    house.do("resume", task)
    house.play(frames("T", first=20))
    assert house.said == ["r1 enter 20"]


def test_a_rule_made_during_a_pause_starts_with_its_end(house: House):
    task = house.add_task()
    house.do("pause", task)
    rule = house.add(task=task)
    assert rule.stopped_by is StoppedBy.TASK
    house.play(frames("F T F F"))
    house.do("resume", task)
    house.play(frames("T", first=20))
    assert house.said == ["r1 enter 20"]


@pytest.mark.parametrize("operation", ["complete", "delete"])
def test_the_end_of_the_task_ends_everything_that_pends(house: House, operation):
    task = house.add_task()
    house.add("state", task=task)
    house.play(frames("F T F F"))
    house.do(operation, task)
    house.play(frames("T T", first=20), LATER)
    assert house.said == ["r1 enter 4"]


def test_a_task_that_is_restored_has_its_rules_again(house: House):
    task = house.add_task()
    rule = house.add(task=task, duration=20)
    house.play(frames("F T T"))
    house.do("complete", task)
    with pytest.raises(Conflict, match="已经完成了"):
        house.do("enable", rule)
    with pytest.raises(Conflict, match="已经完成了"):
        house.do("change", rule, plan(name="改"))
    with pytest.raises(Conflict, match="已经完成了"):
        house.add(task=task, name="新")
    house.play(frames("T T T T", first=12))
    house.do("restore", task)
    house.play(frames("F T T T T T T T", first=28), 80)
    assert house.said == ["r1 enter 52"]


def test_a_task_that_expires_takes_its_rules_along(house: House):
    task = house.add_task(lifecycle=until(at(30)))
    house.add("state", task=task)
    house.play(frames("F T F F"), LATER)
    assert house.said == ["r1 enter 4"]


def test_editing_what_does_not_trigger_keeps_what_pends(house: House, changed):
    rule = house.add(duration=20)
    house.play(frames("F T T"))
    after = house.do("change", rule, changed(rule.plan, name="改名", on_enter=ACT, cooldown=5))
    assert after.revision == 2
    house.play(frames("T T T T", first=12), 60)
    assert house.said == ["r1 enter 24"]
    assert house.fired[0].response == ACT
    (entry,) = house.entries(rule.task_id, Kind.RULE_CHANGED)
    assert entry.data == {"rule": "r1", "name": "改名", "anew": False}


def test_editing_the_debounce_moves_the_exit_that_pends(house: House, changed):
    rule = house.add("state")
    house.play(frames("F T F F"))
    house.do("change", rule, changed(rule.plan, exit_debounce=100))
    house.pass_until(at(LATER))
    assert house.said == ["r1 enter 4", "r1 exit 108"]


@pytest.mark.parametrize(
    "parts", [{"duration": 24}, {"query": "没人"}, {"mode": "state"}, {"sources": ("cam2",)}, {"tolerance": 31}]
)
def test_editing_the_trigger_starts_anew_and_says_so(house: House, changed, parts):
    rule = house.add(duration=20)
    house.play(frames("F T T"))
    house.do("change", rule, changed(rule.plan, **parts))
    house.pass_until(at(27))
    assert house.fired == []
    (entry,) = house.entries(rule.task_id, Kind.RULE_CHANGED)
    assert entry.data["anew"]


def test_the_same_plan_again_changes_nothing(house: House):
    rule = house.add()
    assert house.do("change", rule, rule.plan) == rule


def test_a_rule_made_beside_one_that_watches_the_same_begins_where_things_are(house: House):
    house.add(name="甲")
    house.play(frames("F T T"))
    event, state = house.add(name="乙"), house.add("state", name="丙")
    held = house.add(name="丁", duration=20)
    house.play(frames("T T T T T T T", first=12), 40)
    assert house.said == ["r1 enter 4", f"{state.id} enter 8", f"{held.id} enter 28"]
    assert house.near_misses(event) == ["already_true"]


def test_what_nobody_watched_is_not_known(house: House):
    rule = house.add()
    house.play([verdict("F", 0), verdict("T", 4, lasting=True)])
    house.do("delete", rule)
    with house.store.read() as tx:
        assert tx.rows("SELECT id FROM rule_conditions") == []
    state = house.add("state", name="后来")
    assert [each.rule.id for each in house.fired] == ["r1"]
    house.play([verdict("T", 8)])
    assert house.said == ["r1 enter 4", f"{state.id} enter 8"]


def test_asked_is_what_enabled_rules_of_active_tasks_watch(house: House):
    task = house.add_task()
    house.add(task=task, name="甲")
    house.add(task=task, name="乙", tolerance=10)
    house.add(name="丙", sources=(), query="下雨")
    stopped = house.add(name="丁", query="停了")
    house.do("disable", stopped)
    with house.store.read() as tx:
        assert house.rules.asked(tx) == (Asked("有人", ("cam1",), ("r1", "r2")), Asked("下雨", (), ("r3",)))
    house.do("pause", task)
    with house.store.read() as tx:
        assert house.rules.asked(tx) == (Asked("下雨", (), ("r3",)),)


def test_a_rule_may_be_triggered_by_hand_whatever_its_state(house: House):
    rule = house.add("state")
    house.do("disable", rule)
    with house.store.write() as tx:
        fired = house.rules.trigger(tx, rule.id, because="试一下", who="小明")
    assert fired == house.fired[0]
    assert (fired.direction, fired.because) == ("enter", "试一下")
    with house.store.read() as tx:
        assert not store.get(tx, rule.id).enabled
        assert occurrences.get(tx, fired.occurrence_id).open
    house.do("enable", rule)
    house.play(frames("F T"), 20)
    assert len(house.fired) == 2


def test_a_rule_without_an_answer_on_entering_has_none_by_hand_either(house: House):
    rule = house.add("state", on_enter=NOTHING)
    with house.store.write() as tx:
        assert house.rules.trigger(tx, rule.id, because="", who="小明") is None


def test_cameras_taken_out_of_use_leave_what_all_say(steady_house: House):
    house = steady_house
    house.add("state", sources=(), agreement="all", query="没人", exit_debounce=0)
    house.play(
        [
            *frames("F T T T T T", query="没人"),
            *frames("F F F F F F", query="没人", source="cam2"),
        ]
    )
    assert house.fired == []
    house.cameras = ["cam1"]
    house.play(frames("T", query="没人", first=24))
    assert house.said == ["r1 enter 24"]
    house.take([verdict("F", 24, query="没人", source="cam2")])
    house.cameras = ["cam1", "cam2"]
    house.play(frames("F F", query="没人", source="cam2", first=28), 100)
    assert [each.direction for each in house.fired] == ["enter", "exit"]


def test_cameras_that_cannot_be_told_stay_as_they_were(steady_house: House):
    steady_house.add(sources=())
    steady_house.play(frames("F"))

    def broken():
        raise OSError("没有应答")

    steady_house.rules._taking._cameras = broken
    steady_house.play(frames("T", first=4))
    assert steady_house.said == ["r1 enter 4"]


def test_a_target_is_asked_for_on_entering_and_reached_once(house: House):
    task = house.add_task()
    house.add("state", task=task, on_target=SAY)
    house.targets[task.id] = at(30)
    house.play(frames("F" + "T" * 10), 44)
    assert house.said == ["r1 enter 4", "r1 target 30"]


def test_a_target_that_moved_is_asked_for_anew(house: House):
    task = house.add_task()
    house.add("state", task=task, on_target=SAY)
    house.targets[task.id] = at(30)
    house.play(frames("F T T"))
    house.targets[task.id] = at(18)
    house.step()
    with house.store.write() as tx:
        house.rules.retarget(tx, task.id)
    house.play(frames("T T T T", first=12), 28)
    assert house.said == ["r1 enter 4", "r1 target 18"]


def test_a_target_that_is_gone_is_not_reached(house: House):
    task = house.add_task()
    house.add("state", task=task, on_target=SAY)
    house.targets[task.id] = at(18)
    house.play(frames("F T T"))
    del house.targets[task.id]
    with house.store.write() as tx:
        house.rules.retarget(tx, task.id)
    house.play(frames("T T T T T T", first=12), 44)
    assert house.said == ["r1 enter 4"]


def test_an_answer_may_end_its_own_task(house: House):
    """A record whose target completes the task is written in the hook of a fire."""
    task = house.add_task()
    house.add("state", task=task, name="甲")
    house.add("state", task=task, name="乙")

    def complete(tx, fired):
        if fired.rule.plan.name == "甲":
            house.tasks.complete(tx, fired.rule.task_id, who="clock")

    house.asides.append(complete)
    house.play(frames("F T"))
    # What is due at the same instant is handed over together.
    assert house.said == ["r1 enter 4", "r2 enter 4"]
    house.play(frames("F F T T", first=8), LATER)
    assert house.said == ["r1 enter 4", "r2 enter 4"]


def test_an_answer_may_move_its_own_target(house: House):
    task = house.add_task()
    house.add("state", task=task, on_target=SAY)

    def write_record(tx, fired):
        house.targets[task.id] = fired.since + timedelta(seconds=20)
        house.rules.retarget(tx, task.id)

    house.asides.append(write_record)
    house.take([*frames("F")])
    house.clock.advance(timedelta(seconds=60))
    house.take(frames("T T T T T T T T", first=4))
    assert house.said[:2] == ["r1 enter 4", "r1 target 24"]


def test_an_answer_may_make_a_rule(house: House):
    def make(tx, fired):
        if fired.rule.id == "r1":
            house.rules.create(tx, fired.rule.task_id, plan("state", name="新的"), who="小明")

    house.asides.append(make)
    house.add()
    house.play(frames("F T T"), 20)
    assert house.said == ["r1 enter 4", "r2 enter 4"]


def test_a_hook_that_fails_leaves_nothing_behind(steady_house: House):
    rule = steady_house.add()
    steady_house.take(frames("F"))

    def fail(*_):
        raise RuntimeError("坏了")

    steady_house.asides.append(fail)
    with pytest.raises(RuntimeError, match="坏了"):
        steady_house.take(frames("T", first=4))
    steady_house.asides.clear()
    steady_house.fired.clear()
    assert steady_house.entries(rule.task_id, Kind.OCCURRENCE_CLAIMED) == []
    steady_house.take(frames("T", first=4))
    assert steady_house.said == ["r1 enter 4"]


def test_a_transaction_that_is_rolled_back_leaves_no_trace_in_what_is_known(steady_house: House):
    rule = steady_house.add()
    steady_house.take(frames("F"))
    with pytest.raises(NotFound), steady_house.store.write() as tx:
        steady_house.rules.delete(tx, steady_house.rules.disable(tx, rule.id, who="小明").id + "x", who="小明")
    steady_house.take(frames("T", first=4))
    assert steady_house.said == ["r1 enter 4"]
    with pytest.raises(KeyError), steady_house.store.write() as tx:
        raise KeyError(steady_house.rules.create(tx, rule.task_id, plan(name="没有成"), who="小明").id)
    steady_house.take(frames("F F T", first=8))
    assert steady_house.said == ["r1 enter 4", "r1 enter 16"]


def test_one_condition_whose_hook_fails_does_not_stand_the_others_still(steady_house: House):
    bad = steady_house.add(name="坏", duration=20, sources=("cam1",))
    steady_house.add(name="好", duration=20, sources=("cam2",))
    broken = [True]

    def fail(_, fired):
        if broken[0] and fired.rule.id == bad.id:
            raise RuntimeError("坏了")

    steady_house.asides.append(fail)
    both = [*frames("F T T T T T T"), *frames("F T T T T T T", source="cam2")]
    steady_house.take(both[:1] + both[7:8])
    steady_house.clock.advance(timedelta(seconds=4))
    steady_house.take([verdict("T", 4, lasting=True), verdict("T", 4, source="cam2", lasting=True)])
    steady_house.pass_until(at(30))
    good = [each for each in steady_house.fired if each.rule.id != bad.id]
    assert [seconds(each.at) for each in good] == ["24"]
    broken[0] = False
    steady_house.pass_until(at(200))
    with steady_house.store.read() as tx:
        found = occurrences.of_task(tx, bad.task_id)
    assert [occurrence.due for occurrence in found] == [at(24)]


def test_a_rule_that_fires_too_often_is_stopped_and_told_once(house: House):
    rule = house.add(limit=Limit(2, 60))
    house.play(frames("F T F F T F F T F F T F F T"), 200)
    assert house.said == ["r1 enter 4", "r1 enter 16"]
    assert house.stopped == ["r1"]
    with house.store.read() as tx:
        assert store.get(tx, rule.id).stopped_by is StoppedBy.LIMIT
    assert [entry.why for entry in house.entries(rule.task_id, Kind.RULE_STOPPED)] == ["limit"]
    house.do("enable", rule)
    house.play(frames("F F T", first=204))
    assert house.said[-1] == "r1 enter 212"


def test_there_is_one_job_for_all_rules(house: House):
    for number in range(20):
        house.add(name=f"第 {number} 条", sources=(f"cam{number}",), duration=600 + number)
    house.play([verdict("F", 0, source=f"cam{number}") for number in range(20)])
    house.play([verdict("T", 4, source=f"cam{number}", lasting=True) for number in range(20)])
    with house.store.read() as tx:
        pending = tx.rows("SELECT due FROM jobs WHERE state = 'pending'")
    assert len(pending) == 1
    house.pass_until(at(700))
    assert house.said == [f"r{number + 1} enter {604 + number}" for number in range(20)]


def test_a_thousand_that_are_due_together_fire_together(steady_house: House):
    house = steady_house
    tasks = [house.add_task(f"第 {number} 个") for number in range(12)]
    with house.store.write() as tx:
        for number in range(1200):
            made = plan(name=f"第 {number} 条", sources=(f"s{number}",), duration=60)
            house.rules.create(tx, tasks[number // 100].id, made, who="小明")
    for value, second in (("F", 0), ("T", 4)):
        for first in (0, 600):
            house.take(verdict(value, second, source=f"s{first + number}") for number in range(600))
    house.clock.advance(timedelta(seconds=64))
    house.engine.drain()
    assert len(house.fired) == 1200
    assert {each.at for each in house.fired} == {at(64)}


def test_the_plan_of_a_fire_is_the_one_the_rule_has_now(house: House, changed):
    rule = house.add("state")
    house.play(frames("F T F F"))
    house.do("change", rule, changed(rule.plan, on_exit=ACT))
    house.pass_until(at(LATER))
    assert house.fired[-1].response == ACT


def test_fires_that_were_late_say_by_how_much(steady_house: House):
    steady_house.add(duration=20)
    steady_house.take([verdict("F", 0), verdict("T", 4, lasting=True)])
    steady_house.clock.advance(timedelta(seconds=40))
    steady_house.engine.drain()
    (fired,) = steady_house.fired
    assert (fired.at, fired.late, fired.since) == (at(24), 16.0, at(4))


def test_pages_of_rules_are_newest_first(steady_house: House):
    task = steady_house.add_task()
    for number in range(5):
        steady_house.add(task=task, name=f"第 {number} 条")
    with steady_house.store.read() as tx:
        first = store.page(tx, limit=2)
        second = store.page(tx, limit=2, before=first.more)
        last = store.page(tx, limit=2, before=second.more)
        with pytest.raises(BadInput):
            store.page(tx, before="x")
    assert [rule.id for rule in (*first.rules, *second.rules, *last.rules)] == ["r5", "r4", "r3", "r2", "r1"]
    assert last.more is None


def test_of_two_changes_to_one_revision_the_second_is_refused(steady_house: House):
    rule = steady_house.add()
    with steady_house.store.write() as tx, pytest.raises(Conflict, match="刚被改过"):
        store.save(tx, replace(rule, revision=5), "c")
    assert from_micros(0) < rule.created_at


@pytest.mark.parametrize("text", ["一\x00二", "\ud800坏", "行\n二\t\x1b[31m红", "长" * 10_000])
def test_whatever_a_source_says_is_kept_as_one_bounded_line(house: House, text):
    house.add("state")
    house.play([verdict("F", 0), verdict("T", 4, reason=text), verdict("F", 8), verdict("F", 12)], LATER)
    enter, leave = house.fired
    assert len(enter.because) <= 200
    assert enter.because.isprintable()
    assert leave.because == ""


@pytest.mark.parametrize("name", ["\x00", "\ud800", "长" * 10_000, ""])
def test_an_event_may_have_any_name(house: House, name):
    house.add()
    house.play([verdict("T", 4, event=name), verdict("T", 5, event=name), verdict("T", 6, event=name + "x")])
    assert house.said == ["r1 enter 4", "r1 enter 6"]


def test_verdicts_of_what_nobody_watches_change_no_row(steady_house: House):
    steady_house.add()
    with steady_house.store.read() as tx:
        before = tx.rows("SELECT * FROM rule_conditions")
    taken = steady_house.take(verdict("T", 0, source=f"s{number}", query="\ud800") for number in range(1000))
    assert taken.unheard == 1000
    with steady_house.store.read() as tx:
        assert tx.rows("SELECT * FROM rule_conditions") == before


def test_a_source_that_is_told_of_by_two_rules_is_judged_by_each_in_its_own_way(house: House):
    house.add(name="甲", tolerance=0, duration=20)
    house.add(name="乙", tolerance=30, duration=20)
    house.play(frames("F T T U T T T T T T"), 44)
    assert house.said == ["r2 enter 24", "r1 enter 36"]


def test_a_look_at_the_clock_that_failed_for_good_is_made_up_for_a_minute_later(steady_house: House):
    house = steady_house
    house.add(duration=20)
    house.take([verdict("F", 0), verdict("T", 4, lasting=True)])
    with house.store.read() as tx:
        (key,) = tx.row("SELECT key FROM jobs WHERE state = 'pending'")
    with house.store.write() as tx:
        job = house.engine.get(tx, key).job
        house.engine.cancel(tx, key)
        house.rules._taking._gave_up(tx, job, "坏了")
    house.pass_until(at(59))
    assert house.fired == []
    house.pass_until(at(61))
    assert [(seconds(each.at), each.late) for each in house.fired] == [("24", 36.0)]


def test_a_lost_job_is_made_up_for_at_the_next_start(steady_house: House):
    house = steady_house
    house.add(duration=20)
    house.take([verdict("F", 0), verdict("T", 4, lasting=True)])
    with house.store.write() as tx:
        tx.execute("DELETE FROM jobs")
    house.restart()
    house.pass_until(at(30))
    assert house.said == ["r1 enter 24"]


def test_an_answer_that_is_in_the_books_is_not_given_again(steady_house: House):
    """The rows of what is known were lost, those of what was done were not: a restored copy of one table, say."""
    house = steady_house
    rule = house.add()
    house.take([verdict("F", 0)])
    with house.store.read() as tx:
        known = tx.rows("SELECT state FROM rule_conditions")
        state = tx.rows("SELECT state FROM rules")
    house.play(frames("T", first=4))
    with house.store.write() as tx:
        tx.execute("UPDATE rule_conditions SET state = ?", known[0])
        tx.execute("UPDATE rules SET state = ?", state[0])
    house.restart()
    house.take([verdict("T", 4)])
    assert house.said == ["r1 enter 4"]
    assert len(house.entries(rule.task_id, Kind.OCCURRENCE_CLAIMED)) == 1
