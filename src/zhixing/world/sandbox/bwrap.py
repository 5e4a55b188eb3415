"""Commands in namespaces of their own, by bubblewrap.

The command is number 2 of its process namespace. Killing number 1 kills all of the namespace, whatever they did to get
away, and number 1 has ended only when all others have (pid_namespaces(7)).
"""

from __future__ import annotations

import errno
import json
import os
import platform
import re
import signal
import subprocess
import threading
from contextlib import ExitStack, suppress
from pathlib import Path

from zhixing.kernel.clock import Clock
from zhixing.world.sandbox.bounding import bound, bound_processes
from zhixing.world.sandbox.filtering import syscall_filter
from zhixing.world.sandbox.gate import GATE, await_gate, spawn
from zhixing.world.sandbox.grouping import Group, grouped
from zhixing.world.sandbox.port import Command, Finished, Mode
from zhixing.world.sandbox.processes import await_end, children, wait_status
from zhixing.world.sandbox.walls import GROUP, PASSWD, Files, arguments
from zhixing.world.sandbox.watching import carry_out

BY_SIGNAL = 128
"""A shell, and bwrap, say this much more than the number of the signal that ended a process (POSIX sh, 2.8.2)."""
OWN_PROCESSES = 2
"""Of bwrap, beside those of the command: the one outside and number 1 inside."""
MOST_INFO = 4_096
"""Bytes of what bwrap tells about its namespaces."""


class Bubblewrap:
    """Runs commands with the bwrap at `binary`."""

    mode = Mode.BWRAP

    def __init__(self, binary: Path, clock: Clock) -> None:
        self.binary = binary
        self._clock = clock

    def run(self, command: Command, stop: threading.Event) -> Finished:
        """Run `command` to its end, with nothing left of it.

        Raises `BadInput` for a command that nobody could run, `Unavailable` if its walls or its files do not stand.
        A kernel before 6.15 does not tell a command that was killed by signal n from one that exits with 128 + n:
        there both count as killed.
        """
        return carry_out(command, stop, self._clock, self.mode, lambda given, stack: _Walled(self.binary, given, stack))


class _Walled:
    """One command within its walls. `stack` ends it, should it not have ended by then."""

    def __init__(self, binary: Path, command: Command, stack: ExitStack) -> None:
        self._group = grouped(command.limits.processes + OWN_PROCESSES, stack)
        self.process, told = _walls(binary, command, self._group, stack)
        stack.enter_context(self.process)
        self._first = -1
        handles = stack.enter_context(ExitStack())
        stack.callback(self._end_walls)
        await_gate(self.process)
        self.root = json.loads(os.read(told, MOST_INFO))["child-pid"]
        self._first = _handle(self.root, handles)
        own, *more = children(self.root) or [0]
        if more or not own:
            raise OSError(errno.ENOENT, f"/proc/{self.root}/task/{self.root}/children")
        self._own = _handle(own, handles)
        bound(own, command.limits)
        if _counts_by_namespace():
            bound_processes(own, command.limits)

    def refused(self) -> bool:
        """Tell whether the kernel has refused it a process."""
        return self._group.refused()

    def kill(self) -> None:
        """Kill number 1, and with it all others."""
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._first, signal.SIGKILL)

    def end(self) -> tuple[int | None, int | None]:
        """Leave nothing of it; return the code or the signal of the command."""
        self._end_walls()
        return how_it_ended(self.process.returncode, wait_status(self._own))

    def _end_walls(self) -> None:
        if self._first < 0:
            self.process.kill()
            return
        self.kill()
        self.process.wait()
        await_end(self._first)


def how_it_ended(said: int, status: int | None) -> tuple[int | None, int | None]:
    """Return the code or the signal of a command, from what bwrap says of it and its wait status, if that is known."""
    if status is not None:
        code = os.waitstatus_to_exitcode(status)
        return (code, None) if code >= 0 else (None, -code)
    if said < 0:  # the walls themselves were killed, and the command with them
        return None, signal.SIGKILL
    ended_by = said - BY_SIGNAL
    return (None, ended_by) if ended_by in signal.valid_signals() else (said, None)


def _counts_by_namespace() -> bool:
    """Tell whether the kernel bounds processes by user namespace, and bounds ours: it never bounds those of root."""
    release = tuple(int(number) for number in re.findall(r"\d+", platform.release())[:2])
    return os.geteuid() != 0 and release >= (5, 14)


def _walls(binary: Path, command: Command, group: Group, stack: ExitStack) -> tuple[subprocess.Popen[bytes], int]:
    """Start bwrap; return it and where it tells the number of its first process.

    Its options come from a file in memory: what stands on a command line everybody can read, environments included.
    """
    if not os.access(binary, os.X_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    told, tell = os.pipe()
    stack.callback(os.close, told)
    with ExitStack() as given:
        given.callback(os.close, tell)
        calls = syscall_filter(platform.machine())
        files = Files(_file(PASSWD, given), _file(GROUP, given), _file(calls, given) if calls else None)
        options = _file(b"".join(os.fsencode(word) + b"\0" for word in arguments(command, files)), given)
        bwrap = (*group.enter, str(binary), "--args", str(options), "--info-fd", str(tell), "--")
        handed = [tell, options, files.passwd, files.group]
        if files.syscalls is not None:
            handed.append(files.syscalls)
        return spawn((*bwrap, *GATE, *command.argv), {}, Path("/"), handed), told


def _file(data: bytes, stack: ExitStack) -> int:
    """Return the descriptor of a file in memory that holds `data`, at its beginning."""
    number = os.memfd_create("zhixing")
    stack.callback(os.close, number)
    with open(number, "wb", closefd=False) as file:
        file.write(data)
    os.lseek(number, 0, os.SEEK_SET)
    return number


def _handle(pid: int, stack: ExitStack) -> int:
    handle = os.pidfd_open(pid)
    stack.callback(os.close, handle)
    return handle
