"""What cameras and other sources judge: the latest of each about each condition that a rule watches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from zhixing.faces.rule_words import single_line
from zhixing.faces.web.home.naming import Text
from zhixing.faces.web.home.reading import Machines
from zhixing.kernel.moments import from_micros
from zhixing.tasks.rules.hearing import Heard
from zhixing.world.devices.port import Camera
from zhixing.world.perception.verdict import Value

MOST_JUDGED = 50
"""Pairs of a source and a condition that are shown."""
NEVER = "never"
KINDS = {Value.TRUE.value: "good", Value.FALSE.value: "", Value.UNKNOWN.value: "warm", NEVER: ""}
"""Badges by value."""


@dataclass(frozen=True, slots=True)
class Judged:
    """What one source says about one condition. `value` is true, false, unknown or never."""

    query: str
    words: str
    value: str
    kind: str
    since: str
    said: str
    rules: str


@dataclass(frozen=True, slots=True)
class Source:
    """A camera, or another source that was heard or is asked."""

    did: str
    name: str
    state: str
    is_camera: bool
    in_use: bool
    online: bool
    judged: tuple[Judged, ...]


@dataclass(frozen=True, slots=True)
class Said:
    """A verdict as the stream tells it."""

    at: datetime
    source: str
    query: str
    value: str


def sources_of(
    machines: Machines, cameras: Sequence[Camera], names: Mapping[str, str], zone: ZoneInfo, text: Text
) -> tuple[tuple[Source, ...], int]:
    """Return who judges, cameras first, and how many verdicts more there are than are shown."""
    in_use = [camera.did for camera in cameras if camera.in_use]
    judged: dict[str, list[Judged]] = {camera.did: [] for camera in cameras}
    count = 0
    for watched in machines.watched:
        kept, condition = watched.kept, watched.condition
        for did in dict.fromkeys([*(condition.sources or in_use), *kept.heard]):
            count += 1
            if count > MOST_JUDGED:
                continue
            heard = kept.heard.get(did)
            value = value_of(heard)
            since = "" if heard is None else _since(heard, zone)
            # What is kept is what made it true.
            said = single_line(kept.said) if kept.source == did and value == Value.TRUE.value else ""
            rules = text("web_home.and").join(single_line(rule.plan.name) for rule in watched.rules[:3])
            words = single_line(condition.query)
            judged.setdefault(did, []).append(Judged(condition.query, words, value, KINDS[value], since, said, rules))
    known = {camera.did: camera for camera in cameras}
    sources = tuple(_source(did, known.get(did), names, tuple(rows), text) for did, rows in judged.items())
    return sources, max(0, count - MOST_JUDGED)


def latest(machines: Machines, names: Mapping[str, str]) -> list[Said]:
    """Return the newest verdict of each source about each condition, as far as it was heard."""
    return [
        Said(from_micros(heard.heard), names.get(did, single_line(did)), watched.condition.query, value_of(heard))
        for watched in machines.watched
        for did, heard in watched.kept.heard.items()
    ]


def value_of(heard: Heard | None) -> str:
    """Return what a source says now; what it does not know now is unknown, whatever it knew before."""
    if heard is None:
        return NEVER
    if heard.unknown_since is not None or heard.known is None:
        return Value.UNKNOWN.value
    return Value.TRUE.value if heard.known else Value.FALSE.value


def _since(heard: Heard, zone: ZoneInfo) -> str:
    at = from_micros(heard.since if heard.unknown_since is None else heard.unknown_since)
    return f"{at.astimezone(zone):%m-%d %H:%M:%S}"


def _source(
    did: str, camera: Camera | None, names: Mapping[str, str], judged: tuple[Judged, ...], text: Text
) -> Source:
    name = names.get(did, single_line(did))
    if camera is None:
        return Source(did, name, "", False, False, True, judged)
    state = "offline" if not camera.online else "in_use" if camera.in_use else "not_in_use"
    return Source(did, name, text(f"web_home.camera_{state}"), True, camera.in_use, camera.online, judged)
