"""What every request passes before anything reads it: whose name it came under, who asks, what and how much it brings.

Errors that nobody expected end here, too: they are logged, and the caller is told that it is our fault and no more.
"""

from __future__ import annotations

import hmac
import logging
from urllib.parse import urlsplit

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from zhixing.faces.http.bot_doors import BOT, BotOf, may_know, must_open
from zhixing.faces.http.refusals import API, Broken, Unauthenticated, WrongMedia, answer
from zhixing.kernel.errors import Refused, TooLarge, ZhixingError
from zhixing.notices.pictures import LARGEST_PICTURE
from zhixing.settings import is_loopback

OPEN = frozenset({"/api/v1/health"})
"""What the API tells everybody."""

PICTURES = frozenset({"/api/v1/pictures", "/pictures"})
"""Where pictures come in, as forms of several parts and with a bound of their own."""
PICTURE_BODY = LARGEST_PICTURE + 256 * 1024
"""Bytes: the largest picture, and room for what is said beside it."""

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
    " connect-src 'self'; manifest-src 'self'; worker-src 'self'; form-action 'self';"
    " base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}

_log = logging.getLogger("zhixing.http")


class Door:
    """The middleware around the whole application.

    With `loopback_only`, a request that names another host is turned away: a page from elsewhere whose name was made to
    lead here (DNS rebinding) would otherwise be one of ours to the browser. `bot_of` tells whose the token of a bot is;
    such a token opens a few doors and no others.
    """

    def __init__(self, app: ASGIApp, *, token: str, bot_of: BotOf, body_bytes: int, loopback_only: bool) -> None:
        self._app = app
        self._token = token.encode()
        self._bot_of = bot_of
        self._body_bytes = body_bytes
        self._loopback_only = loopback_only

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, or answer it here."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begun = False

        async def send_on(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        try:
            await self._let_in(scope, receive, send_on)
        except ZhixingError as error:
            await answer(scope, error)(scope, receive, send_on)
        # The last place that can tell the caller anything; what happened is logged.
        except Exception:
            if begun:
                raise
            _log.exception("a request failed: %s %s", scope["method"], scope["path"])
            await answer(scope, Broken("internal"))(scope, receive, send_on)

    async def _let_in(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        if self._loopback_only:
            _check_host(headers.get("host", ""))
        if scope["path"].startswith(API) and scope["path"] not in OPEN:
            await self._check_token(scope, headers.get("authorization", ""))
            _check_media(headers, "multipart/form-data" if scope["path"] in PICTURES else "application/json")
        limit = PICTURE_BODY if scope["path"] in PICTURES else self._body_bytes
        length = headers.get("content-length", "")
        if length.isascii() and length.isdigit() and (len(length) > 18 or int(length) > limit):
            raise TooLarge("body_large", limit=limit)
        await self._app(scope, _bounded(receive, limit), send)

    async def _check_token(self, scope: Scope, authorization: str) -> None:
        scheme, _, token = authorization.partition(" ")
        token = token.strip()
        if scheme.lower() != "bearer" or not token:
            raise Unauthenticated("token_missing")
        if hmac.compare_digest(token.encode(), self._token):
            return
        bot = await run_in_threadpool(self._bot_of, token) if may_know(scope["path"]) else None
        if bot is None:
            raise Unauthenticated("token_wrong")
        must_open(scope["method"], scope["path"])
        scope[BOT] = bot


def _bounded(receive: Receive, limit: int) -> Receive:
    """Count what comes in, for bodies that do not say how long they are."""
    taken = 0

    async def receive_bounded() -> Message:
        nonlocal taken
        message = await receive()
        taken += len(message.get("body", b""))
        if taken > limit:
            # Of all errors, the framework lets only its own through while it reads a body.
            raise HTTPException(413, str(limit))
        return message

    return receive_bounded


def _check_host(host: str) -> None:
    try:
        name = urlsplit(f"//{host}").hostname or ""
    except ValueError:
        name = ""
    if not is_loopback(name):
        raise Refused("host_foreign", host=host[:64])


def _check_media(headers: Headers, wanted: str) -> None:
    if "transfer-encoding" not in headers and headers.get("content-length", "0") == "0":
        return
    media = headers.get("content-type", "").partition(";")[0].strip().lower()
    if media != wanted:
        raise WrongMedia("media_wrong" if wanted == "application/json" else "media_no_form")
