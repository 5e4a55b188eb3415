"""docs/city.md is what the commands are, and says of each what it gives."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from zhixing.faces.city.commands import COMMANDS
from zhixing.faces.city.reference import reference
from zhixing.faces.city.shapes import GIVES
from zhixing.faces.command_pages import taken_by
from zhixing.kernel.wording import section

PAGE = Path(__file__).parents[3] / "docs" / "city.md"
CHAINS = list(COMMANDS.chains())


def test_the_page_is_what_the_commands_are():
    assert PAGE.read_text(encoding="utf-8") == reference(), "run: make docs"


def test_every_command_says_what_it_gives_and_no_other():
    assert set(GIVES) == set(CHAINS)


def test_every_text_of_the_pages_is_used():
    used = {"help_all", "help_more", "help_common"}
    for chain in CHAINS:
        key = "_".join(chain).replace("-", "_")
        used |= {f"help_{'_'.join(chain[:depth]).replace('-', '_')}" for depth in range(1, len(chain) + 1)}
        for each in taken_by(COMMANDS.app(), chain):
            field = each.field.rstrip("_")
            own = f"help_{key}_{field}"
            used.add(own if own in section("city", "zh") else f"help_any_{field}")
    assert {name for name in section("city", "zh") if name.startswith("help_")} == used


@pytest.mark.parametrize("chain", CHAINS, ids=" ".join)
def test_every_command_explains_itself_in_chinese(city, chain):
    done = city(*chain, "--help")
    assert done.code == 0
    assert done.lines[0].startswith(f"city {' '.join(chain)}")
    assert re.search("[\u4e00-\u9fff]", done.lines[2])


def test_the_page_has_every_flag_of_the_document():
    page = PAGE.read_text(encoding="utf-8")
    create = page.split("## `city task create")[1].split("\n## ")[0]
    for flag in (
        "title",
        "description",
        "session-id",
        "when",
        "kind",
        "review",
        "status",
        "activate",
        "body",
        "overwrite",
    ):
        assert f"`--{flag}" in create, flag
