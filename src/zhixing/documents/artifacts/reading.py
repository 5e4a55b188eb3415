"""A run, read again for showing: bounded, and never undone by what is missing, broken or written by another program.

Folders of the original program are read as well; they have a `run.json` only when the run ended by itself. No link is
followed and nothing but plain files is opened: what a run left in its folder is data.
"""

from __future__ import annotations

import contextlib
import errno
import heapq
import json
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from zhixing.documents.artifacts.atomic import open_folder, why
from zhixing.documents.artifacts.names import ARTIFACTS, PROGRESS, RUN
from zhixing.documents.artifacts.parsing import progress_of, record_of
from zhixing.documents.artifacts.views import Listed, RunView, Text
from zhixing.kernel.errors import BadInput, NotFound, Unavailable
from zhixing.kernel.wording import wording

LONGEST_TEXT = 80_000
"""Characters of one artifact that are read (downcity.md §4.3)."""
MOST_FILES = 200
"""Files of a run folder that are listed."""
LARGEST_RECORD = 1024 * 1024
"""Bytes of a JSON file that is read for what it says."""

_OPEN = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC  # a named pipe must not keep the reader waiting
_LONGEST_CHARACTER = 4
"""Bytes of a character in UTF-8."""


def read_run(folder: Path) -> RunView:
    """Read the folder of a run. Raises `NotFound("artifact_run_unknown")` and `Unavailable`."""
    try:
        with open_folder(folder) as descriptor:
            artifacts, unlisted = _listed(descriptor)
            problems: list[str] = []
            record = _tolerated(descriptor, RUN, problems)
            progress = _tolerated(descriptor, PROGRESS, problems)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise NotFound("artifact_run_unknown", run=folder.name) from error
    except OSError as error:
        raise Unavailable("artifact_unreadable", file=folder.name, why=why(error)) from error
    return RunView(
        run_id=folder.name,
        artifacts=artifacts,
        unlisted=unlisted,
        record=None if record is None else record_of(record),
        progress=None if progress is None else progress_of(progress),
        problems=tuple(problems),
    )


def list_artifacts(folder: Path) -> tuple[Listed, ...]:
    """Return the plain files of a run folder, the artifacts first. Raises `Unavailable`."""
    try:
        with open_folder(folder) as descriptor:
            return _listed(descriptor)[0]
    except OSError as error:
        raise Unavailable("artifact_unreadable", file=folder.name, why=why(error)) from error


def read_artifact(folder: Path, name: str) -> Text:
    """Read the beginning of the file `name` of a run folder. Raises `BadInput`, `NotFound` and `Unavailable`."""
    if not name or name in {".", ".."} or "/" in name or "\0" in name:
        raise BadInput("artifact_unreadable", file=name[:64], why=wording("document_runs.why_no_file"))
    try:
        with open_folder(folder) as descriptor:
            data, size = _read(descriptor, name, LONGEST_TEXT * _LONGEST_CHARACTER)
    except FileNotFoundError as error:
        raise NotFound("artifact_unreadable", file=name, why=wording("document_runs.why_no_file")) from error
    except OSError as error:
        raise Unavailable("artifact_unreadable", file=name, why=why(error)) from error
    text = data.decode("utf-8", "replace")
    return Text(name, size, text[:LONGEST_TEXT], cut=len(text) > LONGEST_TEXT or size > len(data))


def read_document(folder: Path, name: str) -> dict[str, object]:
    """Return the JSON object in the file `name` as it is, for changing a part of it. Raises `Unavailable`."""
    try:
        with open_folder(folder) as descriptor:
            return _document(descriptor, name)
    except OSError as error:
        raise Unavailable("artifact_unreadable", file=name, why=why(error)) from error


def _listed(folder: int) -> tuple[tuple[Listed, ...], int]:
    ranks = {name: rank for rank, name in enumerate(ARTIFACTS)}
    count = 0

    def plain() -> Iterator[str]:
        nonlocal count
        with os.scandir(folder) as entries:
            for entry in entries:
                if not entry.name.startswith(".") and entry.is_file(follow_symlinks=False):
                    count += 1
                    yield entry.name

    names = heapq.nsmallest(MOST_FILES, plain(), key=lambda name: (ranks.get(name, len(ranks)), name))
    listed = []
    for name in names:
        with contextlib.suppress(FileNotFoundError):  # a run under way moves its files about
            listed.append(Listed(name, os.stat(name, dir_fd=folder, follow_symlinks=False).st_size))
    return tuple(listed), count - len(names)


def _read(folder: int, name: str, most: int) -> tuple[bytes, int]:
    descriptor = os.open(name, _OPEN, dir_fd=folder)
    with open(descriptor, "rb") as file:  # noqa: PTH123 - a descriptor, not a path
        found = os.fstat(file.fileno())
        if not stat.S_ISREG(found.st_mode):
            raise OSError(errno.EINVAL, wording("document_runs.why_not_file"))
        return file.read(most), found.st_size


def _document(folder: int, name: str) -> dict[str, object]:
    """Read a JSON object. Raises `OSError` and `Unavailable`."""
    data, size = _read(folder, name, LARGEST_RECORD)
    if size > len(data):
        reason = wording("document_runs.why_too_large", limit=LARGEST_RECORD)
        raise Unavailable("artifact_unreadable", file=name, why=reason)
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise Unavailable("artifact_unreadable", file=name, why=wording("document_runs.why_unknown_contents"))
    return found


def _tolerated(folder: int, name: str, problems: list[str]) -> dict[str, object] | None:
    """Read a JSON object, or note why it cannot be read; a file that is not there is no problem."""
    try:
        return _document(folder, name)
    except FileNotFoundError:
        return None
    except OSError as error:
        problems.append(wording("errors.artifact_unreadable", file=name, why=why(error)))
    except Unavailable as error:
        problems.append(str(error))
    return None
