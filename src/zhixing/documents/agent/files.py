"""The files that an agent run may read and write: those in its folder, and what the definition declares.

A path is walked part by part from a folder of ours, and no link is followed on the way: whatever a command of the run
has planted, it leads nowhere. What the run itself is recorded in cannot be written.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from zhixing.documents.agent.model import LONGEST_RESULT
from zhixing.documents.performing import Order
from zhixing.documents.processes import ERR_LOG, OUT_LOG, is_hidden
from zhixing.documents.scripting import SCRIPT
from zhixing.kernel.wording import wording

PROJECT = "project:"
"""Before a path of the project; without it, a path is one of the folder of the run."""
LONGEST_PATH = 500
"""Characters of a path."""
LARGEST_READ = 4 * 1024 * 1024
"""Bytes of a file that is read; of a larger one a command shows a part."""
MOST_ENTRIES = 200
"""Entries of a folder that are listed."""
TRANSCRIPT = "transcript.jsonl"
RECORDS = frozenset(
    {
        *("input.md", "output.md", "result.md", "error.md", "run.json", "run-progress.json"),
        *("dialogue.md", "dialogue.json", TRANSCRIPT, SCRIPT, OUT_LOG, ERR_LOG),
    }
)
"""Files of the folder of a run that are written for it, and not by it."""

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK


class NotDone(Exception):
    """A tool did not work; the text says why, to the model and to whoever reads the record."""


@dataclass(frozen=True, slots=True)
class Place:
    """A path below a folder that is known to be ours."""

    root: Path
    parts: tuple[str, ...]
    is_writable: bool


def placed(order: Order, path: str) -> Place:
    """Return where a path leads: pure. Raises `NotDone` for one that is not the run's business."""
    path = path.strip()
    if len(path) > LONGEST_PATH or not path.isprintable():
        raise _because("path_unreadable")
    of_project = path.startswith(PROJECT)
    written = PurePosixPath(path.removeprefix(PROJECT).strip() or ".")
    if ".." in written.parts:
        raise _because("path_outside")
    if written.is_absolute():
        if written.is_relative_to(order.folder):
            return Place(order.folder, written.relative_to(order.folder).parts, is_writable=True)
        if not written.is_relative_to(order.project):
            raise _because("path_outside")
        written, of_project = written.relative_to(order.project), True
    if not of_project:
        return Place(order.folder, written.parts, is_writable=True)
    return _declared(order, written)


def _declared(order: Order, written: PurePosixPath) -> Place:
    covering = [each for each in order.definition.paths if written.is_relative_to(PurePosixPath(each.path))]
    ours = order.tasks.relative_to(order.project).parts[:1] if order.tasks.is_relative_to(order.project) else ()
    if not covering or (ours and written.parts[:1] == ours):
        raise _because("path_undeclared")
    if is_hidden(order, order.project.resolve().joinpath(*written.parts)):
        raise _because("path_undeclared")
    closest = max(covering, key=lambda each: len(PurePosixPath(each.path).parts))
    return Place(order.project.resolve(), written.parts, closest.writable)


def read_file(place: Place, offset: int) -> str:
    """Return at most `LONGEST_RESULT` characters of a file, from character `offset` on, and how many there are."""
    with _opened(place, os.O_RDONLY) as number:
        status = os.fstat(number)
        if not stat.S_ISREG(status.st_mode):
            raise _because("file_missing")
        if status.st_size > LARGEST_READ:
            raise _because("file_large", limit=LARGEST_READ)
        with os.fdopen(os.dup(number), "rb") as file:
            content = file.read(LARGEST_READ + 1)
    if b"\0" in content:
        raise _because("file_binary", count=len(content))
    return part_of(content.decode("utf-8", "replace"), offset)


def write_file(place: Place, content: str) -> str:
    """Write a whole file, with the folders it needs; return what was done."""
    if not place.is_writable:
        raise _because("path_readonly")
    if not place.parts:
        raise _because("path_unreadable")
    data = content.encode("utf-8", "replace")
    with _opened(place, os.O_WRONLY | os.O_CREAT, make=True) as number:
        if not stat.S_ISREG(os.fstat(number).st_mode):
            raise _because("file_missing")
        os.ftruncate(number, 0)
        with os.fdopen(os.dup(number), "wb") as file:
            file.write(data)
    return wording("document_agent.file_written", count=len(data))


def is_record(order: Order, place: Place) -> bool:
    """Whether a file is one of those that are written for the run."""
    return place.root == order.folder and len(place.parts) == 1 and place.parts[0].lower() in RECORDS


def list_files(place: Place) -> str:
    """Return the names in a folder, one a line: folders with a slash, files with their size in bytes."""
    with _walked(place.root, place.parts) as folder, os.scandir(folder) as entries:
        lines: list[str] = []
        for entry in entries:
            if len(lines) > MOST_ENTRIES:
                break
            lines.append(_entry(entry))
    more = lines[MOST_ENTRIES:] and [wording("document_agent.entries_more", limit=MOST_ENTRIES)]
    return "\n".join([*sorted(lines[:MOST_ENTRIES]), *more]) or wording("document_agent.folder_empty")


def part_of(text: str, offset: int) -> str:
    """Return what fits of a text from `offset` on, and how it goes on."""
    offset = max(0, min(offset, len(text)))
    end = offset + LONGEST_RESULT
    if end >= len(text):
        return text[offset:]
    return text[offset:end] + wording("document_agent.goes_on", total=len(text), offset=end)


def _entry(entry: os.DirEntry[str]) -> str:
    try:
        if entry.is_symlink():
            return f"{entry.name}@"
        if entry.is_dir(follow_symlinks=False):
            return f"{entry.name}/"
        return f"{entry.name} {entry.stat(follow_symlinks=False).st_size}"
    except OSError:
        return entry.name


@contextmanager
def _opened(place: Place, flags: int, *, make: bool = False) -> Iterator[int]:
    """Open the file at a place."""
    if not place.parts:
        raise _because("file_missing")
    with _walked(place.root, place.parts[:-1], make=make) as folder:
        number = _try(place.parts[-1], flags | _FILE, folder)
    try:
        yield number
    finally:
        os.close(number)


@contextmanager
def _walked(root: Path, parts: tuple[str, ...], *, make: bool = False) -> Iterator[int]:
    """Open a folder below `root`, made where it is missing and `make` says so."""
    folder = os.open(root, _FOLDER)
    try:
        for part in parts:
            if make:
                _make(part, folder)
            inner = _try(part, _FOLDER, folder)
            os.close(folder)
            folder = inner
        yield folder
    finally:
        os.close(folder)


def _make(name: str, folder: int) -> None:
    try:
        os.mkdir(name, 0o700, dir_fd=folder)
    except FileExistsError:
        return
    except OSError as error:
        raise _because("file_failed", why=error.strerror or "") from None


def _try(name: str, flags: int, folder: int) -> int:
    try:
        return os.open(name, flags, 0o600, dir_fd=folder)
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        raise _because("file_missing") from None
    except OSError as error:
        # A link among them: ELOOP.
        raise _because("file_failed", why=error.strerror or "") from None


def _because(key: str, **values: object) -> NotDone:
    return NotDone(wording(f"document_agent.{key}", **values))
