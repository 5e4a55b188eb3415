"""Commands without walls, for owners who allow it: bounded and killed whole, but free to see and touch everything.

A command that means harm gets away from here: it can kill its guard. Walls are what `bwrap` is for.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from zhixing.kernel.clock import Clock
from zhixing.kernel.errors import Unavailable
from zhixing.kernel.wording import wording
from zhixing.world.sandbox.bounding import bound
from zhixing.world.sandbox.gate import GATE, await_gate, spawn
from zhixing.world.sandbox.grouping import Group, grouped
from zhixing.world.sandbox.port import Command, Finished, Mode
from zhixing.world.sandbox.watching import carry_out

GUARD = Path(__file__).with_name("guard.py")
LINE = 64
"""Bytes of a report of the guard."""


class Unconfined:
    """Runs commands as the server itself, with a home of their own. Mounts, covers and `network` mean nothing here."""

    mode = Mode.NONE

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    def run(self, command: Command, stop: threading.Event) -> Finished:
        """Run `command` to its end, with nothing left of it. Raises `Unavailable` when it cannot be started."""
        return carry_out(command, stop, self._clock, self.mode, _Guarded)


class _Guarded:
    """One command below its guard. `stack` ends it, should it not have ended by then."""

    def __init__(self, command: Command, stack: ExitStack) -> None:
        self._group = grouped(command.limits.processes, stack)
        home = stack.enter_context(_home())
        self._told, tell = os.pipe()
        stack.callback(os.close, self._told)
        with ExitStack() as given:
            given.callback(os.close, tell)
            control, self._control = os.pipe()
            given.callback(os.close, control)
            stack.callback(self.kill)  # should there be no guard
            self.process = stack.enter_context(_guard(command, self._group, home, control, tell))
        stack.callback(self.kill)  # before the guard is waited for
        self.root = self.process.pid
        await_gate(self.process)
        bound(self._report(), command.limits)

    def refused(self) -> bool:
        """Tell whether the kernel has refused it a process."""
        return self._group.refused()

    def kill(self) -> None:
        """Have the guard kill all that is below it."""
        self._group.shut()
        if self._control >= 0:
            os.close(self._control)
        self._control = -1

    def end(self) -> tuple[int | None, int | None]:
        """Leave nothing of it; return the code or the signal of the command."""
        self.kill()
        self.process.wait()
        line = os.read(self._told, LINE)
        if not line:  # somebody killed the guard
            return None, signal.SIGKILL
        code = os.waitstatus_to_exitcode(int(line))
        return (code, None) if code >= 0 else (None, -code)

    def _report(self) -> int:
        line = os.read(self._told, LINE)
        if not line:
            raise Unavailable("sandbox_failed", why=wording("sandbox.silent"))
        return int(line)


@contextmanager
def _home() -> Iterator[str]:
    """Give a folder that is removed in the end, however deep a command has nested others in it."""
    home = tempfile.TemporaryDirectory(prefix="zhixing-", ignore_cleanup_errors=True)
    try:
        yield home.name
    finally:
        with suppress(RecursionError):
            home.cleanup()
        if os.path.lexists(home.name):
            # `rm` goes deeper than Python, and opens no folder for every step of the way.
            with suppress(OSError):
                subprocess.run(  # noqa: S603 - words of our own
                    ("/bin/rm", "-rf", "--", home.name), check=False, stderr=subprocess.DEVNULL
                )


def _guard(command: Command, group: Group, home: str, control: int, tell: int) -> subprocess.Popen[bytes]:
    guard = (sys.executable, "-I", "-S", GUARD, str(control), str(tell))
    env = {**command.env, "HOME": home, "TMPDIR": home}
    return spawn((*guard, *group.enter, *GATE, *command.argv), env, command.cwd, (control, tell))
