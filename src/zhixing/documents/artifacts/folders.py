"""Folders of runs: `<task folder>/<YYYYMMDD-HHMMSS-mmm>/`, named by an instant in UTC (downcity.md §3.1).

The name is the id of the run. It sorts by time, so that the last run has the greatest name.
"""

from __future__ import annotations

import os
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

from zhixing.documents.artifacts.atomic import open_folder, why
from zhixing.kernel.errors import BadInput, Conflict, Refused, Unavailable

_RUN_ID = re.compile(r"(\d{4})(\d{2})(\d{2})-(\d{2})(\d{2})(\d{2})-(\d{3})", re.ASCII)
_MILLISECOND = timedelta(milliseconds=1)
_MODE = 0o700


def run_id_of(at: datetime) -> str:
    """Name a run by aware `at`, to the millisecond it falls in."""
    utc = at.astimezone(UTC)
    return (
        f"{utc.year:04}{utc.month:02}{utc.day:02}-{utc.hour:02}{utc.minute:02}{utc.second:02}"
        f"-{utc.microsecond // 1000:03}"
    )


def read_run_id(text: str) -> datetime | None:
    """Return the instant, in UTC, that `text` names; None if it is no id of a run."""
    found = _RUN_ID.fullmatch(text)
    if found is None:
        return None
    year, month, day, hour, minute, second, millisecond = (int(part) for part in found.groups())
    try:
        return datetime(year, month, day, hour, minute, second, millisecond * 1000, tzinfo=UTC)
    except ValueError:
        return None


def later(run_id: str) -> str:
    """Return the id a millisecond later: for a run whose own is taken. Raises `BadInput` on what is no id."""
    at = read_run_id(run_id)
    if at is None:
        raise BadInput("artifact_run_id", text=run_id[:64])
    try:
        return run_id_of(at + _MILLISECOND)
    except OverflowError as error:
        raise BadInput("artifact_run_id", text=run_id) from error


def make_run_folder(task_folder: Path, run_id: str) -> Path:
    """Make the folder of a run, for its owner alone, and return it.

    The task folder has to be there and be a folder itself: a link in its place is refused, wherever it leads, because
    whoever may write a project must not choose where runs are written (downcity.md §8.3). Raises `Refused`,
    `Conflict("artifact_run_exists")` when the id is taken, `BadInput` and `Unavailable`.
    """
    if read_run_id(run_id) is None:
        raise BadInput("artifact_run_id", text=run_id[:64])
    if not task_folder.name or ".." in task_folder.parts or task_folder.is_symlink():
        raise Refused("artifact_folder_elsewhere", folder=task_folder.name)
    try:
        with open_folder(task_folder) as folder:
            os.mkdir(run_id, _MODE, dir_fd=folder)
            os.fsync(folder)
    except FileExistsError as error:
        raise Conflict("artifact_run_exists", run=run_id) from error
    except OSError as error:
        raise Unavailable("artifact_unwritable", file=run_id, why=why(error)) from error
    return task_folder / run_id


def run_folders(task_folder: Path) -> list[str]:
    """Return the ids of the runs of a task, newest first; none if it has no folder. Links and files do not count.

    Raises `Unavailable` when the folder cannot be read.
    """
    try:
        with os.scandir(task_folder) as entries:
            names = [
                entry.name
                for entry in entries
                if read_run_id(entry.name) is not None and entry.is_dir(follow_symlinks=False)
            ]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise Unavailable("artifact_unreadable", file=task_folder.name, why=why(error)) from error
    return sorted(names, reverse=True)
