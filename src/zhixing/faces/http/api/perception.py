"""What eyes say comes in here, many times a minute; and what they have to look for goes out."""

from __future__ import annotations

import msgspec
from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from zhixing.faces import perception_wire
from zhixing.faces.http.api import home_shapes
from zhixing.faces.http.api.home_shapes import ONE_OR_MANY
from zhixing.faces.http.api.raw import json_of
from zhixing.faces.http.home import AtHome
from zhixing.faces.perception_wire import Wire

router = APIRouter(prefix="/perception", tags=["perception"])


@router.post(
    "/verdicts",
    responses={200: {"model": home_shapes.Taken, "description": "What was done with them."}},
    openapi_extra={"requestBody": {"required": True, "content": {"application/json": {"schema": ONE_OR_MANY}}}},
)
async def take(request: Request, home: AtHome) -> Response:
    """Take one verdict, or a list of up to 1,000, in the order in which they were made.

    When this answers, they are on disk, and so is everything that follows from them. A verdict that was given before
    changes nothing.
    """
    body = await json_of(request)
    verdicts = perception_wire.read_many(body) if isinstance(body, list) else [perception_wire.read_one(body)]
    counts = await run_in_threadpool(perception_wire.take, home.app.rules, verdicts)
    return Response(msgspec.json.encode(perception_wire.of_counts(counts)), media_type="application/json")


@router.get("/conditions", response_model=home_shapes.Conditions)
def conditions(home: AtHome) -> Wire:
    """List what has to be judged now, and by whom."""
    with home.app.store.read() as tx:
        asked = home.app.rules.asked(tx)
    return {"conditions": [perception_wire.of_asked(one) for one in asked]}
