"""What the page shows of people, rooms and devices, and which hands it lends to those of the virtual home.

Devices of a real hub are shown with what can be done with them; nothing here does it: their switches are not ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from zhixing.app import App
from zhixing.faces.rule_words import level_text, single_line
from zhixing.faces.web.home.asking import Wish
from zhixing.faces.web.home.naming import Text, called, result_text
from zhixing.household.sight import Reading, look_at
from zhixing.kernel.errors import ZhixingError
from zhixing.kernel.wording import Language
from zhixing.world.devices.joined import part
from zhixing.world.devices.port import Camera, Device, DeviceHub, Done, Level, Person
from zhixing.world.devices.virtual import VirtualHome

MOST_DEVICES = 50
"""Devices that are read and shown at once."""
MOST_DONE = 12
"""Names of what can be done with a real device."""


@dataclass(frozen=True, slots=True)
class Control:
    """A property with the value it has. `kind` is switch, choice, number, text, or empty where no hands are lent."""

    iid: str
    label: str
    value: str
    kind: str
    given: str
    """The value as a field takes it."""
    options: tuple[tuple[str, str], ...]
    low: str
    high: str
    step: str
    by_hand: bool
    """Nobody can command it: hands or the weather change it."""


@dataclass(frozen=True, slots=True)
class ShownDevice:
    """A device. `switch` is its power, where it has one; `events` are what can be let happen at it."""

    did: str
    name: str
    online: bool
    switch: Control | None
    controls: tuple[Control, ...]
    events: tuple[tuple[str, str], ...]
    can: str


@dataclass(frozen=True, slots=True)
class Room:
    """A room; the empty name is for what stands in none."""

    name: str
    devices: tuple[ShownDevice, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """What hubs say is there; `away` is why they say nothing. `names` are those of devices and cameras, by id."""

    devices: tuple[Device, ...]
    cameras: tuple[Camera, ...]
    people: tuple[Person, ...]
    away: ZhixingError | None

    @property
    def names(self) -> dict[str, str]:
        """Return the names by id."""
        names = {one.did: single_line(one.name) for one in self.cameras}
        return names | {one.did: single_line(one.name) for one in self.devices}

    @property
    def rooms(self) -> tuple[str, ...]:
        """Return the rooms that hold anything, in the order in which they come up."""
        return tuple(dict.fromkeys([*(one.room for one in self.devices), *(one.room for one in self.cameras)]))


def find(app: App) -> Found:
    """Ask what there is. Never inside a transaction."""
    devices: Sequence[Device] = ()
    cameras: Sequence[Camera] = ()
    people: Sequence[Person] = ()
    away: ZhixingError | None = None
    try:
        people = app.people.list()
        devices = app.hub.devices()
        cameras = app.hub.cameras()
    except ZhixingError as error:
        away = error
    return Found(tuple(devices), tuple(cameras), tuple(people), away)


def rooms_of(hub: DeviceHub, found: Found, wish: Wish, language: Language, text: Text) -> tuple[tuple[Room, ...], int]:
    """Return the rooms with the devices that were asked for, and how many more there are. Never in a transaction."""
    words = wish.words.casefold()
    wanted = [
        one
        for one in found.devices
        if (not wish.room or one.room == wish.room) and any(words in text.casefold() for text in (one.name, one.did))
    ]
    home = part(hub, VirtualHome)
    shown = [(one.room, _device(hub, home, one, language, text)) for one in wanted[:MOST_DEVICES]]
    names = dict.fromkeys(room for room, _ in shown)
    rooms = tuple(Room(name, tuple(one for room, one in shown if room == name)) for name in names)
    return rooms, max(0, len(wanted) - MOST_DEVICES)


def _device(hub: DeviceHub, home: VirtualHome | None, device: Device, language: Language, text: Text) -> ShownDevice:
    planned = None if home is None else next((one for one in home.plan.devices if one.did == device.did), None)
    name = single_line(device.name)
    try:
        seen = look_at(hub, device)
    except ZhixingError:
        # It went while it was looked at.
        return ShownDevice(device.did, name, online=False, switch=None, controls=(), events=(), can="")
    controls = [_read(one, language, text) for one in seen.readings]
    if planned is not None:
        controls = [_lent(control, one) for control, one in zip(controls, seen.readings, strict=True)]
    power = next((one.spec.iid for one in seen.readings if one.spec.name == "on" and one.spec.writable), None)
    switch = next((one for one in controls if one.kind == "switch" and one.iid == power), None)
    events = () if planned is None else tuple((one.name, called(one.name, language)) for one in planned.kind.events())
    done = [one.spec.name for one in seen.readings if one.spec.writable] + [one.name for one in seen.actions]
    can = "" if planned is not None else text("web_home.and").join(called(one, language) for one in done[:MOST_DONE])
    rest = tuple(one for one in controls if one is not switch)
    return ShownDevice(device.did, name, device.online, switch, rest, events, can)


def _read(reading: Reading, language: Language, text: Text) -> Control:
    spec = reading.spec
    return Control(
        spec.iid,
        called(spec.name, language),
        result_text(spec, reading.result, text),
        kind="",
        given=_given(reading.result.value) if isinstance(reading.result, Done) else "",
        options=(),
        low="",
        high="",
        step="",
        by_hand=not spec.writable,
    )


def _lent(control: Control, reading: Reading) -> Control:
    """Return a control of the virtual home, with what a hand needs to change it."""
    spec = reading.spec
    if spec.format == "bool":
        return replace(control, kind="switch")
    if spec.choices:
        return replace(control, kind="choice", options=tuple((str(value), label) for value, label in spec.choices))
    if spec.format in {"int", "float"}:
        step = spec.step if spec.step is not None else 1.0 if spec.format == "int" else None
        low, high = ("" if one is None else f"{one:g}" for one in (spec.low, spec.high))
        return replace(control, kind="number", low=low, high=high, step="any" if step is None else f"{step:g}")
    return replace(control, kind="text")


def _given(value: Level | None) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return "" if value is None else level_text(value)
