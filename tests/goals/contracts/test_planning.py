"""The planning question as it is sent, and its answers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.goals.loop.worlds import ROOT, World, failed, info, passed, started

from zhixing.goals.contracts.planning import NO_WEB, planning_prompt, read_plan, snapshot
from zhixing.goals.loop.events import Child, Execute, PlanResult
from zhixing.goals.loop.model import Criterion, Judgement, TaskSpec

GOLDEN = Path(__file__).parent / "golden"


def task(task_id: str, **members: Any) -> dict[str, Any]:
    return {"metadata": {"task_id": task_id, "title": task_id.title()}, **members}


def reply(*tasks: dict[str, Any], gap: object = True, **members: Any) -> str:
    return json.dumps({"tasks": list(tasks), "has_gap": gap, "gap_detail": "", **members}, ensure_ascii=False)


CLOSED = '{"tasks": [], "has_gap": false, "gap_detail": "done"}'


def test_the_question_is_laid_out_as_agreed() -> None:
    """L-2.1, L-2.2, L-2.8."""
    world = World().tell(Execute(info("ac1")), PlanResult(ROOT, (Child("a", TaskSpec(title="first")),)))
    world.running("a").tell(passed("a"))
    assert planning_prompt(world.graph, ROOT, NO_WEB) + "\n" == (GOLDEN / "planning.txt").read_text("utf-8")


def test_a_remedy_is_asked_for_with_the_gaps() -> None:
    """L-2.11."""
    world = started("a").running("a").tell(failed("a", "no numbers"))
    shown = snapshot(world.graph, "a")
    assert (shown["node_id"], shown["status"], shown["gaps"]) == ("a", "FAILED", ["no numbers"])


def test_a_long_output_is_shown_shortened() -> None:
    world = started("a").running("a")
    report = passed("a")
    world.tell(type(report)("a", success=True, data="长" * 10_000))
    assert len(snapshot(world.graph, ROOT)["done_children"][0]["output"]) == 4001


@pytest.mark.parametrize(
    ("content", "children", "has_gap", "detail"),
    [
        (reply(task("a"), task("b")), ["a", "b"], True, ""),
        (CLOSED, [], False, "done"),
        ('{"tasks": [], "has_gap": true, "gap_detail": "拆不出"}', [], True, "拆不出"),
        (f"```json\n{reply(task('a'))}\n```", ["a"], True, ""),
        (f"[planning] 结果：{reply(task('a'))} 完", ["a"], True, ""),
        (json.dumps([task("a")]), ["a"], True, ""),
        ("[]", [], False, "done"),
        ("```json\n[]\n```", [], False, "done"),
        ("gaps: [] 还要想想", [], True, "plan_shape_unexpected"),
        (reply(task("a"), {"metadata": {}}, {"metadata": None}, {}), ["a"], True, ""),
        (reply(task("a"), gap=False), ["a"], False, ""),
        (json.dumps({"tasks": [task("a")]}), ["a"], True, ""),
        (json.dumps({"result": {"tasks": [task("a")], "has_gap": True}}), ["a"], True, ""),
        (reply({"metadata": {"title": "no id"}}, gap=False), [], True, "plan_shape_unexpected"),
        ('{"tasks": []}', [], True, "plan_shape_unexpected"),
        ('{"tasks": [], "has_gap": "false"}', [], True, "plan_shape_unexpected"),
        ('{"has_gap": false}', [], True, "plan_shape_unexpected"),
        ('{"tasks": {}, "has_gap": false}', [], True, "plan_shape_unexpected"),
        (f"{reply(task('a'))}\n做完以后：{CLOSED}", [], True, "plan_ambiguous"),
        (f"格式是 {CLOSED}，\n所以：{reply(task('a'))}", ["a"], True, ""),
        (f"{CLOSED} {CLOSED}", [], False, "done"),
        ("做完了，没有差距", [], True, "plan_parse_fail"),
        (" \n", [], True, "plan_empty_content"),
    ],
)
def test_an_answer_means(content: str, children: list[str], has_gap: bool, detail: str) -> None:  # noqa: FBT001 - a row
    read = read_plan(ROOT, content)
    assert ([each.id for each in read.children], read.has_gap, read.gap_detail) == (children, has_gap, detail)


def test_a_run_that_did_not_complete_is_no_answer() -> None:
    read = read_plan(ROOT, CLOSED, run_status="FAILED", attempt=2)
    assert (read.has_gap, read.gap_detail, read.attempt) == (True, "plan_not_completed", 2)


def test_a_specification_is_read_with_both_names_of_a_criterion() -> None:
    """trap_34."""
    goal = {"objective": "o", "acceptances": [{"id": "x", "description": "d"}, {"acceptance": "e"}, "f", {"id": "y"}]}
    context = {"background": "b", "extend_props": {"k": 1}}
    read = read_plan(ROOT, reply(task("a", goal=goal, context=context)))
    criteria = (Criterion("x", "d"), Criterion("ac2", "e"), Criterion("ac3", "f"))
    assert read.children[0].spec == TaskSpec("A", "", "b", "o", criteria, {"k": 1})


@pytest.mark.parametrize("task_id", ["", "x" * 129, "a\nb", 7, None])
def test_a_task_whose_id_cannot_be_used_is_dropped(task_id: object) -> None:
    read = read_plan(ROOT, reply({"metadata": {"task_id": task_id}}, task("b")))
    assert [each.id for each in read.children] == ["b"]


def test_judgements_of_criteria_are_read_and_only_true_is_passed() -> None:
    given = [{"ac_id": "x", "passed": True, "reason": "seen"}, {"ac_id": "y", "passed": "true"}, "z"]
    read = read_plan(ROOT, reply(gap=False, acceptance_verdicts=given))
    assert read.verdicts == (Judgement("x", passed=True, evidence="seen"), Judgement("y", passed=False, evidence=""))
