"""A command line without a process: a home in a temporary folder, a clock moved by hand, streams to look at."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

import pytest

from zhixing.faces.cli.desk import Desk
from zhixing.faces.cli.house import house
from zhixing.faces.cli.run import run
from zhixing.kernel.clock import ManualClock


@dataclass(frozen=True)
class Done:
    """What a command left."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()

    @property
    def json(self) -> Any:
        assert self.code == 0, self.err
        assert self.out.count("\n") == 1
        return json.loads(self.out)


@dataclass
class Terminal:
    """Where commands are typed."""

    home: Path
    clock: ManualClock
    env: dict[str, str] = field(default_factory=dict)
    width: int | None = None

    def __post_init__(self) -> None:
        self.env = {"ZHIXING_HOME": str(self.home), "TZ": "Asia/Shanghai", **self.env}

    def __call__(self, *argv: str, stdin: bytes = b"") -> Done:
        out, err = StringIO(), StringIO()
        code = run(argv, Desk(self.env, self.clock, BytesIO(stdin), out, err, self.width))
        return Done(code, out.getvalue(), err.getvalue())

    def refused(self, *argv: str, code: int = 1, stdin: bytes = b"") -> str:
        """Run a command that must fail with one line; return the line."""
        done = self(*argv, stdin=stdin)
        assert (done.code, done.out) == (code, ""), done
        assert done.err.endswith("\n")
        assert done.err.count("\n") == 1, done.err
        assert any("\u4e00" <= character <= "\u9fff" for character in done.err), done.err
        return done.err[:-1]

    def ring(self) -> int:
        """Run what is due, as a server would; return how many jobs that were."""
        desk = Desk(self.env, self.clock, BytesIO(), StringIO(), StringIO())
        with house(desk) as home:
            return home.app.engine.drain()


@pytest.fixture(scope="session")
def terminal_at() -> type[Terminal]:
    """Give the class, for whoever needs a terminal that lives longer than a test."""
    return Terminal


@pytest.fixture
def terminal(tmp_path: Path, clock: ManualClock) -> Terminal:
    return Terminal(tmp_path / "home", clock)


@pytest.fixture
def on_any_store(home, tmp_path: Path, clock: ManualClock) -> Terminal:
    """Give a terminal over each of the two databases."""
    return Terminal(tmp_path / "home", clock, {"ZHIXING_STORE_URL": home.url})


@pytest.fixture
def said(terminal: Terminal) -> Callable[[str], str]:
    """Say something; give the id of what became of it."""
    return lambda text: terminal("say", text, "--json").json["id"]
