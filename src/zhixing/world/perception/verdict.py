"""The port of perception: one verdict of one source about one condition.

A verdict is `unknown` where the source could not judge; that is never the same as `false` (design §2.7).
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

import msgspec


class Value(StrEnum):
    """What a source says of a condition."""

    TRUE = "true"
    FALSE = "false"
    UNKNOWN = "unknown"


class Verdict(msgspec.Struct, frozen=True, gc=False):
    """`source` judged `query` at the instant `at` (aware, UTC).

    `firm` verdicts need no second one to be believed: a contact, a button, a person at the console. A verdict with an
    `event` is momentary: something happened at `at`, and the same event name is never taken twice. `lasting` verdicts
    stand until the next one, however long; the others expire when their source falls silent.
    """

    source: str
    query: str
    value: Value
    at: datetime
    reason: str = ""
    firm: bool = False
    lasting: bool = False
    event: str | None = None
