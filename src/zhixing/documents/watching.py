"""Hearing of files that are changed by hand, at once: one thread over the folders of all projects."""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Iterable
from contextlib import suppress
from itertools import islice
from pathlib import Path

from watchfiles import watch

from zhixing.documents.files import MOST_TASKS, tasks_folder
from zhixing.documents.operations import PROJECT, Documents
from zhixing.engine.model import Engine, Run
from zhixing.kernel.errors import ZhixingError

_log = logging.getLogger("zhixing.documents")

_QUIET = 50
"""Milliseconds without a change after which changes count as one."""
_LONGEST = 1_000
"""Milliseconds after which they count in any case."""
_AWAY = 10
"""Seconds until it is looked again whether there is something else to watch."""


class Watching:
    """Takes in files as they change. Registers a handler of jobs, so make it before the engine starts."""

    def __init__(self, engine: Engine, documents: Documents) -> None:
        self._documents = documents
        self._stop = threading.Event()
        self._anew = threading.Event()
        self._thread: threading.Thread | None = None
        engine.register(PROJECT, self._hear_of_project)

    def start(self) -> None:
        """Take in what has changed since, and begin to watch."""
        self._stop.clear()
        self._thread = threading.Thread(target=self._watch, name="zhixing-files", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop watching."""
        self._stop.set()
        self._anew.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def _hear_of_project(self, run: Run) -> None:
        with run.commit():
            self._anew.set()

    def _watch(self) -> None:
        while True:
            # In this order: who stops it meanwhile is heard.
            self._anew.clear()
            if self._stop.is_set():
                return
            known = self._projects()
            there = _there(known)
            for folder in there:
                self._sync(known[folder])
            if there:
                self._follow(there, known)
            else:
                self._anew.wait(_AWAY)

    def _projects(self) -> dict[Path, Path]:
        try:
            return {tasks_folder(project): project for project in self._documents.projects()}
        except ZhixingError as error:
            _log.warning("cannot see which projects there are: %s", error)
            return {}

    def _follow(self, there: dict[Path, int], known: dict[Path, Path]) -> None:
        """Take in what changes, until there is something else to watch: a folder that came, went or was put anew.

        Each folder is watched for itself: what runs write below is theirs, and may be a lot.
        """
        unheard = set(there)
        try:
            for changes in watch(
                *_watched(there),
                recursive=False,
                stop_event=self._anew,
                debounce=_LONGEST,
                step=_QUIET,
                rust_timeout=_LONGEST,
                yield_on_timeout=True,
                watch_filter=_concerns_task,
                raise_interrupt=False,
                ignore_permission_denied=True,
            ):
                paths = [Path(path) for _, path in changes]
                touched = {folder for path in paths for folder in there if path.is_relative_to(folder)}
                # What changed between the look before and the begin of watching has told nobody.
                for folder in touched | unheard:
                    self._sync(known[folder])
                unheard = set()
                # A new folder may have got the number of the one that it takes the place of.
                if any(path in there or path.parent in there for path in paths) or _there(known) != there:
                    return
        # The system may refuse to watch (too many watches, a folder that went away); tasks are also read before they
        # run and whenever somebody looks, so this costs promptness and nothing else.
        except Exception as error:  # noqa: BLE001
            _log.warning("cannot watch the files of tasks: %s", error)
            self._anew.wait(_AWAY)

    def _sync(self, project: Path) -> None:
        try:
            self._documents.sync(project)
        except ZhixingError as error:
            _log.warning("project %s: %s", project, error)


def _there(folders: Iterable[Path]) -> dict[Path, int]:
    """Return which folders are there, each with its number: what a watch goes on with is the folder, not its name."""
    found = {}
    for folder in folders:
        with suppress(OSError):
            if folder.is_dir():
                found[folder] = folder.stat().st_ino
    return found


def _watched(folders: Iterable[Path]) -> list[Path]:
    """Return folders of tasks with the folder of each task."""
    found: list[Path] = []
    for folder in folders:
        found.append(folder)
        with suppress(OSError), os.scandir(folder) as entries:
            inside = (each for each in entries if not each.name.startswith(".") and each.is_dir(follow_symlinks=False))
            found += [Path(each.path) for each in islice(inside, MOST_TASKS)]
    return found


def _concerns_task(_change: object, path: str) -> bool:
    """Whether a change may be one of a task; what runs write is not."""
    parts = Path(path).parts
    below = parts[len(parts) - parts[::-1].index("task") :] if "task" in parts else parts
    return len(below) <= 1 or (len(below) == 2 and below[1] == "task.md")
