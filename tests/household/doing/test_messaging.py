"""What the messages of cron jobs lead to, from the tick of their schedule on."""

from __future__ import annotations

from datetime import timedelta

import pytest

from zhixing.household.doing.model import CronMessage, Origin, RunState
from zhixing.tasks.task import Status

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
URGE = "调 miloco-cli task record get drink，按 derived.remaining 决定是否催"
DAILY = {"target": 8, "unit": "杯", "window": "day", "recurring_pattern": {"window": "day"}}


def noon(house):
    house.clock.advance(2 * HOUR)
    house.work()
    # The tick enqueues the work, which a restart may come in front of.
    house.work()


def test_a_reminder_is_told_through_everything_and_done(house):
    task = house.task("明天吃药")
    house.cron(task, "提醒用户吃药", "at 2026-10-12T12:00:00+08:00")
    noon(house)
    assert house.said() == house.said(house.speaker) == house.inbox() == ["吃药"]
    assert house.times(task) == ["12:00 done"]


def test_a_home_without_channels_reads_it_in_the_inbox(house):
    house.media = {}
    house.open()
    task = house.task("吃药")
    house.cron(task, "提醒用户吃药")
    noon(house)
    assert house.inbox() == ["吃药"]
    assert house.times(task) == ["12:00 done"]


def test_what_is_missing_is_told(house):
    task = house.task("每天喝水", DAILY)
    house.slugs["drink"] = task.id
    house.cron(task, URGE)
    for _ in range(3):
        house.fire(task, "计数加一", at=house.clock.now())
    noon(house)
    assert house.said() == ["还差 5 杯（3/8）"]
    assert house.phone.arrived[0].title == "每天喝水"


@pytest.mark.parametrize("count", [8, 9])
def test_nobody_is_urged_on_who_has_done_it(house, count):
    task = house.task("每天喝水", DAILY)
    house.slugs["drink"] = task.id
    house.cron(task, URGE)
    for _ in range(count):
        house.fire(task, "计数加一")
    noon(house)
    assert house.said() == []
    assert house.times(task)[-1] == "12:00 skipped reached"


def test_minutes_that_are_missing_are_rounded_up(house):
    task = house.task("看书", {"target_minutes": 30, "recurring_pattern": {"window": "day"}}, "duration")
    house.slugs["drink"] = task.id
    house.cron(task, URGE)
    house.fire(task, "开始计时")
    house.clock.advance(9 * MINUTE + timedelta(seconds=30))
    house.fire(task, "结束计时", left=house.clock.now())
    noon(house)
    assert house.said() == ["还差 21 分钟（9/30）"]


def test_the_end_of_a_task_ends_it_as_expired_and_twice_is_harmless(house):
    task = house.task("今天喝水", DAILY)
    clerk = house.task("别的")
    house.slugs["drink"] = task.id
    house.cron(task, "到期销毁 task drink", job="j1")
    house.cron(clerk, "到期销毁 task drink", job="j2")
    noon(house)
    with house.store.read() as tx:
        from zhixing.tasks import store

        assert store.get(tx, task.id).status is Status.EXPIRED
    assert house.times(task) in (["12:00 done"], ["12:00 cancelled expired"])
    assert house.times(clerk) == ["12:00 done"]
    assert house.inbox() == []


def test_the_end_of_a_task_that_is_not_known_is_nothing(house):
    task = house.task("今天喝水")
    house.cron(task, "到期销毁 task nobody_knows")
    noon(house)
    assert house.times(task) == ["12:00 done"]


def test_a_job_that_was_removed_meanwhile_says_nothing(house):
    task = house.task("吃药")
    house.cron(task, "提醒用户吃药")
    house.messages.clear()
    noon(house)
    assert house.inbox() == []
    assert house.times(task) == ["12:00 skipped removed"]


def test_what_needs_judgement_waits_and_is_passed_on_as_it_stands(house):
    task = house.task("天气")
    house.cron(task, "看看天气，下雨就提醒带伞")
    noon(house)
    (run,) = house.runs()
    assert (run.origin, run.state, run.prompt.words) == (
        Origin.MESSAGE,
        RunState.WAITING,
        ("看看天气，下雨就提醒带伞",),
    )
    assert house.said() == house.inbox() == ["看看天气，下雨就提醒带伞（这件事要管家判断，先转告原话）"]
    assert house.times(task) == ["12:00 claimed"]


def test_the_words_of_a_program_are_not_read_out_to_the_family(house):
    task = house.task("喝水")
    house.cron(task, "调 miloco-cli task record get drink，然后看着办")
    noon(house)
    assert house.said() == house.said(house.speaker) == []
    assert len(house.inbox()) == len(house.runs()) == 1


def test_a_record_that_is_not_there_is_for_somebody_with_judgement(house):
    task = house.task("喝水")
    house.slugs["drink"] = task.id
    house.cron(task, URGE)
    noon(house)
    assert house.said() == []
    assert [run.state for run in house.runs()] == [RunState.WAITING]


def test_a_message_waits_a_day_at_most_and_survives_restarts(house):
    task = house.task("天气")
    house.cron(task, "看看天气", "at 2026-10-12T12:00:00+08:00")
    noon(house)
    house.clock.advance(24 * HOUR - MINUTE)
    house.work()
    assert house.times(task) == ["12:00 claimed"]
    house.clock.advance(MINUTE)
    house.work()
    house.work()
    assert house.times(task) == ["12:00 missed no_agent"]
    house.clock.advance(HOUR)
    house.work()
    assert house.times(task) == ["12:00 missed no_agent"]


def test_the_next_time_finds_the_one_before_gone(steady):
    task = steady.task("天气")
    steady.cron(task, "看看天气", "0 * * * *")
    steady.pass_time(4 * HOUR + MINUTE, MINUTE / 2)
    assert steady.times(task) == [
        "11:00 missed no_agent",
        "12:00 missed no_agent",
        "13:00 missed no_agent",
        "14:00 claimed",
    ]
    assert len(steady.runs(states=[RunState.WAITING])) == 1


def test_an_agent_that_takes_it_ends_the_occurrence_and_its_job(house):
    task = house.task("天气")
    house.cron(task, "看看天气", "at 2026-10-12T12:00:00+08:00")
    noon(house)
    house.step()
    with house.store.write() as tx:
        house.doing.agents.take(tx, "h1", house.clock.now() + HOUR)
    house.step()
    assert house.times(task) == ["12:00 running"]
    with house.store.write() as tx:
        house.doing.agents.end(tx, "h1", RunState.DONE)
    house.clock.advance(2 * DAY)
    house.work()
    assert house.times(task) == ["12:00 done"]


def test_a_pause_takes_back_what_waits(house):
    task = house.task("天气")
    house.cron(task, "看看天气")
    noon(house)
    house.do("pause", task)
    house.clock.advance(2 * DAY)
    house.work()
    assert house.times(task) == ["12:00 cancelled paused"]
    assert [run.state for run in house.runs()] == [RunState.EXPIRED]


def test_the_same_message_twice_is_told_once(steady):
    task = steady.task("吃药")
    steady.cron(task, "提醒用户吃药")
    noon(steady)
    with steady.store.write() as tx:
        (identity,) = tx.row("SELECT id FROM occurrences WHERE task_id = ?", (task.id,))
        assert steady.doing.message(tx, identity, CronMessage("提醒用户吃药")) is None
    steady.work()
    assert steady.said() == ["吃药"]
