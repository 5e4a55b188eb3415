"""The hub itself over HTTP: which one, its devices, variables and log; and a real one that is connected to."""

from __future__ import annotations

import pytest
from tests.faces.entrance import ID, counting, nodes, rule
from tests.faces.http.described import check

from zhixing.faces.http.api import graph_shapes, hub_shapes
from zhixing.kernel.clock import SystemClock
from zhixing.world.hub.fake import FakeGateway
from zhixing.world.hub.state import Graph, State

GRAPHS = "/api/v1/graphs"
VARIABLES = f"{GRAPHS}/variables"
COUNT = {"id": "count", "type": "number", "value": 3, "scope": "global"}


@pytest.fixture
def dialect() -> str:
    return "sqlite"


def put(client, given) -> None:
    assert client("PUT", f"{GRAPHS}/{given['id']}", json={"graph": given}).status_code == 200


def test_devices_are_listed_and_looked_up(client) -> None:
    every = client.get(f"{GRAPHS}/devices")
    check(hub_shapes.HubDevices, every)
    assert every["count"] == 23
    some = client.get(f"{GRAPHS}/devices?did=door_entrance&did=sofa")
    check(hub_shapes.HubDevices, some)
    assert some["notFound"] == ["sofa"]
    assert some["devices"][0]["properties"][0]["name"] == "contact-state"


def test_where_devices_are_used_and_contested_is_told(client) -> None:
    put(client, rule())
    put(client, rule(id_="1700000000009", name="关玄关灯", value=False))
    used = client.get(f"{GRAPHS}/usage?did=light_entrance")
    check(hub_shapes.DeviceUsage, used)
    assert [each["graphId"] for each in used["devices"][0]["places"]] == [ID, "1700000000009"]
    assert client.get(f"{GRAPHS}/usage?query=入户门") == client.get(f"{GRAPHS}/usage?did=door_entrance")
    found = client.get(f"{GRAPHS}/conflicts")
    check(hub_shapes.Contests, found)
    assert [each["value"] for each in found["conflicts"][0]["writers"]] == [True, False]


def test_the_log_is_read(client) -> None:
    put(client, rule())
    told = client.get(f"{GRAPHS}/log?graph={ID}")
    check(hub_shapes.HubLog, told)
    assert told["lines"][0].endswith('{"enable":true}')
    assert client.get(f"{GRAPHS}/log?graph=none")["lines"] == []


def test_variables_live_and_die(client) -> None:
    made = client("POST", VARIABLES, json=COUNT)
    assert made.status_code == 201
    check(hub_shapes.HubVariable, made.json())
    put(client, counting())
    assert client("PUT", f"{VARIABLES}/global/count", json={"value": 4.5}).json()["value"] == 4.5
    assert client("PUT", f"{VARIABLES}/global/count", json={"name": "次数"}).json()["name"] == "次数"
    shown = client.get(f"{VARIABLES}/global/count")
    check(hub_shapes.UsedVariable, shown)
    assert (shown["value"], shown["name"], shown["places"][0]["nodeId"]) == (4.5, "次数", "count")
    assert client("DELETE", f"{VARIABLES}/global/count").json()["error"]["code"] == "variable_used"
    assert client("DELETE", f"{GRAPHS}/{counting()['id']}").status_code == 200
    assert client("DELETE", f"{VARIABLES}/global/count").json()["deleted"] is True
    assert client.get(f"{VARIABLES}?scope=global") == {"variables": [], "count": 0}


@pytest.mark.parametrize(
    ("asked", "body", "refused"),
    [
        ("GET devices?" + "did=a&" * 101, None, (400, "field_wrong")),
        ("GET usage?did=a&query=b", None, (400, "graph_hub_usage_both")),
        ("GET usage?query=%20", None, (400, "graph_hub_query")),
        ("GET log?limit=0", None, (400, "field_wrong")),
        ("POST variables", {**COUNT, "scope": "rule"}, (400, "variable_scope_placeholder")),
        ("POST variables", {**COUNT, "type": "bool"}, (400, "variable_type_form")),
        ("POST variables", {**COUNT, "value": True}, (400, "field_wrong")),
        ("POST variables", {**COUNT, "value": "3"}, (400, "variable_not_number")),
        ("POST variables", {**COUNT, "id": "a b"}, (400, "variable_id_form")),
        ("GET variables/global/none", None, (404, "variable_unknown")),
        ("GET variables/kitchen/none", None, (400, "variable_scope_form")),
        ("PUT variables/global/none", {"value": 1}, (404, "variable_unknown")),
        ("PUT variables/global/none", {}, (400, "graph_variable_change")),
        ("PUT variables/global/none", {"value": 1, "name": "x"}, (400, "graph_variable_change")),
        ("DELETE variables/global/none", None, (404, "variable_unknown")),
        ("POST hub/connect", {"passcode": "123456"}, (400, "gateway_address_missing")),
        ("POST hub/connect", {}, (400, "field_missing")),
    ],
)
def test_what_does_not_exist_or_fit_is_refused_with_the_reason(client, asked, body, refused) -> None:
    method, path = asked.split()
    answer = client(method, f"{GRAPHS}/{path}", **({} if body is None else {"json": body}))
    assert (answer.status_code, answer.json()["error"]["code"]) == refused


def test_a_real_hub_is_spoken_to_from_connecting_to_leaving(connect, serve) -> None:
    client = connect(serve(SystemClock()))
    assert client.get(f"{GRAPHS}/hub") == {"hub": "virtual", "connected": True}
    held = State(graphs={ID: Graph(nodes(), enable=True, ui_type="graph", user_data={"name": "玄关灯"})})
    with FakeGateway("246810", held) as gateway:
        told = client.post(f"{GRAPHS}/hub/connect", {"passcode": "246810", "gatewayUrl": gateway.url})
        check(graph_shapes.Hub, told)
        again = client("POST", f"{GRAPHS}/hub/connect", json={"passcode": "246810", "gatewayUrl": gateway.url})
        assert again.status_code == 403
        assert client.get(GRAPHS)["count"] == 1
        assert client.post(f"{GRAPHS}/hub/disconnect")["hub"] == "virtual"
    assert client.get(GRAPHS)["count"] == 0
