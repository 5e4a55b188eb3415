"""Every command on the page about goals works in its order and prints what is shown; between two, the bots work."""

from __future__ import annotations

import re
import shlex
from io import BytesIO, StringIO
from pathlib import Path

import pytest
from tests.docs.test_pages import is_printed

from zhixing.faces.cli.desk import Desk
from zhixing.faces.cli.house import house
from zhixing.faces.cli.run import run
from zhixing.goals.bots.reading import read_catalog
from zhixing.goals.bots.tables import Form
from zhixing.goals.loop.limits import LIMIT_KEYS, NO_LIMITS
from zhixing.goals.loop.values import ProductStatus
from zhixing.kernel.clock import ManualClock

PAGE = (Path(__file__).parents[2] / "docs" / "goals.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r"^```\w+ ([\w.-]+\.\w+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))
BLOCKS = re.findall(r"^```shell\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def commands() -> list[tuple[str, list[str]]]:
    """Return the commands of the page, each with the lines that are shown below it."""
    found: list[tuple[str, list[str]]] = []
    for line in "".join(BLOCKS).splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        else:
            found[-1][1].append(line)
    return found


def test_every_command_works_in_this_order(tmp_path: Path, clock: ManualClock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    home = tmp_path / "home"
    home.mkdir()
    for name, content in FILES.items():
        (home if name == "bots.toml" else tmp_path).joinpath(name).write_text(content, encoding="utf-8")
    env = {"ZHIXING_HOME": str(home), "TZ": "Asia/Shanghai"}

    def desk() -> Desk:
        return Desk(env, clock, BytesIO(), StringIO(), StringIO())

    assert len(commands()) > 20
    for command, shown in commands():
        program, *argv = shlex.split(command)
        assert program == "zhixing"
        at = desk()
        code = run(argv, at)
        assert isinstance(at.out, StringIO)
        assert isinstance(at.err, StringIO)
        assert code == 0, f"$ {command}\n{at.out.getvalue()}{at.err.getvalue()}"
        assert is_printed(tuple(shown), at.out.getvalue()), f"$ {command}\n{at.out.getvalue()}\ninstead of {shown}"
        with house(desk()) as opened:
            opened.app.engine.drain()


def test_the_bots_of_the_page_can_be_read() -> None:
    assert [each.id for each in read_catalog(FILES["bots.toml"], Form.TOML)] == ["planner", "coder"]


def test_the_limits_are_those_there_are_with_what_they_are() -> None:
    rows = re.findall(r"^\| ((?:`[A-Z_]+`、?)+) \| ([^|]+) \|", PAGE, re.MULTILINE)
    found = {name: value.strip() for names, value in rows for name in re.findall(r"`([A-Z_]+)`", names)}
    limits = {name: value for name, value in found.items() if name not in set(ProductStatus)}
    assert set(limits) == LIMIT_KEYS
    for name, value in limits.items():
        usual = getattr(NO_LIMITS, name.lower(), None)
        if isinstance(usual, int) and name != "PENDING_TIMEOUT":
            assert value == str(usual), name
    assert limits["PENDING_TIMEOUT"] == f"{NO_LIMITS.pending_timeout // 1000} 秒"


def test_every_state_is_explained() -> None:
    assert set(re.findall(r"^\| `([A-Z]+)` \|", PAGE, re.MULTILINE)) == set(ProductStatus)
