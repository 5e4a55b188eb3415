"""Which part of the home somebody wants to see, as it stands in an address."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from enum import StrEnum
from urllib.parse import parse_qs, urlencode

ADDRESS = "/home"
LONGEST = 64
"""Characters of a room, of words that are searched for, and of a cursor; more is cut."""
LONGEST_ADDRESS = 4_000
_FIELDS = 8


class Span(StrEnum):
    """How far back the timelines go."""

    HOUR = "hour"
    DAY = "day"
    WEEK = "week"

    @property
    def length(self) -> timedelta:
        """How long that is."""
        return _LENGTHS[self]


_LENGTHS = {Span.HOUR: timedelta(hours=1), Span.DAY: timedelta(days=1), Span.WEEK: timedelta(days=7)}


@dataclass(frozen=True, slots=True)
class Wish:
    """`room` is a room (empty: all), `words` are in the name of a device, `older` is a rule to go on behind."""

    room: str = ""
    words: str = ""
    span: Span = Span.DAY
    older: str = ""

    @property
    def address(self) -> str:
        """Where that is shown."""
        asked = {
            "room": self.room,
            "q": self.words,
            "span": "" if self.span is Span.DAY else self.span.value,
            "older": self.older,
        }
        query = urlencode({name: value for name, value in asked.items() if value})
        return f"{ADDRESS}?{query}" if query else ADDRESS

    def in_room(self, room: str) -> Wish:
        """Return the same for another room."""
        return replace(self, room=room)

    def over(self, span: Span) -> Wish:
        """Return the same over another span."""
        return replace(self, span=span)

    def behind(self, rule_id: str) -> Wish:
        """Return the same for the rules behind one."""
        return replace(self, older=rule_id)


def wish_of(room: str = "", q: str = "", span: str = "", older: str = "") -> Wish:
    """Return what an address asks for; what cannot be meant is passed over."""
    known = Span(span) if span in set(Span) else Span.DAY
    return Wish(_clean(room), _clean(q), known, _clean(older))


def wish_at(address: str) -> Wish:
    """Return what was asked for at the address a form came from."""
    _, _, query = address[:LONGEST_ADDRESS].partition("?")
    try:
        found = parse_qs(query, max_num_fields=_FIELDS)
    except ValueError:
        return Wish()
    return wish_of(**{name: found[name][0] for name in ("room", "q", "span", "older") if name in found})


def _clean(text: str) -> str:
    return "".join(character for character in text if character.isprintable()).strip()[:LONGEST]
