"""The virtual home as rule graphs see it: its devices and what they can do."""

from __future__ import annotations

import json
from types import MappingProxyType

from zhixing.graphs.specs.home import Device, Home, by_urn
from zhixing.graphs.specs.jsontext import read_json
from zhixing.graphs.specs.reading import spec_of
from zhixing.world.devices.miot import instance_of
from zhixing.world.devices.virtual import VirtualHome


def home_of_virtual(virtual: VirtualHome) -> Home:
    """Return the devices of a virtual home with their specifications; of variables it knows nothing."""
    online = {each.did: each.online for each in virtual.devices()}
    planned = virtual.plan.devices
    kinds = {each.kind.urn: each.kind for each in planned}
    specs, changed = by_urn(spec_of(read_json(json.dumps(instance_of(kind)).encode())) for kind in kinds.values())
    devices = {
        each.did: Device(
            each.did, each.kind.urn, each.name, each.room, online=online[each.did], pushes=True, usable=True
        )
        for each in planned
    }
    return Home(MappingProxyType(devices), specs, changed, None)
