"""Where Home Assistant answers, and the connections that lead there.

No redirect is followed and no proxy is taken from the environment: the token goes where its owner said, and nowhere
else.
"""

from __future__ import annotations

import socket
import ssl
from dataclasses import dataclass
from functools import cached_property

import httpcore
from websockets.sync.client import ClientConnection

from zhixing.kernel.errors import BadInput
from zhixing.world.web import AddressHasPassword, AddressUnreadable, trusted, web_address
from zhixing.world.websocket import open_websocket

USER_AGENT = "zhixing-home/1"
LARGEST_MESSAGE = 16 * 1024 * 1024
"""Bytes of one message: all states of a very large home are a few megabytes."""
LONGEST_TOKEN = 2_000


@dataclass(frozen=True)
class Address:
    """Home Assistant at `url` (http or https, as its page is opened) and the long-lived `token` of one of its users.

    Raises `BadInput` for a token that is none and, when it is first used, for an address that is none. The `repr` shows
    neither.
    """

    url: str
    token: str

    def __post_init__(self) -> None:
        if len(self.token) > LONGEST_TOKEN or not self.token.isascii() or not all(map(str.isprintable, self.token)):
            raise BadInput("homeassistant_token_unusable")

    def __repr__(self) -> str:
        return "Address(…)"

    @cached_property
    def base(self) -> httpcore.URL:
        """The address in parts."""
        try:
            return web_address(self.url)
        except AddressUnreadable:
            raise BadInput("homeassistant_address_unreadable") from None
        except AddressHasPassword:
            raise BadInput("homeassistant_address_with_password") from None

    @cached_property
    def tls(self) -> ssl.SSLContext | None:
        """Whom we trust; None where nothing is encrypted."""
        # Made when it is first needed: it is slow.
        return trusted() if self.base.scheme == b"https" else None

    @property
    def headers(self) -> dict[bytes | str, bytes | str]:
        """What a request over HTTP carries."""
        return {"User-Agent": USER_AGENT, "Authorization": f"Bearer {self.token}", "Accept-Encoding": "identity"}

    def target(self, path: str) -> httpcore.URL:
        """Return where `path`, which begins with a slash, is found."""
        base = self.base
        return httpcore.URL(
            scheme=base.scheme, host=base.host, port=base.port, target=base.target.rstrip(b"/") + path.encode()
        )

    def dial(self, seconds: float) -> ClientConnection:
        """Open a WebSocket within about `seconds`; the caller closes it. Raises what websockets and sockets raise."""
        base, host = self.base, self.base.host.decode()
        port = base.port or (443 if base.scheme == b"https" else 80)
        target = self.target("/api/websocket").target.decode()
        plain = socket.create_connection((host, port), timeout=seconds)
        return open_websocket(
            plain,
            target,
            host=host,
            port=port,
            tls=self.tls,
            agent=USER_AGENT,
            largest=LARGEST_MESSAGE,
            seconds=seconds,
        )
