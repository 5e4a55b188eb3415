"""Hearing of files that are changed by hand: one thread over the folders of all projects.

The notices of the system make it prompt, and nothing rests on them: a disk that tells nothing (a network share), a
notice that got lost and a look that failed cost no more than the time until everything is looked over again.
"""

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
from zhixing.documents.model import FILE
from zhixing.documents.operations import PROJECT, Documents
from zhixing.engine.model import Engine, Run
from zhixing.kernel.errors import ZhixingError

_log = logging.getLogger("zhixing.documents")

_QUIET = 50
"""Milliseconds without a change after which changes count as one."""
_LONGEST = 1_000
"""Milliseconds after which they count in any case, and after which silence is reported too."""
_AWAY = 10
"""Seconds until everything is looked over again, and whether there is something else to watch."""
_FILES = "the files of tasks"


class Watching:
    """Takes in files as they change. Registers a handler of jobs, so make it before the engine starts."""

    def __init__(self, engine: Engine, documents: Documents) -> None:
        self._documents = documents
        self._stop = threading.Event()
        self._anew = threading.Event()
        self._thread: threading.Thread | None = None
        self._told: dict[str, str] = {}
        engine.register(PROJECT, self._hear_of_project)

    def start(self, away: float = _AWAY) -> None:
        """Take in what has changed since, and begin to watch; look everything over again each `away` seconds."""
        self._stop.clear()
        self._thread = threading.Thread(target=self._watch, args=(away,), name="zhixing-files", daemon=True)
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

    def _watch(self, away: float) -> None:
        while True:
            # In this order: who stops it meanwhile is heard.
            self._anew.clear()
            if self._stop.is_set():
                return
            try:
                self._look_and_follow(away)
            # Whatever breaks, a panic of the watcher too: what is changed later must be taken in.
            except BaseException as error:  # noqa: BLE001
                self._tell(_FILES, error)
                self._anew.wait(away)

    def _look_and_follow(self, away: float) -> None:
        known = self._projects()
        there = _there(known)
        for folder in there:
            self._sync(known[folder])
        if not there:
            self._anew.wait(away)
            return
        watched = _watched(there)
        try:
            self._follow(watched, there, known, away)
        except OSError:
            # A folder that went away before it was watched is refused, and no reason to wait; too many of them are.
            if _there(known) == there and _watched(there) == watched:
                raise

    def _follow(self, watched: list[Path], there: dict[Path, int], known: dict[Path, Path], away: float) -> None:
        """Take in what changes, until there is something else to watch: a folder that came, went or was put anew.

        Each folder is watched for itself: what runs write below is theirs, and may be a lot.
        """
        rounds = watch(
            *watched,
            recursive=False,
            stop_event=self._anew,
            debounce=_LONGEST,
            step=_QUIET,
            rust_timeout=_LONGEST,
            yield_on_timeout=True,
            watch_filter=None,
            raise_interrupt=False,
            ignore_permission_denied=True,
        )
        # A round is a second, or shorter where something has changed: nothing is looked over later than it should be.
        every = max(1, round(away))
        for number, changes in enumerate(rounds):
            paths = [Path(path) for _, path in changes]
            # What changed between the look before and the begin of watching has told nobody, so the first looks at all.
            over = number % every == 0
            for folder in there:
                if over or any(_concerns_task(path, folder) for path in paths):
                    self._sync(known[folder])
            # A new folder may have got the number of the one that it takes the place of.
            if any(path in there or path.parent in there for path in paths) or _there(known) != there:
                return
            # A folder that was made in that moment was looked at, and is not watched.
            if over and (_watched(there) != watched or self._projects() != known):
                return
            self._told.pop(_FILES, None)
        self._anew.wait(away)

    def _projects(self) -> dict[Path, Path]:
        return {tasks_folder(project): project for project in self._documents.projects()}

    def _sync(self, project: Path) -> None:
        try:
            self._documents.sync(project)
        # One project stands in the way of no other; it is looked at again in any case.
        except Exception as error:  # noqa: BLE001
            self._tell(f"project {project}", error)
        else:
            self._told.pop(f"project {project}", None)

    def _tell(self, what: str, error: BaseException) -> None:
        """Log what is wrong, once as long as it is the same."""
        why = repr(error)
        if self._told.get(what) != why:
            self._told[what] = why
            _log.warning("cannot follow %s: %s", what, error, exc_info=not isinstance(error, ZhixingError | OSError))


def _there(folders: Iterable[Path]) -> dict[Path, int]:
    """Return which folders are there, each with its number: what a watch goes on with is the folder, not its name."""
    found = {}
    for folder in folders:
        with suppress(OSError):
            if folder.is_dir():
                found[folder] = folder.stat().st_ino
    return found


def _watched(folders: Iterable[Path]) -> list[Path]:
    """Return folders of tasks, each before the folders of its tasks: who comes after it is told by it."""
    found: list[Path] = []
    for folder in folders:
        found.append(folder)
        with suppress(OSError), os.scandir(folder) as entries:
            inside = (each for each in entries if not each.name.startswith(".") and each.is_dir(follow_symlinks=False))
            found += sorted(Path(each.path) for each in islice(inside, MOST_TASKS))
    return found


def _concerns_task(path: Path, folder: Path) -> bool:
    """Whether a change may be one of a task in a folder of tasks; what runs write is not."""
    if not path.is_relative_to(folder):
        return False
    below = path.relative_to(folder).parts
    return len(below) <= 1 or below[1:] == (FILE,)
