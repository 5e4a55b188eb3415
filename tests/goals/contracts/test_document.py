"""The replies and bodies that the document writes out, read as they stand there."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.goals.loop.worlds import ROOT, World, closed, hung_leaf, info, started

from zhixing.goals.contracts.bidding import relay_message
from zhixing.goals.contracts.executing import execute_prompt, group_context, read_execution
from zhixing.goals.contracts.planning import NO_WEB, planning_prompt, read_plan
from zhixing.goals.contracts.searching import Candidate, read_search, search_prompt
from zhixing.goals.contracts.shapes import read_spec
from zhixing.goals.loop.events import Attach, BbsResult, Delivered, Execute, Report, SearchResult
from zhixing.goals.loop.model import Criterion, Formation, Member, TaskSpec
from zhixing.goals.loop.results import Failed, Passed, Result, result_of
from zhixing.goals.loop.values import CollabMode, SearchOutcome

NEXT = """\
{"tasks": [{"metadata": {"task_id": "<子节点node_id>", "title": "<标题>", "instruction": "<指令>"},
             "context": {"background": "<背景>", "extend_props": {}},
             "goal": {"objective": "<目标>", "acceptances": [{"id": "<ac_id>", "description": "<描述>"}]}}],
 "has_gap": true,
 "gap_detail": ""}"""
DONE = '{"tasks": [], "has_gap": false, "gap_detail": "done"}'
STUCK = '{"tasks": [], "has_gap": true, "gap_detail": "<原因>"}'
CATALOG = (Candidate("<bot_id>", "行业信息抓取Bot"), Candidate("m1", "市场需求分析Bot"), Candidate("m2", "投资Bot"))


def test_the_next_tasks_of_a_plan_are_read_whole() -> None:
    """L-2.3."""
    read = read_plan(ROOT, NEXT)
    spec = TaskSpec("<标题>", "<指令>", "<背景>", "<目标>", (Criterion("<ac_id>", "<描述>"),))
    assert [(each.id, each.spec) for each in read.children] == [("<子节点node_id>", spec)]
    assert (read.has_gap, read.gap_detail) == (True, "")


@pytest.mark.parametrize(("reply", "has_gap", "detail"), [(DONE, False, "done"), (STUCK, True, "<原因>")])
def test_a_plan_without_tasks_is_accepted_or_stuck(reply: str, has_gap: bool, detail: str) -> None:  # noqa: FBT001
    """L-2.4, L-2.5."""
    read = read_plan(ROOT, reply)
    assert (read.children, read.has_gap, read.gap_detail) == ((), has_gap, detail)


def test_a_planner_is_told_the_three_forms_and_a_searcher_the_four_outcomes() -> None:
    graph = started("a", criteria=["ac1"]).graph
    asked = planning_prompt(graph, ROOT)
    assert asked.startswith("[planning] ")
    assert DONE in asked
    for part in (
        f"目标节点 node_id={ROOT}\n",
        "任务态快照\n{",
        '"has_gap": true',
        '"done_children"',
        '"loop_round": 0',
    ):
        assert part in asked
    searched = search_prompt(graph, "a", CATALOG)
    assert searched.startswith("[search] ")
    for part in ("HIT_SINGLE", "HIT_GROUP", "HIT_MULTI_BOTS", "MISS", "子任务需求+候选集", '"demand"', '"catalog"'):
        assert part in searched


def test_each_outcome_of_a_search_is_read() -> None:
    """L-3.2, L-3.3, L-3.4, L-3.5."""

    def read(reply: str) -> SearchResult:
        return read_search("a", reply, CATALOG)

    single = read('{"outcome":"HIT_SINGLE","bot_id":"<bot_id>"}')
    assert (single.outcome, single.bot_id) == (SearchOutcome.HIT_SINGLE, "<bot_id>")
    group = read('{"outcome":"HIT_GROUP","group_id":"<group_id>"}')
    assert (group.outcome, group.group_id) == (SearchOutcome.HIT_GROUP, "<group_id>")
    missed = read('{"outcome":"MISS","miss_reason":"<原因>"}')
    assert (missed.outcome, missed.reason) == (SearchOutcome.MISS, "<原因>")
    several = read(
        '{"outcome":"HIT_MULTI_BOTS","bot_ids":["市场需求分析Bot","m2"],"collab_mode":"manager_worker",\n'
        '   "group_name":"<群名>","manager_bot_id":"m1",\n'
        '   "members_info":[{"bot_id":"m1","role":"manager","responsibility":"汇总"}],\n'
        '   "definition_yaml":""}'
    )
    member = Member("m1", "manager", "汇总")
    assert several.formation == Formation(("m1", "m2"), CollabMode.MANAGER_WORKER, "<群名>", "m1", (member,))


@pytest.mark.parametrize(
    ("body", "result"),
    [
        ('{"success": true, "data": {"result": "..."}, "gaps": []}', Passed({"output": "..."})),
        (
            '{"success": false, "data": {"result": "已有产出"}, "gaps": ["gap 描述"]}',
            Failed({"output": "已有产出"}, ("gap 描述",)),
        ),
    ],
)
def test_both_bodies_of_a_report_mean_what_the_document_says(body: str, result: Result) -> None:
    """L-4.3."""
    assert result_of(Report("a", **json.loads(body))) == result
    # A single bot ends its words with the same object.
    assert result_of(read_execution("a", f"做完了。\n{body}")) == result


def test_a_single_bot_is_told_to_answer_in_json_and_a_group_to_report() -> None:
    """L-4.7."""
    alone = execute_prompt(started("a").graph, "a")
    assert "不要发 HTTP 请求" in alone
    assert "callback/report" not in alone
    found = SearchResult("a", SearchOutcome.HIT_MULTI_BOTS, formation=Formation(("b1", "b2")))
    context = group_context(started("a").tell(found, Delivered("a", "group")).graph, "a", "http://host:1")
    assert "http://host:1/api/v1/collaboration/tasks/callback/report" in context
    assert f'"loop_task_id": "{ROOT}::a"' in context


def relayed(world: World, steps: list[dict[str, Any]]) -> World:
    """Do what the bodies of steps ② and ④ say."""
    attached, result = steps
    assert attached["task_id"] == result["task_id"] == ROOT
    spec = read_spec(attached["task_spec"])
    world.tell(Attach(attached["bot_id"], attached["parent_node_id"], result["node_id"], spec))
    assert world.status == 200
    verdict = result["acceptance_result"]["verdict"]
    return world.tell(BbsResult(result["bot_id"], result["node_id"], verdict, output=result["output_patch"]))


def test_the_steps_of_a_relay_finish_what_was_left() -> None:
    """L-5.3, L-5.4."""
    world = hung_leaf({"r1": 60})
    message = relay_message(world.graph, "r1", "http://host:1").splitlines()
    assert {f"task_id={ROOT}", "backend=http://host:1", "你的 bot_id=r1"} <= set(message)
    attached = {
        "task_id": ROOT,
        "parent_node_id": ROOT,
        "task_spec": {
            "metadata": {"title": "名册", "instruction": "整理名册"},
            "context": {"background": ""},
            "goal": {"objective": "名册", "acceptances": [{"id": "ac1", "description": "给出名册"}]},
        },
        "bot_id": "r1",
    }
    result = {
        "task_id": ROOT,
        "node_id": "bbs-0000000a",
        "bot_id": "r1",
        "acceptance_result": {"verdict": "PASS", "acceptances_metric": []},
        "output_patch": {"roster": {"architects": ["甲"]}},
    }
    relayed(world, [attached, result])
    assert (world.status, world.states()["bbs-0000000a"]) == (200, "DONE")
    assert world.node("bbs-0000000a").run.output == {"roster": {"architects": ["甲"]}}
    assert world.awaited() == [f"plan:{ROOT}"]
    assert world.tell(closed()).graph.head.status == "DONE"


def test_a_goal_that_is_asked_about_for_the_first_time_shows_nothing_done() -> None:
    asked = planning_prompt(World().tell(Execute(info("ac1"))).graph, ROOT)
    assert '"done_children": []' in asked
    assert '"gaps": []' in asked


def test_that_the_net_may_not_be_used_is_said_only_where_that_is_wanted() -> None:
    """L-2.12, trap_35."""
    graph = started("a").graph
    for prompt in (planning_prompt(graph, ROOT), search_prompt(graph, "a", CATALOG), execute_prompt(graph, "a")):
        assert "联网" not in prompt
    assert planning_prompt(graph, ROOT, NO_WEB).endswith(NO_WEB)
    assert execute_prompt(graph, "a", NO_WEB).endswith(NO_WEB)
