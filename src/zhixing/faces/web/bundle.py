"""What `make web` made of the front-end packages: scripts that pages load where they are there.

Nothing depends on them: without a bundle no page names a script, and every page works.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from zhixing.faces.web.files import MEDIA

MANIFEST = "manifest.json"
PREFIX = "/bundle/"
LARGEST = 4_000_000
"""Bytes of one file; what is larger was not made here."""

_log = logging.getLogger("zhixing.web")


@dataclass(frozen=True, slots=True)
class Bundle:
    """The files by name, and for each entry the addresses of its scripts and style sheets."""

    files: Mapping[str, bytes] = field(default_factory=dict)
    scripts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    styles: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def scripts_of(self, *entries: str) -> tuple[str, ...]:
        """Return the scripts a page with these entries loads, in order; none where they were not built."""
        return tuple(address for entry in entries for address in self.scripts.get(entry, ()))

    def styles_of(self, *entries: str) -> tuple[str, ...]:
        """Return the style sheets these entries bring along."""
        return tuple(address for entry in entries for address in self.styles.get(entry, ()))


@cache
def shipped() -> Bundle:
    """Return the bundle that stands beside this module, read once."""
    return read_bundle(files("zhixing.faces.web") / "bundle")


def read_bundle(folder: Traversable) -> Bundle:
    """Read a folder that Vite wrote; one that is not there, or not whole, is an empty bundle."""
    if not folder.is_dir():
        return Bundle()
    found = {
        each.name: each.read_bytes() for each in folder.iterdir() if each.is_file() and _media(each.name) is not None
    }
    try:
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        entries = {each["name"]: each for each in manifest.values() if each.get("isEntry")}
        whole = {name: (each["file"], tuple(each.get("css", ()))) for name, each in entries.items()}
        named = {name for script, sheets in whole.values() for name in (script, *sheets)}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        _log.warning("the bundle of the pages cannot be read: %s", folder)
        return Bundle()
    if not named <= set(found) or any(len(content) > LARGEST for content in found.values()):
        _log.warning("the bundle of the pages is not whole: %s", folder)
        return Bundle()
    return Bundle(
        found,
        {name: (PREFIX + script,) for name, (script, _) in whole.items()},
        {name: tuple(PREFIX + sheet for sheet in sheets) for name, (_, sheets) in whole.items()},
    )


def media_of(name: str) -> str:
    """Return the media type of a file of the bundle."""
    media = _media(name)
    assert media is not None  # noqa: S101 - no other file was taken in
    return media


def _media(name: str) -> str | None:
    return MEDIA.get(name.rpartition(".")[2])
