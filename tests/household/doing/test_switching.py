"""Devices that the clock switches: what a message asks for is carried out like the commands of a rule."""

from __future__ import annotations

from datetime import timedelta

import pytest
from tests.household.doing.conftest import Killed

from zhixing.household.doing.model import RunState
from zhixing.world.devices.port import Device, Done, Failed, Uncertain

SECOND, MINUTE, HOUR = timedelta(seconds=1), timedelta(minutes=1), timedelta(hours=1)
AT_NOON = "at 2026-10-12T12:00:00+08:00"


def due(house, task, message="打开客厅灯", expression=AT_NOON):
    """Let the message of a job be due at noon, and everything that is due be done."""
    house.cron(task, message, expression)
    house.clock.advance(2 * HOUR)
    for _ in range(4):
        house.work()


def occurrence(house, task):
    with house.store.read() as tx:
        ((identity,),) = tx.rows("SELECT id FROM occurrences WHERE task_id = ?", (task.id,))
    return identity


def left(house):
    with house.store.read() as tx:
        return sorted(name for (name,) in tx.rows("SELECT name FROM jobs WHERE state IN ('pending', 'running')"))


def test_what_the_words_say_is_done_and_nobody_is_asked(house):
    task = house.task("开灯")
    due(house, task)
    assert house.hub.commands == [("write", "lamp", "prop.2.1", True)]
    assert house.times(task) == ["12:00 done"]
    assert house.states(occurrence(house, task)) == ["done"]
    assert (house.inbox(), house.runs(), left(house)) == ([], [], [])


def test_what_is_so_already_is_left_as_it_is(house):
    task = house.task("开灯")
    house.hub.values["lamp", "prop.2.1"] = True
    due(house, task)
    assert house.hub.commands == []
    assert house.states(occurrence(house, task)) == ["skipped already"]
    assert house.times(task) == ["12:00 done"]


def test_several_commands_and_what_is_told_beside_are_all_done(house):
    task = house.task("起床")
    due(house, task, "打开客厅灯；打开空调；使用音箱播报通知：早上好；使用手机推送通知：早上好；提醒用户吃药")
    assert {command[1] for command in house.hub.commands} == {"lamp", "ac"}
    assert sorted(house.said()) == ["吃药", "早上好"]
    assert sorted(house.said(house.speaker)) == ["吃药", "早上好"]
    assert house.times(task) == ["12:00 done"]


def test_words_that_are_told_do_not_end_what_a_device_still_has_to_do(steady):
    task = steady.task("起床")
    steady.hub.values["lamp", "prop.2.1"] = False
    steady.hub.transition = 20.0
    steady.hub.shows_after["lamp"] = 20.0
    due(steady, task, "打开客厅灯；使用手机推送通知：早上好")
    assert steady.said() == ["早上好"]
    assert steady.times(task) == ["12:00 running"]
    steady.pass_time(2 * MINUTE)
    assert steady.times(task) == ["12:00 done"]
    assert left(steady) == []


def test_every_day_it_is_done_again(steady):
    task = steady.task("开灯")
    steady.cron(task, "打开客厅灯", "0 12 * * *")
    for _ in range(3):
        steady.hub.values["lamp", "prop.2.1"] = False
        steady.pass_time(24 * HOUR, 30 * MINUTE)
    assert [command[1] for command in steady.hub.commands] == ["lamp"] * 3
    assert steady.times(task) == ["12:00 done"] * 3


def test_a_device_that_is_gone_is_said(house):
    task = house.task("开灯")
    due(house, task, "打开书房台灯")
    assert house.hub.commands == []
    assert house.times(task) == ["12:00 failed acts_failed"]
    assert house.inbox() == ["「书房台灯」没有照办：找不到这台设备"]
    assert house.said() == []


def test_what_was_to_be_told_beside_a_device_that_is_gone_is_told(house):
    task = house.task("开灯")
    due(house, task, "打开书房台灯；使用手机推送通知：早上好")
    assert house.said() == ["早上好"]
    assert house.times(task) == ["12:00 done partial"]
    assert "「书房台灯」没有照办：找不到这台设备" in house.inbox()


def test_words_that_may_mean_several_devices_are_passed_on(house):
    more = Device("lamp2", "主卧灯", "主卧", "lamp", "m", online=True)
    one, two = (Device("lamp", "客厅灯", "客厅", "light", "m", online=True), more)
    house.hub.devices = lambda: [one, Device("lamp2", two.name, two.room, "light", "m", online=True)]
    task = house.task("开灯")
    due(house, task, "打开灯")
    assert house.hub.commands == []
    assert house.said() == ["打开灯（这件事要管家判断，先转告原话）"]
    assert [run.state for run in house.runs()] == [RunState.WAITING]


@pytest.mark.parametrize(
    ("answer", "state", "outcome"),
    [
        (Failed("refused"), "failed refused", "failed acts_failed"),
        (ZeroDivisionError("boom"), "unknown broken", "failed acts_unsure"),
    ],
)
def test_what_the_device_did_not_do_is_said_as_for_a_rule(house, answer, state, outcome):
    task = house.task("开灯")
    house.hub.values["lamp", "prop.2.1"] = False
    house.hub.answers["lamp"] = [answer]
    due(house, task)
    assert house.states(occurrence(house, task)) == [state]
    assert house.times(task) == [f"12:00 {outcome}"]
    assert len(house.inbox()) == 1
    assert "客厅灯" in house.inbox()[0]


def test_a_device_that_is_offline_is_tried_for_a_minute(steady):
    task = steady.task("开灯")
    steady.hub.values["lamp", "prop.2.1"] = False
    steady.hub.answers["lamp"] = [Failed("offline"), Failed("offline"), Done()]
    due(steady, task)
    steady.pass_time(2 * MINUTE)
    assert len(steady.hub.commands) == 3
    assert steady.times(task)[0].startswith(("12:00 done", "12:00 failed"))
    assert left(steady) == []


def test_a_write_that_may_have_arrived_is_looked_at_and_not_given_blindly(steady):
    task = steady.task("开灯")
    steady.hub.values["lamp", "prop.2.1"] = False

    def lost():
        steady.hub.values["lamp", "prop.2.1"] = True
        return Uncertain("timeout")

    steady.hub.answers["lamp"] = [lost]
    due(steady, task)
    assert len(steady.hub.commands) == 1
    assert steady.times(task) == ["12:00 done"]


def test_one_of_two_is_half_done(house):
    task = house.task("开灯")
    house.hub.answers["ac"] = [Failed("refused")]
    due(house, task, "打开客厅灯；打开空调")
    assert house.times(task) == ["12:00 done partial"]
    assert len(house.inbox()) == 1


def test_a_home_that_does_not_answer_for_a_moment_is_asked_again(house):
    task = house.task("开灯")
    devices, house.hub.devices = house.hub.devices, lambda: (_ for _ in ()).throw(ConnectionError)
    due(house, task)
    assert house.times(task) == ["12:00 claimed"]
    house.hub.devices = devices
    house.clock.advance(11 * SECOND)
    house.work()
    house.work()
    assert house.times(task) == ["12:00 done"]


def test_a_home_that_does_not_answer_is_said(house):
    task = house.task("开灯")
    house.hub.devices = lambda: (_ for _ in ()).throw(ConnectionError)
    due(house, task, "打开客厅灯；使用手机推送通知：早上好")
    assert house.said() == []
    for _ in range(7):
        house.clock.advance(11 * SECOND)
        house.work()
    assert house.times(task) == ["12:00 done partial"]
    assert house.said() == ["早上好"]
    assert "「打开客厅灯；使用手机推送通知：早上好」没有照办：联系不上家里的设备" in house.inbox()


def test_what_comes_hours_late_is_not_done_and_not_silent(house):
    """The power was away: nobody wants lights on that were to be switched on at noon."""
    task = house.task("开灯")
    house.cron(task, "打开客厅灯", AT_NOON)
    house.clock.advance(5 * HOUR)
    for _ in range(4):
        house.work()
    assert house.hub.commands == []
    assert house.times(task) == ["12:00 missed too_late"]
    assert house.inbox() == ["10月12日 12:00的「打开客厅灯」没有做：已经过了时间"]


def test_what_comes_some_minutes_late_is_done(house):
    task = house.task("开灯")
    house.cron(task, "打开客厅灯", AT_NOON)
    house.clock.advance(2 * HOUR + 20 * MINUTE)
    for _ in range(4):
        house.work()
    assert house.times(task) == ["12:00 done"]


def test_a_task_that_is_paused_meanwhile_gives_no_more_commands(steady):
    task = steady.task("开灯")
    steady.hub.values["lamp", "prop.2.1"] = False
    steady.hub.stuck.add("lamp")
    due(steady, task)
    before = len(steady.hub.commands)
    steady.do("pause", task)
    steady.pass_time(5 * MINUTE)
    assert len(steady.hub.commands) == before
    assert steady.times(task) == ["12:00 cancelled paused"]
    assert left(steady) == []


def test_the_next_time_waits_for_nobody_when_the_one_before_has_ended(steady):
    task = steady.task("开灯")
    steady.hub.values["lamp", "prop.2.1"] = False
    steady.hub.stuck.add("lamp")
    steady.cron(task, "打开客厅灯", "*/10 * * * *")
    steady.pass_time(30 * MINUTE + 30 * SECOND)
    assert steady.times(task)[:2] == ["10:10 failed acts_unsure", "10:20 failed acts_unsure"]
    # Once an hour is enough.
    assert len(steady.inbox()) == 1


class Eager:
    """Somebody with judgement, who would see to everything."""

    def __init__(self):
        self.asked = []

    def takes(self, _):
        return True

    def expect(self, _, run):
        self.asked.append(run.prompt.words)


@pytest.mark.parametrize(
    "message", ["打开客厅灯", "提醒用户检查门窗", "使用手机推送通知：开会", "打开客厅灯；提醒用户吃药", "打开书房台灯"]
)
def test_nobody_with_judgement_is_asked_about_what_is_certain(steady, message):
    eager = Eager()
    steady.doing.agents.attend(eager)
    due(steady, steady.task("中午"), message)
    assert (eager.asked, steady.runs()) == ([], [])


def test_somebody_with_judgement_is_asked_about_what_is_not(steady):
    eager = Eager()
    steady.doing.agents.attend(eager)
    due(steady, steady.task("中午"), "打开台灯和空调")
    assert eager.asked == [("打开台灯和空调",)]
    assert steady.said() == []


def test_a_message_that_is_changed_while_the_home_is_looked_at_is_done_as_it_is_then(steady):
    task = steady.task("中午")
    devices = steady.hub.devices

    def slow():
        steady.messages["j1"] = "打开空调"
        return devices()

    steady.hub.devices = slow
    due(steady, task)
    steady.pass_time(5 * SECOND)
    assert [command[1] for command in steady.hub.commands] == ["ac"]
    assert steady.times(task) == ["12:00 done"]


def test_a_job_that_is_removed_while_a_device_is_waited_for_goes_on_or_ends_but_never_hangs(steady):
    task = steady.task("中午")
    steady.hub.values["lamp", "prop.2.1"] = False
    steady.hub.stuck.add("lamp")
    due(steady, task)
    steady.messages.clear()
    steady.pass_time(5 * MINUTE)
    assert steady.times(task) == ["12:00 failed acts_unsure"]
    assert left(steady) == []


def test_a_clock_that_is_set_back_does_not_make_a_silent_home_be_waited_for_all_day(steady):
    task = steady.task("中午")
    steady.hub.devices = lambda: (_ for _ in ()).throw(ConnectionError)
    due(steady, task)
    steady.clock.jump(-HOUR)
    steady.pass_time(HOUR + 2 * MINUTE, 10 * SECOND)
    assert steady.times(task) == ["12:00 failed acts_failed"]


# The power fails


@pytest.fixture(params=["restart", "takeover"])
def revive(request, steady):
    def revive():
        if request.param == "restart":
            steady.restart()
        else:
            steady.home.store = steady.home.open()
            steady.open()
            steady.engine.drain()
            steady.clock.advance(timedelta(seconds=8))
        for _ in range(4):
            steady.engine.drain()

    return revive


def killed(steady, monkeypatch, point):
    """Kill the program at one point of a message that commands a device."""
    messaging = steady.engine._duties["household.message"].handler.__self__
    acting = steady.engine._duties["household.act"].handler.__self__
    die = lambda *_, **__: (_ for _ in ()).throw(Killed)  # noqa: E731
    if point == "looking":
        monkeypatch.setattr(steady.hub, "devices", die)
    if point == "before it is written down":
        monkeypatch.setattr(messaging, "message", die)
    if point == "after it is written down":
        message = messaging.message

        def written_and_dead(*given):
            message(*given)
            raise Killed

        monkeypatch.setattr(messaging, "message", written_and_dead)
    if point == "between the jobs":
        monkeypatch.setattr(acting, "_carry_out", die)
    if point == "sending":
        steady.hub.answers["lamp"] = [Killed()]
    if point == "committing":
        monkeypatch.setattr(acting, "_write_down", die)
    steady.cron(steady.tasked, "打开客厅灯；使用手机推送通知：早上好", AT_NOON)
    steady.clock.advance(2 * HOUR)
    with pytest.raises(Killed):
        _drain_all(steady)
    monkeypatch.undo()


def _drain_all(steady):
    for _ in range(4):
        steady.engine.drain()


@pytest.mark.parametrize(
    "point",
    ["looking", "before it is written down", "after it is written down", "between the jobs", "sending", "committing"],
)
def test_a_message_is_carried_out_once_wherever_the_power_failed(steady, monkeypatch, revive, point):
    steady.tasked = steady.task("开灯")
    steady.hub.values["lamp", "prop.2.1"] = False
    killed(steady, monkeypatch, point)
    revive()
    steady.pass_time(2 * MINUTE)
    assert steady.hub.values["lamp", "prop.2.1"] is True
    assert steady.times(steady.tasked) == ["12:00 done"]
    assert steady.said() == ["早上好"]
    assert len(steady.hub.commands) == (2 if point == "sending" else 1)
    assert left(steady) == []


def test_a_device_that_is_called_otherwise_after_a_crash_is_still_the_one(steady, monkeypatch):
    """What was written down is carried out: another device of that name must not get half of it."""
    steady.tasked = steady.task("开灯")
    killed(steady, monkeypatch, "between the jobs")
    steady.hub.devices = lambda: [Device("ac", "客厅灯", "客厅", "light", "m", online=True)]
    steady.restart()
    steady.pass_time(MINUTE)
    assert [command[1] for command in steady.hub.commands] == ["lamp"]
    assert steady.times(steady.tasked) == ["12:00 done"]


def test_commands_whose_job_is_lost_for_good_end_as_failed(steady, monkeypatch):
    task = steady.task("开灯")
    acting = steady.engine._duties["household.act"].handler.__self__
    monkeypatch.setattr(acting, "_write_down", lambda *_: (_ for _ in ()).throw(ZeroDivisionError("boom")))
    due(steady, task)
    steady.pass_time(HOUR, MINUTE)
    assert steady.times(task)[0].startswith("12:00 failed")
    assert left(steady) == []
