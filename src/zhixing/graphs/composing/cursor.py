"""Going through the tokens of a sentence: what stands at a place, without the words that say nothing. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from zhixing.graphs.building.sketch import Span as Length
from zhixing.graphs.composing.lexicon import Kind
from zhixing.graphs.composing.request import Mention, Span
from zhixing.graphs.composing.tokens import Token, Value

V = TypeVar("V")
Read = tuple[V, int]
"""What was read, and the number of the token behind it."""

_BETWEEN_NAMES = frozenset({"和", "与", "跟", "、", "以及", "还有"})
"""What joins names; 并且 joins what is said of them."""
_NAMES = (Kind.NAME, Kind.PIECE, Kind.THING, Kind.ROOM)


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of a text; every place in them is the number of a token."""

    text: str
    found: Sequence[Token]

    def is_(self, at: int, *kinds: Kind) -> bool:
        """Return whether a token is there that may be one of some kinds."""
        return at < len(self.found) and self.found[at].is_(*kinds)

    def value(self, at: int, kind: Kind) -> Value | None:
        """Return what a token is as a kind; None for another one."""
        return self.found[at].senses.get(kind) if at < len(self.found) else None

    def word(self, at: int, kind: Kind) -> str:
        """Return which word of a kind stands there, "" for none."""
        value = self.value(at, kind)
        return value if isinstance(value, str) else ""

    def past(self, at: int, *kinds: Kind) -> int:
        """Return the first place that is none of some kinds."""
        while self.is_(at, *kinds):
            at += 1
        return at

    def filled(self, at: int) -> int:
        """Return the first place that says something."""
        while self.is_(at, Kind.FILL) and not self.is_(at, *_NAMES):
            at += 1
        return at

    def over(self, at: int) -> bool:
        """Return whether a clause ends there."""
        return at >= len(self.found) or self.is_(at, Kind.BREAK)

    def is_comma(self, at: int) -> bool:
        """Return whether a clause ends there and the sentence goes on."""
        return self.is_(at, Kind.BREAK) and self.found[at].text == ","

    def span(self, start: int, end: int) -> Span:
        """Return the span of the tokens from `start` to before `end`."""
        if start >= len(self.found) or end <= start:
            return 0, 0
        return self.found[start].start, self.found[end - 1].end

    def words(self, start: int, end: int) -> str:
        """Return their words."""
        first, last = self.span(start, end)
        return self.text[first:last]

    def length(self, at: int) -> Length | None:
        """Return a span of time that stands there; None for none, or one of no length."""
        ms = self.value(at, Kind.SPAN)
        return Length.of_ms(ms) if isinstance(ms, int) and ms > 0 else None


def mention(given: Tokens, at: int) -> Read[Mention] | None:
    """Read the words for one device, or for all of a kind: 所有灯, 客厅的灯, 主卧床头灯, 三个传感器, 左键."""
    at = given.filled(at)
    start, every, count = at, False, 0
    if given.is_(at, Kind.ALL):
        every, at = True, given.filled(at + 1)
    number = given.value(at, Kind.COUNT)
    if isinstance(number, int) and given.is_(at + 1, *_NAMES):
        count, at = number, at + 1
    found = Mention((0, 0), "", every=every, count=count)
    found, at = _within(given, at, found)
    # 客厅所有的灯
    if given.is_(at, Kind.ALL) and found.is_room:
        found = replace(found, every=True)
        found, at = _within(given, given.filled(at + 1), found)
    if given.is_(given.filled(at), Kind.KEY):
        at = given.filled(at)
        found, at = replace(found, key=given.word(at, Kind.KEY)), at + 1
    if not (found.names or found.room or found.pieces or found.thing or found.key):
        return None
    return replace(found, span=given.span(start, at), words=given.words(start, at)), at


def _within(given: Tokens, at: int, found: Mention) -> Read[Mention]:
    """Read room, parts of the name and kind, in their order; 的 and 里 may stand between."""
    while True:
        inner = given.filled(at)
        if given.is_(inner, Kind.NAME) and not (found.names or found.thing):
            names = given.value(inner, Kind.NAME)
            found, at = replace(found, names=names if isinstance(names, tuple) else ()), inner + 1
            # 走廊人体传感器 of a device that is called 走廊人体; whether it is one is looked up.
            if given.is_(at, Kind.THING) and not given.is_(at, Kind.FOLLOW_END):
                return replace(found, thing=given.found[at].text), at + 1
            return found, at
        if given.is_(inner, Kind.ROOM) and not (found.room or found.pieces or found.thing):
            found, at = replace(found, room=given.word(inner, Kind.ROOM)), inner + 1
        elif given.is_(inner, Kind.PIECE) and not found.thing:
            found, at = replace(found, pieces=(*found.pieces, given.word(inner, Kind.PIECE))), inner + 1
        elif given.is_(inner, Kind.THING) and not found.thing:
            return replace(found, thing=given.found[inner].text), inner + 1
        else:
            return found, at


def mentions(given: Tokens, at: int) -> Read[tuple[tuple[Mention, ...], str]] | None:
    """Read one or several, and how they are joined: "" for one, `all` or `any`."""
    first = mention(given, at)
    if first is None:
        return None
    found, at = [first[0]], first[1]
    joint = ""
    while given.is_(at, Kind.OR) or given.word(at, Kind.AND) in _BETWEEN_NAMES:
        how = "any" if given.is_(at, Kind.OR) else "all"
        more = mention(given, at + 1)
        if more is None or joint not in {"", how}:
            break
        joint = how
        found.append(more[0])
        at = more[1]
    return (tuple(found), joint), at
