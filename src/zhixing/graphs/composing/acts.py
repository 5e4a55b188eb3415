"""What is to be done: turn, set, say, play; what is left out is what was named before. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from zhixing.graphs.building.sketch import Span as Length
from zhixing.graphs.composing.cursor import Read, Tokens, mentions
from zhixing.graphs.composing.facts import Memory
from zhixing.graphs.composing.lexicon import Kind, lexicon
from zhixing.graphs.composing.request import DOINGS, Act, Mention, Play, Say, Setting, Switch
from zhixing.graphs.composing.tokens import Quantity

MOST_ACTS = 20
"""Things to do in one sentence."""
LONGEST_SAID = 100
"""Characters that a speaker is made to say."""
_TURNS: Mapping[str, Literal["on", "off", "toggle"]] = {"on": "on", "off": "off", "toggle": "toggle"}
_QUOTES = {"“": "”", "「": "」", '"': '"', "‘": "’", "『": "』", "《": "》"}
_EMPTY = re.compile(r"\A(?:我|大家|家人|他们|一下|一次|一声|一遍|:)*")
_UNTIL = re.compile(r"[,]?(?:一?直到|等到)")
_COUNTED = re.compile(r"[0-9一二两三四五六七八九十]+ *[次遍]")

Said = tuple[Mention, ...]


def acts(given: Tokens, at: int, memory: Memory) -> Read[tuple[Act, ...]] | None:
    """Read what is to be done up to the end of the clause; None where that is not understood."""
    found: tuple[Act, ...] = ()
    while True:
        at = given.past(at, Kind.NEXT, Kind.THEN, Kind.FILL) if not given.over(at) else at
        read = _act(given, at, memory)
        if read is None:
            return (found, at) if found else None
        found, at = (*found, *read[0]), given.filled(read[1])
        if len(found) > MOST_ACTS:
            return None
        if given.over(at) or not given.is_(at, Kind.NEXT, Kind.AND, Kind.FILL, *_MORE):
            return found, at


_MORE = (Kind.MEASURE, Kind.SET, Kind.CHOICE, Kind.SWITCH)


def _act(given: Tokens, at: int, memory: Memory) -> Read[tuple[Act, ...]] | None:
    start = at
    after, at = _after(given, at)
    said = mentions(given, at)
    who: Said = ()
    if said is not None and said[0][1] != "any":
        who, at = said[0][0], given.filled(said[1])
        if given.is_(at, Kind.AND, Kind.NEXT) and not given.is_(at, Kind.SWITCH, Kind.SET):
            at = given.past(at, Kind.NEXT, Kind.FILL)
    if given.is_(at, Kind.SAY):
        return _say(given, at, _Begun(start, who, after))
    if given.is_(at, Kind.PLAY):
        doing = DOINGS[given.word(at, Kind.PLAY)]
        return (Play(given.span(start, at + 1), who, doing, after),), at + 1
    word = given.word(at, Kind.SWITCH)
    if word and not word.endswith("_state"):
        return _switch(given, at, _Begun(start, who, after), memory)
    return _settings(given, at, _Begun(start, who, after), memory)


@dataclass(frozen=True, slots=True)
class _Begun:
    """An order of which the beginning was read: who does it, how much later, from which token on."""

    start: int
    who: Said
    after: Length | None


def _after(given: Tokens, at: int) -> Read[Length | None]:
    """Read how much later it is to be done: 5分钟后, 过5分钟."""
    length = given.length(at)
    if length is None or given.word(at + 1, Kind.END) not in {"后", "之后", "以后"}:
        return None, at
    return length, given.past(at + 2, Kind.NEXT, Kind.FILL, Kind.THEN)


def _switch(given: Tokens, at: int, begun: _Begun, memory: Memory) -> Read[tuple[Act, ...]] | None:
    who = begun.who
    turn = _TURNS[given.word(at, Kind.SWITCH).partition("_")[0]]
    at += 1
    if not who:
        said = mentions(given, at)
        if said is not None and said[0][1] != "any":
            who, at = said[0][0], said[1]
    who = who or memory.acts or memory.being
    if not who or all(each.is_room for each in who):
        return None
    memory.acts = who
    switch = Switch(given.span(begun.start, at), who, turn, begun.after)
    more: tuple[Act, ...] = ()
    while (read := _setting(given, at, who, begun.after)) is not None:
        more, at = (*more, read[0]), read[1]
    return (switch, *more), at


def _settings(given: Tokens, at: int, begun: _Begun, memory: Memory) -> Read[tuple[Act, ...]] | None:
    """Read 空调调到26度, 把亮度调到30%, 调成制冷; a value needs a verb or a measure before it."""
    who = begun.who
    adjusted = given.is_(at, Kind.ADJUST) and not given.is_(at, Kind.SET)
    if adjusted:
        at = given.filled(at + 1)
        said = mentions(given, at)
        if said is not None and not who and said[0][1] != "any":
            who, at = said[0][0], given.filled(said[1])
    if not (adjusted or given.is_(at, Kind.SET, Kind.MEASURE, Kind.CHOICE)):
        return None
    who = who or memory.acts or memory.being
    if not who:
        return None
    read = _setting(given, at, who, begun.after)
    if read is None:
        return None
    memory.acts = who
    return (replace(read[0], span=given.span(begun.start, read[1])),), read[1]


def _setting(given: Tokens, at: int, who: Said, after: Length | None) -> Read[Setting] | None:
    start, at = at, given.filled(at)
    measure = given.word(at, Kind.MEASURE)
    at = given.filled(at + 1) if measure else at
    if given.is_(at, Kind.SET):
        at = given.filled(at + 1)
        if not measure and given.is_(at, Kind.MEASURE):
            measure, at = given.word(at, Kind.MEASURE), given.filled(at + 1)
    quantity = given.value(at, Kind.QUANTITY)
    choice = given.word(at, Kind.CHOICE)
    extreme = given.word(at, Kind.EXTREME)
    if isinstance(quantity, Quantity):
        value: float | str = quantity.value
        unit, at = quantity.unit, at + 1
    elif choice or extreme:
        value, unit, at = choice or extreme, "extreme" if extreme else "", at + 1
    else:
        return None
    if choice and given.word(at, Kind.MEASURE) == "mode":
        measure, at = measure or "mode", at + 1
    if unit and unit != "extreme":
        fitting = lexicon().unit_measures[unit]
        if measure and measure not in fitting:
            return None
    return Setting(given.span(start, at), who, measure, value, unit, after), at


def _say(given: Tokens, at: int, begun: _Begun) -> Read[tuple[Act, ...]] | None:
    """Read what is to be said: a quotation, or everything to the end of the clause."""
    place = given.found[at].end
    raw = given.text[place:]
    lead = len(raw) - len(raw.lstrip(" :,")) if raw.lstrip(" :,")[:1] in _QUOTES else 0
    closing = _QUOTES.get(raw[lead : lead + 1])
    if closing:
        inside, found, _ = raw[lead + 1 :].partition(closing)
        end = place + lead + 1 + len(inside) + 1
        if not found:
            return None
    else:
        stop = min([token.start for token in given.found[at + 1 :] if token.is_(Kind.BREAK)], default=len(given.text))
        until = _UNTIL.search(given.text, place, stop)
        end = until.start() if until else stop
        inside = given.text[place:end]
        inside = _EMPTY.sub("", inside)
        if _COUNTED.fullmatch(inside.strip()):
            return None
    words = " ".join(inside.split())
    if len(words) > LONGEST_SAID or (not words and given.word(at, Kind.SAY) not in lexicon().defaults):
        return None
    behind = next((number for number, token in enumerate(given.found) if token.start >= end), len(given.found))
    return (Say(given.span(begun.start, max(behind, at + 1)), begun.who, words, begun.after),), max(behind, at + 1)
