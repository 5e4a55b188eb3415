"""An http address as a user types it, checked before anything is sent there."""

from __future__ import annotations

import re
from ipaddress import ip_address
from urllib.parse import quote, urlsplit

import httpcore

from zhixing.kernel.errors import BadInput

LONGEST = 2_000
"""Characters of an address; more than any receiver hands out."""

_HOST = re.compile(r"[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*\.?")
_PATH = "/%:@!$&'()*+,;=~"


def http_address(channel: str, text: str) -> httpcore.URL:
    """Read the address of `channel`: http or https, a host, and no user or password inside.

    Names in Chinese are encoded as the network wants them. The errors name the channel and never repeat the address,
    whose path is often the password of whoever receives there.
    """
    text = text.strip()
    try:
        parts = urlsplit(text)
        port = parts.port
        host = _host(parts.hostname or "")
    except ValueError:
        # Not chained: the standard library quotes parts of the address.
        raise BadInput("webhook_address_unreadable", name=channel) from None
    if parts.scheme not in {"http", "https"} or port == 0 or len(text) > LONGEST or not text.isprintable():
        raise BadInput("webhook_address_unreadable", name=channel)
    if "@" in parts.netloc:
        raise BadInput("webhook_address_with_password", name=channel)
    target = quote(parts.path or "/", safe=_PATH)
    if parts.query:
        target += "?" + quote(parts.query, safe=_PATH + "?")
    return httpcore.URL(scheme=parts.scheme, host=host, port=port, target=target)


def _host(name: str) -> str:
    if ":" in name:
        return str(ip_address(name))
    encoded = name.encode("idna").decode()
    if not _HOST.fullmatch(encoded):
        raise ValueError("not a host")
    return encoded
