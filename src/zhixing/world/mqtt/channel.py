"""A channel that publishes letters as JSON to a topic of the home's broker.

One connection carries one letter, as with webhooks, so a letter can be sent by any program of the home, and what became
of it is known: before the broker has greeted us nothing has left, and the broker's acknowledgement of QoS 1 is its word
that it has the letter. That a subscriber has it, nobody says. A letter is never retained: who comes later must not take
it for news.
"""

from __future__ import annotations

import secrets
from typing import Any

import msgspec
from paho.mqtt.client import Client, ConnectFlags
from paho.mqtt.enums import MQTTErrorCode
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from zhixing.kernel.clock import Clock
from zhixing.kernel.errors import BadInput
from zhixing.world.channels.port import Delivered, Letter, NotSent, Reason, Receipt, Refused, Unknown
from zhixing.world.mqtt.broker import SECONDS, Broker, greeting, new_client, why_not_connected, why_refused
from zhixing.world.mqtt.topics import SCHEME, is_topic

_DELIVERY = {
    "login_refused": "login_refused",
    "host_unknown": "host_unknown",
    "tls_failed": "tls_failed",
    "authority_unreadable": "tls_failed",
}
"""Reasons of section `delivery` for those of section `mqtt`."""


def channel_topic(name: str, url: str) -> str:
    """Read the address `mqtt:///TOPIC` of the channel `name`; raises `BadInput`."""
    topic = url.removeprefix(SCHEME)
    if topic == url or not is_topic(topic):
        raise BadInput("mqtt_address_unreadable", name=name)
    return topic


class MqttChannel:
    """Publishes to the topic of `url` at `broker`, with QoS 1."""

    def __init__(
        self,
        name: str,
        url: str,
        broker: Broker | None,
        clock: Clock,
        *,
        idempotent: bool = False,
        seconds: float = SECONDS,
    ) -> None:
        self.name = name
        self.idempotent = idempotent
        self._topic = channel_topic(name, url)
        if broker is None:
            raise BadInput("mqtt_broker_missing", name=name)
        self._broker = broker
        self._clock = clock
        self._seconds = seconds

    def __repr__(self) -> str:
        return f"MqttChannel({self.name!r})"

    def send(self, letter: Letter) -> Receipt:
        """Publish `letter` once."""
        try:
            client = new_client(self._broker, f"zhixing-letter-{secrets.token_hex(8)}")
            sending = _Sending(client, self._topic, msgspec.json.encode(letter))
            client.connect(self._broker.host, self._broker.port, properties=greeting(0))
        except (OSError, ValueError) as error:
            return NotSent(Reason(_DELIVERY.get(why_not_connected(error), "unreachable")))
        end = self._clock.monotonic() + self._seconds
        while sending.acknowledged is None and (left := end - self._clock.monotonic()) > 0:
            if client.loop(timeout=left) != MQTTErrorCode.MQTT_ERR_SUCCESS:
                break
        # Whatever came of it, a copy that waits in the client must not leave later.
        client.disconnect()
        client.loop(timeout=0.0)
        return sending.receipt()


class _Sending:
    """One letter on its way."""

    def __init__(self, client: Client, topic: str, body: bytes) -> None:
        self.acknowledged: int | None = None
        self._topic = topic
        self._body = body
        self._published = False
        self._refused: int | None = None
        client.on_connect = self._greeted
        client.on_publish = self._acknowledged

    def _greeted(
        self, client: Client, _data: Any, _flags: ConnectFlags, reason: ReasonCode, _properties: Properties | None
    ) -> None:
        if reason.is_failure:
            self._refused = reason.value
        else:
            self._published = True
            client.publish(self._topic, self._body, qos=1)

    def _acknowledged(
        self, _client: Client, _data: Any, _mid: int, reason: ReasonCode, _properties: Properties | None
    ) -> None:
        self.acknowledged = reason.value

    def receipt(self) -> Receipt:
        """Say what became of it."""
        if self.acknowledged is not None:
            taken = self.acknowledged < 0x80
            return Delivered() if taken else Refused(Reason("broker_refused", f"0x{self.acknowledged:02X}"))
        if self._published:
            return Unknown(Reason("no_answer"))
        if self._refused is not None:
            key = _DELIVERY.get(why_refused(self._refused), "broker_busy")
            return Refused(Reason(key)) if key == "login_refused" else NotSent(Reason(key))
        return NotSent(Reason("broker_silent"))
