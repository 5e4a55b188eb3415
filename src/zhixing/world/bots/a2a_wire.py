"""What carries the requests of the A2A SDK: to one place only, within bounds, and it notes how far they came."""

from __future__ import annotations

import asyncio
import ssl

import httpx

CONNECT_SECONDS = 10.0
LARGEST_ANSWER = 2 * 1024 * 1024
"""Bytes of an answer."""


class Elsewhere(Exception):
    """Raised for a request to another place than that of the card."""


class Wire(httpx.AsyncBaseTransport):
    """Carries the requests of one call to the scheme, host and port of `address`.

    `may_have_left` is whether anything but the card may have reached the agent, `failure` a word for what went wrong on
    the way. `status` is that of the last answer, `posted_status` that of a message; 0 without one.
    """

    def __init__(self, address: str, tls: ssl.SSLContext) -> None:
        self._origin = _origin(httpx.URL(address))
        self._inner = httpx.AsyncHTTPTransport(verify=tls, trust_env=False)
        self.may_have_left = False
        self.went_elsewhere = False
        self.failure = ""
        self.status = 0
        self.posted_status = 0
        self.retry_after = False

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Carry a request, and read its whole answer."""
        if _origin(request.url) != self._origin:
            self.went_elsewhere = True
            raise Elsewhere
        posting = request.method == "POST"
        request.headers["Accept-Encoding"] = "identity"
        timeout = request.extensions.get("timeout", {})
        connect = min(timeout.get("connect") or CONNECT_SECONDS, CONNECT_SECONDS)
        request.extensions["timeout"] = {**timeout, "connect": connect}
        try:
            response = await self._inner.handle_async_request(request)
        except (httpx.ConnectError, httpx.ConnectTimeout):
            self.failure = "unreachable"
            raise
        except BaseException as error:
            self.may_have_left |= posting
            late = isinstance(error, httpx.TimeoutException | asyncio.CancelledError)
            self.failure = "no_answer" if late else "answer_broken"
            raise
        self.may_have_left |= posting
        self.status = response.status_code
        if posting:
            self.posted_status = response.status_code
            self.retry_after = "retry-after" in response.headers
        return httpx.Response(
            response.status_code,
            headers={"Content-Type": response.headers.get("content-type", "")},
            content=await self._read(response),
            request=request,
        )

    async def aclose(self) -> None:
        """Close what is open."""
        await self._inner.aclose()

    async def _read(self, response: httpx.Response) -> bytes:
        body = bytearray()
        try:
            async for piece in response.aiter_raw():
                body += piece
                if len(body) > LARGEST_ANSWER:
                    self.failure = "answer_large"
                    raise httpx.ReadError(self.failure)
        except httpx.HTTPError:
            self.failure = self.failure or "answer_broken"
            raise
        finally:
            await response.aclose()
        return bytes(body)


def _origin(url: httpx.URL) -> tuple[str, str, int | None]:
    return url.scheme, url.host, url.port
