"""Skills as they are written: what an agent reads in them, and the examples that a test runs.

Lines of ```mcp blocks are calls of tools, lines of ```console blocks are commands; each kind is run in its order, in a
home of its own. A block with a name, as ```json plan.json, is that file; as an argument, its name stands for what is in
it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from zhixing.faces.cli.desk import Desk
from zhixing.faces.cli.house import house
from zhixing.faces.mcp.tools import TOOLS
from zhixing.kernel.errors import ZhixingError
from zhixing.kernel.wording import section

_SKILLS = Path(__file__).parents[3] / "skills"


class Skill:
    """One of the skills, by its name."""

    def __init__(self, name: str) -> None:
        self.text = (_SKILLS / name / "SKILL.md").read_text(encoding="utf-8")
        self.files: dict[str, str] = dict(re.findall(r"^```\w+ (\S+)\n(.*?)^```$", self.text, re.MULTILINE | re.DOTALL))
        self.rows = re.findall(r"^\| ([^|]+) \| (`\w+`[^|]*) \| ([^|]+) \|$", self.text, re.MULTILINE)
        self.prose = re.sub(r"^```.*?^```$", "", self.text, flags=re.MULTILINE | re.DOTALL)

    def lines(self, kind: str) -> list[str]:
        """Return the lines of all blocks of a kind."""
        return "".join(re.findall(rf"^```{kind}\n(.*?)^```$", self.text, re.MULTILINE | re.DOTALL)).splitlines()

    def front(self) -> tuple[str, str]:
        """Return its name, and what it says it is for."""
        front = re.match(r"---\nname: ([a-z-]+)\ndescription: (.+)\n---\n", self.text)
        assert front is not None
        return front[1], front[2]

    def tools(self) -> list[str]:
        """Return the tools of its table."""
        return [name for _, tools, _ in self.rows for name in re.findall(r"`(\w+)`", tools)]

    def commands(self) -> set[tuple[str, ...]]:
        """Return the commands of its table."""
        return {tuple(command.split()) for row in self.rows for command in re.findall(r"`([^`]+)`", row[2])}

    def spoken(self) -> tuple[set[str], set[str]]:
        """Return what its text writes like a tool: codes of errors, and the rest."""
        spoken = set(re.findall(r"`([a-z]+_[a-z]+(?:_[a-z]+)*)`", self.prose))
        errors = {name for name in spoken if name in section("errors", "zh")}
        return errors, spoken - errors

    def call(self, desk: Desk, read: Callable[[str], Any]) -> list[tuple[str, Any]]:
        """Make all calls, in their order; `read` reads the files that arguments name. Return what came of them."""
        results = []
        with house(desk) as home:
            for line in self.lines("mcp"):
                name, _, said = line.partition(" ")
                arguments = {
                    key: read(self.files[value]) if isinstance(value, str) and value in self.files else value
                    for key, value in json.loads(said).items()
                }
                try:
                    results.append((name, TOOLS[name].call(home, arguments)))
                except ZhixingError as error:
                    pytest.fail(f"{line}: {error}")
        return results
