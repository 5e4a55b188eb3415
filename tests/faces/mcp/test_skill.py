"""skills/zhixing-household/SKILL.md: every tool and command in it exists, every example does what it says."""

from __future__ import annotations

import json
import re
import shlex

from tests.faces.mcp.skills import Skill

from zhixing.faces.cli import run as zhixing
from zhixing.faces.cli.commands import commands as zhixing_commands
from zhixing.faces.cli.reference import chains as zhixing_chains
from zhixing.faces.mcp import documents
from zhixing.faces.mcp.tools import TOOLS
from zhixing.faces.miloco import run as miloco
from zhixing.faces.miloco.commands import COMMANDS as MILOCO
from zhixing.household.talking.talk import TalkState

SKILL = Skill("zhixing-household")
FIELDS = {"task_id", "expires_at", "exit_debounce_seconds", "on_target_desc", "target_minutes"}
"""Fields of a plan."""


def test_the_front_matter_names_the_skill_and_says_when_to_use_it():
    name, use = SKILL.front()
    assert name == "zhixing-household"
    assert "Use it when" in use
    assert len(use) <= 1024


def test_every_call_works_in_this_order(skill_desk):
    results = SKILL.call(skill_desk(), json.loads)
    checked = [result for name, result in results if name == "plan_check"]
    assert [(each["refused"], each["findings"]) for each in checked] == [(False, [])]
    assert [result["state"] for name, result in results if name in {"say", "answer"}] == ["asked", "done", "done"]


def test_every_command_works_in_this_order(skill_desk, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, content in SKILL.files.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    for line in SKILL.lines("console"):
        assert line.startswith("$ ")
        program, *argv = shlex.split(line[2:])
        at = skill_desk()
        code = {"zhixing": zhixing.run, "miloco-cli": miloco.run}[program](argv, at)
        assert code == 0, f"{line}\n{at.err.getvalue()}"


def test_the_table_has_every_tool_but_those_of_another_skill_and_no_other():
    others = {tool.name for tool in documents.TOOLS} | {
        name for name in TOOLS if name.startswith(("mijia_", "graph_", "goal_"))
    }
    assert sorted(SKILL.tools()) == sorted(set(TOOLS) - others)


def test_every_command_of_the_table_can_be_called():
    known = {("zhixing", *chain) for chain in zhixing_chains(zhixing_commands())}
    known |= {("miloco-cli", *chain) for chain in MILOCO.chains()}
    assert SKILL.commands()
    assert SKILL.commands() <= known


def test_what_the_text_calls_a_tool_is_one():
    errors, spoken = SKILL.spoken()
    assert spoken - FIELDS - {"pending_ai", "mom_med_daily"} <= set(TOOLS)
    assert {"device_uncertain", "question_closed", "field_missing", "task_unknown"} <= errors


def test_every_state_of_a_talk_is_told_what_to_do_about():
    told = set(re.findall(r"^\| `(\w+)` \| (?!`)", SKILL.prose, re.MULTILINE))
    # What was just kept is understood before the call returns.
    assert told == {state.value for state in TalkState} - {"kept"}


def test_the_example_has_all_parts_of_a_plan():
    plan = json.loads(SKILL.files["plan.json"])
    assert all(plan[part] for part in ("task", "record", "rules", "schedules", "steps", "tips"))
    assert all(set(tip) == {"kind", "value", "reason", "how"} for tip in plan["tips"])
    assert all(one["name"].startswith(f"[{plan['task']['task_id']}] ") for one in (*plan["rules"], *plan["schedules"]))
