"""What the pages of one home share: who may see them, what they load, and which pages there are."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.types import Scope

from zhixing.faces.web.bundle import Bundle
from zhixing.faces.web.language import language_of
from zhixing.faces.web.sessions import Sessions
from zhixing.faces.web.settings.ground import Ground
from zhixing.faces.web.templating import render

APP = "app"
"""The entry of the bundle that every page loads."""


@dataclass(frozen=True, slots=True)
class Place:
    """A page in the navigation: the catalogue key of its title, and its address."""

    title: str
    address: str


@dataclass(frozen=True, slots=True)
class Front:
    """The front of one home."""

    sessions: Sessions
    bundle: Bundle
    places: tuple[Place, ...]
    ground: Ground | None = None
    """Where the settings of the home are; None where a home is served without."""

    def frame(self, scope: Scope, *entries: str) -> dict[str, object]:
        """Return what every template stands on, for a request; `entries` of the bundle are loaded beside the first."""
        path = scope["path"]
        query = scope.get("query_string", b"").decode("latin-1")
        return {
            "scripts": self.bundle.scripts_of(APP, *entries),
            "sheets": self.bundle.styles_of(APP, *entries),
            "places": self.places,
            "path": path,
            "here": (f"{path}?{query}" if query else path) if scope["method"] == "GET" else "/",
            "has_password": self.sessions.password.is_set,
            "proof": "",
            "note": "",
            "refused": "",
        }

    def door(self, scope: Scope, line: str = "") -> str:
        """Return the page that asks who comes, with the line that says why."""
        return render("login.html", language_of(scope), **{**self.frame(scope), "refused": line})

    def turned_away(self, scope: Scope, line: str) -> str:
        """Return the page that says what was not done."""
        return render("refused.html", language_of(scope), **{**self.frame(scope), "refused": line, "draft": ""})


def front_of(scope: Scope) -> Front:
    """Return the front of the home a request came to."""
    found: Front = scope["app"].state.front
    return found


def local(address: str) -> str:
    """Return an address of this home to go back to; whatever else was sent leads to the first page."""
    inside = address.startswith("/") and not address.startswith(("//", "/\\")) and len(address) <= LONGEST_ADDRESS
    return address if inside and address.isascii() and address.isprintable() else "/"


LONGEST_ADDRESS = 500
