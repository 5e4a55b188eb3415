"""Where a hub is: in the home's own network, at an address that is looked up once and then kept.

A name is resolved when the hub is located, and every connection goes to what was found then: a name server that changes
its mind cannot send a passcode elsewhere. No redirect is followed and no proxy is taken from the environment.
"""

from __future__ import annotations

import socket
import ssl
import struct
from dataclasses import dataclass
from ipaddress import ip_address, ip_network
from typing import Final

from websockets.sync.client import ClientConnection

from zhixing.kernel.errors import BadInput, Unavailable
from zhixing.world.hub.frames import LARGEST_FRAME
from zhixing.world.web import AddressHasPassword, AddressUnreadable, web_address
from zhixing.world.websocket import open_websocket

PATH: Final = "/centrallinkws/"
USER_AGENT: Final = "zhixing-hub/1"

_HOME = tuple(
    ip_network(block)
    for block in ("10.0.0.0/8", "127.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "::1/128", "fc00::/7")
)


@dataclass(frozen=True, slots=True)
class Located:
    """A hub that was found: the host as it was written, the one address it has, its port, and whether by TLS."""

    host: str
    ip: str
    port: int
    tls: bool

    def dial(self, seconds: float) -> ClientConnection:
        """Open a WebSocket within about `seconds`; the caller closes it. Raises what websockets and sockets raise."""
        plain = socket.create_connection((self.ip, self.port), timeout=seconds)
        # A hub that reads no more would hold whoever sends, and with them the pings that notice it, for ever.
        plain.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, _timeval(seconds))
        return open_websocket(
            plain,
            PATH,
            host=self.host,
            port=self.port,
            tls=_unproven() if self.tls else None,
            agent=USER_AGENT,
            largest=LARGEST_FRAME,
            seconds=seconds,
        )


def locate(address: str) -> Located:
    """Find a hub by its address as its page is opened; a bare host is taken for one of http.

    Raises `BadInput` for an address that is none, or none of the home's own network, and `Unavailable` for a name that
    nobody knows.
    """
    address = address.strip()
    try:
        url = web_address(address if "://" in address else f"http://{address}")
    except (AddressUnreadable, AddressHasPassword):
        raise BadInput("hub_address_unreadable") from None
    host, tls = url.host.decode(), url.scheme == b"https"
    port = url.port or (443 if tls else 80)
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError:
        raise Unavailable("hub_address_unknown", host=host) from None
    addresses = [str(each[0]) for *_, each in found]
    # One address outside is enough: a name of the home has none there.
    if not addresses or not all(map(_is_home, addresses)):
        raise BadInput("hub_address_outside", host=host)
    return Located(host, addresses[0], port, tls)


def _is_home(address: str) -> bool:
    try:
        ip = ip_address(address)
    except ValueError:
        return False
    return any(ip in block for block in _HOME)


def _timeval(seconds: float) -> bytes:
    whole = int(seconds)
    return struct.pack("@ll", whole, int((seconds - whole) * 1_000_000))


def _unproven() -> ssl.SSLContext:
    """Trust anybody: a hub signs for itself. What proves it, and hides the rest, is the pairing under the passcode."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context
