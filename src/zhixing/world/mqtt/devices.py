"""Devices on topics of the broker as a hub: a lamp of zigbee2mqtt, a plug of Tasmota, a curtain of ESPHome.

What is read is what the device said last on this connection, or what the broker keeps of it; nothing is asked of it. A
command is one message that the broker acknowledges: that the device did it, only its state topic says.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence

from zhixing.kernel.clock import Clock
from zhixing.kernel.errors import NotFound
from zhixing.kernel.wording import wording
from zhixing.world.devices.names import misfit, quoted, settled, unknown_device
from zhixing.world.devices.port import (
    Camera,
    Device,
    DeviceSpec,
    Done,
    Failed,
    Level,
    Person,
    PropertySpec,
    Result,
)
from zhixing.world.mqtt.appliances import Appliance, Known, command, heard
from zhixing.world.mqtt.broker import SECONDS, Broker
from zhixing.world.mqtt.link import FIRST_PAUSE, Link


class MqttDevices:
    """A `DeviceHub` over topics. It has no cameras and knows nobody.

    `seconds` is how long the broker may take to acknowledge a command, `pause` the first pause before connecting again.
    """

    def __init__(
        self,
        broker: Broker,
        appliances: Sequence[Appliance],
        clock: Clock,
        *,
        seconds: float = SECONDS,
        pause: float = FIRST_PAUSE,
    ) -> None:
        self._appliances = {each.did: each for each in appliances}
        self._specs = {each.did: each.spec() for each in appliances}
        self._lock = threading.Lock()
        self._known: dict[str, Known] = {}
        self._listening: dict[str, list[Appliance]] = {}
        for each in appliances:
            for topic in each.topics:
                self._listening.setdefault(topic, []).append(each)
        self.link = Link(
            broker,
            tuple(self._listening),
            clock,
            began=self._forget,
            heard=self._hear,
            seconds=seconds,
            pause=pause,
        )

    def devices(self) -> Sequence[Device]:
        """Return all devices, in the order of the settings; without a connection all are away."""
        is_up = self.link.ready()
        return tuple(
            Device(each.did, each.name, each.room, each.kind, "mqtt", online=is_up and not self._of(each.did).away)
            for each in self._appliances.values()
        )

    def spec(self, did: str) -> DeviceSpec:
        """Return what a device can do; raise `NotFound` when there is none of that id. Asks nothing of the broker."""
        found = self._specs.get(did)
        if found is None:
            known = [Device(each.did, each.name, each.room, "", "", online=True) for each in self._appliances.values()]
            raise unknown_device(did, known)
        return found

    def cameras(self) -> Sequence[Camera]:
        """Return no cameras."""
        return ()

    def people(self) -> Sequence[Person]:
        """Return nobody."""
        return ()

    def use_camera(self, did: str, *, in_use: bool) -> Camera:  # noqa: ARG002
        """Raise `NotFound`: there are no cameras."""
        raise NotFound("camera_unknown", did=quoted(did), known=wording("devices.nothing"))

    def read(self, did: str, iid: str) -> Result:
        """Read a property, as the device told it last."""
        spec = self._property(did, iid)
        if isinstance(spec, Failed):
            return spec
        if not spec.readable:
            return Failed("write_only", spec.name)
        away = self._away(did)
        if away is not None:
            return away
        value = self._of(did).value(spec)
        return Failed("not_reported", spec.name) if value is None else Done(value)

    def write(self, did: str, iid: str, value: Level) -> Result:
        """Write a property: done when the broker has the command."""
        spec = self._property(did, iid)
        if isinstance(spec, Failed):
            return spec
        if not spec.writable:
            return Failed("read_only", spec.name)
        fault = misfit(spec, value)
        if fault is not None:
            return Failed(*fault)
        return self._away(did) or self.link.tell(*command(self._appliances[did], spec, settled(spec, value)))

    def act(self, did: str, iid: str, params: Sequence[Level]) -> Result:  # noqa: ARG002
        """Fail: these devices have no actions."""
        return (
            Failed("device_missing", quoted(did)) if did not in self._specs else Failed("action_missing", quoted(iid))
        )

    def close(self) -> None:
        """End the connection for good."""
        self.link.close()

    def _property(self, did: str, iid: str) -> PropertySpec | Failed:
        spec = self._specs.get(did)
        if spec is None:
            return Failed("device_missing", quoted(did))
        found = next((each for each in spec.properties if each.iid == iid), None)
        return Failed("property_missing", quoted(iid)) if found is None else found

    def _away(self, did: str) -> Failed | None:
        if not self.link.ready():
            return Failed("hub_unreachable")
        return Failed("offline") if self._of(did).away else None

    def _of(self, did: str) -> Known:
        with self._lock:
            return self._known.get(did, Known())

    def _forget(self) -> None:
        with self._lock:
            self._known.clear()

    def _hear(self, topic: str, payload: bytes) -> None:
        with self._lock:
            for each in self._listening.get(topic, ()):
                self._known[each.did] = heard(each, self._known.get(each.did, Known()), topic, payload)
