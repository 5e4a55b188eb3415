"""The parent of an unconfined command: started by `bare` as a program of its own, it adopts whatever loses its parent.

It imports nothing of the package, as it runs without its path, and nothing that is slow to import. Arguments: a
descriptor whose end of file means "kill all", one to report on (the process number of the command, at the end its wait
status, a line each), the command.
"""

from __future__ import annotations

import ctypes
import os
import select
import signal
import sys
from contextlib import suppress

PR_SET_CHILD_SUBREAPER = 36
REAP_EVERY = 500
"""Milliseconds between looks for adopted children that have ended."""


def main() -> None:
    """Run the command; end when nothing of it is left."""
    control, report = int(sys.argv[1]), int(sys.argv[2])
    os.set_inheritable(control, False)
    os.set_inheritable(report, False)
    if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl")
    command = sys.argv[3:]
    defaults = (signal.SIGPIPE, signal.SIGXFSZ)
    pid = os.posix_spawn(command[0], command, os.environ, setsid=True, setsigdef=defaults)
    os.write(report, b"%d\n" % pid)
    own = os.pidfd_open(pid)
    poll = select.poll()
    for descriptor in (control, own):
        poll.register(descriptor, select.POLLIN)
    ended: dict[int, int] = {}
    while pid not in ended and not any(ready == control for ready, _ in poll.poll(REAP_EVERY)):
        _reap(ended, os.WNOHANG)
    while _kill_all():
        _reap(ended, 0)
        _reap(ended, os.WNOHANG)
    os.write(report, b"%d\n" % ended[pid])


def _reap(ended: dict[int, int], options: int) -> None:
    """Take note of one child that has ended, or with WNOHANG of all that have."""
    with suppress(ChildProcessError):
        while True:
            pid, status = os.waitpid(-1, options)
            if pid:
                ended[pid] = status
            if not pid or not options:
                return


def _kill_all() -> bool:
    """Kill every descendant by its group, which no fork escapes; return whether there was one."""
    groups = set()
    for pid in _below(os.getpid()):
        with suppress(OSError):
            groups.add(os.getpgid(pid))
    for group in groups:
        with suppress(OSError):
            os.killpg(group, signal.SIGKILL)
    return bool(groups)


def _below(root: int) -> list[int]:
    found = [root]
    for pid in found:
        with suppress(OSError):
            for thread in os.scandir(f"/proc/{pid}/task"):
                with suppress(OSError), open(f"{thread.path}/children", "rb") as listed:  # noqa: PTH123 - see above
                    found += [int(child) for child in listed.read().split()]
    return found[1:]


if __name__ == "__main__":
    main()
