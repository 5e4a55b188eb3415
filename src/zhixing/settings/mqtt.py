"""The MQTT broker that the settings name."""

from __future__ import annotations

from pathlib import Path

from zhixing.settings.model import Mqtt
from zhixing.world.mqtt.broker import Broker


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
