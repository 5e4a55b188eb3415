"""Commands to devices: what is left out, verified, tried again, and how the answer ends."""

from __future__ import annotations

import inspect
from datetime import timedelta

import pytest

from zhixing.engine.embedded import EmbeddedEngine
from zhixing.household.doing.errands import LANES, lane_of
from zhixing.tasks.rules.model import Direction
from zhixing.world.devices.port import Done, Failed, Uncertain

SECOND, MINUTE = timedelta(seconds=1), timedelta(minutes=1)


@pytest.fixture
def task(house):
    return house.task("客厅没人关灯")


# Writes that may be repeated


def test_a_property_is_read_written_and_verified(house, task):
    house.hub.values["lamp", "prop.2.1"] = True
    fired = house.fire(task, house.set(value=False))
    house.work()

    assert [entry[0] for entry in house.hub.log] == ["read", "write", "read"]
    assert house.hub.values["lamp", "prop.2.1"] is False
    assert house.ended(fired) == "done"
    assert house.states(fired) == ["done"]
    assert house.inbox() == []


@pytest.mark.parametrize(
    ("iid", "there", "wanted"),
    [
        ("prop.2.1", True, True),
        ("prop.2.1", 1, True),
        ("prop.2.1", "on", True),
        ("prop.2.1", "OFF", False),
        ("prop.2.1", 0, False),
        ("prop.2.2", 26, 26.0),
        ("prop.2.2", "26.0", 26.0),
        ("prop.2.2", 26.2, 26.0),
        ("prop.2.4", 3.0, 3),
        ("prop.2.3", "cool", "cool"),
    ],
)
def test_a_value_that_is_there_already_is_not_written(house, task, iid, there, wanted):
    house.hub.values["lamp", iid] = there
    fired = house.fire(task, house.set(iid=iid, value=wanted))
    house.work()
    assert house.hub.commands == []
    assert house.states(fired) == ["skipped already"]
    assert house.ended(fired) == "done"


@pytest.mark.parametrize(
    ("iid", "there", "wanted"),
    [
        ("prop.2.1", False, True),
        ("prop.2.1", 2, True),
        ("prop.2.1", "maybe", True),
        ("prop.2.1", "", False),
        ("prop.2.2", 26.5, 26.0),
        ("prop.2.2", "warm", 26.0),
        ("prop.2.4", 3.4, 3),
        ("prop.2.3", "Cool", "cool"),
        ("prop.2.3", "1", "01"),
    ],
)
def test_a_value_that_only_looks_alike_is_written(house, task, iid, there, wanted):
    house.hub.values["lamp", iid] = there
    fired = house.fire(task, house.set(iid=iid, value=wanted))
    house.work()
    assert house.hub.commands == [("write", "lamp", iid, wanted)]
    assert house.states(fired) == ["done"]


def test_a_property_that_cannot_be_read_is_written_without_proof(house, task):
    house.hub.unreadable.add("lamp")
    fired = house.fire(task, house.set())
    house.work()
    assert house.hub.log == [("write", "lamp", "prop.2.1", True)]
    assert house.states(fired) == ["done"]


def test_a_curtain_is_waited_for_as_long_as_it_declares(steady):
    task = steady.task()
    steady.hub.values["curtain", "prop.2.1"] = False
    steady.hub.transition, steady.hub.shows_after["curtain"] = 8.0, 8.0
    fired = steady.fire(task, steady.set("curtain"))
    steady.work()
    assert steady.ended(fired) == "claimed"

    steady.pass_time(8 * SECOND)
    assert steady.ended(fired) == "claimed"
    steady.pass_time(SECOND)

    assert steady.ended(fired) == "done"
    assert steady.hub.commands == [("write", "curtain", "prop.2.1", True)]
    assert steady.occurrence(fired).finished_at == steady.occurrence(fired).claimed_at + 9 * SECOND


def test_what_never_shows_is_written_three_times_and_then_reported(house, task):
    house.hub.values["lamp", "prop.2.1"] = False
    house.hub.stuck.add("lamp")
    fired = house.fire(task, house.set())
    instants = []
    for _ in range(20):
        before = len(house.hub.commands)
        house.work()
        if len(house.hub.commands) > before:
            instants.append((house.clock.now() - house.occurrence(fired).claimed_at).total_seconds())
        house.clock.advance(SECOND)

    assert instants == [0, 1, 4]
    assert house.states(fired) == ["unconfirmed unconfirmed"]
    assert house.ended(fired) == "failed acts_unsure"
    assert house.inbox() == ["「客厅灯」收下了命令，状态却没有变：试了几次都没有看到变化"]


def test_a_device_that_comes_back_within_a_minute_gets_its_command(house, task):
    house.hub.values["lamp", "prop.2.1"] = False
    house.hub.answers["lamp"] = [Failed("offline"), Failed("offline")]
    fired = house.fire(task, house.set())
    for _ in range(5):
        house.work()
        house.clock.advance(SECOND)
    assert house.hub.values["lamp", "prop.2.1"] is True
    assert house.ended(fired) == "done"
    assert house.steps(fired)[0].tries == 3


def test_a_device_that_stays_away_is_given_up(house, task):
    house.hub.answers["lamp"] = [Failed("offline")] * 9
    fired = house.fire(task, house.set())
    for _ in range(30):
        house.work()
        house.clock.advance(SECOND)
    assert len(house.hub.commands) == 3
    assert house.states(fired) == ["failed offline"]
    assert house.ended(fired) == "failed acts_failed"
    assert len(house.inbox()) == 1


def test_a_machine_that_slept_does_not_write_an_hour_later(steady):
    task = steady.task()
    steady.hub.answers["lamp"] = [Failed("offline")]
    fired = steady.fire(task, steady.set())
    steady.work()
    steady.clock.advance(timedelta(hours=1))
    steady.hub.answers["lamp"] = [Failed("offline")] * 9
    steady.work()
    assert len(steady.hub.commands) == 2
    assert steady.states(fired) == ["failed offline"]


def test_a_refusal_is_final(house, task):
    house.hub.answers["lamp"] = [Failed("out_of_range", "0–100")]
    fired = house.fire(task, house.set())
    house.work()
    assert len(house.hub.commands) == 1
    assert house.states(fired) == ["failed out_of_range"]


def test_an_answer_nobody_understood_is_settled_by_looking(house, task):
    house.hub.values["lamp", "prop.2.1"] = False

    def takes_it_and_says_nothing():
        house.hub.values["lamp", "prop.2.1"] = True
        return Uncertain("no_answer")

    house.hub.answers["lamp"] = [takes_it_and_says_nothing]
    fired = house.fire(task, house.set())
    house.work()
    assert len(house.hub.commands) == 1
    assert house.states(fired) == ["done"]


@pytest.mark.parametrize(
    ("did", "iid", "why"), [("ghost", "prop.2.1", "no_device"), ("lamp", "prop.9.9", "no_property")]
)
def test_what_is_not_there_any_more_fails(house, task, did, iid, why):
    fired = house.fire(task, house.set(did, iid=iid))
    house.work()
    assert house.hub.commands == []
    assert house.states(fired) == [f"failed {why}"]


# Several commands


def test_one_that_fails_does_not_stop_the_next_and_the_answer_is_partial(house, task):
    house.hub.answers["lamp"] = [Failed("refused")]
    house.hub.answers["ac"] = [RuntimeError("password=hunter2")]
    fired = house.fire(task, house.set("lamp"), house.set("ac"), house.set("curtain"), house.play("hi"))
    house.work()
    assert house.states(fired) == ["failed refused", "unknown broken", "done", "done"]
    assert house.ended(fired) == "done partial"
    (entry,) = house.journal(task, "occurrence_done")
    assert [step["state"] for step in entry.data["steps"]] == ["failed", "unknown", "done", "done"]
    (news,) = house.inbox()
    assert "客厅灯" in news
    assert "空调" in news
    assert "hunter2" not in news + str(entry.data)


def test_failures_of_a_rule_are_told_once_an_hour(house, task):
    for _ in range(3):
        house.hub.answers["lamp"] = [Failed("refused")]
        house.fire(task, house.set())
        house.work()
        house.clock.advance(20 * MINUTE)
    assert len(house.inbox()) == 1
    house.hub.answers["lamp"] = [Failed("refused")]
    house.fire(task, house.set())
    house.work()
    assert len(house.inbox()) == 2


def test_another_rule_has_failures_of_its_own(house, task):
    for rule in ("r1", "r2"):
        house.hub.answers["lamp"] = [Failed("refused")]
        house.fire(task, house.set(), rule=rule)
        house.work()
    assert len(house.inbox()) == 2


def test_many_fires_of_one_moment_travel_together(steady):
    task = steady.task()
    fires = [steady.fired_of(task, steady.set(), rule=f"r{number}") for number in range(1, 201)]
    steady.hand_over(*fires)
    assert steady.work() == LANES
    assert {steady.ended(fired.occurrence_id) for fired in fires} == {"done"}


def test_slow_devices_leave_workers_to_everybody_else():
    assert max(int(lane_of(f"r{number}").removeprefix("act:")) for number in range(1_000)) + 1 == LANES
    assert inspect.signature(EmbeddedEngine).parameters["workers"].default >= LANES + 4


def test_answers_of_one_rule_keep_their_order(steady):
    task = steady.task()
    on = steady.fired_of(task, steady.set(value=True))
    off = steady.fired_of(task, steady.set(value=False), direction=Direction.EXIT)
    steady.hand_over(on, off)
    steady.work()
    assert steady.hub.values["lamp", "prop.2.1"] is False


def test_a_newer_command_is_not_undone_by_an_older_one_that_is_tried_again(steady):
    task = steady.task()
    steady.hub.answers["lamp"] = [Failed("offline")]
    on = steady.fire(task, steady.set(value=True))
    steady.work()
    steady.clock.advance(SECOND / 2)
    off = steady.fire(task, steady.set(value=False), direction=Direction.EXIT, rule="r2")
    steady.work()
    steady.pass_time(MINUTE)
    assert steady.hub.values["lamp", "prop.2.1"] is False
    assert steady.states(off) == ["done"]
    assert steady.states(on) == ["skipped overtaken"]


def test_who_commanded_a_device_can_be_asked(house, task):
    first = house.fire(task, house.set(value=True))
    house.work()
    house.clock.advance(SECOND)
    second = house.fire(task, house.set(value=False))
    house.work()
    with house.store.read() as tx:
        found = house.doing.commands(tx, "lamp", "prop.2.1")
    assert [step.occurrence_id for step in found] == [second, first]


# Commands that are given once


def test_an_action_is_given_with_its_arguments(house, task):
    fired = house.fire(task, house.play("饭好了", 3))
    house.work()
    assert house.hub.commands == [("act", "speaker", "action.7.3", "饭好了", 3)]
    assert house.states(fired) == ["done"]


def test_an_action_is_never_idempotent_whatever_its_rule_says(house, task):
    house.fire(task, house.play(idempotent=True))
    house.fire(task, house.play(idempotent=True))
    house.work()
    assert len(house.hub.commands) == 2


@pytest.mark.parametrize(
    ("minutes", "times"),
    [(None, 2), (0, 2), (4, 2), (5, 2), (6, 1), (30, 1)],
)
def test_a_cooldown_counts_from_the_last_success_over_restarts(house, task, minutes, times):
    house.fire(task, house.play(cooldown_minutes=minutes))
    house.work()
    house.clock.advance(5 * MINUTE)
    second = house.fire(task, house.play(cooldown_minutes=minutes))
    house.work()
    assert len(house.hub.commands) == times
    assert house.states(second) == (["done"] if times == 2 else ["skipped cooldown"])
    assert house.ended(second) == "done"


def test_a_write_that_is_not_idempotent_has_a_cooldown_too(house, task):
    toggle = house.set(idempotent=False, cooldown_minutes=1)
    house.fire(task, toggle)
    house.fire(task, toggle)
    house.work()
    assert house.hub.log == [("write", "lamp", "prop.2.1", True)]


@pytest.mark.parametrize("answer", [Failed("offline"), Uncertain("no_answer"), OSError("gone")])
def test_what_did_not_succeed_begins_no_cooldown_and_is_not_repeated(house, task, answer):
    house.hub.answers["speaker"] = [answer]
    first = house.fire(task, house.play(cooldown_minutes=30))
    for _ in range(3):
        house.work()
        house.clock.advance(MINUTE)
    assert len(house.hub.commands) == 1
    expected = "failed acts_failed" if isinstance(answer, Failed) else "failed acts_unsure"
    assert house.ended(first) == expected
    house.fire(task, house.play(cooldown_minutes=30))
    house.work()
    assert len(house.hub.commands) == 2


def test_another_rule_or_device_has_a_cooldown_of_its_own(house, task):
    house.fire(task, house.play(cooldown_minutes=30))
    house.fire(task, house.play(cooldown_minutes=30), rule="r2")
    house.fire(task, house.play(cooldown_minutes=30, did="bell"))
    house.work()
    assert len(house.hub.commands) == 3


def test_two_commands_of_one_answer_do_not_cool_each_other_down(house, task):
    house.fire(task, house.play("一", cooldown_minutes=30), house.play("二", cooldown_minutes=30))
    house.clock.advance(SECOND)
    house.fire(task, house.play("三", cooldown_minutes=30))
    house.work()
    assert [command[3] for command in house.hub.commands] == ["一", "二"]


def test_a_clock_that_was_put_back_does_not_cool_down_for_a_year(steady):
    task = steady.task()
    steady.fire(task, steady.play(cooldown_minutes=30))
    steady.work()
    steady.clock.jump(-timedelta(days=365))
    steady.fire(task, steady.play(cooldown_minutes=30))
    steady.work()
    assert len(steady.hub.commands) == 2


# Doing it once, and stopping


def test_the_same_fire_twice_acts_once(steady):
    task = steady.task()
    fired = steady.fired_of(task, steady.play())
    other = steady.fired_of(task, steady.play())
    steady.hand_over(fired, other)
    for again in ([fired, other], [fired], [other, fired]):
        with steady.store.write() as tx:
            steady.doing.fired(tx, again)
    steady.work()
    assert len(steady.hub.commands) == 2
    with steady.store.write() as tx:
        steady.doing.fired(tx, [fired, other])
    steady.work()
    assert len(steady.hub.commands) == 2


@pytest.mark.parametrize("operation", ["pause", "delete", "complete"])
def test_a_task_that_stops_before_its_command_left_commands_nothing(house, task, operation):
    fired = house.fire(task, house.set(), house.play())
    house.do(operation, task)
    house.work()
    assert house.hub.commands == []
    status = {"pause": "paused", "delete": "deleted", "complete": "completed"}[operation]
    assert house.ended(fired) == f"cancelled {status}"


def test_a_task_that_stops_while_a_device_is_waited_for_stops_that(house, task):
    house.hub.answers["lamp"] = [Failed("offline")] * 9
    fired = house.fire(task, house.set())
    house.work()
    house.do("pause", task)
    for _ in range(20):
        house.clock.advance(SECOND)
        house.work()
    assert len(house.hub.commands) == 1
    assert house.states(fired) == ["skipped called_off"]
    assert house.ended(fired) == "cancelled paused"
    assert house.inbox() == []


def test_the_target_is_acted_on_once_a_period(house):
    task = house.task(record={"target_minutes": 1, "recurring_pattern": {"window": "day"}}, kind="duration")
    since = house.clock.now()
    house.fire(task, "开始计时", since=since)
    house.clock.advance(MINUTE)
    first = house.fire(task, house.play(), direction=Direction.TARGET)
    second = house.fire(task, house.play(), direction=Direction.TARGET)
    house.work()
    assert len(house.hub.commands) == 1
    assert (house.ended(first), house.ended(second)) == ("done", "skipped reached")


def test_a_done_result_may_carry_what_the_action_returned(house, task):
    house.hub.answers["speaker"] = [Done("played")]
    fired = house.fire(task, house.play())
    house.work()
    assert house.steps(fired)[0].seen == "played"
