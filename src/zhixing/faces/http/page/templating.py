"""From what there is to show to HTML. Everything is escaped; texts come from the catalogue."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.resources import files

from jinja2 import Environment, PackageLoader, StrictUndefined

from zhixing.kernel.wording import wording

_MEDIA = {"css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml"}


def _text(key: str, /, **values: object) -> str:
    return wording(f"page.{key}", "zh", **values)


def _asset(name: str) -> str:
    content, _ = static(name)
    return f"/static/{name}?{hashlib.sha256(content).hexdigest()[:12]}"


@cache
def static(name: str) -> tuple[bytes, str]:
    """Return one of our files and its media type. Raises `KeyError` when there is none of that name."""
    folder = files("zhixing.faces.http.page") / "static"
    found = {file.name: file for file in folder.iterdir()}
    return found[name].read_bytes(), _MEDIA[name.rpartition(".")[2]]


_environment = Environment(
    loader=PackageLoader("zhixing.faces.http.page"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_environment.globals.update(t=_text, asset=_asset)


def render(template: str, /, **values: object) -> str:
    """Fill in a template."""
    return _environment.get_template(template).render(**values)
