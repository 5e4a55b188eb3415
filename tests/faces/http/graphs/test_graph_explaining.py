"""why, what-if, coverage and replay over HTTP, of rules that are sent and of rules of the hub."""

from __future__ import annotations

from typing import Any

import pytest
from tests.faces.entrance import ID, counting, rule
from tests.faces.http.described import check

from zhixing.faces.http.api import explaining_shapes as shapes

GRAPHS = "/api/v1/graphs"
OPENED = {"did": "door_entrance", "siid": 2, "piid": 1, "value": True}
SCRIPT = [{"setup": {"start": "2026-10-12T20:00:00+08:00"}}, {"at_ms": 1_000, "event": OPENED}]
ASKED = {"graph": rule(), "script": SCRIPT}
LOG = [f'3|1|r|{ID}|{{"enable":true}}', f"3|5|l|{ID}|open.output|on.trigger|null"]


@pytest.fixture
def dialect() -> str:
    return "sqlite"


def test_a_card_says_why_it_fired_or_did_not(client) -> None:
    found = client.post(f"{GRAPHS}/why", {**ASKED, "node": "on"})
    check(shapes.Why, found)
    assert (found["firing"], found["steps"][0]["nodeId"], len(found["lines"])) == (1, "open", len(found["steps"]) + 1)
    none = client.post(f"{GRAPHS}/why", {**ASKED, "node": "on", "afterMs": 2_000})
    check(shapes.Why, none)
    assert (none["firing"], none["reasons"][0]["nodeId"]) == (None, "open")


def test_one_more_event_makes_a_difference(client) -> None:
    found = client.post(f"{GRAPHS}/what-if", {"graph": rule(), "script": [], "atMs": 500, "event": OPENED})
    check(shapes.Difference, found)
    assert [(each["atMs"], each["piid"], each["value"]) for each in found["moreCommands"]] == [(500, 1, True)]
    assert "aiid" not in found["moreCommands"][0]
    nothing = client.post(f"{GRAPHS}/what-if", {**ASKED, "atMs": 2_000, "event": {"event": OPENED}})
    check(shapes.Difference, nothing)
    assert (nothing["nothing"], [each["nodeId"] for each in nothing["silent"]]) == (True, ["open"])


def test_scripts_add_up_to_a_coverage(client) -> None:
    found = client.post(f"{GRAPHS}/coverage", {"graph": rule(), "scripts": [SCRIPT, [], SCRIPT]})
    check(shapes.Coverage, found)
    assert [each["taken"] for each in found["wires"]] == [2]


def test_a_log_that_is_sent_is_held_against_the_rule(client) -> None:
    gone = f"3|9|l|{ID}|open.output|gone.trigger|null"
    found = client.post(f"{GRAPHS}/replay", {"graph": rule(), "log": [*LOG, gone]})
    check(shapes.Replay, found)
    assert (found["counts"]["same"], found["counts"]["drift"], found["knownFromStart"]) == (1, 1, True)
    assert client.post(f"{GRAPHS}/replay", {"graph": rule(), "log": LOG})["agrees"] is True


def test_around_a_rule_of_the_hub_all_is_as_it_is_now(client) -> None:
    own = [{"id": "count", "type": "number", "value": 3}]
    made = client("POST", GRAPHS, json={"name": "数到三", "nodes": counting("rule")["nodes"], "variables": own}).json()
    script = [{"at_ms": 1_000, "var_set": {"scope": made["scope"], "id": "count", "value": 4}}]
    name = made["graphId"]
    ran = client.post(f"{GRAPHS}/simulate", {"id": name, "script": script})
    assert [each["nodeId"] for each in ran["outputs"]] == ["on"]
    found = client.post(f"{GRAPHS}/why", {"id": name, "script": script, "node": "on"})
    assert found["firing"] == 1
    assert client.post(f"{GRAPHS}/replay", {"id": name})["agrees"] is True


@pytest.mark.parametrize(
    ("asked", "body", "refused"),
    [
        ("why", {**ASKED, "node": "nosuch"}, (400, "explain_node")),
        ("why", {**ASKED, "node": "on", "firing": 9}, (400, "explain_firing")),
        ("why", ASKED, (400, "field_missing")),
        ("why", {"script": [], "node": "on"}, (400, "gateway_graph_or_id")),
        ("why", {**ASKED, "id": ID, "node": "on"}, (400, "gateway_graph_or_id")),
        ("why", {"id": ID, "script": [], "node": "on"}, (404, "graph_hub_unknown")),
        ("simulate", {"script": []}, (400, "gateway_graph_or_id")),
        ("what-if", {**ASKED, "atMs": -1, "event": OPENED}, (400, "explain_time")),
        ("what-if", {**ASKED, "atMs": 0, "event": {"setup": {}}}, (400, "graph_script_kind")),
        ("coverage", {"graph": rule(), "scripts": []}, (400, "field_wrong")),
        ("coverage", {"graph": rule(), "scripts": [[]] * 51}, (400, "field_wrong")),
        ("replay", {"graph": rule(), "log": "3|1"}, (400, "field_wrong")),
        ("replay", {"graph": rule(), "script": [{"at_ms": -1}]}, (400, "graph_script_time")),
    ],
)
def test_what_cannot_be_explained_is_refused_with_the_reason(client, asked: str, body: Any, refused) -> None:
    answer = client("POST", f"{GRAPHS}/{asked}", json=body)
    assert (answer.status_code, answer.json()["error"]["code"]) == refused
