"""skills/zhixing-graphs/SKILL.md: every tool and command in it exists, every example does what it says."""

from __future__ import annotations

import json
import shlex

from tests.faces.mcp.skills import Skill

from zhixing.faces.cli import run as zhixing
from zhixing.faces.cli.commands import commands
from zhixing.faces.cli.reference import chains
from zhixing.faces.mcp.tools import TOOLS
from zhixing.kernel.wording import section, wording

SKILL = Skill("zhixing-graphs")


def test_the_front_matter_names_the_skill_and_says_when_to_use_it():
    name, use = SKILL.front()
    assert name == "zhixing-graphs"
    assert "Use it when" in use
    assert len(use) <= 1024


def test_every_call_works_in_this_order(skill_desk):
    results = SKILL.call(skill_desk(), json.loads)
    by_tool = dict(results)
    made = by_tool["mijia_create_graph"]
    assert (made["graphId"], made["outcome"], made["warnings"]) == ("1791777600000", "applied", [])
    tried = [(each["at_ms"], each["value"]) for each in by_tool["mijia_simulate_graph"]["outputs"]]
    assert tried == [(1_000, True), (601_000, False)]
    assert by_tool["mijia_validate_graph"]["warnings"] == []
    # The smaller rule leaves the variables of the one before unused.
    warned = {each["type"] for each in by_tool["mijia_validate_graph_capabilities"]["warnings"]}
    assert (by_tool["mijia_validate_graph_capabilities"]["errors"], warned) == ([], {"unused_local_variable"})
    assert by_tool["mijia_plan_graph"]["verdict"]["valid"]
    assert [value["value"] for name, value in results if name == "mijia_get_variable_value"] == [1, 2]
    assert [value["variables"] for name, value in results if name == "mijia_get_variables"][-1] == []


def test_the_guide_has_the_steps_of_the_document():
    """G-9.16: look, design, draw, make, read back; and the columns of the design."""
    steps = ["**1. Look**", "**2. Write the design table first**", "**3. Write the nodes.**", "**4. Make it.**"]
    places = [SKILL.text.index(step) for step in [*steps, "**5. Read it back**"]]
    assert places == sorted(places)
    of_large_rules = {"column_events", "column_state_wires"}
    columns = {said for said in section("patterns", "zh") if said.startswith("column_")} - of_large_rules
    titles = {wording(f"patterns.{each}", content="").strip("：") for each in columns}
    rows = {line.split(" | ")[0].removeprefix("| ") for line in SKILL.text.splitlines() if line.startswith("| ")}
    assert titles <= rows


def test_every_command_works_in_this_order(skill_desk, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, content in SKILL.files.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    for line in SKILL.lines("console"):
        program, *argv = shlex.split(line.removeprefix("$ "))
        at = skill_desk()
        assert (program, zhixing.run(argv, at)) == ("zhixing", 0), f"{line}\n{at.err.getvalue()}"


def test_the_table_has_every_tool_of_rule_graphs_and_no_other():
    assert sorted(SKILL.tools()) == sorted(name for name in TOOLS if name.startswith(("mijia_", "graph_")))


def test_every_command_of_the_table_can_be_called():
    assert SKILL.commands()
    assert SKILL.commands() <= {("zhixing", *chain) for chain in chains(commands())}


def test_what_the_text_calls_a_tool_is_one():
    errors, spoken = SKILL.spoken()
    assert spoken <= set(TOOLS)
    assert {"gateway_unconfirmed", "graph_hub_invalid"} <= errors
