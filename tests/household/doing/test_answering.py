"""What a rule says and writes down, in the transaction of its fire."""

from __future__ import annotations

from dataclasses import replace
from datetime import time, timedelta

import pytest

from zhixing.delivery.policy import Policy, Quiet
from zhixing.household.descs import Medium
from zhixing.household.doing.stopping import tell_stopped
from zhixing.kernel.moments import zone
from zhixing.tasks.rules.model import Direction, Response
from zhixing.world.channels.port import Reason, Refused

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
DRINK = "喝水次数加一；首次达标时使用手机推送通知：恭喜达标"
DAILY = {"unit": "杯", "window": "day", "recurring_pattern": {"window": "day"}}
PHONE_TIME = {"target_minutes": 60, "recurring_pattern": {"window": "day"}}


@pytest.fixture
def drink(house):
    return house.task("每天喝水", {"target": 3, **DAILY})


# Counting and telling


def test_a_count_is_written_at_once_and_the_answer_ends_with_it(house, drink):
    fired = house.fire(drink, DRINK)
    assert house.count(drink) == 1
    assert house.ended(fired) == "done"
    assert house.inbox() == []
    (entry,) = house.journal(drink, "occurrence_done")
    assert entry.data["record"] == [
        {"phrase": "count", "applied": True, "why": "", "current": 1, "first_reached": False}
    ]


def test_the_target_is_told_of_once_and_the_count_goes_on(house, drink):
    for _ in range(5):
        house.fire(drink, DRINK)
        house.work()
        house.clock.advance(MINUTE)
    assert house.count(drink) == 5
    assert house.said() == ["恭喜达标"]
    assert [state.split()[1] for state in house.times(drink)] == ["done"] * 5


def test_the_next_day_has_a_target_of_its_own(house, drink):
    for _ in range(2):
        for _ in range(4):
            house.fire(drink, DRINK)
        house.work()
        house.clock.advance(DAY)
    assert house.said() == ["恭喜达标"] * 2


def test_an_answer_ends_when_what_it_told_has_arrived(house, drink):
    fired = house.fire(drink, "使用手机推送通知：又一杯")
    assert house.ended(fired) == "claimed"
    house.work()
    assert house.ended(fired) == "done"
    assert house.said() == ["又一杯"]
    assert house.phone.arrived[0].title == "每天喝水"


def test_what_did_not_arrive_is_said_of_the_answer(house, drink):
    house.phone.then(Refused(Reason("refused", "403")))
    fired = house.fire(drink, "使用手机推送通知：又一杯")
    house.work()
    assert house.ended(fired) == "done told_partly"


def test_a_conversation_is_the_inbox_and_needs_no_channel(house, drink):
    fired = house.fire(drink, "使用AI对话通知：又一杯")
    assert house.ended(fired) == "done"
    assert house.inbox() == ["又一杯"]
    assert house.said() == house.said(house.speaker) == []


def test_a_channel_that_is_not_configured_is_named_once(house, drink):
    house.media = {Medium.PHONE: ("phone",)}
    house.open()
    fired = house.fire(drink, "使用音箱播报通知：有人摔倒了")
    assert house.inbox() == ["有人摔倒了（没有配置音箱播报的渠道，只放进了收件箱）"]
    assert house.ended(fired) == "done"


def test_the_same_words_on_two_ways_are_one_message_to_the_inbox(house, drink):
    house.fire(drink, "使用音箱播报通知：开饭；使用手机推送通知：开饭", "使用AI对话通知：洗手")
    house.work()
    assert sorted(house.inbox()) == ["开饭", "洗手"]
    assert (house.said(), house.said(house.speaker)) == (["开饭"], ["开饭"])


def test_several_descs_are_followed_in_order(house, drink):
    fired = house.fire(drink, "计数加一", "使用手机推送通知：一", "使用手机推送通知：二；使用音箱播报通知：三")
    house.work()
    assert house.said() == ["一", "二"]
    assert house.said(house.speaker) == ["三"]
    assert house.count(drink) == 1
    assert house.ended(fired) == "done"


def test_the_same_fire_twice_does_nothing_twice(steady):
    drink = steady.task("每天喝水", {"target": 1, **DAILY})
    fired = steady.fired_of(drink, DRINK)
    steady.hand_over(fired)
    for _ in range(2):
        with steady.store.write() as tx:
            steady.doing.fired(tx, [fired])
        steady.work()
    assert steady.count(drink) == 1
    assert steady.said() == steady.inbox() == ["恭喜达标"]
    assert steady.ended(fired.occurrence_id) == "done"


def test_a_fire_that_comes_twice_in_one_call_is_one(steady):
    drink = steady.task("每天喝水", {"target": 1, **DAILY})
    words, acts = steady.fired_of(drink, DRINK), steady.fired_of(drink, steady.play())
    with steady.store.write() as tx:
        for fired in (words, acts):
            steady.enter(tx, fired)
        steady.doing.fired(tx, [words, acts, words, acts])
    steady.work()
    assert steady.count(drink) == len(steady.said()) == len(steady.hub.commands) == 1
    assert steady.ended(acts.occurrence_id) == "done"


def test_a_rule_that_stopped_itself_is_told_of(house, drink):
    rule = house.fired_of(drink, DRINK).rule
    with house.store.write() as tx:
        tell_stopped(tx, house.doing.telling, house.clock, rule)
    house.work()
    (text,) = house.inbox()
    assert rule.plan.name in text
    assert house.said() == []


def test_two_counts_of_one_answer_are_two(house, drink):
    house.fire(drink, "计数加一", "计数加一")
    assert house.count(drink) == 2


def test_an_event_is_written_with_the_instant_of_the_fire(house):
    task = house.task("咳嗽", {}, "event")
    house.fire(task, "事件追加：爸爸咳嗽；使用手机推送通知：爸爸又咳了")
    house.work()
    with house.store.read() as tx:
        (entry,) = house.records.get(tx, task.id).entries
    assert (entry.description, entry.at) == ("爸爸咳嗽", house.clock.now())
    assert house.said() == ["爸爸又咳了"]


# Time


def test_a_session_has_the_instants_of_the_condition_not_of_the_answer(house):
    task = house.task("玩手机", PHONE_TIME, "duration")
    start = house.clock.now()
    house.clock.advance(90 * MINUTE / 60)
    house.fire(task, "记录计时起点", since=start)
    house.clock.advance(30 * MINUTE)
    house.fire(task, "结束计时", direction=Direction.EXIT, left=house.clock.now() - MINUTE)
    with house.store.read() as tx:
        (session,) = house.records.get(tx, task.id).sessions
    assert (session.start, session.end) == (start, house.clock.now() - MINUTE)


def play_phone(house, task, minutes, exit_desc="结束计时"):
    house.fire(task, "开始计时", since=house.clock.now())
    house.clock.advance(minutes * MINUTE)
    left = house.clock.now()
    return house.fire(task, exit_desc, direction=Direction.EXIT, left=left)


@pytest.mark.parametrize(("minutes", "told"), [((59,), 0), ((60,), 1), ((40, 10, 10), 1), ((70, 1), 2), ((1, 1), 0)])
def test_every_exit_reminds_once_the_target_is_reached(house, minutes, told):
    task = house.task("玩手机", PHONE_TIME, "duration")
    for each in minutes:
        play_phone(house, task, each, "结束计时；若今日已达标使用手机推送通知：够了")
        house.work()
    assert house.said() == ["够了"] * told


def test_whether_the_target_is_reached_is_looked_up_where_nothing_is_written(house):
    task = house.task("玩手机", PHONE_TIME, "duration")
    house.fire(task, "若今日已达标使用手机推送通知：够了")
    play_phone(house, task, 61)
    house.fire(task, "若今日已达标使用手机推送通知：够了")
    house.work()
    assert house.said() == ["够了"]


def test_the_target_of_a_period_is_told_of_once(house):
    task = house.task("玩手机", PHONE_TIME, "duration")
    house.fire(task, "开始计时", since=house.clock.now())
    house.clock.advance(60 * MINUTE)
    first = house.fire(task, "使用手机推送通知：休息一下", direction=Direction.TARGET)
    house.clock.advance(MINUTE)
    second = house.fire(task, "使用手机推送通知：休息一下", direction=Direction.TARGET)
    house.work()
    assert house.said() == ["休息一下"]
    assert (house.ended(first), house.ended(second)) == ("done", "skipped reached")


def test_a_target_that_is_not_reached_is_not_told_of(house):
    task = house.task("玩手机", PHONE_TIME, "duration")
    play_phone(house, task, 10)
    fired = house.fire(task, "使用手机推送通知：休息一下", direction=Direction.TARGET)
    house.work()
    assert house.said() == []
    assert house.ended(fired) == "skipped not_reached"


def test_an_exit_that_comes_before_the_timer_of_the_target_tells_of_it_and_the_timer_does_not(house):
    task = house.task("玩手机", PHONE_TIME, "duration")
    target = {"on_target": Response(descs=("使用手机推送通知：休息一下",))}
    house.fire(task, "开始计时", since=house.clock.now())
    house.clock.advance(61 * MINUTE)
    house.fire(task, "结束计时", direction=Direction.EXIT, left=house.clock.now(), plan=target)
    late = house.fire(task, "使用手机推送通知：休息一下", direction=Direction.TARGET)
    house.work()
    assert house.said() == ["休息一下"]
    assert house.ended(late) == "skipped reached"


# Trouble


def test_a_record_that_is_not_there_does_not_keep_a_notification_back(house):
    task = house.task("喝水")
    fired = house.fire(task, "喝水次数加一；使用手机推送通知：又一杯；首次达标时使用手机推送通知：恭喜")
    house.work()
    assert house.said() == ["又一杯"]
    assert house.ended(fired) == "done partial"
    assert any(text.startswith("没有记上：") for text in house.inbox())


def test_a_record_of_another_kind_fails_the_answer_and_is_told_once_an_hour(house):
    task = house.task("玩手机", PHONE_TIME, "duration")
    ends = [house.ended(house.fire(task, "计数加一")) for _ in range(3)]
    assert all(end.startswith("failed ") for end in ends)
    assert len(house.inbox()) == 1


def test_a_record_that_is_not_there_does_not_end_what_waits_for_the_agent(house):
    task = house.task("喝水")
    fired = house.fire(task, "喝水次数加一；看看水够不够")
    assert house.ended(fired) == "claimed"
    with house.store.write() as tx:
        house.doing.agents.take(tx, "h1", house.clock.now() + HOUR)
    assert house.ended(fired) == "running"
    assert any(text.startswith("没有记上：") for text in house.inbox())


def test_a_notification_keeps_its_place_when_a_repeated_fire_finds_another_truth(steady):
    task = steady.task("玩手机", PHONE_TIME, "duration")
    fired = steady.fired_of(task, "若今日已达标使用手机推送通知：够了；使用手机推送通知：你好")
    steady.hand_over(fired)
    play_phone(steady, task, 61)
    with steady.store.write() as tx:
        steady.doing.fired(tx, [replace(fired, at=steady.clock.now())])
    steady.work()
    assert sorted(steady.said()) == ["你好", "够了"]


def test_a_fire_without_an_answer_just_ends(house, drink):
    assert house.ended(house.fire(drink)) == "done"


def test_one_bad_fire_does_not_harm_the_others_of_its_transaction(house, drink):
    bare = house.task("没有记录")
    fires = [house.fired_of(bare, "计数加一"), house.fired_of(drink, "计数加一"), house.fired_of(bare, house.set())]
    house.hand_over(*fires)
    house.work()
    assert house.count(drink) == 1
    assert [house.ended(one.occurrence_id).split()[0] for one in fires] == ["failed", "done", "done"]


# When it is told


@pytest.fixture
def night(house, clock):
    """Quiet hours from 22 to 7, and it is three in the night."""
    quiet = Policy(Quiet(time(22), time(7), zone("Asia/Shanghai")))
    house.policies.update({"phone": quiet, "speaker": quiet})
    clock.advance(17 * HOUR)
    house.open()


@pytest.mark.usefixtures("night")
def test_an_alarm_passes_quiet_hours(house, drink):
    house.fire(drink, "使用音箱播报通知：有人摔倒了，立即报警")
    house.work()
    assert house.said(house.speaker) == ["有人摔倒了，立即报警"]


@pytest.mark.usefixtures("night")
def test_congratulations_wait_for_the_morning(house):
    drink = house.task("每天喝水", {"target": 1, **DAILY})
    house.fire(drink, DRINK)
    house.work()
    assert house.said() == []
    assert house.inbox() == ["恭喜达标"]
    house.clock.advance(4 * HOUR)
    house.work()
    assert house.said() == ["恭喜达标"]


@pytest.mark.parametrize(("late", "aloud"), [(0, True), (299, True), (300, True), (301, False), (7 * 3600, False)])
def test_what_is_more_than_five_minutes_old_is_not_told_aloud_any_more(house, drink, late, aloud):
    at = house.clock.now() - timedelta(seconds=late)
    fired = house.fire(drink, "计数加一；使用音箱播报通知：妈妈回来了", at=at, since=at, late=float(late))
    house.work()
    assert house.ended(fired) == "done"
    assert house.count(drink) == (1 if at.astimezone(zone("Asia/Shanghai")).day == 12 else 0) or late
    if aloud:
        assert house.said(house.speaker) == house.inbox() == ["妈妈回来了"]
    else:
        assert house.said(house.speaker) == []
        assert house.inbox() == [f"10月12日 {at.astimezone(zone('Asia/Shanghai')):%H:%M}的事，当时没能通知：妈妈回来了"]


@pytest.mark.parametrize("operation", ["pause", "delete"])
def test_a_task_that_stops_takes_back_what_was_not_sent(house, drink, operation):
    fired = house.fire(drink, "使用手机推送通知：又一杯")
    house.do(operation, drink)
    house.work()
    assert house.said() == []
    assert house.ended(fired).startswith("cancelled")


def test_a_fire_whose_occurrence_was_cancelled_meanwhile_does_nothing(steady):
    drink = steady.task("每天喝水", {"target": 1, **DAILY})
    fired = steady.fired_of(drink, DRINK)
    with steady.store.write() as tx:
        steady.enter(tx, fired)
    steady.do("pause", drink)
    with steady.store.write() as tx:
        steady.doing.fired(tx, [fired, replace(fired)])
    steady.work()
    assert (steady.count(drink), steady.said(), steady.inbox()) == (0, [], [])
