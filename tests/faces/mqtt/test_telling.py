"""What is told when the broker comes and goes, by a clock that is moved by hand."""

from __future__ import annotations

import json
import logging
from datetime import timedelta

import pytest

from zhixing.app import build
from zhixing.faces.mqtt.telling import PAGE, STALE, Telling
from zhixing.household.plan import read_plan
from zhixing.settings import HomeZone, ZoneSource
from zhixing.tasks import store as tasks_store

OCCURRENCE = "zhixing/occurrence"
ACTION = {"did": "light_living", "iid": "prop.on", "value": True}
PLAN = {
    "task": {"task_id": "lamp", "description": "有人亮灯"},
    "rules": [{"name": "亮灯", "condition": "有人", "action": ACTION}],
}


class Line:
    """A connection that is there or not, and takes so many messages before it fails."""

    def __init__(self):
        self.online, self.greetings, self.room = True, 1, 10_000
        self.told = []

    def tell(self, topic, payload, *, retained):
        if self.room == 0:
            return False
        self.room -= 1
        self.told.append((topic, json.loads(payload) if payload else None, retained))
        return True

    def take(self):
        told, self.told = self.told, []
        return told

    def occurrences(self):
        return [said["data"]["occurrence"] for topic, said, _ in self.take() if topic == OCCURRENCE]


@pytest.fixture
def line():
    return Line()


@pytest.fixture
def app(store, clock):
    app = build(store, clock, HomeZone("Asia/Shanghai", ZoneSource.CONFIG), {})
    app.household.apply(read_plan(PLAN), who="test")
    return app


@pytest.fixture
def telling(clock, line, app):
    telling = Telling(app.store, line, clock, prefix="zhixing")
    telling.look()
    telling.look()
    return telling


@pytest.fixture
def fire(app, clock):
    ((_, rule),) = app.household.rules()

    def fire(times=1):
        with app.store.write() as tx:
            for _ in range(times):
                clock.advance(timedelta(milliseconds=1))
                app.rules.trigger(tx, rule.id, because="", who="test")

    return fire


def test_at_first_the_tasks_are_told_and_kept_and_nothing_old_happens(telling, line):
    ((topic, state, retained),) = line.take()
    assert (topic, state["slug"], state["status"], retained) == ("zhixing/task/lamp", "lamp", "active", True)
    telling.look()
    assert line.take() == []


def test_what_happens_is_told_once(telling, line, fire):
    line.take()
    fire()
    telling.look()
    assert len(line.occurrences()) == 1
    telling.look()
    assert line.take() == []


def test_what_happened_while_the_broker_was_away_for_a_moment_is_told_when_it_is_back(telling, line, fire, clock):
    line.take()
    line.online = False
    fire()
    telling.look()
    clock.advance(STALE - timedelta(seconds=1))
    line.online, line.greetings = True, 2
    telling.look()
    topics = [topic for topic, _, _ in line.told]
    assert topics == ["zhixing/task/lamp", OCCURRENCE]


def test_what_is_old_when_it_is_back_is_not_told_as_news_and_the_log_says_so(telling, line, fire, clock, caplog):
    line.take()
    line.online = False
    fire(3)
    clock.advance(STALE + timedelta(seconds=1))
    line.online = True
    with caplog.at_level(logging.WARNING, "zhixing.mqtt"):
        telling.look()
    assert line.occurrences() == []
    assert [record.getMessage() for record in caplog.records] == ["断线期间的 3 条动静太旧，没有补发到 MQTT。"]
    fire()
    telling.look()
    assert len(line.occurrences()) == 1


def test_what_could_not_be_handed_over_is_told_at_the_next_look(telling, line, fire):
    line.take()
    line.room = 0
    fire(2)
    telling.look()
    assert line.take() == []
    line.room = 10
    telling.look()
    assert len(line.occurrences()) == 2


def test_more_than_a_page_is_told_in_order(telling, line, fire):
    line.take()
    fire(PAGE + 10)
    telling.look()
    assert len(line.occurrences()) == PAGE + 10


def test_a_task_that_ended_is_told_once_more_and_then_not_kept(telling, line, app, store):
    line.take()
    app.household.delete("lamp", who="test")
    telling.look()
    assert [(topic, said and said["status"], kept) for topic, said, kept in line.take()] == [
        ("zhixing/task/lamp", "completed", False),
        ("zhixing/task/lamp", None, True),
    ]
    with store.read() as tx:
        assert tasks_store.get(tx, "t1").status == "completed"


def test_when_the_broker_may_have_forgotten_what_it_kept_it_is_told_again_and_what_ended_is_taken_back(
    telling, line, app
):
    line.take()
    line.online = False
    app.household.delete("lamp", who="test")
    app.household.apply(read_plan({**PLAN, "task": {"task_id": "lamp_2", "description": "有人亮灯"}}), who="test")
    line.online, line.greetings = True, 2
    telling.look()
    told = [(topic, said and said["status"], kept) for topic, said, kept in line.take()]
    assert told[:2] == [("zhixing/task/lamp", None, True), ("zhixing/task/lamp_2", "active", True)]
    assert told[-1] == ("zhixing/task/lamp_2", "active", True)


def test_a_name_that_another_task_has_taken_over_is_not_cleared(telling, line, app):
    line.take()
    app.household.delete("lamp", who="test")
    app.household.apply(read_plan(PLAN), who="test")
    telling.look()
    told = [(topic, said and said["status"], kept) for topic, said, kept in line.take()]
    assert told[-1] == ("zhixing/task/lamp", "active", True)
    assert ("zhixing/task/lamp", None, True) not in told
