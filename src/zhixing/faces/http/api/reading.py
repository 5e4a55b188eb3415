"""What words and expressions mean, without keeping anything; and whether anybody is here."""

from __future__ import annotations

from importlib import metadata
from typing import Annotated

from fastapi import APIRouter, Body, Query
from starlette.responses import Response

from zhixing.faces import wire
from zhixing.faces.http.api import reading_shapes, shapes
from zhixing.faces.http.api.bodies import Lines
from zhixing.faces.http.home import AtHome
from zhixing.faces.wire import Wire
from zhixing.kernel.errors import TooLarge
from zhixing.kernel.moments import iso, parse_instant
from zhixing.kernel.moments import zone as find_zone
from zhixing.notices.batch import understand_lines
from zhixing.tasks.schedule.expression import parse_expression
from zhixing.tasks.schedule.next import upcoming
from zhixing.world.models import counting

MOST_LINES = 1_000
LONGEST_LOOK = 366
"""Days one can look back."""
MOST_INSTANTS = 100

router = APIRouter(tags=["reading"])


@router.post(
    "/understand",
    responses={
        200: {
            "model": reading_shapes.Understood | list[reading_shapes.Understood],
            "description": "In the order given.",
        }
    },
)
def understand(
    lines: Annotated[Lines, Body(description=f"One, or up to {MOST_LINES:,}.")],
) -> Response:
    """Say what would come of some words, by the contract of `zhixing understand --batch`; nothing is kept.

    What cannot be used has the outcome `rejected` and the reason in `why`; the others are answered.
    """
    several = lines if isinstance(lines, list) else [lines]
    if len(several) > MOST_LINES:
        raise TooLarge("lines_many", limit=MOST_LINES)
    written = b",".join(understand_lines(line.model_dump_json(by_alias=True) for line in several))
    return Response(b"[" + written + b"]" if isinstance(lines, list) else written, media_type="application/json")


@router.get("/usage", response_model=shapes.Usage)
def usage(
    home: AtHome, days: Annotated[int, Query(ge=1, le=LONGEST_LOOK, description="How far to look back.")] = 30
) -> Wire:
    """Show what asking models cost in the last days, by day and model."""
    zone = find_zone(home.app.zone.name)
    first = counting.first_day(home.app.clock.now(), days, zone)
    with home.app.store.read() as tx:
        return wire.of_usage(counting.since(tx, first), first, zone.key)


@router.get("/next", response_model=reading_shapes.Next)
def following(
    home: AtHome,
    expr: Annotated[str, Query(max_length=1000, description="cron, @daily, every 15m, at 2026-10-12T10:00:00+08:00")],
    tz: Annotated[str | None, Query(description="IANA zone. Not given: the home's.")] = None,
    after: Annotated[str | None, Query(description="Instant with an offset. Not given: now.")] = None,
    n: Annotated[int, Query(ge=1, le=MOST_INSTANTS, description="How many.")] = 5,
) -> Wire:
    """List the next instants of an expression."""
    name = home.app.zone.name if tz is None else tz
    zone = find_zone(name)
    start = home.app.clock.now() if after is None else parse_instant(after)
    instants = upcoming(parse_expression(expr, zone), zone, start, n)
    return {"expression": expr, "zone": name, "next": [iso(instant, zone) for instant in instants]}


@router.get("/health", response_model=shapes.Health)
async def health() -> Wire:
    """Say who is listening; needs no token."""
    return {"name": "zhixing", "version": metadata.version("zhixing"), "status": "ok"}
