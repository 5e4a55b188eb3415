"""Air conditioners and everything else that has a temperature to keep."""

from __future__ import annotations

from collections.abc import Iterator

from zhixing.world.homeassistant.members import (
    Call,
    Kind,
    Property,
    Surroundings,
    chosen,
    features,
    names,
    number,
    prop,
    toggle,
    whole,
)
from zhixing.world.homeassistant.wire import State

_TARGET, _FAN, _PRESET, _SWING, _OFF, _ON = 1, 8, 16, 32, 128, 256
_MODES = (
    (0, "自动", "auto"),
    (1, "制冷", "cool"),
    (2, "除湿", "dry"),
    (3, "送风", "fan_only"),
    (4, "制热", "heat"),
    (5, "恒温", "heat_cool"),
)
_HOTTEST_CELSIUS = 50.0
"""A thermostat that goes higher counts in Fahrenheit."""


def climate(state: State, _around: Surroundings) -> Kind:
    """Return what an air conditioner can do. Writing a mode turns it on."""
    properties = tuple(_climate(state))
    has_switch = any(each.spec.name == "on" for each in properties)
    return Kind("air-conditioner", properties, (toggle("climate"),) if _can_toggle(state) and has_switch else ())


def _can_toggle(state: State) -> bool:
    return features(state) & (_ON | _OFF) == _ON | _OFF


def _climate(state: State) -> Iterator[Property]:
    can = features(state)
    known = names(state, "hvac_modes")
    yield from _switch(state, known)
    modes = [each for each in _MODES if each[2] in known]
    if modes:
        by_number = {place: name for place, _, name in modes}
        by_name = {name: place for place, _, name in modes}
        yield prop(
            "2.2",
            "mode",
            "int",
            lambda state: by_name.get(state.state),
            lambda value: Call("climate", "set_hvac_mode", {"hvac_mode": by_number[int(value)]}),
            choices=[(place, text) for place, text, _ in modes],
        )
    low, high = number(state, "min_temp"), number(state, "max_temp")
    if can & _TARGET and low is not None and high is not None and low < high:
        step = max(0.1, number(state, "target_temp_step") or 0.5)
        yield prop(
            "2.3",
            "target-temperature",
            "float",
            lambda state: _decimal(state, "temperature"),
            lambda value: Call("climate", "set_temperature", {"temperature": value}),
            span=(low, high, min(step, high - low)),
            unit=_unit(state),
        )
    presets = names(state, "preset_modes")
    if can & _PRESET and "eco" in presets and len(presets) > 1:
        other = "none" if "none" in presets else next(each for each in presets if each != "eco")
        yield prop(
            "2.4",
            "eco",
            "bool",
            lambda state: state.attributes.get("preset_mode") == "eco",
            lambda value: Call("climate", "set_preset_mode", {"preset_mode": "eco" if value else other}),
        )
    if can & _FAN:
        yield from chosen(
            "3.1",
            "fan-level",
            state,
            listed="fan_modes",
            now="fan_mode",
            call=lambda name: Call("climate", "set_fan_mode", {"fan_mode": name}),
        )
    swings = names(state, "swing_modes")
    if can & _SWING and "off" in swings and len(swings) > 1:
        usual = ("vertical", "on", "both")
        there = next(each for each in (*usual, *swings) if each in swings and each != "off")
        yield prop(
            "3.2",
            "vertical-swing",
            "bool",
            lambda state: state.attributes.get("swing_mode", "off") != "off",
            lambda value: Call("climate", "set_swing_mode", {"swing_mode": there if value else "off"}),
        )
    yield prop("4.1", "temperature", "float", lambda state: _decimal(state, "current_temperature"), unit=_unit(state))
    if whole(state, "current_humidity") is not None:
        yield prop("4.2", "relative-humidity", "int", lambda state: whole(state, "current_humidity"), unit="%")


def _switch(state: State, modes: list[str]) -> Iterator[Property]:
    def is_on(state: State) -> bool:
        return state.state != "off"

    if _can_toggle(state):
        yield prop("2.1", "on", "bool", is_on, lambda value: Call("climate", "turn_on" if value else "turn_off"))
    elif "off" in modes and len(modes) > 1:
        usual = next(each for each in modes if each != "off")
        yield prop(
            "2.1",
            "on",
            "bool",
            is_on,
            lambda value: Call("climate", "set_hvac_mode", {"hvac_mode": usual if value else "off"}),
        )


def _decimal(state: State, name: str) -> float | None:
    found = number(state, name)
    return None if found is None else float(found)


def _unit(state: State) -> str:
    high = number(state, "max_temp")
    return "℉" if high is not None and high > _HOTTEST_CELSIUS else "℃"
