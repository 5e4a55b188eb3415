"""The port to the public web: one address, one page as text, or one `WebFailure`.

What a page says is data of strangers: whoever shows it to a model fences it, and nothing in it is obeyed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from zhixing.kernel.errors import Unavailable
from zhixing.kernel.wording import Language, wording


class NoPage(StrEnum):
    """Why there is no page: a key of section `errors` after `web_`."""

    ADDRESS = "address"
    PASSWORD = "password"  # noqa: S105 - a name
    PORT = "port"
    PRIVATE = "private"
    """It is, or its name leads, where the public web is not."""
    HOST_UNKNOWN = "host_unknown"
    UNREACHABLE = "unreachable"
    TLS_FAILED = "tls_failed"
    NO_ANSWER = "no_answer"
    ANSWER_BROKEN = "answer_broken"
    STATUS = "status"
    TYPE = "type"
    TOO_LARGE = "too_large"
    REDIRECTS = "redirects"


class WebFailure(Unavailable):
    """There is no page. `detail` is a number or a media type; never what a server said."""

    def __init__(self, why: NoPage, detail: str = "") -> None:
        super().__init__(f"web_{why.value}", detail=detail)
        self.why = why
        self.detail = detail

    def text(self, language: Language = "zh") -> str:
        """Return the one line that says what happened."""
        return wording(f"errors.web_{self.why.value}", language, detail=self.detail)


@dataclass(frozen=True, slots=True)
class Page:
    """What was found. `address` is where the redirects led, `text` what a reader sees, links as `words (address)`.

    `is_whole` is False where the text was longer than is kept.
    """

    address: str
    media_type: str
    title: str = field(repr=False)
    text: str = field(repr=False)
    is_whole: bool = True


class Web(Protocol):
    """Somebody who fetches pages. Safe to use from several threads."""

    def fetch(self, address: str, seconds: float) -> Page:
        """Get a page within `seconds`. Raises `WebFailure`."""
        ...
