"""The MQTT broker of a home: where it is, who we are to it, and why it cannot be reached.

MQTT 5 is spoken: it lets a broker forget our session soon after we are gone, keep back what is too large for us, and
say why it refuses something.
"""

from __future__ import annotations

import socket
import ssl
from dataclasses import dataclass, field
from functools import cache

from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from zhixing.kernel.wording import Language, wording
from zhixing.world.mqtt.limits import LARGEST_PACKET
from zhixing.world.web import trusted

SECONDS = 10.0
"""How long the broker may take to answer a greeting."""
KEEP_ALIVE = 30
"""Seconds of silence after which either side asks whether the other is there."""
IN_FLIGHT = 100
"""Messages the broker may send before we have taken the first of them."""
_NO_SUCH_USER = (0x86, 0x87, 0x8C)
"""Bad user name or password; not authorised; bad way of saying who one is."""
_OLD_PROTOCOL = (0x01, 0x84)


@dataclass(frozen=True, slots=True)
class Broker:
    """Where the broker is. The password is in no `repr`."""

    host: str
    port: int = 1883
    user: str = ""
    password: str = field(default="", repr=False)
    tls: bool = False
    ca_file: str = ""
    """PEM file of an authority to trust instead of the machine's own."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why there is no connection: a key of section `mqtt` and where it was tried."""

    key: str
    broker: Broker

    def text(self, language: Language = "zh") -> str:
        """Return it as a user reads it."""
        place = {
            "host": self.broker.host,
            "port": self.broker.port,
            "user": self.broker.user,
            "ca": self.broker.ca_file,
        }
        return wording(f"mqtt.{self.key}", language, **place)


class AuthorityUnreadable(OSError):
    """The file of the authority to trust cannot be used."""


def new_client(broker: Broker, identity: str) -> Client:
    """Make a client that is not connected; raises `AuthorityUnreadable`."""
    client = Client(
        CallbackAPIVersion.VERSION2,
        client_id=identity,
        protocol=MQTTProtocolVersion.MQTTv5,
        reconnect_on_failure=False,
    )
    client.connect_timeout = SECONDS
    if broker.user:
        client.username_pw_set(broker.user, broker.password)
    if broker.tls:
        client.tls_set_context(_trust(broker.ca_file))
    return client


@cache
def _trust(ca_file: str) -> ssl.SSLContext:
    if not ca_file:
        return trusted()
    try:
        return ssl.create_default_context(cafile=ca_file)
    except (OSError, ValueError) as error:
        raise AuthorityUnreadable from error


def greeting(session: int) -> Properties:
    """Return what is said on connecting: for how many seconds the broker keeps our session after we are gone."""
    properties = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
    properties.SessionExpiryInterval = session
    properties.ReceiveMaximum = IN_FLIGHT
    properties.MaximumPacketSize = LARGEST_PACKET
    return properties


def why_not_connected(error: Exception) -> str:
    """Say why a connection could not be made, as a key of section `mqtt`."""
    match error:
        case AuthorityUnreadable():
            return "authority_unreadable"
        case socket.gaierror() | UnicodeError():
            return "host_unknown"
        case ssl.SSLError():
            return "tls_failed"
        case _:
            return "unreachable"


def why_refused(code: int) -> str:
    """Say why the broker refused our greeting with a code of MQTT 5, as a key of section `mqtt`."""
    if code in _NO_SUCH_USER:
        return "login_refused"
    return "protocol_old" if code in _OLD_PROTOCOL else "greeting_refused"
