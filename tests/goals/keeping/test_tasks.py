"""A goal is a task: made with it, ended with it, from both sides, and each change is in its journal."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.goals.keeping.houses import TASK, KeptHouse, goal

from zhixing.goals.loop.events import Budget, Report
from zhixing.goals.loop.limits import Limits
from zhixing.goals.loop.model import TaskSpec
from zhixing.goals.loop.values import GraphStatus, TaskType
from zhixing.goals.running.scripted import (
    MISSED,
    ScriptedBoard,
    ScriptedDeliverer,
    ScriptedPlanner,
    failed,
    planned,
    scripted_ports,
)
from zhixing.kernel.errors import Conflict
from zhixing.tasks import store as tasks_store
from zhixing.tasks.task import LONGEST_DESCRIPTION, LONGEST_TITLE, Status, Way
from zhixing.world.channels.memory import MemoryChannel

TWO = {TASK: [planned("a", "b"), planned()]}
ENDLESS = {"a": [None], "b": [None]}


@pytest.fixture
def house(store, clock):
    """Open a house with these twins outside."""

    def open_house(plans=None, searches=None, deliverer=None, board=None) -> KeptHouse:
        ports = scripted_ports(ScriptedPlanner(plans or TWO, searches or {}), deliverer, board)
        return KeptHouse(store, clock, ports, MemoryChannel())

    return open_house


def under_way(house) -> KeptHouse:
    home = house(deliverer=ScriptedDeliverer(ENDLESS))
    home.run()
    return home


def test_a_goal_that_is_handed_in_is_a_task(house):
    home = under_way(house)
    task = home.task()
    assert (task.title, task.description) == ("report", "write the report")
    assert (task.way, task.status, task.zone) == (Way.GOAL, Status.ACTIVE, "Asia/Shanghai")
    assert home.kinds() == ["created", "goal_handed_in"]
    assert [each.who for each in home.journal()] == ["u", "u"]
    assert home.journal()[1].data == {"goal": TASK, "bot": "owner"}


def test_the_same_request_is_one_task_and_a_refused_one_is_none(house):
    home = house(deliverer=ScriptedDeliverer(ENDLESS))
    info = replace(goal(""), key="click")
    first, second = home.goals.execute(info), home.goals.execute(info)
    assert first.data["task_id"] == second.data["task_id"]
    assert home.goals.execute(replace(goal("wf"), task_type=TaskType.WORKFLOW)).status == 422
    with home.store.read() as tx:
        assert [each.way for each in tasks_store.page(tx).tasks] == [Way.GOAL]


def test_a_goal_that_is_done_completes_its_task(house):
    home = house()
    home.run()
    assert home.task().status is Status.COMPLETED
    assert home.kinds()[:4] == ["created", "goal_handed_in", "goal_done", "completed"]
    completed = home.journal()[3]
    assert (completed.who, completed.why) == ("goal", "goal_done")


def test_a_goal_that_is_cancelled_takes_its_task_out_of_sight(house):
    home = under_way(house)
    assert home.goals.cancel(TASK).status == 200
    home.engine.drain()
    assert home.task().status is Status.DELETED
    assert home.kinds()[-2:] == ["goal_cancelled", "deleted"]
    assert home.inbox() == []


def test_a_workflow_that_fails_ends_its_task_without_calling_it_done(house):
    home = house({}, deliverer=ScriptedDeliverer({TASK: [failed("no disk")]}))
    home.run(goal(task_type=TaskType.WORKFLOW, workflow_id="wf-1"))
    assert home.graph.head.status is GraphStatus.FAILED
    assert home.task().status is Status.EXPIRED
    assert home.kinds()[2:4] == ["goal_failed", "expired"]


def test_deleting_the_task_gives_the_goal_up(house):
    home = under_way(house)
    home.do("delete")
    assert home.graph.head.status is GraphStatus.CANCELLED
    home.engine.drain()
    assert sorted(each.node_id for each in home.ports.deliverer.withdrawn) == ["a", "b"]
    assert home.kinds()[-2:] == ["deleted", "goal_cancelled"]
    assert home.task().revision == 2


def test_a_task_that_a_person_calls_done_asks_no_bot_for_more(house):
    home = under_way(house)
    home.do("complete")
    assert home.graph.head.status is GraphStatus.CANCELLED
    assert home.task().status is Status.COMPLETED


def test_a_goal_cannot_be_paused_and_a_line_says_what_can_be_done(house):
    home = under_way(house)
    with pytest.raises(Conflict, match=f"zhixing delete {home.task().id}"):
        home.do("pause")
    assert home.task().status is Status.ACTIVE
    assert home.graph.head.status is GraphStatus.RUNNING


@pytest.mark.parametrize("end", ["done", "deleted"])
def test_a_goal_that_is_over_does_not_begin_again_by_restoring_its_task(house, end):
    home = house() if end == "done" else under_way(house)
    if end == "done":
        home.run()
    else:
        home.do("delete")
    before = home.task()
    with pytest.raises(Conflict, match="重新交代"):
        home.do("restore")
    assert home.task() == before


def test_a_finished_goal_can_be_put_out_of_sight(house):
    home = house()
    home.run()
    home.do("delete")
    assert home.task().status is Status.DELETED
    assert home.graph.head.status is GraphStatus.DONE


def test_what_hangs_stays_an_open_task_whose_journal_says_why(house):
    board = ScriptedBoard({"strong": 90})
    home = house({TASK: [planned("a"), planned()], "a": [planned()]}, {"a": [MISSED]}, board=board)
    home.run(goal(limits=Limits(max_depth=1)))
    assert home.task().status is Status.ACTIVE
    hung = next(each for each in home.journal() if each.kind.value == "goal_hung")
    assert (hung.why, hung.data) == ("miss_depth_exhausted", {"node": "a", "title": "a"})
    assert home.kinds()[2:5] == ["goal_hung", "goal_relay_wanted", "goal_relayed"]
    relayed = next(each for each in home.journal() if each.kind.value == "goal_relayed")
    assert relayed.data == {"bot": "strong"}


def test_a_person_who_gives_the_missing_result_completes_the_task(house):
    home = house({TASK: [planned("a"), planned()]}, {"a": [MISSED]})
    home.run(goal(limits=Limits(max_depth=1)))
    assert home.task().status is Status.ACTIVE
    assert home.goals.resolve(TASK, "a", "by hand").status == 200
    home.engine.drain()
    assert home.task().status is Status.COMPLETED


def test_a_goal_that_stops_and_goes_on_tells_both_once(house):
    home = house(deliverer=ScriptedDeliverer({"a": [None]}))
    home.run(goal(limits=Limits(wall_clock=100_000)))
    home.later(seconds=80)
    home.later(seconds=20)
    assert home.task().status is Status.ACTIVE
    assert home.goals.budget(TASK, Budget(wall_clock=10_000_000)).status == 200
    assert home.goals.retry(TASK).status == 200
    told = [each for each in home.journal() if each.kind.value.startswith("goal_")]
    assert [(each.kind.value, each.why) for each in told] == [
        ("goal_handed_in", ""),
        ("goal_budget", "wall_clock"),
        ("goal_stopped", "budget_exhausted"),
        ("goal_resumed", ""),
    ]


def test_a_result_that_comes_too_late_is_in_the_journal(house):
    home = house()
    home.run()
    assert home.goals.report(TASK, Report("a", success=True, data="again", gaps=[], attempt=1)).why == "recorded"
    assert home.kinds()[-1] == "goal_late"


HOSTILE = [
    TaskSpec("\x00\x1b[31m\u202e", "\x00do\ud800 it", "", "aim"),
    TaskSpec("t" * 5000, "d" * 50_000),
    TaskSpec("", "", "", ""),
    TaskSpec("line\nline\r\n\u2028line", "first\nsecond"),
]


@pytest.mark.parametrize("spec", HOSTILE)
def test_no_title_and_no_owner_is_in_the_way_of_a_task(house, spec):
    home = house(deliverer=ScriptedDeliverer(ENDLESS))
    home.run(replace(goal(), spec=spec, owner_user_id="o\n\u202e" * 500, owner_bot_id="b\x1b" * 500))
    task = home.task()
    assert 0 < len(task.title) <= LONGEST_TITLE
    assert task.title.isprintable()
    assert len(task.description) <= LONGEST_DESCRIPTION
    assert "\x00" not in task.description
    assert all(each.who.isprintable() and len(each.who) <= 64 for each in home.journal())


def test_a_goal_without_an_owner_is_made_by_the_user(house):
    home = house(deliverer=ScriptedDeliverer(ENDLESS))
    home.run(replace(goal(), owner_user_id="", owner_bot_id=""))
    assert home.journal()[0].who == "user"


def test_goals_from_before_they_were_tasks_go_on_without_one(house):
    home = under_way(house)
    with home.store.write() as tx:
        tx.execute("DELETE FROM goal_tasks")
    assert home.goals.cancel(TASK).status == 200
    with home.store.read() as tx:
        assert home.keeping.task_of(tx, TASK) is None
