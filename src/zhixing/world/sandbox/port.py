"""The port to whatever runs a command: what is to be run, within which walls and bounds, and what became of it.

Whoever runs a command promises that nothing of it is left when `run` returns: no process, no open pipe. What it printed
is kept in bounded memory and, up to a bound, in files; what was dropped is counted, never silently cut.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from enum import StrEnum
from pathlib import Path
from typing import Protocol

MEBIBYTE = 1024 * 1024


class Mode(StrEnum):
    """What stands between a command and the machine."""

    BWRAP = "bwrap"
    """Its own namespaces; it sees what is mounted for it."""
    NONE = "none"
    """Nothing but bounds. Only where the owner of the home has allowed it."""
    SCRIPTED = "scripted"
    """No command was run at all: the twin for tests."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a command may use up. `wall` is elapsed time; then its tree is asked to end, and killed `grace` later."""

    wall: timedelta = timedelta(seconds=600)
    grace: timedelta = timedelta(seconds=5)
    cpu: timedelta | None = None
    """Processor time of one process."""
    memory_bytes: int = 4 * 1024 * MEBIBYTE
    """Address space of one process."""
    file_bytes: int = 1024 * MEBIBYTE
    """The largest file it may write."""
    open_files: int = 1_024
    processes: int = 256
    """Processes and threads of the whole tree."""
    kept_bytes: int = MEBIBYTE
    """Of each stream, in memory: as much of its beginning as of its end."""
    logged_bytes: int = 16 * MEBIBYTE
    """Of each stream, in its file."""


@dataclass(frozen=True, slots=True)
class Mount:
    """A file or folder of the machine, under the same path inside."""

    path: Path
    writable: bool = False


@dataclass(frozen=True, slots=True)
class Command:
    """What is to be run.

    `env` is all of its environment. `hidden` are folders that look empty inside, except for what `mounts` shows of
    them. Standard input is closed unless there is `stdin`. `out` and `err` are files that get what it prints, as it
    prints it. Nothing of `argv` passes through a shell.
    """

    argv: tuple[str, ...]
    cwd: Path
    env: Mapping[str, str] = field(repr=False)
    mounts: tuple[Mount, ...] = ()
    hidden: tuple[Path, ...] = ()
    network: bool = False
    stdin: bytes | None = field(default=None, repr=False)
    out: Path | None = None
    err: Path | None = None
    limits: Limits = Limits()
    secrets: tuple[str, ...] = field(default=(), repr=False)
    """Values that must not appear in what is kept or written (`redaction`)."""


@dataclass(frozen=True, slots=True)
class Captured:
    """One stream. `head` and `tail` are what was kept; nothing is missing between them while `dropped` is 0.

    `total` counts every byte it printed, `logged` those that are in the file.
    """

    head: bytes = b""
    tail: bytes = b""
    total: int = 0
    logged: int = 0

    @property
    def dropped(self) -> int:
        """Bytes that were printed and not kept in memory."""
        return self.total - len(self.head) - len(self.tail)


class Ended(StrEnum):
    """Why a command is not running any more."""

    EXITED = "exited"
    """By itself, whatever its code; also by a signal that nobody here sent."""
    TIMED_OUT = "timed_out"
    CANCELLED = "cancelled"
    TOO_MANY_PROCESSES = "too_many_processes"


@dataclass(frozen=True, slots=True)
class Finished:
    """What became of a command. Either `code` or `signal` is set; both are those of the command, not of its walls."""

    ended: Ended
    code: int | None
    signal: int | None
    stdout: Captured
    stderr: Captured
    elapsed: timedelta
    mode: Mode

    @property
    def succeeded(self) -> bool:
        """Whether it ended by itself and said that all is well."""
        return self.ended is Ended.EXITED and self.code == 0


class Sandbox(Protocol):
    """Somebody who runs commands. Safe to use from several threads."""

    @property
    def mode(self) -> Mode:
        """What stands between its commands and the machine."""
        ...

    def run(self, command: Command, stop: threading.Event) -> Finished:
        """Run it to its end; setting `stop` cancels it. Raises `Unavailable` when it cannot be started at all."""
        ...
