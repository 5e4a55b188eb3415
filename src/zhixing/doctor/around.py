"""What is around a home: channels, MQTT, Home Assistant, the hub, and the sandbox of scripts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

from zhixing.doctor.finding import Finding, State, broken, missing, ok
from zhixing.graphs.specs.folder import read_home as read_specs
from zhixing.kernel.clock import Clock
from zhixing.kernel.errors import BadInput, Unavailable, ZhixingError
from zhixing.kernel.wording import wording
from zhixing.settings import Configuration
from zhixing.settings.homeassistant import facts_of, home_assistant_of
from zhixing.settings.model import Channel, Documents, Gateway, HomeAssistant, Mqtt
from zhixing.settings.mqtt import broker_of
from zhixing.world.channels.apprise import Apprise
from zhixing.world.channels.webhook import Webhook
from zhixing.world.devices.keeping import MemoryKeeper
from zhixing.world.homeassistant.link import Patience as HomePatience
from zhixing.world.homeassistant.notifying import notify_services
from zhixing.world.hub.opening import reaches_hub
from zhixing.world.mqtt.channel import MqttChannel
from zhixing.world.mqtt.probing import probe
from zhixing.world.sandbox.port import Mode, Sandbox
from zhixing.world.sandbox.probing import Unready, Wanted
from zhixing.world.sandbox.probing import probe as try_sandbox

HOMEASSISTANT_PATIENCE = HomePatience(connect=5.0, answer=5.0)
_PATIENCE = 2.0

Tried = Callable[[Clock, Wanted], Sandbox | Unready]


def check_channels(configuration: Configuration, clock: Clock) -> Iterator[Finding]:
    """Say whether somebody can be told outside the inbox. Addresses are read, nothing is sent."""
    channels = configuration.settings.channels
    if not channels:
        yield missing("channels", "none")
    for name, channel in channels.items():
        try:
            _read_address(name, channel, configuration.settings.mqtt, clock)
        except BadInput as error:
            yield broken("channels", "wrong", error=error, channel=name)
        except Unavailable as error:
            yield broken("channels", "absent", error=error)
        else:
            yield ok("channels", channel=name)


def _read_address(name: str, channel: Channel, mqtt: Mqtt, clock: Clock) -> None:
    url = channel.url.get_secret_value()
    if channel.goes_through == "apprise":
        Apprise(name, url, clock).service()
    elif channel.goes_through == "mqtt":
        MqttChannel(name, url, broker_of(mqtt), clock)
    else:
        Webhook(name, url, clock)


def check_mqtt(wanted: Mqtt, clock: Clock) -> Iterator[Finding]:
    """Say whether the MQTT broker lets us in. Nothing is published."""
    broker = broker_of(wanted)
    if broker is None:
        yield missing("mqtt", "none")
    elif (trouble := probe(broker, clock)) is not None:
        yield broken("mqtt", "wrong", error=trouble.text())
    else:
        yield ok("mqtt", host=broker.host, port=broker.port)


def check_sandbox(wanted: Documents, clock: Clock, tried: Tried = try_sandbox) -> Iterator[Finding]:
    """Say what stands between a script and the machine, by running a command behind it."""
    found = tried(clock, Wanted(wanted.sandbox))
    if isinstance(found, Unready):
        yield missing("sandbox", "none", why=found.reason)
    elif found.mode is Mode.NONE:
        yield missing("sandbox", "open")
    else:
        yield ok("sandbox", mode=found.mode.value)


def check_homeassistant(wanted: HomeAssistant, clock: Clock) -> Iterator[Finding]:
    """Say whether Home Assistant lets us in, and knows what the settings name. Nothing in the home is touched."""
    try:
        hub = home_assistant_of(wanted, clock, MemoryKeeper(clock), patience=HOMEASSISTANT_PATIENCE)
    except BadInput as error:
        yield broken("homeassistant", "wrong", error=error)
        return
    if hub is None:
        yield missing("homeassistant", "none")
        return
    with closing(hub):
        if not hub.link.ready():
            yield broken("homeassistant", "wrong", error=hub.link.trouble())
            return
        devices = hub.devices()
        unknown = {fact.entity for fact in facts_of(wanted) if fact.entity and hub.picture.state(fact.entity) is None}
        unknown |= {f"notify.{name}" for name in set(wanted.notify_services) - notify_services(hub.link)}
        counts = {"version": hub.link.version, "devices": len(devices), "cameras": len(hub.cameras())}
    if unknown:
        yield missing("homeassistant", "unknown", **counts, unknown="、".join(sorted(unknown)))
    else:
        yield ok("homeassistant", **counts)


def check_gateway(wanted: Gateway) -> Iterator[Finding]:
    """Say whether there is something at the address of the hub; nobody pairs with it, which would use a passcode up."""
    try:
        if wanted.specs:
            read_specs(Path(wanted.specs).expanduser())
        if not wanted.address:
            yield Finding("gateway", State.OK, wording("doctor.gateway_virtual"))
            return
        reached = reaches_hub(wanted.address, _PATIENCE)
    except ZhixingError as error:
        yield broken("gateway", "wrong", error=error)
        return
    if reached:
        yield ok("gateway", address=wanted.address)
    else:
        yield broken("gateway", "silent", address=wanted.address)
