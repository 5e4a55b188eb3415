"""An agent: a client of the official package that starts `zhixing mcp` in a process of its own and talks to it."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp import Client, StdioServerParameters, stdio_client

from zhixing.faces.cli.desk import Desk
from zhixing.faces.cli.run import run
from zhixing.kernel.clock import ManualClock, SystemClock

COMMAND = Path(sys.executable).parent / "zhixing"


def env_of(folder: Path) -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    return {**kept, "HOME": str(folder), "ZHIXING_HOME": str(folder / "home"), "TZ": "Asia/Shanghai"}


@dataclass
class Agent:
    """Calls tools. Everything that comes back is looked at: its text is its structure, an error is one line."""

    client: Client
    portal: BlockingPortal
    folder: Path

    def __call__(self, name: str, /, **arguments: Any) -> Any:
        """Call a tool that must do it; return its result."""
        failed, said = self.call(name, arguments)
        assert not failed, said
        return said

    def wrong(self, name: str, /, **arguments: Any) -> str:
        """Call a tool that must refuse; return the code of the error."""
        failed, said = self.call(name, arguments)
        assert failed, said
        return said["error"]["code"]

    def call(self, name: str, arguments: dict[str, Any]) -> tuple[bool, Any]:
        done = self.portal.call(partial(self.client.call_tool, name, arguments))
        content, *more = done.content
        if done.is_error:
            error = done.structured_content["error"]
            assert [{"error": error, **json.loads(each.text)} for each in more] in ([], [done.structured_content])
            assert content.text == f"{error['code']}: {error['message']}"
            assert "\n" not in content.text
            assert "Traceback" not in content.text
            assert any("\u4e00" <= character <= "\u9fff" for character in error["message"]), error
        else:
            assert not more
            assert json.loads(content.text) == done.structured_content
        return done.is_error, done.structured_content

    def tools(self) -> dict[str, Any]:
        return {tool.name: tool for tool in self.portal.call(self.client.list_tools).tools}

    @property
    def process(self) -> int:
        return int((self.folder / "process").read_text())

    def kill(self) -> None:
        os.kill(self.process, signal.SIGKILL)

    def zhixing(self, *argv: str) -> Any:
        """Type a command in the same home, in this process; return its JSON."""
        out, err = StringIO(), StringIO()
        code = run([*argv, "--json"], Desk(env_of(self.folder), SystemClock(), BytesIO(), out, err))
        assert code == 0, err.getvalue()
        return json.loads(out.getvalue())


@contextmanager
def agent_in(folder: Path, **how: Any) -> Iterator[Agent]:
    """Start an agent in the home in `folder`; what its server said on standard error was nothing."""
    # The shell tells the process that is to be killed; exec makes it the server.
    line = f'echo $$ > "{folder}/process"; exec "{COMMAND}" mcp'
    started = StdioServerParameters(command="/bin/sh", args=["-c", line], env=env_of(folder))
    complaints = folder / "complaints"
    with complaints.open("w", encoding="utf-8") as errlog, start_blocking_portal() as portal, ExitStack() as stack:
        client = Client(stdio_client(started, errlog=errlog), **how)
        stack.enter_context(portal.wrap_async_context_manager(client))
        yield Agent(client, portal, folder)
    assert complaints.read_text(encoding="utf-8") == ""


@pytest.fixture(scope="module")
def start_agent() -> Callable[..., Any]:
    return agent_in


@pytest.fixture(scope="module")
def agent(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Agent]:
    """Give one agent to all tests of a module: whoever needs a task makes one of his own."""
    with agent_in(tmp_path_factory.mktemp("agent")) as started:
        yield started


@pytest.fixture
def skill_desk(tmp_path: Path) -> Callable[[], Desk]:
    """Give a desk in a home where it is Monday noon; the same clock and home each time it is asked for."""
    clock = ManualClock(datetime(2026, 10, 12, 4, 0, tzinfo=UTC))
    env = {"ZHIXING_HOME": str(tmp_path / "home"), "TZ": "Asia/Shanghai"}
    return lambda: Desk(env, clock, BytesIO(), StringIO(), StringIO())
