"""skills/zhixing-documents/SKILL.md: every tool and command in it exists, every example does what it says."""

from __future__ import annotations

import shlex

from tests.faces.mcp.skills import Skill

from zhixing.documents.lint import lint
from zhixing.documents.model import Kind
from zhixing.faces.city import run as city
from zhixing.faces.city.commands import COMMANDS as CITY
from zhixing.faces.cli.commands import COMMANDS
from zhixing.faces.mcp import documents
from zhixing.faces.mcp.tools import TOOLS

SKILL = Skill("zhixing-documents")


def test_the_front_matter_names_the_skill_and_says_when_to_use_it():
    name, use = SKILL.front()
    assert name == "zhixing-documents"
    assert "Use it when" in use
    assert len(use) <= 1024


def test_every_call_works_in_this_order(skill_desk):
    results = SKILL.call(skill_desk(), str)
    made = next(result for name, result in results if name == "document_create")
    assert (made["reusedExisting"], made["findings"]) == (False, [])
    run = next(result for name, result in results if name == "document_run")
    assert run["accepted"] is True
    checked = next(result for name, result in results if name == "document_validate")
    assert (checked["valid"], checked["findings"]) == (True, [])


def test_every_command_works_in_this_order(skill_desk, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, content in SKILL.files.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    for line in SKILL.lines("console"):
        assert line.startswith("$ city ")
        at = skill_desk()
        assert city.run(shlex.split(line[2:])[1:], at) == 0, f"{line}\n{at.out.getvalue()}{at.err.getvalue()}"


def test_the_table_has_every_tool_of_document_tasks_and_no_other():
    assert sorted(SKILL.tools()) == sorted(tool.name for tool in documents.TOOLS)


def test_every_command_of_the_table_can_be_called():
    known = {("city", *chain) for chain in CITY.chains()} | {("zhixing", name) for name in COMMANDS}
    assert SKILL.commands()
    assert SKILL.commands() <= known


def test_what_the_text_calls_a_tool_is_one():
    errors, spoken = SKILL.spoken()
    assert spoken <= set(TOOLS)
    assert {"document_running", "document_changed"} <= errors


def test_the_example_of_a_body_is_one_that_nothing_can_be_said_against():
    assert lint(Kind.AGENT, SKILL.files["body.md"], first_line=1) == []
