"""zhixing.log in the home: what no user wants to read, and whoever helps him needs. Never more than two megabytes."""

from __future__ import annotations

import contextlib
import io
import logging
import os
from collections.abc import Iterator
from logging.handlers import RotatingFileHandler
from pathlib import Path

LARGEST = 1_000_000
"""Bytes after which the file becomes the old one, of which one is kept."""

_FORMAT = "%(asctime)s %(levelname)s %(name)s %(process)d %(message)s"


class _OwnFile(RotatingFileHandler):
    """A log that only its owner may read: errors quote what people said."""

    def __init__(self, file: Path) -> None:
        super().__init__(file, maxBytes=LARGEST, backupCount=1, encoding="utf-8", errors="backslashreplace")
        self.setFormatter(logging.Formatter(_FORMAT))

    def _open(self) -> io.TextIOWrapper:
        handle = os.open(self.baseFilename, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        return io.TextIOWrapper(os.fdopen(handle, "ab"), encoding=self.encoding, errors=self.errors)

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - the name that logging calls
        """Do without the line: a full disk must not stop what is being done."""


def log_file(home: Path) -> Path:
    """Return the file."""
    return home / "zhixing.log"


@contextlib.contextmanager
def logging_to(home: Path) -> Iterator[None]:
    """Write what the rooms log into the home's file, as long as the block lasts."""
    handler = _OwnFile(log_file(home))
    root, ours = logging.getLogger(), logging.getLogger("zhixing")
    before = ours.level
    root.addHandler(handler)
    ours.setLevel(logging.INFO)
    try:
        yield
    finally:
        ours.setLevel(before)
        root.removeHandler(handler)
        handler.close()


def keep_traceback(home: Path, error: BaseException) -> bool:
    """Write an error nobody expected into the home's file; return whether that was possible."""
    if not home.is_dir():
        return False
    try:
        with logging_to(home):
            logging.getLogger("zhixing.cli").error("unexpected error", exc_info=error)
    except OSError:
        return False
    return True
