"""What tests of runs play with: an order in a folder, notes of progress, sandboxes without walls, replies."""

from __future__ import annotations

import json
import os
import subprocess
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

from zhixing.documents.model import FILE, Declared, Definition, Kind, Manual
from zhixing.documents.performing import Order, Phase
from zhixing.kernel.errors import ZhixingError
from zhixing.world.sandbox.port import Captured, Command, Ended, Finished, Mode
from zhixing.world.sandbox.redaction import redact

RUN = "20261012-020000-000"
BODY = "# 任务目标\n- 写一句今天的提醒\n\n# 输出要求\n- 一句话"


def order_in(folder: Path, body: str = BODY, *, kind: Kind = Kind.AGENT, **more: Any) -> Order:
    """Make a project with one task and one earlier run, and return an order for the next run of it."""
    project = folder / "project"
    tasks = project / ".downcity" / "task"
    run = tasks / "晨读" / RUN
    run.mkdir(parents=True)
    (tasks / "晨读" / FILE).write_text("---\ntitle: 晨读\n---\nsecret plans\n", encoding="utf-8")
    earlier = tasks / "晨读" / "20261011-020000-000"
    earlier.mkdir()
    (earlier / "output.md").write_text("昨天的结果", encoding="utf-8")
    of_definition = {name: more.pop(name) for name in ("review", "paths", "timezone") if name in more}
    definition = Definition("晨读", "每天一句", Manual(), "tg-1", body, kind=kind, **of_definition)
    return Order(
        RUN, "晨读", definition, run, project, tasks, **{"timeout": timedelta(hours=1), "network": True, **more}
    )


def with_body(order: Order, body: str, **more: Any) -> Order:
    return replace(order, definition=replace(order.definition, body=body, **more))


def declare(order: Order, *paths: Declared) -> Order:
    return replace(order, definition=replace(order.definition, paths=paths))


@dataclass
class Noted:
    """The progress of a run, as it was told."""

    phases: list[Phase] = field(default_factory=list)
    messages: list[str] = field(default_factory=list)
    rounds: list[int | None] = field(default_factory=list)

    def note(self, phase: Phase, message: str, *, round_number: int | None = None) -> None:
        self.phases.append(phase)
        self.messages.append(message)
        self.rounds.append(round_number)


def captured(data: bytes, kept: int = 1 << 20) -> Captured:
    """Keep as a sandbox keeps: as much of the beginning as of the end."""
    if len(data) <= kept:
        return Captured(data, total=len(data))
    return Captured(data[: kept // 2], data[len(data) - kept // 2 :], total=len(data))


class LocalSandbox:
    """Runs commands as they are: for tests of what is run, not of walls."""

    mode = Mode.NONE

    def __init__(self) -> None:
        self.commands: list[Command] = []

    def run(self, command: Command, stop: threading.Event) -> Finished:  # noqa: ARG002 - the port's
        self.commands.append(command)
        done = subprocess.run(
            command.argv,
            cwd=command.cwd,
            env=dict(command.env),
            input=command.stdin,
            stdin=subprocess.DEVNULL if command.stdin is None else None,
            capture_output=True,
            timeout=60,
            check=False,
        )
        out, err = (redact(data, command.secrets) for data in (done.stdout, done.stderr))
        for path, data in ((command.out, out), (command.err, err)):
            if path is not None:
                path.write_bytes(data)
        code, signal = (done.returncode, None) if done.returncode >= 0 else (None, -done.returncode)
        kept = command.limits.kept_bytes
        return Finished(Ended.EXITED, code, signal, captured(out, kept), captured(err, kept), timedelta(0), self.mode)


class ScriptedSandbox:
    """Runs nothing: gives what it was told to, or raises it."""

    mode = Mode.SCRIPTED

    def __init__(self, *script: Finished | ZhixingError | Callable[[Command, threading.Event], Finished]) -> None:
        self._script = list(script)
        self.commands: list[Command] = []

    def run(self, command: Command, stop: threading.Event) -> Finished:
        self.commands.append(command)
        line = self._script.pop(0)
        if isinstance(line, ZhixingError):
            raise line
        return line if isinstance(line, Finished) else line(command, stop)


def finished(
    out: bytes = b"", err: bytes = b"", *, ended: Ended = Ended.EXITED, code: int | None = 0, signal: int | None = None
) -> Finished:
    return Finished(ended, code, signal, captured(out), captured(err), timedelta(seconds=1), Mode.SCRIPTED)


def turn(tool: str, thought: str = "想好了", **arguments: Any) -> dict[str, Any]:
    """Return a reply of the model that asks for a tool."""
    every = dict.fromkeys(("path", "content", "command", "url", "session", "text", "offset"))
    return {"thought": thought, "tool": tool, "arguments": {**every, **arguments}}


def finish(text: str) -> dict[str, Any]:
    return turn("finish", text=text)


def verdict(satisfied: bool, reply: str = "", reason: str = "", score: float | None = None) -> dict[str, Any]:  # noqa: FBT001
    return {"satisfied": satisfied, "reply": reply, "reason": reason, "score": score}


def lines_of(order: Order) -> list[dict[str, Any]]:
    """Read the transcript of a run."""
    text = (order.folder / "transcript.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def contents(folder: Path) -> Iterable[bytes]:
    """Yield what is in every file below a folder."""
    for root, _, names in os.walk(folder):
        yield from (Path(root, name).read_bytes() for name in names)
