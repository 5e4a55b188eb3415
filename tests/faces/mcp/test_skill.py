"""skills/zhixing-household/SKILL.md: every tool and command in it exists, every example does what it says.

Lines of ```mcp blocks are calls of tools, lines of ```console blocks are commands; each kind is run in its order, in a
home of its own. A block ```json plan.json is that file; as an argument, its name stands for what is in it.
"""

from __future__ import annotations

import json
import re
import shlex
from datetime import UTC, datetime
from io import BytesIO, StringIO
from pathlib import Path

import pytest

from zhixing.faces.cli import run as zhixing
from zhixing.faces.cli.commands import commands as zhixing_commands
from zhixing.faces.cli.desk import Desk
from zhixing.faces.cli.house import house
from zhixing.faces.cli.reference import chains as zhixing_chains
from zhixing.faces.mcp import documents
from zhixing.faces.mcp.tools import TOOLS
from zhixing.faces.miloco import run as miloco
from zhixing.faces.miloco.commands import COMMANDS as MILOCO
from zhixing.household.talking.talk import TalkState
from zhixing.kernel.clock import ManualClock
from zhixing.kernel.errors import ZhixingError
from zhixing.kernel.wording import section

SKILL = (Path(__file__).parents[3] / "skills" / "zhixing-household" / "SKILL.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r"^```json (\S+)\n(.*?)^```$", SKILL, re.MULTILINE | re.DOTALL))
LINES = {
    kind: "".join(re.findall(rf"^```{kind}\n(.*?)^```$", SKILL, re.MULTILINE | re.DOTALL)).splitlines()
    for kind in ("mcp", "console")
}
ROWS = re.findall(r"^\| ([^|]+) \| (`\w+`[^|]*) \| ([^|]+) \|$", SKILL, re.MULTILINE)
PROSE = re.sub(r"^```.*?^```$", "", SKILL, flags=re.MULTILINE | re.DOTALL)
FIELDS = {"task_id", "expires_at", "exit_debounce_seconds", "on_target_desc", "target_minutes"}
"""Fields of a plan."""


@pytest.fixture
def desk(tmp_path):
    """Give a desk in a home where it is Monday noon; the same clock and home each time it is asked for."""
    clock = ManualClock(datetime(2026, 10, 12, 4, 0, tzinfo=UTC))
    env = {"ZHIXING_HOME": str(tmp_path / "home"), "TZ": "Asia/Shanghai"}
    return lambda: Desk(env, clock, BytesIO(), StringIO(), StringIO())


def arguments_of(line):
    name, _, said = line.partition(" ")
    arguments = json.loads(said)
    return name, {key: json.loads(FILES[value]) if value in FILES else value for key, value in arguments.items()}


def test_the_front_matter_names_the_skill_and_says_when_to_use_it():
    front = re.match(r"---\nname: ([a-z-]+)\ndescription: (.+)\n---\n", SKILL)
    assert front is not None
    assert front[1] == "zhixing-household"
    assert "Use it when" in front[2]
    assert len(front[2]) <= 1024


def test_every_call_works_in_this_order(desk):
    results = []
    with house(desk()) as home:
        for line in LINES["mcp"]:
            name, arguments = arguments_of(line)
            try:
                results.append((name, TOOLS[name].call(home, arguments)))
            except ZhixingError as error:
                pytest.fail(f"{line}: {error}")
    checked = [result for name, result in results if name == "plan_check"]
    assert [(each["refused"], each["findings"]) for each in checked] == [(False, [])]
    assert [result["state"] for name, result in results if name in {"say", "answer"}] == ["asked", "done", "done"]


def test_every_command_works_in_this_order(desk, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, content in FILES.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    for line in LINES["console"]:
        assert line.startswith("$ ")
        program, *argv = shlex.split(line[2:])
        at = desk()
        code = {"zhixing": zhixing.run, "miloco-cli": miloco.run}[program](argv, at)
        assert code == 0, f"{line}\n{at.err.getvalue()}"


def test_the_table_has_every_tool_but_those_of_another_skill_and_no_other():
    named = [name for _, tools, _ in ROWS for name in re.findall(r"`(\w+)`", tools)]
    assert sorted(named) == sorted(set(TOOLS) - {tool.name for tool in documents.TOOLS})


def test_every_command_of_the_table_can_be_called():
    known = {("zhixing", *chain) for chain in zhixing_chains(zhixing_commands())}
    known |= {("miloco-cli", *chain) for chain in MILOCO.chains()}
    named = {tuple(command.split()) for row in ROWS for command in re.findall(r"`([^`]+)`", row[2])}
    assert named
    assert named <= known


def test_what_the_text_calls_a_tool_is_one():
    spoken = set(re.findall(r"`([a-z]+_[a-z]+(?:_[a-z]+)*)`", PROSE))
    errors = {name for name in spoken if name in section("errors", "zh")}
    assert spoken - errors - FIELDS - {"pending_ai", "mom_med_daily"} <= set(TOOLS)
    assert {"device_uncertain", "question_closed", "field_missing", "task_unknown"} <= errors


def test_every_state_of_a_talk_is_told_what_to_do_about():
    told = set(re.findall(r"^\| `(\w+)` \| (?!`)", PROSE, re.MULTILINE))
    # What was just kept is understood before the call returns.
    assert told == {state.value for state in TalkState} - {"kept"}


def test_the_example_has_all_parts_of_a_plan():
    plan = json.loads(FILES["plan.json"])
    assert all(plan[part] for part in ("task", "record", "rules", "schedules", "steps", "tips"))
    assert all(set(tip) == {"kind", "value", "reason", "how"} for tip in plan["tips"])
    assert all(one["name"].startswith(f"[{plan['task']['task_id']}] ") for one in (*plan["rules"], *plan["schedules"]))
