"""What every command of a run has in common: its walls, its surroundings, and how what it printed becomes a text.

Source: downcity.md §3.7, §8.3. A command sees the folder of the run and what the definition declares; of `.downcity`
it sees nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from zhixing.documents.model import OURS
from zhixing.documents.performing import Exit, Order
from zhixing.kernel.errors import BadInput
from zhixing.kernel.wording import wording
from zhixing.world.sandbox.port import Captured, Ended, Finished, Mount

OUT_LOG = "stdout.log"
ERR_LOG = "stderr.log"
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
"""Where a command looks for others, unless the definition names PATH among its variables."""
LAST_LINES = 20
"""Lines of each stream that an error repeats."""
LAST_CHARACTERS = 2_000
"""Characters of each stream that an error repeats."""


def surroundings(order: Order) -> dict[str, str]:
    """Return the whole environment of a command: a bare minimum, what was declared, and the names of the run."""
    zone = {"TZ": order.definition.timezone} if order.definition.timezone else {}
    return {
        "PATH": PATH,
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
        "TERM": "dumb",
        "HOME": str(order.folder),
        **zone,
        **order.env,
        "DC_SESSION_ID": order.definition.session_id,
        "DC_TASK_ID": order.task_id,
        "DC_RUN_ID": order.run_id,
        "DC_RUN_DIR": str(order.folder),
        "DC_PROJECT_ROOT": str(order.project),
    }


def declared(order: Order) -> tuple[Mount, ...]:
    """Return the files and folders of the project that the definition declares, as they are on the disk.

    Raises `BadInput` for one that is not there, leaves the project, or is among the tasks.
    """
    project = order.project.resolve()
    mounts = []
    for each in order.definition.paths:
        found = (project / each.path).resolve()
        if not found.is_relative_to(project) or found.is_relative_to(order.tasks.resolve()):
            raise BadInput("agent_run_path_outside", path=each.path)
        inside = found.relative_to(project)
        if inside.parts[:1] == (OURS,) or is_hidden(order, found):
            raise BadInput("agent_run_path_outside", path=each.path)
        if not found.exists():
            raise BadInput("agent_run_path_missing", path=each.path)
        mounts.append(Mount(order.project / inside, each.writable))
    return tuple(mounts)


def with_project(order: Order) -> tuple[Mount, ...]:
    """Return what a script sees: the project to read, what is declared, and its own folder to write."""
    return (Mount(order.project), *declared(order), Mount(order.folder, writable=True))


def hidden(order: Order) -> tuple[Path, ...]:
    """Return what looks empty to every command."""
    ours = order.project / OURS
    own = (ours,) if order.tasks.is_relative_to(ours) else (ours, order.tasks)
    return (*own, *(path for path in order.hidden if path != order.project))


def is_hidden(order: Order, path: Path) -> bool:
    """Whether a real path of the project is, or lies in, something that no run may see."""
    project = order.project.resolve()
    inside = (each.resolve() for each in order.hidden)
    return any(path.is_relative_to(each) for each in inside if each != project and each.is_relative_to(project))


def exit_of(finished: Finished) -> Exit:
    """Return how a command ended, for run.json."""
    return Exit(
        code=finished.code,
        signal=finished.signal,
        timed_out=finished.ended is Ended.TIMED_OUT,
        sandbox=finished.mode.value,
        stdout_bytes=finished.stdout.total,
        stderr_bytes=finished.stderr.total,
        dropped_bytes=finished.stdout.dropped,
    )


def text_of(captured: Captured) -> str:
    """Return what was printed as text: beginning and end, and between them how many bytes are missing.

    Not UTF-8 becomes `�`; colours, other escapes and control characters are left out; of a line that was written over,
    what stood there last is kept; line breaks at the end are not.
    """
    if not captured.dropped:
        return plain((captured.head + captured.tail).decode("utf-8", "replace")).rstrip("\n")
    # A character may have been cut in two on either side.
    head = plain(captured.head.decode("utf-8", "replace").rstrip("\ufffd"))
    tail = plain(captured.tail.decode("utf-8", "replace").lstrip("\ufffd"))
    missing = wording("document_agent.bytes_missing", count=captured.dropped)
    return "\n".join((head.rstrip("\n"), missing, tail.strip("\n"))).strip("\n")


_ESCAPES = re.compile(
    r"\x1b(?:\[[0-?]*+[ -/]*+[@-~]|[\]PX^_][^\x07\x1b]*+(?:\x07|\x1b\\)|[ -/]*+[0-~])"
    r"|\x9b[0-?]*+[ -/]*+[@-~]"
)
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def plain(text: str) -> str:
    """Return `text` as somebody would read it: without escapes (ECMA-48) and control characters."""
    text = _ESCAPES.sub("", text).replace("\r\n", "\n")
    if "\r" in text:
        text = "\n".join(line.rstrip("\r").rpartition("\r")[2] for line in text.split("\n"))
    return _CONTROLS.sub("", text)


def why_failed(finished: Finished, what: str, *, seconds: float) -> str:
    """Say how a command failed, and what it said last. `what` is what a user calls it."""
    lines = [_ending(finished, what, seconds)]
    for key, captured in (("stderr_last", finished.stderr), ("stdout_last", finished.stdout)):
        said = last_lines(text_of(captured))
        if said:
            lines += [wording(f"document_agent.{key}"), said]
    return "\n".join(lines)


def last_lines(text: str) -> str:
    """Return the end of a text, within the bounds of an error."""
    end = "\n".join(text.rstrip().split("\n")[-LAST_LINES:])
    return end if len(end) <= LAST_CHARACTERS else "…" + end[1 - LAST_CHARACTERS :]


def _ending(finished: Finished, what: str, seconds: float) -> str:
    values: Mapping[str, object] = {"what": what}
    match finished.ended:
        case Ended.TIMED_OUT:
            return wording("document_agent.timed_out", **values, seconds=round(seconds))
        case Ended.CANCELLED:
            return wording("document_agent.cancelled")
        case Ended.TOO_MANY_PROCESSES:
            return wording("document_agent.too_many_processes", **values)
    if finished.signal is not None:
        return wording("document_agent.killed", **values, signal=finished.signal)
    return wording("document_agent.exit_code", **values, code=finished.code)
