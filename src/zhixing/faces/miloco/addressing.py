"""Which task is meant, and how its parts are written: inside there are our ids, outside the document's."""

from __future__ import annotations

import re
from typing import Any

from zhixing.household import registry
from zhixing.store.connection import Tx

_OURS = re.compile(r"t[1-9][0-9]{0,17}")
_FRACTION = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.\d+(.*)", re.DOTALL)


def slug_of(tx: Tx, written: str) -> str:
    """Return the document's name of a living task that is named by it, or by our id."""
    if registry.find(tx, written) is None and _OURS.fullmatch(written):
        slug = registry.slug_of(tx, written)
        if slug is not None and registry.find(tx, slug) == written:
            return slug
    return written


def task_named(tx: Tx, written: str) -> str:
    """Return our id of a living task. Raises `NotFound`."""
    return registry.task_of(tx, slug_of(tx, written))


def outward(wire: Any, names: dict[str, str]) -> Any:
    """Write `task_id` as the document does, by `names`, and instants to the second, at any depth."""
    match wire:
        case dict():
            return {key: _field(key, value, names) for key, value in wire.items()}
        case list() | tuple():
            return [outward(item, names) for item in wire]
        case _:
            return wire


def _field(key: str, value: Any, names: dict[str, str]) -> Any:
    if not isinstance(value, str):
        return outward(value, names)
    if key == "task_id":
        return names.get(value, value)
    if key.endswith(("at", "_start", "_end")) and (found := _FRACTION.fullmatch(value)):
        return found[1] + found[2]
    return value
