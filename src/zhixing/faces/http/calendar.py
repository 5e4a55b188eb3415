"""The calendar feed: the one thing here that needs no header, because calendars send none.

Its address holds a token of its own, which opens nothing else.
"""

from __future__ import annotations

import hashlib
import hmac
from typing import Annotated

from fastapi import APIRouter, Header, Request
from starlette.responses import Response

from zhixing.faces.http.home import AtHome
from zhixing.kernel.errors import NotFound
from zhixing.notices.feed import CalendarFeed

ROUTE = "/calendar/{token}.ics"

router = APIRouter(include_in_schema=False)


@router.get(ROUTE)
def calendar(
    request: Request, home: AtHome, token: str, if_none_match: Annotated[str | None, Header()] = None
) -> Response:
    """Give the feed to whoever has its address. Calendars that have it already are told so."""
    if not hmac.compare_digest(token.encode(), request.app.state.calendar.encode()):
        raise NotFound("route_unknown", path="/calendar/")
    content = CalendarFeed(home.app.store, home.app.clock).read()
    tag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
    headers = {"ETag": tag, "Cache-Control": "private, no-cache"}
    if if_none_match == tag:
        return Response(status_code=304, headers=headers)
    return Response(content, media_type="text/calendar; charset=utf-8", headers=headers)
