"""Coming in and going out, the password, and the language."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Form, Request
from starlette.responses import RedirectResponse, Response

from zhixing.faces.http.refusals import TooOften, Unauthenticated
from zhixing.faces.web.desk import AtDesk, AtFront, Desk, let_in, own_form
from zhixing.faces.web.front import Front, local
from zhixing.faces.web.language import COOKIE as LANGUAGE_COOKIE
from zhixing.faces.web.language import LASTS as LANGUAGE_LASTS
from zhixing.faces.web.language import read_language
from zhixing.faces.web.password import LONGEST, SHORTEST
from zhixing.faces.web.sessions import COOKIE
from zhixing.kernel.errors import BadInput, Refused, ZhixingError

router = APIRouter(include_in_schema=False)
forms = APIRouter(include_in_schema=False, dependencies=[Depends(own_form)])


@router.post("/login")
def log_in(
    request: Request, front: AtFront, token: Annotated[str, Form()] = "", to: Annotated[str, Form()] = "/"
) -> Response:
    """Let in whoever has the token or the password, and lead to where they wanted to go."""
    _check(front, token, Unauthenticated("web_word_wrong" if front.sessions.password.is_set else "token_wrong"))
    response = RedirectResponse(local(to), status_code=303)
    let_in(response, front.sessions, request.scope["scheme"])
    return response


@router.post("/language")
def choose_language(language: Annotated[str, Form()] = "", to: Annotated[str, Form()] = "/") -> Response:
    """Keep the language somebody reads in. It is no secret and changes nothing else, so it needs no session."""
    response = RedirectResponse(local(to), status_code=303)
    chosen = read_language(language)
    response.set_cookie(LANGUAGE_COOKIE, chosen, max_age=LANGUAGE_LASTS, httponly=True, samesite="lax")
    return response


@forms.post("/logout")
def log_out(request: Request) -> Response:
    """Take the cookie away."""
    response = RedirectResponse("/", status_code=303)
    response.delete_cookie(COOKIE, secure=request.scope["scheme"] == "https", httponly=True, samesite="strict")
    return response


@router.get("/password")
def ask_password(desk: AtDesk) -> Response:
    """Show the form for a password."""
    return _password_page(desk)


@forms.post("/password")
def set_password(
    request: Request,
    desk: AtDesk,
    *,
    current: Annotated[str, Form()] = "",
    password: Annotated[str, Form()] = "",
    again: Annotated[str, Form()] = "",
) -> Response:
    """Set the password. Where there is one, it or the token is asked for; every other session ends."""
    front = desk.front
    try:
        if password != again:
            raise BadInput("web_password_differs")
        if front.sessions.password.is_set:
            _check(front, current, Refused("web_word_wrong"))
        front.sessions.password.put(password)
    except ZhixingError as error:
        return _password_page(desk, error)
    response = desk.lead("/", "password_set")
    let_in(response, front.sessions, request.scope["scheme"])
    return response


def _password_page(desk: Desk, refused: ZhixingError | None = None) -> Response:
    return desk.show("password.html", refused=refused, shortest=SHORTEST, longest=LONGEST)


def _check(front: Front, word: str, wrong: ZhixingError) -> None:
    opened = front.sessions.opened_by(word)
    if opened is None:
        raise TooOften("logins_many")
    if not opened:
        raise wrong


router.include_router(forms)
