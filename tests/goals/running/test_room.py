"""Goals from their execution to their end, with scripted twins outside, on both databases."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.goals.running.houses import TASK, House, goal

from zhixing.goals.loop.events import BbsResult, Budget, Report
from zhixing.goals.loop.limits import Limits
from zhixing.goals.loop.model import TaskSpec
from zhixing.goals.loop.values import Dispatch, GraphStatus, TaskType
from zhixing.goals.running.operations import Goals
from zhixing.goals.running.scripted import (
    MISSED,
    ScriptedBoard,
    ScriptedDeliverer,
    ScriptedPlanner,
    ScriptedTeller,
    chosen,
    failed,
    passed,
    planned,
    scripted_ports,
)

TWO = {TASK: [planned("a", "b"), planned()]}


@pytest.fixture
def house(store, clock):
    """Open a house with these twins outside."""

    def open_house(plans=None, searches=None, deliverer=None, board=None) -> House:
        ports = scripted_ports(ScriptedPlanner(plans or TWO, searches or {}), deliverer, board, ScriptedTeller())
        return House(store, clock, ports)

    return open_house


def test_a_goal_of_two_children_is_planned_delivered_accepted_and_done(house):
    home = house()
    home.run()
    assert home.states() == {TASK: "DONE", "a": "DONE", "b": "DONE"}
    assert [each.assignee for each in home.ports.deliverer.delivered] == ["bot-a", "bot-b"]
    assert all("do " in each.text for each in home.ports.deliverer.delivered)
    assert home.ports.teller.topics == ["done"]
    shown = home.goals.dashboard(TASK, log="actions").data
    assert shown["status"] == "DONE"
    assert len(shown["relations"]) == 2
    logs = [task["run_info"]["action_log"] for task in shown["tasks"]]
    assert all([line["seq"] for line in log] == list(range(1, len(log) + 1)) for log in logs)
    home.check_log()


def test_a_leaf_that_fails_is_mended_by_a_remedy_under_it(house):
    plans = {TASK: [planned("a"), planned()], "a": [planned("fix"), planned()]}
    home = house(plans, deliverer=ScriptedDeliverer({"a": [failed("chapter 2")]}))
    home.run()
    assert home.states() == {TASK: "DONE", "a": "DONE", "fix": "DONE"}
    assert "chapter 2" in home.ports.deliverer.delivered[1].text


def test_what_nobody_can_do_hangs_until_a_relay_bot_finishes_it(house):
    board = ScriptedBoard({"weak": 50, "strong": 90, "late": 70})
    home = house({TASK: [planned("a"), planned()], "a": [planned()]}, {"a": [MISSED]}, board=board)
    home.run(goal(limits=Limits(max_depth=1)))
    assert home.states()["a"] == "HUNG"
    assert [each.bot_id for each in board.told] == ["strong"]
    assert "https://goals.example" in board.told[0].prompt
    goals = home.goals
    assert goals.claim(TASK, "weak").status == 409
    assert goals.claim(TASK, "strong").status == 200
    attached = goals.attach(TASK, "strong", TASK, TaskSpec("rest", "do the rest"), key="k")
    assert goals.attach(TASK, "strong", TASK, TaskSpec("rest", "do the rest"), key="k").data == attached.data
    node = attached.data["node_id"]
    result = BbsResult("strong", node, "PASS", output={"output": "the rest"})
    assert [goals.bbs_result(TASK, result).status for _ in range(2)] == [200, 200]
    home.engine.drain()
    assert home.graph.head.status is GraphStatus.DONE
    assert goals.listed()[0].bbs_mode


def test_a_report_said_again_is_acknowledged_and_changes_nothing(house):
    home = house(deliverer=ScriptedDeliverer({"a": [None], "b": [None]}))
    home.run()
    report = Report("a", success=True, data="x", gaps=[], event_id="e1")
    assert home.goals.report(TASK, report).status == 200
    home.engine.drain()
    before = home.graph
    assert [home.goals.report(TASK, report).status for _ in range(3)] == [200, 200, 200]
    assert home.graph == before
    home.check_log()


def test_the_same_key_is_the_same_goal_and_no_other(house):
    goals = house().goals
    info = replace(goal(""), key="click")
    first, second = goals.execute(info), goals.execute(info)
    assert first.data["task_id"] == second.data["task_id"] != ""
    assert goals.execute(replace(info, owner_user_id="v")).data["task_id"] != first.data["task_id"]
    assert goals.execute(replace(info, spec=TaskSpec("else", "something else"))).status == 409
    assert len(goals.listed()) == 2
    assert [each.info.owner_user_id for each in goals.listed("v")] == ["v"]


def test_a_planner_that_cannot_be_reached_is_asked_again_and_then_the_goal_hangs(house):
    home = house({TASK: [RuntimeError("away"), planned("a"), planned()]})
    home.run()
    assert home.graph.head.status is GraphStatus.DONE


def test_a_planner_that_is_never_reached_leaves_a_goal_that_says_so(house):
    home = house({TASK: [RuntimeError("away")]})
    home.run()
    assert len(home.ports.planner.asked) == 3
    assert home.graph.root.run.hung_reason == "root_gap_no_decompose"
    assert "relay_wanted" in home.ports.teller.topics


def test_a_search_without_an_answer_is_tried_again_after_a_while(house):
    home = house({TASK: [planned("a"), planned()]}, {"a": [RuntimeError("away"), chosen("bot-a")]})
    home.run()
    assert home.graph.nodes["a"].run.dispatch_error == "dispatch_exception:RuntimeError"
    home.later(200)
    assert home.graph.head.status is GraphStatus.DONE


def test_a_delivery_that_provably_reached_nobody_is_sent_again_as_another_attempt(house):
    deliverer = ScriptedDeliverer(refusals={"a": ["form_group_failed"]})
    home = house(deliverer=deliverer)
    home.run()
    assert home.graph.nodes["a"].run.dispatch_error == "form_group_failed"
    home.later(200)
    assert home.graph.head.status is GraphStatus.DONE
    assert [(each.node_id, each.attempt) for each in deliverer.delivered] == [("b", 1), ("a", 2)]


def test_a_delivery_that_broke_is_unknown_and_waits_for_its_result_or_for_people(house):
    deliverer = ScriptedDeliverer(refusals={"a": [RuntimeError("line cut")]})
    home = house(deliverer=deliverer)
    home.run()
    assert home.graph.nodes["a"].run.dispatch is Dispatch.UNKNOWN
    assert "delivery_unknown" in home.ports.teller.topics
    assert home.goals.report(TASK, Report("a", success=True, data="it had arrived", gaps=[])).status == 200
    home.engine.drain()
    assert home.graph.head.status is GraphStatus.DONE
    assert [each.node_id for each in deliverer.delivered] == ["b"]


def test_an_execution_without_end_is_withdrawn_and_put_out_again_until_it_hangs(house):
    """theme_07."""
    deliverer = ScriptedDeliverer({"a": [None, passed("at last")]})
    home = house(deliverer=deliverer)
    home.run()
    home.later(601)
    assert [(each.node_id, each.attempt) for each in deliverer.withdrawn] == [("a", 1)]
    assert home.graph.head.status is GraphStatus.DONE
    assert home.graph.nodes["a"].run.attempt == 2


def test_people_resolve_what_hangs_and_cancel_what_they_do_not_want(house):
    home = house({TASK: [planned("a"), planned()]}, {"a": [MISSED]})
    home.run(goal(limits=Limits(max_depth=1)))
    assert home.goals.resolve(TASK, "a", "by hand").status == 200
    home.engine.drain()
    assert home.graph.head.status is GraphStatus.DONE
    assert home.goals.cancel(TASK).status == 409
    assert home.goals.execute(goal("other")).status == 200
    assert home.goals.cancel("other").status == 200
    home.engine.drain()
    assert [each.status for each in home.goals.listed(statuses=[GraphStatus.CANCELLED])] == [GraphStatus.CANCELLED]


def test_a_goal_without_time_left_stops_and_goes_on_with_more(house):
    deliverer = ScriptedDeliverer({"a": [None, passed("a")]})
    home = house(deliverer=deliverer)
    home.run(goal(limits=Limits(wall_clock=100_000)))
    home.later(80)
    assert "budget_warning" in home.ports.teller.topics
    home.later(20)
    assert home.graph.head.hung_reason == "budget_exhausted"
    assert home.goals.budget(TASK, Budget(wall_clock=10_000_000)).status == 200
    assert home.goals.retry(TASK).status == 200
    home.engine.drain()
    assert home.graph.head.status is GraphStatus.DONE


def test_a_relay_bot_that_cannot_be_told_makes_room_for_the_next_round(house):
    board = ScriptedBoard({"strong": 90}, refusals=[RuntimeError("?")])
    home = house({TASK: [planned("a")], "a": [planned()]}, {"a": [MISSED]}, board=board)
    home.run(goal(limits=Limits(max_depth=1)))
    assert "delivery_unknown" in home.ports.teller.topics
    home.later(601)
    assert len(board.asked) == 2
    assert [each.bot_id for each in board.told] == ["strong"]


def test_a_workflow_is_started_once_and_mirrored_without_a_planner(house):
    home = house({}, deliverer=ScriptedDeliverer({TASK: [passed("by the workflow")]}))
    home.run(goal(task_type=TaskType.WORKFLOW, workflow_id="wf-1"))
    assert home.graph.head.status is GraphStatus.DONE
    assert [each.workflow_id for each in home.ports.deliverer.delivered] == ["wf-1"]
    assert home.ports.planner.asked == []


def test_unknown_goals_and_nodes_are_not_found(house):
    home = house()
    assert home.goals.dashboard("nowhere").status == 404
    assert home.goals.cancel("nowhere").status == 404
    home.run()
    assert home.goals.dashboard(TASK, "nowhere").status == 404
    assert [each["node_id"] for each in home.goals.dashboard(TASK, "a").data["tasks"]] == ["a"]


def test_a_look_does_not_wait_for_who_changes_the_goal(house, home):
    """trap_04: Another connection holds the goal in the middle of a change."""
    at_home = house(deliverer=ScriptedDeliverer({"a": [None], "b": [None]}))
    at_home.run()
    other = Goals(home.open(), at_home.engine, at_home.clock)
    with at_home.store.write() as tx:
        at_home.goals.happen(tx, TASK, Report("a", success=True, data="x", gaps=[]))
        seen = other.dashboard(TASK).data
    assert [each["status"] for each in seen["tasks"]] == ["EXECUTING"] * 3


def test_time_runs_out_for_an_execution_also_when_its_ticks_were_lost(house):
    deliverer = ScriptedDeliverer({"a": [None, passed("at last")]})
    house(deliverer=deliverer).run()
    again = house(deliverer=deliverer)
    with again.store.write() as tx:
        tx.execute("DELETE FROM jobs WHERE name = 'goal_wake'")
    assert again.goals.take_up() == 1
    again.later(601)
    assert [(each.node_id, each.attempt) for each in deliverer.withdrawn] == [("a", 1)]
    assert again.graph.head.status is GraphStatus.DONE


def test_halves_of_characters_and_nul_in_what_bots_write_do_no_harm(house):
    odd = '{"success": true, "data": "x\\ud800 \\u0000", "gaps": []}'
    home = house(deliverer=ScriptedDeliverer({"a": [odd], "b": [None]}))
    home.run()
    assert home.goals.report(TASK, Report("b", success=True, data={"\udfff": ["\ud800"]}, gaps=[])).status == 200
    home.engine.drain()
    assert home.graph.head.status is GraphStatus.DONE
    assert home.graph.nodes["a"].run.output == {"output": "x? \x00"}
    home.check_log()
