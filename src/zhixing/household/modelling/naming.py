"""Who a model says it is about: only people, animals and things that the words name, looked up in the home."""

from __future__ import annotations

import re

from zhixing.household.assembling.request import Home
from zhixing.household.assembling.who import Mention, mentions
from zhixing.household.assembling.words import room_pattern, rooms
from zhixing.household.modelling.ground import Ground
from zhixing.household.modelling.misreading import Fault, Misread
from zhixing.household.modelling.protocol import LONGEST_NAME, WireSubject

_SORTS = {"members": "members", "anyone": "anyone", "stranger": "stranger", "animal": "animals", "car": "cars"}
_PERSONAL = frozenset(("role", "name", "class", "surname", "list"))
_MADE_UP = re.compile(r"[\d\s]|不含")


def mentions_of(subject: WireSubject, happens: str, ground: Ground, home: Home, place: str) -> tuple[Mention, ...]:
    """Return who is named; nothing where it is nobody, or a thing. `happens`: the words for what happens.

    Raises `Misread` for names that were not said, and for somebody who was named and is passed over. Who only hears of
    it (提醒我) is not who does it (A-21).
    """
    names = [_named(name, ground, f"{place}.names") for name in subject.names]
    if subject.how == "first_person":
        if "我" not in happens:
            raise Misread(Fault.SUBJECT, place)
        return (Mention("first", (), "我"),)
    if subject.how == "given":
        if not names:
            raise Misread(Fault.SUBJECT, place)
        return tuple(mention for name in names for mention in _people(name, home))
    how = _SORTS.get(subject.how)
    if subject.how == "user" and any(one.how in _PERSONAL for one in _people(happens, home, unknown=False)):
        raise Misread(Fault.SUBJECT, place)
    if how is None:
        if subject.how == "object" and not names:
            raise Misread(Fault.SUBJECT, place)
        return ()
    if not names or any(mention.how in _PERSONAL for mention in _people(names[0], home, unknown=False)):
        raise Misread(Fault.SUBJECT, place)
    return (Mention(how, (names[0],), names[0]),)


def _named(name: str, ground: Ground, place: str) -> str:
    words = ground.quote(name, place, LONGEST_NAME)
    if not words or _MADE_UP.search(words):
        raise Misread(Fault.SUBJECT, place)
    return words


def _people(name: str, home: Home, *, unknown: bool = True) -> tuple[Mention, ...]:
    """Return whom a name means; somebody nobody knows is a role that the home does not have, and is asked about."""
    found, _ = mentions(name, home)
    return found or ((Mention("role", (name,), name),) if unknown else ())


def room_of(name: str, ground: Ground, place: str) -> str:
    """Return the room that a name in the words means; one that no dictionary has is called as it was said."""
    words = ground.quote(name, place, LONGEST_NAME)
    match = re.search(room_pattern(), words)
    found = rooms()[match[0]] if match is not None else words
    if not found:
        raise Misread(Fault.SUBJECT, place)
    return found
