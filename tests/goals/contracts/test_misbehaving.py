"""Bots and models that do not do what they were asked: no goal hangs in silence, goes round or is done falsely.

Every text goes the way a real one goes: read by its contract, decided about by the loop.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.goals.loop.worlds import ROOT, World, attach, closed, hung_leaf, info, limits, passed, plan, started

from zhixing.goals.contracts.bidding import read_bid
from zhixing.goals.contracts.executing import read_execution
from zhixing.goals.contracts.planning import read_plan
from zhixing.goals.contracts.searching import Candidate, read_search
from zhixing.goals.loop.effects import Tell
from zhixing.goals.loop.events import BbsResult, Bids, Delivered, Execute, PlanResult, RelaySent, Report, Started, Tick
from zhixing.goals.loop.limits import MOST_COUNTED, MOST_LATE, MOST_RECEIPTS, Limits
from zhixing.goals.loop.results import Passed, result_of
from zhixing.goals.loop.tree import depth_of
from zhixing.goals.loop.values import GraphStatus, NodeStatus

CATALOG = (Candidate("b1", "资料员"), Candidate("b2", "分析员"))
SMALL = Limits(max_loop=3, max_plan_round=3, max_harness=2, max_nodes=30)
PLAN = '{"tasks": [{"metadata": {"task_id": "a"}}], "has_gap": true, "gap_detail": ""}'
DONE = '{"tasks": [], "has_gap": false, "gap_detail": "done"}'
HIT = '{"outcome": "HIT_SINGLE", "bot_id": "b1"}'
WORK = '{"success": true, "data": "产出", "gaps": []}'
KEYS = [
    *("tasks", "has_gap", "gap_detail", "metadata", "task_id", "acceptance_verdicts", "goal", "acceptances"),
    *("outcome", "bot_id", "bot_ids", "group_id", "collab_mode", "success", "data", "gaps", "verdict", "result"),
    *("exec_error", "fail_detail", "completion_rate"),
]
LONGEST = 400
"""Steps after which a goal that still asks has gone round for ever."""


def tasks(*names: str, has_gap: str = "true") -> str:
    listed = ", ".join(f'{{"metadata": {{"task_id": "{each}", "instruction": "做"}}}}' for each in names)
    return f'{{"tasks": [{listed}], "has_gap": {has_gap}, "gap_detail": ""}}'


def always(text: str) -> Callable[[str], str]:
    return lambda _subject: text


def numbered(form: str) -> Callable[[str], str]:
    """Return another text each time: `#` is its number."""
    numbers = count(1)
    return lambda _subject: form.replace("#", str(next(numbers)))


@dataclass
class Around:
    """All bots round a goal, by what they say; where they are `silent`, whoever works never answers."""

    plan: Callable[[str], str] = field(default_factory=lambda: always(PLAN))
    search: Callable[[str], str] = field(default_factory=lambda: always(HIT))
    work: Callable[[str], str] = field(default_factory=lambda: always(WORK))
    bid: str = '{"completion_rate": 0}'
    silent: bool = False
    asked: Counter[str] = field(default_factory=Counter)

    def play(self, world: World) -> World:
        """Answer whatever is asked until nobody asks any more, or only people can go on."""
        for _ in range(LONGEST):
            if world.graph.head.status is not GraphStatus.RUNNING:
                return world
            if not self._step(world):
                return world
        raise AssertionError(f"goes round: {self.asked}")

    def _step(self, world: World) -> bool:
        graph = world.graph
        if graph.head.awaited:
            each = graph.head.awaited[0]
            self.asked[each.kind] += 1
            self._answer(world, each.kind, each.subject)
            return True
        running = [node.id for node in graph.nodes.values() if node.status is NodeStatus.RUNNING]
        if running and not self.silent:
            world.tell(read_execution(running[0], self.work(running[0])))
            return True
        if graph.head.relay.mode and not running:
            return False  # Offered again later; until then it is with people.
        assert graph.head.wake_at is not None
        world.tell(Tick(), at=graph.head.wake_at / 1000 + 1)
        return True

    def _answer(self, world: World, kind: str, subject: str) -> None:
        match kind:
            case "plan":
                world.tell(read_plan(subject, self.plan(subject)))
            case "search":
                world.tell(read_search(subject, self.search(subject), CATALOG))
            case "deliver":
                world.tell(Delivered(subject))
            case "bid":
                world.tell(Bids((("r1", read_bid(self.bid)),)))
            case _:
                world.tell(RelaySent(subject))


PLANNERS = {
    "endless children": numbered(tasks("n#")),
    "endless children by the dozen": numbered(tasks("n#x", "n#y", "n#z")),
    "more children than a goal may have": always(tasks(*(f"n{each}" for each in range(50)))),
    "itself as its child": always(tasks(ROOT)),
    "the same children again": always(PLAN),
    "known children and no gap": always(tasks("a", ROOT, has_gap="false")),
    "no gap in prose": always("全部完成了，没有差距。"),
    "no gap as a word": always('{"tasks": [], "has_gap": "false", "gap_detail": "done"}'),
    "done and not done": always(f"{PLAN}\n\n{DONE}"),
    "children without ids": always('{"tasks": [{"metadata": {"title": "甲"}}], "has_gap": false}'),
    "silence": always(""),
    "an empty list between sentences": always("差距是 [] ，等一下再说"),
    "a list of nonsense": always("[1, null, [], {}]"),
    "brackets without end": always("[" * 10_000),
    "criteria passed without evidence": always(
        '{"tasks": [], "has_gap": false, "acceptance_verdicts": [{"ac_id": "ac1", "passed": true, "reason": " "}]}'
    ),
    "another criterion than the one that counts": always(
        '{"tasks": [], "has_gap": false, "acceptance_verdicts": [{"ac_id": "ac9", "passed": true, "reason": "见"}]}'
    ),
    "a criterion that failed": always(
        '{"tasks": [], "has_gap": false, "acceptance_verdicts": [{"ac_id": "ac1", "passed": false, "reason": "缺"}]}'
    ),
    "the prompt said back": always("[planning] 请计算目标节点的差距。任务态快照 {}"),
}


@pytest.mark.parametrize("said", PLANNERS.values(), ids=PLANNERS.keys())
def test_a_planner_that_misbehaves_ends_no_goal_well_and_keeps_none_going_round(said: Callable[[str], str]) -> None:
    """theme_01."""
    around = Around(plan=said)
    world = around.play(World().tell(Execute(info("ac1", limits=SMALL))))
    assert world.graph.head.status in {GraphStatus.RUNNING, GraphStatus.HUNG}
    assert world.graph.head.relay.mode or world.graph.head.status is GraphStatus.HUNG
    assert world.states()[ROOT] != "DONE"
    assert around.asked["plan"] <= 40
    # People are told, with a reason.
    assert any(isinstance(each, Tell) for each in world.effects)
    assert world.node(ROOT).run.hung_reason is not None or world.graph.head.hung_reason is not None


SEARCHERS = {
    "a bot that does not exist": '{"outcome": "HIT_SINGLE", "bot_id": "b9"}',
    "the owner, who is no candidate": '{"outcome": "HIT_SINGLE", "bot_id": "owner"}',
    "a group with a stranger": '{"outcome": "HIT_MULTI_BOTS", "bot_ids": ["b1", "owner"], "collab_mode": "chat"}',
    "a manager from outside": (
        '{"outcome": "HIT_MULTI_BOTS", "bot_ids": ["b1"], "collab_mode": "manager_worker", "manager_bot_id": "b2"}'
    ),
    "prose": "我觉得资料员合适",
    "nothing": "",
    "another outcome": '{"outcome": "ALL"}',
    "a plan": PLAN,
}


@pytest.mark.parametrize("said", SEARCHERS.values(), ids=SEARCHERS.keys())
def test_a_searcher_that_misbehaves_has_nothing_delivered(said: str) -> None:
    around = Around(search=always(said), plan=lambda node: PLAN if node == ROOT else tasks())
    world = around.play(World().tell(Execute(info("ac1", limits=SMALL))))
    assert around.asked["deliver"] == 0
    assert world.states()["a"] == "HUNG"
    assert world.states()[ROOT] != "DONE"


WORKERS = {
    "prose": "做完了，全部通过。",
    "success as a word": '{"success": "true", "data": "产出"}',
    "success as a number": '{"success": 1, "data": "产出"}',
    "failure without gaps": '{"success": false, "data": "一半", "gaps": []}',
    "the form of the answer said back": '{"success": true 或 false, "data": "实际产出", "gaps": ["还缺什么"]}',
    "nothing": "",
    "a plan": PLAN,
}


@pytest.mark.parametrize("said", WORKERS.values(), ids=WORKERS.keys())
def test_a_worker_that_misbehaves_is_tried_a_few_times_and_its_leaf_hangs(said: str) -> None:
    """theme_05."""
    around = Around(work=always(said), plan=lambda node: PLAN if node == ROOT else tasks())
    world = around.play(World().tell(Execute(info("ac1", limits=SMALL))))
    assert around.asked["deliver"] == SMALL.max_harness
    assert world.states()["a"] == "HUNG"
    assert world.states()[ROOT] != "DONE"


def test_a_worker_that_never_answers_is_given_up_after_its_time() -> None:
    around = Around(silent=True)
    world = around.play(World().tell(Execute(info("ac1", limits=SMALL))))
    assert (world.states()["a"], world.node("a").run.last_exec_error) == ("HUNG", "sla_timeout")
    assert around.asked["deliver"] == SMALL.max_harness


def test_a_leaf_that_always_fails_and_remedies_that_do_as_well_come_to_an_end() -> None:
    failing = '{"success": false, "data": "一半", "gaps": ["还缺一半"]}'
    around = Around(work=always(failing), plan=numbered(tasks("n#")))
    world = around.play(World().tell(Execute(info("ac1", limits=SMALL))))
    assert world.states()[ROOT] != "DONE"
    assert max(depth_of(world.graph, each) for each in world.graph.nodes) <= 2 * SMALL.max_depth + 2
    assert around.asked["deliver"] <= SMALL.max_nodes


RELAYS = {
    "more than everything": '{"completion_rate": 1000}',
    "a word": '{"completion_rate": "100"}',
    "yes": '{"completion_rate": true}',
    "half": '{"completion_rate": 0.5}',
    "less than nothing": '{"completion_rate": -1}',
    "prose": "我能完成百分之百",
    "nothing": "",
}


@pytest.mark.parametrize("said", RELAYS.values(), ids=RELAYS.keys())
def test_a_bid_that_is_no_percentage_takes_nothing(said: str) -> None:
    world = hung_leaf().tell(Bids((("r1", read_bid(said)),)))
    assert (world.graph.head.relay.owner, world.graph.head.relay.mode) == (None, True)


def test_a_relay_bot_that_takes_the_rest_and_does_nothing_loses_it_in_time() -> None:
    world = hung_leaf({"r1": 100}).tell(RelaySent("r1"))
    for _ in range(5):
        if world.graph.head.relay.owner is None:
            break
        assert world.graph.head.wake_at is not None
        world.tell(Tick(), at=world.graph.head.wake_at / 1000 + 1)
    assert world.graph.head.relay.owner is None
    assert world.states()[ROOT] == "PLANNING"


def test_relay_bots_that_promise_all_and_deliver_nothing_come_to_an_end() -> None:
    world = hung_leaf()
    for number in count(1):
        if world.graph.head.status is not GraphStatus.RUNNING:
            break
        assert number < 20
        bot = f"r{number}"
        world.tell(Bids(((bot, 100),)), attach(bot, f"s{number}"), BbsResult(bot, f"s{number}", "FAIL", gaps=("全部",)))
        world.tell(Tick(), at=world.now / 1000 + 600)
    assert world.graph.head.status is GraphStatus.HUNG
    assert world.states()[ROOT] != "DONE"


FORGED = {
    "the root": passed(ROOT),
    "a leaf that is not there": passed("nope"),
    "a leaf that waits": passed("b"),
    "an attempt to come": passed("a", attempt=9),
    "somebody else": passed("a", by="b9"),
    "a verdict against the claim": Report("a", success=True, verdict="FAIL", by="b9"),
    "a start of what waits": Started("b"),
    "a relay that nobody gave": BbsResult("r1", "a", "PASS"),
    "a relay's end of the root": BbsResult("r1", ROOT, "PASS"),
    "a node hung in by a stranger": attach("r1", "s1"),
    "a plan that nobody asked for": closed(),
    "children that nobody asked for": plan(ROOT, "x"),
    "bids that nobody asked for": Bids((("r1", 100),)),
}


@pytest.mark.parametrize("event", FORGED.values(), ids=FORGED.keys())
def test_what_is_forged_changes_no_node(event: Report | Started | BbsResult | PlanResult | Bids) -> None:
    world = started("a", "b", criteria=["ac1"]).running("a")
    before = world.graph
    assert world.tell(event).states() == {ROOT: "PLANNING", "a": "RUNNING", "b": "PENDING"}
    assert world.graph.head.relay == before.head.relay


def test_a_flood_of_callbacks_is_answered_and_leaves_a_goal_of_the_same_size() -> None:
    world = started("a", "b").running("a").tell(passed("a"))
    logged = None
    for number in range(2000):
        world.tell(Report("a", success=True, data=number, event_id=f"e{number}"))
        if number == MOST_COUNTED:
            logged = len(world.log)
    run = world.node("a").run
    assert (len(run.late), run.late_count, world.states()["a"]) == (MOST_LATE, MOST_COUNTED, "DONE")
    assert len(run.receipts) <= MOST_RECEIPTS
    assert len(world.log) == logged


def test_a_flood_of_forged_callbacks_leaves_no_trace_in_the_goal() -> None:
    world = started("a").running("a")
    before, logged = world.graph, len(world.log)
    for number in range(1000):
        world.tell(Report("a", success=True, data=number, event_id=f"e{number}", by="b9"))
    assert (world.graph, len(world.log), world.status) == (before, logged, 403)


def test_a_good_answer_among_prose_still_counts() -> None:
    """Whoever is strict with nonsense has to understand what was meant well."""
    replies = iter([f"[planning] 好的：\n```json\n{PLAN}\n```", f"看过了。{DONE}"])
    around = Around(
        plan=lambda _node: next(replies),
        search=always(f"[search] 我选他：{HIT}。"),
        work=always(f"做完了（见附件）。\n{WORK}"),
    )
    world = around.play(World().tell(Execute(info("ac1", limits=limits(max_loop=3)))))
    assert world.graph.head.status is GraphStatus.DONE
    assert world.graph.head.output["deliverables"] == {"a": "产出"}


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4),
    max_leaves=12,
)
SAID = st.tuples(st.text(max_size=20), VALUES, st.text(max_size=20)).map(
    lambda each: f"{each[0]}{json.dumps(each[1], ensure_ascii=False)}{each[2]}"
)


@settings(max_examples=200, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(said=st.text(max_size=60) | SAID)
def test_whatever_is_said_is_read_and_means_success_only_where_that_is_written(said: str) -> None:
    plan_ = read_plan(ROOT, said)
    assert plan_.has_gap or plan_.children or '"has_gap": false' in said or said.strip().strip("`\n") == "[]"
    assert not isinstance(result_of(read_execution("a", said)), Passed) or '"success": true' in said
    found = read_search("a", said, CATALOG)
    assert found.bot_id in {"", "b1", "b2"}
    assert set(found.formation.bot_ids if found.formation else ()) <= {"b1", "b2"}
    assert hung_leaf().tell(Bids((("r1", read_bid(said)),))).graph.head.relay.owner in {None, "r1"}
