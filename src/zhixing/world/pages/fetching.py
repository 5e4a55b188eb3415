"""Getting a page from the public web, and from nowhere else.

What a name resolves to is looked at here, and the connection is made to the very address that was looked at, so a name
that answers differently the second time (DNS rebinding) gains nothing. Every redirect is a fresh request with the same
checks. No cookie, no referrer, no credentials, no proxy of the environment.
"""

from __future__ import annotations

import socket
import ssl
import zlib
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from ipaddress import ip_address
from urllib.parse import urljoin

import httpcore

from zhixing.kernel.clock import Clock
from zhixing.world.bounded import BoundedBackend, Deadline
from zhixing.world.pages.charsets import decoded
from zhixing.world.pages.port import NoPage, Page, WebFailure
from zhixing.world.pages.reach import Address, Reach, literal
from zhixing.world.pages.readable import LONGEST_TEXT, readable
from zhixing.world.web import AddressHasPassword, AddressUnreadable, trusted, web_address, why_not_connected

USER_AGENT = "zhixing-pages/1"
LARGEST_BODY = 4 * 1024 * 1024
"""Bytes of a page, as sent and as unpacked."""
MOST_REDIRECTS = 5
MOST_ADDRESSES = 4
"""Addresses of one name that are tried."""

Resolve = Callable[[str, int], Sequence[Address]]
"""The addresses of a name; raises `OSError` when it has none."""

_HTML = {"text/html", "application/xhtml+xml"}
_TEXT = {
    *("text/plain", "text/markdown", "text/csv", "text/xml"),
    *("application/json", "application/xml", "application/x-ndjson", "application/yaml"),
}
_REDIRECTS = {301, 302, 303, 307, 308}
_HEADERS: dict[bytes | str, bytes | str] = {
    "User-Agent": USER_AGENT,
    "Accept": "text/html, application/xhtml+xml, application/json, text/*;q=0.9, application/xml;q=0.9",
    "Accept-Language": "zh-CN, zh;q=0.9, en;q=0.5",
    "Accept-Encoding": "gzip",
}


def resolve(host: str, port: int) -> Sequence[Address]:
    """Ask the operating system."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [ip_address(str(address[0]).partition("%")[0]) for *_, address in found]


class PublicWeb:
    """Fetches over the network what `reach` includes."""

    def __init__(self, clock: Clock, *, reach: Reach | None = None, resolve: Resolve = resolve) -> None:
        self._clock = clock
        self._reach = reach or Reach()
        self._resolve = resolve

    def fetch(self, address: str, seconds: float) -> Page:
        """Get a page, following redirects; see `Web`."""
        deadline = Deadline(self._clock, seconds)
        for _ in range(MOST_REDIRECTS + 1):
            url = _read(address)
            try:
                got = self._get(url, deadline)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                raise WebFailure(NoPage(why_not_connected(error))) from None
            except httpcore.TimeoutException:
                raise WebFailure(NoPage.NO_ANSWER) from None
            except (httpcore.NetworkError, httpcore.ProtocolError):
                raise WebFailure(NoPage.ANSWER_BROKEN) from None
            if isinstance(got, Page):
                return got
            address = got
        raise WebFailure(NoPage.REDIRECTS, str(MOST_REDIRECTS))

    def _get(self, url: httpcore.URL, deadline: Deadline) -> Page | str:
        """Ask once; return the page, or the address it is said to be at."""
        port = url.origin.port
        if port not in self._reach.ports:
            raise WebFailure(NoPage.PORT, str(port))
        connection = httpcore.HTTPConnection(
            origin=url.origin,
            ssl_context=self._tls if url.scheme == b"https" else None,
            network_backend=_Pinned(self._checked(url.host.decode("ascii"), port), deadline),
        )
        with connection, connection.stream("GET", url, headers=_HEADERS) as response:
            headers = {name.lower(): value.decode("latin-1") for name, value in response.headers}
            if response.status in _REDIRECTS and headers.get(b"location"):
                return _joined(_text(url), headers[b"location"])
            if not 200 <= response.status < 300:
                raise WebFailure(NoPage.STATUS, str(response.status))
            media_type, charset = _type(headers.get(b"content-type", ""))
            body = _unpacked(response.iter_stream(), headers.get(b"content-encoding", ""))
        return _page(_text(url), media_type, decoded(body, charset, is_page=media_type in _HTML))

    def _checked(self, host: str, port: int) -> list[Address]:
        """Return the addresses of a host; one that is out of reach among them makes all of them suspect."""
        try:
            written = literal(host)
        except ValueError:
            raise WebFailure(NoPage.ADDRESS) from None
        try:
            found = list(dict.fromkeys(self._resolve(host, port))) if written is None else [written]
        except (OSError, ValueError):
            raise WebFailure(NoPage.HOST_UNKNOWN) from None
        if not found:
            raise WebFailure(NoPage.HOST_UNKNOWN)
        if not all(self._reach.includes(address) for address in found):
            raise WebFailure(NoPage.PRIVATE)
        return found[:MOST_ADDRESSES]

    @cached_property
    def _tls(self) -> ssl.SSLContext:
        # Made when it is first needed: it is slow.
        return trusted()


class _Pinned(BoundedBackend):
    """Connects to the addresses that were looked at, whatever the name leads to by now."""

    def __init__(self, addresses: Sequence[Address], deadline: Deadline) -> None:
        super().__init__(deadline)
        self._addresses = addresses

    def connect_tcp(
        self,
        host: str,  # noqa: ARG002 - it has been looked at
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.NetworkStream:
        failure: httpcore.ConnectError | None = None
        for address in self._addresses:
            try:
                return super().connect_tcp(str(address), port, timeout, local_address, socket_options)
            except httpcore.ConnectError as error:
                failure = error
        raise failure or httpcore.ConnectError


def _read(address: str) -> httpcore.URL:
    try:
        return web_address(address)
    except AddressUnreadable:
        raise WebFailure(NoPage.ADDRESS) from None
    except AddressHasPassword:
        raise WebFailure(NoPage.PASSWORD) from None


def _joined(address: str, location: str) -> str:
    # Sent as bytes of UTF-8 by many, though it should be ASCII.
    location = location.encode("latin-1").decode("utf-8", "replace")
    try:
        return urljoin(address, location)
    except ValueError:
        raise WebFailure(NoPage.ADDRESS) from None


def _text(url: httpcore.URL) -> str:
    host = url.host.decode("ascii")
    named = f"[{host}]" if ":" in host else host
    port = "" if url.port is None else f":{url.port}"
    return f"{url.scheme.decode()}://{named}{port}{url.target.decode('ascii')}"


def _type(content_type: str) -> tuple[str, str]:
    """Return the media type, which is one that can be read, and the charset, if it is named."""
    named, _, parameters = content_type.partition(";")
    media_type = named.strip().lower()
    if media_type not in _HTML | _TEXT and not media_type.endswith(("+json", "+xml")):
        raise WebFailure(NoPage.TYPE, media_type[:60] or "?")
    charset = ""
    for parameter in parameters.split(";")[:10]:
        name, _, value = parameter.partition("=")
        if name.strip().lower() == "charset":
            charset = value.strip().strip("\"'")
    return media_type, charset


def _unpacked(pieces: Iterable[bytes], encoding: str) -> bytes:
    """Read a body within bounds, of what is sent and of what is inside."""
    match encoding.strip().lower():
        case "" | "identity":
            inside = None
        case "gzip" | "x-gzip":
            inside = zlib.decompressobj(16 + zlib.MAX_WBITS)
        case _:
            raise WebFailure(NoPage.ANSWER_BROKEN)
    body, sent = bytearray(), 0
    try:
        for piece in pieces:
            sent += len(piece)
            body += piece if inside is None else inside.decompress(piece, LARGEST_BODY + 1 - len(body))
            if max(sent, len(body)) > LARGEST_BODY:
                raise WebFailure(NoPage.TOO_LARGE, str(LARGEST_BODY))
    except zlib.error:
        raise WebFailure(NoPage.ANSWER_BROKEN) from None
    if inside is not None and not inside.eof:
        raise WebFailure(NoPage.ANSWER_BROKEN)
    return bytes(body)


def _page(address: str, media_type: str, text: str) -> Page:
    if media_type in _HTML:
        read = readable(text, address)
        return Page(address, media_type, read.title, read.text, read.is_whole)
    return Page(address, media_type, "", text[:LONGEST_TEXT], len(text) <= LONGEST_TEXT)
