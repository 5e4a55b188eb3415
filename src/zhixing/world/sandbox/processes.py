"""Trees of processes as `/proc` shows them (proc(5)), and the little that is done to them from outside."""

from __future__ import annotations

import fcntl
import os
import select
import signal
import struct
from contextlib import suppress
from pathlib import Path

PIDFD_GET_INFO = 0xC040FF0B
"""`_IOWR(0xFF, 11, struct pidfd_info)` with its first size, 64 bytes (linux/pidfd.h)."""
PIDFD_INFO_EXIT = 1 << 3
"""Since Linux 6.15: the state of a process that has been waited for."""


def children(pid: int) -> list[int]:
    """Return the children of a process, of all of its threads; none if it is gone."""
    found: list[int] = []
    for thread in threads(pid):
        with suppress(OSError):
            found += [int(child) for child in (thread / "children").read_bytes().split()]
    return found


def threads(pid: int) -> list[Path]:
    """Return the folders of the threads of a process; none if it is gone."""
    try:
        return list(Path(f"/proc/{pid}/task").iterdir())
    except OSError:
        return []


def below(root: int) -> list[int]:
    """Return every descendant of `root`, parents first. It is a look at something that moves."""
    found = children(root)
    for pid in found:
        found += children(pid)
    return found


def count_below(root: int, enough: int) -> int:
    """Count processes and threads below `root`; no further than `enough`."""
    waiting = children(root)
    count = 0
    while waiting and count < enough:
        pid = waiting.pop()
        count += len(threads(pid))
        waiting += children(pid)
    return count


def ask_to_end(root: int) -> None:
    """Send TERM to every descendant of `root`, and to nobody else.

    A number that is still in the tree after a handle on it was opened was in the tree when it was opened.
    """
    handles: dict[int, int] = {}
    try:
        for pid in below(root):
            with suppress(OSError):
                handles.setdefault(pid, os.pidfd_open(pid))
        for pid in set(below(root)) & handles.keys():
            with suppress(OSError):
                signal.pidfd_send_signal(handles[pid], signal.SIGTERM)
    finally:
        for handle in handles.values():
            os.close(handle)


def await_end(handle: int) -> None:
    """Wait until the process of a pidfd has ended, and reap it should it be our own child."""
    is_readable(handle, None)
    with suppress(ChildProcessError):  # somebody else's child: they reap it
        os.waitid(os.P_PIDFD, handle, os.WEXITED | os.WNOHANG)


def is_readable(descriptor: int, milliseconds: int | None) -> bool:
    """Wait until a descriptor can be read, without `milliseconds` as long as it takes; return whether it can.

    A pidfd can once its process has ended.
    """
    poll = select.poll()  # unlike select(2), it takes numbers above 1023
    poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(milliseconds))


def wait_status(handle: int) -> int | None:
    """Return the wait status of a process that somebody else has reaped; None where the kernel does not tell."""
    asked = bytearray(struct.pack("<Q", PIDFD_INFO_EXIT).ljust(64, b"\0"))
    try:
        fcntl.ioctl(handle, PIDFD_GET_INFO, asked)
    except OSError:
        return None
    told: int = struct.unpack_from("<Q", asked)[0]
    status: int = struct.unpack_from("<i", asked, 60)[0]
    return status if told & PIDFD_INFO_EXIT else None
