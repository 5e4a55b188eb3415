"""A bot that speaks our own protocol over HTTP (docs/goal-bots.md).

Every errand carries its key, in its body and in `Idempotency-Key`: a bot that has seen it says what became of that one.
One connection carries one request. No redirect is followed, no proxy is taken from the environment. Addresses inside
the home are allowed; that is where many bots are.
"""

from __future__ import annotations

import re
import ssl
import threading
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal
from urllib.parse import quote

import httpcore

from zhixing.kernel.clock import Clock
from zhixing.kernel.errors import BadInput
from zhixing.world.bots.hearing import failed, plain
from zhixing.world.bots.port import Errand, NotSent, Receipt, Said, Unclear
from zhixing.world.bots.waiting import awaited, taken_up
from zhixing.world.bots.wire import read_object, read_receipt, read_said, request_of
from zhixing.world.bounded import BoundedBackend, Deadline
from zhixing.world.web import (
    AddressHasPassword,
    AddressUnreadable,
    retry_after,
    trusted,
    web_address,
    why_not_connected,
)

USER_AGENT = "zhixing-bots/1"
LARGEST_ANSWER = 2 * 1024 * 1024
"""Bytes of an answer: the longest text, escaped."""
LOOK_SECONDS = 20.0
"""How long a look after an errand may take, or stopping it."""
_Headers = dict[bytes | str, bytes | str]
_SECRET = re.compile(r"[\x21-\x7e]+")


@dataclass(frozen=True, slots=True)
class _Answer:
    status: int
    headers: tuple[tuple[bytes, bytes], ...]
    body: bytes = field(repr=False)


class HttpBot:
    """The bot at `url`, which is told `secret` as a bearer token.

    Raises `BadInput` for an address or a secret that cannot be used. Neither of them appears in an error or the `repr`.
    """

    def __init__(
        self, url: str, secret: str, clock: Clock, *, name: str = "", closing: threading.Event | None = None
    ) -> None:
        self.name = name
        self._url = bot_address(name, url)
        self._authorization: _Headers = {"Authorization": f"Bearer {bearer(name, secret)}"} if secret else {}
        self._clock = clock
        self._closing = closing or threading.Event()

    def __repr__(self) -> str:
        return f"HttpBot({self.name!r})"

    def ask(self, errand: Errand) -> Said:
        """Give an errand and wait for its end; see `Bot`."""
        return awaited(self, errand, self._clock, self._closing)

    def take_up(self, errand: Errand) -> Said:
        """Go on with an errand; see `Remote`."""
        return taken_up(self, errand, self._clock, self._closing)

    def send(self, errand: Errand) -> Receipt | Said:
        """Post an errand; see `Remote`."""
        answer = self._exchange("POST", self._url, errand.seconds, errand)
        match answer.status:
            case 200:
                return read_said(read_object(answer.body))
            case 202:
                return read_receipt(read_object(answer.body))
            case 409 | 500 | 501 | 502 | 504:
                raise Unclear(f"status_{answer.status}")
            case 503 if retry_after(answer.headers, self._clock.now()) is None:
                # Without Retry-After it may be a gateway that lost the bot halfway through the errand.
                raise Unclear("status_503")
            case 301 | 307 | 308 | 401 | 403 | 404 | 405 | 408 | 425 | 429 | 503:
                raise NotSent(f"status_{answer.status}")
            case status if 400 <= status < 500:
                # It was read, and will not be done.
                return failed(f"status_{status}")
            case status:
                raise Unclear(f"status_{status}")

    def whereabouts(self, errand: Errand) -> Receipt | Said | Literal["not_sent", "unknown"]:
        """Ask for an errand by its key; see `Remote`. Only a bot that says 404 proves that it has not got it."""
        try:
            answer = self._exchange("GET", self._about("key", plain(errand.key)), LOOK_SECONDS)
            match answer.status:
                case 200:
                    return read_said(read_object(answer.body))
                case 202:
                    return read_receipt(read_object(answer.body))
                case 404:
                    return "not_sent"
                case _:
                    return "unknown"
        except (NotSent, Unclear):
            return "unknown"

    def collect(self, receipt: Receipt) -> Said | None:
        """Ask for a run by its number; see `Remote`."""
        answer = self._look("GET", receipt)
        match answer.status:
            case 200:
                value = read_object(answer.body)
                try:
                    return read_said(value)
                except Unclear as error:
                    return failed(error.reason)
            case 202:
                return None
            case 404 | 410:
                return failed("run_unknown")
            case status:
                raise Unclear(f"status_{status}")

    def stop(self, receipt: Receipt) -> None:
        """Delete a run; see `Remote`. A bot that knows no stopping goes on, and nobody listens."""
        answer = self._look("DELETE", receipt)
        if answer.status >= 500 and answer.status != 501:
            raise Unclear(f"status_{answer.status}")

    def _look(self, method: str, receipt: Receipt) -> _Answer:
        try:
            return self._exchange(method, self._about("run_id", receipt.run_id), LOOK_SECONDS)
        except NotSent as error:
            raise Unclear(error.reason) from None

    def _about(self, name: str, value: str) -> httpcore.URL:
        mark = b"&" if b"?" in self._url.target else b"?"
        target = self._url.target + mark + f"{name}={quote(value, safe='')}".encode()
        return httpcore.URL(scheme=self._url.scheme, host=self._url.host, port=self._url.port, target=target)

    def _exchange(self, method: str, url: httpcore.URL, seconds: float, errand: Errand | None = None) -> _Answer:
        """Ask once. Raises `NotSent` when there was no connection, `Unclear` for whatever went wrong later."""
        try:
            return self._stream(method, url, Deadline(self._clock, seconds), errand)
        except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
            raise NotSent(why_not_connected(error)) from None
        except httpcore.TimeoutException:
            raise Unclear("no_answer") from None
        except (httpcore.NetworkError, httpcore.ProtocolError):
            raise Unclear("answer_broken") from None

    def _stream(self, method: str, url: httpcore.URL, deadline: Deadline, errand: Errand | None) -> _Answer:
        connection = httpcore.HTTPConnection(
            origin=url.origin,
            ssl_context=self._tls if url.scheme == b"https" else None,
            network_backend=BoundedBackend(deadline),
        )
        content = None if errand is None else request_of(errand)
        headers = self._headers(errand)
        with connection, connection.stream(method, url, headers=headers, content=content) as response:
            body = bytearray()
            if response.status in {200, 202}:
                for piece in response.iter_stream():
                    body += piece
                    if len(body) > LARGEST_ANSWER:
                        raise Unclear("answer_large")
            return _Answer(response.status, _pairs(response.headers), bytes(body))

    def _headers(self, errand: Errand | None) -> _Headers:
        headers: _Headers = {
            "User-Agent": USER_AGENT,
            "Accept": "application/json",
            "Accept-Encoding": "identity",
            **self._authorization,
        }
        if errand is not None:
            headers["Content-Type"] = "application/json; charset=utf-8"
            headers["Idempotency-Key"] = quote(plain(errand.key), safe=":/@+,;=~")
        return headers

    @cached_property
    def _tls(self) -> ssl.SSLContext:
        # Made when it is first needed: it is slow.
        return trusted()


def bot_address(name: str, text: str) -> httpcore.URL:
    """Read the address of the bot called `name`; the errors never repeat the address."""
    try:
        return web_address(text)
    except AddressUnreadable:
        raise BadInput("bot_address_unreadable", name=name) from None
    except AddressHasPassword:
        raise BadInput("bot_address_with_password", name=name) from None


def bearer(name: str, secret: str) -> str:
    """Return a secret that a header can carry; the complaint of whoever builds one would quote it."""
    if _SECRET.fullmatch(secret.strip()) is None:
        raise BadInput("bot_secret_unreadable", name=name)
    return secret.strip()


def _pairs(headers: Iterable[tuple[bytes, bytes]]) -> tuple[tuple[bytes, bytes], ...]:
    return tuple((bytes(name), bytes(value)) for name, value in headers)
