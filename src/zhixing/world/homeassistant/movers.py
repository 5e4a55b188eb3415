"""Curtains, locks and vacuum cleaners: what moves, and what is started rather than set."""

from __future__ import annotations

from collections.abc import Iterator

from zhixing.world.homeassistant.members import (
    Action,
    Call,
    Kind,
    Property,
    Surroundings,
    action,
    class_of,
    features,
    prop,
    whole,
)
from zhixing.world.homeassistant.wire import State

CURTAIN_SECONDS = 30.0
"""How long a curtain may be on its way."""
_DOORS = frozenset({"door", "garage", "gate"})
_SET_POSITION, _STOP = 4, 8
_VACUUM_ON, _VACUUM_OFF, _VACUUM_PAUSE, _VACUUM_STOP, _VACUUM_HOME, _VACUUM_START = 1, 2, 4, 8, 16, 8192
_MOTIONS = ((0, "打开", "open_cover"), (1, "关闭", "close_cover"), (2, "暂停", "stop_cover"))
_STATUS = (
    ("docked", 0, "在充电座"),
    ("cleaning", 1, "清扫中"),
    ("paused", 2, "暂停"),
    ("returning", 3, "回充中"),
    ("idle", 4, "空闲"),
    ("error", 5, "故障"),
    ("on", 1, "清扫中"),
    ("off", 4, "空闲"),
)


def cover(state: State, _around: Surroundings) -> Kind:
    """Return what a curtain can do, a blind or a garage door.

    Where it is bound for, nobody is told: it shows where it is.
    """
    category = "door" if class_of(state) in _DOORS else "curtain"
    return Kind(category, tuple(_cover(state)), transition=CURTAIN_SECONDS)


def _cover(state: State) -> Iterator[Property]:
    can = features(state)
    motions = [each for each in _MOTIONS if each[0] != 2 or can & _STOP]
    services = {number: service for number, _, service in motions}
    yield prop(
        "2.1",
        "motor-control",
        "int",
        None,
        lambda value: Call("cover", services[int(value)]),
        choices=[(number, text) for number, text, _ in motions],
    )
    if can & _SET_POSITION or whole(state, "current_position") is not None:
        yield prop("2.2", "current-position", "int", _position, span=(0, 100, 1), unit="%")
    if can & _SET_POSITION:
        yield prop(
            "2.3",
            "target-position",
            "int",
            _position,
            lambda value: Call("cover", "set_cover_position", {"position": value}),
            span=(0, 100, 1),
            unit="%",
        )
    yield prop("2.4", "on", "bool", _is_open, lambda value: Call("cover", "open_cover" if value else "close_cover"))


def _position(state: State) -> int | None:
    return whole(state, "current_position")


def _is_open(state: State) -> bool:
    return state.state in {"open", "opening"}


def lock(_state: State, _around: Surroundings) -> Kind:
    """Return what a lock can do: be looked at, and be locked. Nothing here opens a door."""
    locked = prop("2.1", "locked", "bool", lambda state: state.state == "locked")
    return Kind("lock", (locked,), (action("2.1", "lock", Call("lock", "lock")),), 10.0)


def vacuum(state: State, _around: Surroundings) -> Kind:
    """Return what a vacuum cleaner can do."""
    numbers = {name: number for name, number, _ in _STATUS}
    properties = [
        prop(
            "2.1",
            "status",
            "int",
            lambda state: numbers.get(state.state),
            choices=sorted({(number, text) for _, number, text in _STATUS}),
        )
    ]
    if whole(state, "battery_level") is not None:
        properties.append(prop("3.1", "battery-level", "int", lambda state: whole(state, "battery_level"), unit="%"))
    return Kind("vacuum", tuple(properties), tuple(_vacuum(features(state))), 10.0)


def _vacuum(can: int) -> Iterator[Action]:
    if can & (_VACUUM_START | _VACUUM_ON):
        yield action("2.1", "start-sweep", Call("vacuum", "start" if can & _VACUUM_START else "turn_on"))
    if can & (_VACUUM_STOP | _VACUUM_OFF):
        yield action("2.2", "stop-sweeping", Call("vacuum", "stop" if can & _VACUUM_STOP else "turn_off"))
    if can & _VACUUM_PAUSE:
        yield action("2.3", "pause", Call("vacuum", "pause"))
    if can & _VACUUM_HOME:
        yield action("3.1", "start-charge", Call("vacuum", "return_to_base"))
