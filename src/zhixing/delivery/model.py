"""What is told: one message per occurrence and channel.

pending ─→ sending ─→ sent
   ↑          │ ├───→ failed       certainly not delivered, and not tried any more
   └──────────┘ └───→ unknown      perhaps delivered; never sent again
   └───────────────→ withdrawn     the task ended before it was sent

`sending` is on disk before anything leaves the house. A message found in it by a later attempt was on its way when the
earlier attempt died, so its fate is unknown.

A pending message may be held until an instant (quiet hours, the most an hour may carry). Messages that go out together
as one digest follow the fate of the one that leads it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from zhixing.world.channels.port import Reason

INBOX = "inbox"
"""The channel every message goes to: its rows are the inbox, so they are delivered by being written."""


class MessageState(StrEnum):
    """Where a message is."""

    PENDING = "pending"
    SENDING = "sending"
    SENT = "sent"
    FAILED = "failed"
    UNKNOWN = "unknown"
    WITHDRAWN = "withdrawn"


class Timing(StrEnum):
    """Who chose the instant of telling."""

    CHOSEN = "chosen"
    """We did: it may wait for the end of quiet hours."""
    NAMED = "named"
    """The user did: it may not."""


@dataclass(frozen=True, slots=True)
class Message:
    """A row of the outbox.

    `due_at` is when the occurrence was due, `told_at` when it was handed to the outbox. `in_doubt`: an earlier try may
    have arrived, so that nothing which happens later can make it `failed`. `unwanted`: the task ended while it was
    being sent, so that this try is its last.

    `note` is the key of what policy made of it, in section `delivery`; `turn` counts its jobs, each of which has a key
    of its own; `digest` is the id of the message it goes out with. `acknowledged_at` and `snoozed_until` are of inbox
    messages; `snoozes` counts how often one was put off.
    """

    id: str
    key: str
    channel: str
    task_id: str
    occurrence_id: str
    title: str
    text: str
    due_at: datetime
    told_at: datetime
    state: MessageState
    next_try_at: datetime
    tries: int = 0
    tried_since: datetime | None = None
    in_doubt: bool = False
    unwanted: bool = False
    reason: Reason | None = None
    settled_at: datetime | None = None
    read_at: datetime | None = None
    dismissed_at: datetime | None = None
    timing: Timing = Timing.CHOSEN
    held_until: datetime | None = None
    note: str | None = None
    turn: int = 0
    digest: str | None = None
    acknowledged_at: datetime | None = None
    snoozed_until: datetime | None = None
    snoozes: int = 0

    @property
    def number(self) -> int:
        """The N of its id mN: grows in the order of telling."""
        return int(self.id[1:])

    @property
    def settled(self) -> bool:
        """Whether its state is final."""
        return self.settled_at is not None


def message_key(occurrence_id: str, channel: str, again: str = "") -> str:
    """Return the identity of the message about one occurrence through one channel; `again` tells repeats apart."""
    return f"{occurrence_id}:{again}:{channel}" if again else f"{occurrence_id}:{channel}"
