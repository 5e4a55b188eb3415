"""Lamps, switches, fans and humidifiers: what is on or off, and how much."""

from __future__ import annotations

from collections.abc import Iterator

from zhixing.world.homeassistant.members import (
    Call,
    Kind,
    Property,
    Surroundings,
    chosen,
    class_of,
    features,
    names,
    number,
    prop,
    switch,
    toggle,
    whole,
)
from zhixing.world.homeassistant.wire import State

_DARK = frozenset({"onoff", "unknown"})
"""Modes of a lamp that cannot be dimmed."""
_OSCILLATE, _SET_SPEED, _PRESET, _MODES = 2, 1, 8, 1
_FEW = 16
"""Up to so many speeds of a fan are counted; more are percents."""


def light(state: State, _around: Surroundings) -> Kind:
    """Return what a lamp can do. Writing brightness, colour or mode turns it on: Home Assistant has no other way."""
    return Kind("light", tuple(_light(state)), (toggle("light"),))


def _light(state: State) -> Iterator[Property]:
    yield switch("light")
    modes = set(names(state, "supported_color_modes"))
    if modes - _DARK:
        yield prop(
            "2.2",
            "brightness",
            "int",
            _percent,
            lambda value: Call("light", "turn_on", {"brightness_pct": value}),
            span=(1, 100, 1),
            unit="%",
        )
    low, high = whole(state, "min_color_temp_kelvin"), whole(state, "max_color_temp_kelvin")
    if "color_temp" in modes and low is not None and high is not None and low < high:
        yield prop(
            "2.3",
            "color-temperature",
            "int",
            lambda state: whole(state, "color_temp_kelvin"),
            lambda value: Call("light", "turn_on", {"color_temp_kelvin": value}),
            span=(low, high, 1),
            unit="K",
        )
    yield from chosen(
        "2.4",
        "mode",
        state,
        listed="effect_list",
        now="effect",
        call=lambda name: Call("light", "turn_on", {"effect": name}),
    )


def _percent(state: State) -> int | None:
    found = number(state, "brightness")
    return None if found is None else min(100, max(1, round(found * 100 / 255)))


def plug(state: State, _around: Surroundings) -> Kind:
    """Return what a switch can do, in the wall or as a socket."""
    category = "plug" if state.domain == "switch" and class_of(state) == "outlet" else "switch"
    return Kind(category, (switch(state.domain),), (toggle(state.domain),))


def fan(state: State, _around: Surroundings) -> Kind:
    """Return what a fan can do; its levels are the speeds it has."""
    return Kind("fan", tuple(_fan(state)), (toggle("fan"),))


def _fan(state: State) -> Iterator[Property]:
    can = features(state)
    yield switch("fan")
    step = number(state, "percentage_step") or 0.0
    if can & _SET_SPEED and 0 < step <= 100:
        speeds = round(100 / step)
        few = speeds <= _FEW
        share = 100 / speeds if few else 1.0

        def level(state: State) -> int | None:
            found = number(state, "percentage")
            return round(found / share) or None if found is not None else None

        yield prop(
            "2.2",
            "fan-level",
            "int",
            level,
            lambda value: Call("fan", "set_percentage", {"percentage": min(100, round(float(value) * share))}),
            span=(1, max(2, speeds) if few else 100, 1),
            unit="" if few else "%",
        )
    if can & _OSCILLATE:
        yield prop(
            "2.3",
            "horizontal-swing",
            "bool",
            lambda state: bool(state.attributes.get("oscillating")),
            lambda value: Call("fan", "oscillate", {"oscillating": value}),
        )
    if can & _PRESET:
        yield from chosen(
            "2.4",
            "mode",
            state,
            listed="preset_modes",
            now="preset_mode",
            call=lambda name: Call("fan", "set_preset_mode", {"preset_mode": name}),
        )


def humidifier(state: State, _around: Surroundings) -> Kind:
    """Return what a humidifier can do, or a dehumidifier."""
    dry = class_of(state) == "dehumidifier"
    return Kind("dehumidifier" if dry else "humidifier", tuple(_humidifier(state)), (toggle("humidifier"),))


def _humidifier(state: State) -> Iterator[Property]:
    yield switch("humidifier")
    low, high = whole(state, "min_humidity"), whole(state, "max_humidity")
    if low is not None and high is not None and low < high:
        yield prop(
            "2.2",
            "target-humidity",
            "int",
            lambda state: whole(state, "humidity"),
            lambda value: Call("humidifier", "set_humidity", {"humidity": value}),
            span=(low, high, 1),
            unit="%",
        )
    if features(state) & _MODES:
        yield from chosen(
            "2.3",
            "mode",
            state,
            listed="available_modes",
            now="mode",
            call=lambda name: Call("humidifier", "set_mode", {"mode": name}),
        )
    yield prop("3.1", "relative-humidity", "int", lambda state: whole(state, "current_humidity"), unit="%")
