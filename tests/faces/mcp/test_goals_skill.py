"""skills/zhixing-goals/SKILL.md: every tool and command in it exists, every example does what it says."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.faces.cli.goal_homes import MISS, bots_file
from tests.faces.mcp.skills import Skill

from zhixing.faces.cli.commands import commands as zhixing_commands
from zhixing.faces.cli.house import House, house
from zhixing.faces.cli.reference import chains as zhixing_chains
from zhixing.faces.mcp.tools import TOOLS
from zhixing.kernel.errors import ZhixingError

SKILL = Skill("zhixing-goals")
FIELDS = {"acceptance_result", "extend_props", "hung_reason", "delivery_unknown", "bbs_mode", "run_info", "task_id"}


def test_the_front_matter_names_the_skill_and_says_when_to_use_it() -> None:
    name, use = SKILL.front()
    assert name == "zhixing-goals"
    assert "Use it when" in use
    assert len(use) <= 1024


def test_the_table_has_every_tool_of_goals_and_no_other() -> None:
    assert sorted(SKILL.tools()) == sorted(name for name in TOOLS if name.startswith("goal_"))


def test_every_command_of_the_table_can_be_called() -> None:
    known = {("zhixing", *chain) for chain in zhixing_chains(zhixing_commands())}
    assert SKILL.commands()
    assert SKILL.commands() <= known


def test_what_the_text_calls_a_tool_is_one() -> None:
    errors, spoken = SKILL.spoken()
    assert spoken - FIELDS <= set(TOOLS)
    assert "goal_reply_nothing_hangs" in errors


def test_every_call_works_in_this_order(skill_desk) -> None:
    desk = skill_desk()
    names: dict[str, str] = {}
    with house(desk) as home:
        (home.home / "bots.toml").write_text(bots_file(MISS), encoding="utf-8")
    with house(desk) as home:
        found = [_called(home, line, names) for line in SKILL.lines("mcp")]
        home.app.engine.drain()
        board = TOOLS["goal_show"].call(home, {"goal": names["GOAL"]})
        relayed = TOOLS["goal_show"].call(home, {"goal": names["RELAY"]})
    assert len(found) == len(SKILL.lines("mcp"))
    assert (board["status"], relayed["status"]) == ("DONE", "DONE")


def _called(home: House, line: str, names: dict[str, str]) -> Any:
    """Make a call; before each the bots do what there is to do. `GOAL` and the like are the goals that were begun."""
    home.app.engine.drain()
    name, _, said = line.partition(" ")
    if name == "goal_relay_list":
        # Somebody wanted another one meanwhile.
        lonely = {"text": "写一份周报", "criteria": ["一页以内"], "limits": {"MAX_DEPTH": 1}}
        names["RELAY"] = TOOLS["goal_start"].call(home, lonely)["task_id"]
        home.app.engine.drain()
    for placeholder, goal in names.items():
        said = said.replace(f'"{placeholder}"', f'"{goal}"')
    try:
        result = TOOLS[name].call(home, json.loads(said))
    except ZhixingError as error:
        pytest.fail(f"{line}: {error}")
    if name == "goal_start":
        names["OTHER" if "GOAL" in names else "GOAL"] = result["task_id"]
    return result
