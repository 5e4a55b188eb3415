"""Bodies that are read as they come: many verdicts at once, and plans whose shape is another room's."""

from __future__ import annotations

import re
from typing import Any

import msgspec
from starlette.requests import Request

from zhixing.kernel.errors import BadInput

_PLACE = re.compile(r"\(byte ([0-9]+)\)")


async def json_of(request: Request) -> Any:
    """Return the JSON of a request's body. Raises `BadInput` with the place where it breaks off."""
    return decoded(await request.body())


def decoded(body: bytes) -> Any:
    """Return the JSON of a body. Raises `BadInput` with the place where it breaks off."""
    if not body:
        raise BadInput("body_missing")
    try:
        return msgspec.json.decode(body)
    except msgspec.DecodeError as error:
        place = _PLACE.search(str(error))
        if place is None:
            raise BadInput("body_unreadable") from error
        raise BadInput("body_broken", position=int(place[1])) from error
    except RecursionError as error:
        raise BadInput("body_unreadable") from error
