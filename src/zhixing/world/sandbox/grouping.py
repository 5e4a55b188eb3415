"""A control group for every run, where the machine lets us make one: the kernel refuses the process that is too many.

Resource limits do not bind root, and a look at the tree every now and then comes too late for a bomb. Whether groups
can be made is tried once in the life of a process, in earnest; where they cannot, that look is all there is.

A process moves itself, by writing 0: moving another one waits for all processors, many milliseconds on a machine that
is idle. Where version 2 makes only threaded groups (own processes and controllers side by side) the same holds.
"""

from __future__ import annotations

import errno
import functools
import itertools
import os
import re
import select
import signal
import subprocess
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from zhixing.world.sandbox.cgroups import CONTROLLER, places

ENTER = ("/bin/sh", "-c", 'echo 0 >"$1" && shift && exec "$@"', "sh")
"""Becomes what follows once it is in the group whose entry comes first."""
ENTRIES = ("tasks", "cgroup.threads", "cgroup.procs")
"""Where a process enters: version 1, a threaded group and any other group of version 2."""
TRIAL = ("/bin/sh", "-c", "(:); :")
"""Wants one process more than itself."""
SECONDS_TO_TRY = 10
TRIES = 2
ROUNDS_TO_REMOVE = 100
MILLISECONDS_BETWEEN = 5
"""A group that has just become empty may not be known as such yet."""
PIDS_MAX, SUBTREE = "pids.max", "cgroup.subtree_control"
NAME = re.compile(r"zhixing-(\d+)-(\d+)-(\d+)-\d+")
"""The namespace of process numbers, the number and the start of the server that made a group."""

_tried: list[Path | None] = []
_one_tries = threading.Lock()
_numbers = itertools.count(1)


class Group:
    """What bounds the processes of one run; without a folder nothing does."""

    def __init__(self, folder: Path | None = None, entry: str = "") -> None:
        self._folder = folder
        self.enter: tuple[str, ...] = () if folder is None else (*ENTER, str(folder / entry))
        """Words that go before a program that is to run within."""

    def refused(self) -> bool:
        """Tell whether a process or thread has been refused for its number."""
        if self._folder is None:
            return False
        try:
            words = (self._folder / "pids.events").read_text(encoding="ascii").split()
        except OSError:
            return False
        return "max" in words and words[words.index("max") + 1] != "0"

    def shut(self) -> None:
        """Let nothing more begin within: what is killed now stays dead."""
        if self._folder is not None:
            _write(self._folder / PIDS_MAX, "0")

    def remove(self) -> None:
        """Remove it, and end whatever is left within. What does not end is left to the next server."""
        if self._folder is None:
            return
        for _ in range(ROUNDS_TO_REMOVE):
            try:
                self._folder.rmdir()
            except FileNotFoundError:
                return
            except OSError:
                self.shut()
                _kill_within(self._folder)
                select.poll().poll(MILLISECONDS_BETWEEN)
            else:
                return


def grouped(most: int, stack: ExitStack) -> Group:
    """Return a new group for at most `most` processes and threads, of no effect where none can be made.

    `stack` removes it. Raises `OSError` where it cannot be told, because no more files can be opened.
    """
    for _ in range(TRIES):
        place = _place()
        if place is None:
            break
        with _whatever_is_refused():
            group = _make(place, most)
            stack.callback(group.remove)
            return group
        with _one_tries:  # we were moved elsewhere, or there are too many: look anew
            _tried.clear()
    return Group()


def find_place(candidates: list[Path]) -> Path | None:
    """Return the first folder below which a group can be made, entered, and keeps its bound."""
    for folder in candidates:
        sweep(folder)
        if _works(folder):
            return folder
    return None


def sweep(folder: Path) -> None:
    """Remove the groups of servers that are no more."""
    with suppress(OSError):
        for group in list(folder.iterdir()):
            match = NAME.fullmatch(group.name)
            if match and match[1] == _namespace() and _start(int(match[2])) != match[3]:
                Group(group).remove()


def _place() -> Path | None:
    with _one_tries:
        if not _tried:
            own = mounts = ""
            with _whatever_is_refused():
                own = Path("/proc/self/cgroup").read_text(encoding="utf-8", errors="surrogateescape")
                mounts = Path("/proc/self/mountinfo").read_text(encoding="utf-8", errors="surrogateescape")
            _tried.append(find_place(places(own, mounts)))
        return _tried[0]


def _works(folder: Path) -> bool:
    """Try it out: a group for one process refuses the second."""
    granted = _grant(folder)
    works = False
    try:
        with suppress(subprocess.SubprocessError), _whatever_is_refused(), ExitStack() as stack:
            group = _make(folder, 1)
            stack.callback(group.remove)
            subprocess.run(  # noqa: S603 - words of our own
                (*group.enter, *TRIAL), check=False, capture_output=True, env={}, timeout=SECONDS_TO_TRY
            )
            works = group.refused()
    finally:
        if granted and not works:
            _write(folder / SUBTREE, f"-{CONTROLLER}")
    return works


@contextmanager
def _whatever_is_refused() -> Iterator[None]:
    """Go on when the system refuses something, unless no more files can be opened: that is over in a moment."""
    try:
        yield
    except OSError as error:
        if error.errno in (errno.EMFILE, errno.ENFILE):
            raise


def _grant(folder: Path) -> bool:
    """Have the groups below a folder of version 2 bounded; return whether that changed anything."""
    control = folder / SUBTREE
    try:
        if CONTROLLER in control.read_text(encoding="ascii").split():
            return False
    except OSError:
        return False
    return _write(control, f"+{CONTROLLER}")


def _make(folder: Path, most: int) -> Group:
    """Make a group below `folder`. Raises `OSError`."""
    made = folder / f"{_server(os.getpid())}-{next(_numbers)}"
    made.mkdir()
    try:
        try:
            kind = _get(made / "cgroup.type")
        except FileNotFoundError:
            kind = ""
        if kind == "domain invalid":
            kind = "threaded"
            _put(made / "cgroup.type", kind)
        _put(made / PIDS_MAX, str(most))
    except OSError:
        with suppress(OSError):
            made.rmdir()
        raise
    return Group(made, ENTRIES[0] if not kind else ENTRIES[1] if kind == "threaded" else ENTRIES[2])


def _kill_within(folder: Path) -> None:
    """Kill the processes of a group, and nobody whose number one of them had."""
    if _write(folder / "cgroup.kill", "1"):
        return
    handles: dict[int, int] = {}
    try:
        for pid in _within(folder):
            with suppress(OSError):
                handles.setdefault(pid, os.pidfd_open(pid))
        for pid in _within(folder) & handles.keys():
            with suppress(OSError):
                signal.pidfd_send_signal(handles[pid], signal.SIGKILL)
    finally:
        for handle in handles.values():
            os.close(handle)


def _within(folder: Path) -> set[int]:
    listed = _read(folder / "cgroup.procs") or _read(folder / "cgroup.threads")
    return {int(number) for number in listed.split()} - {0}


@functools.cache
def _server(pid: int) -> str:
    return f"zhixing-{_namespace()}-{pid}-{_ticks(_get(Path(f'/proc/{pid}/stat')))}"


def _namespace() -> str:
    """Return the number of the namespace in which process numbers mean what they mean here."""
    return str(Path("/proc/self/ns/pid").stat().st_ino)


def _start(pid: int) -> str:
    """Return when a process started, in ticks since the machine did; empty if it is gone."""
    return _ticks(_read(Path(f"/proc/{pid}/stat")))


def _ticks(stat: str) -> str:
    """Return field 22 of proc_pid_stat(5)."""
    fields = stat.rpartition(")")[2].split()
    return fields[19] if len(fields) > 19 else ""


def _read(path: Path) -> str:
    """Return what a file says, nothing where it cannot be read."""
    with suppress(OSError):
        return _get(path)
    return ""


def _get(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace").strip()


def _write(path: Path, text: str) -> bool:
    """Return whether a file has taken a text."""
    with suppress(OSError):
        _put(path, text)
        return True
    return False


def _put(path: Path, text: str) -> None:
    descriptor = os.open(path, os.O_WRONLY)  # makes no file where the kernel shows none
    try:
        os.write(descriptor, text.encode())
    finally:
        os.close(descriptor)
