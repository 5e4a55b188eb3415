"""Members of a specification by what they mean: by the names in their URNs and the device's kind, never by number."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import TypeVar

from zhixing.graphs.specs.model import Access, Action, Choice, Event, Format, Property, Service, Spec


class Meaning(StrEnum):
    """What a property is about."""

    POWER = "power"
    BRIGHTNESS = "brightness"
    COLOR_TEMPERATURE = "color_temperature"
    MODE = "mode"
    FAN_LEVEL = "fan_level"
    TARGET_TEMPERATURE = "target_temperature"
    TEMPERATURE = "temperature"
    HUMIDITY = "humidity"
    ILLUMINATION = "illumination"
    MOTION = "motion"
    OCCUPANCY = "occupancy"
    CONTACT = "contact"
    LOCK_STATE = "lock_state"
    POSITION = "position"
    TARGET_POSITION = "target_position"
    MOTOR = "motor"
    VOLUME = "volume"
    MUTE = "mute"
    BATTERY = "battery"
    ELECTRIC_POWER = "electric_power"
    TEXT = "text"


class Happening(StrEnum):
    """What an event is about."""

    CLICK = "click"
    DOUBLE_CLICK = "double_click"
    LONG_PRESS = "long_press"
    MOTION = "motion"
    NO_MOTION = "no_motion"
    OPENED = "opened"
    CLOSED = "closed"
    LOCK = "lock"
    LOW_BATTERY = "low_battery"
    VIRTUAL = "virtual"


class Doing(StrEnum):
    """What an action does."""

    TOGGLE = "toggle"
    PLAY_TEXT = "play_text"
    DIRECTIVE = "directive"
    PLAY = "play"
    PAUSE = "pause"
    STOP = "stop"
    VIRTUAL = "virtual"


class Choosing(StrEnum):
    """What an entry of a value-list asks for or says."""

    OPEN = "open"
    CLOSE = "close"
    PAUSE = "pause"
    COOL = "cool"
    HEAT = "heat"
    DRY = "dry"
    FAN = "fan"
    AUTO = "auto"


PROPERTY_NAMES: Mapping[Meaning, tuple[str, ...]] = {
    Meaning.POWER: ("on",),
    Meaning.BRIGHTNESS: ("brightness",),
    Meaning.COLOR_TEMPERATURE: ("color-temperature",),
    Meaning.MODE: ("mode",),
    Meaning.FAN_LEVEL: ("fan-level",),
    Meaning.TARGET_TEMPERATURE: ("target-temperature",),
    Meaning.TEMPERATURE: ("temperature",),
    Meaning.HUMIDITY: ("relative-humidity", "humidity"),
    Meaning.ILLUMINATION: ("illumination",),
    Meaning.MOTION: ("motion-state",),
    Meaning.OCCUPANCY: ("occupancy-status",),
    Meaning.CONTACT: ("contact-state",),
    Meaning.LOCK_STATE: ("door-state", "lock-state"),
    Meaning.POSITION: ("current-position",),
    Meaning.TARGET_POSITION: ("target-position",),
    Meaning.MOTOR: ("motor-control",),
    Meaning.VOLUME: ("volume",),
    Meaning.MUTE: ("mute",),
    Meaning.BATTERY: ("battery-level",),
    Meaning.ELECTRIC_POWER: ("electric-power",),
    Meaning.TEXT: ("text-content",),
}
"""Names of properties that carry a meaning, the likeliest first (§3.7)."""

EVENT_NAMES: Mapping[Happening, tuple[str, ...]] = {
    Happening.CLICK: ("click",),
    Happening.DOUBLE_CLICK: ("double-click",),
    Happening.LONG_PRESS: ("long-press",),
    Happening.MOTION: ("motion-detected",),
    Happening.NO_MOTION: ("no-motion",),
    Happening.OPENED: ("open",),
    Happening.CLOSED: ("close",),
    Happening.LOCK: ("lock-event",),
    Happening.LOW_BATTERY: ("low-battery",),
    Happening.VIRTUAL: ("virtual-event",),
}
"""Names of events that carry a meaning (§3.7)."""

ACTION_NAMES: Mapping[Doing, tuple[str, ...]] = {
    Doing.TOGGLE: ("toggle",),
    Doing.PLAY_TEXT: ("play-text",),
    Doing.DIRECTIVE: ("execute-text-directive",),
    Doing.PLAY: ("play",),
    Doing.PAUSE: ("pause",),
    Doing.STOP: ("stop",),
    Doing.VIRTUAL: ("emit-virtual-event",),
}
"""Names of actions that carry a meaning (§3.7)."""

CHOICE_NAMES: Mapping[Choosing, tuple[str, ...]] = {
    Choosing.OPEN: ("打开", "开", "open"),
    Choosing.CLOSE: ("关闭", "关", "close"),
    Choosing.PAUSE: ("暂停", "停止", "pause", "stop"),
    Choosing.COOL: ("制冷", "cool"),
    Choosing.HEAT: ("制热", "heat"),
    Choosing.DRY: ("除湿", "dry"),
    Choosing.FAN: ("送风", "fan"),
    Choosing.AUTO: ("自动", "auto"),
}
"""What entries of value-lists are called; their numbers differ between models."""

SERVICES: Mapping[str, tuple[str, ...]] = {
    "outlet": ("outlet", "switch"),
    "remote-control": ("remote-control", "switch-sensor"),
    "lock": ("lock", "door"),
}
"""Services a kind of device is about, where they are not called like the device."""

BESIDE = frozenset({"battery", "device-information", "indicator-light", "microphone"})
"""Services that no kind of device is about unless it is called like them."""

Member = TypeVar("Member", Property, Event, Action)


def find_properties(spec: Spec, meaning: Meaning, access: Iterable[Access] = ()) -> tuple[Property, ...]:
    """Return the properties with a meaning that allow all of `access`, those of what the device is about first."""
    wanted = frozenset(access)
    found = [each for service in spec.services for each in service.properties]
    return tuple(each for each in _named(spec, found, PROPERTY_NAMES[meaning]) if wanted <= each.access)


def find_events(spec: Spec, happening: Happening) -> tuple[Event, ...]:
    """Return the events with a meaning, those of what the device is about first."""
    return _named(spec, [each for service in spec.services for each in service.events], EVENT_NAMES[happening])


def find_actions(spec: Spec, doing: Doing) -> tuple[Action, ...]:
    """Return the actions with a meaning, those of what the device is about first."""
    return _named(spec, [each for service in spec.services for each in service.actions], ACTION_NAMES[doing])


def switches(spec: Spec) -> tuple[Property, ...]:
    """Return what switches the device itself on and off: one for each key of a wall switch, no indicator lamps."""
    own = {each.siid for each in about(spec)}
    found = find_properties(spec, Meaning.POWER, {Access.WRITE})
    return tuple(each for each in found if each.siid in own and each.format is Format.BOOL)


def about(spec: Spec) -> tuple[Service, ...]:
    """Return the services that the device is about: those called like it, else all that are not beside it."""
    names = SERVICES.get(spec.kind, (spec.kind,))
    called = tuple(each for each in spec.services if each.name in names)
    return called or tuple(each for each in spec.services if each.name not in BESIDE)


def find_choice(prop: Property, choosing: Choosing) -> Choice | None:
    """Return the entry of a value-list that is called so; None if there is none, or more than one."""
    names = CHOICE_NAMES[choosing]
    found = [each for each in prop.choices if each.description.strip().casefold() in names]
    return found[0] if len(found) == 1 else None


def _named(spec: Spec, members: Sequence[Member], names: Sequence[str]) -> tuple[Member, ...]:
    own = {each.siid for each in about(spec)}
    found = [each for each in members if each.name in names]
    return tuple(sorted(found, key=lambda each: (each.siid not in own, names.index(each.name))))
