"""Compiling a task that lives here for a hub. Only reads; what is deployed, the graphs room deploys."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime

from zhixing.compiling.compiler import compile_task
from zhixing.compiling.model import Compiled, Site
from zhixing.graphs.specs.home import Home
from zhixing.household.operations import Household
from zhixing.kernel.errors import NotFound
from zhixing.world.devices.port import Device, DeviceHub, DeviceSpec


def to_graph(household: Household, hub: DeviceHub, home: Home, slug: str, *, zone: str, now: datetime) -> Compiled:
    """Compile the living task of that slug for the hub that `home` is and whose clocks show `zone`.

    `hub` has the devices that the task was made with. Raises `NotFound` for a task there is not. Not to be called
    inside a transaction.
    """
    view = household.get(slug)
    devices = tuple(hub.devices())
    cameras = {each.did: each.name for each in hub.cameras()}
    return compile_task(view, Site(home, zone, devices, _specs(hub, devices), cameras), now)


def _specs(hub: DeviceHub, devices: Sequence[Device]) -> dict[str, DeviceSpec]:
    found = {}
    for each in devices:
        # A device may be taken away while we look.
        with suppress(NotFound):
            found[each.did] = hub.spec(each.did)
    return found
