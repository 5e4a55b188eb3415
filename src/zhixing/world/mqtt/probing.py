"""Whether the broker can be reached: one greeting, nothing else."""

from __future__ import annotations

import secrets
from typing import Any

from paho.mqtt.client import Client, ConnectFlags
from paho.mqtt.enums import MQTTErrorCode
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from zhixing.kernel.clock import Clock
from zhixing.world.mqtt.broker import SECONDS, Broker, Trouble, greeting, new_client, why_not_connected, why_refused


def probe(broker: Broker, clock: Clock, seconds: float = SECONDS) -> Trouble | None:
    """Greet the broker and leave again, in bounded time; return what is wrong, if something is."""
    answers: list[int] = []

    def greeted(
        _client: Client, _data: Any, _flags: ConnectFlags, reason: ReasonCode, _properties: Properties | None
    ) -> None:
        answers.append(reason.value)

    try:
        client = new_client(broker, f"zhixing-probe-{secrets.token_hex(8)}")
        client.on_connect = greeted
        client.connect(broker.host, broker.port, properties=greeting(0))
    except (OSError, ValueError) as error:
        return Trouble(why_not_connected(error), broker)
    end = clock.monotonic() + seconds
    while not answers and (left := end - clock.monotonic()) > 0:
        if client.loop(timeout=left) != MQTTErrorCode.MQTT_ERR_SUCCESS:
            break
    client.disconnect()
    client.loop(timeout=0.0)
    if not answers:
        return Trouble("no_greeting", broker)
    return Trouble(why_refused(answers[0]), broker) if answers[0] >= 0x80 else None
