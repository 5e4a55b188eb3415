"""The port to whoever is told something.

A letter is handed over at most once unless its channel says otherwise, so a channel's whole duty is to be honest about
what became of it. What cannot be told apart is `Unknown`: claiming `NotSent` for a letter that arrived tells somebody
twice, claiming `Delivered` for one that did not tells nobody.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from zhixing.kernel.wording import Language, wording


@dataclass(frozen=True, slots=True)
class Letter:
    """What is told. The same letter always has the same content, however often it is sent.

    `key` is the letter's identity for the receiver: one that has seen it may drop the letter. `at` is when it was due,
    not when it is sent; `url` is where the task can be looked at, when the sender knows such a place.
    """

    id: str
    key: str
    task_id: str
    occurrence_id: str
    title: str
    text: str
    at: datetime
    url: str | None = None


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a letter did not arrive for certain: a key of section `delivery` and the one detail its text may name.

    The detail is ours (a status, a name out of the configuration), never text a receiver sent.
    """

    key: str
    detail: str = ""

    def text(self, language: Language = "zh") -> str:
        """Return the reason as a user reads it."""
        return wording(f"delivery.{self.key}", language, detail=self.detail)


@dataclass(frozen=True, slots=True)
class Delivered:
    """The receiver said that it has the letter."""


@dataclass(frozen=True, slots=True)
class Refused:
    """The receiver said that it will not take the letter, now or later: sending it again is pointless."""

    reason: Reason


@dataclass(frozen=True, slots=True)
class NotSent:
    """The receiver certainly does not have the letter: sending it again is safe.

    Either nothing was written (no such host, connection refused, failed TLS handshake), or the receiver itself said
    that it has not looked at it and wants to be asked again, perhaps not before `after`.
    """

    reason: Reason
    after: timedelta | None = None


@dataclass(frozen=True, slots=True)
class Unknown:
    """The receiver may or may not have the letter.

    Something was written, and then came no answer, half an answer, or one that does not say how far the receiver got.
    """

    reason: Reason


Receipt = Delivered | Refused | NotSent | Unknown


class Channel(Protocol):
    """One way to one receiver, under the name users configured it by."""

    @property
    def name(self) -> str:
        """The configured name."""
        ...

    @property
    def idempotent(self) -> bool:
        """Whether the receiver drops a letter whose key it already has.

        Only then may a letter of unknown fate be sent again.
        """
        ...

    def send(self, letter: Letter) -> Receipt:
        """Hand `letter` over, in bounded time, and say what became of it. Does not try twice."""
        ...
