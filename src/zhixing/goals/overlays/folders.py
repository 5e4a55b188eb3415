"""Scenario folders on disk and those that are shipped: the only reading of files here."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from zhixing.goals.overlays.model import Overlay
from zhixing.goals.overlays.reading import FILES, MOST_OVERLAYS, read_overlay, together
from zhixing.goals.overlays.tables import LARGEST_FILE
from zhixing.kernel.errors import BadInput, TooLarge

_IGNORED = ("README.md",)


def load_overlays(named: Iterable[str]) -> tuple[Overlay, ...]:
    """Return the scenarios that a configuration names, each a shipped one by its name or a folder by its path.

    Nothing named is nothing loaded. Raises `BadInput` or `TooLarge` for the first fault.
    """
    wanted = tuple(named)
    if len(wanted) > MOST_OVERLAYS:
        raise TooLarge("overlay_most", limit=MOST_OVERLAYS)
    shipped = {each.name: each for each in _shipped()}
    return together(read_folder(shipped.get(each) or Path(each)) for each in wanted)


def shipped_names() -> tuple[str, ...]:
    """Return the names of the shipped scenarios."""
    return tuple(sorted(each.name for each in _shipped()))


def read_folder(folder: Traversable) -> Overlay:
    """Return the scenario of a folder. Raises `BadInput` or `TooLarge` with one line."""
    if not folder.is_dir():
        raise BadInput("overlay_folder", folder=folder.name)
    found: dict[str, str] = {}
    for each in folder.iterdir():
        if each.name.startswith(".") or each.name in _IGNORED:
            continue
        if each.name not in FILES:
            raise BadInput("overlay_file_unknown", name=each.name, files=", ".join(FILES))
        found[each.name] = _text(each)
    return read_overlay(found)


def _text(file: Traversable) -> str:
    try:
        with file.open("rb") as opened:
            raw = opened.read(LARGEST_FILE + 1)
        if len(raw) > LARGEST_FILE:
            raise TooLarge("overlay_too_large", place=file.name, limit=LARGEST_FILE)
        return raw.decode("utf-8")
    except (OSError, UnicodeDecodeError) as fault:
        raise BadInput("overlay_unreadable", place=file.name) from fault


def _shipped() -> list[Traversable]:
    place = files("zhixing.goals.overlays").joinpath("scenarios")
    return [each for each in place.iterdir() if each.is_dir()] if place.is_dir() else []
