"""An agent looks after goals: it begins one, sees it through, takes one over."""

from __future__ import annotations

from io import BytesIO, StringIO

import pytest
from tests.faces.cli.goal_homes import MISS, REPORT, bots_file
from tests.faces.mcp.conftest import env_of

from zhixing.faces.cli.desk import Desk
from zhixing.faces.cli.house import house
from zhixing.kernel.clock import SystemClock


@pytest.fixture
def work(agent):
    """Let the bots work, as a server would."""

    def working() -> None:
        with house(Desk(env_of(agent.folder), SystemClock(), BytesIO(), StringIO(), StringIO())) as home:
            home.app.engine.drain()

    return working


@pytest.fixture
def bots(agent):
    def staffed(text: str) -> None:
        folder = agent.folder / "home"
        folder.mkdir(exist_ok=True)
        (folder / "bots.toml").write_text(text, encoding="utf-8")

    return staffed


def begun(agent, **more) -> str:
    return str(agent("goal_start", text="写一份周报", criteria=["一页以内"], **more)["task_id"])


def node_of(board, node_id: str):
    return next(each for each in board["tasks"] if each["node_id"] == node_id)


def test_a_goal_is_begun_seen_through_and_found_again(agent, bots, work) -> None:
    bots(bots_file())
    goal = begun(agent, title="周报", key="k1", deliverables=["文档"], constraints=["不联网"])
    assert begun(agent, title="周报", key="k1", deliverables=["文档"], constraints=["不联网"]) == goal
    assert agent.wrong("goal_start", text="别的", key="k1") == "goal_reply_key_reused"
    assert goal in [each["task_id"] for each in agent("goal_list")["items"]]
    work()
    board = agent("goal_show", goal=goal[:8], log=True)
    assert board["status"] == "DONE"
    assert node_of(board, "draft")["run_info"]["action_log"]
    assert agent("goal_show", goal=goal, node="写初稿")["tasks"] == [
        {**node_of(agent("goal_show", goal=goal), "draft")},
    ]
    assert goal in [each["task_id"] for each in agent("goal_list", status=["done"])["items"]]
    assert goal not in [each["task_id"] for each in agent("goal_list")["items"]]


def test_what_hangs_is_retried_resolved_given_a_budget_or_given_up(agent, bots, work) -> None:
    bots(bots_file(MISS))
    goal = begun(agent, limits={"MAX_DEPTH": 1, "MAX_TOKENS": 100})
    work()
    board = agent("goal_show", goal=goal)
    assert node_of(board, "draft")["run_info"]["extend_props"]["hung_reason"] == "miss_depth_exhausted"
    assert agent("goal_budget", goal=goal, tokensLeft=500)["task_id"] == goal
    assert agent.wrong("goal_budget", goal=goal) == "goal_budget_none"
    agent("goal_retry", goal=goal, node="draft")
    work()
    assert agent.wrong("goal_resolve", goal=goal, node="draf", output="x") == "goal_node_unknown"
    agent("goal_resolve", goal=goal, node="draft", output={"text": REPORT})
    work()
    assert agent("goal_show", goal=goal)["status"] == "DONE"
    other = begun(agent)
    assert agent("goal_cancel", goal=other)["status"] == "CANCELLED"


def test_an_agent_takes_over_the_rest_for_a_bot(agent, bots, work) -> None:
    bots(bots_file(MISS))
    goal = begun(agent, limits={"MAX_DEPTH": 1})
    work()
    assert goal in [each["task_id"] for each in agent("goal_relay_list")["waiting"]]
    assert agent("goal_relay_claim", goal=goal, bot="writer")["task_id"] == goal
    node = agent("goal_relay_attach", goal=goal, bot="writer", text="写完", key="k")["node_id"]
    assert agent("goal_relay_attach", goal=goal, bot="writer", text="写完", key="k")["node_id"] == node
    assert agent.wrong("goal_relay_attach", goal=goal, bot="writer") == "goal_attach_which"
    assert agent.wrong("goal_relay_result", goal=goal, node=node, bot="writer") == "goal_result_which"
    assert agent("goal_relay_result", goal=goal, node=node, bot="writer", output=REPORT) == {"ok": True}
    work()
    assert agent("goal_show", goal=goal)["status"] == "DONE"
    assert node in [each["node_id"] for each in agent("goal_relay_list")["relays"]]


def test_the_reporter_of_a_leaf_and_nobody_else_is_heard(agent, bots, work) -> None:
    bots(bots_file())
    goal = begun(agent)
    work()
    said = {"goal": goal, "node": "draft", "success": True, "data": {"text": REPORT}, "eventId": "e1"}
    assert agent.wrong("goal_report", **said, bot="planner") == "goal_reply_not_the_reporter"
    assert agent("goal_report", **said, bot="writer")["ok"]


def test_bots_are_listed_and_ranked(agent, bots) -> None:
    bots(bots_file())
    assert [each["bot_id"] for each in agent("goal_bots")["items"]] == ["planner", "writer"]
    assert agent("goal_bots", text="写周报")["proposal"]["bot_id"] == "writer"


def test_a_whole_request_may_be_handed_in(agent) -> None:
    spec = {"metadata": {"title": "报告", "instruction": "写"}, "goal": {"objective": "报告"}}
    goal = agent("goal_start", request={"task_spec": spec}, owner="planner", limits={"MAX_DEPTH": 1})["task_id"]
    assert agent("goal_show", goal=goal)["execution_config"] == {"MAX_DEPTH": 1}
    assert agent.wrong("goal_start", request={"task_spec": []}) == "goal_field_object"
    assert agent.wrong("goal_start") == "goal_start_which"


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("goal_show", {}),
        ("goal_cancel", {}),
        ("goal_retry", {}),
        ("goal_resolve", {"node": "a", "output": "x"}),
        ("goal_budget", {"tokens": 1}),
        ("goal_relay_claim", {"bot": "b"}),
        ("goal_relay_attach", {"bot": "b", "text": "x"}),
        ("goal_relay_result", {"bot": "b", "node": "a", "output": "x"}),
        ("goal_report", {"node": "a", "success": True}),
    ],
)
def test_what_is_no_goal_is_not_found(agent, tool, given) -> None:
    assert agent.wrong(tool, goal="nowhere", **given) in {"goal_unknown", "goal_none_yet"}
