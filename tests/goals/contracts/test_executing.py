"""What executors are told, and what a single bot's final words say."""

from __future__ import annotations

import pytest
from tests.goals.loop.worlds import failed, passed, plan, started

from zhixing.goals.contracts.executing import execute_prompt, group_context, read_execution
from zhixing.goals.contracts.naming import loop_task_id, read_loop_task_id
from zhixing.goals.loop.events import Delivered, SearchResult
from zhixing.goals.loop.model import Formation
from zhixing.goals.loop.results import Broken, Failed, Passed, Result, result_of
from zhixing.goals.loop.values import SearchOutcome

INVALID = Broken("terminal_result_invalid")


def test_a_leaf_is_told_with_its_goal_the_finished_work_beside_it_and_the_form_of_the_answer() -> None:
    world = started("a", "b", criteria=["ac1"]).running("a").tell(passed("a"))
    text = execute_prompt(world.graph, "b", "last line")
    parts = ["上级目标：reach it", "work of a", "任务：do it all", "criterion ac1", '{"success"', "last line"]
    assert [text.index(each) for each in parts] == sorted(text.index(each) for each in parts)


def test_a_remedy_is_told_the_gaps_it_is_to_close() -> None:
    world = started("a").running("a").tell(failed("a", "没有数据"), plan("a", "fix"))
    assert "没有数据" in execute_prompt(world.graph, "fix")


def test_a_group_is_told_who_reports_where_and_about_what() -> None:
    """L-4.2."""
    found = SearchResult("a", SearchOutcome.HIT_MULTI_BOTS, formation=Formation(("b1", "b2")))
    text = group_context(started("a").tell(found, Delivered("a", "grp")).graph, "a", "http://host")
    assert text.startswith("[task-loop] loop_task_id=g::a; backend=http://host\n")
    assert "只由 b1 上报" in text
    assert "http://host/api/v1/collaboration/tasks/callback/report" in text


@pytest.mark.parametrize(
    ("content", "result"),
    [
        ('做完了。\n{"success": true, "data": "x", "gaps": []}', Passed({"output": "x"})),
        ('```json\n{"success": false, "data": "x", "gaps": ["y"]}\n```', Failed({"output": "x"}, ("y",))),
        ('{"success": false, "gaps": ["y"]} 补上了：{"success": true, "data": "x"}', Passed({"output": "x"})),
        ('{"result": {"success": true, "data": "x"}}', Passed({"output": "x"})),
        ('做好了：`{"success": true, "data": "x"}`。', Passed({"output": "x"})),
        ('{"success": true, "data": "x"}\n以上就是结果。', Passed({"output": "x"})),
        (
            '{"success": true, "data": {"checks": [{"success": false}]}}\n以上。',
            Passed({"output": {"checks": [{"success": False}]}}),
        ),
        ('没有数据，所以不能写 {"success": true, "data": "x"}，抱歉', INVALID),
        ('没做成 {"success": false, "gaps": ["y"]}。做成了才写 {"success": true, "data": "x"}。', INVALID),
        ('{"success": false, "gaps": ["y"]}\n做成了是 {"success": true, "data": "x"}\n可是没做成', INVALID),
        ('{"success": false, "gaps": [没引号], "like": {"success": true}} 没做成', INVALID),
        ('差一点：{"success": false, "gaps": ["y"]}，下次再来', Failed({}, ("y",))),
        ("做完了，全部通过", INVALID),
        ('{"done": true}', INVALID),
        ('{"success": "true"}', INVALID),
        ("", INVALID),
    ],
)
def test_final_words_mean(content: str, result: Result) -> None:
    assert result_of(read_execution("a", content)) == result


def test_a_run_that_failed_is_an_error_whatever_it_says() -> None:
    said = '{"success": true, "data": "x"}'
    assert result_of(read_execution("a", said, run_status="FAILED", error="oom")) == Broken("oom")
    assert result_of(read_execution("a", said, run_status="FAILED")) == Broken("run_status_FAILED")


@pytest.mark.parametrize(
    ("given", "ids"),
    [("t::n", ("t", "n")), ("t::n::m", ("t", "n::m")), ("t", None), ("::n", None), ("t::", None), ("", None)],
)
def test_the_name_of_a_leaf_is_split_at_the_first_colons(given: str, ids: tuple[str, str] | None) -> None:
    """L-4.8."""
    assert read_loop_task_id(given) == ids
    assert ids is None or loop_task_id(*ids) == given
