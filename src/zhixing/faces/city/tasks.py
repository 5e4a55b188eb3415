"""task list, show, next, validate, delete: looking at tasks, and taking one away."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from zhixing.documents.artifacts.reading import read_artifact, read_run
from zhixing.documents.model import Standing
from zhixing.documents.operations import DocumentView
from zhixing.documents.reading import read_definition
from zhixing.documents.run import Run
from zhixing.documents.when import run_line, when_words
from zhixing.faces.city.fields import LARGEST_BODY, Maybe, MaybeStatus, Title, plain, text_of_file
from zhixing.faces.city.here import Answer, AtHere, Project, Wire, changing, looking
from zhixing.faces.city.replies import scheduled
from zhixing.faces.cli.desk import WHO
from zhixing.faces.cli.house import house
from zhixing.faces.cli.options import within
from zhixing.faces.cli.projects import titled
from zhixing.faces.cli.usage import Usage
from zhixing.faces.document_access import remarks
from zhixing.faces.document_wire import of_document, of_findings, of_run
from zhixing.faces.document_words import finding_line, run_lines, task_lines, task_rows
from zhixing.kernel.errors import NotFound
from zhixing.kernel.moments import zone as find_zone
from zhixing.kernel.wording import wording

MOST_NEXT = 50
"""Next instants that are listed."""
LAST = "last"
"""What stands for the newest run."""

Count = Annotated[int, Parameter(name="--count")]
RunId = Annotated[str | None, Parameter(name="--run", negative=())]
MaybeTitle = Annotated[str | None, Parameter(name="TITLE")]


def list_(*, status: MaybeStatus = None, here: AtHere) -> Answer:
    """List the tasks of a project; broken ones have their error."""
    with looking(here) as project:
        views = project.documents.tasks_of(project.path, status=None if status is None else Standing(status))
    lines = [] if views else [wording("city.none", project=project.path)]
    return Answer({"success": True, "tasks": [of_document(view) for view in views]}, lines, task_rows(views))


def adopt(*, here: AtHere) -> Answer:
    """Let what is in a project count: tasks that are enabled there run from now on."""
    with house(here.desk) as home:
        documents = home.app.documents
        folder = documents.project(None) if here.folder is None else here.folder
        views, notes = documents.tasks_of(documents.adopt(folder)), home.document_notes()
    line = wording("city.adopted", count=len(views))
    data = {"success": True, "message": line, "tasks": [of_document(view) for view in views], "notes": notes}
    return Answer(data, [line, *notes], task_rows(views))


def show(title: Title, /, *, run: RunId = None, artifact: Maybe = None, here: AtHere) -> Answer:
    """Show a task with the text of its file, one of its runs, or a file of that run."""
    with looking(here) as project:
        view = view_of(project, title)
        if run is None and artifact is None:
            return _task(project, view)
        found = _run_of(project, view, LAST if run is None else run.strip())
        folder, zone = project.documents.run_folder(found), find_zone(view.zone)
    if artifact is not None:
        text = read_artifact(folder, artifact)
        data = {"executionId": found.id, "name": text.name, "bytes": text.size, "cut": text.cut, "text": text.text}
        return Answer({"success": True, **data}, [text.text])
    seen = read_run(folder) if folder.is_dir() else None
    shape = of_run(found, folder, zone, seen=seen)
    return Answer({"success": True, "run": shape}, run_lines(found, zone, title=view.title, seen=seen))


def next_(title: Title, /, *, count: Count = 5, here: AtHere) -> Answer:
    """Say when a task runs next, or would were it enabled."""
    within("--count", count, 1, MOST_NEXT)
    with looking(here) as project:
        view = view_of(project, title)
        if view.definition is None and view.fault is not None:
            raise view.fault
        instants = project.documents.next_runs(view, count)
    definition = view.definition
    enabled = definition is not None and definition.status is Standing.ENABLED
    data = {"success": True, "title": view.title, **scheduled(view, instants)}
    lines = [run_line(at) for at in instants] or [wording("city.no_next", title=view.title)]
    return Answer(data, lines if enabled or not instants else [wording("city.not_enabled", title=view.title), *lines])


def validate(
    title: MaybeTitle = None, /, *, file: Annotated[str | None, Parameter(name="--file")] = None, here: AtHere
) -> Answer:
    """Check a task.md; what makes it unusable is the error, what is worth a warning is listed."""
    if (title is None) == (file is None):
        raise Usage("city_validate")
    with looking(here) as project:
        if title is not None:
            view = view_of(project, title)
            text = project.documents.text(view)
        else:
            text = text_of_file("" if file is None else file, here, LARGEST_BODY)
        found = project.documents.validate(text)
    definition = read_definition(text)
    if title is not None and view.fault is not None:
        # What is wrong lies outside of the file: a title that another one has, an instant that has passed.
        raise view.fault
    data: Wire = {
        "success": True,
        "usable": True,
        "title": definition.title,
        "whenWords": when_words(definition.when),
        "findings": of_findings(found),
    }
    head = wording("city.usable_but" if found else "city.usable", title=definition.title, count=len(found))
    return Answer(data, [head, *map(finding_line, found)])


def delete(title: Title, /, *, here: AtHere) -> Answer:
    """Take a task away with all its runs."""
    name = plain(title)
    with changing(here) as project, titled(project.documents, project.path, name):
        gone = project.documents.delete(project.path, name, who=WHO)
    stopped = [run.id for run in (gone.active, *gone.waiting) if run is not None]
    message = wording("city.deleted", title=gone.title)
    lines = [message, *(wording("city.cancelling", run=run_id) for run_id in stopped)]
    data = {"success": True, "title": gone.title, "message": message, "taskMdPath": str(gone.file)}
    return Answer({**data, "cancelled": stopped}, lines)


def view_of(project: Project, written: str) -> DocumentView:
    """Return a task by its title; raise `NotFound` with the nearest ones."""
    title = plain(written)
    with titled(project.documents, project.path, title):
        return project.documents.get(project.path, title)


def _task(project: Project, view: DocumentView) -> Answer:
    text = project.documents.text(view)
    found = remarks(project.documents, view)
    data = {"success": True, **of_document(view, text=text), "warnings": of_findings(found)}
    return Answer(data, [*task_lines(view), *map(finding_line, found), "", text])


def _run_of(project: Project, view: DocumentView, wanted: str) -> Run:
    if wanted.lower() in (LAST, "latest"):
        newest = project.documents.runs(task_id=view.task_id, limit=1) if view.task_id is not None else []
        if not newest:
            raise NotFound("city_never_ran", title=view.title)
        return newest[0]
    found = project.documents.find_run(wanted)
    if found.task_id != view.task_id:
        raise NotFound("city_run_elsewhere", run=found.id, title=view.title)
    return found
