"""Drafts from the first node to the rule, over both databases, with restarts, other processes and time that passes."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from tests.graphs.drafts.refusals import refusal

from zhixing.graphs.checks.finding import Finding, Level, Verdict
from zhixing.graphs.drafts.committing import (
    Created,
    Failed,
    FunctionCommitting,
    Order,
    Outcome,
    Rejected,
    Taken,
    Unknown,
    Unreached,
)
from zhixing.graphs.drafts.model import LEASE, MOST_DRAFTS, TTL, DraftState
from zhixing.graphs.drafts.operations import Committed, Drafts, NotCommitted
from zhixing.kernel.clock import ManualClock
from zhixing.kernel.errors import BadInput, Conflict, NotFound, TooLarge, Unavailable

WARNING = Finding("unused_local_variable", Level.WARN, values={"variable": "count"})
INVALID = Verdict((Finding("missing_type", Level.ERROR, "a1"),), ())
COUNT = {"id": "count", "type": "number", "value": 0}


def node(name: str, **more: object) -> dict[str, object]:
    return {"id": name, "type": "delay", "inputs": {"input": None}, "outputs": {"output": []}, **more}


class Home:
    """A home whose hub answers as `hub.answer` says."""

    def __init__(self, home: Any, clock: ManualClock) -> None:
        self._home = home
        self.clock = clock
        self.hub = FunctionCommitting()
        self.drafts = Drafts(home.store, clock, self.hub, holder="server")

    def restart(self) -> None:
        self.drafts = Drafts(self._home.reopen(), self.clock, self.hub, holder="server")

    def another_process(self, hub: FunctionCommitting | None = None) -> Drafts:
        return Drafts(self._home.open(), self.clock, hub or self.hub)

    def begun(self, *nodes: dict[str, object]) -> str:
        """Begin a draft with some nodes; return its id."""
        draft = self.drafts.begin("走廊夜灯", who="agent")
        if nodes:
            self.drafts.append(draft.id, list(nodes))
        return draft.id

    def ids(self, draft_id: str) -> list[str]:
        return [slot.id for slot in self.drafts.status(draft_id).nodes]

    def state(self, draft_id: str) -> DraftState:
        return self.drafts.status(draft_id).state


def answers(*outcomes: Outcome) -> Callable[[Order], Outcome]:
    """Answer one after the other."""
    left = list(outcomes)
    return lambda _order: left.pop(0)


@pytest.fixture
def house(home, clock: ManualClock) -> Home:
    return Home(home, clock)


def test_a_long_rule_is_sent_in_batches_and_made_in_one_call(house: Home) -> None:
    """G-9.9."""
    draft = house.drafts.begin(" 走廊夜灯 ", [COUNT], enable=False, who="agent")
    for start in range(0, 60, 20):
        change = house.drafts.append(draft.id, [node(f"n{n}", z=1.0, a="灯") for n in range(start, start + 20)])
        assert len(change.draft.nodes) == start + 20
        house.restart()
    house.hub.answer = answers(Created((WARNING,)))
    done = house.drafts.commit(draft.id)
    assert isinstance(done, Committed)
    assert (done.draft.state, done.draft.rule_id, done.warnings) == (DraftState.COMMITTED, "1791770400000", (WARNING,))
    (order,) = house.hub.asked
    assert (order.rule_id, order.name, order.enable) == ("1791770400000", "走廊夜灯", False)
    assert [each.raw for each in order.nodes] == [node(f"n{n}", z=1.0, a="灯") for n in range(60)]
    assert [(each.scope, each.id, each.value) for each in order.variables] == [("rule", "count", 0)]


def test_a_batch_whose_answer_was_lost_may_be_sent_again(house: Home) -> None:
    draft = house.begun(node("a1"), node("b2"))
    change = house.drafts.append(draft, [node("b2"), node("c3")])
    assert (change.same, change.added) == (("b2",), ("c3",))
    assert house.ids(draft) == ["a1", "b2", "c3"]


def test_another_body_under_the_same_id_is_refused_and_nothing_of_its_batch_is_kept(house: Home) -> None:
    draft = house.begun(node("a1"))
    with pytest.raises(Conflict) as caught:
        house.drafts.append(draft, [node("b2"), node("a1", props={})])
    assert str(caught.value) == "草稿里已有内容不同的节点「a1」，要改它请用编辑（edit）的 upsert。"
    assert house.ids(draft) == ["a1"]


def test_an_edit_exchanges_in_place_adds_what_is_new_and_removes(house: Home) -> None:
    """G-9.10."""
    draft = house.begun(node("a1"), node("b2"), node("c3"))
    change = house.drafts.edit(draft, [node("b2", props={"timeout": 5}), node("d4")], ["a1", "nowhere"])
    assert (change.replaced, change.added, change.removed) == (("b2",), ("d4",), ("a1",))
    assert change.missing == ("nowhere",)
    assert [each.raw for each in house.drafts.nodes(draft)] == [
        node("b2", props={"timeout": 5}),
        node("c3"),
        node("d4"),
    ]
    again = house.drafts.edit(draft, [node("b2", props={"timeout": 5}), node("d4")], ["a1", "nowhere"])
    assert again.same == ("b2", "d4")
    assert house.ids(draft) == ["b2", "c3", "d4"]


def test_a_node_that_was_removed_comes_back_at_the_end(house: Home) -> None:
    draft = house.begun(node("a1"), node("b2"))
    house.drafts.edit(draft, remove=["a1"])
    house.drafts.append(draft, [node("a1")])
    assert house.ids(draft) == ["b2", "a1"]


def test_drafts_know_nothing_of_each_other(house: Home) -> None:
    one, other = house.begun(node("a1")), house.begun(node("a1", props={}))
    house.drafts.edit(one, remove=["a1"])
    assert (house.ids(one), house.ids(other)) == ([], ["a1"])
    assert [draft.id for draft in house.drafts.page()] == [one, other]
    house.hub.answer = answers(Unknown(), Unknown())
    house.drafts.append(one, [node("a1")])
    assert {refusal(house.drafts.commit, each) for each in (one, other)} == {"graph_draft_not_known"}
    assert len({order.rule_id for order in house.hub.asked}) == 2


def test_whoever_began_a_draft_is_kept_with_it(house: Home) -> None:
    draft = house.begun()
    house.restart()
    kept = house.drafts.status(draft)
    assert (kept.who, kept.begun_at, kept.expires_at) == ("agent", house.clock.now(), house.clock.now() + TTL)


def test_a_commit_with_errors_keeps_the_draft_lists_them_and_can_be_mended(house: Home) -> None:
    """G-9.11."""
    draft = house.begun(node("a1"))
    house.hub.answer = answers(Rejected(INVALID), Created())
    refused = house.drafts.commit(draft)
    assert isinstance(refused, NotCommitted)
    assert refused.verdict is INVALID
    house.restart()
    house.drafts.edit(draft, [node("a1", props={"timeout": 5})])
    house.clock.advance(timedelta(minutes=1))
    assert isinstance(house.drafts.commit(draft), Committed)
    assert len({order.rule_id for order in house.hub.asked}) == 1


@pytest.mark.parametrize("outcome", [Failed, Unreached])
def test_a_commit_that_fails_tells_why_and_keeps_the_draft(house: Home, outcome) -> None:
    draft = house.begun(node("a1"))
    house.hub.answer = answers(outcome(Unavailable("store_closed")))
    assert refusal(house.drafts.commit, draft) == "store_closed"
    assert house.state(draft) is DraftState.BUILDING


def test_an_id_that_another_rule_has_is_exchanged_by_the_next_commit(house: Home) -> None:
    draft = house.begun(node("a1"))
    house.hub.answer = answers(Taken(), Created())
    assert refusal(house.drafts.commit, draft) == "graph_draft_rule_taken"
    house.clock.advance(timedelta(seconds=1))
    done = house.drafts.commit(draft)
    assert done.draft.rule_id == "1791770401000"


def test_a_commit_whose_answer_was_lost_gives_the_same_rule_again(house: Home) -> None:
    """G-9.12."""
    draft = house.begun(node("a1"))
    first = house.drafts.commit(draft)
    house.restart()
    house.clock.advance(TTL - timedelta(seconds=1))
    again = house.drafts.commit(draft)
    assert again.draft.rule_id == first.draft.rule_id
    assert len(house.hub.asked) == 1


def test_an_unknown_outcome_is_not_repeated_blindly_but_settled_under_the_same_id(house: Home) -> None:
    draft = house.begun(node("a1"))
    house.hub.answer = answers(Unknown(Unavailable("store_closed")), Unreached(Unavailable("store_closed")), Created())
    with pytest.raises(Unavailable) as caught:
        house.drafts.commit(draft)
    assert "1791770400000" in str(caught.value)
    assert refusal(house.drafts.append, draft, [node("b2")]) == "graph_draft_unsettled"
    house.clock.advance(10 * TTL)
    house.restart()
    assert refusal(house.drafts.commit, draft) == "store_closed"
    assert house.state(draft) is DraftState.COMMITTING
    assert house.drafts.commit(draft).draft.rule_id == "1791770400000"
    assert {order.rule_id for order in house.hub.asked} == {"1791770400000"}


def test_a_rule_that_somebody_changed_after_an_unknown_outcome_is_not_made_twice(house: Home) -> None:
    draft = house.begun(node("a1"))
    house.hub.answer = answers(Unknown(), Taken(), Taken())
    refusal(house.drafts.commit, draft)
    assert refusal(house.drafts.commit, draft) == "graph_draft_rule_differs"
    house.clock.advance(timedelta(seconds=1))
    assert refusal(house.drafts.commit, draft) == "graph_draft_rule_differs"
    assert {order.rule_id for order in house.hub.asked} == {"1791770400000"}


def test_an_unsettled_draft_can_be_given_up_and_tells_the_rule_that_may_be_there(house: Home) -> None:
    """G-9.13."""
    draft = house.begun(node("a1"))
    house.hub.answer = answers(Unknown())
    refusal(house.drafts.commit, draft)
    assert house.drafts.discard(draft).rule_id == "1791770400000"
    assert house.drafts.discard(draft) is None


def test_what_a_hub_raises_is_told_and_leaves_the_draft_unsettled(house: Home) -> None:
    draft = house.begun(node("a1"))

    def break_down(_order: Order) -> Outcome:
        raise RuntimeError("断线")

    house.hub.answer = break_down
    with pytest.raises(RuntimeError, match="断线"):
        house.drafts.commit(draft)
    house.hub.answer = answers(Created())
    assert house.drafts.commit(draft).draft.rule_id == house.hub.asked[0].rule_id


class Slow:
    """A hub that takes its time: it says when it is asked, and answers when it is told to."""

    def __init__(self) -> None:
        self.inside = threading.Event()
        self.leave = threading.Event()

    def __call__(self, _order: Order) -> Outcome:
        self.inside.set()
        assert self.leave.wait(30)
        return Created()


def while_committing(drafts: Drafts, draft_id: str, slow: Slow, act: Callable[[], Sequence[str]]) -> Any:
    """Run `act` while a commit is under way; return what the commit gave and what `act` returned."""
    with ThreadPoolExecutor(1) as threads:
        commit = threads.submit(drafts.commit, draft_id)
        assert slow.inside.wait(30)
        try:
            seen = act()
        finally:
            slow.leave.set()
        return commit, seen


@pytest.mark.parametrize("who", ["the same process", "another process"])
def test_nobody_gets_in_between_while_a_rule_is_made(house: Home, who: str) -> None:
    draft, slow = house.begun(node("a1")), Slow()
    house.hub.answer = slow
    other = house.drafts if who == "the same process" else house.another_process()

    def all_calls() -> list[str]:
        return [
            refusal(other.commit, draft),
            refusal(other.append, draft, [node("b2")]),
            refusal(other.edit, draft, (), ["a1"]),
            refusal(other.discard, draft),
            other.status(draft).state.value,
        ]

    commit, seen = while_committing(house.drafts, draft, slow, all_calls)
    assert seen == ["graph_draft_busy"] * 4 + ["committing"]
    assert commit.result().draft.state is DraftState.COMMITTED
    assert len(house.hub.asked) == 1


def test_of_many_who_commit_at_once_one_makes_the_rule_and_all_hear_of_the_same(house: Home) -> None:
    draft = house.begun(node("a1"))
    everyone = [house.drafts, house.drafts, *(house.another_process() for _ in range(3))]
    together = threading.Barrier(len(everyone))

    def commit(drafts: Drafts) -> str:
        together.wait()
        try:
            return drafts.commit(draft).draft.rule_id or ""
        except Conflict as error:
            return error.key

    with ThreadPoolExecutor(len(everyone)) as threads:
        said = set(threads.map(commit, everyone))
    assert said <= {"1791770400000", "graph_draft_busy"}
    assert len(house.hub.asked) == 1


def test_a_restart_in_the_middle_goes_on_at_once_under_the_same_id(house: Home) -> None:
    draft, slow = house.begun(node("a1")), Slow()
    lost = FunctionCommitting(slow)
    died = Drafts(house._home.open(), house.clock, lost, holder="server")

    def restarted() -> list[str]:
        house.restart()
        assert refusal(house.drafts.append, draft, [node("b2")]) == "graph_draft_unsettled"
        return [house.drafts.commit(draft).draft.rule_id or ""]

    commit, seen = while_committing(died, draft, slow, restarted)
    assert seen == [lost.asked[0].rule_id]
    # The old process was not dead after all: it is told that it does not count any more.
    assert isinstance(commit.exception(), Conflict)
    assert house.state(draft) is DraftState.COMMITTED


def test_others_go_on_with_a_commit_that_was_cut_off_once_its_time_is_over(house: Home) -> None:
    draft, slow = house.begun(node("a1")), Slow()
    lost = FunctionCommitting(slow)
    other = house.another_process()

    def waited() -> list[str]:
        before = refusal(other.commit, draft)
        house.clock.advance(LEASE)
        return [before, other.commit(draft).draft.rule_id or ""]

    commit, seen = while_committing(house.another_process(lost), draft, slow, waited)
    assert seen == ["graph_draft_busy", lost.asked[0].rule_id]
    assert isinstance(commit.exception(), Conflict)


@pytest.mark.parametrize("committed", [False, True])
def test_half_an_hour_after_the_last_update_a_draft_is_gone(house: Home, *, committed: bool) -> None:
    """G-9.13."""
    draft = house.begun(node("a1"))
    house.clock.advance(TTL - timedelta(seconds=1))
    house.drafts.append(draft, [node("b2")])
    if committed:
        house.drafts.commit(draft)
    house.clock.advance(TTL - timedelta(seconds=1))
    assert house.ids(draft) == ["a1", "b2"]
    house.clock.advance(timedelta(seconds=1))
    calls = [
        (house.drafts.status, draft),
        (house.drafts.nodes, draft),
        (house.drafts.append, draft, [node("c3")]),
        (house.drafts.edit, draft, [node("c3")]),
        (house.drafts.commit, draft),
    ]
    assert {refusal(*call) for call in calls} == {"graph_draft_unknown"}
    assert house.drafts.page() == ()
    assert house.drafts.discard(draft) is None
    assert (house.drafts.clean(), house.drafts.clean()) == (1, 0)


def test_there_are_at_most_twenty_open_drafts_and_ids_are_not_given_twice(house: Home) -> None:
    first, *_ = [house.begun() for _ in range(MOST_DRAFTS)]
    assert refusal(house.begun) == "graph_draft_many"
    house.drafts.discard(first)
    assert house.begun() not in {first, ""}
    house.clock.advance(TTL)
    for _ in range(MOST_DRAFTS):
        house.begun()
    assert len(house.drafts.page()) == MOST_DRAFTS


def test_a_draft_holds_five_hundred_nodes_and_no_more(house: Home) -> None:
    draft = house.begun()
    for start in range(0, 500, 25):
        house.drafts.append(draft, [node(f"n{n}") for n in range(start, start + 25)])
    with pytest.raises(TooLarge) as caught:
        house.drafts.append(draft, [node("n500")])
    assert str(caught.value) == "一份草稿最多 500 个节点，请拆成几条规则。"
    house.drafts.edit(draft, [node("n500")], ["n0"])
    house.drafts.commit(draft)
    assert [each.id for each in house.hub.asked[0].nodes] == [f"n{n}" for n in range(1, 501)]


def test_a_draft_holds_two_mebibytes_and_no_more(house: Home) -> None:
    draft, heavy = house.begun(), "x" * (127 * 1024)
    for number in range(16):
        house.drafts.append(draft, [{"id": f"n{number}", "text": heavy}])
    assert refusal(house.drafts.append, draft, [{"id": "n16", "text": heavy}]) == "graph_draft_large"
    assert len(house.ids(draft)) == 16


def test_a_draft_without_nodes_is_not_committed(house: Home) -> None:
    assert refusal(house.drafts.commit, house.begun()) == "graph_draft_empty"
    assert house.hub.asked == []


@pytest.mark.parametrize("name", ["", "gd", "gd0", "gd-1", "gd１", "gd1\0", "gd" + "9" * 40, "1", "draft\ud83d"])
def test_an_id_that_no_draft_has_is_not_found(house: Home, name: str) -> None:
    house.begun(node("a1"))
    for call in (house.drafts.status, house.drafts.commit):
        with pytest.raises(NotFound):
            call(name)
    assert house.drafts.discard(name) is None


def test_a_bad_batch_leaves_the_draft_as_it_was(house: Home) -> None:
    draft = house.begun(node("a1"))
    for nodes in ([node("b2"), node("c_3")], [node("b2"), node("b2")], [node("b2", v=float("nan"))], []):
        with pytest.raises(BadInput):
            house.drafts.append(draft, nodes)
    assert house.ids(draft) == ["a1"]
