"""Goals: all of them, one with its graph, and the bots that do them."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import Response

from zhixing.faces.web.desk import AtDesk
from zhixing.faces.web.goals import steering, talking
from zhixing.faces.web.goals.addresses import page_number
from zhixing.faces.web.goals.bots import all_bots
from zhixing.faces.web.goals.showing import show_goal, show_goals

router = APIRouter(include_in_schema=False)


@router.get("/goals")
def every_goal(desk: AtDesk, show: str = "open", page: str = "1") -> Response:
    """Show what is talked about, and the goals."""
    return show_goals(desk, shown=show, page=page_number(page))


@router.get("/goals/bots")
def every_bot(desk: AtDesk, q: str = "", page: str = "1") -> Response:
    """Show the bots; with words, who would do that."""
    wanted = q.strip()
    desk.home.check_length(wanted)
    sight = all_bots(desk.home.app, page_number(page), wanted, desk.language)
    return desk.show("goals/bots.html", sight=sight, wanted=wanted, longest=desk.home.limits.text_chars)


# What has a name of its own stands before what takes any: the id of a goal may hold slashes.
router.include_router(talking.forms)
router.include_router(steering.forms)


@router.get("/goals/{goal:path}")
def goal(desk: AtDesk, goal: str, log: str = "") -> Response:
    """Show one goal; with `log`, what happened to its steps."""
    return show_goal(desk, goal, log=log)
