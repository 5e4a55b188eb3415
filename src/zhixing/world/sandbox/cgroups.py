"""Where a process stands among the control groups that can bound processes: `/proc/self/cgroup` read beside its mounts.

Pure: see cgroups(7), proc_pid_cgroup(5) and proc_pid_mountinfo(5) for the two texts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

CONTROLLER = "pids"
FIRST, SECOND = "cgroup", "cgroup2"
"""The types of the file systems of version 1 and 2."""
_ESCAPED = re.compile(r"\\([0-7]{3})")


@dataclass(frozen=True, slots=True)
class Mounted:
    """A mount of a hierarchy that has the controller, or may have: `root` is the group that is seen at `point`."""

    kind: str
    root: PurePosixPath
    point: Path


def places(cgroup: str, mountinfo: str) -> list[Path]:
    """Return the folders below which groups may be made, the likeliest first: those that exist, not those that work.

    Version 1 has the controller wherever it is mounted. In version 2 a group beside one's own is tried as well: what
    a user may do is often the folder above, and not the one that holds processes.
    """
    mounts = list(_mounted(mountinfo))
    found: dict[Path, None] = {}
    for kind in (FIRST, SECOND):
        own = _own(cgroup, kind)
        for mounted in mounts:
            if own is None or mounted.kind != kind or not own.is_relative_to(mounted.root):
                continue
            inner = own.relative_to(mounted.root)
            found[mounted.point / inner] = None
            if kind == SECOND and inner.parts:
                found[mounted.point / inner.parent] = None
    return list(found)


def _own(cgroup: str, kind: str) -> PurePosixPath | None:
    for line in cgroup.splitlines():
        number, _, rest = line.partition(":")
        controllers, _, path = rest.partition(":")
        right = CONTROLLER in controllers.split(",") if kind == FIRST else (number, controllers) == ("0", "")
        if right and path.startswith("/") and ".." not in PurePosixPath(path).parts:
            return PurePosixPath(path)
    return None


def _mounted(mountinfo: str) -> Iterator[Mounted]:
    for line in mountinfo.splitlines():
        before, separator, after = line.partition(" - ")
        here, there = before.split(" "), after.split(" ")
        if not separator or len(here) < 6 or len(there) < 3 or "ro" in here[5].split(","):
            continue
        if there[0] == SECOND or (there[0] == FIRST and CONTROLLER in there[2].split(",")):
            yield Mounted(there[0], PurePosixPath(_plain(here[3])), Path(_plain(here[4])))


def _plain(escaped: str) -> str:
    """Undo the octal escapes of blanks and the like."""
    return _ESCAPED.sub(lambda match: chr(int(match[1], 8)), escaped)
