"""What needs judgement waits where it can be seen, and not for ever."""

from __future__ import annotations

from datetime import timedelta

import pytest

from zhixing.household.doing.agents import MOST_WAITING
from zhixing.household.doing.model import Origin, RunState
from zhixing.kernel.errors import Conflict, NotFound
from zhixing.tasks.rules.model import Direction

SECOND, MINUTE = timedelta(seconds=1), timedelta(minutes=1)
CHECK = "检查开窗帘是否仍有效，若已结束则复位"
DAILY = {"target": 3, "unit": "杯", "window": "day", "recurring_pattern": {"window": "day"}}


@pytest.fixture
def task(house):
    return house.task("起床开窗帘", DAILY)


def test_a_desc_for_the_agent_becomes_a_run_that_waits(house, task):
    left = house.clock.now() - MINUTE
    fired = house.fire(task, CHECK, direction=Direction.EXIT, left=left, source="cam1", because="床上\n没人  了")
    house.work()
    (run,) = house.runs(states=[RunState.WAITING])
    assert (run.id, run.task_id, run.occurrence_id, run.origin) == ("h1", task.id, fired, Origin.RULE)
    assert run.prompt.words == (CHECK,)
    assert (run.prompt.direction, run.prompt.source, run.prompt.because) == ("exit", "cam1", "床上 没人 了")
    assert (run.prompt.at, run.prompt.left) == ("2026-10-12T10:00:00+08:00", "2026-10-12T09:59:00+08:00")
    assert run.deadline == house.clock.now() + 5 * MINUTE
    assert house.ended(fired) == "claimed"
    assert [entry.data["run"] for entry in house.journal(task, "agent_waits")] == ["h1"]


def test_waiting_is_told_once_a_day_for_each_task(house, task):
    other = house.task("别的")
    for _ in range(5):
        house.fire(task, CHECK)
        house.work()
        house.clock.advance(10 * MINUTE)
    assert len(house.inbox()) == 1
    house.fire(other, CHECK)
    assert len(house.inbox()) == 2
    house.clock.advance(timedelta(days=1))
    house.fire(task, CHECK)
    assert len(house.inbox()) == 3
    assert house.said() == []


@pytest.mark.parametrize(("waited", "state"), [(299, RunState.WAITING), (300, RunState.EXPIRED)])
def test_nobody_came_for_five_minutes(house, task, waited, state):
    fired = house.fire(task, CHECK)
    house.work()
    house.clock.advance(waited * SECOND)
    house.work()
    (run,) = house.runs()
    assert run.state is state
    if state is RunState.EXPIRED:
        assert run.why == "no_agent"
        assert run.ended_at == house.clock.now()
        assert house.ended(fired) == "missed no_agent"
    else:
        assert house.ended(fired) == "claimed"


def test_what_the_engine_did_is_done_though_the_rest_expired(house, task):
    fired = house.fire(task, f"计数加一；{CHECK}；使用手机推送通知：好")
    house.work()
    assert house.count(task) == 1
    assert house.said() == ["好"]
    assert house.ended(fired) == "claimed"
    house.clock.advance(5 * MINUTE)
    house.work()
    assert house.ended(fired) == "done no_agent"


def test_an_agent_takes_a_run_and_ends_it(house, task):
    fired = house.fire(task, CHECK)
    house.step()
    with house.store.write() as tx:
        taken = house.doing.agents.take(tx, "h1", house.clock.now() + 30 * MINUTE)
    assert taken.state is RunState.RUNNING
    assert house.ended(fired) == "running"
    house.clock.advance(10 * MINUTE)
    house.work()
    assert house.ended(fired) == "running"
    house.step()
    with house.store.write() as tx:
        done = house.doing.agents.end(tx, "h1", RunState.DONE)
        again = house.doing.agents.end(tx, "h1", RunState.FAILED, "late")
    assert done.state is again.state is RunState.DONE
    assert house.ended(fired) == "done"


def test_an_agent_that_never_comes_back_is_lost(house, task):
    fired = house.fire(task, CHECK)
    with house.store.write() as tx:
        house.doing.agents.take(tx, "h1", house.clock.now() + 30 * MINUTE)
    house.clock.advance(29 * MINUTE)
    house.work()
    assert house.ended(fired) == "running"
    house.clock.advance(MINUTE)
    house.work()
    assert house.ended(fired) == "interrupted lost"
    (run,) = house.runs()
    assert (run.state, run.why) == (RunState.FAILED, "lost")


def test_an_agent_fails(house, task):
    fired = house.fire(task, CHECK)
    with house.store.write() as tx:
        house.doing.agents.take(tx, "h1", house.clock.now() + 30 * MINUTE)
        house.doing.agents.end(tx, "h1", RunState.FAILED, "读不到窗帘")
    assert house.ended(fired) == "failed 读不到窗帘"


def test_only_what_waits_can_be_taken_and_only_what_is_taken_ended(steady):
    task = steady.task()
    steady.fire(task, CHECK)
    with pytest.raises(Conflict), steady.store.write() as tx:
        steady.doing.agents.end(tx, "h1", RunState.DONE)
    with steady.store.write() as tx:
        steady.doing.agents.take(tx, "h1", steady.clock.now() + 30 * MINUTE)
    with pytest.raises(Conflict), steady.store.write() as tx:
        steady.doing.agents.take(tx, "h1", steady.clock.now() + 30 * MINUTE)
    with pytest.raises(ValueError, match="not how"), steady.store.write() as tx:
        steady.doing.agents.end(tx, "h1", RunState.EXPIRED)


@pytest.mark.parametrize("operation", ["pause", "delete", "complete"])
def test_a_task_that_stops_calls_its_runs_off(house, task, operation):
    fired = house.fire(task, CHECK)
    house.do(operation, task)
    (run,) = house.runs()
    assert run.state is RunState.EXPIRED
    assert house.ended(fired).startswith("cancelled ")
    house.clock.advance(5 * MINUTE)
    house.work()
    assert house.ended(fired).startswith("cancelled ")


def test_the_same_fire_twice_waits_once(steady):
    task = steady.task()
    fired = steady.fired_of(task, CHECK)
    steady.hand_over(fired)
    with steady.store.write() as tx:
        steady.doing.fired(tx, [fired])
    assert len(steady.runs()) == len(steady.inbox()) == 1
    assert steady.ended(fired.occurrence_id) == "claimed"


def test_what_comes_on_top_of_too_many_is_missed_at_once(steady):
    task = steady.task()
    fires = [steady.fire(task, CHECK) for _ in range(MOST_WAITING + 1)]
    assert len(steady.runs(states=[RunState.WAITING], limit=500)) == MOST_WAITING
    assert steady.ended(fires[-1]) == "missed agent_busy"


def test_runs_are_listed_newest_first_and_page_by_page(steady):
    task, other = steady.task(), steady.task("别的")
    for each in (task, other, task):
        steady.fire(each, CHECK)
    assert [run.id for run in steady.runs()] == ["h3", "h2", "h1"]
    assert [run.id for run in steady.runs(task_id=task.id)] == ["h3", "h1"]
    (first,) = steady.runs(limit=1)
    assert [run.id for run in steady.runs(before=first)] == ["h2", "h1"]
    assert steady.runs(states=[RunState.DONE]) == []
    with steady.store.read() as tx:
        assert steady.doing.run(tx, "h2").task_id == other.id


@pytest.mark.parametrize("identity", ["h9", "h", "", "x1", "h1; DROP TABLE", "h٣", "h99999999999999999999"])
def test_a_run_that_is_not_there(steady, identity):
    with pytest.raises(NotFound), steady.store.read() as tx:
        steady.doing.run(tx, identity)
