"""skills/zhixing-goal-bots/SKILL.md: every object in it is read as it says, every request does what it says."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from tests.faces.http.goals.conftest import PREFIX, data_of, refused
from tests.faces.http.goals.scripts import endless, owner

from zhixing.goals.contracts.bidding import HEADER as BID
from zhixing.goals.contracts.bidding import read_bid
from zhixing.goals.contracts.executing import execute_prompt, group_context, read_execution
from zhixing.goals.contracts.planning import HEADERS as PLANNING
from zhixing.goals.contracts.planning import read_plan
from zhixing.goals.contracts.searching import HEADERS as SEARCH
from zhixing.goals.contracts.searching import Candidate, read_search
from zhixing.goals.loop.values import CollabMode, SearchOutcome

TEXT = (Path(__file__).parents[4] / "skills" / "zhixing-goal-bots" / "SKILL.md").read_text(encoding="utf-8")
SAID = dict(re.findall(r"^```json (\w+)\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL))
SENT = {
    kind or "done": block.strip()
    for kind, block in re.findall(r"^```http ?(\w*)\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
}
CATALOG = (Candidate("writer", "写手"), Candidate("counter", "数字员"))


@pytest.fixture
def working(furnish):
    """Give a home in which somebody works on a leaf, and who reports it."""
    house = furnish(owner("a"), endless("a"))
    task_id = house.execute()
    house.run()
    return house, task_id, house.room.goals.graph(task_id).nodes["a"].run.reporter


def send(working: Any, kind: str, by: str | None = None) -> Any:
    house, task_id, reporter = working
    written = SENT[kind].replace("TASK_ID", task_id).replace("NODE_ID", "a").replace("EVENT", f"e-{kind}")
    head, body = written.splitlines()
    method, path = head.split(" ")
    return house.asked(method, path.removeprefix(PREFIX), json.loads(body), by=by or reporter)


def test_the_front_matter_names_the_texts_it_is_for() -> None:
    front = re.match(r"---\nname: ([a-z-]+)\ndescription: (.+)\n---\n", TEXT)
    assert front is not None
    assert front[1] == "zhixing-goal-bots"
    assert len(front[2]) <= 1024
    for header in (PLANNING[0], SEARCH[0], BID, "[task-loop] loop_task_id="):
        assert header in front[2]


def test_the_plans_are_read_as_they_say() -> None:
    plan, closed, stuck = (read_plan("root", SAID[each]) for each in ("plan", "closed", "stuck"))
    assert ([each.id for each in plan.children], plan.has_gap) == (["numbers"], True)
    assert plan.children[0].spec.acceptances[0].description == "每一项都有数字"
    assert (closed.children, closed.has_gap) == ((), False)
    assert closed.verdicts is not None
    assert [(each.ac_id, each.passed) for each in closed.verdicts] == [("ac1", True)]
    assert (stuck.children, stuck.has_gap, stuck.gap_detail) == ((), True, "没有数据来源")
    assert read_plan("root", SAID["closed"] + SAID["stuck"]).has_gap


def test_the_choices_are_read_as_they_say() -> None:
    hit, group, miss = (read_search("a", SAID[each], CATALOG) for each in ("hit", "group", "miss"))
    assert (hit.outcome, hit.bot_id) == (SearchOutcome.HIT_SINGLE, "writer")
    assert group.formation is not None
    assert (group.outcome, group.formation.collab_mode) == (SearchOutcome.HIT_MULTI_BOTS, CollabMode.MANAGER_WORKER)
    assert [each.responsibility for each in group.formation.members] == ["汇总成稿", "查数字"]
    assert (miss.outcome, miss.reason) == (SearchOutcome.MISS, "候选里没有会查数字的")


def test_the_results_and_the_bid_are_read_as_they_say() -> None:
    done, half = (read_execution("a", f"想过了。\n{SAID[each]}") for each in ("done", "half"))
    assert (done.success, done.gaps, done.exec_error) == (True, [], None)
    assert (half.success, half.gaps) == (False, ["第三项没有数字"])
    assert read_execution("a", "做好了").success is not True
    assert read_bid(SAID["bid"]) == 70


def test_the_texts_ask_for_these_objects(working) -> None:
    house, task_id, _ = working
    graph = house.room.goals.graph(task_id)
    assert all(f'"{key}"' in execute_prompt(graph, "a") for key in json.loads(SAID["done"]))
    told = group_context(graph, "a", "https://goals.example")
    assert told.startswith(f"[task-loop] loop_task_id={task_id}::a; backend=https://goals.example")
    assert SENT["done"].splitlines()[0].split(" ")[1] in told


def test_a_report_ends_the_step_and_again_changes_nothing(working) -> None:
    house, task_id, _ = working
    assert data_of(send(working, "done")) == {"ok": True}
    assert send(working, "done").json()["message"] == "idempotent"
    assert house.node(task_id, "a")["status"] == "DONE"


def test_a_gap_is_a_gap_and_an_error_is_tried_again(working) -> None:
    house, task_id, _ = working
    data_of(send(working, "error"))
    assert house.node(task_id, "a")["run_info"]["extend_props"]["last_exec_error"] == "tool_down"
    house.run()
    data_of(send(working, "fail"))
    assert house.node(task_id, "a")["run_info"]["acceptance_result"]["gaps"] == ["第三项没有数字"]


def test_who_is_not_the_reporter_is_refused(working) -> None:
    refused(send(working, "done", by="owner"), 403)
