"""A run of a document task as it stands, and following one until it ends."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from zoneinfo import ZoneInfo

from zhixing.documents.artifacts.folders import read_run_id
from zhixing.documents.artifacts.reading import read_run
from zhixing.documents.artifacts.views import RunView
from zhixing.documents.run import Run, RunState
from zhixing.faces.cli.house import House
from zhixing.faces.document_words import event_line, state_words
from zhixing.kernel.errors import NotFound, ZhixingError
from zhixing.kernel.moments import zone as find_zone
from zhixing.kernel.wording import wording
from zhixing.tasks import store as tasks

LONGEST = 7 * 86_400
"""Seconds."""
_LOOK = 0.5


@dataclass(frozen=True, slots=True)
class Seen:
    """A run, and what its files say; `folder` and `files` are None where they are not there."""

    run: Run
    title: str
    zone: ZoneInfo
    folder: Path | None = None
    files: RunView | None = None


def run_meant(home: House, written: str) -> str:
    """Return the id of the run that a person means: by its id, or by the title or number of its task the newest one.

    Raises `NotFound`.
    """
    wanted = written.strip()
    if read_run_id(wanted) is not None:
        return wanted
    documents = home.app.documents
    views = [view for project in documents.projects() for view in documents.tasks_of(project)]
    for view in views:
        if view.task_id is not None and wanted in (view.title, view.task_id):
            newest = documents.runs(task_id=view.task_id, limit=1)
            if newest:
                return newest[0].id
            raise NotFound("document_never_ran", title=view.title)
    raise NotFound("document_run_unknown", id=wanted[:64])


def look(home: House, run_id: str) -> Seen:
    """Return a run as it stands; raise `NotFound`."""
    documents = home.app.documents
    run = documents.find_run(run_id)
    try:
        view, folder = documents.of_task(run.task_id), documents.run_folder(run)
    except NotFound:
        with home.app.store.read() as tx:
            task = tasks.get(tx, run.task_id)
        return Seen(run, task.title, find_zone(task.zone))
    return Seen(run, view.title, find_zone(view.zone), folder, _files(folder))


def follow(home: House, seen: Seen, tell: Callable[[str], None], seconds: int) -> Seen:
    """Tell of each step of a run until it ends, at most `seconds`; return how it stands then."""
    clock, never = home.app.clock, threading.Event()
    end = clock.monotonic() + seconds
    told: set[tuple[object, str]] = set()
    state: RunState | None = None
    while True:
        if seen.run.state is not state and seen.run.state.open:
            tell(wording("city.watch_state", run=seen.run.id, state=state_words(seen.run)))
        state = seen.run.state
        for event in seen.files.progress.events if seen.files is not None and seen.files.progress is not None else ():
            if (event.at, event.message) not in told:
                told.add((event.at, event.message))
                tell(event_line(event, seen.zone))
        if not state.open or clock.monotonic() >= end:
            return seen
        clock.wait(never, _LOOK)
        seen = look(home, seen.run.id)


def _files(folder: Path) -> RunView | None:
    """Read what the files say. A run that is about to begin has none yet."""
    try:
        return read_run(folder) if folder.is_dir() else None
    except ZhixingError:
        return None
