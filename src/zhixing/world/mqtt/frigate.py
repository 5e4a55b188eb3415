"""Frigate: how many persons its cameras see, and that one came. Pure.

`frigate/CAMERA/person` is a count, which sets a level. `frigate/events` tells the life of each tracked object; only its
`new` is that somebody came, under the id that Frigate gave the object.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import msgspec

from zhixing.world.mqtt.said import Fault, Judged, Said, instant
from zhixing.world.perception.reading import LONGEST_EVENT
from zhixing.world.perception.verdict import Value, Verdict

_MOST_PERSONS = 10_000


@dataclass(frozen=True, slots=True)
class Frigate:
    """Its topics begin with `prefix`; `cameras` gives our source for a name there.

    `absent` and `present` are levels, read off the count; `arrives` is momentary. What is "" is not told.
    """

    cameras: Mapping[str, str] = field(default_factory=dict)
    prefix: str = "frigate"
    absent: str = "画面中无人"
    present: str = "画面中有人"
    arrives: str = "有人出现在画面中"

    @property
    def events(self) -> str:
        """The topic of what happens."""
        return f"{self.prefix}/events"

    @property
    def available(self) -> str:
        """The topic that says whether Frigate is there."""
        return f"{self.prefix}/available"

    def count(self, camera: str) -> str:
        """Return the topic of how many persons a camera sees."""
        return f"{self.prefix}/{camera}/person"


def read_count(frigate: Frigate, camera: str, payload: bytes, *, retained: bool, now: datetime) -> tuple[Said, ...]:
    """Return what a count says: nobody is there, or somebody is."""
    text = payload[:16].strip()
    if not (text.isdigit() and text.isascii()) or len(payload) > 16 or int(text) > _MOST_PERSONS:
        return (Fault("value_unusable", frigate.count(camera)),)
    nobody = int(text) == 0
    source = frigate.cameras[camera]
    told = ((frigate.absent, nobody), (frigate.present, not nobody))
    return tuple(
        Judged(Verdict(source, query, Value.TRUE if so else Value.FALSE, now, lasting=True), retained)
        for query, so in told
        if query
    )


class _Object(msgspec.Struct, gc=False):
    id: str
    camera: str
    label: str
    false_positive: bool | None = False
    frame_time: float | None = None
    start_time: float | None = None
    top_score: float | None = None
    score: float | None = None


class _Event(msgspec.Struct, gc=False):
    type: str
    after: _Object


_DECODER = msgspec.json.Decoder(_Event)


def read_event(frigate: Frigate, payload: bytes, *, retained: bool, now: datetime) -> tuple[Said, ...]:
    """Return that a person came, if that is what an event says."""
    if retained:
        return (Fault("event_retained", frigate.events),)
    try:
        event = _DECODER.decode(payload)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return (Fault("not_frigate", frigate.events),)
    seen = event.after
    source = frigate.cameras.get(seen.camera)
    if event.type != "new" or seen.label != "person" or seen.false_positive or source is None or not frigate.arrives:
        return ()
    if not 0 < len(seen.id) <= LONGEST_EVENT or not seen.id.isprintable():
        return (Fault("not_frigate", frigate.events),)
    reason = f"Frigate {seen.camera}: {seen.label}{_scored(seen)}"
    at = _when(seen, now)
    return (Judged(Verdict(source, frigate.arrives, Value.TRUE, at, reason, firm=True, event=seen.id)),)


def _scored(seen: _Object) -> str:
    score = seen.top_score or seen.score
    return f" {score:.2f}" if score is not None and 0 < score <= 1 else ""


def _when(seen: _Object, now: datetime) -> datetime:
    """Return the instant of the picture: an object may have been tracked for long before it was known what it is."""
    told: Any = seen.frame_time if seen.frame_time is not None else seen.start_time
    at = instant(told)
    return now if at is None or at > now else at
