"""What belongs to rule graphs, over a real process: variables, drafts of long rules, a real hub."""

from __future__ import annotations

import re
from itertools import count
from typing import Any

import pytest
from tests.faces.mcp.graph_nodes import TIMES, counted, lamp, node, pressed

from zhixing.world.hub.fake import FakeGateway
from zhixing.world.hub.faults import Fault
from zhixing.world.hub.port import Method
from zhixing.world.hub.state import State

NUMBERS = count(1)
PASSCODE = "135790"


@pytest.fixture
def name() -> str:
    return f"床头灯 {next(NUMBERS)}"


def test_a_variable_lives_from_making_to_being_seen_to_be_gone(agent) -> None:
    about: dict[str, Any] = {"id": "tmp1", "scope": "global"}
    made = agent("mijia_create_variable", **about, type="number", value=3, name="临时")
    assert made == {**about, "type": "number", "value": 3, "name": "临时"}
    assert agent("mijia_get_variable_config", **about)["userData"] == {"name": "临时"}
    assert agent("mijia_get_variable_value", **about)["value"] == 3
    assert agent("mijia_set_variable", **about, value=4.5)["value"] == 4.5
    assert agent("mijia_get_variable_value", **about)["value"] == 4.5
    assert agent("mijia_rename_variable", **about, name="改名")["name"] == "改名"
    assert {**made, "value": 4.5, "name": "改名"} in agent("mijia_get_variables", scope="global")["variables"]
    assert agent("mijia_delete_variable", **about)["deleted"] is True
    assert agent.wrong("mijia_get_variable_value", **about) == "variable_unknown"
    assert "tmp1" not in [each["id"] for each in agent("mijia_get_variables", scope="global")["variables"]]


def test_only_making_makes_a_variable_and_it_must_fit(agent) -> None:
    good: dict[str, Any] = {"id": "tmp2", "type": "string", "value": "a", "scope": "global"}
    assert agent.wrong("mijia_set_variable", id="tmp2", value="b", scope="global") == "variable_unknown"
    assert agent.wrong("mijia_create_variable", **{**good, "id": "tmp_2"}) == "variable_id_form"
    assert agent.wrong("mijia_create_variable", **{**good, "value": 1}) == "variable_not_string"
    assert agent.wrong("mijia_create_variable", **{**good, "type": "boolean"}) == "field_wrong"
    assert agent.wrong("mijia_create_variable", **{**good, "scope": "rule"}) == "variable_scope_placeholder"
    assert agent.wrong("mijia_create_variable", **{**good, "scope": "R1"}) == "variable_scope_unknown"
    agent("mijia_create_variable", **good)
    assert agent.wrong("mijia_create_variable", **good) == "variable_exists"
    assert agent.wrong("mijia_set_variable", id="tmp2", value=True, scope="global") == "variable_not_string"


def test_a_variable_that_a_rule_uses_is_found_there_and_stays(agent, name) -> None:
    nodes = [pressed("count.input"), counted()]
    made = agent("mijia_create_graph", name=name, nodes=nodes, variables=[TIMES])
    about = {"id": "n", "scope": made["scope"]}
    usage = agent("mijia_find_variable_usage", **about)
    assert usage["places"] == [{"graphId": made["graphId"], "graphName": name, "nodeId": "count"}]
    assert usage["complete"] is True
    assert agent.wrong("mijia_delete_variable", **about) == "variable_used"


def test_a_long_rule_is_sent_in_batches_mended_and_made_once_however_often_it_is_said(agent, name) -> None:
    draft = agent("mijia_graph_draft_begin", name=name, variables=[TIMES], enable=False)["draftId"]
    chain = [lamp(f"lamp{each}", then=f"lamp{each + 1}.trigger") for each in range(12)]
    batch = [pressed("lamp0.trigger", "count.input"), counted(), *chain[:6]]
    first = agent("mijia_graph_draft_append", draftId=draft, nodes=batch)
    assert (first["nodeCount"], first["appended"]) == (8, 8)
    again = agent("mijia_graph_draft_append", draftId=draft, nodes=batch)
    assert (again["nodeCount"], again["appended"], again["same"]) == (8, 0, 8)
    other = {"draftId": draft, "nodes": [lamp("lamp0", on=False)]}
    assert agent.wrong("mijia_graph_draft_append", **other) == "graph_draft_other_body"
    agent("mijia_graph_draft_append", draftId=draft, nodes=[*chain[6:], lamp("spare")])
    # The last lamp of the chain leads nowhere yet.
    failed, said = agent.call("mijia_graph_draft_commit", {"draftId": draft})
    assert (failed, said["error"]["code"]) == (True, "graph_hub_invalid")
    assert ("lamp11", "target_not_found") in {(each["nodeId"], each["type"]) for each in said["errors"]}
    kept = agent("mijia_graph_draft_status", draftId=draft)
    assert (kept["status"], kept["nodeCount"], kept["name"]) == ("building", 15, name)
    assert kept["nodeIds"][:2] == ["press", "count"]
    edited = agent("mijia_graph_draft_edit", draftId=draft, upsert=[lamp("lamp11")], removeIds=["spare", "nobody"])
    assert (edited["nodeCount"], edited["replaced"], edited["removed"]) == (14, 1, 1)
    assert edited["missingIds"] == ["nobody"]
    done = agent("mijia_graph_draft_commit", draftId=draft)
    assert (done["nodeCount"], len(done["graphId"])) == (14, 13)
    assert agent("mijia_graph_draft_commit", draftId=draft)["graphId"] == done["graphId"]
    assert [each["id"] for each in agent("mijia_get_graphs")["graphs"] if each["name"] == name] == [done["graphId"]]
    graph = agent("mijia_get_graph", id=done["graphId"])
    assert (len(graph["nodes"]), graph["cfg"]["enable"]) == (14, False)
    status = agent("mijia_graph_draft_status", draftId=draft)
    assert (status["status"], status["graphId"]) == ("committed", done["graphId"])
    assert agent.wrong("mijia_graph_draft_edit", draftId=draft, removeIds=["press"]) == "graph_draft_committed"


def test_a_draft_has_bounds_and_can_be_given_up(agent, name) -> None:
    draft = agent("mijia_graph_draft_begin", name=name)["draftId"]
    many = [lamp(f"lamp{each}") for each in range(26)]
    assert agent.wrong("mijia_graph_draft_append", draftId=draft, nodes=many) == "graph_draft_list_long"
    large = {**lamp(), "note": "x" * 2**17}
    assert agent.wrong("mijia_graph_draft_append", draftId=draft, nodes=[large, lamp("b")]) == "graph_draft_batch_large"
    assert agent.wrong("mijia_graph_draft_append", draftId=draft, nodes=[]) == "graph_draft_batch_empty"
    assert agent.wrong("mijia_graph_draft_edit", draftId=draft) == "graph_draft_edit_empty"
    assert agent.wrong("mijia_graph_draft_commit", draftId=draft) == "graph_draft_empty"
    assert draft in [each["draftId"] for each in agent("mijia_graph_draft_list")["drafts"]]
    assert agent("mijia_graph_draft_discard", draftId=draft)["discarded"] is True
    assert agent("mijia_graph_draft_discard", draftId=draft)["discarded"] is False
    assert agent.wrong("mijia_graph_draft_status", draftId=draft) == "graph_draft_unknown"
    open_ones = [agent("mijia_graph_draft_begin", name=name)["draftId"] for _ in range(20)]
    assert agent.wrong("mijia_graph_draft_begin", name=name) == "graph_draft_many"
    for each in open_ones:
        agent("mijia_graph_draft_discard", draftId=each)


def test_a_real_hub_is_connected_by_its_passcode_used_and_left(agent, name) -> None:
    state = State()
    state.add_device("far", "远灯", "urn:miot-spec-v2:device:light:0000A001:example-none-v1:1")
    with FakeGateway(PASSCODE, state) as hub:
        assert agent.wrong("mijia_auth", passcode="000000", gateway_url=hub.url) == "hub_passcode_wrong"
        hub.refresh(PASSCODE)
        assert agent("mijia_auth", passcode=PASSCODE, gateway_url=hub.url) == {"hub": hub.url, "connected": True}
        try:
            assert [each["did"] for each in agent("mijia_get_devices")["devices"]] == ["far"]
            # Nobody knows what it can do, which is not the same as nothing.
            assert agent("mijia_get_device", dids=["far"])["devices"][0]["properties"] is None
            timer = [node("load", "onLoad", {}, output=["wait.input"])]
            timer.append(node("wait", "delay", {"timeout": 5_000}, "input", output=["again.input"]))
            timer.append(node("again", "delay", {"timeout": 5_000}, "input", output=[]))
            failed, said = agent.call("mijia_create_graph", {"name": name, "nodes": timer})
            assert not failed, said
            assert list(state.graphs) == [said["graphId"]]
            # It is carried out, and neither the answer comes nor can it be read back.
            hub.inject(Fault.CLOSED_AFTER, Method.CHANGE_GRAPH_CONFIG)
            assert agent.wrong("mijia_toggle_graph", id=said["graphId"], enable=False) == "gateway_unconfirmed"
            assert agent("mijia_status") == {"hub": hub.url, "connected": False}
        finally:
            agent("mijia_disconnect")
    assert agent("mijia_status")["hub"] == "virtual"


def test_a_rule_whose_making_nobody_answered_is_made_once(agent, name) -> None:
    state = State()
    nodes = [node("load", "onLoad", {}, output=["count.input"]), counted("global")]
    wanted = {"name": name, "nodes": nodes, "variables": [{**TIMES, "scope": "global"}]}
    with FakeGateway(PASSCODE, state) as hub:
        try:
            agent("mijia_auth", passcode=PASSCODE, gateway_url=hub.url)
            hub.inject(Fault.CLOSED_AFTER, Method.SET_GRAPH)
            failed, said = agent.call("mijia_create_graph", wanted)
            assert (failed, said["error"]["code"]) == (True, "gateway_create_unconfirmed")
            (rule,) = re.findall(r"[0-9]{13}", said["error"]["message"])
            hub.refresh(PASSCODE)
            agent("mijia_auth", passcode=PASSCODE, gateway_url=hub.url)
            for _ in range(2):
                assert agent("mijia_create_graph", **wanted, id=rule)["graphId"] == rule
            assert list(state.graphs) == [rule]
            assert len(agent("mijia_get_graph", id=rule)["nodes"]) == 2
        finally:
            agent("mijia_disconnect")
