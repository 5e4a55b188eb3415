"""The lexicon of products: TOML files beside the code, read once. Code holds the grammar, never the words."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any


@dataclass(frozen=True, slots=True)
class Product:
    """One kind of product, as `lexicon/products.toml` describes it."""

    key: str
    words: tuple[str, ...]
    covers: str
    sections: tuple[str, ...]
    steps: tuple[str, ...]
    length: str
    cautions: tuple[str, ...] = ()
    cadence: str = ""
    form: str = ""
    hour: int | None = None
    own: bool = False


@dataclass(frozen=True, slots=True)
class Phrases:
    """The words of sentences that ask for a product, as `lexicon/words.toml` lists them."""

    machine: tuple[str, ...]
    plain: tuple[str, ...]
    wishes: tuple[str, ...]
    frames: tuple[str, ...]
    measures: tuple[str, ...]
    handles: tuple[str, ...]
    persons: tuple[str, ...]
    moments: dict[str, int]
    hours: dict[str, int]


@dataclass(frozen=True, slots=True)
class Commands:
    """What may be run, as `lexicon/commands.toml` lists it."""

    known: tuple[str, ...]
    network: frozenset[str]
    starts: dict[str, str]


def any_of(words: Iterable[str]) -> str:
    """Return a pattern (without groups) for any of `words`, the longest first."""
    return "(?:" + "|".join(map(re.escape, sorted(set(words), key=lambda word: (-len(word), word)))) + ")"


@cache
def products() -> dict[str, Product]:
    """Return all products by their key."""
    return {
        key: Product(
            key,
            tuple(entry["words"]),
            entry["covers"],
            tuple(entry["sections"]),
            tuple(entry["steps"]),
            entry["length"],
            tuple(entry.get("cautions", ())),
            entry.get("cadence", ""),
            entry.get("form", ""),
            entry.get("hour"),
            entry.get("own", False),
        )
        for key, entry in _data("products").items()
    }


@cache
def by_word() -> dict[str, Product]:
    """Return the product behind every word for one."""
    return {word: product for product in products().values() for word in product.words}


@cache
def phrases() -> Phrases:
    """Return the words of `words.toml`."""
    data = _data("words")
    lists = {name: tuple(words) for name, words in data.items() if isinstance(words, list)}
    return Phrases(**lists, moments=data["moments"], hours=data["hours"])


@cache
def moments() -> re.Pattern[str]:
    """Return a pattern for the points of the day that an event gives: 下班前, 睡前."""
    return re.compile(any_of(phrases().moments))


@cache
def commands() -> Commands:
    """Return the words of `commands.toml`."""
    data = _data("commands")
    return Commands(tuple(data["known"]), frozenset(data["network"]), data["starts"])


def _data(name: str) -> dict[str, Any]:
    return tomllib.loads(files(__package__).joinpath("lexicon", f"{name}.toml").read_text(encoding="utf-8"))
