"""What the pages show can be done: commands run, targets exist, links lead somewhere.

Commands stand in ```console blocks: `$ ` before each, and below it what it prints. A block whose first line names a
file (```json plan.json) is that file. A command that ends in & goes on until the page is over, or until `kill %1`.
"""

from __future__ import annotations

import os
import re
import shlex
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
BIN = Path(sys.executable).parent
PATIENCE = 60
OURS = ("zhixing ", "miloco-cli ", "city ", "cat ", "printf ", "sed ")
"""What the commands that are run begin with."""
STOP = "kill %1"


_FILE = re.compile(r"^```\w+ ([\w.-]+\.\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Shown:
    """One command, and the lines that are shown below it; `…` in them stands for any text."""

    command: str
    output: tuple[str, ...]


def commands(page: str) -> list[Shown]:
    """Return the commands of a page, in order. A line that ends in a backslash goes on in the next."""
    found: list[Shown] = []
    for block in _BLOCK.findall(page):
        lines = iter(block.splitlines())
        for line in lines:
            if line.startswith("$ "):
                command = line[2:]
                while command.endswith("\\"):
                    command = command[:-1] + next(lines).lstrip()
                found.append(Shown(command, ()))
            elif found:
                found[-1] = Shown(found[-1].command, (*found[-1].output, line))
    return found


def is_printed(shown: tuple[str, ...], printed: str) -> bool:
    """Say whether the shown lines are in what was printed, in this order; lines between them may be left out."""
    lines = iter(printed.splitlines())
    for line in shown:
        pattern = re.compile(".*".join(re.escape(part) for part in line.strip().split("…")))
        if line.strip() and not any(pattern.fullmatch(each.strip()) for each in lines):
            return False
    return True


def page_id(page: Path) -> str:
    return page.name


def test_both_readmes_are_there_and_lead_to_each_other() -> None:
    english, chinese = (ROOT / name for name in ("README.md", "README.zh-CN.md"))
    assert "README.zh-CN.md" in english.read_text(encoding="utf-8")
    assert "README.md" in chinese.read_text(encoding="utf-8")


def test_both_readmes_show_the_same_commands() -> None:
    english, chinese = (
        [each.command for each in commands((ROOT / name).read_text(encoding="utf-8"))]
        for name in ("README.md", "README.zh-CN.md")
    )
    assert english == chinese
    assert "make start" in english


@pytest.mark.parametrize("page", PAGES, ids=page_id)
def test_every_command_on_the_page_works_in_this_order(page: Path, tmp_path: Path) -> None:
    env = {
        # Where tests run side by side, a width is set, and lines would be broken.
        **{name: value for name, value in os.environ.items() if not name.startswith(("ZHIXING_", "COLUMNS"))},
        "PATH": f"{BIN}:{os.environ['PATH']}",
        "ZHIXING_HOME": str(tmp_path / "home"),
        "ZHIXING_SERVER_PORT": str(free_port()),
        "HOME": str(tmp_path),
        "TZ": "Asia/Shanghai",
    }
    text = page.read_text(encoding="utf-8")
    for name, content in _FILE.findall(text):
        (tmp_path / name).write_text(content, encoding="utf-8")
    with ExitStack() as running:
        for each in commands(text):
            if each.command == STOP:
                running.close()
            if not each.command.startswith(OURS):
                continue
            if each.command.endswith("&"):
                running.enter_context(going_on(each.command.removesuffix("&"), tmp_path, env))
                continue
            done = subprocess.run(
                ["bash", "-c", each.command],
                cwd=tmp_path,
                env=env,
                capture_output=True,
                text=True,
                timeout=PATIENCE,
                check=False,
                stdin=subprocess.DEVNULL,
            )
            assert done.returncode == 0, f"$ {each.command}\n{done.stdout}{done.stderr}"
            assert is_printed(each.output, done.stdout), f"$ {each.command}\n{done.stdout}\ninstead of {each.output}"


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


@contextmanager
def going_on(command: str, folder: Path, env: dict[str, str]) -> Iterator[None]:
    """Start a server and wait until it says where it answers; stop it afterwards."""
    with subprocess.Popen(
        shlex.split(command), cwd=folder, env=env, stdout=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL
    ) as process:
        assert process.stdout is not None
        try:
            assert any("http://127.0.0.1:" in line for line in process.stdout), command
            yield
        finally:
            process.terminate()
            process.communicate(timeout=PATIENCE)


@pytest.mark.parametrize("page", PAGES, ids=page_id)
def test_every_make_target_on_the_page_exists(page: Path) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    text = page.read_text(encoding="utf-8")
    named = set(re.findall(r"(?:`|^\$ )make ([a-z-]+)", text, re.MULTILINE))
    assert named <= targets


@pytest.mark.parametrize("page", PAGES, ids=page_id)
def test_every_link_inside_the_project_leads_to_a_file(page: Path) -> None:
    links = re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text(encoding="utf-8"))
    dead = [link for link in links if "://" not in link and not (page.parent / link).exists()]
    assert dead == []


def test_a_page_is_read_as_commands_and_what_they_print() -> None:
    page = "text\n```console\n$ zhixing say 'a' \\\n    --json\none\n\n$ zhixing list\n```\n```sh\n$ zhixing no\n```\n"
    assert [(each.command, each.output) for each in commands(page)] == [
        ("zhixing say 'a' --json", ("one", "")),
        ("zhixing list", ()),
    ]


@pytest.mark.parametrize(
    ("lines", "printed", "is_there"),
    [
        ((), "anything\n", True),
        (("a", "c"), "a\nb\nc\n", True),
        (("c", "a"), "a\nb\nc\n", False),
        (("at … o'clock",), "  at 9 o'clock\n", True),
        (("at … o'clock",), "at 9\n", False),
        (("a",), "ab\n", False),
    ],
)
def test_shown_lines_are_looked_for_in_order(lines: tuple[str, ...], printed: str, is_there: bool) -> None:  # noqa: FBT001 - a row of the table
    assert is_printed(lines, printed) is is_there
