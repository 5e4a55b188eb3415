"""One test per trap of taskloop §9.1 in which the decider could be caught; the numbers are those of the list there."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from pathlib import Path

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

from zhixing.goals import contracts, loop
from zhixing.goals.loop.board import Board, IllegalTransition
from zhixing.goals.loop.coding import encode_entry, encode_state
from zhixing.goals.loop.deciding import decide
from zhixing.goals.loop.effects import Tell
from zhixing.goals.loop.events import (
    BbsResult,
    Bids,
    Budget,
    Cancel,
    Child,
    Claim,
    Dashboard,
    Delivered,
    Event,
    Execute,
    PlanResult,
    Report,
    Resolve,
    Restarted,
    Retry,
    SearchResult,
    Tick,
    Used,
)
from zhixing.goals.loop.limits import InvalidLimit, Spent, read_limits
from zhixing.goals.loop.model import Criterion, Judgement, TaskSpec
from zhixing.goals.loop.values import Dispatch, Hung, NodeStatus, SearchOutcome, TaskType


@pytest.mark.parametrize("gap", [True, False])
@pytest.mark.parametrize("known", [("a",), (ROOT,), ("a", ROOT, "a")])
def test_1_a_planner_that_only_names_what_exists_closes_nothing(known: tuple[str, ...], *, gap: bool) -> None:
    """L-2.6."""
    world = started("a").running("a").tell(passed("a"), plan(ROOT, *known, gap=gap))
    assert world.graph.head.status == "RUNNING"
    assert world.node(ROOT).run.hung_reason is Hung.GAP_NO_PROGRESS


def test_2_who_owns_the_rest_is_known_in_one_place() -> None:
    world = hung_leaf({"r1": 60})
    assert world.graph.head.relay.owner == "r1"
    assert "r1" not in repr(world.graph.nodes)


def test_6_a_running_leaf_is_timed_out_after_a_restart_as_before() -> None:
    world = started("a").running("a").reopened().tell(Restarted(), at=300).tell(Tick(), at=601)
    assert (world.states()["a"], world.node("a").run.attempt) == ("PENDING", 2)


def test_7_a_root_that_was_not_planned_is_planned_after_a_restart_and_never_sent_to_a_bot() -> None:
    world = World().tell(Execute(info())).reopened().tell(Restarted())
    assert world.awaited() == ["plan:g"]


def test_9_the_next_attempt_may_fail_in_the_same_words() -> None:
    world = started("a").running("a").tell(broken("a")).running("a").tell(broken("a"))
    assert (world.node("a").run.retries, world.states()["a"]) == (2, "PENDING")


def test_10_an_earlier_report_is_still_known_after_later_ones() -> None:
    world = started("a").running("a").tell(broken("a", event_id="e1")).running("a").tell(broken("a", event_id="e2"))
    before = world.running("a").graph
    assert world.tell(broken("a", event_id="e1"), broken("a", event_id="e2")).graph is before
    assert world.status == 200


def test_11_a_repeat_to_a_node_that_ended_is_acknowledged() -> None:
    world = started("a").running("a").tell(failed("a", "x"), failed("a", "x"))
    assert (world.status, world.asked("plan", "a")) == (200, 1)


def test_12_bids_that_arrived_in_time_count_though_others_did_not() -> None:
    assert hung_leaf({"r2": 60}).graph.head.relay.owner == "r2"


def test_14_a_relay_passes_by_its_verdict_not_by_having_answered() -> None:
    world = hung_leaf({"r1": 60}).tell(attach("r1", "s1"))
    for unusable in (
        BbsResult("r1", "s1"),
        BbsResult("r1", "s1", "OK"),
        BbsResult("r1", "s1", "FAIL"),
        BbsResult("r1", "s1", "PASS", (Judgement("ac1", passed=False, evidence="no"),)),
    ):
        assert world.tell(unusable).status == 422
    assert (world.states()["s1"], world.graph.head.relay.owner) == ("RUNNING", "r1")


def test_15_the_work_of_a_relay_that_failed_is_kept() -> None:
    world = hung_leaf({"r1": 60}).tell(attach("r1", "s1"))
    world.tell(BbsResult("r1", "s1", "FAIL", gaps=("rest",), output={"draft": "half"}))
    assert world.node("s1").run.output == {"draft": "half"}


@pytest.mark.parametrize("node", [ROOT, "a", "b"])
def test_16_the_owner_can_end_nothing_but_its_own_node(node: str) -> None:
    """L-5.5."""
    world = started("a", "b", limits=limits(max_depth=1)).running("b").tell(miss("a"), Claim("r1"), attach("r1", "s1"))
    before = world.graph
    assert world.tell(relay_done("r1", node)).graph.nodes == before.nodes
    assert world.status == 409


def test_17_an_attachment_that_is_sent_again_is_the_same_node_and_counts_once() -> None:
    world = hung_leaf({"r1": 60}).tell(attach("r1", "s1", key="k"), attach("r1", "s2", key="k"))
    assert world.last is not None
    assert (world.status, world.last.reply.data["node_id"], world.graph.head.relay.count) == (200, "s1", 1)
    assert world.tell(attach("r1", "s3", key="other")).status == 409


def test_19_a_child_without_instruction_is_not_its_parent_again() -> None:
    """L-2.7."""
    child = Child("a", TaskSpec(title="market", objective="describe the market"))
    world = World().tell(Execute(info("ac1")), PlanResult(ROOT, (child,)))
    assert world.node("a").spec.instruction == "describe the market"
    assert world.node("a").spec.acceptances == (Criterion("ac1", "criterion ac1"),)


@pytest.mark.parametrize(
    "config",
    [
        {"MAX_DEPTH": -1},
        {"MAX_HARNESS": 0},
        {"MAX_LOOP": "3"},
        {"MAX_PLAN_ROUND": True},
        {"BBS_MAX_DEPTH": 2.0},
        {"MAX_NODES": 10**9},
        {"SLA_TIMEOUT": 0},
        {"PENDING_TIMEOUT": float("nan")},
        {"MAX_TOKENS": -1},
        {"MAX_COST": "free"},
    ],
)
def test_20_limits_that_make_no_sense_are_refused(config: dict[str, object]) -> None:
    with pytest.raises(InvalidLimit):
        read_limits(config)


def test_21_a_leaf_that_failed_gets_a_remedy_and_remedies_of_remedies_end() -> None:
    world = started("a").running("a").tell(failed("a", "no numbers"), plan("a", "fix")).running("fix")
    assert (world.states()["a"], world.asked("deliver", "a")) == ("PLANNING", 1)
    world.tell(failed("fix", "none"), plan("fix", "fix2")).running("fix2").tell(failed("fix2", "none"))
    assert world.node("fix2").run.hung_reason is Hung.ACCEPTANCE_FAIL
    assert world.node("a").run.hung_reason is Hung.CHILD_HUNG


def test_22_a_goal_that_ended_hands_over_what_was_delivered() -> None:
    """theme_10."""
    world = started("a").running("a").tell(failed("a", "x"), plan("a", "fix")).running("fix")
    world.tell(passed("fix"), closed("a"), closed())
    assert world.graph.head.output["deliverables"] == {"a": {"own": "half", "fix": "work of fix"}}


@pytest.mark.parametrize("key", ["", "k1", "k2"])
def test_23_one_goal_is_executed_once(key: str) -> None:
    world = World().tell(Execute(info(key="k1")), Execute(info(key=key)))
    assert (world.status, world.asked("plan", ROOT)) == (200, 1)


@pytest.mark.parametrize(("task_type", "workflow_id"), [(TaskType.WORKFLOW, ""), (TaskType.WORKFLOW, "  ")])
def test_23_a_goal_that_cannot_be_run_is_refused_and_leaves_nothing(task_type: TaskType, workflow_id: str) -> None:
    decision = decide(None, Execute(info(task_type=task_type, workflow_id=workflow_id)), 0)
    assert (decision.state, decision.effects, decision.reply.status) == (None, (), 422)


def test_24_after_a_cancellation_nothing_begins_and_results_are_only_kept() -> None:
    world = started("a", "b").running("a").tell(Cancel())
    assert world.states() == {ROOT: "CANCELLED", "a": "CANCELLED", "b": "CANCELLED"}
    assert [each.subject for each in world.effects if each.name == "withdraw"] == ["a"]
    asked = len(world.effects)
    world.tell(hit("b"), passed("a"), plan(ROOT, "c"), Tick(), Restarted(), at=10_000)
    assert (len(world.effects), world.node("a").run.late_count) == (asked, 1)
    assert world.tell(Cancel()).status == 200


def test_24_a_person_can_have_a_hung_leaf_tried_again() -> None:
    world = started("a", limits=limits(max_harness=1)).running("a").tell(broken("a"), Retry("a"))
    assert (world.states()["a"], world.awaited()) == ("PENDING", ["search:a"])
    world.running("a").tell(passed("a", attempt=2), closed())
    assert world.graph.head.status == "DONE"


def test_24_a_person_can_have_a_stopped_goal_tried_again() -> None:
    world = started("a", limits=limits(max_depth=1, max_loop=1)).tell(miss("a"), Retry())
    assert (world.graph.head.status, world.graph.head.output, world.awaited()) == ("RUNNING", {}, ["search:a"])
    assert world.running("a").tell(passed("a"), closed()).graph.head.status == "DONE"


def test_24_the_answer_of_a_person_ends_a_hung_leaf_and_the_owner_checks_the_goal() -> None:
    world = hung_leaf().tell(Resolve("a", "the answer"))
    assert (world.states()["a"], world.awaited()) == ("DONE", ["plan:g"])
    assert world.tell(Resolve("a", "the answer")).status == 200
    assert world.tell(closed()).graph.head.output["deliverables"] == {"a": "the answer"}


@pytest.mark.parametrize("event", [Retry("a"), Resolve("a", "x"), Retry(), Resolve(ROOT, "x")])
def test_24_what_does_not_hang_is_left_alone(event: Event) -> None:
    assert started("a").running("a").tell(event).status == 409


@pytest.mark.parametrize("event", [Retry("nope"), Resolve("nope", "x"), Dashboard("nope"), passed("nope")])
def test_24_an_unknown_node_is_not_found(event: Event) -> None:
    assert started("a").tell(event).status == 404


def test_25_a_warning_comes_once_at_80_percent_and_the_end_keeps_what_there_is() -> None:
    """theme_12."""
    world = started("a", "b", limits=limits(tokens=100)).running("a", "b")
    world.tell(passed("a", spent=Spent(80)), Budget(tokens=100))
    world.tell(replace(plan("nope"), spent=Spent(1)))
    told = [each for each in world.effects if isinstance(each, Tell) and each.topic == "budget_warning"]
    assert [each.values for each in told] == [{"limit": "tokens", "percent": 80}, {"limit": "tokens", "percent": 80}]
    world.tell(failed("b", "rest", spent=Spent(19)))
    assert (world.graph.head.hung_reason, world.awaited()) == (Hung.BUDGET_EXHAUSTED, [])
    assert world.graph.head.output["deliverables"] == {"a": "work of a"}
    assert world.graph.head.output["reasons"]["b"] == "budget_exhausted"


@pytest.mark.parametrize("nothing", [{"tokens": 0}, {"cost": 0.0}, {"wall_clock": 0}])
def test_25_zero_is_nothing_left(nothing: dict[str, float]) -> None:
    """theme_11."""
    world = World().tell(Execute(info(limits=limits(**nothing))))
    assert (world.graph.head.status, world.effects[0].name) == ("HUNG", "tell-budget_warning")
    assert world.asked("plan", ROOT) == 0


@pytest.mark.parametrize("odd", [Spent(-50), Spent(10**30), Spent(0, -5.0), Spent(0, math.nan), Spent(0, math.inf)])
def test_25_an_amount_that_makes_no_sense_gives_nothing_back_and_lifts_no_limit(odd: Spent) -> None:
    world = started("a", "b", limits=limits(tokens=100, cost=1.0)).running("a", "b").tell(passed("a", spent=odd))
    assert world.graph.head.spent == Spent(0, 0.0)
    world.tell(failed("b", "rest", spent=Spent(100)))
    assert world.graph.head.hung_reason is Hung.BUDGET_EXHAUSTED


def test_25_the_wall_clock_ends_a_goal_by_itself() -> None:
    world = started("a", limits=limits(wall_clock=100_000)).running("a")
    assert world.graph.head.wake_at == 80_000
    world.tell(Tick(), at=80)
    assert (world.graph.head.told, world.graph.head.wake_at) == (("wall_clock",), 100_000)
    assert world.tell(Tick(), at=100).graph.head.hung_reason is Hung.BUDGET_EXHAUSTED
    assert world.states()["a"] == "HUNG"


def test_25_more_budget_lets_a_person_go_on() -> None:
    world = started("a", limits=limits(tokens=10)).running("a").tell(broken("a", spent=Spent(10)))
    assert world.tell(Retry()).status == 409
    assert world.tell(Budget(left=50), Retry()).awaited() == ["search:a"]
    assert world.graph.head.status == "RUNNING"


@pytest.mark.parametrize("event", [Budget(), Budget(left=-1), Budget(tokens=-5)])
def test_25_a_budget_below_zero_or_of_nothing_is_refused(event: Budget) -> None:
    assert started("a").tell(event).status == 422


def test_26_whoever_is_not_the_reporter_is_refused_and_not_remembered() -> None:
    world = started("a").running("a")
    before = world.graph
    assert world.tell(passed("a", by="bot-x")).graph is before
    assert world.status == 403
    assert world.tell(passed("a", by="bot-a")).states()["a"] == "DONE"


def test_27_a_decision_leaves_the_state_it_was_made_from_alone_and_is_the_same_again() -> None:
    world = started("a").tell(hit("a"))
    before = world.graph
    kept = (before.head, dict(before.nodes))
    first, second = (decide(before, Delivered("a"), 5) for _ in range(2))
    assert first == second
    assert (before.head, dict(before.nodes)) == kept


def test_28_the_time_of_an_attempt_runs_from_its_start() -> None:
    world = started("a").tell(hit("a")).tell(Delivered("a"), at=500).tell(Tick(), at=1100)
    assert world.states()["a"] == "RUNNING"
    assert world.tell(Tick(), at=1101).states()["a"] == "PENDING"


def test_29_a_transition_that_is_not_in_the_table_is_raised() -> None:
    board = Board(started("a").running("a").tell(passed("a")).graph, 0)
    with pytest.raises(IllegalTransition):
        board.move("a", NodeStatus.RUNNING, "transition")


def test_30_no_more_leaves_are_worked_on_at_once_than_the_goal_may() -> None:
    world = started("a", "b", "c", limits=limits(max_concurrency=2))
    assert world.awaited() == ["search:a", "search:b"]
    world.running("a").tell(Tick(), at=170)
    assert world.node("c").run.dispatch is Dispatch.QUEUED
    assert world.tell(passed("a")).awaited() == ["search:b", "search:c"]


def test_31_a_relay_that_nobody_took_is_offered_again() -> None:
    world = hung_leaf({})
    assert (world.awaited(), world.graph.head.wake_at) == ([], 300_000)
    assert world.tell(Tick(), at=300).awaited() == ["bid:*"]


def test_a_late_result_of_an_attempt_that_another_replaced_is_kept_once_and_drives_nothing() -> None:
    """theme_08."""
    world = started("a").running("a").tell(Tick(), at=601).running("a")
    world.tell(passed("a", attempt=1), passed("a", attempt=1))
    assert (world.status, world.states()["a"], world.node("a").run.late_count) == (200, "RUNNING", 1)
    assert world.node("a").run.late[0].result["data"] == "work of a"


def test_a_flood_of_late_results_is_counted_and_not_all_kept() -> None:
    world = started("a", "b").running("a").tell(passed("a"))
    for number in range(250):
        world.tell(Report("a", success=True, data=number))
    assert (world.node("a").run.late_count, len(world.node("a").run.late)) == (200, 20)


def test_a_flood_of_long_late_results_leaves_little_behind() -> None:
    world = started("a", "b").running("a").tell(passed("a"))
    before = len(encode_state(world.graph))
    for number in range(250):
        world.tell(Report("a", success=True, data=f"{number}" + "长" * 50_000))
    assert len(encode_state(world.graph)) - before < 20 * 20_000
    logged = [len(encode_entry(each)) for each in world.log]
    assert sum(each > 150_000 for each in logged) <= 20
    assert world.log[-1].event == Report("a")
    assert world.reopened().node("a").run.late_count == 200


def test_a_flood_of_late_results_of_a_relay_is_counted_and_comes_to_an_end() -> None:
    world = hung_leaf({"r": 80}).tell(attach("r", "x"), relay_done("r", "x"))
    for number in range(500):
        world.tell(BbsResult("r", "x", "PASS", output={"part": f"{number}" + "长" * 50_000}))
    assert (world.node("x").run.late_count, len(world.node("x").run.late)) == (200, 20)
    logged = len(world.log)
    assert world.tell(BbsResult("r", "x", "PASS", output={"part": "more"})).status == 409
    assert len(world.log) == logged
    assert len(encode_state(world.graph)) < 20 * 20_000


def test_what_a_planner_calls_its_nodes_changes_nothing_of_what_relay_bots_are_asked() -> None:
    world = started("a", "*", "r", limits=limits(max_depth=1)).running("*", "r").tell(miss("a"))
    assert "bid:*" in world.awaited()
    assert "bid:*" in world.tell(broken("*")).awaited()
    world.tell(Bids((("r", 90),)))
    assert "relay_msg:r" in world.tell(broken("r")).awaited()


def test_what_was_used_besides_the_answers_counts_and_ends_a_goal_that_has_nothing_left() -> None:
    world = started("a", limits=limits(tokens=100)).running("a").tell(Used(Spent(80)))
    assert [each.values["limit"] for each in world.effects if isinstance(each, Tell)] == ["tokens"]
    world.tell(Used(Spent(20)))
    assert (world.graph.head.status, world.graph.head.hung_reason) == ("HUNG", "budget_exhausted")
    assert world.tell(Used(Spent(5))).graph.head.spent == Spent(105)


def test_an_attempt_that_does_not_exist_yet_is_refused() -> None:
    assert started("a").running("a").tell(passed("a", attempt=7)).status == 409


@pytest.mark.parametrize("judged", [(), ("ac1",)])
def test_a_criterion_that_was_left_out_is_asked_about_again_and_never_taken_as_met(judged: tuple[str, ...]) -> None:
    """theme_09."""
    world = started("a", criteria=["ac1", "ac2"]).running("a").tell(passed("a"))
    verdicts = tuple(Judgement(each, passed=True, evidence="seen") for each in judged)
    world.tell(closed(verdicts=verdicts))
    assert (world.graph.head.status, world.awaited()) == ("RUNNING", ["plan:g"])


def test_a_criterion_that_was_not_met_or_has_no_evidence_closes_nothing() -> None:
    for passed_, evidence in ((False, "missing"), (True, " ")):
        world = started("a", criteria=["ac1"]).running("a").tell(passed("a"))
        world.tell(closed(verdicts=(Judgement("ac1", passed_, evidence),)))
        assert world.graph.head.status == "RUNNING"


def test_a_search_that_broke_is_no_miss() -> None:
    world = started("a").tell(SearchResult("a", SearchOutcome.EXCEPTION, reason="TimeoutError"))
    assert world.node("a").run.dispatch_error == "dispatch_exception:TimeoutError"
    assert (world.states()["a"], world.node("a").run.miss_events) == ("PENDING", ())


def test_an_answer_to_an_older_question_is_ignored() -> None:
    world = started().tell(plan(ROOT, detail="plan_parse_fail"))
    before = world.graph
    assert world.tell(plan(ROOT, "old", attempt=1)).graph is before
    assert world.tell(plan(ROOT, "new", attempt=2)).states() == {ROOT: "PLANNING", "new": "PENDING"}


def test_a_planner_cannot_flood_a_goal_with_nodes() -> None:
    world = World().tell(Execute(info(limits=limits(max_nodes=10))), plan(ROOT, *(f"n{i}" for i in range(50))))
    assert (world.node(ROOT).run.hung_reason, len(world.graph.nodes)) == (Hung.NODES_EXHAUSTED, 1)


def test_a_relay_that_passed_before_the_last_sibling_leaves_the_plan_to_that_sibling() -> None:
    world = started("a", "b", limits=limits(max_depth=1)).running("b").tell(miss("a"), Bids((("r1", 9),)))
    world.tell(attach("r1", "s1"), relay_done("r1", "s1"))
    assert world.awaited() == []
    assert world.tell(passed("b")).awaited() == ["plan:g"]


def test_a_sibling_that_ends_during_a_relay_leaves_the_plan_to_the_relay() -> None:
    world = started("a", "b", limits=limits(max_depth=1)).running("b").tell(miss("a"), Bids((("r1", 9),)))
    world.tell(attach("r1", "s1"), passed("b"))
    assert world.asked("plan", ROOT) == 1
    assert world.tell(relay_done("r1", "s1")).awaited() == ["plan:g"]


def test_no_node_name_of_a_scenario_is_known_here() -> None:
    for package in (loop, contracts):
        source = "".join(each.read_text("utf-8") for each in Path(package.__path__[0]).glob("*.py"))
        assert re.search(r"\bN_[a-z]|t_case|某某某公司|architects|_remediate", source) is None
