"""The document's example scripts, run line by line: bash reads the words, this process runs the command."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable, Iterator, Mapping
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

from zhixing.faces.cli.desk import Desk
from zhixing.faces.cli.house import house

EXAMPLES = Path(__file__).parent / "examples"
PLACEHOLDERS = {
    "<窗帘 DID>": "curtain_living",
    "prop.X": "prop.on",
    "<客厅摄像头 DID>": "cam_living",
    "<客厅灯 DID>": "light_living",
    "<玄关摄像头 DID>": "cam_entrance",
    "<家庭时区>": "Asia/Shanghai",
}

_ASSIGNED = re.compile(r"([A-Z_]+)=\$\((.*)\)")
_SAID = re.compile(r'(name|expr|tz|message)="([^"]*)"|(at)=(\S+?)，')
_WORDS = "miloco-cli() { printf '%s\\0' \"$@\"; }\n"


def commands(script: str) -> Iterator[str]:
    """Yield the lines of a script, those that go on in the next one joined; comments too, blank ones not."""
    for line in script.replace("\\\n", " ").splitlines():
        if line.strip():
            yield line.strip()


def words(line: str, values: dict[str, str]) -> list[str]:
    """Return the words of a command as bash reads them."""
    done = subprocess.run(
        ["bash", "-c", _WORDS + line], env={**values, "PATH": os.environ["PATH"]}, capture_output=True, check=True
    )
    return done.stdout.decode().split("\0")[:-1]


def run_example(number: int, terminal: Callable[..., Any], placeholders: Mapping[str, str] = PLACEHOLDERS) -> list[Any]:
    """Run an example of the document in a home; return what each command left.

    What a comment says about a cron job is done as it says, and the job's id stands for the placeholder behind it.
    """
    script = (EXAMPLES / f"{number}.sh").read_text(encoding="utf-8")
    for placeholder, value in placeholders.items():
        script = script.replace(placeholder, value)
    values: dict[str, str] = {}
    left, job = [], ""
    for line in commands(script):
        if line.startswith("#"):
            job = add_job(line, values, terminal) or job
        elif assigned := _ASSIGNED.fullmatch(line):
            left.append(terminal(*words(assigned[2], values)))
            values[assigned[1]] = left[-1].out.strip()
        else:
            left.append(terminal(*words(re.sub(r"<jobId\w*>", job, line), values)))
    return left


def add_job(comment: str, values: dict[str, str], terminal: Any) -> str:
    """Make the cron job that a comment tells of; return its id, or nothing."""
    said = {name or at: value or instant for name, value, at, instant in _SAID.findall(comment)}
    if "name" not in said:
        return ""
    schedule = {"kind": "at", "at": values[said["at"].removeprefix("$")]} if "at" in said else None
    schedule = schedule or {"kind": "cron", "expr": said["expr"], "tz": said["tz"]}
    with house(Desk(terminal.env, terminal.clock, BytesIO(), StringIO(), StringIO())) as home:
        added = home.app.cron.add({"name": said["name"], "schedule": schedule, "message": said["message"]}, who="cli")
    return str(added.job.id)
