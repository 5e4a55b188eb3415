"""The folder of a project's tasks, as it is on disk. Follows no symbolic link into it."""

from __future__ import annotations

import fcntl
import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path

from zhixing.documents.artifacts.atomic import replace_file
from zhixing.documents.frontmatter import LARGEST
from zhixing.documents.model import FILE, FOLDER, OURS
from zhixing.kernel.errors import BadInput, Conflict, NotFound, TooLarge, Unavailable
from zhixing.kernel.moments import micros

MOST_TASKS = 5_000
"""Tasks of one project."""
STAMP = "%Y%m%d-%H%M%S-%f"
"""How an instant stands in the names of deleted folders."""
KEPT_DELETED = 20
"""Deleted tasks whose folders are kept in `.downcity/trash`."""

_RACY = 2_000_000
"""Microseconds. A file younger than this may change again without looking otherwise."""
_LOCK = ".lock"
_TRASH = "trash"


@dataclass(frozen=True, slots=True)
class Found:
    """A folder with a task.md, and what the file looks like from outside; `stamp` is "" when it proves nothing."""

    folder: str
    stamp: str


def project_of(path: Path) -> Path:
    """Return the folder of a project as it is known by; raise `BadInput` when there is no such folder."""
    try:
        real = path.expanduser().resolve(strict=True)
    except (OSError, RuntimeError, ValueError) as error:
        raise BadInput("document_project_missing", path=str(path)[:200]) from error
    if not real.is_dir():
        raise BadInput("document_project_missing", path=str(path)[:200])
    return real


def make_project(path: Path) -> None:
    """Make the folder of the home's own project, if it is not there. Raises `Unavailable`."""
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise Unavailable("document_folder_unusable", folder=str(path), why=error.strerror or error) from error


def tasks_folder(project: Path) -> Path:
    """Return where the tasks of a project are."""
    return project / FOLDER


def make_tasks_folder(project: Path) -> Path:
    """Return it; it is there afterwards. Raises `Unavailable`, `BadInput` when something leads out of the project."""
    folder = tasks_folder(project)
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise Unavailable("document_folder_unusable", folder=str(folder), why=error.strerror or error) from error
    if folder.resolve() != folder:
        raise BadInput("document_folder_leads_out", folder=str(folder))
    return folder


def scan(project: Path, now: datetime) -> list[Found] | None:
    """Return the folders that hold a task.md, by name; None where the folder of tasks itself is not there.

    Raises `TooLarge` when there are too many.
    """
    folder = tasks_folder(project)
    found: list[Found] = []
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.name.startswith(".") or not entry.is_dir(follow_symlinks=False):
                    continue
                stamp = _stamp(Path(entry.path) / FILE, now)
                if stamp is not None:
                    found.append(Found(entry.name, stamp))
                if len(found) > MOST_TASKS:
                    raise TooLarge("document_many", limit=MOST_TASKS)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Unavailable("document_folder_unusable", folder=str(folder), why=error.strerror or error) from error
    return sorted(found, key=lambda one: one.folder)


def names(project: Path) -> list[str]:
    """Return the names of everything in the folder of tasks."""
    try:
        return os.listdir(tasks_folder(project))  # noqa: PTH208 - names are what is wanted
    except OSError:
        return []


def is_there(project: Path, folder: str) -> bool:
    """Whether a folder has a task.md."""
    return _stamp(tasks_folder(project) / folder / FILE, datetime.max.replace(tzinfo=UTC)) is not None


def stamp_of(project: Path, folder: str, now: datetime) -> str:
    """Return what the task.md of a folder looks like from outside."""
    return _stamp(tasks_folder(project) / folder / FILE, now) or ""


def _stamp(file: Path, now: datetime) -> str | None:
    try:
        known = file.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError:
        # It is there, or nobody can tell; whoever reads it says what is wrong.
        return ""
    changed = known.st_mtime_ns // 1_000
    if not stat.S_ISREG(known.st_mode) or abs(micros(now) - changed) < _RACY or changed > micros(now):
        return ""
    return f"{known.st_size}:{known.st_mtime_ns}:{known.st_ino}"


def read_text(project: Path, folder: str) -> str:
    """Return the text of a task.md. Raises `NotFound`, `TooLarge`, `BadInput` unless it is UTF-8, `Unavailable`."""
    file = tasks_folder(project) / folder / FILE
    try:
        handle = os.open(file, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
    except FileNotFoundError as error:
        raise NotFound("document_file_gone", folder=folder) from error
    except OSError as error:
        if file.is_symlink():
            raise BadInput("document_file_is_link", folder=folder) from error
        raise Unavailable("document_file_unreadable", folder=folder, why=error.strerror or error) from error
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise BadInput("document_file_special", folder=folder)
        with os.fdopen(os.dup(handle), "rb") as opened:
            data = opened.read(LARGEST + 1)
    finally:
        os.close(handle)
    if len(data) > LARGEST:
        raise TooLarge("document_file_large", limit=LARGEST // 1024)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadInput("document_file_not_utf8", line=data[: error.start].count(b"\n") + 1) from error


def write_text(project: Path, folder: str, text: str) -> None:
    """Replace the task.md of a folder."""
    replace_file(tasks_folder(project) / folder / FILE, text.encode())


def make_folder(project: Path, folder: str, text: str) -> None:
    """Make the folder of a new task with its file."""
    place = make_tasks_folder(project) / folder
    try:
        place.mkdir(mode=0o700)
    except FileExistsError as error:
        # Only one without a task is made use of: what a crash between the two steps left behind.
        if (place / FILE).exists() or place.is_symlink():
            raise Conflict("document_folder_taken", folder=folder) from error
    except OSError as error:
        raise Unavailable("document_folder_unusable", folder=folder, why=error.strerror or error) from error
    write_text(project, folder, text)


def rename_folder(project: Path, before: str, after: str) -> None:
    """Give the folder of a task another name, with all that is in it."""
    folder = tasks_folder(project)
    try:
        (folder / before).rename(folder / after)
    except OSError as error:
        raise Unavailable("document_folder_unusable", folder=before, why=error.strerror or error) from error


def discard_folder(project: Path, folder: str, stamp: str) -> None:
    """Take the folder of a task out of sight; the newest few that were taken away are kept."""
    trash = project / OURS / _TRASH
    try:
        trash.mkdir(mode=0o700, exist_ok=True)
        if trash.resolve() != trash:
            # What is old there is removed, and must be ours.
            raise BadInput("document_folder_leads_out", folder=str(trash))
        (tasks_folder(project) / folder).rename(trash / f"{stamp} {folder}")
        for old in sorted(trash.iterdir(), reverse=True)[KEPT_DELETED:]:
            remove_tree(old)
    except FileNotFoundError:
        return
    except OSError as error:
        raise Unavailable("document_folder_unusable", folder=folder, why=error.strerror or error) from error


LEAST_FREE = 256 * 1024 * 1024
"""Bytes that a run leaves free on a disk."""
MOST_FILES = 20_000
"""Files and folders that a run may leave; more count as too heavy."""


def inside(folder: Path) -> list[Path]:
    """Return what is in a folder; nothing where that cannot be seen."""
    try:
        return list(folder.iterdir())
    except OSError:
        return []


def is_nearly_full(path: Path) -> bool:
    """Whether the disk of a path has no more room than others need: a fiftieth of it, at most `LEAST_FREE`."""
    try:
        disk = os.statvfs(path)
    except OSError:
        return False
    return disk.f_bavail * disk.f_frsize < min(LEAST_FREE, disk.f_blocks * disk.f_frsize // 50)


def weight(folder: Path, limit: int) -> int:
    """Return the bytes on disk below a folder, without following links; counting ends above `limit` or `MOST_FILES`."""
    total = seen = 0
    open_folders = [folder]
    while open_folders and total <= limit:
        with suppress(OSError), os.scandir(open_folders.pop()) as entries:
            for entry in entries:
                seen += 1
                if seen > MOST_FILES:
                    return limit + 1
                with suppress(OSError):
                    total += entry.stat(follow_symlinks=False).st_blocks * 512
                    if entry.is_dir(follow_symlinks=False):
                        open_folders.append(Path(entry.path))
    return total


def remove_tree(folder: Path) -> None:
    """Remove a folder with all of it that can be removed; a link is removed, not followed."""
    if folder.is_symlink() or not folder.is_dir():
        with suppress(OSError):
            folder.unlink()
    else:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def locked(project: Path) -> Iterator[None]:
    """Let one writer at a time change the files of a project, whatever process he is in.

    Raises `Unavailable` where the folder of tasks is not there: made anew, it would say that there are none.
    """
    folder = tasks_folder(project)
    try:
        handle = os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    except OSError as error:
        raise Unavailable("document_folder_unusable", folder=str(folder), why=error.strerror or error) from error
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def digest_of(text: str) -> str:
    """Return the revision of a text: what somebody names who wants to change what he has read."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
