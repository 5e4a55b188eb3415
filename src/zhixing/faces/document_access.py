"""Which document task or project somebody means, and what he gives read as a definition or a whole text.

For callers who are not at the machine: what they name is checked before any folder is touched.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import Enum
from pathlib import Path
from typing import Any

from zhixing.documents import files
from zhixing.documents.fields import shown
from zhixing.documents.files import digest_of
from zhixing.documents.findings import Finding
from zhixing.documents.frontmatter import write_value
from zhixing.documents.model import Definition, Standing
from zhixing.documents.operations import Documents, DocumentView
from zhixing.documents.reading import KNOWN, LEGACY, read_definition
from zhixing.documents.when import MANUAL
from zhixing.documents.yamlblock import Value
from zhixing.faces import document_wire
from zhixing.faces.wire import Wire
from zhixing.kernel.errors import BadInput, Conflict, NotFound, ZhixingError
from zhixing.kernel.moments import iso
from zhixing.kernel.moments import zone as find_zone

LONGEST_PROJECT = 1_024
"""Characters of the path of a project."""
MOST_NEXT = 100
"""Instants that are given of a task at once."""
LARGEST_PAGE = 200
"""Tasks, or runs, that are given at once."""

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


def page_of_documents(
    documents: Documents, project: str | None, *, status: Standing | None, limit: int, after: str | None
) -> Wire:
    """Write the tasks of a project by folder, from behind the folder `after`. Raises as `known_project` does."""
    views = documents.tasks_of(known_project(documents, project), status=status)
    found = [view for view in views if after is None or view.folder > after]
    more = found[limit - 1].folder if len(found) > limit else None
    return {"documents": [document_wire.of_document(view) for view in found[:limit]], "more": more}


def remarks(documents: Documents, view: DocumentView) -> list[Finding]:
    """Return what is worth a warning about a task that is there; of a broken one nothing but its fault is known."""
    try:
        return documents.validate(documents.text(view))
    except ZhixingError:
        return []


def of_written(documents: Documents, view: DocumentView) -> Wire:
    """Write a task that was just written, with what is worth a remark about its file."""
    return {**document_wire.of_document(view), "findings": document_wire.of_findings(remarks(documents, view))}


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
