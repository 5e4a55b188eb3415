"""Rules whose words switch devices and tell somebody: both are done, and nobody with judgement is needed."""

from __future__ import annotations

from datetime import timedelta

import pytest
from tests.household.doing.conftest import Killed

from zhixing.household.doing.model import RunState
from zhixing.household.doing.ordering import read_rest
from zhixing.tasks.rules.model import Direction
from zhixing.world.devices.port import Device, Failed

SECOND, MINUTE, HOUR = timedelta(seconds=1), timedelta(minutes=1), timedelta(hours=1)
LIT = "打开客厅灯；使用手机推送通知：有人进客厅"
DARK = "关掉客厅灯；使用手机推送通知：人走了"


def work(house):
    for _ in range(3):
        house.work()


def drain(house):
    """Do everything that is due, without coming back in between."""
    for _ in range(3):
        house.engine.drain()


def left(house):
    """Give the names of the jobs that are still to be done about answers."""
    with house.store.read() as tx:
        found = tx.rows("SELECT name FROM jobs WHERE state IN ('pending', 'running')")
    return sorted(name for (name,) in found if name in ("household.act", "household.look"))


def away(house):
    """Take the home out of reach; return what brings it back."""
    devices = house.hub.devices

    def broken():
        raise ConnectionError

    house.hub.devices = broken
    return lambda: setattr(house.hub, "devices", devices)


def test_the_light_goes_on_and_it_is_told(house):
    task = house.task("开灯")
    house.hub.values["lamp", "prop.2.1"] = False
    fired = house.fire(task, LIT)
    work(house)
    assert house.hub.commands == [("write", "lamp", "prop.2.1", True)]
    assert house.said() == ["有人进客厅"]
    assert house.ended(fired) == "done"
    assert house.states(fired) == ["done"]
    # What a reset needs: how it was before.
    assert [step.was for step in house.steps(fired)] == [False]
    assert (house.runs(), left(house)) == ([], [])


def test_the_same_fire_again_does_nothing_again(house):
    task = house.task("开灯")
    fired = house.fired_of(task, LIT)
    house.hand_over(fired)
    with house.store.write() as tx:
        house.doing.fired(tx, [fired])
    work(house)
    with house.store.write() as tx:
        house.doing.fired(tx, [fired])
    work(house)
    assert len(house.hub.commands) == 1
    assert house.said() == ["有人进客厅"]


def test_a_device_that_is_so_already_is_left_alone(house):
    task = house.task("开灯")
    house.hub.values["lamp", "prop.2.1"] = True
    fired = house.fire(task, LIT)
    work(house)
    assert house.hub.commands == []
    assert (house.states(fired), house.ended(fired)) == (["skipped already"], "done")


def test_several_devices_and_a_write_to_the_record_are_all_done(house):
    task = house.task("喝水", {"target": 8, "unit": "杯", "window": "day", "recurring_pattern": {"window": "day"}})
    fired = house.fire(task, "记录计数+1；打开客厅灯；打开空调；使用手机推送通知：喝了")
    work(house)
    assert {command[1] for command in house.hub.commands} == {"lamp", "ac"}
    assert house.count(task) == 1
    assert house.said() == ["喝了"]
    assert house.ended(fired) == "done"


@pytest.mark.parametrize(
    "words",
    [
        "打开客厅灯；看看要不要关窗；使用手机推送通知：有人",
        "若正值晚上，打开客厅灯；使用手机推送通知：有人",
        "打开客厅灯；关掉空调；打开窗帘；打开空调；关掉客厅灯；关掉窗帘；使用手机推送通知：有人",
        f"打开{'客厅' * 60}灯；使用手机推送通知：有人",
        "检查开灯是否仍有效，若已结束则复位",
    ],
)
def test_where_one_clause_takes_judgement_all_of_it_waits(house, words):
    task = house.task("开灯")
    fired = house.fire(task, words)
    work(house)
    assert house.hub.log == []
    assert [run.state for run in house.runs()] == [RunState.WAITING]
    assert house.ended(fired) == "claimed"


@pytest.mark.parametrize("words", ["打开灯；使用手机推送通知：有人", "打开客厅灯；关掉客厅灯；使用手机推送通知：有人"])
def test_what_the_home_cannot_tell_waits_for_the_agent_as_before(house, words):
    lamps = [
        Device(did, f"{room}灯", room, "light", "m", online=True) for did, room in (("lamp", "客厅"), ("ac", "主卧"))
    ]
    house.hub.devices = lambda: lamps
    task = house.task("开灯")
    fired = house.fire(task, words)
    work(house)
    assert house.hub.commands == []
    assert house.said() == ["有人"]
    (run,) = house.runs()
    assert (run.state, run.alone) == (RunState.WAITING, False)
    assert (run.prompt.rule, run.prompt.direction, run.prompt.query) == ("r1", "enter", "有人喝水")
    assert house.ended(fired) == "claimed"
    house.clock.advance(HOUR)
    work(house)
    assert house.ended(fired) == "done no_agent"


def test_a_device_that_is_gone_is_said(house):
    task = house.task("开灯")
    fired = house.fire(task, "打开书房台灯；使用手机推送通知：有人")
    work(house)
    assert house.said() == ["有人"]
    assert house.ended(fired) == "done partial"
    assert "「书房台灯」没有照办：找不到这台设备" in house.inbox()


def test_of_two_devices_one_fails_and_it_is_said(house):
    task = house.task("开灯")
    house.hub.values |= {("lamp", "prop.2.1"): False, ("ac", "prop.2.1"): False}
    house.hub.answers["lamp"] = [Failed("refused")]
    fired = house.fire(task, "打开客厅灯；打开空调；使用手机推送通知：有人")
    work(house)
    assert house.states(fired) == ["failed refused", "done"]
    assert house.ended(fired) == "done partial"
    assert any("客厅灯" in text for text in house.inbox())


def test_a_home_that_answers_late_is_asked_again(steady):
    task = steady.task("开灯")
    back = away(steady)
    fired = steady.fire(task, LIT)
    steady.pass_time(15 * SECOND)
    assert steady.said() == ["有人进客厅"]
    assert steady.ended(fired) == "claimed"
    back()
    steady.pass_time(15 * SECOND)
    assert steady.states(fired) == ["done"]
    assert steady.ended(fired) == "done"


def test_a_home_that_never_answers_is_said(steady):
    task = steady.task("开灯")
    away(steady)
    told, alone = steady.fire(task, LIT), steady.fire(task, "打开客厅灯", rule="r2")
    steady.pass_time(3 * MINUTE)
    assert (steady.ended(told), steady.ended(alone)) == ("done partial", "failed acts_failed")
    assert any("客厅灯" in text for text in steady.inbox())
    assert left(steady) == []


@pytest.mark.parametrize("leaving", ["words", "commands"])
def test_a_light_is_not_switched_on_when_everybody_has_left(steady, leaving):
    task = steady.task("开灯")
    steady.hub.values["lamp", "prop.2.1"] = True
    back = away(steady)
    entered = steady.fire(task, LIT)
    steady.pass_time(5 * SECOND)
    exit_answer = DARK if leaving == "words" else steady.set(value=False)
    steady.clock.advance(SECOND)
    gone = steady.fire(task, exit_answer, direction=Direction.EXIT)
    steady.pass_time(3 * SECOND)
    back()
    steady.pass_time(MINUTE)
    assert steady.hub.values["lamp", "prop.2.1"] is False
    assert steady.steps(entered) == []
    assert steady.ended(entered) == "done overtaken"
    assert steady.ended(gone) == "done"


def test_answers_of_one_instant_are_carried_out_in_their_order(steady):
    task = steady.task("开灯")
    steady.hub.values["lamp", "prop.2.1"] = False
    entered = steady.fire(task, LIT)
    gone = steady.fire(task, steady.set(value=False), direction=Direction.EXIT)
    steady.work()
    assert [command[3] for command in steady.hub.commands] == [True, False]
    assert steady.states(entered) == steady.states(gone) == ["done"]


@pytest.mark.parametrize("entering", ["words", "commands"])
@pytest.mark.parametrize("leaving", ["words", "commands"])
def test_who_comes_and_goes_before_anything_was_done_leaves_it_dark(house, entering, leaving):
    task = house.task("开灯")
    house.hub.values["lamp", "prop.2.1"] = False
    house.fire(task, LIT if entering == "words" else house.set())
    house.clock.advance(SECOND)
    house.fire(task, DARK if leaving == "words" else house.set(value=False), direction=Direction.EXIT)
    work(house)
    assert house.hub.values["lamp", "prop.2.1"] is False
    assert left(house) == []


def test_what_another_answer_has_commanded_meanwhile_is_left_to_it(steady):
    task = steady.task("开灯")
    steady.hub.values |= {("lamp", "prop.2.1"): True, ("ac", "prop.2.1"): False}
    back = away(steady)
    late = steady.fire(task, "打开客厅灯；打开空调；使用手机推送通知：有人")
    steady.pass_time(5 * SECOND)
    steady.fire(task, steady.set(value=False), rule="r2")
    steady.pass_time(SECOND)
    back()
    steady.pass_time(MINUTE)
    assert steady.hub.values["lamp", "prop.2.1"] is False
    assert steady.hub.values["ac", "prop.2.1"] is True
    assert steady.ended(late) == "done"


def test_an_answer_from_a_clock_that_was_wrong_overtakes_nothing(house):
    task = house.task("开灯")
    house.hub.values["lamp", "prop.2.1"] = True
    house.clock.advance(24 * HOUR)
    house.fire(task, house.set(value=False), direction=Direction.EXIT)
    work(house)
    house.clock.jump(-24 * HOUR)
    fired = house.fire(task, LIT)
    work(house)
    assert house.hub.values["lamp", "prop.2.1"] is True
    assert house.states(fired) == ["done"]


def test_after_a_long_outage_nothing_is_switched_any_more(steady):
    task = steady.task("开灯")
    fired = steady.fire(task, LIT)
    steady.clock.advance(HOUR)
    steady.restart()
    steady.work()
    assert steady.hub.commands == []
    assert steady.ended(fired) == "done partial"
    assert any("打开客厅灯" in text for text in steady.inbox())


def test_a_task_that_stops_calls_off_what_was_not_begun(house):
    task = house.task("开灯")
    fired = house.fire(task, LIT)
    house.do("delete", task)
    work(house)
    assert house.hub.log == []
    assert house.ended(fired) == "cancelled deleted"
    assert left(house) == []


def test_words_that_are_told_do_not_end_what_a_device_still_has_to_do(steady):
    task = steady.task("开灯")
    steady.hub.values["lamp", "prop.2.1"] = False
    steady.hub.transition = 20.0
    steady.hub.shows_after["lamp"] = 20.0
    fired = steady.fire(task, LIT)
    steady.pass_time(5 * SECOND)
    assert steady.said() == ["有人进客厅"]
    assert steady.ended(fired) == "claimed"
    steady.pass_time(2 * MINUTE)
    assert steady.ended(fired) == "done"


@pytest.fixture(params=["restart", "takeover"])
def revive(request, steady):
    """Come back: the same program again, or another worker that waits for the lease to run out."""

    def revive():
        if request.param == "restart":
            steady.restart()
        else:
            steady.home.store = steady.home.open()
            steady.open()
            steady.engine.drain()
            steady.clock.advance(8 * SECOND)
        drain(steady)

    return revive


@pytest.mark.parametrize("point", ["looking", "deciding", "decided", "sending", "committing"])
def test_over_a_kill_it_is_switched_and_told_once(steady, revive, monkeypatch, point):
    task = steady.task("开灯")
    steady.hub.values["lamp", "prop.2.1"] = False
    fired = steady.fire(task, LIT)

    def killed(*_given, **_more):
        raise Killed

    duties = steady.engine._duties
    ordering, acting = (duties[name].handler.__self__ for name in ("household.look", "household.act"))
    if point == "looking":
        monkeypatch.setattr(steady.hub, "devices", killed)
    elif point == "deciding":
        monkeypatch.setattr(ordering, "_go_on", killed)
    elif point == "decided":
        monkeypatch.setattr(acting, "_carry_out", killed)
    elif point == "sending":
        steady.hub.answers["lamp"] = [Killed()]
    else:
        monkeypatch.setattr(acting, "_write_down", killed)
    with pytest.raises(Killed):
        drain(steady)
    monkeypatch.undo()
    assert steady.ended(fired) == "claimed"

    revive()

    assert steady.hub.values["lamp", "prop.2.1"] is True
    assert steady.ended(fired) == "done"
    assert steady.said() == ["有人进客厅"]
    assert len(steady.hub.commands) == (2 if point == "sending" else 1)
    assert left(steady) == []


def test_a_crash_does_not_make_other_commands_of_the_words(steady, monkeypatch):
    """The lamp is given another name after it was decided which one is meant."""
    task = steady.task("开灯")
    steady.hub.values["lamp", "prop.2.1"] = False
    fired = steady.fire(task, LIT)
    steady.hub.answers["lamp"] = [Killed()]
    with pytest.raises(Killed):
        drain(steady)
    monkeypatch.setattr(steady.hub, "devices", lambda: [Device("ac", "客厅灯", "客厅", "light", "m", online=True)])
    steady.restart()
    steady.pass_time(MINUTE)
    assert {command[1] for command in steady.hub.commands} == {"lamp"}
    assert steady.ended(fired) == "done"


def test_a_database_that_cannot_be_written_ends_it_and_says_so(steady, monkeypatch):
    task = steady.task("开灯")
    fired = steady.fire(task, LIT)
    ordering = steady.engine._duties["household.look"].handler.__self__

    def full(*_given):
        raise ZeroDivisionError("boom")

    monkeypatch.setattr(ordering, "_go_on", full)
    steady.pass_time(2 * HOUR, MINUTE)
    assert steady.ended(fired) == "done partial"
    assert steady.hub.commands == []
    assert any("客厅灯" in text for text in steady.inbox())


def test_what_the_target_switches_is_switched_once_a_period(house):
    task = house.task("看电视", {"target_minutes": 1, "recurring_pattern": {"window": "day"}}, "duration")
    house.hub.values["lamp", "prop.2.1"] = True
    house.fire(task, "记录计时起点")
    house.clock.advance(2 * MINUTE)
    first = house.fire(task, DARK, direction=Direction.TARGET)
    work(house)
    second = house.fire(task, DARK, direction=Direction.TARGET)
    work(house)
    assert [command[3] for command in house.hub.commands] == [False]
    assert house.said() == ["人走了"]
    assert (house.ended(first), house.ended(second)) == ("done", "skipped reached")


def test_a_device_that_is_offline_is_tried_again(steady):
    task = steady.task("开灯")
    steady.hub.values["lamp", "prop.2.1"] = False
    steady.hub.answers["lamp"] = [Failed("offline")]
    fired = steady.fire(task, LIT)
    steady.pass_time(MINUTE)
    assert len(steady.hub.commands) == 2
    assert steady.ended(fired) == "done"


@pytest.mark.parametrize("words", [(), ("",), ("打开客厅灯", ""), ("打开" * 10_000,), ("打开客厅灯",) * 6])
def test_what_is_no_list_of_commands_is_none(words):
    assert read_rest(words) is None
