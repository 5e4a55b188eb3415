"""Messages of the broker, read as what they say of the world: pure.

A message that the broker had kept (retained) says how things are, never that something happens. Nothing that comes in
raises: what cannot be used is a `Fault`.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import msgspec

from zhixing.kernel.errors import BadInput
from zhixing.world.mqtt import topics
from zhixing.world.mqtt.facts import Fact, at_path, read_fact
from zhixing.world.mqtt.frigate import Frigate, read_count, read_event
from zhixing.world.mqtt.limits import AHEAD, LARGEST_PAYLOAD, LONGEST_TOPIC
from zhixing.world.mqtt.said import Fault, Judged, Presence, Said
from zhixing.world.perception.reading import LONGEST_SOURCE, read_verdict
from zhixing.world.perception.verdict import Value

_SOURCES = ("source", "did")


class Reader:
    """Knows which topics say what. `prefix` is that of our own topics."""

    def __init__(self, prefix: str, facts: Sequence[Fact] = (), frigate: Frigate | None = None) -> None:
        self._verdicts = topics.verdicts(prefix)
        self._availability = topics.availability(prefix)
        self._frigate = frigate if frigate is not None and frigate.cameras else None
        self._facts: dict[str, list[Fact]] = {}
        self._there: dict[str, list[str]] = {}
        for fact in facts:
            self._facts.setdefault(fact.topic, []).append(fact)
            if fact.availability:
                self._there.setdefault(fact.availability, []).append(fact.source)
        self._counts: dict[str, str] = {}
        if self._frigate is not None:
            self._counts = {self._frigate.count(camera): camera for camera in self._frigate.cameras}
            self._there.setdefault(self._frigate.available, []).extend(self._frigate.cameras.values())

    @property
    def filters(self) -> tuple[str, ...]:
        """What to subscribe to."""
        wanted = [self._verdicts, f"{self._verdicts}/+", f"{self._availability}/+"]
        wanted += [*self._there, *self._facts, *self._counts]
        if self._frigate is not None:
            wanted.append(self._frigate.events)
        return tuple(dict.fromkeys(wanted))

    @property
    def levels(self) -> tuple[tuple[str, str], ...]:
        """The sources and conditions of which the settings say that messages tell how they are."""
        found = [(fact.source, fact.condition) for facts in self._facts.values() for fact in facts]
        if self._frigate is not None:
            for source in self._frigate.cameras.values():
                found += [(source, query) for query in (self._frigate.absent, self._frigate.present) if query]
        return tuple(dict.fromkeys(found))

    def read(self, topic: str, payload: bytes, *, retained: bool, now: datetime) -> tuple[Said, ...]:
        """Return what a message says, in order; `now` is when it came."""
        if len(topic) > LONGEST_TOPIC or not topic.isprintable():
            return (Fault("topic_wrong", "".join(each if each.isprintable() else "?" for each in topic[:60])),)
        if len(payload) > LARGEST_PAYLOAD:
            return (Fault("payload_large", topic, str(LARGEST_PAYLOAD)),)
        if retained and not payload:
            return ()  # what was kept is kept no more
        own = topic.removeprefix(f"{self._availability}/")
        if own != topic:
            return _presence(topic, (own,), payload)
        if topic == self._verdicts or topic.startswith(f"{self._verdicts}/"):
            return self._verdict(topic, payload, retained=retained, now=now)
        said = list(_presence(topic, tuple(self._there[topic]), payload)) if topic in self._there else []
        for fact in self._facts.get(topic, ()):
            said += read_fact(fact, payload, retained=retained, now=now)
        return (*said, *self._seen(topic, payload, retained=retained, now=now))

    def _seen(self, topic: str, payload: bytes, *, retained: bool, now: datetime) -> tuple[Said, ...]:
        if self._frigate is None:
            return ()
        if topic == self._frigate.events:
            return read_event(self._frigate, payload, retained=retained, now=now)
        if topic in self._counts:
            return read_count(self._frigate, self._counts[topic], payload, retained=retained, now=now)
        return ()

    def _verdict(self, topic: str, payload: bytes, *, retained: bool, now: datetime) -> tuple[Said, ...]:
        said = _decoded(payload)
        if not isinstance(said, dict):
            return (Fault("not_object", topic),)
        given = topic.removeprefix(self._verdicts).removeprefix("/")
        if given:
            # The broker may let each source publish under its own name only: nobody speaks for another.
            if any(said.get(name) not in (None, given) for name in _SOURCES):
                return (Fault("source_other", topic),)
            if not any(said.get(name) for name in _SOURCES):
                said = {**said, "source": given}
        dated = said.get("at") is not None
        try:
            verdict = read_verdict(said if dated else {**said, "at": now.isoformat()})
        except BadInput as error:
            return (Fault("verdict_wrong", topic, str(error)),)
        if verdict.at - now > AHEAD:
            return (Fault("in_future", topic),)
        if retained and verdict.event is not None:
            return (Fault("event_retained", topic),)
        if retained and not dated and not verdict.lasting:
            # It was true when it was said, and nobody knows when that was.
            verdict = msgspec.structs.replace(verdict, value=Value.UNKNOWN)
        return (Judged(verdict, retained),)


def _decoded(payload: bytes) -> Any:
    try:
        return msgspec.json.decode(payload)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None


def _presence(topic: str, sources: tuple[str, ...], payload: bytes) -> tuple[Said, ...]:
    """Read `online` or `offline`, alone or as `state` of an object."""
    text = payload[:64].strip().lower()
    if text not in (b"online", b"offline"):
        state = at_path(_decoded(payload), "state")
        text = state.lower().encode() if isinstance(state, str) and state.isascii() else b""
    if text not in (b"online", b"offline") or any(not 0 < len(source) <= LONGEST_SOURCE for source in sources):
        return (Fault("presence_wrong", topic),)
    return (Presence(sources, text == b"online"),)
