"""What is told: one message per occurrence and channel.

pending ─→ sending ─→ sent
   ↑          │ ├───→ failed       certainly not delivered, and not tried any more
   └──────────┘ └───→ unknown      perhaps delivered; never sent again
   └───────────────→ withdrawn     the task ended before it was sent

`sending` is on disk before anything leaves the house. A message found in it by a later attempt was on its way when the
earlier attempt died, so its fate is unknown.
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


@dataclass(frozen=True, slots=True)
class Message:
    """A row of the outbox.

    `due_at` is when the occurrence was due, `told_at` when it was handed to the outbox. `in_doubt`: an earlier try may
    have arrived, so that nothing which happens later can make it `failed`. `unwanted`: the task ended while it was
    being sent, so that this try is its last.
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

    @property
    def number(self) -> int:
        """The N of its id mN: grows in the order of telling."""
        return int(self.id[1:])

    @property
    def settled(self) -> bool:
        """Whether its state is final."""
        return self.settled_at is not None


def message_key(occurrence_id: str, channel: str) -> str:
    """Return the identity of the message about one occurrence through one channel."""
    return f"{occurrence_id}:{channel}"
