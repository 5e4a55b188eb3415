"""The first page as an answer: with one task in the middle, or with what was refused."""

from __future__ import annotations

import secrets
from collections.abc import Callable

from starlette.responses import Response

from zhixing.faces.web.desk import Desk
from zhixing.faces.web.today.views import look
from zhixing.kernel.errors import NotFound, StoreUnavailable, ZhixingError


def show_today(
    desk: Desk, task_id: str | None = None, refused: ZhixingError | None = None, draft: str = ""
) -> Response:
    """Show the page: with one task in the middle, or with what was refused and the words it was about."""
    try:
        sight = look(desk.home, task_id)
    except NotFound as error:
        return show_today(desk, None, refused or error, draft)
    except StoreUnavailable as error:
        return desk.show("refused.html", refused=refused or error, draft=draft)
    return desk.show(
        "today/page.html",
        refused=refused,
        path="/",  # also where a form was answered
        sight=sight,
        draft=draft,
        longest=desk.home.limits.text_chars,
        key=secrets.token_urlsafe(12),
    )


def act_today(desk: Desk, act: Callable[[], str | None], task_id: str | None = None, draft: str = "") -> Response:
    """Do something and lead to the task that `act` returns; or say why not, with everything as it was."""

    def acted() -> str:
        shown = act()
        return "/" if shown is None else f"/?task={shown}"

    return desk.act(acted, lambda error: show_today(desk, task_id, error, draft))
