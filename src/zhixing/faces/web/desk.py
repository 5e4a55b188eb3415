"""Who may act on the pages, and what they see afterwards."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Annotated

from fastapi import Depends, Form, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from zhixing.faces.http.home import AtHome, Home
from zhixing.faces.http.refusals import Unauthenticated
from zhixing.faces.web.front import Front, front_of
from zhixing.faces.web.language import language_of, line_of
from zhixing.faces.web.sessions import COOKIE, LASTS, Sessions
from zhixing.faces.web.templating import render
from zhixing.kernel.errors import Refused, ZhixingError
from zhixing.kernel.wording import section, wording

NOTE = "zhixing-note"
"""The cookie that takes one line along over a redirect: the name of a text `web.note_…`, never words."""
_NAME = re.compile(r"[a-z_]{1,40}")


async def _front(request: Request) -> Front:
    return front_of(request.scope)


AtFront = Annotated[Front, Depends(_front)]


class Desk:
    """One visitor of one home."""

    def __init__(self, home: Home, front: Front, request: Request) -> None:
        self.home = home
        self.front = front
        self.language = language_of(request.scope)
        self._scope = request.scope
        self._cookie = request.cookies.get(COOKIE, "")
        self._note = request.cookies.get(NOTE, "")

    def is_own_form(self, proof: str) -> bool:
        """Whether a form comes from a page this visitor was shown."""
        return self.front.sessions.is_own_form(self._cookie, proof)

    def text(self, key: str, /, **values: object) -> str:
        """Return a text of the catalogue in this visitor's language."""
        return wording(key, self.language, **values)

    def show(
        self,
        template: str,
        /,
        *,
        refused: ZhixingError | None = None,
        entries: Sequence[str] = (),
        **values: object,
    ) -> Response:
        """Show a page; `refused` stands on it as one line and gives the answer its status.

        Templates get the frame (`Front.frame`), `proof` for their forms, and `values`. `entries` of the bundle are
        loaded beside the one of every page.
        """
        sessions, cookie = self.front.sessions, self._cookie
        renewed = sessions.is_aging(cookie)
        if renewed:
            cookie = sessions.issue()
        known = _NAME.fullmatch(self._note) is not None and f"note_{self._note}" in section("web", self.language)
        frame = {
            **self.front.frame(self._scope, *entries),
            "proof": sessions.form_proof(cookie),
            "note": self.text(f"web.note_{self._note}") if known else "",
            "refused": "" if refused is None else line_of(refused, self.language),
        }
        text = render(template, self.language, **{**frame, **values})
        response = HTMLResponse(text, status_code=200 if refused is None else refused.status)
        if renewed:
            _keep(response, cookie, self._scope["scheme"])
        if self._note:
            response.delete_cookie(NOTE, httponly=True, samesite="strict")
        return response

    def act(self, act: Callable[[], str], otherwise: Callable[[ZhixingError], Response], note: str = "") -> Response:
        """Do something and lead to the address that `act` returns; or show what `otherwise` makes of what was wrong.

        `note` names a text `web.note_…` that stands on the next page.
        """
        try:
            address = act()
        except ZhixingError as error:
            return otherwise(error)
        return self.lead(address, note)

    def lead(self, address: str, note: str = "") -> Response:
        """Lead to another page, with a line that stands on it once."""
        response = RedirectResponse(address, status_code=303)
        if note:
            response.set_cookie(NOTE, note, max_age=60, httponly=True, samesite="strict")
        return response


async def _desk(request: Request, home: AtHome, front: AtFront) -> Desk:
    if not front.sessions.is_valid(request.cookies.get(COOKIE, "")):
        raise Unauthenticated("session_over")
    return Desk(home, front, request)


AtDesk = Annotated[Desk, Depends(_desk)]


async def own_form(desk: AtDesk, proof: Annotated[str, Form()] = "") -> None:
    """Let only forms through that were on a page of this session: no other site can send one."""
    if not desk.is_own_form(proof):
        raise Refused("form_stale")


def let_in(response: Response, sessions: Sessions, scheme: str) -> None:
    """Give whoever gets this response a session."""
    _keep(response, sessions.issue(), scheme)


def _keep(response: Response, cookie: str, scheme: str) -> None:
    response.set_cookie(
        COOKIE,
        cookie,
        max_age=int(LASTS.total_seconds()),
        secure=scheme == "https",
        httponly=True,
        samesite="strict",
    )
