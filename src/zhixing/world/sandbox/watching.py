"""A command that runs, from its gate until nothing of it is left."""

from __future__ import annotations

import fcntl
import os
import selectors
import subprocess
import threading
from collections.abc import Callable
from contextlib import ExitStack
from datetime import timedelta
from typing import Protocol

from zhixing.kernel.clock import Clock
from zhixing.kernel.errors import BadInput, Unavailable
from zhixing.world.sandbox.gate import OPEN
from zhixing.world.sandbox.port import Command, Ended, Finished, Mode
from zhixing.world.sandbox.processes import ask_to_end, count_below
from zhixing.world.sandbox.recording import Recording, reason, record

CHUNK = 64 * 1024
"""Bytes read or written at once: what a pipe holds (pipe(7))."""
LOOK_EVERY = 0.05
"""Seconds between looks at the clock, at the request to stop and at the count of processes."""
ROUNDS_PER_LOOK = 16
"""Reads after which the count is looked at all the same, while a command prints without pause."""


class Tree(Protocol):
    """A command at its gate, and later all that came of it."""

    @property
    def process(self) -> subprocess.Popen[bytes]:
        """The child of ours that ends when the command has ended; it holds the three pipes."""
        ...

    @property
    def root(self) -> int:
        """The process that every process of the command descends from, and nothing else."""
        ...

    def refused(self) -> bool:
        """Tell whether the kernel has refused it a process, where the kernel counts them."""
        ...

    def kill(self) -> None:
        """End everything at once. May be called again, and after the end."""
        ...

    def end(self) -> tuple[int | None, int | None]:
        """Leave nothing; return the code or the signal that the command itself ended with."""
        ...


def carry_out(
    command: Command, stop: threading.Event, clock: Clock, mode: Mode, start: Callable[[Command, ExitStack], Tree]
) -> Finished:
    """Run `command` as `start` starts it. What `start` puts on the stack is undone in any case.

    Raises `BadInput` for words that no system call takes, `Unavailable` when it cannot be started.
    """
    since = clock.monotonic()
    with ExitStack() as files:
        out = files.enter_context(record(command.limits, command.secrets, command.out))
        err = files.enter_context(record(command.limits, command.secrets, command.err))
        with ExitStack() as stack:
            try:
                tree = start(command, stack)
                watch = _Watch(tree, command, (out, err), clock, stack)
            except OSError as error:
                raise Unavailable("sandbox_failed", why=reason(error)) from error
            except ValueError as error:
                raise BadInput("sandbox_command_unusable", what=type(error).__name__) from error
            ended = watch.until_over(stop, since)
            if ended is Ended.EXITED and tree.refused():  # before the end, which refuses it more
                ended = Ended.TOO_MANY_PROCESSES
            code, signal = tree.end()
            watch.drain()
        elapsed = timedelta(seconds=clock.monotonic() - since)
        return Finished(ended, code, signal, out.finish(), err.finish(), elapsed, mode)


class _Watch:
    """Reads what a command prints, feeds what it reads, and ends it when it must. `stack` closes what it opens."""

    def __init__(
        self, tree: Tree, command: Command, recordings: tuple[Recording, Recording], clock: Clock, stack: ExitStack
    ) -> None:
        process = tree.process
        if process.stdin is None or process.stdout is None or process.stderr is None:
            raise ValueError("a command is watched through three pipes")
        self._tree = tree
        self._limits = command.limits
        self._clock = clock
        self._stdin = process.stdin
        self._left = memoryview(OPEN + (command.stdin or b""))
        self._streams = dict(zip((process.stdout.fileno(), process.stderr.fileno()), recordings, strict=True))
        self._over = os.pidfd_open(process.pid)
        stack.callback(os.close, self._over)
        self._selector = stack.enter_context(selectors.DefaultSelector())
        self._selector.register(self._over, selectors.EVENT_READ)
        for stream in self._streams:
            os.set_blocking(stream, False)
            self._selector.register(stream, selectors.EVENT_READ)
        os.set_blocking(self._stdin.fileno(), False)
        self._selector.register(self._stdin, selectors.EVENT_WRITE)

    def until_over(self, stop: threading.Event, since: float) -> Ended:
        """Return why the command has ended; `since` is the moment from which its time counts."""
        deadline = since + self._limits.wall.total_seconds()
        ended = Ended.EXITED
        rounds = 0
        while not self._turn():
            rounds += 1
            is_late = self._clock.monotonic() >= deadline
            if ended is Ended.EXITED and (stop.is_set() or is_late):
                ended = Ended.CANCELLED if stop.is_set() else Ended.TIMED_OUT
                ask_to_end(self._tree.root)
                deadline = self._clock.monotonic() + self._limits.grace.total_seconds()
            elif is_late or ((self._idle or rounds % ROUNDS_PER_LOOK == 0) and self._too_many()):
                ended = Ended.TOO_MANY_PROCESSES if ended is Ended.EXITED else ended
                self._tree.kill()
        return ended

    def drain(self) -> None:
        """Read what is still in the pipes; no more than they hold, should somebody have got away and go on writing."""
        for stream in self._streams:
            left = fcntl.fcntl(stream, fcntl.F_GETPIPE_SZ)
            while left > 0 and (count := self._read(stream)):
                left -= count

    def _turn(self) -> bool:
        """Do what can be done now, or wait a little for it; return whether the command has ended."""
        ready = {key.fd for key, _ in self._selector.select(LOOK_EVERY)}
        self._idle = not ready
        for descriptor in ready & self._streams.keys():
            if self._read(descriptor) is None:
                self._selector.unregister(descriptor)
        if not self._stdin.closed and self._stdin.fileno() in ready:
            self._write()
        return self._over in ready

    def _too_many(self) -> bool:
        most = self._limits.processes
        return self._tree.refused() or count_below(self._tree.root, most + 1) > most

    def _read(self, descriptor: int) -> int | None:
        """Return how many bytes came; 0 if there are none now, None if there will be none."""
        try:
            data = os.read(descriptor, CHUNK)
        except BlockingIOError:
            return 0
        self._streams[descriptor].feed(data)
        return len(data) or None

    def _write(self) -> None:
        try:
            self._left = self._left[os.write(self._stdin.fileno(), self._left[:CHUNK]) :]
        except BlockingIOError:
            return
        except BrokenPipeError:
            self._left = self._left[:0]
        if not self._left:
            self._selector.unregister(self._stdin)
            self._stdin.close()
