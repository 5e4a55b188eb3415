"""The scenarios of taskloop §8 that a decider can show, by their names there."""

from __future__ import annotations

import pytest
from tests.goals.loop.worlds import (
    ROOT,
    World,
    attach,
    broken,
    closed,
    failed,
    hit,
    hung_leaf,
    info,
    limits,
    miss,
    passed,
    plan,
    relay_done,
    started,
)

from zhixing.goals.loop.effects import Plan, Poll, Tell
from zhixing.goals.loop.events import (
    BbsResult,
    Bids,
    Claim,
    Delivered,
    DeliverFailed,
    Execute,
    RelaySendFailed,
    Report,
    Restarted,
    SearchResult,
    Started,
    Tick,
)
from zhixing.goals.loop.model import Formation
from zhixing.goals.loop.outputs import flat
from zhixing.goals.loop.values import CollabMode, Hung, RunMode, SearchOutcome, TaskType


def test_e1_e2_the_first_frame_shows_a_planning_root_without_executor_and_running_children() -> None:
    world = started("a", "b")
    assert world.last is not None
    assert [each.subject for each in world.last.effects if each.name == "search"] == ["a", "b"]
    world.running("a", "b")
    assert world.states() == {ROOT: "PLANNING", "a": "RUNNING", "b": "RUNNING"}
    assert (world.node(ROOT).run.run_mode, world.node(ROOT).run.assignee) == (None, None)


def test_e3_a_plan_without_gap_at_the_start_finishes_the_goal() -> None:
    assert started(criteria=["ac1"]).tell(closed()).states() == {ROOT: "DONE"}


def test_e4_executing_again_changes_nothing() -> None:
    world = started("a")
    before = world.graph
    assert world.tell(Execute(info())).graph is before
    assert world.status == 200


def test_e5_e6_the_planner_is_asked_when_the_last_sibling_ends_and_new_children_hang_beside_them() -> None:
    """L-2.9."""
    world = started("a", "b").running("a", "b").tell(passed("a"))
    assert world.asked("plan", ROOT) == 1
    world.tell(passed("b"), plan(ROOT, "c"))
    assert [each.parent for each in world.graph.head.relations] == [ROOT, ROOT, ROOT]


def test_e7_a_closed_gap_ends_root_and_graph_in_one_step_with_the_aggregated_deliverable() -> None:
    """L-2.10, L-4.5."""
    world = started("a", criteria=["ac1"]).running("a").tell(passed("a"), closed())
    assert world.graph.head.status == "DONE"
    assert world.graph.head.output == {
        "result": "all_done",
        "deliverables": {"a": "work of a"},
        "criteria": [{"ac_id": "ac1", "passed": True, "evidence": "done: a"}],
    }


def test_e8_a_middle_node_closes_with_its_own_acceptance_and_the_rolled_up_output() -> None:
    """L-4.9."""
    world = started("a").tell(miss("a"), plan("a", "a1", "a2")).running("a1", "a2")
    world.tell(passed("a1"), passed("a2"), closed("a"))
    assert flat(world.node("a").run.output) == {"a1": "work of a1", "a2": "work of a2"}
    assert world.node("a").run.acceptance is not None
    assert world.awaited() == ["plan:g"]


def test_e9_a_sibling_that_ends_after_a_hung_one_has_the_root_reconciled() -> None:
    world = started("a", "b", limits=limits(max_harness=1)).running("a", "b").tell(broken("a"))
    assert world.awaited() == []
    assert world.tell(passed("b")).awaited() == ["bid:*"]


def test_e10_e11_errors_are_tried_again_until_the_retries_are_used_up() -> None:
    world = started("a").running("a").tell(broken("a")).running("a").tell(broken("a")).running("a")
    assert world.node("a").run.attempt == 3
    world.tell(broken("a"))
    assert world.node("a").run.hung_reason is Hung.EXEC_STUCK
    assert (world.graph.head.relay.mode, world.graph.head.loop_round) == (True, 1)


def test_e12_the_last_round_of_relays_stops_the_goal_without_another() -> None:
    """theme_02."""
    world = started("a", limits=limits(max_depth=1, max_loop=1)).tell(miss("a"))
    assert (world.graph.head.status, world.graph.head.hung_reason) == ("HUNG", Hung.LOOP_EXHAUSTED)
    assert world.asked("bid", "*") == 0
    assert world.graph.head.output["reasons"] == {"a": "miss_depth_exhausted", ROOT: "loop_exhausted"}


@pytest.mark.parametrize(("depth", "states"), [(2, "PLANNING"), (1, "HUNG")])
def test_e13_a_miss_splits_above_the_depth_and_hangs_at_it(depth: int, states: str) -> None:
    """L-3.13."""
    assert started("a", limits=limits(max_depth=depth)).tell(miss("a")).states()["a"] == states


def test_e14_a_node_has_no_more_rounds_of_children_than_it_may() -> None:
    world = started("a", limits=limits(max_plan_round=1)).running("a").tell(passed("a"), plan(ROOT, "b"))
    assert world.node(ROOT).run.hung_reason is Hung.PLAN_ROUND_EXHAUSTED
    assert "b" not in world.states()


def test_e15_a_planner_that_fails_is_asked_again_a_few_times() -> None:
    world = started().tell(plan(ROOT, detail="plan_not_completed"), plan(ROOT, "a"))
    assert (world.asked("plan", ROOT), world.states()["a"]) == (2, "PENDING")
    world = started()
    for _ in range(5):
        world.tell(plan(ROOT, detail="plan_exception"))
    assert (world.asked("plan", ROOT), world.graph.head.status) == (3, "RUNNING")


def test_e17_the_action_log_counts_per_node_from_one_and_knows_every_kind() -> None:
    world = started("a").running("a").tell(broken("a")).running("a").tell(passed("a"), closed())
    actions = [each for entry in world.log for each in entry.actions]
    for node in world.graph.nodes:
        counted = [each.seq for each in actions if each.node_id == node]
        assert counted == list(range(1, len(counted) + 1))
    assert {each.action for each in actions} >= {"plan", "dispatch", "execute", "verify", "reset", "transition"}
    assert [entry.seq for entry in world.log] == list(range(1, len(world.log) + 1))


def test_e18_the_first_start_is_kept_through_retries() -> None:
    world = started("a").tell(hit("a")).tell(Delivered("a"), at=10).tell(broken("a"), at=20)
    world.tell(hit("a")).tell(Delivered("a"), at=30)
    assert (world.node("a").run.first_start, world.node("a").run.since) == (10_000, 30_000)


def test_e19_a_hung_leaf_beside_a_live_one_starts_no_round() -> None:
    world = started("a", "b", limits=limits(max_harness=1)).running("a", "b").tell(broken("a"))
    assert (world.graph.head.loop_round, world.graph.head.relay.mode) == (0, False)


@pytest.mark.parametrize("kind", [TaskType.WORKFLOW, TaskType.YAML])
@pytest.mark.parametrize("report", [passed(ROOT), failed(ROOT, "step 3"), broken(ROOT), Report(ROOT)])
def test_e20_what_another_system_drives_is_only_mirrored(kind: TaskType, report: Report) -> None:
    world = World().tell(Execute(info(task_type=kind, workflow_id="wf")), Delivered(ROOT), Tick(), at=9000)
    assert world.states() == {ROOT: "RUNNING"}
    assert any(isinstance(each, Poll) for each in world.effects)
    world.reopened().tell(Restarted(), report)
    assert world.states() == {ROOT: "DONE" if report.success is True else "FAILED"}
    assert not any(isinstance(each, Plan) for each in world.effects)


def test_h6_a_repeated_report_is_acknowledged_and_changes_nothing() -> None:
    """L-4.6."""
    world = started("a").running("a").tell(passed("a"))
    before = world.graph
    assert world.tell(passed("a")).graph is before
    assert world.status == 200


def test_b1_of_two_claims_one_wins_and_may_be_repeated() -> None:
    """L-5.6."""
    world = hung_leaf()
    assert [world.tell(Claim(bot)).status for bot in ("r1", "r2", "r1")] == [200, 409, 200]


def test_b2_a_failed_relay_leaves_a_checkpoint_and_the_next_bot_gets_a_new_node() -> None:
    """L-5.8."""
    world = hung_leaf({"r1": 60}).tell(attach("r1", "s1"))
    world.tell(BbsResult("r1", "s1", "FAIL", gaps=("section 3",), output={"draft": "2 of 3"}))
    assert (world.states()["s1"], world.node("s1").run.output) == ("FAILED", {"draft": "2 of 3"})
    world.tell(Bids((("r2", 30),)), attach("r2", "s2"), relay_done("r2", "s2"), closed())
    assert world.states() == {ROOT: "DONE", "a": "HUNG", "s1": "FAILED", "s2": "DONE"}
    assert world.graph.head.relay.count == 2


def test_b3_a_relay_that_is_not_heard_of_loses_the_rest() -> None:
    world = hung_leaf({"r1": 60}).tell(attach("r1", "s1"), at=10).tell(Tick(), at=611)
    assert (world.states()["s1"], world.graph.head.relay.owner, world.awaited()) == ("FAILED", None, ["bid:*"])
    assert world.asked("deliver", "s1") == 0


def test_b4_a_hung_goal_can_be_claimed_but_not_attached_to() -> None:
    world = started("a", limits=limits(max_depth=1, max_loop=1)).tell(miss("a"), Claim("r1"))
    assert world.status == 200
    assert world.tell(attach("r1", "s1")).status == 409
    assert "s1" not in world.states()


def test_b5_whoever_does_not_own_the_rest_can_neither_attach_nor_end_it() -> None:
    world = hung_leaf({"r1": 60})
    assert world.tell(attach("r2", "s2")).status == 409
    assert world.tell(attach("r1", "s1"), relay_done("r2", "s1")).status == 409


def test_b6_the_depth_of_relays_is_a_gate_that_stops_the_goal() -> None:
    """L-5.9."""
    world = started("a", limits=limits(max_depth=1, bbs_max_depth=1)).tell(miss("a"), Claim("r1"), attach("r1", "s1"))
    world.tell(BbsResult("r1", "s1", "FAIL", gaps=("x",)), Claim("r2"), attach("r2", "s2"))
    assert (world.status, world.graph.head.hung_reason) == (409, Hung.BBS_RELAY_EXHAUSTED)


def test_b7_the_highest_bid_is_claimed_and_told() -> None:
    world = hung_leaf({"r1": 50, "r2": 90, "r3": 70})
    assert world.graph.head.relay.owner == "r2"
    assert [each.subject for each in world.effects if each.name == "relay_msg"] == ["r2"]


@pytest.mark.parametrize("rate", [0, -5, 101, True, "90", 45.5, None])
def test_b8_bids_that_are_no_percentage_are_none(rate: object) -> None:
    """trap_13."""
    world = hung_leaf().tell(Bids((("r1", rate),)))
    assert (world.graph.head.relay.owner, world.graph.head.relay.mode) == (None, True)


def test_b8_a_claim_is_rolled_back_when_the_winner_cannot_be_told() -> None:
    world = hung_leaf({"r1": 50}).tell(RelaySendFailed("r1"))
    assert world.graph.head.relay.owner is None
    assert world.tell(Tick(), at=600).awaited() == ["bid:*"]


@pytest.mark.parametrize(
    ("formation", "reporter"),
    [
        (Formation(("b1", "b2")), "b1"),
        (Formation(("b1", "b2"), CollabMode.MANAGER_WORKER, manager_bot_id="b2"), "b2"),
        (Formation(("b1",), CollabMode.STATE_MACHINE, definition_yaml="steps: []"), "b1"),
    ],
)
def test_d1_a_group_has_one_reporter(formation: Formation, reporter: str) -> None:
    """L-4.1."""
    found = SearchResult("a", SearchOutcome.HIT_MULTI_BOTS, formation=formation)
    world = started("a").tell(found, Delivered("a", "group-9"))
    run = world.node("a").run
    assert (run.run_mode, run.assignee, run.reporter) == (RunMode.COOP_GROUP, "group-9", reporter)
    other = next(iter({"b1", "b2"} - {reporter}))
    assert world.tell(passed("a", by=other)).status == 403
    assert world.tell(passed("a", by=reporter)).states()["a"] == "DONE"


def test_d2_where_a_workflow_runs_is_kept() -> None:
    world = World().tell(Execute(info(task_type=TaskType.WORKFLOW, workflow_id="wf")))
    world.tell(Delivered(ROOT, run_id="r-1", session_id="s-1"))
    run = world.node(ROOT).run
    assert (run.run_id, run.session_id, run.run_mode) == ("r-1", "s-1", RunMode.SINGLE_BOT)


@pytest.mark.parametrize(
    ("found", "reason"),
    [
        (SearchResult("a", SearchOutcome.HIT_SINGLE), "hit_single_no_bot_id"),
        (SearchResult("a", SearchOutcome.HIT_GROUP), "hit_group_no_group_id"),
        (SearchResult("a", SearchOutcome.HIT_MULTI_BOTS), "hit_multi_no_bot_ids"),
        (
            SearchResult("a", SearchOutcome.HIT_MULTI_BOTS, formation=Formation(("b",), CollabMode.STATE_MACHINE)),
            "hit_multi_no_definition",
        ),
        (
            SearchResult("a", SearchOutcome.HIT_MULTI_BOTS, formation=Formation(("b",), manager_bot_id="c")),
            "hit_multi_manager_outside",
        ),
    ],
)
def test_d1_a_hit_that_names_nobody_is_a_miss(found: SearchResult, reason: str) -> None:
    """L-3.7."""
    assert started("a").tell(found).node("a").run.miss_events == (reason,)


def test_p1_what_was_provably_not_sent_is_sent_under_the_same_key_and_the_rest_is_asked_about() -> None:
    world = started("a", "b").tell(hit("a"), hit("b")).reopened()
    keys = {each.key for each in world.effects}
    world.effects.clear()
    world.tell(Restarted({"deliver:a": "not_sent"}))
    assert [each.key for each in world.effects if each.name == "deliver"] == ["g/deliver:a#1"]
    assert {each.key for each in world.effects if not isinstance(each, Tell)} <= keys
    assert [each.subject for each in world.effects if isinstance(each, Tell)] == ["b"]
    world.tell(passed("b"))
    assert world.states()["b"] == "DONE"


def test_p1_questions_are_asked_again_and_running_leaves_are_collected_again_under_the_same_keys() -> None:
    world = started("a", "b").running("a").reopened()
    keys = {each.key for each in world.effects}
    world.effects.clear()
    world.tell(Restarted(), Restarted())
    assert {each.key for each in world.effects} == {"g/poll:a#1", "g/search:b#1"} <= keys


def test_x2_one_alone_one_group_and_one_relay_finish_a_goal_together() -> None:
    world = started("a", "b", "c", limits=limits(max_depth=1), criteria=["ac1"]).running("a")
    found = SearchResult("b", SearchOutcome.HIT_MULTI_BOTS, formation=Formation(("b1", "b2")))
    world.tell(found, Delivered("b", "group-1"), miss("c"), Bids((("r1", 80),)), attach("r1", "s1"))
    world.tell(relay_done("r1", "s1"), passed("a"), passed("b"), closed())
    assert world.graph.head.status == "DONE"
    assert set(world.graph.head.output["deliverables"]) == {"a", "b", "s1"}
    assert world.node("c").run.superseded


def test_a_start_callback_runs_a_delivered_leaf_once_and_no_other() -> None:
    world = started("a")
    assert world.tell(Started("a")).status == 409
    assert world.tell(hit("a"), Started("a")).states()["a"] == "RUNNING"
    assert world.tell(Started("a")).status == 200
    assert world.tell(Delivered("a"), passed("a"), Started("a")).status == 409


def test_a_leaf_that_could_not_be_delivered_waits_for_the_harness() -> None:
    world = started("a").tell(hit("a"), DeliverFailed("a"))
    assert (world.states()["a"], world.node("a").run.assignee, world.awaited()) == ("PENDING", None, [])
    assert world.tell(Tick(), at=179).awaited() == []
    assert world.tell(Tick(), at=181).awaited() == ["search:a"]
    assert world.node("a").run.retries == 1
