"""The pages of goals as answers, also with what was refused or not understood."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from types import MappingProxyType

from starlette.responses import Response

from zhixing.faces.web.desk import Desk
from zhixing.faces.web.goals.addresses import ALL, of_goal
from zhixing.faces.web.goals.views import all_goals, one_goal
from zhixing.kernel.errors import NotFound, ZhixingError

NOTHING: Mapping[str, str] = MappingProxyType({})


def show_goals(
    desk: Desk,
    refused: ZhixingError | None = None,
    *,
    shown: str = "open",
    page: int = 1,
    draft: str = "",
    said: str = "",
) -> Response:
    """Show all goals; `said` is a line that answers what was just said, `draft` words that were not taken."""
    noted = {"note": said} if said else {}
    return desk.show(
        "goals/page.html",
        refused=refused,
        path=ALL,  # also where a form was answered
        sight=all_goals(desk.home.app, shown, page, desk.language),
        draft=draft,
        longest=desk.home.limits.text_chars,
        key=secrets.token_urlsafe(12),
        **noted,
    )


def show_goal(
    desk: Desk, goal: str, refused: ZhixingError | None = None, *, log: str = "", drafts: Mapping[str, str] = NOTHING
) -> Response:
    """Show one goal; `drafts` are results that were not taken, by node. Where there is none of that id, all goals."""
    try:
        found = one_goal(desk.home.app, goal, desk.language, log=log)
    except NotFound as error:
        return show_goals(desk, refused or error)
    return desk.show("goals/goal.html", refused=refused, path=of_goal(found.id), goal=found, drafts=drafts)
