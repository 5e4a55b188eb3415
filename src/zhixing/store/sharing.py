"""Write transactions that share a commit: what costs time is to wait for the disk, and one wait can do for several.

Writers take turns on one connection. Who has done his work while another waits for his turn leaves the transaction of
the database open for that other, who works in a savepoint of his own; the last of them commits for all. Nobody returns
before that commit is on disk. Who fails is rolled back to where he began and harms nobody; when the commit fails, or
the database gives the whole transaction up, it has failed for everybody in it, and nothing of it was kept. A later one
sees what an earlier one wrote, as ever, and cannot be kept without him.
"""

from __future__ import annotations

import threading
from typing import Final

MOST: Final = 16
"""Transactions that share a commit at most: the first waits for all of them."""
LOOK: Final = 0.1
"""Seconds after which those who wait see to it themselves: whoever it was left to may have given up."""


class Commit:
    """A commit that is to come, for all who wrote since the last."""

    def __init__(self) -> None:
        self.members = 0
        """How many have done their work."""
        self.is_whole = True
        """Whether nobody was interrupted halfway: then it may not be made."""
        self._over = threading.Event()
        self._error: Exception | None = None

    def succeed(self) -> None:
        """Say that everything is on disk."""
        self._over.set()

    def fail(self, error: Exception) -> None:
        """Say that nothing was kept."""
        self._error = error
        self._over.set()

    def wait(self) -> bool:
        """Return whether everything is on disk, which may not be known yet; raises what it failed with."""
        if not self._over.wait(LOOK):
            return False
        if self._error is not None:
            raise self._error
        return True


class Turns:
    """A lock that knows whether a writer waits for it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counting = threading.Lock()
        self._waiting = 0

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:  # noqa: FBT001, FBT002 - as locks have it
        """Wait for the turn of somebody who does not write; return whether it came."""
        return self._lock.acquire(blocking, timeout)

    def acquire_to_write(self, timeout: float) -> bool:
        """Wait for the turn of a writer, up to so many seconds; return whether it came."""
        if self._lock.acquire(blocking=False):
            return True
        with self._counting:
            self._waiting += 1
        try:
            return self._lock.acquire(timeout=timeout)
        finally:
            with self._counting:
                self._waiting -= 1

    def release(self) -> None:
        """Give the turn up."""
        self._lock.release()

    def __enter__(self) -> bool:
        return self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()

    @property
    def wanted(self) -> bool:
        """Whether a writer waits for his turn."""
        return self._waiting > 0
