"""Devices that live on topics: what each can do, what its messages say, and what is published to it. Pure."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from zhixing.world.devices.kinds import kinds
from zhixing.world.devices.port import DeviceSpec, Level, PropertySpec
from zhixing.world.mqtt.facts import ABSENT, at_path
from zhixing.world.mqtt.limits import LARGEST_PAYLOAD

LEVELS: Mapping[str, str] = {"light": "brightness", "curtain": "target-position"}
"""The property of a kind that says how much."""
_POSITIONS = ("current-position", "target-position")
_OPEN, _CLOSE, _STOP = 0, 1, 2
_AWAY, _THERE = "offline", "online"


@dataclass(frozen=True, slots=True)
class Appliance:
    """One device. Fields are dotted paths in JSON; "" is the whole payload.

    `on` and `off` are the payloads of commands, or what stands at `command_field` of them; `shows_on` and `shows_off`
    are what the state says. A level goes from 0 to `level_max` on its topics; there is one where `level_topic` is set.
    `transition` are the seconds it may take until a command shows.
    """

    did: str
    name: str
    room: str
    kind: str
    state_topic: str
    command_topic: str
    state_field: str = ""
    command_field: str = ""
    on: str = "ON"
    off: str = "OFF"
    shows_on: str = "ON"
    shows_off: str = "OFF"
    stop: str = ""
    level_topic: str = ""
    level_field: str = ""
    level_command_topic: str = ""
    level_command_field: str = ""
    level_max: float = 100.0
    availability_topic: str = ""
    transition: float = 2.0

    @property
    def topics(self) -> tuple[str, ...]:
        """What is listened to for it."""
        every = (self.state_topic, self.level_topic, self.availability_topic)
        return tuple(dict.fromkeys(topic for topic in every if topic))

    def spec(self) -> DeviceSpec:
        """Return what it can do: of its kind, what the settings let be read or written."""
        shown = (self._shown(each) for each in kinds()[self.kind].spec(self.did).properties)
        return DeviceSpec(self.did, tuple(each for each in shown if each is not None), (), self.transition)

    def _shown(self, spec: PropertySpec) -> PropertySpec | None:
        if spec.name == "on":
            return spec
        if spec.name == "motor-control":
            wanted = {_OPEN, _CLOSE, *([_STOP] if self.stop else [])}
            return replace(spec, choices=tuple(each for each in spec.choices if each[0] in wanted))
        if self.level_topic and (spec.name == LEVELS.get(self.kind) or spec.name in _POSITIONS):
            return spec
        return None


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a device: whether it is away, on, and how much. None: nobody said."""

    away: bool = False
    on: bool | None = None
    level: float | None = None

    def value(self, spec: PropertySpec) -> Level | None:
        """Return what a property shows; None where that is not known."""
        if spec.name == "on":
            return self.on
        if self.level is None:
            return None
        low, high = spec.low or 0.0, 100.0 if spec.high is None else spec.high
        return round(min(high, max(low, self.level)))


def heard(appliance: Appliance, known: Known, topic: str, payload: bytes) -> Known:
    """Return what is known after a message: what it says nothing of stays, what it says wrongly is unknown."""
    found = _decoded(payload)
    if topic == appliance.availability_topic:
        said = at_path(found, "state") if isinstance(found, dict) else found
        word = said.strip().lower() if isinstance(said, str) else ""
        known = replace(known, away=word == _AWAY if word in {_AWAY, _THERE} else known.away)
    if topic == appliance.state_topic and _has(found, appliance.state_field):
        known = replace(known, on=_truth(appliance, at_path(found, appliance.state_field)))
    if topic == appliance.level_topic and _has(found, appliance.level_field):
        raw = _number(at_path(found, appliance.level_field))
        known = replace(known, level=None if raw is None else raw * 100 / appliance.level_max)
    return known


def command(appliance: Appliance, spec: PropertySpec, value: Level) -> tuple[str, bytes]:
    """Return the topic and the payload that set a property to a value that fits."""
    if spec.name == "on":
        said = appliance.on if value else appliance.off
        return appliance.command_topic, _encoded(appliance.command_field, said)
    if spec.name == "motor-control":
        said = {_OPEN: appliance.on, _CLOSE: appliance.off}.get(int(value), appliance.stop)
        return appliance.command_topic, _encoded(appliance.command_field, said)
    raw = round(float(value) * appliance.level_max / 100)
    return appliance.level_command_topic or appliance.command_topic, _encoded(appliance.level_command_field, raw)


def _encoded(path: str, value: str | int) -> bytes:
    if not path:
        return str(value).encode()
    found: Any = {"true": True, "false": False}.get(value, value) if isinstance(value, str) else value
    for name in reversed(path.split(".")):
        found = {name: found}
    return msgspec.json.encode(found)


def _decoded(payload: bytes) -> object:
    if len(payload) > LARGEST_PAYLOAD:
        return None
    try:
        text = payload.decode()
    except UnicodeDecodeError:
        return None
    try:
        found: object = msgspec.json.decode(text)
    except (msgspec.MsgspecError, RecursionError):
        return text.strip()
    return found


def _has(found: object, path: str) -> bool:
    """Whether a message says something of a value: with a path, where there is something at it."""
    return at_path(found, path) is not ABSENT


def _truth(appliance: Appliance, value: object) -> bool | None:
    words = {appliance.shows_on: True, appliance.shows_off: False}
    match value:
        case str():
            return words.get(value)
        case bool():
            return words.get(str(value).lower())
        case int():
            return words.get(str(value)[:20])
        case _:
            return None


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str) or len(str(value)[:65]) > 64:
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None
