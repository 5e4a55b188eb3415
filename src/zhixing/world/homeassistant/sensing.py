"""Sensors, which are only read, and what is only set off: scenes, scripts and buttons."""

from __future__ import annotations

import math
import re

from zhixing.world.homeassistant.members import Call, Kind, Surroundings, action, class_of, is_on, prop
from zhixing.world.homeassistant.wire import State

_WORDS = frozenset({"timestamp", "date", "enum"})
"""Classes of sensors that tell no number."""
_CONTACTS = frozenset({"door", "window", "opening", "garage_door"})
_MOTIONS = frozenset({"motion", "occupancy", "presence", "moving"})
_CLASS = re.compile(r"[a-z][a-z0-9_]{0,31}")
_LONGEST = 255
"""Characters of a state."""


def sensor(state: State, _around: Surroundings) -> Kind:
    """Return what a sensor tells: a number with its unit, or a text."""
    name = _class(state) or "value"
    place = "2.1"
    category = f"{name}-sensor" if name != "value" else "sensor"
    if name in {"temperature", "humidity"}:
        category = "temperature-humidity-sensor"
    if name == "humidity":
        name, place = "relative-humidity", "2.2"
    if name == "battery":
        name = "battery-level"
    unit = state.attributes.get("unit_of_measurement")
    counts = bool(unit) or bool(state.attributes.get("state_class"))
    if counts and class_of(state) not in _WORDS:
        return Kind(category, (prop(place, name, "float", _number, unit=unit if isinstance(unit, str) else ""),))
    return Kind(category, (prop(place, name, "string", lambda state: state.state[:_LONGEST]),))


def binary_sensor(state: State, _around: Surroundings) -> Kind:
    """Return what a sensor tells that knows two states. A contact is true while the door is open."""
    found = class_of(state)
    if found in _CONTACTS:
        return Kind("contact-sensor", (prop("2.1", "contact-state", "bool", is_on),))
    if found in _MOTIONS:
        return Kind("motion-sensor", (prop("2.1", "motion-state", "bool", is_on),))
    name = _class(state)
    category = f"{name}-sensor" if name else "binary-sensor"
    return Kind(category, (prop("2.1", "state", "bool", is_on),))


def scene(_state: State, _around: Surroundings) -> Kind:
    """Return what a scene can do."""
    return Kind("scene", (), (action("2.1", "turn-on", Call("scene", "turn_on")),))


def script(_state: State, _around: Surroundings) -> Kind:
    """Return what a script can do: begin. It is not waited for."""
    return Kind("script", (), (action("2.1", "run", Call("script", "turn_on")),))


def button(state: State, _around: Surroundings) -> Kind:
    """Return what a button can do that the home presses."""
    return Kind("button", (), (action("2.1", "press", Call(state.domain, "press")),))


def event(_state: State, _around: Surroundings) -> Kind:
    """Return what somebody else presses: nothing can be done with it, but it can be heard of."""
    return Kind("button")


def _class(state: State) -> str:
    found = class_of(state)
    return found.replace("_", "-") if _CLASS.fullmatch(found) else ""


def _number(state: State) -> float | None:
    try:
        found = float(state.state)
    except ValueError:
        return None
    return found if math.isfinite(found) else None
