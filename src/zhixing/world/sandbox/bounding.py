"""The bounds that the kernel itself keeps: resource limits (getrlimit(2)) of a command that has not begun yet."""

from __future__ import annotations

import os
import resource
from contextlib import suppress
from pathlib import Path

from zhixing.world.sandbox.port import Limits

NICE = 10
"""What it gives way by (nice(2)): a tree that grows must not keep the processor from whoever is to end it."""
FIRST_TO_GO = 1_000
"""Its place when memory runs out (proc_pid_oom_score_adj(5)): before the server and everybody else."""
LAST_SECOND = 1
"""Seconds of processor time between the signal that can be caught and the one that cannot."""


def bound(pid: int, limits: Limits) -> None:
    """Give a process its limits; all that comes of it inherits them. A limit that is lower already stays."""
    os.setpriority(os.PRIO_PROCESS, pid, NICE)
    with suppress(OSError):  # where `/proc` is read-only
        Path(f"/proc/{pid}/oom_score_adj").write_text(str(FIRST_TO_GO), encoding="ascii")
    _lower(pid, resource.RLIMIT_CORE, 0)
    _lower(pid, resource.RLIMIT_AS, limits.memory_bytes)
    _lower(pid, resource.RLIMIT_FSIZE, limits.file_bytes)
    _lower(pid, resource.RLIMIT_NOFILE, limits.open_files)
    if limits.cpu is not None:
        seconds = max(1, round(limits.cpu.total_seconds()))
        _lower(pid, resource.RLIMIT_CPU, seconds, seconds + LAST_SECOND)


def bound_processes(pid: int, limits: Limits) -> None:
    """Bound the processes of a user namespace (since Linux 5.14; before, of the user: do not call it there)."""
    _lower(pid, resource.RLIMIT_NPROC, 2 * limits.processes)


def _lower(pid: int, which: int, soft: int, hard: int | None = None) -> None:
    _, now = resource.prlimit(pid, which)
    hard = soft if hard is None else hard
    if now != resource.RLIM_INFINITY:
        soft, hard = min(soft, now), min(hard, now)
    resource.prlimit(pid, which, (soft, hard))
