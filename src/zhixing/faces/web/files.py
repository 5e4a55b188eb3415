"""Our own files that browsers keep: one style sheet made of small ones, and the signs.

Their addresses change with their content.
"""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.resources import files

STYLE = "style.css"
FIRST = ("tokens.css", "base.css", "layout.css", "components.css")
"""The parts of the style sheet that the others build on, in this order."""
MEDIA = {"css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml"}


@cache
def given() -> dict[str, bytes]:
    """Return what is given out, by name."""
    found = {each.name: each.read_bytes() for each in (files("zhixing.faces.web") / "static").iterdir()}
    parts = sorted(name for name in found if name.endswith(".css") and name not in FIRST)
    sheet = b"".join(found[name] for name in (*FIRST, *parts))
    return {STYLE: sheet, **{name: content for name, content in found.items() if not name.endswith(".css")}}


def static(name: str) -> tuple[bytes, str]:
    """Return one of our files and its media type. Raises `KeyError` when there is none of that name."""
    return given()[name], MEDIA[name.rpartition(".")[2]]


@cache
def address_of(name: str) -> str:
    """Return where one of our files is given."""
    content, _ = static(name)
    return f"/static/{name}?{hashlib.sha256(content).hexdigest()[:12]}"
