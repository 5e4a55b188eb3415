"""What a command prints: its beginning and its end in memory, as much as fits in a file, and the count of the rest."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from zhixing.kernel.errors import Unavailable
from zhixing.kernel.wording import wording
from zhixing.world.sandbox.port import Captured, Limits
from zhixing.world.sandbox.redaction import Redactor

NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT})


def reason(error: OSError) -> str:
    """Return what the system says of an error."""
    return error.strerror or type(error).__name__


class LogFile:
    """A file that gets the beginning of a stream and, where something is missing, one last line that says so.

    A disk that is full ends the writing, not the run.
    """

    def __init__(self, path: Path, most: int) -> None:
        self.written = 0
        self._most = most
        self._why = ""
        self._file = -1
        try:
            # a command of before may have left a link or a pipe under this name
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK, 0o600)
            os.ftruncate(self._file, 0)  # fails for anything but a file
        except OSError as error:
            self._shut()
            if error.errno not in NO_ROOM:
                raise Unavailable("sandbox_log_unwritable", path=path, why=reason(error)) from error
            self._why = reason(error)

    def write(self, data: bytes) -> None:
        """Take what there is room for."""
        left = memoryview(data)[: self._most - self.written]
        while left and not self._why:
            try:
                taken = os.write(self._file, left)
            except OSError as error:
                self._why = reason(error)
                return
            self.written += taken
            left = left[taken:]

    def close(self, total: int) -> None:
        """Close the file; `total` is how much it should have got."""
        try:
            if total > self.written and self._file >= 0:
                self._say(total)
        finally:
            self._shut()

    def _say(self, total: int) -> None:
        if not self._why:
            line = wording("sandbox.log_cut", count=total - self.written, limit=self._most)
            self._append(line)
            return
        if not self._append(wording("sandbox.log_failed", count=total - self.written, why=self._why)):
            # on a full disk the line takes the place of the last bytes: their blocks are there already
            room = len(wording("sandbox.log_failed", count=total, why=self._why).encode()) + 2
            self.written = max(0, self.written - room)
            os.ftruncate(self._file, self.written)
            self._append(wording("sandbox.log_failed", count=total - self.written, why=self._why))

    def _append(self, line: str) -> bool:
        data = f"\n{line}\n".encode()
        try:
            return os.pwrite(self._file, data, self.written) == len(data)
        except OSError:
            return False

    def _shut(self) -> None:
        if self._file >= 0:
            os.close(self._file)
        self._file = -1


class Recording:
    """One stream while it comes. Holds never more than three times what it will have kept."""

    def __init__(self, limits: Limits, secrets: tuple[str, ...], log: LogFile | None) -> None:
        self._head = bytearray()
        self._tail = bytearray()
        self._head_size = (limits.kept_bytes + 1) // 2
        self._tail_size = limits.kept_bytes // 2
        self._redactor = Redactor(secrets)
        self._log = log
        self._total = 0

    def feed(self, data: bytes) -> None:
        """Take what came."""
        self._take(self._redactor.feed(data))

    def finish(self) -> Captured:
        """Take no more, close the file and tell what there is; it may be asked again."""
        self._take(self._redactor.rest())
        if self._log is not None:
            self._log.close(self._total)
        tail = self._tail[max(0, len(self._tail) - self._tail_size) :]
        logged = self._log.written if self._log is not None else 0
        return Captured(bytes(self._head), bytes(tail), self._total, logged)

    def _take(self, data: bytes) -> None:
        self._total += len(data)
        if self._log is not None:
            self._log.write(data)
        room = self._head_size - len(self._head)
        if room > 0:
            self._head += data[:room]
            data = data[room:]
        self._tail += data[-self._tail_size :] if self._tail_size else b""
        if len(self._tail) > 2 * self._tail_size:
            del self._tail[: -self._tail_size]


@contextmanager
def record(limits: Limits, secrets: tuple[str, ...], path: Path | None) -> Iterator[Recording]:
    """Record one stream, into the file at `path` as well. Raises `Unavailable` if that cannot be opened."""
    recording = Recording(limits, secrets, LogFile(path, limits.logged_bytes) if path is not None else None)
    try:
        yield recording
    finally:
        recording.finish()
