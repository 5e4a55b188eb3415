"""Runs of document tasks: which one somebody means, whose it is, and what he gets of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from zhixing.app import App
from zhixing.documents.artifacts.folders import read_run_id
from zhixing.documents.artifacts.reading import read_artifact, read_run
from zhixing.documents.artifacts.views import RunView, Text
from zhixing.documents.fields import shown
from zhixing.documents.operations import Documents, DocumentView
from zhixing.documents.run import Run
from zhixing.faces import document_wire
from zhixing.faces.wire import Wire
from zhixing.kernel.errors import BadInput, NotFound, Unavailable
from zhixing.kernel.moments import zone as find_zone
from zhixing.tasks import store as tasks

_LONGEST_FILE_NAME = 255
"""Bytes of a file name that systems take."""


def find_run(documents: Documents, written: str) -> Run:
    """Return the run of that id; raise `NotFound`."""
    if read_run_id(written) is None:
        raise NotFound("document_run_unknown", id=shown(written))
    return documents.find_run(written)


def folder_of(documents: Documents, run: Run) -> Path | None:
    """Return the folder of a run; None when its task is gone."""
    try:
        return documents.run_folder(run)
    except NotFound:
        return None


def seen_in(folder: Path | None) -> RunView | None:
    """Return what the files of a run say; None where there are none yet, or any more."""
    if folder is None:
        return None
    try:
        return read_run(folder)
    except (NotFound, Unavailable):
        return None


def artifact_of(documents: Documents, run: Run, name: str) -> Text:
    """Return the beginning of a file of a run. Raises `NotFound` for one that is not listed, and `Unavailable`."""
    folder = folder_of(documents, run)
    if folder is None or name.startswith(".") or len(name.encode(errors="replace")) > _LONGEST_FILE_NAME:
        raise NotFound("http_document_artifact_unknown", name=shown(name), run=run.id)
    try:
        return read_artifact(folder, name)
    except BadInput as error:
        raise NotFound("http_document_artifact_unknown", name=shown(name), run=run.id) from error


@dataclass(frozen=True, slots=True)
class Owner:
    """The task of a run. `folder` is None when its file is gone."""

    title: str
    zone: ZoneInfo
    folder: Path | None = None

    def place_of(self, run: Run) -> Path | None:
        """Return the folder of a run."""
        return None if self.folder is None else self.folder / run.id


def owner_of(app: App, task_id: str) -> Owner:
    """Return the task of a run; one whose file is gone is still known by its row."""
    with app.store.read() as tx:
        view = app.documents.seen(tx, task_id)
        if view is not None:
            return Owner(view.title, find_zone(view.zone), view.file.parent)
        task = tasks.get(tx, task_id)
    return Owner(task.title, find_zone(task.zone))


def owners_of(app: App, runs: Iterable[Run]) -> dict[str, Owner]:
    """Return the tasks of runs, by number."""
    return {task_id: owner_of(app, task_id) for task_id in {run.task_id for run in runs}}


def of_run(app: App, run: Run) -> Wire:
    """Write a run with what the files in its folder say."""
    owner = owner_of(app, run.task_id)
    wire: Wire = storable(_of_run(run, owner, seen=seen_in(owner.place_of(run))))
    return wire


def _of_run(run: Run, owner: Owner, *, seen: RunView | None) -> Wire:
    return {"title": owner.title, **document_wire.of_run(run, owner.place_of(run), owner.zone, seen=seen)}


def page_of_runs(app: App, view: DocumentView | None, *, limit: int, before: str | None) -> Wire:
    """Write runs of a task, None: of all, the newest first, without what is in their folders. Raises `BadInput`."""
    if view is not None and view.task_id is None:
        return {"runs": [], "more": None}
    task_id = None if view is None else view.task_id
    found = app.documents.runs(task_id=task_id, limit=limit + 1, before=_before_run(before))
    runs, more = found[:limit], found[limit - 1].id if len(found) > limit else None
    owners = owners_of(app, runs)
    return {"runs": [_of_run(run, owners[run.task_id], seen=None) for run in runs], "more": more}


def _before_run(written: str | None) -> str | None:
    if written is not None and read_run_id(written) is None:
        raise BadInput("cursor_unreadable", text=shown(written))
    return written


def storable(value: Any) -> Any:
    """Return JSON in which every text can be sent: the files of a run say what they like, also half characters."""
    match value:
        case str():
            return value.encode(errors="replace").decode()
        case dict():
            return {storable(key): storable(each) for key, each in value.items()}
        case list():
            return [storable(each) for each in value]
        case _:
            return value
