"""The port to a bot: something that is given words and comes back with words, at once or after a while.

Nothing a bot says is believed here or obeyed. Every call has an end of its own.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, Protocol

COMPLETED = "COMPLETED"
FAILED = "FAILED"


class NotSent(Exception):
    """Raised when it is certain that nothing reached the bot; `reason` is one word for a log."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Unclear(Exception):
    """Raised when something may have reached the bot and nobody knows; `reason` is one word for a log."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Errand:
    """What a bot is given. The same `key` is the same errand: who keeps count does it once.

    `loop_task_id` and `attempt` say what it is about; `seconds` is how long the whole answer may take.
    """

    key: str
    text: str = field(repr=False)
    loop_task_id: str = ""
    attempt: int = 1
    seconds: float = 600.0


@dataclass(frozen=True, slots=True)
class Said:
    """What a bot came to: its last words, how its run ended (`COMPLETED` or `FAILED`), why, and what it used.

    `tokens` and `cost` are 0 where the bot does not say.
    """

    content: str = field(repr=False)
    run_status: str = COMPLETED
    error: str = ""
    tokens: int = 0
    cost: float = 0.0


@dataclass(frozen=True, slots=True)
class Receipt:
    """Where an errand runs."""

    run_id: str
    session_id: str = ""


class Bot(Protocol):
    """Somebody to ask. Safe to use from several threads."""

    def ask(self, errand: Errand) -> Said:
        """Give an errand and wait for its end, `errand.seconds` at most; what was too slow has failed.

        Raises `NotSent` when it provably reached nobody. What a bot does by itself (a broken reply, an error of its
        own) is a `Said` with `FAILED`, not an exception. Only a program that closes meanwhile raises `Unclear`.
        """
        ...


class Remote(Bot, Protocol):
    """A bot that works on its own side: an errand is left with it, and looked after from time to time."""

    def send(self, errand: Errand) -> Receipt | Said:
        """Leave an errand there; a bot that is done at once says so.

        Raises `NotSent` as `ask` does, and `Unclear` when nobody knows whether it arrived.
        """
        ...

    def whereabouts(self, errand: Errand) -> Receipt | Said | Literal["not_sent", "unknown"]:
        """Say what became of an errand that was about to leave; `not_sent` needs proof."""
        ...

    def take_up(self, errand: Errand) -> Said:
        """Wait for the end of an errand that may have left before; only one that provably did not is sent now.

        Raises `Unclear` when nobody knows whether it did, and `NotSent` as `ask` does.
        """
        ...

    def collect(self, receipt: Receipt) -> Said | None:
        """Return what an errand came to, None while it is under way. Raises `Unclear` when that cannot be told now."""
        ...

    def stop(self, receipt: Receipt) -> None:
        """Stop an errand as well as that can be done. Raises `Unclear` when nobody knows whether the bot was told."""
        ...
