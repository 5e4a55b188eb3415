"""Which entities of Home Assistant are devices of the house, and what each can do: by the domain of its id."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from zhixing.world.homeassistant import lamps, movers, sensing
from zhixing.world.homeassistant.climates import climate
from zhixing.world.homeassistant.members import Kind, Surroundings
from zhixing.world.homeassistant.players import media_player
from zhixing.world.homeassistant.wire import Entry, State

DOMAINS: Mapping[str, Callable[[State, Surroundings], Kind]] = {
    "light": lamps.light,
    "switch": lamps.plug,
    "input_boolean": lamps.plug,
    "fan": lamps.fan,
    "humidifier": lamps.humidifier,
    "cover": movers.cover,
    "lock": movers.lock,
    "vacuum": movers.vacuum,
    "climate": climate,
    "media_player": media_player,
    "sensor": sensing.sensor,
    "binary_sensor": sensing.binary_sensor,
    "scene": sensing.scene,
    "script": sensing.script,
    "button": sensing.button,
    "input_button": sensing.button,
    "event": sensing.event,
}
"""Cameras and people are not devices; what stands in no line is left to Home Assistant."""


def kind_of(state: State, around: Surroundings) -> Kind | None:
    """Return what an entity can do; None where it is no device of the house."""
    make = DOMAINS.get(state.domain)
    return None if make is None else make(state, around)


def is_shown(entry: Entry | None) -> bool:
    """Whether an entity is for the people of the home: neither hidden nor there to set up or to mend a device."""
    return entry is None or (not entry.hidden_by and not entry.entity_category)
