"""docs/mcp.md is what the tools are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from zhixing.faces.mcp.reference import reference
from zhixing.faces.mcp.tools import CHAPTERS, TOOLS

PAGE = Path(__file__).parents[3] / "docs" / "mcp.md"


def test_the_page_is_what_the_tools_are():
    assert PAGE.read_text(encoding="utf-8") == reference(), "run: make docs"


def test_the_page_lists_exactly_the_tools_and_what_they_take():
    """Read the page as a user does, and the schemas as a client does."""
    listed = {}
    for part in PAGE.read_text(encoding="utf-8").split("\n### `")[1:]:
        name = part.partition("`")[0]
        listed[name] = re.findall(r"^\| `([\w]+)` \|", part.partition("\n## ")[0], re.MULTILINE)
    assert listed == {name: list(tool.schema["properties"]) for name, tool in TOOLS.items()}


def test_no_tool_is_in_two_chapters():
    assert sum(len(tools) for tools in CHAPTERS.values()) == len(TOOLS)


@pytest.mark.parametrize("tool", TOOLS.values(), ids=TOOLS)
def test_every_tool_says_in_a_few_english_sentences_what_it_does(tool):
    assert 20 < len(tool.about) < 500
    assert tool.about.endswith(".")
    assert all(each.isidentifier() and each.islower() for each in [tool.name])
