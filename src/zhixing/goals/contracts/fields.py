"""JSON objects of callers, asked for by name: what is wrong is said with the whole name of the field, as `a.b[0].c`.

Nothing is cut and nothing is guessed: a value of the wrong kind is refused. Names that nobody asks for are left alone,
because callers of other versions send more than is read here.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from zhixing.goals.contracts.shapes import LONGEST_ID, LONGEST_TEXT
from zhixing.kernel.errors import BadInput, TooLarge

DEEPEST = 32
"""Levels of lists and objects inside each other."""
MOST_VALUES = 20_000
LARGEST_RESULT = 512 * 1024
"""Bytes of what a node may hand over, as JSON."""
LARGEST_NUMBER = 2**63 - 1
_LONGEST_NAME = 120


class Fields:
    """An object of a caller; `place` is its own name, empty for the whole body."""

    def __init__(self, given: object, place: str = "") -> None:
        if not isinstance(given, Mapping):
            raise BadInput("goal_field_object", name=place or "-")
        self.given: Mapping[str, Any] = given
        self._place = place

    def name(self, key: str) -> str:
        """Return the whole name of an entry."""
        return f"{self._place}.{key}"[-_LONGEST_NAME:] if self._place else key[:_LONGEST_NAME]

    def has(self, key: str) -> bool:
        """Whether an entry is there; null is none."""
        return self.given.get(key) is not None

    def object(self, key: str) -> Fields:
        """Return an object; one that is left out is empty."""
        return Fields(self.given[key] if self.has(key) else {}, self.name(key))

    def mapping(self, key: str) -> dict[str, Any]:
        """Return an object as it is, empty when it is left out."""
        return dict(self.object(key).given)

    def text(self, key: str, longest: int = LONGEST_TEXT) -> str:
        """Return a text without the blanks around it, empty when it is left out."""
        value = self.given[key] if self.has(key) else ""
        if not isinstance(value, str):
            raise BadInput("goal_field_text", name=self.name(key))
        if len(value) > longest:
            raise TooLarge("goal_field_long", name=self.name(key), limit=longest)
        return value.strip()

    def words(self, key: str, longest: int = LONGEST_TEXT) -> str:
        """Return a text that must say something."""
        found = self.text(key, longest)
        if not found:
            raise BadInput("goal_field_empty" if self.has(key) else "goal_field_missing", name=self.name(key))
        return found

    def id(self, key: str) -> str:
        """Return an id of one line, empty when it is left out."""
        found = self.text(key, LONGEST_ID)
        if not found.isprintable():
            raise BadInput("goal_field_id", name=self.name(key))
        return found

    def needed_id(self, key: str) -> str:
        """Return an id that must be there."""
        self.words(key, LONGEST_ID)
        return self.id(key)

    def items(self, key: str, most: int) -> Sequence[Any]:
        """Return a list, empty when it is left out."""
        value = self.given[key] if self.has(key) else []
        if not isinstance(value, list | tuple):
            raise BadInput("goal_field_list", name=self.name(key))
        if len(value) > most:
            raise TooLarge("goal_field_many", name=self.name(key), limit=most)
        return value

    def texts(self, key: str, most: int, longest: int) -> tuple[str, ...]:
        """Return a list of texts that say something, empty when it is left out."""
        items = self.items(key, most)
        return tuple(_said(each, f"{self.name(key)}[{at}]", longest) for at, each in enumerate(items))

    def choice(self, key: str, choices: Sequence[str], default: str) -> str:
        """Return one of `choices`, or `default` when it is left out."""
        value = self.given[key] if self.has(key) else default
        if not isinstance(value, str) or value not in choices:
            raise BadInput("goal_field_choice", name=self.name(key), choices="、".join(choices))
        return value


def _said(value: object, name: str, longest: int) -> str:
    if not isinstance(value, str) or not value.strip():
        raise BadInput("goal_field_text", name=name)
    if len(value) > longest:
        raise TooLarge("goal_field_long", name=name, limit=longest)
    return value.strip()


def must_be_bounded(body: object) -> None:
    """Refuse JSON that is deeper or has more in it than anybody needs, and what no database takes.

    Raises `TooLarge`, and `BadInput` for characters and numbers that cannot be kept.
    """
    level, seen = [body], 0
    for _ in range(DEEPEST + 1):
        seen += len(level)
        if seen > MOST_VALUES:
            raise TooLarge("goal_body_many", limit=MOST_VALUES)
        deeper: list[object] = []
        for each in level:
            if isinstance(each, Mapping):
                deeper += each.keys()
                deeper += each.values()
            elif isinstance(each, list | tuple):
                deeper += each
            else:
                _must_be_keepable(each)
        if not deeper:
            return
        level = deeper
    raise TooLarge("goal_body_deep", limit=DEEPEST)


def must_fit(value: object, name: str, limit: int) -> None:
    """Raise `TooLarge` for a value that takes more than `limit` bytes as JSON."""
    if len(msgspec.json.encode(value)) > limit:
        raise TooLarge("goal_field_large", name=name, limit=limit)


def _must_be_keepable(value: object) -> None:
    if isinstance(value, str):
        if "\x00" in value or any("\ud800" <= each <= "\udfff" for each in value):
            raise BadInput("text_unstorable")
    elif isinstance(value, bool) or value is None:
        return
    elif not isinstance(value, int | float) or not math.isfinite(value) or abs(value) > LARGEST_NUMBER:
        raise BadInput("goal_body_number")
