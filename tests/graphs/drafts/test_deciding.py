"""What a call makes of a draft in each of its states."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from tests.graphs.drafts.refusals import refusal

from zhixing.graphs.checks.finding import Finding, Level, Verdict
from zhixing.graphs.drafts import deciding
from zhixing.graphs.drafts.committing import Created, Failed, Rejected, Taken, Unknown, Unreached
from zhixing.graphs.drafts.deciding import Begun
from zhixing.graphs.drafts.model import LEASE, MOST_BYTES, MOST_DRAFTS, MOST_NODES, TTL, Draft, DraftState, Hold, Slot
from zhixing.kernel.errors import Unavailable

NOW = datetime(2026, 10, 12, 2, tzinfo=UTC)
SECOND = timedelta(seconds=1)
BUILDING, COMMITTING, COMMITTED = DraftState.BUILDING, DraftState.COMMITTING, DraftState.COMMITTED

EMPTY = Draft("gd1", "走廊夜灯", enable=True, variables=(), who="agent", begun_at=NOW, updated_at=NOW)
BUILT = replace(EMPTY, nodes=(Slot("a1", "first", 10), Slot("b2", "second", 20)))
UNSETTLED = replace(BUILT, state=COMMITTING, rule_id="1700000000001", attempt=1)
HELD = replace(UNSETTLED, hold=Hold("other", NOW + SECOND))
HELD_BY_A_CLOCK_AHEAD = replace(UNSETTLED, hold=Hold("other", NOW + LEASE + SECOND))
DESERTED = replace(UNSETTLED, hold=Hold("other", NOW))
HELD_BY_A_WRONG_CLOCK = replace(UNSETTLED, hold=Hold("other", NOW + timedelta(days=300)))
DONE = replace(UNSETTLED, state=COMMITTED)

ERROR = Unavailable("store_closed")
INVALID = Verdict((Finding("missing_type", Level.ERROR, "a1"),), ())

EVENTS: dict[str, Any] = {
    "append": lambda draft: deciding.appended(draft, [Slot("c3", "third", 5)], NOW).draft,
    "append again": lambda draft: deciding.appended(draft, [Slot("a1", "first", 10)], NOW).draft,
    "append otherwise": lambda draft: deciding.appended(draft, [Slot("c3", "x", 5), Slot("a1", "x", 5)], NOW).draft,
    "append nothing": lambda draft: deciding.appended(draft, [], NOW).draft,
    "edit": lambda draft: deciding.edited(draft, [Slot("a1", "x", 5), Slot("c3", "third", 5)], ["b2"], NOW).draft,
    "edit nothing": lambda draft: deciding.edited(draft, [], [], NOW).draft,
    "edit both ways": lambda draft: deciding.edited(draft, [Slot("a1", "x", 5)], ["a1"], NOW).draft,
    "commit": lambda draft: deciding.started(draft, "me", "1791770400000", NOW).draft,
    "discard": lambda draft: deciding.must_be_free(draft, NOW),
}


@pytest.mark.parametrize(
    ("draft", "event", "nodes"),
    [
        (EMPTY, "append", ["c3"]),
        (BUILT, "append", ["a1", "b2", "c3"]),
        (BUILT, "append again", ["a1", "b2"]),
        (EMPTY, "edit", ["a1", "c3"]),
        (BUILT, "edit", ["a1", "c3"]),
    ],
)
def test_a_draft_that_is_built_takes_nodes_and_keeps_their_order(draft: Draft, event: str, nodes: list[str]) -> None:
    after = EVENTS[event](replace(draft, updated_at=NOW - SECOND))
    assert [slot.id for slot in after.nodes] == nodes
    assert (after.state, after.updated_at) == (BUILDING, NOW)


@pytest.mark.parametrize(
    ("draft", "event", "key"),
    [
        (BUILT, "append otherwise", "graph_draft_other_body"),
        (BUILT, "append nothing", "graph_draft_batch_empty"),
        (BUILT, "edit nothing", "graph_draft_edit_empty"),
        (BUILT, "edit both ways", "graph_draft_both"),
        (EMPTY, "commit", "graph_draft_empty"),
        (HELD, "append", "graph_draft_busy"),
        (HELD, "append again", "graph_draft_busy"),
        (HELD, "edit", "graph_draft_busy"),
        (HELD, "commit", "graph_draft_busy"),
        (HELD, "discard", "graph_draft_busy"),
        (HELD_BY_A_CLOCK_AHEAD, "commit", "graph_draft_busy"),
        (UNSETTLED, "append", "graph_draft_unsettled"),
        (UNSETTLED, "edit", "graph_draft_unsettled"),
        (DESERTED, "append", "graph_draft_unsettled"),
        (DONE, "append", "graph_draft_committed"),
        (DONE, "append again", "graph_draft_committed"),
        (DONE, "edit", "graph_draft_committed"),
    ],
)
def test_what_a_state_does_not_allow_is_refused_with_the_next_move(draft: Draft, event: str, key: str) -> None:
    assert refusal(EVENTS[event], draft) == key


@pytest.mark.parametrize("draft", [BUILT, UNSETTLED, DESERTED, HELD_BY_A_WRONG_CLOCK, DONE])
def test_a_draft_that_nobody_holds_may_be_given_up(draft: Draft) -> None:
    assert EVENTS["discard"](draft) is None


def test_the_first_commit_takes_the_id_it_is_given() -> None:
    begun = deciding.started(BUILT, "me", "1791770400000", NOW)
    assert begun.before is BUILDING
    assert begun.draft.rule_id == "1791770400000"
    assert begun.draft.hold == Hold("me", NOW + LEASE)


@pytest.mark.parametrize(
    "draft", [UNSETTLED, DESERTED, HELD_BY_A_WRONG_CLOCK, replace(BUILT, rule_id="1700000000001", attempt=1)]
)
def test_a_later_commit_goes_on_under_the_id_that_was_chosen_first(draft: Draft) -> None:
    begun = deciding.started(draft, "me", "1791770400000", NOW)
    assert (begun.draft.rule_id, begun.draft.attempt, begun.before) == ("1700000000001", 2, draft.state)


@pytest.mark.parametrize(
    ("before", "outcome", "after"),
    [
        (BUILDING, Created(), (COMMITTED, "1700000000001")),
        (BUILDING, Rejected(INVALID), (BUILDING, "1700000000001")),
        (BUILDING, Failed(ERROR), (BUILDING, "1700000000001")),
        (BUILDING, Unreached(ERROR), (BUILDING, "1700000000001")),
        (BUILDING, Taken(), (BUILDING, None)),
        (BUILDING, Unknown(), (COMMITTING, "1700000000001")),
        (COMMITTING, Created(), (COMMITTED, "1700000000001")),
        (COMMITTING, Failed(ERROR), (BUILDING, "1700000000001")),
        (COMMITTING, Unreached(ERROR), (COMMITTING, "1700000000001")),
        (COMMITTING, Taken(), (COMMITTING, "1700000000001")),
        (COMMITTING, Unknown(ERROR), (COMMITTING, "1700000000001")),
    ],
)
def test_the_outcome_says_where_a_draft_goes_and_lets_go_of_it(before, outcome, after) -> None:
    ended = deciding.ended(HELD, Begun(HELD, before), outcome, NOW + SECOND)
    assert (ended.state, ended.rule_id) == after
    assert (ended.hold, ended.updated_at) == (None, NOW + SECOND)


@pytest.mark.parametrize("meanwhile", [None, DONE, replace(HELD, attempt=2), replace(BUILT, attempt=1)])
def test_a_commit_that_was_taken_over_changes_nothing(meanwhile: Draft | None) -> None:
    assert refusal(deciding.ended, meanwhile, Begun(HELD, BUILDING), Created(), NOW) == "graph_draft_superseded"


@pytest.mark.parametrize(
    ("draft", "expired"),
    [
        (replace(BUILT, updated_at=NOW - TTL + SECOND), False),
        (replace(BUILT, updated_at=NOW - TTL), True),
        (replace(DONE, updated_at=NOW - TTL + SECOND), False),
        (replace(DONE, updated_at=NOW - TTL), True),
        (replace(UNSETTLED, updated_at=NOW - 100 * TTL), False),
        (replace(BUILT, updated_at=NOW + TTL), False),
    ],
)
def test_half_an_hour_without_an_update_ends_a_draft_unless_its_commit_is_not_settled(draft, expired) -> None:
    assert deciding.is_expired(draft, NOW) is expired


def test_cleaning_forgets_what_expired_and_the_oldest_of_too_many_committed_ones() -> None:
    done = [replace(DONE, id=f"gd{n}", updated_at=NOW - n * SECOND) for n in range(MOST_DRAFTS + 2)]
    old = replace(BUILT, id="old", updated_at=NOW - TTL)
    gone = deciding.stale([old, UNSETTLED, *done, BUILT], NOW)
    assert [draft.id for draft in gone] == ["old", f"gd{MOST_DRAFTS + 1}", f"gd{MOST_DRAFTS}"]


def test_committed_drafts_do_not_count_against_the_number_of_open_ones() -> None:
    open_ones = [BUILT] * (MOST_DRAFTS - 2) + [UNSETTLED]
    deciding.must_have_room([*open_ones, *[DONE] * 50])
    assert refusal(deciding.must_have_room, [*open_ones, BUILT]) == "graph_draft_many"


@pytest.mark.parametrize(
    ("before", "size", "key"),
    [(MOST_NODES, 1, "graph_draft_nodes_many"), (20, MOST_BYTES - 19, "graph_draft_large")],
)
def test_a_draft_has_its_bounds(before: int, size: int, key: str) -> None:
    full = replace(EMPTY, nodes=tuple(Slot(f"n{n}", "same", 1) for n in range(before)))
    assert refusal(deciding.appended, full, [Slot("m", "same", size)], NOW) == key
    assert refusal(deciding.edited, full, [Slot("m", "same", size)], (), NOW) == key
    # One less of everything is taken.
    full = replace(full, nodes=full.nodes[1:])
    assert deciding.appended(full, [Slot("m", "same", size)], NOW).added == ("m",)


def test_what_goes_makes_room_for_what_comes() -> None:
    full = replace(EMPTY, nodes=tuple(Slot(f"n{n}", "same", MOST_BYTES // MOST_NODES) for n in range(MOST_NODES)))
    change = deciding.edited(full, [Slot("m", "same", 1)], ["n0", "gone"], NOW)
    assert (change.added, change.removed, change.missing) == (("m",), ("n0",), ("gone",))


def test_a_change_tells_new_exchanged_and_equal_nodes_apart_and_equal_ones_stay_as_they_were() -> None:
    batch = [Slot("a1", "first", 99), Slot("b2", "x", 5), Slot("c3", "third", 5)]
    change = deciding.edited(BUILT, batch, [], NOW)
    assert (change.same, change.replaced, change.added) == (("a1",), ("b2",), ("c3",))
    assert change.draft.nodes == (Slot("a1", "first", 10), *batch[1:])


@pytest.mark.parametrize(
    ("at", "taken", "chosen"),
    [
        (NOW, set(), "1791770400000"),
        (NOW, {"1791770400000", "1791770400001"}, "1791770400002"),
        (datetime(1970, 1, 1, tzinfo=UTC), set(), "1000000000000"),
        (datetime(2999, 1, 1, tzinfo=UTC), {"9999999999998"}, "9999999999999"),
    ],
)
def test_a_rule_id_has_thirteen_digits_whatever_the_clock_says(at, taken, chosen) -> None:
    assert deciding.new_rule_id(at, taken) == chosen
