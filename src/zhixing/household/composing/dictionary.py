"""The dictionary of what a camera can see, read once from `dictionary.toml` (home_conditions)."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any

from zhixing.household.assembling.draft import Condition, Objects

ROOM = "{room}"
ANY_ROOM = "房间"


@dataclass(frozen=True, slots=True)
class Variant:
    """The condition of one sort of subject: `animal`, `car`, or a noun."""

    who: str
    condition: Condition


@dataclass(frozen=True, slots=True)
class Entry:
    """What is known of a behaviour: what it looks like, what it is called, and what is told of it.

    `fact` and `lasting` have gaps `{who}`, `{room}` and `{span}`; both may be empty. `uncovered` is the body where the
    camera does not see it happen. `limit`: reaching a target of it is no reason to congratulate.
    """

    key: str
    name: str
    slug: str
    condition: Condition
    uncovered: str = ""
    variants: tuple[Variant, ...] = ()
    fact: str = ""
    lasting: str = ""
    advice: str = ""
    limit: bool = False

    def seen(self, subject: str, sort: str, *, covered: bool) -> Condition:
        """Return the condition for a subject of some sort (H-VIEW-09, H-VIEW-10); `{room}` is still open."""
        fitting = {variant.who: variant.condition for variant in self.variants}
        found = fitting.get(subject) or fitting.get(sort)
        if found is not None:
            return found
        if covered or not self.uncovered:
            return self.condition
        return Condition("presence", self.uncovered)


def placed(condition: Condition, room: str | None) -> Condition:
    """Return the condition with the room that was said, or with any."""
    return replace(condition, body=condition.body.replace(ROOM, room or ANY_ROOM))


@cache
def entries() -> Mapping[str, Entry]:
    """Return every entry, by the key of its behaviour."""
    text = files(__package__).joinpath("dictionary.toml").read_text(encoding="utf-8")
    return {key: _entry(key, value) for key, value in tomllib.loads(text).items()}


def _entry(key: str, value: Mapping[str, Any]) -> Entry:
    return Entry(
        key,
        value["name"],
        value.get("slug", key),
        _condition(value),
        value.get("uncovered", ""),
        tuple(Variant(one["who"], _condition(one)) for one in value.get("variants", ())),
        value.get("fact", ""),
        value.get("lasting", ""),
        value.get("advice", ""),
        value.get("limit", False),
    )


def _condition(value: Mapping[str, Any]) -> Condition:
    objects = tuple(Objects(tuple(one["items"]), one.get("category", "")) for one in value.get("objects", ()))
    return Condition(value["kind"], value["body"], objects, tuple(value.get("counters", ())))
