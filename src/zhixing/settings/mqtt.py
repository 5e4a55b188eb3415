"""The MQTT broker that the settings name, and the devices on its topics."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from pathlib import Path

from zhixing.kernel.clock import Clock
from zhixing.kernel.errors import BadInput
from zhixing.settings.model import Mqtt, MqttDevice
from zhixing.world.mqtt.appliances import Appliance
from zhixing.world.mqtt.broker import Broker
from zhixing.world.mqtt.devices import MqttDevices


def broker_of(wanted: Mqtt) -> Broker | None:
    """Return it; None when none is named. Asks nothing of it."""
    if not wanted.host:
        return None
    return Broker(
        host=wanted.host.strip("[]"),
        port=wanted.port,
        user=wanted.user,
        password=wanted.password.get_secret_value(),
        tls=wanted.tls,
        ca_file=str(Path(wanted.ca_file).expanduser()) if wanted.ca_file else "",
    )


def mqtt_devices_of(wanted: Mqtt, clock: Clock, taken: AbstractSet[str]) -> MqttDevices | None:
    """Make the hub of the devices on topics; None where there are none. Asks nothing yet.

    `taken` are the ids that the home has without them. Raises `BadInput` for an id that is there twice, and where no
    broker is named.
    """
    if not wanted.devices:
        return None
    broker = broker_of(wanted)
    first = next(iter(wanted.devices))
    if broker is None:
        raise BadInput("mqtt_device_without_broker", name=first)
    twice = next((did for did in wanted.devices if did in taken), None)
    if twice is not None:
        raise BadInput("mqtt_device_taken", name=twice)
    return MqttDevices(broker, [appliance_of(did, each) for did, each in wanted.devices.items()], clock)


def appliance_of(did: str, wanted: MqttDevice) -> Appliance:
    """Read one device."""
    (on, off), (shows_on, shows_off) = wanted.on_off, wanted.shown
    return Appliance(
        did=did,
        name=wanted.name.strip() or did,
        room=wanted.room.strip(),
        kind=wanted.kind,
        state_topic=wanted.state_topic,
        command_topic=wanted.command_topic,
        state_field=wanted.state_field,
        command_field=wanted.command_field,
        on=on,
        off=off,
        shows_on=shows_on,
        shows_off=shows_off,
        stop=wanted.payload_stop,
        level_topic=wanted.level_topic,
        level_field=wanted.level_field,
        level_command_topic=wanted.level_set_topic,
        level_command_field=wanted.level_set_field,
        level_max=float(wanted.level_max),
        availability_topic=wanted.availability_topic,
        transition=float(wanted.transition),
    )
