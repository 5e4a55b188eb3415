"""One thing that was due, and what became of it: pure.

    due → claimed → running → done | failed | skipped | interrupted | cancelled
    due → skipped | missed | cancelled
    claimed → missed

It is claimed durably before its work starts. Work that is a single transaction may go from claimed to its end without
ever being seen running. What was promised and waited in vain for somebody to begin it is missed.
"""

from __future__ import annotations

from base64 import b32encode
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from hashlib import blake2b

from zhixing.kernel.errors import Conflict
from zhixing.kernel.wording import Language, section, wording


class OccurrenceState(StrEnum):
    """Where an occurrence is."""

    DUE = "due"
    """It has come and waits for its turn."""
    CLAIMED = "claimed"
    """Its work is promised: a job exists."""
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    SKIPPED = "skipped"
    """It was left out on purpose."""
    MISSED = "missed"
    """It passed while nobody could act."""
    INTERRUPTED = "interrupted"
    """Its work began and nobody knows how it ended."""
    CANCELLED = "cancelled"


_S = OccurrenceState
_ENDS = frozenset({_S.DONE, _S.FAILED, _S.SKIPPED, _S.INTERRUPTED, _S.CANCELLED})

MOVES: dict[OccurrenceState, frozenset[OccurrenceState]] = {
    _S.DUE: frozenset({_S.CLAIMED, _S.SKIPPED, _S.MISSED, _S.CANCELLED}),
    _S.CLAIMED: _ENDS | {_S.RUNNING, _S.MISSED},
    _S.RUNNING: _ENDS,
}
"""Which states may follow; those that are not in here are final."""

OPEN = frozenset(MOVES)
"""States from which something may still happen."""


@dataclass(frozen=True, slots=True)
class Occurrence:
    """`(task_id, part, key)` is unique: the instant for clocks, the episode for rules.

    `reason` is a code of `reason_text` or a sentence. `count` is more than 1 for a row that stands for several instants
    of which none ran; `due` and `key` are then those of the newest one.
    """

    id: str
    task_id: str
    part: str
    key: str
    due: datetime
    state: OccurrenceState
    claimed_at: datetime | None = None
    finished_at: datetime | None = None
    reason: str | None = None
    count: int = 1
    revision: int = 1

    @property
    def open(self) -> bool:
        """Whether something may still happen."""
        return self.state in OPEN


def occurrence_id(task_id: str, part: str, key: str, length: int = 10) -> str:
    """Return the id of the occurrence `(task_id, part, key)`: "o" and `length` characters of a digest."""
    digest = blake2b(f"{task_id}\x1f{part}\x1f{key}".encode(), digest_size=20).digest()
    return "o" + b32encode(digest).decode().lower()[:length]


def moved(occurrence: Occurrence, state: OccurrenceState, now: datetime, reason: str | None = None) -> Occurrence:
    """Return the occurrence in its next state; raise `Conflict` when that state cannot follow."""
    if state not in MOVES.get(occurrence.state, frozenset()):
        raise Conflict("occurrence_cannot", id=occurrence.id, state=wording(f"tasks.occurrence_{occurrence.state}"))
    return replace(
        occurrence,
        state=state,
        claimed_at=now if state is OccurrenceState.CLAIMED else occurrence.claimed_at,
        finished_at=None if state in OPEN else now,
        reason=occurrence.reason if reason is None else reason,
        revision=occurrence.revision + 1,
    )


def reason_text(reason: str, language: Language = "zh") -> str:
    """Return what a reason code says to a user; a sentence is returned as it is."""
    return section("tasks", language).get(f"reason_{reason}", reason)
