"""One server for each home: whoever serves holds a lock on a file in it, which the kernel lets go when he dies."""

from __future__ import annotations

import contextlib
import fcntl
import os
import threading
from collections.abc import Iterator
from pathlib import Path

from zhixing.faces.cli.system import why
from zhixing.kernel.clock import Clock
from zhixing.kernel.errors import Unavailable
from zhixing.kernel.wording import wording

_TRIES = 20
_PAUSE = 0.01


class ServeLock:
    """The lock while it is held."""

    def __init__(self, handle: int) -> None:
        self._handle = handle

    def tell(self, url: str) -> None:
        """Write down where the holder can be found."""
        _write(self._handle, f"{os.getpid()} {url}")


@contextlib.contextmanager
def serve_lock(home: Path, clock: Clock) -> Iterator[ServeLock]:
    """Hold the lock of `home`; raise `Unavailable`, naming the holder, when somebody else does."""
    file = lock_file(home)
    try:
        handle = os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise Unavailable("home_unusable", home=home, why=why(error)) from error
    try:
        if not _taken(handle, clock):
            raise Unavailable("serve_running", home=home, holder=_holder(file))
        _write(handle, f"{os.getpid()}")
        yield ServeLock(handle)
    finally:
        os.close(handle)


def is_served(home: Path) -> bool:
    """Whether somebody serves `home` now."""
    try:
        handle = os.open(lock_file(home), os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        # Shared, and let go at once: two who ask do not take each other for the server.
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(handle)
    return False


def lock_file(home: Path) -> Path:
    """Return the file that is locked."""
    return home / "serve.lock"


def _taken(handle: int, clock: Clock) -> bool:
    """Take the lock. Somebody who only asks holds it for a moment, so one refusal means nothing."""
    never = threading.Event()
    for _ in range(_TRIES):
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            clock.wait(never, _PAUSE)
        else:
            return True
    return False


def _write(handle: int, text: str) -> None:
    data = text.encode()
    os.pwrite(handle, data, 0)
    os.ftruncate(handle, len(data))


def _holder(file: Path) -> str:
    try:
        process, _, url = file.read_text(encoding="utf-8", errors="replace").partition(" ")
    except OSError:
        process, url = "", ""
    return wording("cli.serve_holder", url=url, process=process) if url else wording("cli.serve_starting")
