"""The log and the snapshot of a goal: the same state, through JSON and back, and what cannot be read is said."""

from __future__ import annotations

import msgspec
import pytest
from tests.goals.loop.worlds import (
    ROOT,
    World,
    attach,
    broken,
    closed,
    failed,
    hung_leaf,
    passed,
    plan,
    relay_done,
    started,
)

from zhixing.goals.loop.coding import UnreadableGoal, decode_entry, decode_state, encode_entry, encode_state
from zhixing.goals.loop.events import Bids, Dashboard, Restarted, SearchResult, Tick
from zhixing.goals.loop.folding import folded
from zhixing.goals.loop.model import Formation, Member
from zhixing.goals.loop.values import CollabMode, ProductStatus, SearchOutcome, product_status


def long_story() -> World:
    group = Formation(("b1", "b2"), CollabMode.CHAT, "a group", members=(Member("b1", "lead", "all"),))
    world = started("a", "b", criteria=["ac1"]).running("a")
    world.tell(SearchResult("b", SearchOutcome.HIT_MULTI_BOTS, formation=group), Restarted({"deliver:b": "sent"}))
    world.tell(broken("a", event_id="e1"), failed("b", "numbers"), plan("b", "fix")).running("a", "fix")
    world.tell(passed("a", attempt=1), passed("a"), failed("fix", "x"), plan("fix"), Bids((("r1", 7), ("r2", "x"))))
    return world.tell(attach("r1", "s1"), relay_done("r1", "s1"), relay_done("r1", "s1"), closed())


def test_the_log_folds_to_the_snapshot_through_json() -> None:
    world = long_story()
    assert world.graph.head.status == "DONE"
    world.reopened()


def test_a_snapshot_and_the_log_behind_it_may_overlap() -> None:
    world = long_story()
    assert folded(folded(None, world.log[:7]), world.log[4:]) == world.graph


def test_a_log_with_a_hole_is_refused() -> None:
    world = long_story()
    with pytest.raises(ValueError, match="3"):
        folded(None, [world.log[0], *world.log[2:]])


def test_an_entry_holds_what_changed_and_not_the_whole_goal() -> None:
    world = started("a", "b", "c")
    world.tell(SearchResult("b", SearchOutcome.HIT_SINGLE, "bot"))
    assert [node.id for node in world.log[-1].nodes] == ["b"]


def test_what_changes_nothing_is_not_logged() -> None:
    world = started("a").running("a")
    logged = len(world.log)
    world.tell(Dashboard(), plan(ROOT, "x"), Tick(), Bids())
    assert len(world.log) == logged


@pytest.mark.parametrize("stored", [b"", b"[]", b"{}", b'{"v": 99}', b'{"v": 1}', b'{"v": 1, "kind": "Nothing"}'])
def test_what_is_no_goal_is_refused(stored: bytes) -> None:
    with pytest.raises(UnreadableGoal):
        decode_state(stored)
    with pytest.raises(UnreadableGoal):
        decode_entry(stored)


def test_a_goal_with_an_unknown_state_is_refused() -> None:
    stored = msgspec.json.decode(encode_state(hung_leaf().graph))
    stored["head"]["status"] = "PAUSED"
    with pytest.raises(UnreadableGoal):
        decode_state(msgspec.json.encode(stored))


def test_entries_are_encoded_alike_each_time() -> None:
    entry = long_story().log[-1]
    assert encode_entry(entry) == encode_entry(decode_entry(encode_entry(entry)))


def test_people_see_states_in_their_own_words() -> None:
    world = hung_leaf()
    seen = {node.id: product_status(node.status) for node in world.graph.nodes.values()}
    assert seen == {ROOT: ProductStatus.EXECUTING, "a": ProductStatus.REVIEWING}


def test_keys_of_effects_carry_the_attempt_and_are_never_used_twice_for_another_effect() -> None:
    world = started("a").running("a").tell(broken("a")).running("a")
    keys = [each.key for each in world.effects]
    assert {"g/plan:g#1", "g/search:a#1", "g/deliver:a#1", "g/search:a#2", "g/deliver:a#2", "g/poll:a#2"} <= set(keys)
    assert len(keys) == len(set(keys))
