"""What the clock part of a request comes to: a schedule, and what is left of the words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Schedule:
    """When the system moves by itself. `default`: the time was not said (H-FREQ-12). `guessed`: part of it (A-46)."""

    kind: str
    expr: str | None = None
    at: datetime | None = None
    every_ms: int | None = None
    default: bool = False
    guessed: bool = False


@dataclass(frozen=True, slots=True)
class Clock:
    """What a clause says about the clock: the schedule, the clause without those words, and the days a goal repeats on.

    `gone`: the one instant that was said is past, so another has to be asked for (A-46).
    """

    schedule: Schedule | None
    rest: str
    days: str = "*"
    sure: bool = True
    gone: bool = False


def taken(pattern: re.Pattern[str], text: str) -> tuple[re.Match[str] | None, str]:
    """Return the first match, and `text` without it."""
    match = pattern.search(text)
    return (None, text) if match is None else (match, text[: match.start()] + text[match.end() :])
