"""The power fails at every point at which it makes a difference, and the database for a moment."""

from __future__ import annotations

from datetime import timedelta

import pytest

from zhixing.kernel.errors import StoreUnavailable
from zhixing.tasks.rules.model import Direction


class Killed(BaseException):
    """The process ends here, and nothing that is not on disk survives it."""


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
            steady.clock.advance(timedelta(seconds=8))
        steady.engine.drain()

    return revive


@pytest.fixture
def die(steady, monkeypatch):
    """Kill the program at one point of acting."""

    def die(point):
        if point == "committing":
            acting = steady.engine._duties["household.act"].handler.__self__
            monkeypatch.setattr(acting, "_write_down", lambda *_: (_ for _ in ()).throw(Killed))
        with pytest.raises(Killed):
            steady.engine.drain()
        monkeypatch.undo()

    return die


@pytest.mark.parametrize("point", ["sending", "committing"])
def test_a_write_that_may_be_repeated_is_done_after_all(steady, die, revive, point):
    task = steady.task()
    fired = steady.fire(task, steady.set("lamp"), steady.set("ac"))
    if point == "sending":
        steady.hub.answers["ac"] = [Killed()]
    die(point)
    assert steady.ended(fired) == "claimed"

    revive()

    assert steady.hub.values["lamp", "prop.2.1"] is True
    assert steady.hub.values["ac", "prop.2.1"] is True
    assert steady.ended(fired) == "done"
    assert [command for command in steady.hub.commands if command[1] == "lamp"] == [("write", "lamp", "prop.2.1", True)]


@pytest.mark.parametrize("point", ["sending", "committing"])
def test_a_command_that_is_given_once_is_unknown_afterwards_and_not_given_again(steady, die, revive, point):
    task = steady.task()
    fired = steady.fire(task, steady.play("叮咚"), steady.set("lamp"))
    if point == "sending":
        steady.hub.answers["speaker"] = [Killed()]
    die(point)

    revive()
    revive()

    assert [command for command in steady.hub.commands if command[0] == "act"] == [
        ("act", "speaker", "action.7.3", "叮咚")
    ]
    assert steady.states(fired) == ["unknown interrupted", "done" if point == "sending" else "skipped already"]
    assert steady.ended(fired) == "done partial"
    assert len(steady.inbox()) == 1


def test_a_kill_between_two_commands_that_are_given_once_leaves_neither_in_doubt_twice(steady, die, revive):
    """Both were marked as leaving: that the second had not left yet is not known any more."""
    task = steady.task()
    fired = steady.fire(task, steady.play("一"), steady.play("二"))
    steady.hub.answers["speaker"] = [Killed()]
    die("sending")

    revive()

    assert len(steady.hub.commands) == 1
    assert steady.states(fired) == ["unknown interrupted"] * 2
    assert steady.ended(fired) == "failed acts_unsure"


def test_a_command_whose_job_is_lost_again_and_again_does_not_undo_a_later_one(steady, die):
    """Such a job waits longer and longer, and not in its lane: the next answer goes ahead of it."""
    task = steady.task()
    on = steady.fire(task, steady.set(value=True))
    for _ in range(3):
        steady.hub.answers["lamp"] = [Killed()]
        die("sending")
        steady.restart()
        steady.clock.advance(timedelta(seconds=1))
    off = steady.fire(task, steady.set(value=False), direction=Direction.EXIT)
    steady.work()
    assert steady.states(off) == ["done"]

    steady.pass_time(timedelta(minutes=1))

    assert steady.hub.values["lamp", "prop.2.1"] is False
    assert steady.states(on) == ["skipped overtaken"]
    assert steady.ended(on) == "done"


def test_what_waits_for_a_device_goes_on_where_it_was(steady, die, revive):
    task = steady.task()
    steady.hub.values["lamp", "prop.2.1"] = False
    steady.hub.stuck.add("lamp")
    fired = steady.fire(task, steady.set("lamp"))
    steady.work()
    steady.clock.advance(timedelta(seconds=1))
    die("committing")

    revive()
    steady.pass_time(timedelta(minutes=2))

    # The try whose outcome was lost is one more.
    assert len(steady.hub.commands) == 4
    assert steady.steps(fired)[0].tries == 3
    assert steady.states(fired) == ["unconfirmed unconfirmed"]


def test_a_cooldown_begins_though_another_command_of_the_answer_is_still_waited_for(steady):
    task = steady.task()
    steady.hub.stuck.add("lamp")
    steady.hub.values["lamp", "prop.2.1"] = False
    steady.fire(task, steady.play(cooldown_minutes=30), steady.set("lamp"))
    steady.work()
    steady.restart()
    steady.fire(task, steady.play(cooldown_minutes=30))
    steady.work()
    assert [command[0] for command in steady.hub.commands].count("act") == 1


def test_what_could_not_be_written_down_at_once_is_not_forgotten(steady, monkeypatch):
    """The disk was full for a moment: the bell rang, and the program that knows it is still there."""
    task = steady.task()
    fired = steady.fire(task, steady.play())
    acting = steady.engine._duties["household.act"].handler.__self__
    write_down, full = acting._write_down, [True, True]

    def sometimes(*given):
        if full:
            full.pop()
            raise StoreUnavailable("store_full", place="home.db")
        return write_down(*given)

    monkeypatch.setattr(acting, "_write_down", sometimes)
    steady.pass_time(timedelta(minutes=1))

    assert len(steady.hub.commands) == 1
    assert steady.ended(fired) == "done"
    assert acting._unwritten == {}


def test_a_job_the_engine_gives_up_ends_its_occurrences_and_says_so(steady, monkeypatch):
    task = steady.task()
    fired = steady.fire(task, steady.play(), steady.set())
    acting = steady.engine._duties["household.act"].handler.__self__
    monkeypatch.setattr(acting, "_write_down", lambda *_: (_ for _ in ()).throw(ZeroDivisionError("boom")))
    steady.pass_time(timedelta(hours=1), timedelta(minutes=1))
    assert steady.ended(fired) == "failed acts_unsure"
    assert steady.states(fired) == ["unknown interrupted", "failed interrupted"]
    assert len(steady.inbox()) == 1


@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_message_of_a_cron_job_is_told_once_over_a_kill(steady, monkeypatch, moment):
    task = steady.task("吃药")
    steady.cron(task, "提醒用户吃药")
    messaging = steady.engine._duties["household.message"].handler.__self__
    say = messaging.message

    def message(*given):
        if moment == "after":
            say(*given)
        raise Killed

    monkeypatch.setattr(messaging, "message", message)
    steady.clock.advance(timedelta(hours=2))
    with pytest.raises(Killed):
        steady.engine.drain()
    steady.restart()
    steady.work()
    assert steady.said() == ["吃药"]
    assert steady.inbox() == ["吃药"]
    assert steady.times(task) == ["12:00 done"]
