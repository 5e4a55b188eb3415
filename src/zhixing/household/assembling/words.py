"""The lexicon of homes: TOML files beside the code, read once and indexed. Code holds the grammar, never the words."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Any


class Kind(StrEnum):
    """What sort of thing a behaviour is; it decides how long it has to hold and how a rule sees it."""

    INSTANT = "instant"
    CONTINUOUS = "continuous"
    STATE = "state"
    SAFETY = "safety"
    OBJECT = "object"
    SCENE = "scene"


@dataclass(frozen=True, slots=True)
class Behaviour:
    """An entry of the dictionary. `marks`: flags of the data file (arrives, presence, audio, …); `ways`: to say it."""

    key: str
    kind: Kind
    hold: int | None
    gap: int
    subject: str | None
    marks: frozenset[str]
    nouns: tuple[str, ...]
    pattern: re.Pattern[str]
    ways: tuple[re.Pattern[str], ...] = ()
    body: str = ""
    """How it looks, where that depends on what was said; else the dictionary of conditions has it."""


@dataclass(frozen=True, slots=True)
class Called:
    """One way to name people: the word, what sort of naming it is, and what it stands for."""

    word: str
    how: str
    means: tuple[str, ...]


def any_of(words: Iterable[str]) -> str:
    """Return a pattern (without groups) for any of `words`, the longest first."""
    return "(?:" + "|".join(map(re.escape, sorted(set(words), key=len, reverse=True))) + ")"


def _data(name: str) -> dict[str, Any]:
    return tomllib.loads(files(__package__).joinpath("lexicon", f"{name}.toml").read_text(encoding="utf-8"))


@cache
def behaviours() -> Mapping[str, Behaviour]:
    """Return every behaviour, by key."""
    found = {}
    for key, entry in _data("behaviours").items():
        words = [*entry.pop("words")]
        marks = frozenset(name for name, value in entry.items() if value is True)
        pattern = re.compile("|".join(f"(?:{word})" for word in words))
        found[key] = Behaviour(
            key,
            Kind(entry["kind"]),
            entry.get("hold"),
            entry.get("gap", 60),
            entry.get("subject"),
            marks,
            tuple(entry.get("nouns", ())),
            pattern,
            tuple(re.compile(word) for word in words),
            entry.get("body", ""),
        )
    return found


@cache
def people() -> Mapping[str, Called]:
    """Return every way to name people, by the word."""
    data = _data("people")
    found = {word: Called(word, "role", (role,)) for role, words in data["roles"].items() for word in words}
    found |= {
        word: Called(word, "class", (*roles.split(),)) for roles, words in data["classes"].items() for word in words
    }
    found |= {
        word: Called(word, "list", (*roles.split(),)) for roles, words in data["couples"].items() for word in words
    }
    for how in ("members", "anyone", "stranger", "visitors", "animals", "cars"):
        found |= {word: Called(word, how, (word,)) for word in data["groups"][how]}
    return found


@cache
def children() -> frozenset[str]:
    """Return the roles of children."""
    return frozenset(_data("people")["groups"]["children"])


@cache
def rooms() -> Mapping[str, str]:
    """Return every way to name a room → the room."""
    return {word: room for room, words in _data("places")["rooms"].items() for word in words}


@cache
def room_pattern() -> str:
    """Return a pattern (without groups) for the name of a room."""
    return any_of(rooms())


@cache
def room_words(room: str) -> tuple[str, ...]:
    """Return what to look for in the names of cameras and devices for `room`."""
    return tuple(_data("places")["same"].get(room, [room]))


@cache
def places(which: str) -> tuple[str, ...]:
    """Return one of the lists of places: the words for the whole home, entrances, rooms whose camera sees the way in."""
    return tuple(_data("places")["said"][which])


@cache
def nouns() -> Mapping[str, str]:
    """Return every word for a device → its kind."""
    return {word: kind for kind, words in _data("devices")["nouns"].items() for word in words}


@cache
def typos() -> tuple[tuple[str, str], ...]:
    """Return what recognisers and dialects make of words, with the plain word, in the order they are undone."""
    return tuple((said, plain) for said, plain in _data("typos")["pairs"])


@cache
def fillers() -> str:
    """Return a pattern for sounds that mean nothing."""
    return any_of(_data("typos")["fillers"])
