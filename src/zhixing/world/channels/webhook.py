"""A channel that posts letters as JSON to an address of the user's choosing.

The request carries the letter's key in `Idempotency-Key` and, when a secret is configured, the HMAC-SHA256 of its body
in `Zhixing-Signature: sha256=<hex>`. One connection carries one letter: a kept connection that the receiver closed
meanwhile fails in a way that leaves the fate of the letter open. No redirect is followed, no proxy is taken from the
environment, and of the answer only its head is read, which is what the receipt rests on.
"""

from __future__ import annotations

import hashlib
import hmac
import ssl
from collections.abc import Iterable
from functools import cached_property
from urllib.parse import quote

import httpcore
import msgspec

from zhixing.kernel.clock import Clock
from zhixing.world.bounded import BoundedBackend, Deadline
from zhixing.world.channels.address import http_address
from zhixing.world.channels.port import Delivered, Letter, NotSent, Reason, Receipt, Refused, Unknown
from zhixing.world.web import retry_after, trusted, why_not_connected

USER_AGENT = "zhixing-webhook/1"
SECONDS = 10.0
"""How long one send may take, from connecting to the head of the answer."""

_Headers = dict[bytes | str, bytes | str]


class Webhook:
    """POSTs to `url` (see `http_address`).

    Addresses inside the home are allowed; that is where most receivers are. Set `idempotent` only for a receiver that
    drops a letter whose `Idempotency-Key` it has seen: letters of unknown fate are then sent again. Neither the address
    nor the secret ever appears in a receipt, an error, a log line or the `repr`, because the path of an address is
    often the password of whoever receives there.
    """

    def __init__(
        self,
        name: str,
        url: str,
        clock: Clock,
        *,
        secret: str | None = None,
        idempotent: bool = False,
        seconds: float = SECONDS,
    ) -> None:
        self.name = name
        self.idempotent = idempotent
        self._url = http_address(name, url)
        self._clock = clock
        self._secret = secret.encode() if secret else None
        self._seconds = seconds

    def __repr__(self) -> str:
        return f"Webhook({self.name!r})"

    def send(self, letter: Letter) -> Receipt:
        """Post `letter` once."""
        body = msgspec.json.encode(letter)
        try:
            status, headers = self._post(body, self._headers(letter, body))
        except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
            return NotSent(Reason(why_not_connected(error)))
        except httpcore.TimeoutException:
            return Unknown(Reason("no_answer"))
        except (httpcore.NetworkError, httpcore.RemoteProtocolError):
            return Unknown(Reason("answer_broken"))
        return self._receipt(status, headers)

    @cached_property
    def _tls(self) -> ssl.SSLContext:
        # Made when it is first needed: it is slow.
        return trusted()

    def _post(self, body: bytes, headers: _Headers) -> tuple[int, Iterable[tuple[bytes, bytes]]]:
        connection = httpcore.HTTPConnection(
            origin=self._url.origin,
            ssl_context=self._tls if self._url.scheme == b"https" else None,
            network_backend=BoundedBackend(Deadline(self._clock, self._seconds)),
        )
        with connection, connection.stream("POST", self._url, headers=headers, content=body) as response:
            return response.status, response.headers

    def _headers(self, letter: Letter, body: bytes) -> _Headers:
        headers: _Headers = {
            "User-Agent": USER_AGENT,
            "Content-Type": "application/json; charset=utf-8",
            # Keys may name channels and parts in Chinese; headers are ASCII.
            "Idempotency-Key": quote(letter.key, safe=":/@+,;=~"),
        }
        if self._secret is not None:
            headers["Zhixing-Signature"] = "sha256=" + hmac.new(self._secret, body, hashlib.sha256).hexdigest()
        return headers

    def _receipt(self, status: int, headers: Iterable[tuple[bytes, bytes]]) -> Receipt:
        detail = str(status)
        after = retry_after(headers, self._clock.now())
        receipt: Receipt
        match status:
            case _ if 200 <= status < 300:
                receipt = Delivered()
            case 301 | 307 | 308:
                receipt = Refused(Reason("moved", detail))
            case 408 | 425 | 429:
                # "did not get all of it", "will not risk processing it", "too many": the receiver did not look at it.
                receipt = NotSent(Reason("busy", detail), after)
            case 503 if after is not None:
                # Without Retry-After it may be a gateway that lost its backend halfway through the request.
                receipt = NotSent(Reason("busy", detail), after)
            case 409 if self.idempotent:
                # How receivers that know keys say: the first copy is still being worked on.
                receipt = Unknown(Reason("receiver_failed", detail))
            case _ if 400 <= status < 500:
                receipt = Refused(Reason("refused", detail))
            case _:
                receipt = Unknown(Reason("receiver_failed", detail))
        return receipt
