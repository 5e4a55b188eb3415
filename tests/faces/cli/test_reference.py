from __future__ import annotations

import re
from pathlib import Path

import pytest

from zhixing.faces.cli.commands import COMMANDS, commands
from zhixing.faces.cli.layout import columns
from zhixing.faces.cli.reference import chains, describe, reference

PAGE = Path(__file__).parents[3] / "docs" / "cli.md"
CHAINS = list(chains(commands()))


def test_the_page_is_what_the_commands_are():
    assert PAGE.read_text(encoding="utf-8") == reference(), "run: make docs"


def test_the_page_lists_exactly_the_commands_and_what_they_take():
    """Read the page as a user does, and the commands as they are parsed."""
    page = PAGE.read_text(encoding="utf-8")
    listed = {}
    for part in page.split("\n## `zhixing ")[1:]:
        rows = re.findall(r"^\| `(.*?)` \|", part, re.MULTILINE)
        words = {word.rstrip(",") for row in rows for word in row.split()}
        chain = tuple(re.match("[a-z -]+", part)[0].split())
        listed[chain] = {word for word in words if word.startswith("-")}
    app = commands()
    parsed = {}
    for chain in CHAINS:
        command = app
        for name in chain:
            command = command[name]
        arguments = [each for each in command.assemble_argument_collection() if each.parse]
        parsed[chain] = {
            name for each in arguments for name in each.names if name.startswith("-") and not name.startswith("--no-")
        }
    assert listed == parsed


def test_every_command_of_the_table_can_be_called():
    assert list(dict.fromkeys(chain[0] for chain in CHAINS)) == list(COMMANDS)
    groups = {}
    for *above, name in CHAINS:
        groups.setdefault(" ".join(above), []).append(name)
    del groups[""]
    assert groups == {
        "rules": ["list", "show", "replay"],
        "records": ["show"],
        "task": ["new", "list", "show", "run", "validate"],
        "runs": ["list", "show", "watch", "cancel"],
        "graph": [
            *("validate", "simulate", "layout", "from-task", "why", "what-if", "coverage", "replay"),
            *("list", "show", "create", "deploy", "rollback", "receipts", "diff"),
            *("enable", "disable", "delete", "devices", "where-used", "conflicts", "log", "hub"),
            "draft",
        ],
        "graph vars": ["list", "show", "create", "set", "delete"],
        "graph drafts": ["list", "show", "commit", "discard"],
        "goal": [
            *("start", "list", "show", "watch", "cancel", "retry", "resolve", "budget"),
            *("bots", "token", "talks", "replay"),
        ],
        "goal relay": ["list", "claim", "attach", "result"],
        "graph proposals": ["list", "show", "answer", "cancel"],
        "cron": ["add", "list", "get", "update", "remove", "run", "runs"],
        "home": ["show", "set", "press", "camera", "look", "log", "watched", "verdict", "verdicts"],
        "channel": ["test"],
        "config": ["show", "set", "path"],
    }


@pytest.mark.parametrize("chain", CHAINS, ids=" ".join)
def test_every_command_takes_json_except_those_that_serve(chain):
    options = {name for each in describe(commands(), chain).taken for name in each.names}
    assert ("--json" in options) == (chain not in {("serve",), ("mcp",)})


@pytest.mark.parametrize("chain", CHAINS, ids=" ".join)
@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_every_command_explains_itself_in_chinese(terminal, chain, flag):
    done = terminal(*chain, flag)
    assert done.code == 0
    assert done.lines[0].startswith(f"zhixing {' '.join(chain)}")
    assert re.search("[\u4e00-\u9fff]", done.lines[2])
    assert not terminal.home.exists()


@pytest.mark.parametrize("argv", [(), ("--help",), ("-h",), ("help",)])
def test_without_a_command_all_of_them_are_listed(terminal, argv):
    done = terminal(*argv)
    assert done.code == 0
    assert [line.split()[0] for line in done.lines[2 : 2 + len(COMMANDS)]] == list(COMMANDS)


@pytest.mark.parametrize("group", ["rules", "cron", "home", "config", "channel"])
def test_a_group_alone_lists_its_commands_and_says_how_they_are_written(terminal, group):
    done = terminal(group)
    assert done.code == 0
    assert done.lines[0] == f"写法：zhixing {group} 命令"
    listed = [tuple(line.split()[:2]) for line in done.lines[2:] if line.startswith("  ")]
    assert listed == [chain for chain in CHAINS if chain[0] == group]


def test_help_may_come_first(terminal):
    assert terminal("help", "say") == terminal("say", "--help")


def test_the_pages_fit_a_narrow_terminal(terminal):
    terminal.width = 40
    for argv in ((), ("say", "--help"), ("list", "--help")):
        assert max(columns(line) for line in terminal(*argv).lines) <= 40
