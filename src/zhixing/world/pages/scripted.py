"""The twin of the public web: pages by address, and what goes wrong instead."""

from __future__ import annotations

from collections.abc import Mapping

from zhixing.world.pages.port import NoPage, Page, WebFailure


class ScriptedWeb:
    """A web of these pages; `asked` holds every address that was asked for. A text stands for a plain page of it."""

    def __init__(self, pages: Mapping[str, Page | str | WebFailure] | None = None) -> None:
        self._pages = dict(pages or {})
        self.asked: list[str] = []

    def fetch(self, address: str, seconds: float) -> Page:  # noqa: ARG002 - it answers at once
        """Return the page at `address`."""
        self.asked.append(address)
        match self._pages.get(address, WebFailure(NoPage.HOST_UNKNOWN)):
            case WebFailure() as failure:
                raise failure
            case str() as text:
                return Page(address, "text/plain", "", text)
            case page:
                return page
