"""The first page, and the pictures that stand on it."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, Response

from zhixing.faces.http.api.pictures import picture_response
from zhixing.faces.http.home import AtHome
from zhixing.faces.web.desk import AtDesk, AtFront, Desk
from zhixing.faces.web.sessions import COOKIE
from zhixing.faces.web.today import acting, answering, saying
from zhixing.faces.web.today.showing import show_today

router = APIRouter(include_in_schema=False)


@router.get("/")
def today(request: Request, home: AtHome, front: AtFront, task: str | None = None) -> Response:
    """Show the page, or ask who comes."""
    if not front.sessions.is_valid(request.cookies.get(COOKIE, "")):
        return HTMLResponse(front.door(request.scope))
    return show_today(Desk(home, front, request), task)


@router.get("/tasks/{task_id}/picture")
def picture(desk: AtDesk, task_id: str) -> Response:
    """Give the picture of a task."""
    return picture_response(desk.home, task_id)


for part in (saying, answering, acting):
    router.include_router(part.forms)
