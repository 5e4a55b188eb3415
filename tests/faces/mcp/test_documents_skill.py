"""skills/zhixing-documents/SKILL.md: every tool and command in it exists, every example does what it says.

Lines of ```mcp blocks are calls of tools, lines of ```console blocks are commands; each kind is run in its order, in a
home of its own. A block ```markdown body.md is that file; as an argument, its name stands for what is in it.
"""

from __future__ import annotations

import json
import re
import shlex
from datetime import UTC, datetime
from io import BytesIO, StringIO
from pathlib import Path

import pytest

from zhixing.documents.lint import lint
from zhixing.documents.model import Kind
from zhixing.faces.city import run as city
from zhixing.faces.city.commands import COMMANDS as CITY
from zhixing.faces.cli.commands import COMMANDS
from zhixing.faces.cli.desk import Desk
from zhixing.faces.cli.house import house
from zhixing.faces.mcp import documents
from zhixing.faces.mcp.tools import TOOLS
from zhixing.kernel.clock import ManualClock
from zhixing.kernel.errors import ZhixingError
from zhixing.kernel.wording import section

SKILL = (Path(__file__).parents[3] / "skills" / "zhixing-documents" / "SKILL.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r"^```\w+ (\S+)\n(.*?)^```$", SKILL, re.MULTILINE | re.DOTALL))
LINES = {
    kind: "".join(re.findall(rf"^```{kind}\n(.*?)^```$", SKILL, re.MULTILINE | re.DOTALL)).splitlines()
    for kind in ("mcp", "console")
}
ROWS = re.findall(r"^\| ([^|]+) \| (`\w+`[^|]*) \| ([^|]+) \|$", SKILL, re.MULTILINE)
PROSE = re.sub(r"^```.*?^```$", "", SKILL, flags=re.MULTILINE | re.DOTALL)


@pytest.fixture
def desk(tmp_path):
    """Give a desk in a home where it is Monday noon; the same clock and home each time it is asked for."""
    clock = ManualClock(datetime(2026, 10, 12, 4, 0, tzinfo=UTC))
    env = {"ZHIXING_HOME": str(tmp_path / "home"), "TZ": "Asia/Shanghai"}
    return lambda: Desk(env, clock, BytesIO(), StringIO(), StringIO())


def test_the_front_matter_names_the_skill_and_says_when_to_use_it():
    front = re.match(r"---\nname: ([a-z-]+)\ndescription: (.+)\n---\n", SKILL)
    assert front is not None
    assert front[1] == "zhixing-documents"
    assert "Use it when" in front[2]
    assert len(front[2]) <= 1024


def test_every_call_works_in_this_order(desk):
    results = []
    with house(desk()) as home:
        for line in LINES["mcp"]:
            name, _, said = line.partition(" ")
            arguments = {key: FILES.get(value, value) if isinstance(value, str) else value
                         for key, value in json.loads(said).items()}  # fmt: skip
            try:
                results.append((name, TOOLS[name].call(home, arguments)))
            except ZhixingError as error:
                pytest.fail(f"{line}: {error}")
    made = next(result for name, result in results if name == "document_create")
    assert (made["reusedExisting"], made["findings"]) == (False, [])
    run = next(result for name, result in results if name == "document_run")
    assert run["accepted"] is True
    checked = next(result for name, result in results if name == "document_validate")
    assert (checked["valid"], checked["findings"]) == (True, [])


def test_every_command_works_in_this_order(desk, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, content in FILES.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    for line in LINES["console"]:
        assert line.startswith("$ city ")
        at = desk()
        assert city.run(shlex.split(line[2:])[1:], at) == 0, f"{line}\n{at.out.getvalue()}{at.err.getvalue()}"


def test_the_table_has_every_tool_of_document_tasks_and_no_other():
    named = [name for _, tools, _ in ROWS for name in re.findall(r"`(\w+)`", tools)]
    assert sorted(named) == sorted(tool.name for tool in documents.TOOLS)


def test_every_command_of_the_table_can_be_called():
    known = {("city", *chain) for chain in CITY.chains()} | {("zhixing", name) for name in COMMANDS}
    named = {tuple(command.split()) for row in ROWS for command in re.findall(r"`([^`]+)`", row[2])}
    assert named
    assert named <= known


def test_what_the_text_calls_a_tool_is_one():
    spoken = set(re.findall(r"`([a-z]+_[a-z]+(?:_[a-z]+)*)`", PROSE))
    errors = {name for name in spoken if name in section("errors", "zh")}
    assert spoken - errors <= set(TOOLS)
    assert {"document_running", "document_changed"} <= errors


def test_the_example_of_a_body_is_one_that_nothing_can_be_said_against():
    assert lint(Kind.AGENT, FILES["body.md"], first_line=1) == []
