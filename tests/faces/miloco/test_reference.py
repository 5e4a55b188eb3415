"""docs/miloco-cli.md is what the commands are, and says of each what it gives."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from zhixing.faces.cli.commands import command_at
from zhixing.faces.command_pages import taken_by
from zhixing.faces.miloco.commands import COMMANDS
from zhixing.faces.miloco.envelope import code_words
from zhixing.faces.miloco.reference import reference
from zhixing.faces.miloco.shapes import ERRORS, SHAPES
from zhixing.kernel.wording import section

PAGE = Path(__file__).parents[3] / "docs" / "miloco-cli.md"
CHAINS = list(COMMANDS.chains())


def test_the_page_is_what_the_commands_are():
    assert PAGE.read_text(encoding="utf-8") == reference(), "run: make docs"


def test_the_page_lists_exactly_the_commands_and_what_they_take():
    """Read the page as a user does, and the commands as they are parsed."""
    listed = {}
    for part in PAGE.read_text(encoding="utf-8").split("\n## `miloco-cli ")[1:]:
        rows = re.findall(r"^\| `(.*?)` \|", part, re.MULTILINE)
        chain = tuple(re.match("[a-z -]+", re.sub(r" -.*| \[.*", "", part.split("`")[0]))[0].split())
        listed[chain] = {word.rstrip(",") for row in rows for word in row.split() if word.startswith("--")}
    parsed = {
        chain: {
            name
            for each in command_at(COMMANDS.app(), chain).assemble_argument_collection()
            if each.parse
            for name in each.names
            if name.startswith("--")
        }
        for chain in CHAINS
    }
    assert listed == parsed


def test_every_command_says_what_it_gives_and_no_other():
    assert set(SHAPES) == set(CHAINS)
    assert set(ERRORS) <= set(CHAINS)


def test_every_word_that_the_document_has_for_an_error_is_on_the_page():
    page = PAGE.read_text(encoding="utf-8")
    assert [word for word in code_words() if f"`{word}`" not in page] == []


def test_every_text_of_the_pages_is_used():
    used = {"help_all", "help_more", "home_name"}
    for chain in CHAINS:
        key = "_".join(chain).replace("-", "_")
        used |= {f"help_{'_'.join(chain[:depth]).replace('-', '_')}" for depth in range(1, len(chain) + 1)}
        for each in taken_by(COMMANDS.app(), chain):
            field = each.field.rstrip("_")
            own = f"help_{key}_{field}"
            used.add(own if own in section("miloco", "zh") else f"help_any_{field}")
    assert set(section("miloco", "zh")) == used


@pytest.mark.parametrize("group", [("task",), ("rule",), ("person",), ("scope", "camera"), ("device",)])
def test_a_group_names_all_it_holds(miloco, group):
    page = miloco(*group).out
    assert all(
        " ".join(chain) in page for chain in CHAINS if chain[: len(group)] == group and len(chain) == len(group) + 1
    )
