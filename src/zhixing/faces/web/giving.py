"""What needs no session: our own files, the bundle, and what makes the pages an application on a phone."""

from __future__ import annotations

import hashlib
import json

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from zhixing.faces.web.bundle import PREFIX, media_of
from zhixing.faces.web.desk import AtFront
from zhixing.faces.web.files import STYLE, address_of, static
from zhixing.faces.web.front import APP
from zhixing.faces.web.language import language_of
from zhixing.faces.web.templating import render
from zhixing.kernel.errors import NotFound
from zhixing.kernel.wording import wording

KEPT = {"Cache-Control": "public, max-age=31536000, immutable"}
"""For addresses that change with what they give."""
ASKED_AGAIN = {"Cache-Control": "no-cache"}
OFFLINE = "/offline"

router = APIRouter(include_in_schema=False)


@router.get("/static/{name}")
def asset(name: str) -> Response:
    """Give one of our files; its address changes with its content."""
    try:
        content, media = static(name)
    except KeyError as error:
        raise NotFound("route_unknown", path=f"/static/{name}"[:64]) from error
    return Response(content, media_type=media, headers=KEPT)


@router.get("/bundle/{name}")
def bundled(front: AtFront, name: str) -> Response:
    """Give a file of the bundle."""
    content = front.bundle.files.get(name)
    if content is None:
        raise NotFound("route_unknown", path=f"{PREFIX}{name}"[:64])
    return Response(content, media_type=media_of(name), headers=KEPT)


@router.get("/manifest.webmanifest")
def manifest(request: Request) -> Response:
    """Say what this is as an application."""
    language = language_of(request.scope)
    said = {
        "id": "/",
        "name": wording("web.app_name", language),
        "short_name": wording("page.name", language),
        "description": wording("page.motto", language),
        "lang": wording("web.lang", language),
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": "#f4f2ec",
        "theme_color": "#1f6f5c",
        "icons": [
            {"src": address_of("icon.svg"), "sizes": "any", "type": "image/svg+xml", "purpose": "any"},
            {"src": address_of("icon-full.svg"), "sizes": "any", "type": "image/svg+xml", "purpose": "maskable"},
        ],
    }
    return JSONResponse(said, media_type="application/manifest+json", headers=ASKED_AGAIN)


@router.get(OFFLINE)
def offline(request: Request, front: AtFront) -> Response:
    """Give the page that stands in where the home cannot be reached. It shows nothing of it."""
    frame = front.frame(request.scope)
    return HTMLResponse(render("offline.html", language_of(request.scope), **frame), headers=ASKED_AGAIN)


@router.get("/sw.js")
def service_worker(front: AtFront) -> Response:
    """Give the service worker: it keeps the shell, which is the same for everybody, and never a page of a home."""
    shell = [OFFLINE, address_of(STYLE), address_of("icon.svg"), *front.bundle.scripts_of(APP)]
    content, _ = static("worker.js")
    version = hashlib.sha256(content + json.dumps(shell).encode()).hexdigest()[:12]
    said = {"version": version, "offline": OFFLINE, "shell": shell}
    text = b"const SAID = %s;\n%s" % (json.dumps(said).encode(), content)
    headers = {**ASKED_AGAIN, "Service-Worker-Allowed": "/"}
    return Response(text, media_type="text/javascript; charset=utf-8", headers=headers)
