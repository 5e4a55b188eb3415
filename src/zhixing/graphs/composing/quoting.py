"""Pieces of a model's reply → pieces of a request, each held against the words that it quotes. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import time
from typing import Any

from zhixing.graphs.building.sketch import Span as Length
from zhixing.graphs.composing.acts import LONGEST_SAID
from zhixing.graphs.composing.clock_words import Moment, Timed, days_of
from zhixing.graphs.composing.lexicon import Kind
from zhixing.graphs.composing.request import (
    DOINGS,
    HAPPENINGS,
    Act,
    Being,
    Clock,
    Fact,
    Level,
    Mention,
    Play,
    Press,
    Rounds,
    Say,
    Setting,
    Span,
    State,
    Sun,
    Switch,
    Taken,
    Window,
)
from zhixing.graphs.composing.tokens import Between, Quantity, Token, tokens
from zhixing.graphs.specs.home import Home
from zhixing.graphs.times.filters import DayFilter, EveryDay
from zhixing.graphs.times.sun import SunEvent
from zhixing.language.text import normalise

_MOST_TIMES = 100


class Unquoted(Exception):
    """A reply that does not rest on the words; `kind` is unquoted, did or value, `place` where in the reply."""

    def __init__(self, kind: str, place: str) -> None:
        super().__init__(place)
        self.kind = kind
        self.place = place


class Quoting:
    """Reads pieces of a reply to one text; `dids` are those that may be named."""

    def __init__(self, text: str, home: Home, dids: frozenset[str]) -> None:
        self._text = normalise(text)
        self._home = home
        self._dids = dids
        self._taken: dict[str, Taken] = {}

    @property
    def taken(self) -> tuple[Taken, ...]:
        """What is told of times that were taken for granted."""
        return tuple(self._taken.values())

    def fact(self, value: Mapping[str, Any], at: str) -> Fact:
        """Read one fact. Raises `Unquoted`."""
        span, said = self._quoted(value["quote"], f"{at}.quote")
        hold = self._length(value["hold_seconds"], said, f"{at}.hold_seconds")
        match value["kind"]:
            case "clock":
                days = self._days(value["days"], f"{at}.days") if value["days"] else None
                return Clock(span, self._time(value["at"], said, f"{at}.at"), days)
            case "sun":
                return self._sun(value, span, said, at)
        who = self._mentions(value["dids"], span, f"{at}.dids")
        match value["kind"]:
            case "level" if value["measure"] and value["operator"] and value["low"] is not None:
                low, high = value["low"], value["high"] or 0
                self._numbers((low, high) if value["operator"] == "between" else (low,), said, f"{at}.low")
                return Level(span, who, value["measure"], value["operator"], low, high, "", hold)
            case "state" if value["state"]:
                return Being(span, who, State(value["state"]), hold, value["joint"])
            case "press" if value["press"]:
                return Press(span, who, HAPPENINGS[value["press"]])
        raise Unquoted("value", at)

    def act(self, value: Mapping[str, Any], at: str) -> Act:
        """Read one thing to do. Raises `Unquoted`."""
        span, said = self._quoted(value["quote"], f"{at}.quote")
        after = self._length(value["after_seconds"], said, f"{at}.after_seconds")
        who = self._mentions(value["dids"], span, f"{at}.dids")
        match value["kind"]:
            case "switch" if value["turn"]:
                return Switch(span, who, value["turn"], after)
            case "set" if value["choice"] is not None:
                self._quoted(value["choice"], f"{at}.choice")
                return Setting(span, who, value["measure"] or "", value["choice"], "", after)
            case "set" if value["value"] is not None and value["measure"]:
                self._numbers((value["value"],), said, f"{at}.value")
                return Setting(span, who, value["measure"], value["value"], "", after)
            case "say" if value["text"]:
                self._quoted(value["text"], f"{at}.text")
                if len(value["text"]) > LONGEST_SAID:
                    raise Unquoted("value", f"{at}.text")
                return Say(span, who, value["text"].strip(), after)
            case "play" if value["doing"]:
                return Play(span, who, DOINGS[value["doing"]], after)
        raise Unquoted("value", at)

    def window(self, value: Mapping[str, Any], at: str) -> Window:
        """Read a window. Raises `Unquoted`."""
        span, said = self._quoted(value["quote"], f"{at}.quote")
        start, end = (_clock(value[name], f"{at}.{name}") for name in ("start", "end"))
        found = [
            (first.at, last.at)
            for token in said
            if isinstance(timed := token.senses.get(Kind.WINDOW), Timed) and isinstance(timed.value, tuple)
            for first, last in [timed.value]
            if isinstance(first, Moment) and isinstance(last, Moment)
        ]
        if (start, end) not in found:
            raise Unquoted("value", at)
        return Window(span, start, end, self._days(value["days"], f"{at}.days"))

    def rounds(self, value: Mapping[str, Any], at: str) -> Rounds | None:
        """Read how something repeats; None where it does not. Raises `Unquoted`."""
        if value["every_seconds"] is None:
            return None
        _, said = self._quoted(value["every_quote"] or "", f"{at}.every_quote")
        every = self._length(value["every_seconds"], said, f"{at}.every_seconds")
        times = value["times"] or 0
        whole = tokens(self._text, self._home)
        if times and not any(each.senses.get(Kind.TIMES) == times for each in whole):
            raise Unquoted("value", f"{at}.times")
        if every is None or not 0 <= times <= _MOST_TIMES:
            raise Unquoted("value", f"{at}.every_seconds")
        return Rounds(every, self.fact(value["until"], f"{at}.until") if value["until"] else None, times)

    def _quoted(self, quote: str, at: str) -> tuple[Span, tuple[Token, ...]]:
        words = normalise(quote).strip()
        start = self._text.find(words) if words else -1
        if start < 0:
            raise Unquoted("unquoted", at)
        return (start, start + len(words)), tokens(words, self._home)

    def _mentions(self, dids: list[str], span: Span, at: str) -> tuple[Mention, ...]:
        if not dids or not self._dids.issuperset(dids):
            raise Unquoted("did", at)
        found = [each for did in dids if (each := self._home.device(did)) is not None]
        return tuple(Mention(span, each.name, (each.did,)) for each in found)

    def _numbers(self, wanted: tuple[float, ...], said: tuple[Token, ...], at: str) -> None:
        """Demand that a quote has the numbers."""
        known: set[float] = set()
        for token in said:
            for value in token.senses.values():
                if isinstance(value, Quantity):
                    known.add(value.value)
                elif isinstance(value, Between):
                    known |= {value.low, value.high}
        if not known.issuperset(wanted):
            raise Unquoted("value", at)

    def _length(self, seconds: int | None, said: tuple[Token, ...], at: str) -> Length | None:
        if seconds is None:
            return None
        if seconds < 1 or not any(each.senses.get(Kind.SPAN) == seconds * 1000 for each in said):
            raise Unquoted("value", at)
        return Length.of_ms(seconds * 1000)

    def _time(self, words: str | None, said: tuple[Token, ...], at: str) -> time:
        wanted = _clock(words or "", at)
        for token in said:
            timed = token.senses.get(Kind.CLOCK)
            if isinstance(timed, Timed) and isinstance(timed.value, Moment) and timed.value.at == wanted:
                if not timed.value.sure:
                    self._taken["hour"] = Taken("taken_hour", {"at": f"{wanted:%H:%M}"})
                return wanted
        raise Unquoted("value", at)

    def _days(self, words: str | None, at: str) -> DayFilter:
        if not words:
            return EveryDay()
        self._quoted(words, at)
        found = days_of(normalise(words).strip())
        if found is None:
            raise Unquoted("value", at)
        if "工作日" in words and "法定" not in words:
            self._taken["days"] = Taken("taken_workdays")
        return found

    def _sun(self, value: Mapping[str, Any], span: Span, said: tuple[Token, ...], at: str) -> Sun:
        wanted = SunEvent(value["sun"]) if value["sun"] else None, value["offset_minutes"] or 0
        for token in said:
            timed = token.senses.get(Kind.SUN)
            if isinstance(timed, Timed) and timed.value == wanted and wanted[0] is not None:
                return Sun(span, wanted[0], wanted[1], self._days(value["days"], f"{at}.days"))
        raise Unquoted("value", f"{at}.sun")


def _clock(words: str, at: str) -> time:
    try:
        return time.fromisoformat(words)
    except ValueError as error:
        raise Unquoted("value", at) from error
