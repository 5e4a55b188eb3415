"""Which document task, project or run somebody means, and what he gives read as a definition or a whole text.

For callers who are not at the machine: what they name is checked before any folder is touched.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from enum import Enum
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from zhixing.app import App
from zhixing.documents import files
from zhixing.documents.artifacts.folders import read_run_id
from zhixing.documents.artifacts.reading import read_artifact, read_run
from zhixing.documents.artifacts.views import RunView, Text
from zhixing.documents.fields import shown
from zhixing.documents.files import digest_of
from zhixing.documents.frontmatter import write_value
from zhixing.documents.model import Definition
from zhixing.documents.operations import Documents, DocumentView
from zhixing.documents.reading import KNOWN, LEGACY, read_definition
from zhixing.documents.run import Run
from zhixing.documents.when import MANUAL
from zhixing.documents.yamlblock import Value
from zhixing.faces import document_wire
from zhixing.faces.wire import Wire
from zhixing.kernel.errors import BadInput, Conflict, NotFound, Unavailable, ZhixingError
from zhixing.kernel.moments import iso
from zhixing.kernel.moments import zone as find_zone
from zhixing.tasks import store as tasks

LONGEST_PROJECT = 1_024
"""Characters of the path of a project."""
MOST_NEXT = 100
"""Instants that are given of a task at once."""
LARGEST_PAGE = 200
"""Tasks, or runs, that are given at once."""

_LONGEST_FILE_NAME = 255
"""Bytes of a file name that systems take."""
_ID = re.compile(r"t[0-9]{1,18}", re.ASCII)


def known_project(documents: Documents, written: str | None) -> Path:
    """Return the project that is meant among those that are known; None is the home's own.

    Raises `NotFound` for one that is not known, so that looking makes no folder. Raises `BadInput`.
    """
    if written is None:
        return documents.project(None)
    project = files.project_of(_absolute(written))
    if project not in documents.projects():
        raise NotFound("http_document_project_unknown", path=shown(written))
    return project


def _absolute(written: str) -> Path:
    path = Path(written)
    if not written.isprintable() or len(written) > LONGEST_PROJECT or not path.is_absolute() or ".." in path.parts:
        raise BadInput("http_document_project_wrong", path=shown(written))
    return path


def find_document(documents: Documents, written: str, project: str | None = None) -> DocumentView:
    """Return the task of a number (`t12`), or of an exact title in a project. Numbers come first.

    Raises `NotFound`, and as `known_project` does.
    """
    if "\0" in written:
        raise NotFound("document_unknown", title=shown(written))
    if _ID.fullmatch(written):
        try:
            documents.sync(documents.of_task(written).project)
            return documents.of_task(written)
        except NotFound:
            pass  # a title may look like a number, too
    return documents.get(known_project(documents, project), written)


def find_run(documents: Documents, written: str) -> Run:
    """Return the run of that id; raise `NotFound`."""
    if read_run_id(written) is None:
        raise NotFound("document_run_unknown", id=shown(written))
    return documents.find_run(written)


def before_run(written: str | None) -> str | None:
    """Return the id of the run that a page ends before. Raises `BadInput`."""
    if written is not None and read_run_id(written) is None:
        raise BadInput("cursor_unreadable", text=shown(written))
    return written


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


def of_runs(app: App, runs: Iterable[Run]) -> list[Wire]:
    """Write runs with the titles of their tasks, without what is in their folders."""
    whose: dict[str, tuple[str | None, ZoneInfo, Path | None]] = {}
    written = []
    for run in runs:
        if run.task_id not in whose:
            whose[run.task_id] = _task_of(app, run)
        title, zone, folder = whose[run.task_id]
        place = None if folder is None else folder / run.id
        written.append({"title": title, **document_wire.of_run(run, place, zone)})
    return written


def of_run(app: App, run: Run) -> Wire:
    """Write a run with what the files in its folder say."""
    title, zone, folder = _task_of(app, run)
    place = None if folder is None else folder / run.id
    wire: Wire = storable({"title": title, **document_wire.of_run(run, place, zone, seen=seen_in(place))})
    return wire


def zone_of(app: App, run: Run) -> ZoneInfo:
    """Return the zone in which the instants of a run are written."""
    return _task_of(app, run)[1]


def _task_of(app: App, run: Run) -> tuple[str | None, ZoneInfo, Path | None]:
    """Return title, zone and folder of the task of a run; the folder is None when the file is gone."""
    try:
        view = app.documents.of_task(run.task_id)
    except NotFound:
        with app.store.read() as tx:
            task = tasks.find(tx, run.task_id)
        return (None, find_zone(app.zone.name), None) if task is None else (task.title, find_zone(task.zone), None)
    return view.title, find_zone(view.zone), view.file.parent


def of_written(documents: Documents, view: DocumentView) -> Wire:
    """Write a task that was just written, with what is worth a remark about its file."""
    findings = [] if view.fault is not None else documents.validate(documents.text(view))
    return {**document_wire.of_document(view), "findings": document_wire.of_findings(findings)}


def of_text(documents: Documents, view: DocumentView) -> Wire:
    """Write the text of a task's file with the revision to give back."""
    text = documents.text(view)
    return {"title": view.title, "taskMdPath": str(view.file), "revision": digest_of(text), "text": text}


def of_validated(documents: Documents, text: str) -> Wire:
    """Write whether a text can be a task.md, why not, and what is worth a remark."""
    try:
        findings = documents.validate(text)
    except ZhixingError as error:
        return {"valid": False, "error": {"code": error.key, "message": str(error)}, "findings": []}
    return {"valid": True, "error": None, "findings": document_wire.of_findings(findings)}


def of_next(documents: Documents, view: DocumentView, count: int) -> Wire:
    """Write the next instants of a task, as they would be were it enabled. Raises what is wrong with its file."""
    if view.fault is not None:
        raise view.fault
    zone = find_zone(view.zone)
    whole = document_wire.of_document(view)
    kept = {name: whole[name] for name in ("title", "taskId", "status", "when", "whenWords", "zone")}
    return {**kept, "next": [iso(at, zone) for at in documents.next_runs(view, count)]}


def fields_of(given: Mapping[str, Any]) -> dict[str, Value | None]:
    """Return values as the fields of a file, which `given` names as a file does; None takes a field out.

    `when` is never taken out: without one, a task is run by hand. Older fields in its place go with a new one.
    """
    fields = {name: _field(value) for name, value in given.items()}
    if "when" in fields:
        fields["when"] = fields["when"] or MANUAL
        fields |= dict.fromkeys(LEGACY)
    return fields


def _field(value: object) -> Value | None:
    match value:
        case None | []:
            return None
        case bool():
            return "true" if value else "false"
        case Enum():
            return str(value.value)
        case list():
            return tuple(str(each) for each in value)
        case _:
            return str(value)


def new_definition(fields: Mapping[str, Value | None], body: str) -> Definition:
    """Return what a new file of these fields says. Raises as `read_definition` does."""
    given = ((name, fields.get(name)) for name in KNOWN)
    lines = "".join(f"{name}: {write_value(value)}\n" for name, value in given if value is not None)
    return read_definition(f"---\n{lines}---\n\n{body}\n")


def rewrite(documents: Documents, view: DocumentView, text: str, *, revision: str | None = None) -> DocumentView:
    """Give the file of a task another text, as an editor does; what cannot be taken in changes nothing.

    With `revision`, a `Conflict` when the file is not that any more. Raises as `read_definition` and syncing do.
    """
    title, project = read_definition(text).title, view.project
    with files.locked(project):
        view = documents.get(project, view.title)
        before = _text_of(view)
        if revision is not None and revision != (view.revision if before is None else digest_of(before)):
            raise Conflict("document_changed", title=shown(view.title))
        if text == before:
            return view
        files.write_text(project, view.folder, text)
        after = _in_folder(documents, view, title)
        if after.fault is not None:
            if before is not None:
                files.write_text(project, view.folder, before)
                documents.sync(project)
            raise after.fault
        return after


def _text_of(view: DocumentView) -> str | None:
    """Return the text of a file; None of one that is none."""
    try:
        return files.read_text(view.project, view.folder)
    except BadInput:
        return None


def _in_folder(documents: Documents, view: DocumentView, title: str) -> DocumentView:
    """Return the task in the folder of `view`, whose file now says that title."""
    for known_as in (title, view.title):
        try:
            found = documents.get(view.project, known_as)
        except NotFound:
            continue
        if found.folder == view.folder:
            return found
    raise NotFound("document_file_gone", folder=view.folder)


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
