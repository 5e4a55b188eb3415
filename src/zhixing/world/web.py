"""What our clients of the web share: addresses, trust, and what a failure or a header means.

None of them follows a redirect or takes a proxy from the environment.
"""

from __future__ import annotations

import re
import socket
import ssl
from collections.abc import Iterable
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime
from ipaddress import ip_address
from typing import Literal
from urllib.parse import quote, urlsplit

import certifi
import httpcore

LONGEST_ADDRESS = 2_000
"""Characters of an address; more than anybody hands out."""

_HOST = re.compile(r"[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*\.?")
_PATH = "/%:@!$&'()*+,;=~"


class AddressUnreadable(ValueError):
    """Not an http or https address with a host. Says nothing about it: its path may be a password."""


class AddressHasPassword(ValueError):
    """A user or password is written in the address, where logs would show it."""


def web_address(text: str) -> httpcore.URL:
    """Read an address as a user types it: http or https, a host, and no user or password inside.

    Names in Chinese are encoded as the network wants them.
    """
    text = text.strip()
    try:
        parts = urlsplit(text)
        port = parts.port
        host = _host(parts.hostname or "")
    except ValueError:
        # Not chained: the standard library quotes parts of the address.
        raise AddressUnreadable from None
    if parts.scheme not in {"http", "https"} or port == 0 or len(text) > LONGEST_ADDRESS or not text.isprintable():
        raise AddressUnreadable
    if "@" in parts.netloc:
        raise AddressHasPassword
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


def trusted() -> ssl.SSLContext:
    """Return whom we trust. Takes tens of milliseconds to make.

    The machine's own authorities count, because a home may have one; the packaged ones are for machines that came
    without any.
    """
    context = ssl.create_default_context()
    context.load_verify_locations(certifi.where())
    return context


def why_not_connected(error: Exception) -> Literal["host_unknown", "tls_failed", "unreachable"]:
    """Say why a connection could not be made."""
    match error.__cause__:
        case socket.gaierror():
            return "host_unknown"
        case ssl.SSLError():
            return "tls_failed"
        case _:
            return "unreachable"


def retry_after(headers: Iterable[tuple[bytes, bytes]], now: datetime) -> timedelta | None:
    """Return how long the other side wants to be left alone; None when it does not say so readably."""
    value = next((value for name, value in headers if name.lower() == b"retry-after"), b"").decode("latin-1")
    try:
        if value.isascii() and value.isdecimal():
            return timedelta(seconds=int(value[:9]))
        wait = parsedate_to_datetime(value) - now
    except (ValueError, TypeError, OverflowError):
        # Unreadable, or a date without a zone: as if there were none.
        return None
    return max(wait, timedelta(0))
