"""What a hub answers (mijia §4.1, §6.2): the same over the wire as in memory."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from zhixing.kernel.clock import SystemClock
from zhixing.kernel.errors import Unavailable
from zhixing.world.hub.client import HubClient
from zhixing.world.hub.fake import FakeGateway
from zhixing.world.hub.faults import Fault
from zhixing.world.hub.memory import MemoryHub
from zhixing.world.hub.opening import open_hub
from zhixing.world.hub.port import READS, Hub, HubRefused, Method, Unconfirmed
from zhixing.world.hub.state import MANUAL_BACKUPS, Refusal, State

NAME = "1790000000001"
ON_LOAD = {
    "id": "start",
    "type": "onLoad",
    "cfg": {"name": "onLoad", "version": 1},
    "props": {},
    "inputs": {},
    "outputs": {"output": []},
}


@pytest.fixture
def state() -> State:
    return State()


@pytest.fixture(scope="module")
def wired() -> Iterator[tuple[FakeGateway, HubClient]]:
    with FakeGateway("246810") as gateway, closing(open_hub(gateway.url, "246810", SystemClock())) as client:
        yield gateway, client


@pytest.fixture(params=["memory", "wire"])
def hub(request: pytest.FixtureRequest, state: State, wired: tuple[FakeGateway, HubClient]) -> Hub:
    gateway, client = wired
    gateway.state = state
    return client if request.param == "wire" else MemoryHub(state)


def refusal(hub: Hub, method: Method, **params: Any) -> str:
    with pytest.raises(HubRefused) as refused:
        hub.call(method, params)
    return str(refused.value.values["text"])


def graph(*, name: str = NAME, enable: bool = True, **more: Any) -> dict[str, Any]:
    cfg = {"id": name, "enable": enable, "uiType": "graph", "userData": {"name": "夜灯", "tags": ["卧室"]}}
    return {"id": name, "nodes": [ON_LOAD], "cfg": cfg, **more}


def test_a_graph_is_kept_and_its_settings_are_in_the_list_alone(hub: Hub) -> None:
    hub.call(Method.SET_GRAPH, graph())
    assert hub.call(Method.GET_GRAPH, {"id": NAME}) == {"id": NAME, "nodes": [ON_LOAD]}
    settings = {"id": NAME, "enable": True, "uiType": "graph", "userData": {"name": "夜灯", "tags": ["卧室"]}}
    assert hub.call(Method.GET_GRAPHS, {}) == [settings]


def test_a_graph_is_switched_with_all_that_was_sent_again(hub: Hub) -> None:
    hub.call(Method.SET_GRAPH, graph())
    hub.call(Method.CHANGE_GRAPH_CONFIG, {"id": NAME, "enable": False, "userData": {"name": "夜灯"}})
    (entry,) = hub.call(Method.GET_GRAPHS, {})
    assert (entry["enable"], entry["uiType"], entry["userData"]) == (False, "graph", {"name": "夜灯"})


def test_a_graph_that_is_switched_without_its_settings_loses_its_name(hub: Hub) -> None:
    hub.call(Method.SET_GRAPH, graph())
    hub.call(Method.CHANGE_GRAPH_CONFIG, {"id": NAME, "enable": False})
    assert hub.call(Method.GET_GRAPHS, {})[0]["userData"] == {}


def test_a_graph_that_is_not_there_is_a_file_that_is_not_there(hub: Hub) -> None:
    missing = f"Load file /graphs/{NAME}.jsonz error: 2"
    assert refusal(hub, Method.GET_GRAPH, id=NAME) == missing
    assert refusal(hub, Method.DELETE_GRAPH, id=NAME) == missing
    assert refusal(hub, Method.CHANGE_GRAPH_CONFIG, id=NAME, enable=True, userData={}) == missing


def test_a_graph_that_is_deleted_leaves_its_variables(hub: Hub) -> None:
    hub.call(Method.SET_GRAPH, graph())
    hub.call(Method.CREATE_VARIABLE, {"scope": f"R{NAME}", "id": "n", "type": "number", "value": 1})
    hub.call(Method.DELETE_GRAPH, {"id": NAME})
    assert hub.call(Method.GET_GRAPHS, {}) == []
    assert hub.call(Method.GET_SCOPES, {}) == {"scopes": ["global", f"R{NAME}"]}


def test_a_graph_with_a_bad_node_is_refused_and_the_one_before_stays(hub: Hub) -> None:
    hub.call(Method.SET_GRAPH, graph())
    bad = {**ON_LOAD, "id": "a_b"}
    assert refusal(hub, Method.SET_GRAPH, **graph(nodes=[bad])) == "Invalid node parameter:a_b,Invalid charactor in id"
    assert hub.call(Method.GET_GRAPH, {"id": NAME})["nodes"] == [ON_LOAD]


@pytest.mark.parametrize("cfg", [None, {}, {"id": "other", "enable": True}, {"id": NAME, "enable": 1}])
def test_a_graph_needs_settings_of_its_own(hub: Hub, cfg: object) -> None:
    assert refusal(hub, Method.SET_GRAPH, **graph(cfg=cfg)).startswith("Invalid cfg")
    assert hub.call(Method.GET_GRAPHS, {}) == []


def test_variables_are_listed_by_id_with_what_the_editor_keeps(hub: Hub) -> None:
    held = {"scope": "global", "id": "Vcount1", "type": "number", "value": 3, "userData": {"name": "次数"}}
    hub.call(Method.CREATE_VARIABLE, held)
    listed = {"Vcount1": {"type": "number", "value": 3, "userData": {"name": "次数"}}}
    assert hub.call(Method.GET_VARIABLES, {"scope": "global"}) == listed
    config = {"type": "number", "userData": {"name": "次数"}}
    assert hub.call(Method.GET_VARIABLE_CONFIG, {"scope": "global", "id": "Vcount1"}) == config


def test_a_name_beside_the_user_data_is_not_looked_at(hub: Hub) -> None:
    hub.call(Method.CREATE_VARIABLE, {"scope": "global", "id": "a", "type": "string", "value": "", "name": "名"})
    assert hub.call(Method.GET_VARIABLES, {"scope": "global"})["a"]["userData"] == {}


@pytest.mark.parametrize(
    ("wrong", "text"),
    [
        ({"id": "a_b"}, "Invalid id format"),
        ({"id": "变量"}, "Invalid id format"),
        ({"id": ""}, "Invalid id format"),
        ({"id": "a\n"}, "Invalid id format"),
        ({"id": None}, "Invalid id format"),
        ({"type": "boolean"}, "Invalid type"),
        ({"value": "1"}, "Invalid value"),
        ({"value": True}, "Invalid value"),
        ({"type": "string"}, "Invalid value"),
        ({"scope": ""}, "Invalid scope"),
    ],
)
def test_a_variable_that_cannot_be_is_refused(hub: Hub, wrong: dict[str, object], text: str) -> None:
    given = {"scope": "global", "id": "a", "type": "number", "value": 1, **wrong}
    assert refusal(hub, Method.CREATE_VARIABLE, **given) == text
    assert hub.call(Method.GET_VARIABLES, {"scope": "global"}) == {}


def test_a_variable_is_set_renamed_and_deleted(hub: Hub) -> None:
    a = {"scope": "global", "id": "a"}
    hub.call(Method.CREATE_VARIABLE, {**a, "type": "number", "value": 1})
    hub.call(Method.SET_VARIABLE_VALUE, {**a, "value": 2.5})
    hub.call(Method.SET_VARIABLE_CONFIG, {**a, "userData": {"name": "新"}})
    assert hub.call(Method.GET_VARIABLE_VALUE, a) == {"value": 2.5}
    assert hub.call(Method.GET_VARIABLE_CONFIG, a)["userData"] == {"name": "新"}
    assert refusal(hub, Method.SET_VARIABLE_VALUE, **a, value="2") == "Invalid value"
    assert refusal(hub, Method.CREATE_VARIABLE, **a, type="number", value=1) == "Variable already exists"
    hub.call(Method.DELETE_VARIABLE, a)
    for method in (Method.GET_VARIABLE_VALUE, Method.GET_VARIABLE_CONFIG, Method.DELETE_VARIABLE):
        assert refusal(hub, method, **a) == "Variable not found"
    assert refusal(hub, Method.SET_VARIABLE_VALUE, **a, value=1) == "Variable not found"


def test_all_variables_of_a_scope_are_deleted_at_once(hub: Hub) -> None:
    for scope in ("global", "R1"):
        for name in ("a", "b"):
            hub.call(Method.CREATE_VARIABLE, {"scope": scope, "id": name, "type": "number", "value": 0})
    hub.call(Method.DELETE_VARIABLE, {"scope": "R1", "all": True})
    assert hub.call(Method.GET_SCOPES, {}) == {"scopes": ["global"]}
    assert list(hub.call(Method.GET_VARIABLES, {"scope": "global"})) == ["a", "b"]


def test_older_firmware_lists_variables_in_an_array(hub: Hub, state: State) -> None:
    state.old_lists = True
    hub.call(Method.CREATE_VARIABLE, {"scope": "global", "id": "a", "type": "number", "value": 0})
    listed = [{"id": "a", "type": "number", "value": 0, "userData": {}}]
    assert hub.call(Method.GET_VARIABLES, {"scope": "global"}) == listed


def test_devices_are_listed_with_all_that_is_told_of_one(hub: Hub, state: State) -> None:
    state.add_device(
        "lamp1", "床头灯", "urn:miot-spec-v2:device:light:0000A001:sample-l1:1", roomName="卧室", online=False
    )
    listed = hub.call(Method.GET_DEVICES, {})["devList"]["lamp1"]
    assert (listed["name"], listed["roomName"], listed["online"]) == ("床头灯", "卧室", False)
    assert set(listed) == {
        *("name", "model", "modelName", "urn", "online", "specV2Access", "specV3Access", "pushAvailable"),
        *("roomId", "roomName", "icon"),
    }


def test_the_log_is_read_from_its_newest_block_to_an_empty_one(hub: Hub, state: State) -> None:
    state.log(['3|1|r|1|{"enable":true}'])
    state.log(["3|2|i|1|a|1", "3|3|i|1|a|2"])
    blocks = [hub.call(Method.GET_LOG, {"num": number}) for number in range(3)]
    assert blocks == ["3|2|i|1|a|1\n3|3|i|1|a|2\n", '3|1|r|1|{"enable":true}\n', ""]
    for number in (-1, "0", None, True):
        assert refusal(hub, Method.GET_LOG, num=number) == "Invalid num"


def test_a_block_of_the_log_comes_again_when_a_newer_one_was_begun_meanwhile(hub: Hub, state: State) -> None:
    state.log(["3|1|i|1|a|1"])
    first = hub.call(Method.GET_LOG, {"num": 0})
    state.log(["3|2|i|1|a|2"])
    assert hub.call(Method.GET_LOG, {"num": 1}) == first


def test_backups_are_made_and_the_oldest_makes_room(hub: Hub, state: State) -> None:
    hub.call(Method.SET_GRAPH, graph())
    for _ in range(MANUAL_BACKUPS + 1):
        hub.call(Method.CREATE_BACKUP, {})
    listed = hub.call(Method.GET_BACKUPS, {"from": "fds"})
    assert [each["id"] for each in listed] == [str(number) for number in range(MANUAL_BACKUPS + 1, 1, -1)]
    assert hub.call(Method.GET_BACKUP_PROGRESS, {}) == {"progress": 100}
    assert hub.call(Method.GET_BACKUP_CONFIG, {}) == {"auto": False}
    hub.call(Method.DELETE_GRAPH, {"id": NAME})
    assert state.backups[0]["rules"][0]["nodes"] == [ON_LOAD], "a backup does not change with what it is of"


def test_some_firmware_does_not_list_its_methods(hub: Hub, state: State) -> None:
    assert "/api/setGraph" in hub.call(Method.GET_API_LIST, {})
    state.lists_api = False
    assert refusal(hub, Method.GET_API_LIST) == "Internal error"


def test_reading_changes_nothing_and_what_is_read_is_ones_own() -> None:
    hub = MemoryHub()
    hub.call(Method.SET_GRAPH, graph())
    hub.call(Method.CREATE_VARIABLE, {"scope": "global", "id": "a", "type": "number", "value": 0})
    before = repr(hub.state)
    for method in READS:
        params = {"id": NAME if method is Method.GET_GRAPH else "a", "scope": "global", "num": 0}
        answer = hub.call(method, params)
        if isinstance(answer, dict):
            answer.clear()
    assert repr(hub.state) == before


@pytest.mark.parametrize(("method", "params"), [("reboot", {}), ("/api/getGraph", {}), ("getGraph", ["1"])])
def test_what_is_no_call_of_a_hub_is_refused(method: str, params: Any) -> None:
    assert isinstance(State().answer(method, params), Refusal)


def test_a_fault_in_memory_is_used_up_by_the_call_that_it_is_for() -> None:
    hub = MemoryHub()
    a = {"scope": "global", "id": "a"}
    hub.inject(Fault.ANSWER_LOST, Method.CREATE_VARIABLE)
    assert hub.call(Method.GET_GRAPHS, {}) == []
    with pytest.raises(Unconfirmed):
        hub.call(Method.CREATE_VARIABLE, {**a, "type": "number", "value": 1})
    assert hub.call(Method.GET_VARIABLE_VALUE, a) == {"value": 1}
    hub.inject(Fault.CALL_LOST)
    with pytest.raises(Unconfirmed):
        hub.call(Method.SET_VARIABLE_VALUE, {**a, "value": 2})
    assert hub.call(Method.GET_VARIABLE_VALUE, a) == {"value": 1}
    methods = [method for method, _ in hub.calls]
    assert methods.count(Method.CREATE_VARIABLE) == methods.count(Method.SET_VARIABLE_VALUE) == 1


def test_a_call_that_cannot_leave_is_certain_to_have_done_nothing() -> None:
    hub = MemoryHub()
    hub.inject(Fault.UNREACHABLE)
    with pytest.raises(Unavailable) as away:
        hub.call(Method.SET_GRAPH, graph())
    assert not isinstance(away.value, Unconfirmed)
    assert (hub.calls, hub.state.graphs) == ([], {})


def test_a_connection_in_memory_that_ended_is_made_again() -> None:
    hub = MemoryHub()
    hub.inject(Fault.CLOSED_AFTER)
    with pytest.raises(Unconfirmed):
        hub.call(Method.SET_GRAPH, graph())
    with pytest.raises(Unavailable):
        hub.call(Method.GET_GRAPHS, {})
    hub.reconnect()
    assert len(hub.call(Method.GET_GRAPHS, {})) == 1
