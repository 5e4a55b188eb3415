"""The channels that the settings name, and when each may tell something."""

from __future__ import annotations

from zhixing.delivery.policy import Policy, Quiet, read_quiet
from zhixing.kernel.clock import Clock
from zhixing.kernel.moments import zone as find_zone
from zhixing.settings.load import Configuration
from zhixing.settings.model import Channel as Wanted
from zhixing.settings.mqtt import broker_of
from zhixing.settings.zones import HomeZone
from zhixing.world.channels.apprise import Apprise
from zhixing.world.channels.port import Channel
from zhixing.world.channels.webhook import Webhook
from zhixing.world.mqtt.broker import Broker
from zhixing.world.mqtt.channel import MqttChannel


def channels_of(configuration: Configuration, clock: Clock) -> dict[str, Channel]:
    """Make the channels that the settings name."""
    broker = broker_of(configuration.settings.mqtt)
    return {name: _channel(name, wanted, broker, clock) for name, wanted in configuration.settings.channels.items()}


def policies_of(configuration: Configuration, zone: HomeZone) -> dict[str, Policy]:
    """Read when each channel may tell something."""
    home = find_zone(zone.name)
    return {
        name: Policy(Quiet(*read_quiet(wanted.quiet), home) if wanted.quiet else None, wanted.per_hour or None)
        for name, wanted in configuration.settings.channels.items()
    }


def _channel(name: str, wanted: Wanted, broker: Broker | None, clock: Clock) -> Channel:
    if wanted.goes_through == "apprise":
        return Apprise(name, wanted.url.get_secret_value(), clock)
    if wanted.goes_through == "mqtt":
        return MqttChannel(name, wanted.url.get_secret_value(), broker, clock, idempotent=wanted.idempotent)
    secret = wanted.secret.get_secret_value() or None
    return Webhook(name, wanted.url.get_secret_value(), clock, secret=secret, idempotent=wanted.idempotent)
