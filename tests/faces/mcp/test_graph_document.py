"""What document 002 says of the tools themselves: what each is for, and where to turn when one does not do it."""

from __future__ import annotations

from itertools import count

import pytest
from tests.faces.mcp.graph_nodes import TIMES, counted, lamp, pressed

NUMBERS = count(1)
VARIABLES = {
    "mijia_get_variables",
    "mijia_create_variable",
    "mijia_set_variable",
    "mijia_delete_variable",
    "mijia_get_variable_value",
    "mijia_get_variable_config",
}


@pytest.fixture
def name() -> str:
    return f"文档 {next(NUMBERS)}"


def test_variables_of_a_rule_that_is_there_are_made_first_and_named_by_their_real_scope(agent, name) -> None:
    """G-3.4: changing a rule takes no variables, and no `rule` in place of a scope."""
    rule = agent("mijia_create_graph", name=name, nodes=[pressed("lamp.trigger"), lamp()])["graphId"]
    assert agent.wrong("mijia_update_graph", id=rule, variables=[TIMES]) == "field_unknown"
    nodes = [pressed("lamp.trigger", "count.input"), lamp()]
    failed, said = agent.call("mijia_update_graph", {"id": rule, "nodes": [*nodes, counted()]})
    assert failed
    assert "scope_placeholder" in {each["type"] for each in said["errors"]}
    # The scope is there to be read once it holds something (G-3.5).
    own = {"scope": f"R{rule}"}
    assert own["scope"] not in agent("mijia_call_api", method="getVarScopeList")["result"]["scopes"]
    assert agent.wrong("mijia_update_graph", id=rule, nodes=[*nodes, counted(own["scope"])]) == "graph_hub_invalid"
    agent("mijia_create_variable", **TIMES, **own)
    assert own["scope"] in agent("mijia_call_api", method="getVarScopeList")["result"]["scopes"]
    agent("mijia_update_graph", id=rule, nodes=[*nodes, counted(own["scope"])])
    assert agent("mijia_get_graph", id=rule)["nodes"][2]["props"]["scope"] == own["scope"]


def test_an_agent_sees_which_tools_there_are_and_of_which_version(agent) -> None:
    """G-4.3: the tools for variables are listed, and the version that runs tells an old one."""
    assert set(agent.tools()) >= VARIABLES
    version = agent("home_status")["version"]
    assert version[0].isdigit()


def test_a_variable_that_is_not_there_is_refused_with_what_to_do_first(agent) -> None:
    """G-4.1, G-2.3."""
    failed, said = agent.call("mijia_set_variable", {"id": "nowhere", "value": 1, "scope": "global"})
    assert failed
    assert "请先新建变量" in said["error"]["message"]
    assert agent.wrong("mijia_get_variable_value", id="nowhere", scope="global") == said["error"]["code"]


def test_a_write_is_refused_with_the_way_to_the_tool_that_writes(agent) -> None:
    """G-4.2."""
    failed, said = agent.call("mijia_call_api", {"method": "createVar", "params": {"scope": "global", "id": "a"}})
    assert (failed, said["error"]["code"]) == (True, "graph_hub_read_only")
    assert "专门的命令或工具" in said["error"]["message"]
    assert "a" not in {each["id"] for each in agent("mijia_get_variables", scope="global")["variables"]}


def test_an_agent_sees_which_hub_it_speaks_to(agent) -> None:
    """G-4.5."""
    assert agent("mijia_status") == {"hub": "virtual", "connected": True}


def test_what_else_the_hub_can_do_is_asked_and_not_guessed(agent) -> None:
    """G-4.4."""
    found = agent("mijia_call_api", method="getApiList")["result"]
    assert "getGraphList" in str(found)
    assert agent.wrong("mijia_call_api", method="makeCoffee") == "graph_hub_method_unknown"


def test_a_draft_makes_a_rule_and_changes_none(agent, name) -> None:
    """G-9.14: it takes no id of a rule, and with a name that is there it makes a second rule."""
    nodes = [pressed("lamp.trigger"), lamp()]
    there = agent("mijia_create_graph", name=name, nodes=nodes)["graphId"]
    before = agent("mijia_get_graph", id=there)
    assert agent.wrong("mijia_graph_draft_begin", name=name, id=there) == "field_unknown"
    draft = agent("mijia_graph_draft_begin", name=name)["draftId"]
    agent("mijia_graph_draft_append", draftId=draft, nodes=nodes)
    assert agent("mijia_graph_draft_commit", draftId=draft)["graphId"] != there
    assert agent("mijia_get_graph", id=there) == before


def test_both_checks_are_tools_that_write_nothing(agent, name) -> None:
    """G-9.15."""
    listed = agent.tools()
    for check in ("mijia_validate_graph", "mijia_validate_graph_capabilities"):
        assert listed[check].annotations.read_only_hint
        graph = {"nodes": [pressed("lamp.trigger"), lamp(did="elsewhere")], "cfg": {"userData": {"name": name}}}
        found = agent(check, graph=graph)
        assert ("unknown_device" in {each["type"] for each in found["errors"]}) is check.endswith("capabilities")
    assert name not in {each["name"] for each in agent("mijia_get_graphs")["graphs"]}


def test_how_far_a_draft_is_can_be_seen_without_reading_its_nodes(agent, name) -> None:
    """G-9.18."""
    draft = agent("mijia_graph_draft_begin", name=name)["draftId"]
    agent("mijia_graph_draft_append", draftId=draft, nodes=[pressed("lamp.trigger"), lamp()])
    status = agent("mijia_graph_draft_status", draftId=draft)
    assert (status["name"], status["status"], status["nodeCount"]) == (name, "building", 2)
    assert status["nodeIds"] == ["press", "lamp"]
    assert status["updatedAt"] < status["expiresAt"]
    assert "nodes" not in status
