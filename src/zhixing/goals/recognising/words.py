"""The lexicon: TOML files beside the code, read once. Code holds the grammar, never the words."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from zhixing.goals.recognising.model import Element


@dataclass(frozen=True, slots=True)
class Replies:
    """Words that answer a question without naming a value."""

    unclear: tuple[str, ...]
    waits: tuple[str, ...]
    confirm: tuple[str, ...]
    deny: tuple[str, ...]
    none: tuple[str, ...]
    all: tuple[str, ...]
    other: tuple[str, ...]
    tail: tuple[str, ...]
    head: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TaskWords:
    """Words of sentences that say a task."""

    vague: tuple[str, ...]
    polite: tuple[str, ...]
    besides: tuple[str, ...]
    alongside: tuple[str, ...]
    resting: tuple[str, ...]
    pointing: tuple[str, ...]
    earlier: tuple[str, ...]
    makes: tuple[str, ...]
    measures: tuple[str, ...]
    verbs: tuple[str, ...]
    periods: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Consequence:
    """What follows for one element of one kind of work where nothing was said of it."""

    only: str = ""
    brief: str = ""
    detail: Mapping[str, str] | None = None
    options: tuple[str, ...] = ()
    hint: str = ""
    otherwise: str = ""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of work; `lexicon/kinds.toml` says how it is known."""

    name: str
    about: tuple[str, ...]
    by: tuple[str, ...]
    alone: tuple[str, ...]
    unless: tuple[str, ...]
    leans: bool
    """Whether it may be about what was done before, as a write-up is."""
    follows: Mapping[Element, Consequence]


def any_of(words: Iterable[str]) -> str:
    """Return a pattern (without groups) for any of `words`, the longest first."""
    return "(?:" + "|".join(map(re.escape, sorted(set(words), key=lambda word: (-len(word), word)))) + ")"


def made_of(text: str, vocabulary: frozenset[str]) -> bool:
    """Whether a text is nothing but words of `vocabulary`, signs and blanks. Linear in the text, whatever it is."""
    longest = max(map(len, vocabulary))
    text = text.lower()
    reached = {0}
    for start in range(len(text)):
        if start not in reached:
            continue
        if not text[start].isalnum():
            reached.add(start + 1)
        reached.update(end for end in range(start + 1, start + longest + 1) if text[start:end] in vocabulary)
    return len(text) in reached


def spelled(phrase: str) -> str:
    """Return a pattern for a phrase in which a blank may be an underscore or nothing."""
    return re.escape(phrase).replace(r"\ ", "[ _]?")


@cache
def labels() -> dict[str, str]:
    """Return what every label, in lower case, names: the key of an element, `resources` or `aside`."""
    return {word: key for key, words in _data("words")["labels"].items() for word in words}


@cache
def replies() -> Replies:
    """Return the words of replies."""
    return Replies(**{name: tuple(words) for name, words in _data("words")["replies"].items()})


@cache
def turns() -> dict[str, tuple[str, ...]]:
    """Return the words that ask for nothing here: `buttons` and `chat`."""
    return {name: tuple(words) for name, words in _data("words")["turns"].items()}


@cache
def task_words() -> TaskWords:
    """Return the words of tasks."""
    data = _data("words")
    return TaskWords(**{name: tuple(words) for name, words in data["task"].items()}, periods=data["periods"])


@cache
def cues(element: Element) -> dict[str, tuple[str, ...]]:
    """Return the words that tell of an element without a label."""
    return {name: tuple(words) for name, words in _data("cues")[element.value].items()}


@cache
def kinds() -> tuple[Kind, ...]:
    """Return the kinds of work in the order in which they are tried; the last is that of which nothing is known."""
    return tuple(_kind(name, entry) for name, entry in _data("kinds").items())


def _kind(name: str, entry: dict[str, Any]) -> Kind:
    lists = {key: tuple(entry.get(key, ())) for key in ("about", "by", "alone", "unless")}
    follows = {Element(key): _consequence(value) for key, value in entry.items() if isinstance(value, dict)}
    return Kind(name, leans=entry.get("leans", False), follows=follows, **lists)


def _consequence(entry: dict[str, Any]) -> Consequence:
    return Consequence(**{**entry, "options": tuple(entry.get("options", ()))})


@cache
def _data(name: str) -> dict[str, Any]:
    return tomllib.loads(files(__package__).joinpath("lexicon", f"{name}.toml").read_text(encoding="utf-8"))
