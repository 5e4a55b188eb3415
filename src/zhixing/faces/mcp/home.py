"""Tools: the home itself: whether it is served, its people, cameras and devices."""

from __future__ import annotations

from importlib import metadata
from typing import Annotated

from pydantic import Field

from zhixing.faces import home_wire
from zhixing.faces.cli.house import House
from zhixing.faces.cli.lock import is_served
from zhixing.faces.mcp.arguments import LONGEST_ID
from zhixing.faces.mcp.tool import Effect, Tool
from zhixing.faces.wire import Wire
from zhixing.household import sight
from zhixing.kernel.errors import BadInput, Unavailable
from zhixing.kernel.moments import iso
from zhixing.kernel.moments import zone as find_zone
from zhixing.world.devices.names import check_value, find_device, reason_text, resolve
from zhixing.world.devices.port import ActionSpec, Device, Failed, Uncertain

DeviceName = Annotated[str, Field(max_length=LONGEST_ID, description="Id or name of a device, from `device_list`.")]
Room = Annotated[str | None, Field(max_length=LONGEST_ID, description="Only this room.")]


def home_status(home: House) -> Wire:
    """Say what this home is: its zone, what time it is there, and whether a server runs what was set up.

    While `served` is false nothing rings and no rule acts; `notes` is what the user has to know then.
    """
    app = home.app
    return {
        "version": metadata.version("zhixing"),
        "zone": app.zone.name,
        "now": iso(app.clock.now(), find_zone(app.zone.name)),
        "served": is_served(home.home),
        "model": app.reading is not None,
        "notes": home.household_notes(),
    }


def person_list(home: House) -> Wire:
    """List who lives here. Speak of people by their role (妈妈), by name only where there is none."""
    return {"people": [home_wire.of_person(person) for person in home.app.people.list()]}


def camera_list(home: House) -> Wire:
    """List the cameras; only those `inUse` judge anything."""
    return {"cameras": [home_wire.of_camera(camera) for camera in home.app.hub.cameras()]}


def device_list(
    home: House,
    *,
    room: Room = None,
    category: Annotated[str | None, Field(max_length=LONGEST_ID, description="Only this category: light.")] = None,
) -> Wire:
    """List the devices, without their values; `device_show` has those."""
    return {
        "devices": [
            _listed(device)
            for device in home.app.hub.devices()
            if room in (None, device.room) and category in (None, device.category)
        ]
    }


def device_show(home: House, *, device: DeviceName) -> Wire:
    """Read a device: every property with its value now, what it may be, and the actions there are."""
    hub = home.app.hub
    return home_wire.of_device(sight.look_at(hub, find_device(hub.devices(), device)))


def device_set(
    home: House,
    *,
    device: DeviceName,
    property: Annotated[str, Field(max_length=LONGEST_ID, description="Its iid or name, from `device_show`: prop.on.")],  # noqa: A002 - what devices have
    value: Annotated[bool | int | float | str, Field(description="The value, or the name of a choice.")],
) -> Wire:
    """Write a property of a device now. Only when the user asked for it.

    With the error code device_uncertain nobody knows whether it happened: do not repeat it, read the device first.
    """
    hub = home.app.hub
    found = find_device(hub.devices(), device)
    spec = resolve(hub.spec(found.did), property)
    if isinstance(spec, ActionSpec):
        raise BadInput("not_a_property", iid=spec.iid)
    result = hub.write(found.did, spec.iid, check_value(spec, value))
    match result:
        case Failed():
            raise Unavailable("device_failed", device=found.name, why=reason_text(result))
        case Uncertain():
            raise Unavailable("device_uncertain", device=found.name, why=reason_text(result))
    return home_wire.of_device(sight.look_at(hub, found))


def _listed(device: Device) -> Wire:
    return {
        "did": device.did,
        "name": device.name,
        "room": device.room,
        "category": device.category,
        "model": device.model,
        "online": device.online,
    }


TOOLS = (
    Tool.of(home_status, Effect.READS),
    Tool.of(person_list, Effect.READS),
    Tool.of(camera_list, Effect.READS),
    Tool.of(device_list, Effect.READS),
    Tool.of(device_show, Effect.READS),
    Tool.of(device_set, Effect.ACTS),
)
