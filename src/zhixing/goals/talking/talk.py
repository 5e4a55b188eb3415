"""A conversation about a goal, as it is kept."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from zhixing.goals.recognising.model import Message

PREFIX = "q"


class GoalTalkState(StrEnum):
    """Where a conversation is."""

    OPEN = "open"
    """A card is shown, and an answer waited for."""
    PENDING_AI = "pending_ai"
    """A model reads what was said last."""
    SAVED = "saved"
    """The whole draft was set aside."""
    QUEUED = "queued"
    """A task out of a list, whose turn has not come."""
    EXECUTING = "executing"
    """It is being handed in, or was when the program stopped; what is handed in does not change any more."""
    EXECUTED = "executed"
    """Its goal runs."""
    FINISHED = "finished"
    """Its goal is over."""
    DISCARDED = "discarded"

    @property
    def open(self) -> bool:
        """Whether something may still come of the talk itself; a goal that came of it goes its own way."""
        return self in OPEN


OPEN = (
    GoalTalkState.OPEN,
    GoalTalkState.PENDING_AI,
    GoalTalkState.SAVED,
    GoalTalkState.QUEUED,
    GoalTalkState.EXECUTING,
)
"""The states of which something may still come."""


@dataclass(frozen=True, slots=True)
class GoalTalk:
    """A row. `text` is what it began with; `seen` the newest revision that somebody was shown.

    `root` is the id of the talk in which several tasks were listed, for those that were not chosen. `request` is the
    JSON of the `TaskRequest` that is handed in, "" before; `goal_id` the goal that came of it.
    """

    id: str
    text: str
    who: str
    zone: str
    said_at: datetime
    messages: tuple[Message, ...]
    state: GoalTalkState
    root: str | None = None
    revision: int = 0
    seen: int = 0
    request: str = ""
    goal_id: str | None = None

    @property
    def queue(self) -> str:
        """The id of the talk at the head of its list: its own where it came from no list."""
        return self.root or self.id
