"""Rules of a hub over HTTP, on the virtual gateway and the shipped virtual home."""

from __future__ import annotations

from typing import Any

import pytest
from tests.faces.entrance import ID, counting, rule
from tests.faces.http.described import check

from zhixing.faces.http.api import graph_shapes as shapes

GRAPHS = "/api/v1/graphs"


@pytest.fixture
def dialect() -> str:
    return "sqlite"


@pytest.fixture
def deployed(client):
    """Give a client of a home whose hub has the rule of the entrance."""
    assert put(client, rule()).status_code == 200
    return client


def put(client, given: dict[str, Any], name: str = ID, **more: Any):
    return client("PUT", f"{GRAPHS}/{name}", json={"graph": given, **more})


def test_a_rule_is_planned_deployed_shown_and_taken_back(client) -> None:
    plan = client.post(f"{GRAPHS}/plan", {"graph": rule()})
    check(shapes.Plan, plan)
    assert (plan["new"], plan["verdict"]["valid"], client.get(GRAPHS)["count"]) == (True, True, 0)
    done = put(client, rule(), token=plan["token"]).json()
    check(shapes.Deployed, done)
    assert (done["outcome"], done["receipt"]) == ("applied", 1)
    entries = client.get(GRAPHS)
    check(shapes.Graphs, entries)
    assert [(each["name"], each["enable"]) for each in entries["graphs"]] == [("玄关灯", True)]
    assert [each["id"] for each in client.get(f"{GRAPHS}/{ID}")["nodes"]] == ["open", "on"]
    put(client, rule(value=False))
    back = client.post(f"{GRAPHS}/receipts/2/rollback")
    check(shapes.RolledBack, back)
    assert client.get(f"{GRAPHS}/{ID}")["nodes"][1]["props"]["value"] is True
    kept = client.get(f"{GRAPHS}/{ID}/receipts")
    check(shapes.Receipts, kept)
    assert [each["number"] for each in kept["receipts"]] == [3, 2, 1]
    told = client.get(f"{GRAPHS}/{ID}/difference?receipt=3")
    check(shapes.Difference, told)
    assert told["changed"][0]["values"] == [{"path": "props.value", "before": False, "after": True}]


def test_a_rule_is_made_with_variables_of_its_own_and_changed(client) -> None:
    own = [{"id": "count", "type": "number", "value": 0}]
    made = client("POST", GRAPHS, json={"name": "数到三", "nodes": counting("rule")["nodes"], "variables": own})
    assert made.status_code == 201, made.text
    check(shapes.Created, made.json())
    name, scope = made.json()["graphId"], made.json()["scope"]
    assert client.get(f"{GRAPHS}/{name}")["nodes"][0]["props"]["scope"] == scope
    changed = client("PATCH", f"{GRAPHS}/{name}", json={"name": "数到四"}).json()
    check(shapes.Updated, changed)
    assert (changed["name"], changed["nodeCount"], changed["enable"]) == ("数到四", 2, True)
    assert client.get(f"{GRAPHS}/variables?scope={scope}")["count"] == 1


def test_a_rule_takes_the_id_of_its_address(client) -> None:
    assert put(client, rule(id_="")).json()["id"] == ID


def test_a_rule_is_switched_and_deleted(deployed) -> None:
    off = deployed.post(f"{GRAPHS}/{ID}/switch", {"enable": False})
    check(shapes.Updated, off)
    assert deployed.get(GRAPHS)["graphs"][0]["enable"] is False
    gone = deployed("DELETE", f"{GRAPHS}/{ID}")
    check(shapes.Deleted, gone.json())
    assert (gone.status_code, deployed.get(GRAPHS)["count"]) == (200, 0)


def test_a_rule_is_checked_with_the_devices_and_without(client) -> None:
    wrong = {"graph": rule(value="heaven")}
    plain = client.post(f"{GRAPHS}/validate", wrong)
    check(shapes.Verdict, plain)
    assert plain["valid"] is True
    asked = client.post(f"{GRAPHS}/validate", {**wrong, "capabilities": True})
    check(shapes.Verdict, asked)
    assert [each["nodeId"] for each in asked["errors"]] == ["on"]


def test_a_rule_is_run_on_a_virtual_clock(client) -> None:
    script = [
        {"setup": {"until_ms": 5_000}},
        {"at_ms": 1_000, "event": {"did": "door_entrance", "siid": 2, "piid": 1, "value": True}},
    ]
    ran = client.post(f"{GRAPHS}/simulate", {"graph": rule(), "script": script})
    check(shapes.Simulation, ran)
    assert [(each["nodeId"], each["value"]) for each in ran["outputs"]] == [("on", True)]


@pytest.mark.parametrize(
    ("asked", "body", "refused"),
    [
        ("GET 9999999999999", None, (404, "graph_hub_unknown")),
        ("DELETE 9999999999999", None, (404, "graph_hub_unknown")),
        ("POST 9999999999999/switch", {"enable": True}, (404, "graph_hub_unknown")),
        (f"POST {ID}/switch", {"enable": "perhaps"}, (400, "field_wrong")),
        ("POST receipts/99/rollback", None, (404, "graph_receipt_unknown")),
        ("POST receipts/0/rollback", None, (400, "field_wrong")),
        (f"POST receipts/{2**70}/rollback", None, (400, "field_wrong")),
        (f"GET {ID}/difference", None, (400, "field_missing")),
        (f"GET {ID}/difference?receipt=99", None, (404, "graph_hub_unknown")),
        (f"PUT {ID}", {}, (400, "field_missing")),
        (f"PUT {ID}", {"graf": {}}, (400, "field_unknown")),
        (f"PUT {ID}", {"graph": []}, (400, "field_wrong")),
        (f"PUT {ID}", {"graph": {}}, (400, "graph_without_nodes")),
        (f"PUT {ID}", {"graph": rule(id_="1700000000009")}, (400, "graph_id_other")),
        (f"PUT {ID}", {"graph": rule(value="heaven")}, (400, "graph_hub_invalid")),
        (f"PUT {ID}", {"graph": rule(), "token": "stale"}, (409, "graph_hub_stale")),
        ("PUT nosuch", {"graph": rule(id_="nosuch")}, (400, "graph_hub_id_form")),
        (f"PUT {ID}", {"graph": {"nodes": [{}] * 5_001}}, (413, "graph_nodes_many")),
        ("POST validate", {"graph": {}, "profile": "lax"}, (400, "field_wrong")),
        ("POST ", {"name": "", "nodes": rule()["nodes"]}, (400, "graph_hub_name_form")),
        ("POST ", {"name": "x", "nodes": rule(value="heaven")["nodes"]}, (400, "graph_hub_invalid")),
        (f"PATCH {ID}", {}, (400, "gateway_nothing")),
        (f"PATCH {ID}", {"nodes": [1]}, (400, "field_wrong")),
        ("POST simulate", {"graph": rule(), "script": [{"at_ms": -1}]}, (400, "graph_script_time")),
        ("POST simulate", {"graph": rule(), "script": {}}, (400, "field_wrong")),
    ],
)
def test_what_does_not_exist_or_fit_is_refused_with_the_reason(client, asked, body, refused) -> None:
    method, path = asked.split(" ")
    answer = client(method, f"{GRAPHS}/{path}".rstrip("/"), **({} if body is None else {"json": body}))
    assert (answer.status_code, answer.json()["error"]["code"]) == refused
    assert client.get(GRAPHS)["count"] == 0


@pytest.mark.parametrize(
    "body",
    [
        b'{"graph": ' + b"[" * 100_000,
        b'{"graph": {"id": NaN}}',
        b'{"graph": {"nodes": [1e999]}}',
        rb'{"graph": {"nodes": "\ud800"}}',
    ],
)
def test_json_that_no_rule_can_be_is_refused_whoever_reads_it(client, body) -> None:
    answer = client("PUT", f"{GRAPHS}/{ID}", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 400, answer.text
