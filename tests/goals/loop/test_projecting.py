"""What people and programs see of a goal."""

from __future__ import annotations

import msgspec
import pytest
from tests.goals.loop.worlds import ROOT, attach, broken, hung_leaf, limits, miss, passed, plan, started

from zhixing.goals.loop.projecting import dashboard


def test_a_goal_is_shown_in_product_states_with_its_relations_and_who_owns_the_rest() -> None:
    """L-5.2."""
    shown = dashboard(hung_leaf({"r1": 60}).tell(attach("r1", "s1")).graph)
    assert {each["node_id"]: each["status"] for each in shown["tasks"]} == {
        ROOT: "EXECUTING",
        "a": "REVIEWING",
        "s1": "EXECUTING",
    }
    assert [(each["src_id"], each["dst_id"]) for each in shown["relations"]] == [(ROOT, "a"), (ROOT, "s1")]
    assert shown["extend_props"]["bbs_mode"] is True
    root, leaf, relay = (each["run_info"] for each in shown["tasks"])
    assert root["extend_props"]["bbs_owner"] == "r1"
    assert leaf["extend_props"]["hung_reason"] == "miss_depth_exhausted"
    assert (relay["run_mode"], relay["assignee"]) == ("bbs", "r1")


def test_what_is_internal_is_not_shown() -> None:
    text = msgspec.json.encode(dashboard(started("a").running("a").graph)).decode()
    for word in ("dispatching", "receipts", "awaited", "wake_at", "action_log"):
        assert word not in text


def test_an_output_that_is_only_a_text_is_shown_as_it() -> None:
    shown = dashboard(started("a").running("a").tell(passed("a")).graph)
    assert shown["tasks"][1]["run_info"]["output"] == "work of a"


def test_only_what_is_under_a_node_is_shown_when_that_is_asked_for() -> None:
    """trap_33."""
    world = started("a", "b").tell(miss("a"), plan("a", "a1"))
    shown = dashboard(world.graph, "a")
    assert [each["node_id"] for each in shown["tasks"]] == ["a", "a1"]
    assert [each["dst_id"] for each in shown["relations"]] == ["a1"]
    with pytest.raises(KeyError):
        dashboard(world.graph, "nope")


def test_the_action_log_is_shown_on_request_per_node_and_in_order() -> None:
    world = started("a", limits=limits(max_harness=1)).running("a").tell(broken("a"))
    actions = [each for entry in world.log for each in entry.actions]
    logged = dashboard(world.graph, actions=actions)["tasks"][1]["run_info"]["action_log"]
    assert [(each["seq"], each["action"]) for each in logged] == [(1, "dispatch"), (2, "execute"), (3, "transition")]
    assert (logged[2]["status_to"], logged[2]["payload"]) == ("REVIEWING", {"hung_reason": "exec_stuck"})
