"""A sentence → tokens: at each place the longest word that begins there, of the lexicon or of the home. Pure.

One word may be several things (到 is a limit, an order and an end), so a token has all its senses; what is no word is a
token without any, and nothing may step over it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from zhixing.graphs.composing.clock_words import Timed, timed_words
from zhixing.graphs.composing.lexicon import Kind, Lexicon, lexicon
from zhixing.graphs.specs.home import Home
from zhixing.graphs.specs.meanings import PROPERTY_NAMES, Meaning
from zhixing.language.durations import read_duration
from zhixing.language.lexicon import DURATION
from zhixing.language.numerals import NUMBER, integer

LONGEST_PIECE = 12
"""Characters of a part of a name that is looked for."""
_SHORTEST = 2
_NUMBER = rf"(?:[0-9]{{1,5}}(?:\.[0-9]{{1,2}})?|零下 *[0-9]{{1,2}}|{NUMBER}(?:点[一二三四五六七八九])?)"
_UNIT = r"(?:摄氏度|度|℃|°C|%|勒克斯|lux|lx|流明|瓦|[Ww](?![A-Za-z])|[Kk](?![A-Za-z])|档|挡)"
_QUANTITY = re.compile(rf"(?:百分之 *(?P<hundredth>{NUMBER})|(?P<half>一半)|(?P<number>{_NUMBER}) *(?P<unit>{_UNIT})?)")
_RANGE = re.compile(
    rf"(?P<low>{_NUMBER}) *(?P<unit1>{_UNIT})? *(?:到|至|-|~|和|与) *(?P<high>{_NUMBER}) *(?P<unit2>{_UNIT})(?: *之间)?"
)
_SPAN = re.compile(DURATION)
_COUNT = re.compile(rf"(?P<count>{NUMBER}) *[个只盏台扇]")
_TIMES = re.compile(rf"(?P<count>{NUMBER}) *[次遍回]")
_NOT_IN_NAMES = frozenset("开关掉没有就把将和或且时直每")
"""Characters of verbs; a part of a name with one of them is no part of a name but of a sentence."""
_CHOOSING = frozenset({*PROPERTY_NAMES[Meaning.MODE], *PROPERTY_NAMES[Meaning.FAN_LEVEL]})


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number with its unit, "" without."""

    value: float
    unit: str


@dataclass(frozen=True, slots=True)
class Between:
    """Two numbers with one unit."""

    low: float
    high: float
    unit: str


Value = str | int | Quantity | Between | Timed | tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of a sentence; `senses` by kind: names are dids, spans are milliseconds."""

    start: int
    end: int
    text: str
    senses: Mapping[Kind, Value]

    def is_(self, *kinds: Kind) -> bool:
        """Return whether it may be one of some kinds."""
        return any(kind in self.senses for kind in kinds)


class Vocabulary:
    """The words of one home: names, rooms, parts of names, entries of lists."""

    def __init__(self, home: Home) -> None:
        devices = [each for each in (home.devices or {}).values() if each.name and each.usable]
        named: dict[str, list[str]] = {}
        for each in devices:
            named.setdefault(each.name, []).append(each.did)
        self.names = {name: tuple(dids) for name, dids in named.items()}
        self.rooms = frozenset(each.room for each in devices if each.room)
        self.all_names = "\n".join(self.names)
        self.longest = max([0, *map(len, self.names), *map(len, self.rooms)])
        used = {each.urn for each in devices}
        self.choices = frozenset(
            choice.description.strip()
            for urn, spec in home.specs.items()
            if urn in used
            for service in spec.services
            for prop in service.properties
            if prop.name in _CHOOSING
            for choice in prop.choices
            if len(choice.description.strip()) >= _SHORTEST
        )


def tokens(text: str, home: Home) -> tuple[Token, ...]:
    """Return a normalised text as tokens, without blanks between."""
    return tuple(_tokens(text, Vocabulary(home), lexicon()))


def _tokens(text: str, words: Vocabulary, known: Lexicon) -> Iterator[Token]:
    timed = {each.span[0]: each for each in timed_words(text)}
    place = 0
    while place < len(text):
        if text[place] == " ":
            place += 1
            continue
        end, senses = _best(text, place, timed, words, known)
        yield Token(place, end, text[place:end], senses)
        place = end


def _best(
    text: str, place: int, timed: Mapping[int, Timed], words: Vocabulary, known: Lexicon
) -> tuple[int, Mapping[Kind, Value]]:
    """Return where the longest word at a place ends, and what it may be."""
    found: dict[int, dict[Kind, Value]] = {}

    def seen(end: int, kind: Kind, value: Value) -> None:
        found.setdefault(end, {}).setdefault(kind, value)

    if place in timed:
        seen(timed[place].span[1], timed[place].kind, timed[place])
    for end, kind, value in (*_of_home(text, place, words, known), *_numbers(text, place, known)):
        seen(end, kind, value)
    for word, (kind, which) in known.at(text, place):
        seen(place + len(word), kind, which)
    if not found:
        piece = _piece(text, place, words, known)
        if piece > place:
            return piece, {Kind.PIECE: text[place:piece]}
        return place + 1, {}
    end = max(found)
    return end, found[end]


def _of_home(text: str, place: int, words: Vocabulary, known: Lexicon) -> Iterator[tuple[int, Kind, Value]]:
    for length in range(min(words.longest, len(text) - place), 0, -1):
        word = text[place : place + length]
        if length >= _SHORTEST and word in words.names and word not in known.things:
            yield place + length, Kind.NAME, words.names[word]
        if word in words.rooms:
            yield place + length, Kind.ROOM, word
        if word in words.choices:
            yield place + length, Kind.CHOICE, word


def _piece(text: str, place: int, words: Vocabulary, known: Lexicon) -> int:
    """Return where the longest part of a name ends that begins here and has no word of its own in it."""
    end = place
    while end < min(len(text), place + LONGEST_PIECE):
        if text[end] in _NOT_IN_NAMES or text[place : end + 1] not in words.all_names:
            break
        if end > place and any(kind in (Kind.THING, Kind.ROOM, Kind.MEASURE) for _, (kind, _) in known.at(text, end)):
            break
        end += 1
    return end


def _numbers(text: str, place: int, known: Lexicon) -> Iterator[tuple[int, Kind, Value]]:
    if text[place] not in "0123456789零〇一二两俩三四五六七八九十百廿卅半":
        return
    if match := _SPAN.match(text, place):
        duration = read_duration(match[0])
        if duration is not None and not duration.months and duration.days <= 1:
            yield match.end(), Kind.SPAN, (duration.days * 86_400 + duration.seconds) * 1000
    if (match := _RANGE.match(text, place)) and (between := _between(match, known)):
        yield match.end(), Kind.RANGE, between
    if (match := _QUANTITY.match(text, place)) and (quantity := _quantity(match, known)):
        yield match.end(), Kind.QUANTITY, quantity
    for pattern, kind in ((_COUNT, Kind.COUNT), (_TIMES, Kind.TIMES)):
        if (match := pattern.match(text, place)) and (count := integer(match["count"])):
            yield match.end(), kind, count


def _quantity(match: re.Match[str], known: Lexicon) -> Quantity | None:
    if match["half"]:
        return Quantity(50, "percent")
    if match["hundredth"]:
        number = integer(match["hundredth"])
        return None if number is None else Quantity(number, "percent")
    value = number_of(match["number"])
    return None if value is None else Quantity(value, known.units.get(match["unit"] or "", ""))


def _between(match: re.Match[str], known: Lexicon) -> Between | None:
    low, high = number_of(match["low"]), number_of(match["high"])
    units = {known.units[each] for each in (match["unit1"], match["unit2"]) if each}
    if low is None or high is None or low >= high or len(units) != 1:
        return None
    return Between(low, high, units.pop())


def number_of(words: str) -> float | None:
    """Return a number as it is written: 28, 26.5, 二十八, 二十六点五, 零下5."""
    if words.startswith("零下"):
        return -float(words.removeprefix("零下"))
    if words[0].isascii():
        return float(words) if "." in words else int(words)
    whole, _, tenth = words.partition("点")
    first, behind = integer(whole), integer(tenth) if tenth else 0
    if first is None or behind is None:
        return None
    return first + behind / 10 if tenth else first
