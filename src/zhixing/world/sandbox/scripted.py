"""The twins of a sandbox: nothing runs, but what a command would print is kept, cut and written as by the real one."""

from __future__ import annotations

import signal
import threading
from collections import deque
from collections.abc import Callable
from datetime import timedelta

from zhixing.world.sandbox.port import Command, Ended, Finished, Mode
from zhixing.world.sandbox.recording import record

Answer = Callable[[Command], Finished | None]
"""What becomes of a command. None: it goes on until it is stopped."""


def printing(stdout: bytes = b"", stderr: bytes = b"", *, code: int = 0, elapsed: timedelta = timedelta()) -> Answer:
    """Answer as a command that prints this and exits with `code`."""
    return lambda command: _printed(command, stdout, stderr, code=code, elapsed=elapsed)


def ending(ended: Ended, stdout: bytes = b"", stderr: bytes = b"", *, elapsed: timedelta = timedelta()) -> Answer:
    """Answer as a command that printed this and was ended, by TERM."""
    return lambda command: _printed(command, stdout, stderr, ended=ended, elapsed=elapsed)


def never_ending(command: Command) -> None:
    """Answer as a command that goes on until it is stopped."""


class FunctionSandbox:
    """A sandbox whose every command ends as `answer(command)` says. `commands` holds all that were run."""

    mode = Mode.SCRIPTED

    def __init__(self, answer: Answer) -> None:
        self.commands: list[Command] = []
        self._answer = answer

    def run(self, command: Command, stop: threading.Event) -> Finished:
        """Answer; one that was stopped before it began has printed nothing."""
        self.commands.append(command)
        if not stop.is_set() and (finished := self._answer(command)) is not None:
            return finished
        stop.wait()
        return _printed(command, ended=Ended.CANCELLED)


class ScriptedSandbox(FunctionSandbox):
    """A sandbox that gives the answers of `script`, one for each command. More commands than answers are a mistake."""

    def __init__(self, *script: Answer) -> None:
        super().__init__(self._next)
        self._script = deque(script)

    def then(self, *answers: Answer) -> None:
        """Add to the end of the script."""
        self._script.extend(answers)

    def _next(self, command: Command) -> Finished | None:
        if not self._script:
            raise LookupError("the script of this sandbox is used up")
        return self._script.popleft()(command)


def _printed(
    command: Command,
    stdout: bytes = b"",
    stderr: bytes = b"",
    *,
    code: int = 0,
    ended: Ended = Ended.EXITED,
    elapsed: timedelta = timedelta(),
) -> Finished:
    with (
        record(command.limits, command.secrets, command.out) as out,
        record(command.limits, command.secrets, command.err) as err,
    ):
        out.feed(stdout)
        err.feed(stderr)
        kept = (out.finish(), err.finish())
    if ended is Ended.EXITED:
        return Finished(ended, code, None, *kept, elapsed, Mode.SCRIPTED)
    return Finished(ended, None, int(signal.SIGTERM), *kept, elapsed, Mode.SCRIPTED)
