"""The address of the page, and its forms."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import Response

from zhixing.faces.web.desk import AtDesk
from zhixing.faces.web.home import acting
from zhixing.faces.web.home.asking import wish_of
from zhixing.faces.web.home.showing import show_home

router = APIRouter(include_in_schema=False)


@router.get("/home")
def page(desk: AtDesk, room: str = "", q: str = "", span: str = "", older: str = "") -> Response:
    """Show the home."""
    return show_home(desk, wish_of(room, q, span, older))


router.include_router(acting.forms)
