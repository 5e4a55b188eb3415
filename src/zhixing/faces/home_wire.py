"""What programs get of a home: its people, cameras and devices, and what its eyes have to judge. Pure."""

from __future__ import annotations

from typing import Any
from zoneinfo import ZoneInfo

from zhixing.household.sight import Reading, SeenDevice, Sight
from zhixing.kernel.moments import iso
from zhixing.world.devices.keeping import Happening
from zhixing.world.devices.names import reason_text
from zhixing.world.devices.port import ActionSpec, Camera, Done, Person, PropertySpec, Result

Wire = dict[str, Any]


def of_home(sight: Sight) -> Wire:
    """Write everything in a home."""
    return {
        "rooms": list(sight.rooms),
        "people": [of_person(person) for person in sight.people],
        "cameras": [of_camera(camera) for camera in sight.cameras],
        "devices": [of_device(device) for device in sight.devices],
    }


def of_device(seen: SeenDevice) -> Wire:
    """Write a device with its values."""
    device = seen.device
    return {
        "did": device.did,
        "name": device.name,
        "room": device.room,
        "category": device.category,
        "model": device.model,
        "online": device.online,
        "properties": [of_reading(reading) for reading in seen.readings],
        "actions": [of_action(action) for action in seen.actions],
    }


def of_reading(reading: Reading) -> Wire:
    """Write a property and its value; null with the reason in `problem` where it could not be read."""
    result = reading.result
    return {
        **of_property(reading.spec),
        "value": result.value if isinstance(result, Done) else None,
        "problem": problem_of(result),
    }


def of_property(spec: PropertySpec) -> Wire:
    """Write what a property may be."""
    return {
        "iid": spec.iid,
        "name": spec.name,
        "format": spec.format,
        "writable": spec.writable,
        "low": spec.low,
        "high": spec.high,
        "step": spec.step,
        "choices": [{"value": value, "label": label} for value, label in spec.choices],
        "unit": spec.unit,
    }


def of_action(spec: ActionSpec) -> Wire:
    """Write what a device can be told to do."""
    return {"iid": spec.iid, "name": spec.name, "arguments": [of_property(one) for one in spec.arguments]}


def of_camera(camera: Camera) -> Wire:
    """Write a camera."""
    return {
        "did": camera.did,
        "name": camera.name,
        "room": camera.room,
        "online": camera.online,
        "inUse": camera.in_use,
    }


def of_person(person: Person) -> Wire:
    """Write somebody who lives here."""
    return {"id": person.id, "name": person.name, "role": person.role}


def of_happening(happening: Happening, zone: ZoneInfo) -> Wire:
    """Write something that happened to a device or a camera; `use` and `online` stand beside properties by iid."""
    return {
        "at": iso(happening.at, zone),
        "did": happening.did,
        "iid": happening.iid,
        "values": list(happening.values),
        "by": happening.by.value,
    }


def problem_of(result: Result) -> str | None:
    """Say why it is not so, or not known; None where it is."""
    return None if isinstance(result, Done) else reason_text(result)
