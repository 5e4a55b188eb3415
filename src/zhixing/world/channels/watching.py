"""What really happened while a notification service of Apprise was at work, and what receipt that makes.

Apprise answers True or False and swallows the rest: a refused connection, a rejected key and an answer that never came
all look the same. So the requests of a sending thread are watched as they leave, and the errors its services log are
looked at while they are being handled. Nothing they say is passed on, because it names addresses, which are passwords.
"""

from __future__ import annotations

import logging
import smtplib
import socket
import ssl
import sys
import threading
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import timedelta
from functools import wraps
from typing import Any

import msgspec

from zhixing.world.channels.port import Delivered, NotSent, Reason, Receipt, Refused, Unknown

LONGEST_ANSWER = 65_536
"""Bytes of an answer that are looked into."""

BUSY_PAUSE = timedelta(minutes=1)

_LOUD = ("apprise", "urllib3.connectionpool")
"""Loggers that write addresses."""

_CODES = {
    "dingtalk": "errcode",
    "wecombot": "errcode",
    "feishu": "code",
    "lark": "code",
    "schan": "code",
    "pushdeer": "code",
    "pushplus": "code",
    "wxpusher": "code",
}
"""Services that answer 200 to everything, and the field in which they say whether they took it."""
_TAKEN = {"pushplus": 200, "wxpusher": 1000}
"""What that field says then, where it is not 0."""
_TOO_MANY = frozenset((45009, 660026, 130101, 11232, 9499))
"""Codes that mean: too many, come back later."""
_HANDSHAKE = frozenset(("CERTIFICATE_VERIFY_FAILED", "WRONG_VERSION_NUMBER"))

_patching = threading.Lock()


@dataclass(slots=True)
class Trail:
    """What was seen of one sending. `answers` are status and body of what came back, `failures` why nothing did."""

    requests: int = 0
    answers: list[tuple[int, bytes]] = field(default_factory=list)
    failures: list[BaseException] = field(default_factory=list)
    handled: list[BaseException] = field(default_factory=list)
    """Errors of services that do not use HTTP, such as e-mail."""


_trail: ContextVar[Trail | None] = ContextVar("trail", default=None)


@contextmanager
def watched() -> Iterator[Trail]:
    """Watch what this thread sends through Apprise, and keep its log records to ourselves."""
    _watch_requests()
    trail = Trail()
    token = _trail.set(trail)
    try:
        yield trail
    finally:
        _trail.reset(token)


def receipt(trail: Trail, services: Collection[str], *, accepted: bool) -> Receipt:
    """Judge a sending through a service that goes by the names `services`; `accepted` is what Apprise said.

    Whatever may have arrived in part is `Unknown`: only one request, or requests that all failed to connect, tell.
    """
    if accepted:
        code = _said_no(trail, services)
        if code is None:
            return Delivered()
        if trail.requests > 1:
            return Unknown(Reason("service_refused", str(code)))
        refusal = Reason("service_refused", str(code))
        return NotSent(refusal, BUSY_PAUSE) if code in _TOO_MANY else Refused(refusal)
    failures = trail.failures if trail.requests else trail.handled
    if failures and not trail.answers:
        reasons = [_never_left(failure) for failure in failures]
        if all(reasons):
            return NotSent(Reason(reasons[0] or ""))
        if isinstance(failures[-1], smtplib.SMTPAuthenticationError) and not trail.requests:
            return Refused(Reason("login_refused"))
        return Unknown(Reason("no_answer" if _timed_out(failures[-1]) else "answer_broken"))
    if trail.requests == 1 and trail.answers:
        return _of_status(trail.answers[0][0])
    return Unknown(Reason("not_confirmed"))


def _of_status(status: int) -> Receipt:
    detail = str(status)
    match status:
        case 408 | 425 | 429:
            return NotSent(Reason("busy", detail), BUSY_PAUSE)
        case 301 | 307 | 308:
            return Refused(Reason("moved", detail))
        case _ if 400 <= status < 500:
            return Refused(Reason("refused", detail))
        case _ if status >= 500:
            return Unknown(Reason("receiver_failed", detail))
        case _:
            # The service answered, and the plugin did not like what it read.
            return Unknown(Reason("not_confirmed"))


def _said_no(trail: Trail, services: Collection[str]) -> int | None:
    """Return the code with which a service that answers 200 to everything refused, if it did."""
    service = next((name for name in services if name in _CODES), None)
    if service is None or not trail.answers:
        return None
    try:
        body = msgspec.json.decode(trail.answers[-1][1])
    except msgspec.DecodeError:
        return None
    code = body.get(_CODES[service]) if isinstance(body, dict) else None
    return code if isinstance(code, int) and code != _TAKEN.get(service, 0) else None


def _never_left(failure: BaseException) -> str | None:
    """Return why certainly nothing was written; None when something may have been."""
    from urllib3.exceptions import ConnectTimeoutError, NameResolutionError, NewConnectionError  # noqa: PLC0415 - extra

    for error in _chain(failure):
        match error:
            case NameResolutionError() | socket.gaierror():
                return "host_unknown"
            case NewConnectionError() | ConnectTimeoutError() | ConnectionRefusedError() | smtplib.SMTPConnectError():
                return "unreachable"
            case ssl.SSLError(reason=reason) if reason in _HANDSHAKE:
                return "tls_failed"
    return None


def _timed_out(failure: BaseException) -> bool:
    from urllib3.exceptions import ReadTimeoutError  # noqa: PLC0415 - extra

    return any(isinstance(error, ReadTimeoutError | TimeoutError) for error in _chain(failure))


def _chain(failure: BaseException) -> Iterator[BaseException]:
    """Walk an error and those it was made from: requests and urllib3 wrap them in arguments and `reason`."""
    waiting: list[Any] = [failure]
    seen: set[int] = set()
    while waiting:
        error = waiting.pop(0)
        if isinstance(error, BaseException) and id(error) not in seen:
            seen.add(id(error))
            yield error
            waiting += [*error.args[:2], getattr(error, "reason", None), error.__cause__]


class _Hush(logging.Filter):
    """Drops the records of watched threads after a look at the error that is being handled."""

    def filter(self, record: logging.LogRecord) -> bool:  # noqa: ARG002 - every record of such a thread
        trail = _trail.get()
        if trail is None:
            return True
        error = sys.exc_info()[1]
        if error is not None and error not in trail.handled:
            trail.handled.append(error)
        return False


def _watch_requests() -> None:
    """See to it that requests tells the trail of its thread what it does. Other threads notice nothing."""
    import requests  # noqa: PLC0415 - comes with the extra

    with _patching:
        if getattr(requests.Session.send, "is_watched", False):
            return
        send = requests.Session.send

        @wraps(send)
        def watched_send(session: Any, request: Any, **kwargs: Any) -> Any:
            trail = _trail.get()
            if trail is None:
                return send(session, request, **kwargs)
            trail.requests += 1
            try:
                response = send(session, request, **kwargs)
            except Exception as error:
                trail.failures.append(error)
                raise
            body = b"" if kwargs.get("stream") else response.content[:LONGEST_ANSWER]
            trail.answers.append((response.status_code, body))
            return response

        watched_send.is_watched = True  # type: ignore[attr-defined]
        requests.Session.send = watched_send  # type: ignore[assignment,method-assign]
        for name in _LOUD:
            logging.getLogger(name).addFilter(_Hush())
