"""Rule graphs over a real process: made, checked, tried, changed, planned, taken back."""

from __future__ import annotations

import json
from itertools import count
from typing import Any

import pytest
from tests.faces.mcp.graph_nodes import BUTTON, LIGHT, TIMES, counted, lamp, pressed

NUMBERS = count(1)

ORIGINAL = {
    "mijia_auth": {"passcode", "gateway_url"},
    "mijia_disconnect": set(),
    "mijia_status": set(),
    "mijia_get_devices": {"response_format"},
    "mijia_get_device": {"dids"},
    "mijia_get_graphs": set(),
    "mijia_get_graph": {"id"},
    "mijia_create_graph": {"name", "nodes", "variables", "enable"},
    "mijia_update_graph": {"id", "name", "nodes", "enable"},
    "mijia_delete_graph": {"id"},
    "mijia_toggle_graph": {"id", "enable"},
    "mijia_validate_graph": {"graph"},
    "mijia_validate_graph_capabilities": {"graph"},
    "mijia_graph_draft_begin": {"name", "variables", "enable"},
    "mijia_graph_draft_append": {"draftId", "nodes"},
    "mijia_graph_draft_edit": {"draftId", "upsert", "removeIds"},
    "mijia_graph_draft_status": {"draftId"},
    "mijia_graph_draft_commit": {"draftId"},
    "mijia_graph_draft_discard": {"draftId"},
    "mijia_get_variables": {"scope"},
    "mijia_create_variable": {"id", "type", "value", "name", "scope"},
    "mijia_set_variable": {"id", "value", "scope"},
    "mijia_delete_variable": {"id", "scope"},
    "mijia_get_variable_value": {"id", "scope"},
    "mijia_get_variable_config": {"id", "scope"},
    "mijia_call_api": {"method", "params", "timeout"},
    "mijia_find_device_usage": {"dids", "query"},
}
"""Tools of the original and what they take (mijia §4.2)."""


@pytest.fixture
def name() -> str:
    return f"床头灯 {next(NUMBERS)}"


def create(agent: Any, name: str, **more: Any) -> str:
    made = agent("mijia_create_graph", name=name, nodes=[pressed("lamp.trigger"), lamp()], **more)
    return made["graphId"]


def places(graph: Any) -> dict[str, Any]:
    return {each["id"]: each["cfg"]["pos"] for each in graph["nodes"]}


def test_every_tool_of_the_original_is_there_and_takes_what_it_took(agent) -> None:
    listed = agent.tools()
    taken = {name: set(listed[name].input_schema["properties"]) for name in ORIGINAL}
    # Ours may take more, never something else.
    assert {name: given for name, given in ORIGINAL.items() if not given <= taken[name]} == {}


def test_without_a_passcode_the_hub_is_the_virtual_one(agent) -> None:
    assert agent("mijia_status") == agent("mijia_disconnect") == {"hub": "virtual", "connected": True}
    assert agent.wrong("mijia_auth", passcode="123456") == "gateway_address_missing"
    assert agent.wrong("mijia_auth", passcode="1234", gateway_url="http://127.0.0.1:9") == "hub_passcode_form"
    assert agent("mijia_status")["hub"] == "virtual"


def test_devices_are_listed_for_programs_and_as_a_table(agent) -> None:
    found = agent("mijia_get_devices")
    assert found["count"] == len(found["devices"]) > 20
    assert {"did": "lamp_bedside", "name": "主卧床头灯"}.items() <= next(
        each for each in found["devices"] if each["did"] == "lamp_bedside"
    ).items()
    table = agent("mijia_get_devices", response_format="markdown")
    assert (len(table["markdown"].splitlines()), table["count"]) == (found["count"] + 2, found["count"])
    assert "| lamp_bedside | 主卧床头灯 |" in table["markdown"]
    assert agent.wrong("mijia_get_devices", response_format="xml") == "field_wrong"


def test_a_device_tells_the_numbers_that_nodes_need_and_an_unknown_one_is_not_found(agent) -> None:
    found = agent("mijia_get_device", dids=["lamp_bedside", "nope", "button_bedside", "speaker_living"])
    light, nobody, button, speaker = found["devices"]
    assert (found["count"], found["notFound"], nobody) == (4, ["nope"], {"did": "nope", "found": False})
    brightness = next(each for each in light["properties"] if each["name"] == "brightness")
    assert (brightness["iid"], brightness["dtype"], brightness["variableDtype"]) == ("prop.2.2", "int", "number")
    assert brightness["range"] == {"min": 1, "max": 100, "step": 1}
    assert brightness["access"] == ["read", "write", "notify"]
    mode = next(each for each in light["properties"] if each["name"] == "mode")
    assert mode["choices"][1] == {"value": 1, "description": "日光"}
    click = button["events"][0]
    assert (click["iid"], click["eiid"], click["name"]) == ("event.2.1", 1, "click")
    takes = {each["iid"]: [one["piid"] for one in each["in"]] for each in speaker["actions"]}
    assert takes["action.5.2"] == [1, 2]
    assert agent.wrong("mijia_get_device", dids=[]) == "graph_hub_dids"
    assert agent.wrong("mijia_get_device", dids=[f"d{each}" for each in range(101)]) == "graph_hub_dids"


def test_a_rule_is_made_with_its_variables_read_back_and_deleted_with_them(agent, name) -> None:
    nodes = [pressed("lamp.trigger", "count.input"), lamp(), counted()]
    made = agent("mijia_create_graph", name=name, nodes=nodes, variables=[TIMES])
    rule, scope = made["graphId"], made["scope"]
    assert (made["outcome"], made["enable"], len(rule), scope) == ("applied", True, 13, f"R{rule}")
    assert rule in made["message"]
    graph = agent("mijia_get_graph", id=rule)
    assert (graph["cfg"]["userData"]["name"], graph["cfg"]["enable"], graph["cfg"]["uiType"]) == (name, True, "graph")
    assert graph["nodes"][2]["props"]["scope"] == scope
    assert len({(each["x"], each["y"]) for each in places(graph).values()}) == 3
    listed = {each["id"]: each for each in agent("mijia_get_graphs")["graphs"]}
    assert (listed[rule]["name"], listed[rule]["enable"], listed[rule]["scope"]) == (name, True, scope)
    assert [each["name"] for each in agent("mijia_get_variables", scope=scope)["variables"]] == ["次数"]
    gone = agent("mijia_delete_graph", id=rule)
    assert (gone["outcome"], gone["variables"]) == ("applied", "applied")
    assert agent("mijia_get_variables", scope=scope)["variables"] == []
    assert agent.wrong("mijia_get_graph", id=rule) == agent.wrong("mijia_delete_graph", id=rule) == "graph_hub_unknown"


def test_a_new_name_leaves_the_switch_and_the_places_as_they_are(agent, name) -> None:
    rule = create(agent, name, enable=False)
    before = agent("mijia_get_graph", id=rule)
    changed = agent("mijia_update_graph", id=rule, name=f"{name} 新")
    assert (changed["name"], changed["enable"], changed["outcome"]) == (f"{name} 新", False, "applied")
    after = agent("mijia_get_graph", id=rule)
    assert (after["cfg"]["enable"], after["nodes"]) == (False, before["nodes"])
    assert agent("mijia_toggle_graph", id=rule, enable=True)["enable"] is True
    assert agent("mijia_get_graph", id=rule)["cfg"]["userData"] == after["cfg"]["userData"]


def test_new_nodes_find_a_place_and_the_others_keep_theirs(agent, name) -> None:
    rule = create(agent, name)
    before = agent("mijia_get_graph", id=rule)
    other = lamp("other", did="light_bedroom")
    agent("mijia_update_graph", id=rule, nodes=[pressed("lamp.trigger", "other.trigger"), lamp(), other])
    after = agent("mijia_get_graph", id=rule)
    assert before.items() != after.items()
    assert places(before).items() <= places(after).items()
    assert places(after)["other"] not in places(before).values()


def test_a_change_of_nothing_and_of_nothing_known_is_refused(agent, name) -> None:
    rule = create(agent, name)
    assert agent.wrong("mijia_update_graph", id=rule) == "gateway_nothing"
    assert agent.wrong("mijia_update_graph", id="1", name="a") == "graph_hub_unknown"
    assert agent.wrong("mijia_toggle_graph", id="1", enable=True) == "graph_hub_unknown"
    assert agent.wrong("mijia_update_graph", id=rule, name=" ") == "graph_hub_name_form"
    assert agent.wrong("mijia_update_graph", id=rule, variables=[TIMES]) == "field_unknown"


def test_a_rule_with_errors_is_not_written_and_all_of_them_are_told(agent, name) -> None:
    count_before = agent("mijia_get_graphs")["count"]
    nodes = [pressed("lamp.trigger", "nobody.input"), lamp(did="nope")]
    failed, said = agent.call("mijia_create_graph", {"name": name, "nodes": nodes})
    assert (failed, said["error"]["code"], said["valid"]) == (True, "graph_hub_invalid", False)
    assert {(each["nodeId"], each["type"]) for each in said["errors"]} == {
        ("press", "target_not_found"),
        ("lamp", "unknown_device"),
    }
    assert said["errorCount"] == 2
    assert agent("mijia_get_graphs")["count"] == count_before
    rule = create(agent, name)
    assert agent.wrong("mijia_update_graph", id=rule, nodes=[pressed("gone.trigger")]) == "graph_hub_invalid"
    assert len(agent("mijia_get_graph", id=rule)["nodes"]) == 2


def test_types_of_nodes_are_read_one_by_one(agent) -> None:
    """G-1.6."""
    listed = agent("mijia_get_node_types")
    assert (listed["count"], {"type": "deviceGet", "title": "查询状态", "group": "device"} in listed["types"]) == (
        26,
        True,
    )
    found = agent("mijia_get_node_types", types=["deviceGet", "logicAnd", "deviceOutput", "deviceGet"])
    get, both, output = found["types"]
    assert get["inputs"] == [{"pin": "input", "carries": "event", "takesTruth": False}]
    assert get["operators"]["float"] == [">", "<", "between"]
    (use,) = get["uses"]
    assert use["outputs"] == [{"pin": "output", "carries": "event"}, {"pin": "output2", "carries": "event"}]
    assert use["template"] == {
        "id": "$ID",
        "type": "deviceGet",
        "cfg": {"urn": "$URN", "name": "deviceGet", "version": 1},
        "props": {
            "did": "$DID",
            "siid": "$SIID",
            "piid": "$PIID",
            "dtype": "$DTYPE",
            "operator": "$OPERATOR",
            "v1": "$V1",
        },
        "inputs": {"input": None},
        "outputs": {"output": [], "output2": []},
    }
    assert both["numberedInputs"] == {"stem": "input", "from": 0, "carries": "state", "takesTruth": True}
    assert [each["use"] for each in output["uses"]] == ["property", "variable", "action"]
    assert agent.wrong("mijia_get_node_types", types=["teleport"]) == "graph_node_type_unknown"
    assert agent.wrong("mijia_get_node_types", types=["delay"] * 27) == "graph_node_types_many"


def test_both_checks_say_what_they_looked_at(agent, name) -> None:
    graph = agent("mijia_get_graph", id=create(agent, name))
    assert agent("mijia_validate_graph", graph=graph) == {
        "valid": True,
        "errors": [],
        "warnings": [],
        "errorCount": 0,
        "warningCount": 0,
    }
    graph["nodes"][1]["props"]["value"] = "on"
    assert agent("mijia_validate_graph", graph=graph)["valid"] is True
    found = agent("mijia_validate_graph_capabilities", graph=graph)
    assert [(each["nodeId"], each["type"]) for each in found["errors"]] == [("lamp", "action_input_type")]
    assert (found["inspectedDids"], found["inspectedUrns"]) == (["button_bedside", "lamp_bedside"], [LIGHT, BUTTON])
    del graph["nodes"][1]["outputs"]
    assert agent("mijia_validate_graph", graph=graph)["errorCount"] == 1
    assert agent.wrong("mijia_validate_graph", graph={"a": 1}) == "graph_without_nodes"


def test_a_new_rule_is_checked_with_the_variables_it_brings_before_anything_is_made(agent, name) -> None:
    """G-3.6."""
    graph = {"nodes": [pressed("count.input"), counted()], "cfg": {"enable": True}}
    graphs, scopes = agent("mijia_get_graphs"), agent("mijia_call_api", method="getVarScopeList")
    check = "mijia_validate_graph_capabilities"
    bare = agent(check, graph=graph)
    assert "scope_placeholder" in {each["type"] for each in bare["errors"]}
    assert agent(check, graph=graph, variables=[TIMES]) == {
        "valid": True,
        "errors": [],
        "warnings": [],
        "errorCount": 0,
        "warningCount": 0,
        "inspectedDids": ["button_bedside"],
        "inspectedUrns": [BUTTON],
    }
    missing = agent(check, graph=graph, variables=[])
    assert [(each["nodeId"], each["type"]) for each in missing["errors"]][:1] == [("count", "unknown_variable")]
    text = agent(check, graph=graph, variables=[TIMES | {"type": "string", "value": ""}])
    assert "variable_type_mismatch" in {each["type"] for each in text["errors"]}
    taken = {"id": create(agent, name), "nodes": graph["nodes"], "cfg": graph["cfg"]}
    assert agent.wrong(check, graph=taken, variables=[TIMES]) == "graph_hub_id_taken"
    assert agent.wrong(check, graph=graph, variables=[TIMES, TIMES]) == "graph_draft_variable_twice"
    assert agent("mijia_get_graphs")["count"] == graphs["count"] + 1
    assert agent("mijia_call_api", method="getVarScopeList") == scopes


def test_a_rule_is_tried_without_touching_a_device(agent, name) -> None:
    rule = create(agent, name)
    before = agent("device_show", device="lamp_bedside")["properties"]
    script = [{"at_ms": 1_000, "event": {"did": "button_bedside", "siid": 2, "eiid": 1}}]
    found = agent("mijia_simulate_graph", id=rule, script=script)
    assert [(each["at_ms"], each["did"], each["value"]) for each in found["outputs"]] == [(1_000, "lamp_bedside", True)]
    assert found["traceCount"] == len(found["trace"])
    assert "|press.output|lamp.trigger|null" in found["trace"][1]
    graph = agent("mijia_get_graph", id=rule)
    start = {"setup": {"start": "2026-10-12T12:00:00+08:00", "until_ms": 500}}
    short = agent("mijia_simulate_graph", graph=graph, script=[start], lines=1)
    assert (short["outputs"], len(short["trace"])) == ([], 1)
    assert agent("device_show", device="lamp_bedside")["properties"] == before
    assert agent.wrong("mijia_simulate_graph", script=script) == "gateway_graph_or_id"
    assert agent.wrong("mijia_simulate_graph", script=script, id=rule, graph=graph) == "gateway_graph_or_id"
    assert agent.wrong("mijia_simulate_graph", script=[{"at_ms": -1}], id=rule) == "graph_script_time"


def test_a_plan_is_shown_deployed_once_and_taken_back(agent, name) -> None:
    rule = create(agent, name)
    graph = agent("mijia_get_graph", id=rule)
    wanted = json.loads(json.dumps(graph))
    wanted["nodes"][1]["props"]["value"] = False
    plan = agent("mijia_plan_graph", graph=wanted)
    assert (plan["new"], plan["verdict"]["valid"], plan["diff"]["changed"][0]["id"]) == (False, True, "lamp")
    assert any("true → false" in line for line in plan["diff"]["lines"])
    assert agent("mijia_get_graph", id=rule) == graph
    done = agent("mijia_deploy_graph", graph=wanted, token=plan["token"])
    assert (done["outcome"], done["difference"]) == ("applied", None)
    assert agent("mijia_get_graph", id=rule)["nodes"][1]["props"]["value"] is False
    assert agent.wrong("mijia_deploy_graph", graph=wanted, token=plan["token"]) == "graph_hub_stale"
    newest = agent("mijia_get_graph_receipts", id=rule)["receipts"][0]
    assert (newest["number"], newest["name"], newest["nodeCount"]) == (done["receipt"], name, 2)
    assert agent("mijia_compare_graph", id=rule, receipt=done["receipt"])["changed"][0]["id"] == "lamp"
    back = agent("mijia_rollback_graph", receipt=done["receipt"])
    assert back["outcome"] == "applied"
    assert agent("mijia_get_graph", id=rule)["nodes"] == graph["nodes"]
    assert agent.wrong("mijia_rollback_graph", receipt=99_999) == "graph_receipt_unknown"


def test_a_deleted_rule_is_had_back(agent, name) -> None:
    rule = create(agent, name)
    agent("mijia_delete_graph", id=rule)
    agent("mijia_rollback_graph", receipt=agent("mijia_get_graph_receipts", id=rule)["receipts"][0]["number"])
    assert agent("mijia_get_graph", id=rule)["cfg"]["userData"]["name"] == name


def test_methods_of_the_hub_are_called_when_they_only_read(agent, name) -> None:
    rule = create(agent, name)
    scopes = agent("mijia_call_api", method="getVarScopeList")["result"]["scopes"]
    assert "global" in scopes
    found = agent("mijia_call_api", method="getGraph", params={"id": rule}, timeout=2_000)["result"]
    assert len(found["nodes"]) == 2
    for method in ("setGraph", "deleteGraph", "changeGraphConfig", "createVar", "setVarValue", "deleteVar"):
        assert agent.wrong("mijia_call_api", method=method, params={"id": rule}) == "graph_hub_read_only"
    assert agent.wrong("mijia_call_api", method="reboot") == "graph_hub_method_unknown"
    assert agent.wrong("mijia_call_api", method="getGraphList", timeout=600_000) == "field_wrong"
    assert agent.wrong("mijia_call_api", method="getGraph", params={"id": "1"}) == "hub_refused"
    assert agent("mijia_get_graph", id=rule)


def test_it_is_known_where_a_device_is_used_and_which_rules_fight_over_it(agent, name) -> None:
    rule = create(agent, name)
    used = agent("mijia_find_device_usage", dids=["lamp_bedside", "tv_living"])
    assert (used["complete"], used["unreadableGraphs"], used["orphans"]) == (True, [], [])
    lit, television = used["devices"]
    place = {"graphId": rule, "graphName": name, "enable": True, "nodeId": "lamp", "type": "deviceOutput"}
    assert place in lit["places"]
    assert (television["found"], television["places"]) == (True, [])
    assert "lamp_bedside" in [each["did"] for each in agent("mijia_find_device_usage", query="床头灯")["devices"]]
    assert agent.wrong("mijia_find_device_usage", dids=["a"], query="b") == "graph_hub_usage_both"
    off = agent("mijia_create_graph", name=f"{name} 关", nodes=[pressed("lamp.trigger"), lamp(on=False)])["graphId"]
    contest = next(each for each in agent("mijia_find_graph_conflicts")["conflicts"] if each["did"] == "lamp_bedside")
    values = {each["graphId"]: each["value"] for each in contest["writers"]}
    assert (values[rule], values[off]) == (True, False)


def test_the_log_of_a_rule_is_read(agent, name) -> None:
    rule = create(agent, name)
    agent("mijia_toggle_graph", id=rule, enable=False)
    log = agent("mijia_get_graph_log", id=rule)
    assert [line.split("|", 2)[2] for line in log["lines"]] == [
        f'r|{rule}|{{"enable":true}}',
        f'r|{rule}|{{"enable":false}}',
    ]
    last = agent("mijia_get_graph_log", id=rule, lines=1)
    assert (last["lines"], last["count"], last["complete"]) == (log["lines"][-1:], 2, False)
