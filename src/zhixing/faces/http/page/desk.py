"""Who may act on the page, and what they see afterwards."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Annotated

from fastapi import Depends, Form, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from zhixing.faces.http.home import AtHome, Home
from zhixing.faces.http.page.sessions import COOKIE, LASTS, Sessions
from zhixing.faces.http.page.templating import render
from zhixing.faces.http.page.views import look
from zhixing.faces.http.refusals import Unauthenticated
from zhixing.kernel.errors import NotFound, Refused, StoreUnavailable, ZhixingError


async def _sessions(request: Request) -> Sessions:
    found: Sessions = request.app.state.sessions
    return found


Known = Annotated[Sessions, Depends(_sessions)]


class Desk:
    """One visitor of one home."""

    def __init__(self, home: Home, sessions: Sessions, cookie: str, scheme: str) -> None:
        self.home = home
        self._sessions = sessions
        self._cookie = cookie
        self._scheme = scheme

    def is_own_form(self, proof: str) -> bool:
        """Whether a form comes from a page this visitor was shown."""
        return self._sessions.is_own_form(self._cookie, proof)

    def page(self, task_id: str | None = None, refused: ZhixingError | None = None, draft: str = "") -> Response:
        """Show the page: with one task in the middle, or with what was refused and the words it was about."""
        line = " ".join(str(refused).split()) if refused else ""
        status = refused.status if refused else 200
        try:
            sight = look(self.home, task_id)
        except NotFound as error:
            return self.page(None, refused or error, draft)
        except StoreUnavailable as error:
            refused = refused or error
            return HTMLResponse(render("refused.html", refused=str(refused), draft=draft), status_code=refused.status)
        response = HTMLResponse(
            render(
                "page.html",
                sight=sight,
                refused=line,
                draft=draft,
                longest=self.home.limits.text_chars,
                key=secrets.token_urlsafe(12),
                proof=self._sessions.form_proof(self._cookie),
            ),
            status_code=status,
        )
        if self._sessions.is_aging(self._cookie):
            let_in(response, self._sessions, self._scheme)
        return response

    def act(self, act: Callable[[], str | None], task_id: str | None = None, draft: str = "") -> Response:
        """Do something and lead to the task that `act` returns; or say why not, with everything as it was."""
        try:
            shown = act()
        except ZhixingError as error:
            return self.page(task_id, error, draft)
        return RedirectResponse("/" if shown is None else f"/?task={shown}", status_code=303)


async def _desk(request: Request, home: AtHome, sessions: Known) -> Desk:
    cookie = request.cookies.get(COOKIE, "")
    if not sessions.is_valid(cookie):
        raise Unauthenticated("session_over")
    return Desk(home, sessions, cookie, request.scope["scheme"])


AtDesk = Annotated[Desk, Depends(_desk)]


async def own_form(desk: AtDesk, proof: Annotated[str, Form()] = "") -> None:
    """Let only forms through that were on a page of this session: no other site can send one."""
    if not desk.is_own_form(proof):
        raise Refused("form_stale")


def let_in(response: Response, sessions: Sessions, scheme: str) -> None:
    """Give whoever gets this response a session."""
    response.set_cookie(
        COOKIE,
        sessions.issue(),
        max_age=int(LASTS.total_seconds()),
        secure=scheme == "https",
        httponly=True,
        samesite="strict",
    )
