"""The JSON values in what a model wrote: bare, fenced, between sentences, several of them, or inside one another.

Nothing is repaired and nothing guessed: a value counts when it is whole. A bracket that begins none, as in an echoed
`[planning]`, is passed over.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

LONGEST = 200_000
"""Characters of a reply that are looked at."""
MOST_STARTS = 1000
"""Brackets that may begin no value before the search is given up."""
MOST_INSIDE = 1000
"""Values inside of others that are looked at."""

_START = re.compile(r"[{\[]")
Read = TypeVar("Read")


def _no_constant(name: str) -> object:
    raise ValueError(name)


_DECODER = json.JSONDecoder(strict=False, parse_constant=_no_constant)


def json_values(text: str) -> list[Any]:
    """Return the outermost objects and arrays of a text, in order."""
    return [value for value, _ in placed_values(text)]


def placed_values(text: str) -> list[tuple[Any, int]]:
    """Return the outermost objects and arrays of a text, in order, each with the place at which it ends."""
    text = text[:LONGEST]
    found: list[tuple[Any, int]] = []
    at, failures = 0, 0
    while failures < MOST_STARTS and (start := _START.search(text, at)) is not None:
        try:
            value, at = _DECODER.raw_decode(text, start.start())
        except (ValueError, RecursionError):
            at, failures = start.end(), failures + 1
        else:
            found.append((value, at))
    return found


def candidates(text: str) -> Iterator[Any]:
    """Yield what may be meant as the answer: the outermost values, the last first, then the objects inside of them.

    Whoever thinks aloud, or quotes the format first, gives the answer last.
    """
    yield from candidates_among(json_values(text))


def candidates_among(values: Sequence[Any]) -> Iterator[Any]:
    """Yield outermost values, the last first, then the objects inside of them."""
    yield from reversed(values)
    left = MOST_INSIDE
    for value in reversed(values):
        for inside in _inside(value):
            if left <= 0:
                return
            left -= 1
            yield inside


def _inside(value: object) -> Iterator[Any]:
    """Yield the objects inside of a value, the outer ones first."""
    level: list[Any] = [value]
    while level:
        within = [each for one in level for each in (one.values() if isinstance(one, dict) else one)]
        level = [each for each in within if isinstance(each, dict | list)]
        yield from (each for each in level if isinstance(each, dict))


def first_fitting(text: str, read: Callable[[Any], Read | None]) -> Read | None:
    """Return what `read` makes of the first candidate that it can use, None when there is none."""
    return first_among(json_values(text), read)


def first_among(values: Sequence[Any], read: Callable[[Any], Read | None]) -> Read | None:
    """Return what `read` makes of the first of `candidates_among` that it can use, None when there is none."""
    return next((made for each in candidates_among(values) if (made := read(each)) is not None), None)


def is_bare(text: str, value: object) -> bool:
    """Whether a text is one value and nothing else but a code fence round it."""
    inner = re.fullmatch(r"\s*(?:```\w*\s*)?(.*?)(?:\s*```)?\s*", text[:LONGEST], re.DOTALL)
    try:
        return inner is not None and bool(json.loads(inner[1]) == value)
    except (ValueError, RecursionError):
        return False
