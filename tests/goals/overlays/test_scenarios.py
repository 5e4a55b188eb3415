"""The cases X1 and X2 of taskloop §8, played through the decider to the end by the shipped tables."""

from __future__ import annotations

import pytest
from tests.goals.loop.worlds import ROOT
from tests.goals.overlays.playing import ARCH, STORAGE, Play

from zhixing.goals.loop.outputs import flat
from zhixing.goals.loop.values import GraphStatus, RunMode

RELAY = "bbs-00000001"


def test_x1_the_storage_case_ends_with_each_way_of_working_at_least_once() -> None:
    play = Play(STORAGE, "due_diligence")
    world = play.to_the_end()
    assert world.graph.head.status is GraphStatus.DONE
    assert world.graph.head.output["result"] == "all_done"
    assert play.planned == [
        (ROOT, ["N_overview"]),
        (ROOT, ["N_market", "N_tech", "N_compete", "N_customer", "N_field_interview"]),
        (ROOT, ["N_practice_bbs", "N_report"]),
        (ROOT, []),
    ]
    assert {node.run.run_mode for node in world.graph.nodes.values()} >= set(RunMode)
    interview = world.node("N_field_interview")
    assert (interview.status.value, interview.run.superseded) == ("HUNG", True)
    assert world.reopened().graph.head.status is GraphStatus.DONE


@pytest.mark.parametrize(
    ("goal", "modes"),
    [
        ("roster", {"N_architects": None}),
        ("two", {"N_tech_stack": RunMode.SINGLE_BOT, "N_architects": None}),
        ("three", {"N_tech_stack": RunMode.SINGLE_BOT, "N_dual_view": RunMode.COOP_GROUP, "N_architects": None}),
    ],
)
def test_x2_the_roster_comes_by_relay_and_closes_the_root(goal: str, modes: dict[str, RunMode | None]) -> None:
    world = Play(ARCH, goal).to_the_end()
    assert world.graph.head.status is GraphStatus.DONE
    found = {node.id: node.run.run_mode for node in world.graph.nodes.values() if node.id != ROOT}
    assert found == {**modes, RELAY: RunMode.BBS}
    output = flat(world.node(RELAY).run.output)
    assert [each["name"] for each in output["architects"]] == ["工程师甲", "工程师乙", "工程师丙"]
    assert output["architects"][0]["role"] == "基础架构首席架构师"


@pytest.mark.parametrize(
    ("goal", "leaf", "bot"), [("two", "N_tech_stack", "技术栈概览Bot"), ("three", "N_dual_view", "业务架构视角Bot")]
)
def test_a_failed_leaf_is_mended_by_its_own_bot_and_the_goal_ends(goal: str, leaf: str, bot: str) -> None:
    play = Play(ARCH, goal, failing=[leaf])
    world = play.to_the_end()
    assert world.graph.head.status is GraphStatus.DONE
    assert (leaf, [f"{leaf}_remediate"]) in play.planned
    names = {each.bot_id: each.bot_name for each in play.catalog}
    assert names[world.node(f"{leaf}_remediate").run.assignee or ""] == bot
