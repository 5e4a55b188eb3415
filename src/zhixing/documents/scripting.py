"""A script run: the body is a file, bash runs it, and what it prints is the result.

Source: downcity.md §3.7, §9 (12, 14), design §10. Standard error is kept apart and never sent. Nothing printed is a
success with nothing to send.
"""

from __future__ import annotations

import os
import threading
from pathlib import Path

from zhixing.documents.performing import Execution, Exit, Order, Outcome, Phase, Progress, Verdict
from zhixing.documents.processes import (
    ERR_LOG,
    OUT_LOG,
    exit_of,
    hidden,
    surroundings,
    text_of,
    why_failed,
    with_project,
)
from zhixing.kernel.errors import Unavailable, ZhixingError
from zhixing.kernel.wording import wording
from zhixing.world.sandbox.port import Command, Ended, Finished, Limits, Sandbox

SCRIPT = "task-script.sh"
_ARGV = ("bash", "--noprofile", "--norc", SCRIPT)


class ScriptPerformer:
    """Runs bodies of kind `script`, as bash."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox

    def perform(self, order: Order, progress: Progress, stop: threading.Event) -> Outcome:
        """Run the body; see `Performer`."""
        try:
            if "\r\n" in order.definition.body:
                progress.note(Phase.PREPARING, wording("document_agent.line_ends_changed"))
            write_new(order.folder / SCRIPT, _written(order.definition.body))
            command = _command(order)
        except ZhixingError as error:
            return failed(str(error))
        except OSError as error:
            return failed(unwritable(error), retryable=True)
        progress.note(Phase.SCRIPT, wording("document_agent.script_running"))
        return run_command(self._sandbox, command, order, stop, what=wording("document_agent.script"))


def run_command(sandbox: Sandbox, command: Command, order: Order, stop: threading.Event, *, what: str) -> Outcome:
    """Run a command whose standard output is the result. `what` is what a user calls it."""
    try:
        finished = sandbox.run(command, stop)
    except ZhixingError as error:
        # What stands in the way of every command may be gone by the next try.
        return failed(str(error), retryable=isinstance(error, Unavailable))
    return _outcome(finished, order, what)


def write_new(path: Path, content: bytes) -> None:
    """Write a file that nobody else reads. What stands there already is replaced, and no link is followed."""
    path.unlink(missing_ok=True)
    number = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    with os.fdopen(number, "wb") as file:
        file.write(content)


def failed(error: str, *, ended: Exit | None = None, retryable: bool = False, cancelled: bool = False) -> Outcome:
    """Return the outcome of a run that brought nothing."""
    return Outcome(
        Execution.FAILURE,
        Verdict.NOT_CHECKED,
        error=error,
        exit=ended,
        retryable=retryable,
        cancelled=cancelled,
    )


def _outcome(finished: Finished, order: Order, what: str) -> Outcome:
    if finished.succeeded:
        output = text_of(finished.stdout)
        return Outcome(Execution.SUCCESS, Verdict.VALID, output if output.strip() else "", exit=exit_of(finished))
    return failed(
        why_failed(finished, what, seconds=order.timeout.total_seconds()),
        ended=exit_of(finished),
        cancelled=finished.ended is Ended.CANCELLED,
    )


def _written(body: str) -> bytes:
    # Bash takes the carriage return of every line for a part of its last word.
    content = body.replace("\r\n", "\n")
    return (content if content.endswith("\n") else content + "\n").encode("utf-8", "surrogateescape")


def _command(order: Order) -> Command:
    return Command(
        argv=_ARGV,
        cwd=order.folder,
        env=surroundings(order),
        mounts=with_project(order),
        hidden=hidden(order),
        network=order.reaches_out,
        out=order.folder / OUT_LOG,
        err=order.folder / ERR_LOG,
        limits=Limits(wall=order.timeout),
        secrets=order.secrets,
    )


def unwritable(error: OSError) -> str:
    """Say that the folder of a run cannot be written."""
    return wording("document_agent.folder_unwritable", why=error.strerror or type(error).__name__)
