"""Drafts that are committed to a hub in memory: what is there after calls that were lost on the way."""

from __future__ import annotations

from typing import Any

import pytest
from tests.graphs.drafts.refusals import refusal

from zhixing.graphs.drafts.hub import HubCommitting
from zhixing.graphs.drafts.model import DraftState
from zhixing.graphs.drafts.operations import Committed, Drafts, NotCommitted
from zhixing.graphs.specs.home import NOTHING_KNOWN
from zhixing.kernel.clock import ManualClock
from zhixing.world.hub.faults import Fault
from zhixing.world.hub.memory import MemoryHub
from zhixing.world.hub.port import Method

RULE = "1791770400000"
TIMES = {"id": "times", "type": "number", "value": 0, "name": "次数"}


def card(name: str, kind: str, props: dict[str, Any], inputs: dict[str, None], *ends: str) -> dict[str, Any]:
    cfg = {"name": kind, "version": 1}
    return {"id": name, "type": kind, "cfg": cfg, "props": props, "inputs": inputs, "outputs": {"output": list(ends)}}


START = card("start", "onLoad", {}, {}, "count.input")
COUNT = card(
    "count",
    "varSetNumber",
    {"scope": "rule", "id": "times", "elements": [{"type": "const", "value": "1"}]},
    {"input": None},
)


class Home:
    def __init__(self, store: Any, clock: ManualClock) -> None:
        self.hub = MemoryHub()
        committing = HubCommitting(lambda: self.hub, lambda: NOTHING_KNOWN, clock)
        self.drafts = Drafts(store, clock, committing, holder="server")
        self.draft = self.drafts.begin("开机计数", [TIMES], who="agent").id

    def append(self, *nodes: dict[str, Any]) -> None:
        self.drafts.append(self.draft, list(nodes))

    def commit(self) -> Committed | NotCommitted:
        return self.drafts.commit(self.draft)

    def there(self) -> tuple[list[str], list[str]]:
        """Give the ids of the rules and of the scopes that the hub has."""
        graphs = self.hub.call(Method.GET_GRAPHS, {})
        return [each["id"] for each in graphs], sorted(self.hub.call(Method.GET_SCOPES, {})["scopes"])


@pytest.fixture
def house(store, clock: ManualClock) -> Home:
    return Home(store, clock)


def test_a_draft_becomes_a_rule_with_its_variables_and_places(house: Home) -> None:
    """G-3.3, G-9.17."""
    house.append(START, COUNT)
    done = house.commit()
    assert isinstance(done, Committed)
    assert done.draft.rule_id == RULE
    assert house.there()[0] == [RULE]
    assert f"R{RULE}" in house.there()[1]
    nodes = house.hub.call(Method.GET_GRAPH, {"id": RULE})["nodes"]
    assert [node["id"] for node in nodes] == ["start", "count"]
    assert nodes[1]["props"]["scope"] == f"R{RULE}"
    assert nodes[0]["cfg"]["pos"]["x"] < nodes[1]["cfg"]["pos"]["x"]


def test_a_rule_with_errors_writes_nothing_and_can_be_mended(house: Home) -> None:
    house.append(START)
    refused = house.commit()
    assert isinstance(refused, NotCommitted)
    assert "target_not_found" in {finding.code for finding in refused.verdict.errors}
    assert house.there()[0] == []
    house.append(COUNT)
    assert isinstance(house.commit(), Committed)


@pytest.mark.parametrize("fault", [Fault.CLOSED_BEFORE, Fault.CLOSED_AFTER])
@pytest.mark.parametrize("method", [Method.SET_GRAPH, Method.CREATE_VARIABLE])
def test_a_connection_that_ends_on_the_way_leads_to_one_rule_in_the_end(house: Home, fault, method) -> None:
    house.append(START, COUNT)
    house.hub.inject(fault, method)
    assert refusal(house.commit) == "graph_draft_not_known"
    assert refusal(house.commit) == "hub_away"
    assert house.drafts.status(house.draft).state is DraftState.COMMITTING
    house.hub.reconnect()
    assert house.commit().draft.rule_id == RULE
    assert house.there()[0] == [RULE]


def test_a_hub_that_is_away_leaves_the_draft_as_it_was(house: Home) -> None:
    house.append(START, COUNT)
    house.hub.inject(Fault.UNREACHABLE)
    assert refusal(house.commit) == "hub_away"
    assert house.drafts.status(house.draft).state is DraftState.BUILDING


def test_an_answer_that_was_lost_is_found_by_looking(house: Home) -> None:
    house.append(START, COUNT)
    house.hub.inject(Fault.ANSWER_LOST, Method.SET_GRAPH)
    assert isinstance(house.commit(), Committed)
    assert house.there()[0] == [RULE]
