"""The page that shows what pages are made of, with the macros that make them."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import Response

from zhixing.faces.web.desk import AtDesk

router = APIRouter(include_in_schema=False)


@router.get("/design")
def design(desk: AtDesk) -> Response:
    """Show every component."""
    return desk.show("design.html")
