"""What a home looks like at this moment, and finding a thing in it by what a person calls it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from zhixing.kernel.errors import BadInput, Conflict, NotFound
from zhixing.kernel.wording import wording
from zhixing.world.devices.joined import part
from zhixing.world.devices.names import resolve
from zhixing.world.devices.port import (
    ActionSpec,
    Camera,
    Device,
    DeviceHub,
    Level,
    Person,
    PropertySpec,
    Result,
)
from zhixing.world.devices.virtual import VirtualHome

_SHOWN = 8
_LONGEST_NUMBER = 32
_TRUTHS = {
    **dict.fromkeys(("true", "on", "yes", "1", "开", "是"), True),
    **dict.fromkeys(("false", "off", "no", "0", "关", "否"), False),
}


@dataclass(frozen=True, slots=True)
class Reading:
    """A property, and what came of reading it just now."""

    spec: PropertySpec
    result: Result


@dataclass(frozen=True, slots=True)
class SeenDevice:
    """A device with the properties that can be read, and what it can be told to do."""

    device: Device
    readings: tuple[Reading, ...]
    actions: tuple[ActionSpec, ...]


@dataclass(frozen=True, slots=True)
class Sight:
    """Everything in a home."""

    people: tuple[Person, ...]
    cameras: tuple[Camera, ...]
    devices: tuple[SeenDevice, ...]

    @property
    def rooms(self) -> tuple[str, ...]:
        """The rooms that hold anything, in the order in which they come up."""
        things = [*(one.device.room for one in self.devices), *(camera.room for camera in self.cameras)]
        return tuple(dict.fromkeys(things))


def look(hub: DeviceHub, people: Sequence[Person]) -> Sight:
    """Look at a home: every device is asked for every value that can be read."""
    return Sight(tuple(people), tuple(hub.cameras()), tuple(look_at(hub, device) for device in hub.devices()))


def look_at(hub: DeviceHub, device: Device) -> SeenDevice:
    """Look at one device."""
    spec = hub.spec(device.did)
    readings = tuple(Reading(one, hub.read(device.did, one.iid)) for one in spec.properties if one.readable)
    return SeenDevice(device, readings, spec.actions)


def names_of(hub: DeviceHub) -> dict[str, str]:
    """Return the names of devices and cameras by id, and those of what devices can do by both ids (`did iid`).

    Not to be asked for inside a transaction.
    """
    names = {one.did: one.name for one in hub.cameras()}
    for device in hub.devices():
        names[device.did] = device.name
        spec = hub.spec(device.did)
        names |= {f"{device.did} {one.iid}": one.name for one in spec.properties}
        names |= {f"{device.did} {one.iid}": one.name for one in spec.actions}
    return names


def find_camera(hub: DeviceHub, written: str) -> Camera:
    """Return the camera with that id, or the only one with that name. Raises `NotFound`, `BadInput` for several."""
    cameras = hub.cameras()
    found = [one for one in cameras if one.did == written] or [one for one in cameras if one.name == written]
    if len(found) == 1:
        return found[0]
    known = "、".join(f"{one.did}（{one.name}）" for one in (found or cameras)[:_SHOWN]) or wording("devices.nothing")
    if found:
        raise BadInput("device_ambiguous", name=written[:64], known=known)
    raise NotFound("camera_unknown", did=written[:64], known=known)


def source_of(hub: DeviceHub, written: str) -> str:
    """Return the id of the camera or device that a person names; what is neither is the name of another source."""
    for things in (hub.cameras(), hub.devices()):
        ids = [one.did for one in things if written in (one.did, one.name)]
        if len(ids) == 1:
            return ids[0]
    return written


def virtual(hub: DeviceHub) -> VirtualHome:
    """Return the virtual home; raise `Conflict` where the devices are real: their hands are not ours."""
    found = part(hub, VirtualHome)
    if found is None:
        raise Conflict("home_not_virtual")
    return found


def typed(spec: PropertySpec, text: str) -> Level:
    """Read a value as it is typed: on or 开, 24.5, the name of a choice. What it may be is checked by the home."""
    word = text.strip().lower()
    if spec.format == "bool" and word in _TRUTHS:
        return _TRUTHS[word]
    if spec.format in {"int", "float"} and len(word) <= _LONGEST_NUMBER:
        try:
            return int(word) if word.lstrip("+-").isdecimal() else float(word)
        except ValueError:
            return text
    return text


def flip(hub: DeviceHub, did: str, prop: str, text: str) -> Level:
    """Change a value of the virtual home as hands do, from text; return it as it is held.

    Raises `NotFound`, and `BadInput` for names and values that are none.
    """
    home = virtual(hub)
    spec = resolve(home.spec(did), prop)
    if isinstance(spec, ActionSpec):
        raise BadInput("not_a_property", iid=spec.iid)
    return home.set_property(did, spec.iid, typed(spec, text))


def press(hub: DeviceHub, did: str, event: str) -> str:
    """Let an event of the virtual home happen, such as the click of a button; return its iid.

    Raises `NotFound`, and `BadInput` for an event that the device has not.
    """
    return virtual(hub).emit(did, event)
