"""An agent has rules explained: why, what if, what was never tried, how the log of the hub differs."""

from __future__ import annotations

from typing import Any

import pytest
from tests.faces.mcp.graph_nodes import TIMES, counted, lamp, pressed

PRESS = {"did": "button_bedside", "siid": 2, "eiid": 1}
SCRIPT = [{"at_ms": 1_000, "event": PRESS}]


@pytest.fixture(scope="module")
def made(agent) -> dict[str, Any]:
    """Make a rule on the hub that counts how often a button was pressed."""
    nodes = [pressed("lamp.trigger", "count.input"), lamp(), counted()]
    created = agent("mijia_create_graph", name="数按键", nodes=nodes, variables=[TIMES])
    agent("mijia_set_variable", id="n", scope=created["scope"], value=41)
    return created


def test_a_run_of_a_rule_of_the_hub_begins_with_what_the_hub_holds(agent, made) -> None:
    rule, count = made["graphId"], f"{made['scope']}.n"
    assert agent("mijia_simulate_graph", id=rule, script=SCRIPT)["variables"][count] == 42
    other = [{"setup": {"variables": {count: 1}}}, *SCRIPT]
    assert agent("mijia_simulate_graph", id=rule, script=other)["variables"][count] == 2
    graph = agent("mijia_get_graph", id=rule)
    assert count not in agent("mijia_simulate_graph", graph=graph, script=SCRIPT)["variables"]
    assert agent("mijia_get_variable_value", id="n", scope=made["scope"])["value"] == 41


def test_a_node_says_why_it_fired_or_did_not(agent, made) -> None:
    rule = made["graphId"]
    found = agent("mijia_explain_graph", id=rule, node="lamp", script=SCRIPT)
    assert (found["firing"], found["steps"][0]["nodeId"], found["notShown"]) == (1, "press", {})
    short = agent("mijia_explain_graph", id=rule, node="lamp", script=SCRIPT, limit=1)
    assert (len(short["steps"]), short["notShown"]["steps"]) == (1, len(found["steps"]) - 1)
    none = agent("mijia_explain_graph", id=rule, node="lamp", script=[])
    assert (none["firing"], none["reasons"][0]["nodeId"]) == (None, "press")
    assert agent.wrong("mijia_explain_graph", id=rule, node="nosuch", script=[]) == "explain_node"
    assert agent.wrong("mijia_explain_graph", node="lamp", script=[]) == "gateway_graph_or_id"


def test_one_more_event_makes_a_difference_now(agent, made) -> None:
    found = agent("mijia_what_if_graph", id=made["graphId"], script=[], atMs=500, event=PRESS)
    assert [(each["atMs"], each["did"]) for each in found["moreCommands"]] == [(500, "lamp_bedside")]
    assert found["variables"] == [{"variable": f"{made['scope']}.n", "without": 41, "with": 42}]
    asked = {"id": made["graphId"], "script": [], "atMs": 1}
    assert agent.wrong("mijia_what_if_graph", **asked, event={}) == "graph_script_kind"


def test_scripts_add_up_to_a_coverage(agent, made) -> None:
    found = agent("mijia_graph_coverage", id=made["graphId"], scripts=[SCRIPT, []])
    assert (found["wirePercent"], {each["taken"] for each in found["wires"]}) == (100, {1})
    many = [[]] * 51
    assert agent.wrong("mijia_graph_coverage", id=made["graphId"], scripts=many) == "explain_scripts"


def test_the_log_of_the_hub_or_one_that_is_given_is_held_against_a_rule(agent, made) -> None:
    rule = made["graphId"]
    found = agent("mijia_replay_graph", id=rule)
    assert (found["agrees"], found["knownFromStart"]) == (True, True)
    trace = agent("mijia_simulate_graph", id=rule, script=SCRIPT)["trace"]
    gone = f"3|{trace[0].split('|')[1]}|l|{rule}|press.output|gone.trigger|null"
    told = agent("mijia_replay_graph", id=rule, log=[*trace, gone])
    assert (told["counts"]["drift"], told["drift"][0]["watchpoint"]) == (1, "link:press.output->gone.trigger")
