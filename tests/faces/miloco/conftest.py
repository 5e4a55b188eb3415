"""`miloco-cli` without a process: a home in a temporary folder, a clock moved by hand, streams to look at."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

import pytest

from zhixing.faces.cli.desk import Desk
from zhixing.faces.cli.house import house
from zhixing.faces.miloco.run import run
from zhixing.kernel.clock import ManualClock


@dataclass(frozen=True)
class Done:
    """What a command left."""

    code: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        """What is in the envelope of success."""
        assert self.code == 0, self.err
        assert self.out.count("\n") == 1
        envelope = json.loads(self.out)
        assert list(envelope) == ["code", "message", "data"]
        assert (envelope["code"], envelope["message"]) == (0, "ok")
        return envelope["data"]


@dataclass
class Terminal:
    """Where commands are typed."""

    home: Path
    clock: ManualClock
    env: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.env = {"ZHIXING_HOME": str(self.home), "TZ": "Asia/Shanghai", **self.env}

    def __call__(self, *argv: str, stdin: bytes = b"") -> Done:
        out, err = StringIO(), StringIO()
        code = run(argv, Desk(self.env, self.clock, BytesIO(stdin), out, err))
        return Done(code, out.getvalue(), err.getvalue())

    def wrong(self, *argv: str, stdin: bytes = b"") -> str:
        """Run a line that cannot be run; return what is said about it."""
        done = self(*argv, stdin=stdin)
        assert (done.code, done.out) == (1, ""), done
        assert done.err.count("\n") == 1, done.err
        told = json.loads(done.err)
        assert list(told) == ["error"]
        assert any("\u4e00" <= character <= "\u9fff" for character in told["error"]), told
        return told["error"]

    def refused(self, *argv: str, stdin: bytes = b"") -> tuple[int, str]:
        """Run a command that the home refuses; return the code and the message."""
        done = self(*argv, stdin=stdin)
        assert (done.code, done.out) == (3, ""), done
        assert done.err.count("\n") == 1, done.err
        envelope = json.loads(done.err)
        assert list(envelope) == ["code", "message", "data"]
        assert envelope["code"] != 9000, envelope
        assert any("\u4e00" <= character <= "\u9fff" for character in envelope["message"]), envelope
        return envelope["code"], envelope["message"]

    def ring(self) -> int:
        """Run what is due, as a server would; return how many jobs that were."""
        with house(Desk(self.env, self.clock, BytesIO(), StringIO(), StringIO())) as home:
            return home.app.engine.drain()


@pytest.fixture(scope="session")
def terminal_at() -> type[Terminal]:
    """Give the class, for whoever needs a terminal that lives longer than a test."""
    return Terminal


@pytest.fixture
def miloco(tmp_path: Path, clock: ManualClock) -> Terminal:
    return Terminal(tmp_path / "home", clock)


@pytest.fixture
def on_any_store(home, tmp_path: Path, clock: ManualClock) -> Terminal:
    """Give a terminal over each of the two databases."""
    return Terminal(tmp_path / "home", clock, {"ZHIXING_STORE_URL": home.url})
