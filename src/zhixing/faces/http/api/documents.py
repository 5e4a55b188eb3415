"""Document tasks: what can be done with them and their runs. Fields and answers are called as in the document."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Header, Query, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import JSONResponse, PlainTextResponse, Response

from zhixing.documents.model import Standing
from zhixing.documents.operations import Change, DocumentView
from zhixing.documents.run import Run
from zhixing.documents.when import MANUAL
from zhixing.faces import document_wire
from zhixing.faces.document_access import (
    LARGEST_PAGE,
    LONGEST_PROJECT,
    MOST_NEXT,
    find_document,
    known_project,
    new_definition,
    of_next,
    of_text,
    of_validated,
    of_written,
    page_of_documents,
    rewrite,
)
from zhixing.faces.document_runs import artifact_of, find_run, of_run, owner_of, page_of_runs, storable
from zhixing.faces.http.api import document_bodies as bodies
from zhixing.faces.http.api import document_shapes as shapes
from zhixing.faces.http.feed import SILENCE, EventStream, event
from zhixing.faces.http.home import AtHome, Home
from zhixing.faces.http.run_feed import Page, RunFeed
from zhixing.faces.wire import Wire
from zhixing.kernel.errors import BadInput, StoreUnavailable

WHO = "http"

router = APIRouter(tags=["documents"])

_FAULT = {"$ref": "#/components/schemas/Fault"}
_LARGEST_NUMBER = 2**63 - 1
Project = Annotated[
    str | None,
    Query(
        max_length=LONGEST_PROJECT,
        description="Folder of the project. Not given: the home's own. A task that is named by its number needs none.",
    ),
]
Limit = Annotated[int, Query(ge=1, le=LARGEST_PAGE, description="At most so many.")]
Before = Annotated[str | None, Query(description="The `more` of the page before.")]
Number = Annotated[int | None, Query(ge=0, le=_LARGEST_NUMBER, description="Only what came after this line.")]
LastNumber = Annotated[int | None, Header(ge=0, le=_LARGEST_NUMBER, description="The last id seen; wins over `after`.")]

# A title may hold a slash, so it takes all that is left of a path; what stands behind one is asked for first.


@router.get("/documents", response_model=shapes.Documents, response_model_exclude_unset=True)
def list_documents(
    home: AtHome,
    project: Project = None,
    status: Annotated[Standing | None, Query(description="Only these.")] = None,
    limit: Limit = LARGEST_PAGE,
    after: Annotated[str | None, Query(description="The `more` of the page before.")] = None,
) -> Wire:
    """List the document tasks of a project by folder; those that cannot be read too, unless a status is asked for."""
    return page_of_documents(home.app.documents, project, status=status, limit=limit, after=after)


@router.post(
    "/documents",
    status_code=201,
    responses={
        200: {"model": shapes.CreatedDocument, "description": "There is one of exactly that title."},
        201: {"model": shapes.CreatedDocument, "description": "The task."},
    },
)
def create(home: AtHome, body: bodies.NewDocument) -> Response:
    """Make a document task, unless there is one of exactly that title: then that one, and nothing is changed."""
    documents = home.app.documents
    definition = new_definition({"when": MANUAL, **body.fields()}, body.body)
    project = known_project(documents, body.project)
    made = documents.create(project, definition, who=WHO, overwrite=body.overwrite)
    wire = {**of_written(documents, made.view), "reusedExisting": made.reused}
    return JSONResponse(wire, status_code=200 if made.reused else 201)


@router.post("/documents/validate", response_model=shapes.Validated)
def validate(home: AtHome, body: bodies.CheckedText) -> Wire:
    """Say whether a text can be a task.md, and what is worth a remark; nothing is kept."""
    return of_validated(home.app.documents, body.text)


@router.post("/documents/{title:path}/run", status_code=202, response_model=shapes.AcceptedRun)
def run(home: AtHome, title: str, body: bodies.WantedRun | None = None, project: Project = None) -> Wire:
    """Run a task in the background, whatever its status. Its result is sent to its chat by itself."""
    view, wanted = find_document(home.app.documents, title, project), body or bodies.WantedRun()
    accepted = home.app.documents.run(
        view.project, view.title, who=WHO, reason=wanted.reason, queue=wanted.queue, session_id=wanted.session_id
    )
    return document_wire.of_accepted(accepted)


@router.post("/documents/{title:path}/enable", response_model=shapes.Document, response_model_exclude_unset=True)
def enable(home: AtHome, title: str, project: Project = None) -> Wire:
    """Let a task run by its schedule; the same again changes nothing."""
    return _stand(home, find_document(home.app.documents, title, project), Standing.ENABLED)


@router.post("/documents/{title:path}/disable", response_model=shapes.Document, response_model_exclude_unset=True)
def disable(home: AtHome, title: str, project: Project = None) -> Wire:
    """Stop a task's schedule; it can still be run by hand. The same again changes nothing."""
    return _stand(home, find_document(home.app.documents, title, project), Standing.DISABLED)


@router.post("/documents/{title:path}/status", response_model=shapes.Document, response_model_exclude_unset=True)
def stand(home: AtHome, title: str, body: bodies.WantedStatus, project: Project = None) -> Wire:
    """Enable, pause or disable a task; the same again changes nothing."""
    return _stand(home, find_document(home.app.documents, title, project), body.status)


@router.get("/documents/{title:path}/next", response_model=shapes.NextRuns)
def following(
    home: AtHome,
    title: str,
    project: Project = None,
    count: Annotated[int, Query(ge=1, le=MOST_NEXT, description="How many.")] = 5,
) -> Wire:
    """List the next instants of a task, as they would be were it enabled."""
    return of_next(home.app.documents, find_document(home.app.documents, title, project), count)


@router.get("/documents/{title:path}/text", response_model=shapes.DocumentText)
def text(home: AtHome, title: str, project: Project = None) -> Wire:
    """Show the text of a task's file, to be edited."""
    return of_text(home.app.documents, find_document(home.app.documents, title, project))


@router.put("/documents/{title:path}/text", response_model=shapes.WrittenDocument, response_model_exclude_unset=True)
def replace(home: AtHome, title: str, body: bodies.WantedText, project: Project = None) -> Wire:
    """Give a task's file another text, as an editor does; one that cannot be a task changes nothing."""
    documents = home.app.documents
    view = find_document(documents, title, project)
    return of_written(documents, rewrite(documents, view, body.text, revision=body.revision))


@router.get("/documents/{title:path}/runs", response_model=shapes.DocumentRuns, response_model_exclude_unset=True)
def runs_of(home: AtHome, title: str, project: Project = None, limit: Limit = 50, before: Before = None) -> Wire:
    """List the runs of a task, the newest first."""
    return page_of_runs(home.app, find_document(home.app.documents, title, project), limit=limit, before=before)


@router.get("/documents/{title:path}", response_model=shapes.Document, response_model_exclude_unset=True)
def show(home: AtHome, title: str, project: Project = None) -> Wire:
    """Show one document task, by its title or its number (`t12`)."""
    return document_wire.of_document(find_document(home.app.documents, title, project))


@router.patch("/documents/{title:path}", response_model=shapes.WrittenDocument, response_model_exclude_unset=True)
def change(home: AtHome, title: str, body: bodies.ChangedDocument, project: Project = None) -> Wire:
    """Change what is given of a task; the rest of its file stays as it is written, to the byte."""
    fields, new_body = body.fields(), body.body if "body" in body.model_fields_set else None
    if not fields and new_body is None:
        raise BadInput("http_document_nothing")
    documents = home.app.documents
    view = find_document(documents, title, project)
    changed = documents.update(view.project, view.title, Change(fields, new_body), who=WHO, revision=body.revision)
    return of_written(documents, changed)


@router.delete("/documents/{title:path}", response_model=shapes.Document, response_model_exclude_unset=True)
def delete(home: AtHome, title: str, project: Project = None) -> Wire:
    """Take a task away with all its runs; a run under way is cancelled. What it was is returned."""
    view = find_document(home.app.documents, title, project)
    return document_wire.of_document(home.app.documents.delete(view.project, view.title, who=WHO))


@router.get("/document-runs", response_model=shapes.DocumentRuns, response_model_exclude_unset=True)
def list_runs(home: AtHome, limit: Limit = 50, before: Before = None) -> Wire:
    """List the runs of all document tasks, the newest first."""
    return page_of_runs(home.app, None, limit=limit, before=before)


@router.get("/document-runs/{run}", response_model=shapes.DocumentRun, response_model_exclude_unset=True)
def show_run(home: AtHome, run: str) -> Wire:
    """Show one run: where it is, how far, what its files say and which there are."""
    return of_run(home.app, find_run(home.app.documents, run))


@router.get(
    "/document-runs/{run}/artifacts/{name}",
    response_class=PlainTextResponse,
    responses={
        200: {"description": "The beginning of the file, as text; `X-Zhixing-Cut` is true where there is more."},
        "default": {"description": "It was not done.", "content": {"application/json": {"schema": _FAULT}}},
    },
)
def artifact(home: AtHome, run: str, name: str) -> Response:
    """Give a file of a run as text, to be looked at and not to be run."""
    documents = home.app.documents
    found = artifact_of(documents, find_run(documents, run), name)
    headers = {
        "Content-Disposition": f"attachment; filename*=UTF-8''{quote(found.name, safe='')}",
        "X-Zhixing-Bytes": str(found.size),
        "X-Zhixing-Cut": "true" if found.cut else "false",
    }
    return PlainTextResponse(storable(found.text), headers=headers)


@router.post("/document-runs/{run}/cancel", response_model=shapes.DocumentRun, response_model_exclude_unset=True)
def cancel(home: AtHome, run: str) -> Wire:
    """Call off a run: one that waits at once, one under way as soon as it lets go; one that has ended stays so."""
    documents = home.app.documents
    return of_run(home.app, documents.cancel(find_run(documents, run).id, who=WHO))


@router.get(
    "/document-runs/{run}/events",
    status_code=200,
    response_class=EventStream,
    responses={
        200: {"model": shapes.ProgressLine, "description": "Each line under its number; then the event `ended`."},
        204: {"description": "The last id is that of `ended`: nothing more comes."},
        # The framework would write the form of the stream beside it.
        "default": {"description": "It was not done.", "content": {"application/json": {"schema": _FAULT}}},
    },
)
async def events(
    request: Request, home: AtHome, run: str, after: Number = None, last_event_id: LastNumber = None
) -> Response:
    """Follow a run: its lines of progress behind `after` or `Last-Event-ID`, as they come; `ended` has the run."""
    feed: RunFeed = request.app.state.run_feed
    feed.check_room()
    found = await run_in_threadpool(find_run, home.app.documents, run)
    seen = last_event_id if last_event_id is not None else after or 0
    known = await run_in_threadpool(feed.read, found.id, seen)
    if known.ended is not None and seen >= known.last:
        return Response(status_code=204)
    return EventStream(_events(feed, home, found, seen))


async def _events(feed: RunFeed, home: Home, run: Run, after: int) -> AsyncIterator[bytes]:
    # So that also a reader who is cut off before the first line comes back to this place.
    yield event(after)
    async for page in feed.follow(run.id, after):
        try:
            written = await run_in_threadpool(_written, home, run, page)
        except StoreUnavailable:
            return  # whoever comes back with the last id gets these lines
        for each in written:
            yield each


def _written(home: Home, run: Run, page: Page) -> list[bytes]:
    if not page.lines and page.ended is None:
        return [SILENCE]
    zone = owner_of(home.app, run.task_id).zone
    written = [event(line.number, _json(document_wire.of_event(line.event, zone))) for line in page.lines]
    if page.ended is not None:
        written.append(b"event: ended\n" + event(page.last, _json(of_run(home.app, page.ended))))
    return written


def _json(value: Any) -> bytes:
    return json.dumps(storable(value), ensure_ascii=False, separators=(",", ":")).encode()


def _stand(home: Home, view: DocumentView, status: Standing) -> Wire:
    return document_wire.of_document(home.app.documents.set_status(view.project, view.title, status, who=WHO))
