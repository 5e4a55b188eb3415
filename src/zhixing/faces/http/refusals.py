"""What a caller is told when something is wrong: one line, one shape, whatever went wrong and wherever.

A program gets `{"error": {"code", "message"}}`, a person a page with the same line. The code is the catalogue key of
the error, so that it can be looked up and tested for. Under the collaboration API everything has the shape of that API.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.types import Scope

from zhixing.faces.http.api.bodies import MANY, ONE
from zhixing.faces.http.api.goal_envelope import belongs_here, refused
from zhixing.faces.web.front import front_of
from zhixing.faces.web.language import language_of, line_of
from zhixing.kernel.errors import BadInput, NotFound, Refused, TooLarge, ZhixingError
from zhixing.kernel.wording import wording

API = "/api/"
_LONGEST_NAME = 64

_PROBLEMS = {
    "int_type": "integer",
    "int_parsing": "integer",
    "int_parsing_size": "integer",
    "int_from_float": "integer",
    "string_type": "text",
    "bool_type": "truth",
    "bool_parsing": "truth",
    "enum": "choice",
    "literal_error": "choice",
    "greater_than_equal": "too_small",
    "less_than_equal": "too_large",
}


class Unauthenticated(Refused):
    """Nobody knows who asks."""

    status = 401


class TooOften(Refused):
    """It was tried too often."""

    status = 429


class WrongMethod(BadInput):
    """The address is right, what is asked of it is not."""

    status = 405


class WrongMedia(BadInput):
    """The body is in a format that is not read here."""

    status = 415


class Broken(ZhixingError):
    """We made a mistake; the log says which."""


def answer(scope: Scope, error: ZhixingError, headers: Mapping[str, str] | None = None) -> Response:
    """Tell whoever asked what is wrong."""
    given, path = dict(headers or {}), scope["path"]
    if path.startswith(API):
        line = line_of(error, "zh")
        if error.status == 401:
            given["WWW-Authenticate"] = "Bearer"
        if belongs_here(path):
            return refused(scope, error, line, given)
        content = {"error": {"code": error.key, "message": line}}
        return JSONResponse(content, status_code=error.status, headers=given)
    front, line = front_of(scope), line_of(error, language_of(scope))
    page = front.door(scope, line) if error.status == 401 else front.turned_away(scope, line)
    return HTMLResponse(page, status_code=error.status, headers=given)


def install(api: FastAPI) -> None:
    """Answer every error of `api` in the one shape."""
    api.add_exception_handler(ZhixingError, _known)
    api.add_exception_handler(RequestValidationError, _invalid)
    api.add_exception_handler(HTTPException, _http)


async def _known(request: Request, error: Exception) -> Response:
    assert isinstance(error, ZhixingError)  # noqa: S101 - registered for these
    return answer(request.scope, error)


async def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)  # noqa: S101 - registered for these
    return answer(request.scope, explain(error.errors()))


async def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101 - registered for these
    path = request.scope["path"]
    return answer(request.scope, _of_status(error.status_code, path, request.method, error.detail), error.headers)


def _of_status(status: int, path: str, method: str, detail: object) -> ZhixingError:
    """Word what the framework found by itself."""
    shown = path[:_LONGEST_NAME]
    match status:
        case 404:
            return NotFound("route_unknown", path=shown)
        case 405:
            return WrongMethod("method_wrong", path=shown, method=method[:16])
        case 413:
            return TooLarge("body_large", limit=detail)
        case 400 | 422:
            return BadInput("body_unreadable")
        case _:
            return Broken("internal")


def explain(found: Sequence[Mapping[str, Any]]) -> ZhixingError:
    """Turn the first thing pydantic found into our error. A mistyped name is why another one is missing."""
    details = next((each for each in found if each["type"] == "extra_forbidden"), found[0])
    kind = str(details["type"])
    path = [str(part) for part in details["loc"][1:] if part not in (ONE, MANY)]
    name = ".".join(path)[:_LONGEST_NAME]
    if kind == "json_invalid":
        return BadInput("body_broken", position=details["loc"][-1])
    if kind in ("text_unstorable", "string_unicode"):
        return BadInput("text_unstorable")
    if not path:
        return BadInput("body_missing" if kind == "missing" else "body_no_object")
    if kind == "extra_forbidden":
        return BadInput("field_unknown", name=name)
    if kind == "missing":
        return BadInput("field_missing", name=name)
    return BadInput("field_wrong", name=name, problem=_problem(kind, details.get("ctx") or {}))


def _problem(kind: str, context: Mapping[str, Any]) -> str:
    return wording(
        f"settings.problem_{_PROBLEMS.get(kind, 'unusable')}",
        bound=context.get("ge", context.get("le", "")),
        choices=str(context.get("expected", "")).replace("'", "").replace(" or ", " / "),
    )
