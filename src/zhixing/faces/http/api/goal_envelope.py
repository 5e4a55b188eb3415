"""The one shape of every answer under the collaboration API, errors of the door among them (taskloop §2.1).

`code` is the HTTP status times a thousand and `message` a fixed text, both for programs; `detail` is a line for people,
and `error` its name in the catalogue. `success` says the same as the status.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from typing import Any

import msgspec
from pydantic import BaseModel, Field
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import Scope

from zhixing.kernel.errors import BadInput, Conflict, ZhixingError

PREFIX = "/api/v1/collaboration/tasks"
REQUEST_ID = "X-Request-Id"
_GIVEN_ID = re.compile(r"[\x21-\x7e]{1,128}")
_KEPT_ID = "zhixing.request_id"

_MESSAGES = {
    400: "Bad request",
    401: "Unauthorized",
    403: "Forbidden",
    404: "Not found",
    405: "Method not allowed",
    409: "Illegal state transition",
    413: "Payload too large",
    415: "Unsupported media type",
    422: "Unprocessable entity",
    429: "Too many requests",
    503: "Service unavailable",
}


class Unprocessable(BadInput):
    """A body that cannot be used."""

    status = 422


class BrokenShape(Conflict):
    """The graph would not be a tree of new nodes any more."""


class AlreadyThere(Conflict):
    """There is such a goal, and it is another one."""


class GoalAnswer(BaseModel):
    """Every answer; without success `data` is null, and `detail` and `error` say more."""

    success: bool
    code: int = Field(description="200000, or the HTTP status times a thousand.", examples=[200000])
    message: str = Field(description="A fixed text; `idempotent` and `recorded` for repeats.", examples=["OK"])
    data: Any = None
    request_id: str = Field(description="That of the header `X-Request-Id`, or a new one.")
    detail: str | None = Field(default=None, description="One line for people.")
    error: str | None = Field(default=None, description="Stays the same; for programs.")


def belongs_here(path: str) -> bool:
    """Whether a path lies under the collaboration API."""
    return path == PREFIX or path.startswith(f"{PREFIX}/")


def request_id_of(scope: Scope) -> str:
    """Return the id of a request: the one that came with it if it can be one, else one that stays with it."""
    found = scope.get(_KEPT_ID)
    if not isinstance(found, str):
        given = Headers(scope=scope).get(REQUEST_ID, "")
        found = given if _GIVEN_ID.fullmatch(given) else secrets.token_hex(16)
        scope[_KEPT_ID] = found
    return found


def answered(scope: Scope, data: object, message: str = "OK") -> Response:
    """Say that something was done."""
    return _response(scope, 200, {"success": True, "code": 200_000, "message": message, "data": data}, {})


def refused(scope: Scope, error: ZhixingError, line: str, headers: Mapping[str, str]) -> Response:
    """Say that something was not done; `line` is for people."""
    body = {
        "success": False,
        "code": error.status * 1000,
        "message": _message_of(error),
        "data": None,
        "detail": line,
        "error": error.key,
    }
    return _response(scope, error.status, body, headers)


def _message_of(error: ZhixingError) -> str:
    match error:
        case BrokenShape():
            return "Graph integrity violated"
        case AlreadyThere():
            return "Task graph already exists"
        case _:
            return _MESSAGES.get(error.status, "Internal error")


def _response(scope: Scope, status: int, body: dict[str, Any], headers: Mapping[str, str]) -> Response:
    request_id = request_id_of(scope)
    content = msgspec.json.encode({**body, "request_id": request_id})
    return Response(content, status, {**headers, REQUEST_ID: request_id}, "application/json")
