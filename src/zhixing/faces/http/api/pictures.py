"""Pictures in, and out again as they came."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Header
from starlette.responses import Response

from zhixing.faces import wire
from zhixing.faces.http.api import shapes
from zhixing.faces.http.api.bodies import Shown
from zhixing.faces.http.home import AtHome, read_date, read_upload
from zhixing.faces.wire import Wire
from zhixing.kernel.errors import NotFound
from zhixing.kernel.moments import parse_instant
from zhixing.notices import album
from zhixing.notices.model import Source, Submission

WHO = "http"

router = APIRouter(tags=["tasks"])


@router.post("/pictures", status_code=201, response_model=shapes.Task, response_model_exclude_unset=True)
def show(
    home: AtHome,
    body: Annotated[Shown, Form(media_type="multipart/form-data")],
    idempotency_key: Annotated[
        str | None, Header(description="The same key again changes nothing and returns what the first one became.")
    ] = None,
) -> Wire:
    """Give a picture, with or without words. It is kept first, and looked at by a model as soon as one can."""
    app = home.app
    submission = Submission(
        body.text,
        Source.IMAGE,
        app.clock.now() if body.submitted_at is None else parse_instant(body.submitted_at),
        app.zone.name if body.zone is None else body.zone,
        None if body.message_date is None else read_date(body.message_date),
        body.entry,
    )
    return wire.of_notice(home.show(submission, read_upload(body.file), who=WHO, key=idempotency_key))


@router.get(
    "/tasks/{task_id}/picture",
    response_class=Response,
    responses={200: {"description": "The picture as it came.", "content": {"image/*": {}}}},
)
def picture(home: AtHome, task_id: str) -> Response:
    """Give back the picture of a task, as it came."""
    return picture_response(home, task_id)


def picture_response(home: AtHome, task_id: str) -> Response:
    """Return the picture of a task; raise `NotFound` for one without."""
    with home.app.store.read() as tx:
        found = album.picture_of(tx, task_id)
    if found is None:
        raise NotFound("picture_unknown_task", id=task_id[:64])
    return Response(found.data, media_type=found.facts.media_type)
