"""A rule of a hub changed, switched and deleted: what is not said stays (mijia §4.3, §8 cases 3, 4, 26)."""

from __future__ import annotations

import copy

import pytest
from tests.graphs.hubs.hub_home import (
    HALL,
    MS,
    OTHER,
    clock,
    count,
    home,
    hub,
    lamp,
    nodes,
    placed,
    rule_in,
    start,
    wait,
    writes,
)

from zhixing.graphs.checks.finding import Level
from zhixing.graphs.hubs.canonical import same_nodes
from zhixing.graphs.hubs.outcomes import InvalidRule, Outcome
from zhixing.graphs.hubs.preparing import judged
from zhixing.graphs.hubs.updating import Change, changed, delete_rule, switch_rule, update_rule
from zhixing.graphs.rule import Rule
from zhixing.kernel.errors import NotFound, Unavailable
from zhixing.world.hub.memory import Fault, MemoryHub
from zhixing.world.hub.port import Method

KEPT = {"tags": ["楼道"], "version": 3, "transform": {"x": 5, "y": 6}}


def test_a_new_name_leaves_the_switch_the_cards_and_their_places() -> None:
    given = hub()
    before = rule_in(given, HALL)
    updated = update_rule(given, Change(HALL, name="走廊灯"), home(), clock())
    held = rule_in(given, HALL)
    assert updated.outcome is Outcome.APPLIED
    assert (held.name, held.enabled, held.cfg["uiType"]) == ("走廊灯", False, "test")
    assert held.raw["nodes"] == before.raw["nodes"]
    assert held.user_data == {**KEPT, "name": "走廊灯", "lastUpdateTime": MS}


def test_new_cards_leave_the_switch_and_the_places_of_those_that_stay() -> None:
    given = hub()
    moved = placed(lamp(on=False), 1, 2)
    update_rule(
        given, Change(HALL, nodes=nodes(start("wait.input"), wait(5000, "lamp.trigger"), moved)), home(), clock()
    )
    held = rule_in(given, HALL)
    places = {node.id: (node.position.x, node.position.y) for node in held.nodes if node.position}
    assert (places["start"], places["lamp"]) == ((900, 50), (2000, 70))
    assert 900 < places["wait"][0] < 2000
    assert held.node("lamp").props["value"] is False  # type: ignore[union-attr]
    assert (held.enabled, held.cfg["uiType"], held.user_data["tags"]) == (False, "test", ["楼道"])


def test_a_card_that_says_only_where_it_lies_is_not_moved() -> None:
    given = hub()
    given.state.graphs[HALL].nodes[0]["cfg"]["pos"] = {"x": 31, "y": 41}
    update_rule(given, Change(HALL, nodes=nodes(start("lamp.trigger"), lamp(on=False))), home(), clock())
    place = rule_in(given, HALL).nodes[0].position
    assert place is not None
    assert (place.x, place.y) == (31, 41)


def _without_device(node):
    lacking = copy.deepcopy(node)
    del lacking["props"]["did"], lacking["props"]["siid"]
    return lacking


@pytest.mark.parametrize(
    ("cards", "code"),
    [
        ((start("lamp.trigger"), _without_device(lamp())), "invalid_did"),
        ((start("count.input"), count("rule"), lamp()), "scope_placeholder"),
        ((start("count.input"), count(f"R{HALL}"), lamp()), "unknown_variable"),
    ],
)
def test_cards_with_errors_are_not_written(cards, code: str) -> None:
    """G-9.7."""
    given = hub()
    with pytest.raises(InvalidRule) as refused:
        update_rule(given, Change(HALL, nodes=nodes(*cards)), home(), clock())
    assert code in {each.code for each in refused.value.verdict.errors}
    assert writes(given) == []


def test_what_the_hub_holds_already_is_not_held_against_it() -> None:
    old = {**start("lamp.trigger"), "id": "node_1"}
    newer = {**start(), "id": "future", "type": "weatherInput"}
    raw = {"id": HALL, "nodes": [old, newer, lamp()], "cfg": {"id": HALL, "enable": True, "userData": {}}}
    before = Rule.of(raw)
    levels = {each.code: each.level for each in judged(before, home(), before).warnings}
    assert judged(before, home(), before).valid
    assert (levels["invalid_id"], levels["unknown_type"]) == (Level.WARN, Level.WARN)
    assert {each.code for each in judged(before, home()).errors} == {"invalid_id", "unknown_type"}


def test_nothing_is_written_when_all_is_so_already() -> None:
    given = hub()
    assert update_rule(given, Change(HALL, name="楼道灯", enable=False), home(), clock()).outcome is Outcome.APPLIED
    assert writes(given) == []


def test_switching_sends_all_of_the_editors_data_and_changes_nothing_else() -> None:
    given = hub()
    before = rule_in(given, HALL)
    assert switch_rule(given, HALL, clock(), enable=True).outcome is Outcome.APPLIED
    held = rule_in(given, HALL)
    assert held.enabled
    assert held.user_data == before.user_data
    assert writes(given) == [Method.CHANGE_GRAPH_CONFIG]


@pytest.mark.parametrize(
    ("fault", "outcome", "enabled"),
    [(Fault.ANSWER_LOST, Outcome.APPLIED, True), (Fault.CALL_LOST, Outcome.NOT_APPLIED, False)],
)
def test_a_switch_without_an_answer_is_read_back(fault: Fault, outcome: Outcome, enabled: bool) -> None:  # noqa: FBT001
    given = hub()
    given.inject(fault, Method.CHANGE_GRAPH_CONFIG)
    assert switch_rule(given, HALL, clock(), enable=True).outcome is outcome
    assert given.state.graphs[HALL].enable is enabled
    assert writes(given) == [Method.CHANGE_GRAPH_CONFIG]


def test_a_rule_is_deleted_with_its_own_variables_and_no_others() -> None:
    given = hub()
    deleted = delete_rule(given, OTHER)
    assert (deleted.scope, deleted.outcome, deleted.variables) == (f"R{OTHER}", Outcome.APPLIED, Outcome.APPLIED)
    assert OTHER not in given.state.graphs
    assert set(given.state.variables) == {"global"}


def test_variables_that_a_rule_with_an_id_in_the_old_form_shares_stay() -> None:
    given = hub()
    given.state.graphs[f"graph_{OTHER}"] = copy.deepcopy(given.state.graphs[OTHER])
    assert delete_rule(given, f"graph_{OTHER}").variables is Outcome.NOT_APPLIED
    assert "times" in given.state.variables[f"R{OTHER}"]


def test_the_variables_stay_when_the_rule_is_not_seen_to_be_gone() -> None:
    given = hub()
    given.inject(Fault.CALL_LOST, Method.DELETE_GRAPH)
    assert delete_rule(given, OTHER).outcome is Outcome.NOT_APPLIED
    assert f"R{OTHER}" in given.state.variables


@pytest.mark.parametrize("told", [{"userData": {}}, {"enable": True, "userData": "{}"}])
def test_a_rule_of_which_the_hub_does_not_tell_all_settings_is_not_guessed_at(told) -> None:
    before = Rule.of({"id": HALL, "nodes": [start()], "cfg": {"id": HALL, **told}})
    with pytest.raises(Unavailable, match="getGraphList"):
        changed(before, Change(HALL, name="灯"), clock().now())


def test_a_hub_that_cannot_be_read_back_leaves_the_outcome_unknown() -> None:
    given = _Blind(hub().state)
    before = rule_in(given, HALL)
    change = Change(HALL, nodes=nodes(start("lamp.trigger"), lamp(on=False)))
    assert update_rule(given, change, home(), clock()).outcome is Outcome.UNKNOWN
    assert not same_nodes(before, rule_in(given, HALL))


@pytest.mark.parametrize(
    "act", [lambda hub: switch_rule(hub, "1", clock(), enable=True), lambda hub: delete_rule(hub, "1")]
)
def test_a_rule_that_is_not_there_is_told(act) -> None:
    with pytest.raises(NotFound):
        act(hub())


class _Blind(MemoryHub):
    """A hub whose connection is gone once a graph was written."""

    def call(self, method, params, *, seconds=10.0):
        if Method.SET_GRAPH in writes(self):
            raise Unavailable("hub_away")
        if method is Method.SET_GRAPH:
            self.inject(Fault.ANSWER_LOST, method)
        return super().call(method, params, seconds=seconds)
