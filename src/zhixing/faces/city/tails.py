"""The ends of the logs of a run, read without following a link and without reading more than is shown."""

from __future__ import annotations

import os
import stat
from collections import deque
from dataclasses import dataclass
from pathlib import Path

from zhixing.documents.agent.files import TRANSCRIPT
from zhixing.documents.artifacts.atomic import open_folder, why
from zhixing.documents.processes import ERR_LOG, OUT_LOG
from zhixing.kernel.errors import Unavailable
from zhixing.kernel.wording import wording

LOGS = (OUT_LOG, ERR_LOG, TRANSCRIPT)
"""What a run writes while it goes on, in the order in which it is shown."""
LONGEST_TAIL = 128 * 1024
"""Bytes of the end of one log."""
LONGEST_LINE = 4_000
"""Characters of one line; the middle of what is longer is left out."""

_OPEN = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


@dataclass(frozen=True, slots=True)
class Tail:
    """The last lines of a log of `size` bytes. `cut`: there is more in front of them."""

    name: str
    size: int
    lines: tuple[str, ...]
    cut: bool


def tail_of(folder: Path, name: str, count: int) -> Tail:
    """Return the last `count` lines of the file `name` of a run folder. Raises `Unavailable`."""
    try:
        with open_folder(folder) as descriptor:
            handle = os.open(name, _OPEN, dir_fd=descriptor)
        with os.fdopen(handle, "rb") as file:
            found = os.fstat(handle)
            if not stat.S_ISREG(found.st_mode):
                raise Unavailable("artifact_unreadable", file=name, why=wording("document_runs.why_not_file"))
            start = max(0, found.st_size - LONGEST_TAIL)
            file.seek(start)
            text = file.read(LONGEST_TAIL).decode("utf-8", "replace")
    except OSError as error:
        raise Unavailable("artifact_unreadable", file=name, why=why(error)) from error
    every = text.splitlines()
    kept = deque(every, maxlen=count)
    return Tail(name, found.st_size, tuple(map(_shortened, kept)), cut=start > 0 or len(every) > count)


def _shortened(line: str) -> str:
    half = LONGEST_LINE // 2
    return line if len(line) <= LONGEST_LINE else f"{line[:half]} … {line[-half:]}"
