"""How things stand by the word of the broker, and what of a message is news: pure, no clock, no I/O.

Levels of a source follow each other by their instants; an event is told once. When the connection was lost for so long
that something may have been missed, a source is away, or its word has expired, what stood by it is unknown: never
false, and never what it was.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

import msgspec

from zhixing.world.mqtt.limits import AHEAD, MOST_AWAY, MOST_EVENTS, MOST_STANDING
from zhixing.world.mqtt.said import Fault, Judged, Presence, Said
from zhixing.world.perception.verdict import Value, Verdict

_APART = timedelta(milliseconds=1)
"""Between two events of a source that claim the same instant, or came in the wrong order."""
_Key = tuple[str, str]


@dataclass(slots=True)
class _Level:
    """What a source said of a condition last; `ours`: that it is unknown is our own word."""

    verdict: Verdict
    until: datetime | None
    ours: bool = False


class Standing:
    """Keeps the levels, the sources that are away, and the names of events.

    `expected` are the sources and conditions that messages are known to tell of. What was known of them before this
    program began is as old as nobody knows: it is unknown as well when the connection is lost or has just been made.
    """

    def __init__(self, expected: Iterable[_Key] = ()) -> None:
        self._levels: dict[_Key, _Level] = {}
        self._unheard = dict.fromkeys(expected)
        self._away: dict[str, None] = {}
        self._told: dict[tuple[str, str, str], None] = {}
        self._last: dict[_Key, datetime] = {}

    def take(self, said: Iterable[Said], topic: str, now: datetime) -> tuple[list[Verdict], list[Fault]]:
        """Take what a message said; return what is news, in order, and what could not be used."""
        news: list[Verdict] = []
        faults: list[Fault] = []
        for each in said:
            match each:
                case Fault():
                    faults.append(each)
                case Presence(sources, there):
                    news += self._come(sources) if there else self._go(sources, now)
                case Judged(verdict) if verdict.event is not None and verdict.value is Value.TRUE:
                    told = self._event(verdict, now)
                    if told is None:
                        faults.append(Fault("event_twice", topic))
                    else:
                        news.append(told)
                case Judged():
                    fault = self._level(each, topic, now, news)
                    faults += [fault] if fault else []
        return news, faults

    def lost(self, now: datetime) -> list[Verdict]:
        """Return that all that stands is unknown: messages may have been missed."""
        unheard = [key for key in self._unheard if key not in self._levels]
        self._unheard.clear()
        for source, query in unheard:
            verdict = Verdict(source, query, Value.UNKNOWN, now, lasting=True)
            self._levels[source, query] = _Level(verdict, None, ours=True)
        never = [self._levels[key].verdict for key in unheard]
        return never + [unknown for key in self._levels if (unknown := self._doubt(key, now)) is not None]

    def expired(self, now: datetime) -> list[Verdict]:
        """Return that what was not told again in time is unknown."""
        over = [key for key, level in self._levels.items() if level.until is not None and level.until <= now]
        return [unknown for key in over if (unknown := self._doubt(key, now)) is not None]

    def _level(self, said: Judged, topic: str, now: datetime, news: list[Verdict]) -> Fault | None:
        verdict = said.verdict
        key = (verdict.source, verdict.query)
        before = self._levels.get(key)
        if before is None and len(self._levels) >= MOST_STANDING:
            return Fault("sources_many", topic, str(MOST_STANDING))
        # What lies in the future does so because the clock was put back: then what comes is the newest word.
        if before is not None and verdict.at < before.verdict.at <= now:
            # What the broker kept is its newest word; behind our own "unknown" it says how things are now.
            if not (said.retained and before.ours and verdict.lasting):
                return Fault("late", topic)
            verdict = msgspec.structs.replace(verdict, at=now)
        ours = said.retained and verdict.source in self._away
        if ours:
            verdict = msgspec.structs.replace(verdict, value=Value.UNKNOWN, at=_not_before(verdict.at, now))
        until = None if said.stands is None else verdict.at + said.stands
        self._levels[key] = _Level(verdict, until, ours)
        news.append(verdict)
        return None

    def _event(self, verdict: Verdict, now: datetime) -> Verdict | None:
        key = (verdict.source, verdict.query)
        name = (*key, verdict.event or "")
        if name in self._told:
            return None
        self._told[name] = None
        while len(self._told) > MOST_EVENTS:
            del self._told[next(iter(self._told))]
        last = self._last.pop(key, None)
        if last is not None and verdict.at <= last <= now + AHEAD - _APART:
            # An event that came after another one is not older for it: it would be taken for stale.
            verdict = msgspec.structs.replace(verdict, at=last + _APART)
        self._last[key] = verdict.at
        while len(self._last) > MOST_STANDING:
            del self._last[next(iter(self._last))]
        return verdict

    def _come(self, sources: tuple[str, ...]) -> list[Verdict]:
        for source in sources:
            self._away.pop(source, None)
        return []

    def _go(self, sources: tuple[str, ...], now: datetime) -> list[Verdict]:
        self._away |= dict.fromkeys(sources)
        while len(self._away) > MOST_AWAY:
            del self._away[next(iter(self._away))]
        gone = [key for key in self._levels if key[0] in sources]
        return [unknown for key in gone if (unknown := self._doubt(key, now)) is not None]

    def _doubt(self, key: _Key, now: datetime) -> Verdict | None:
        level = self._levels[key]
        level.until = None
        if level.verdict.value is Value.UNKNOWN:
            return None
        at = _not_before(level.verdict.at, now)
        verdict = msgspec.structs.replace(level.verdict, value=Value.UNKNOWN, at=at, reason="")
        level.verdict, level.ours = verdict, True
        return verdict


def _not_before(last: datetime, now: datetime) -> datetime:
    """Return now, or the instant of the last word where that is a little ahead; an older one would be stale."""
    return last if now < last <= now + AHEAD else now
