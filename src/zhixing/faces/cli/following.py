"""A run of a document task as it stands, and following one until it ends."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from zoneinfo import ZoneInfo

from zhixing.documents.artifacts.facts import Event
from zhixing.documents.artifacts.folders import read_run_id
from zhixing.documents.artifacts.views import RunView
from zhixing.documents.run import Run, RunState
from zhixing.faces.cli.house import House
from zhixing.faces.document_runs import owner_of, seen_in
from zhixing.faces.document_words import event_line, state_words
from zhixing.kernel.errors import NotFound
from zhixing.kernel.wording import wording

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
    run = home.app.documents.find_run(run_id)
    owner = owner_of(home.app, run.task_id)
    folder = owner.place_of(run)
    return Seen(run, owner.title, owner.zone, folder, seen_in(folder))


def follow(home: House, seen: Seen, tell: Callable[[str], None], seconds: int) -> Seen:
    """Tell of each step of a run until it ends, at most `seconds`; return how it stands then."""
    clock, never = home.app.clock, threading.Event()
    end = clock.monotonic() + seconds
    told: tuple[Event, ...] = ()
    state: RunState | None = None
    while True:
        if seen.run.state is not state and seen.run.state.open:
            tell(wording("city.watch_state", run=seen.run.id, state=state_words(seen.run)))
        state = seen.run.state
        if seen.files is not None and seen.files.progress is not None:
            events = seen.files.progress.events
            for event in events:
                if event not in told:
                    tell(event_line(event, seen.zone))
            told = events
        if not state.open or clock.monotonic() >= end:
            return seen
        clock.wait(never, _LOOK)
        seen = look(home, seen.run.id)
