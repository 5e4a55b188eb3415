"""`city` without a process: a home and a project in a temporary folder, a clock moved by hand, streams to look at."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

import pytest

from zhixing.faces.city.run import run
from zhixing.faces.cli.desk import Desk
from zhixing.faces.cli.house import house
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
        assert (self.code, self.err) == (0, ""), self
        envelope = json.loads(self.out)
        assert list(envelope) == ["success", "data"]
        assert envelope["success"] is True
        return envelope["data"]

    @property
    def lines(self) -> list[str]:
        assert (self.code, self.err) == (0, ""), self
        return self.out.splitlines()


@dataclass
class Terminal:
    """Where commands are typed: in a project of its own."""

    home: Path
    project: Path
    clock: ManualClock
    env: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.env = {"ZHIXING_HOME": str(self.home), "TZ": "Asia/Shanghai", **self.env}

    def __call__(self, *argv: str, stdin: bytes = b"") -> Done:
        out, err = StringIO(), StringIO()
        code = run(argv, Desk(self.env, self.clock, BytesIO(stdin), out, err))
        return Done(code, out.getvalue(), err.getvalue())

    def refused(self, *argv: str, code: int = 1, stdin: bytes = b"") -> tuple[str, str]:
        """Run a command that fails; return the name and the line of its error."""
        done = self(*argv, stdin=stdin)
        assert (done.code, done.err) == (code, ""), done
        envelope = json.loads(done.out)
        assert list(envelope) == ["success", "error", "code"]
        assert envelope["success"] is False
        assert "\n" not in envelope["error"]
        assert any("\u4e00" <= character <= "\u9fff" for character in envelope["error"]), envelope
        assert envelope["code"] != "unexpected", envelope
        return envelope["code"], envelope["error"]

    def create(self, title: str, *more: str, **flags: str) -> Any:
        """Make a task; return what was answered."""
        given = {"description": "说明", "session-id": "tg-1", **{key.replace("_", "-"): flags[key] for key in flags}}
        words = [word for name, value in given.items() for word in (f"--{name}", value)]
        return self("task", "create", "--title", title, *words, *more).data

    def file(self, folder: str) -> Path:
        """Return the task.md in a folder."""
        return self.project / ".downcity" / "task" / folder / "task.md"

    def ring(self) -> int:
        """Run what is due, as a server would; return how many jobs that were."""
        with house(Desk(self.env, self.clock, BytesIO(), StringIO(), StringIO())) as home:
            return home.app.engine.drain()


@pytest.fixture
def city(tmp_path: Path, clock: ManualClock, monkeypatch: pytest.MonkeyPatch) -> Terminal:
    project = tmp_path / "project"
    project.mkdir()
    monkeypatch.chdir(project)
    return Terminal(tmp_path / "home", project, clock)


@pytest.fixture
def on_any_store(home, tmp_path: Path, clock: ManualClock, monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """Give a terminal over each of the two databases."""
    project = tmp_path / "project"
    project.mkdir()
    monkeypatch.chdir(project)
    return Terminal(tmp_path / "home", project, clock, {"ZHIXING_STORE_URL": home.url})
