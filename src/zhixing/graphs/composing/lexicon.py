"""The words of `lexicon.toml`, ready to be looked up: what begins at a place of a text. Pure."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Any


class Kind(StrEnum):
    """What a piece of a sentence is."""

    NAME = "name"
    ROOM = "room"
    PIECE = "piece"
    THING = "thing"
    CHOICE = "choice"
    QUANTITY = "quantity"
    RANGE = "range"
    SPAN = "span"
    COUNT = "count"
    TIMES = "times"
    DAYS = "days"
    CLOCK = "clock"
    WINDOW = "window"
    PART = "part"
    SUN = "sun"
    MEASURE = "measure"
    COMPARE = "compare"
    BEHIND = "behind"
    PRESENCE = "presence"
    SWITCH = "switch"
    PRESS = "press"
    SAY = "say"
    PLAY = "play"
    SET = "set"
    ADJUST = "adjust"
    EXTREME = "extreme"
    KEY = "key"
    IF = "if"
    THEN = "then"
    END = "end"
    AND = "and"
    OR = "or"
    NEXT = "next"
    ELSE = "else"
    UNTIL = "until"
    EACH = "each"
    FOLLOW = "follow"
    SYNC = "sync"
    FOLLOW_END = "follow_end"
    LEAST = "least"
    MOST = "most"
    ALL = "all"
    HOME = "home"
    ALREADY = "already"
    HOLD = "hold"
    FILL = "fill"
    BREAK = "break"
    UNKNOWN = "unknown"


Sense = tuple[Kind, str]
"""What a word may be, and which of its kind."""


@dataclass(frozen=True, slots=True)
class Things:
    """A kind of device: `specs` are kinds of specifications, `has` is what its name must have, "" for nothing."""

    key: str
    specs: frozenset[str]
    has: str


@dataclass(frozen=True, slots=True)
class Lexicon:
    """All words, each with what it may be; and what is known beside them."""

    words: Mapping[str, tuple[Sense, ...]]
    longest: int
    things: Mapping[str, Things]
    """By the word itself."""
    rooms: Mapping[str, frozenset[str]]
    """Other names of a room, itself among them."""
    units: Mapping[str, str]
    unit_measures: Mapping[str, tuple[str, ...]]
    parts: Mapping[str, tuple[int, int]]
    defaults: frozenset[str]
    """Words of saying that need nothing to say behind them."""

    def at(self, text: str, place: int) -> Iterator[tuple[str, Sense]]:
        """Yield the words that begin at a place, the longest first."""
        for length in range(min(self.longest, len(text) - place), 0, -1):
            word = text[place : place + length]
            for sense in self.words.get(word, ()):
                yield word, sense

    def same_room(self, said: str, room: str) -> bool:
        """Return whether two names may be those of one room."""
        return said == room or room in self.rooms.get(said, ())


_LINKS = ("if", "then", "end", "and", "or", "else", "until", "each", "follow", "sync", "follow_end", "least", "most")
_TABLES = (
    ("measures", Kind.MEASURE),
    ("compare", Kind.COMPARE),
    ("compare_behind", Kind.BEHIND),
    ("presence", Kind.PRESENCE),
    ("switch", Kind.SWITCH),
    ("press", Kind.PRESS),
    ("play", Kind.PLAY),
)
"""Tables of the lexicon that are words by what they mean."""
_MORE_LINKS = ("all", "home", "already", "hold", "fill", "break")


@cache
def lexicon() -> Lexicon:
    """Return the words that come with the program."""
    read = tomllib.loads(files("zhixing.graphs.composing").joinpath("lexicon.toml").read_text(encoding="utf-8"))
    words: dict[str, list[Sense]] = {}
    for word, sense in (*_things(read), *_members(read), *_linking(read["link"])):
        words.setdefault(word, []).append(sense)
    things = {
        word: Things(key, frozenset(row["specs"]), row.get("has", "") if word in row["words"] else word)
        for key, row in read["kinds"].items()
        for word in (*row["words"], *row.get("named", ()))
    }
    return Lexicon(
        {word: tuple(senses) for word, senses in words.items()},
        max(map(len, words)),
        things,
        _rooms(read["rooms"]),
        read["units"],
        {unit: tuple(names) for unit, names in read["unit_measures"].items()},
        {word: (hours[0], hours[1]) for word, hours in read["parts"].items()},
        frozenset(read["say"]["default"]),
    )


def _rooms(read: Mapping[str, Any]) -> dict[str, frozenset[str]]:
    found = {name: frozenset(row) for row in read["same"] for name in row}
    return found | {name: frozenset(row) for name, row in read["wide"].items()}


def _things(read: Mapping[str, Any]) -> Iterator[tuple[str, Sense]]:
    for key, row in read["kinds"].items():
        for word in (*row["words"], *row.get("named", ())):
            yield word, (Kind.THING, key)
    for row in read["rooms"]["same"]:
        for word in row:
            yield word, (Kind.ROOM, word)
    for word in (*read["rooms"]["known"], *read["rooms"]["wide"]):
        yield word, (Kind.ROOM, word)


def _members(read: Mapping[str, Any]) -> Iterator[tuple[str, Sense]]:
    for table, kind in _TABLES:
        yield from ((word, (kind, value)) for value, words in read[table].items() for word in words)
    yield from ((word, (Kind.SAY, word)) for word in read["say"]["say"])
    yield from ((word, (Kind.PART, word)) for word in read["parts"])
    yield from ((f"{key}键", (Kind.KEY, key)) for key in "左右中上下")
    for name, kind in (("to", Kind.SET), ("verb", Kind.ADJUST)):
        yield from ((word, (kind, word)) for word in read["set"][name])
    for name in ("most", "least"):
        yield from ((word, (Kind.EXTREME, name)) for word in read["set"][name])


def _linking(read: Mapping[str, list[str]]) -> Iterator[tuple[str, Sense]]:
    for name in (*_LINKS, *_MORE_LINKS):
        for word in read[name]:
            yield word, (Kind(name), word)
    for word in read["then_next"]:
        yield word, (Kind.NEXT, word)
