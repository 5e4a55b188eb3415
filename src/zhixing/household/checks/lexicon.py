"""The words and bounds that the checks look for, from `words.toml`: a new word is a new line there."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def table(name: str) -> dict[str, Any]:
    """Return one table of the file."""
    text = files("zhixing.household.checks").joinpath("words.toml").read_text(encoding="utf-8")
    found: dict[str, Any] = tomllib.loads(text)[name]
    return found


@cache
def words(place: str) -> tuple[str, ...]:
    """Return the list at `table.key`."""
    name, _, key = place.partition(".")
    return tuple(table(name)[key])


def word(place: str) -> str:
    """Return the text at `table.key`."""
    name, _, key = place.partition(".")
    return str(table(name)[key])


def bound(key: str) -> int:
    """Return a number of the bounds."""
    return int(table("bounds")[key])


@cache
def numbers(key: str) -> frozenset[int]:
    """Return a list of numbers of the bounds."""
    return frozenset(table("bounds")[key])


@cache
def pattern(place: str) -> re.Pattern[str]:
    """Return the expression at `table.key`, or the alternative of all expressions of a list."""
    name, _, key = place.partition(".")
    value = table(name)[key]
    parts: Iterable[str] = [value] if isinstance(value, str) else value
    return re.compile("|".join(_scoped(part) for part in parts))


def says(place: str, text: str) -> bool:
    """Whether an expression of the list at `table.key` is found in a text."""
    return pattern(place).search(text) is not None


def has(place: str, text: str) -> bool:
    """Whether a word of the list at `table.key` stands in a text."""
    return any(one in text for one in words(place))


def _scoped(part: str) -> str:
    """Keep the flags in front of one expression to that expression."""
    flags = re.match(r"\(\?([a-z]+)\)", part)
    return f"(?:{part})" if flags is None else f"(?{flags[1]}:{part[flags.end() :]})"
