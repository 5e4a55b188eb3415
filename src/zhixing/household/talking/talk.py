"""What is known of one sentence about the home, from the moment it was said until something came of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum

from zhixing.kernel.questions import Question
from zhixing.kernel.wording import wording


class TalkState(StrEnum):
    """Where a sentence is."""

    KEPT = "kept"
    """On disk, not yet understood."""
    ASKED = "asked"
    """A question is open."""
    PENDING_AI = "pending_ai"
    """Waits for a model."""
    DONE = "done"
    REFUSED = "refused"
    """Understood, and not to be done: `lines` say why."""
    CANCELLED = "cancelled"
    """Called off by an answer."""
    UNREAD = "unread"
    """Neither the rules of this house nor a model could read it; it can be tried again."""


BEGUN = "begun"
"""Why a kept sentence is not decided again: what it asks for (`op`, `tasks`) is being done."""
OPEN = (TalkState.KEPT, TalkState.ASKED, TalkState.PENDING_AI)


@dataclass(frozen=True, slots=True)
class Talk:
    """A sentence and what became of it.

    `answers`: kind of question → what was answered, the newest of a kind. `prompt` is all open questions as one text,
    `lines` what was said at the end. `tasks` are the slugs that were made or acted on, or
    that an open question is about. `reply` is what a model made of
    it, as it came. `sources` are the cameras of the room it was said in, where that is known.
    """

    id: str
    text: str
    who: str
    zone: str
    said_at: datetime
    sources: tuple[str, ...] = ()
    state: TalkState = TalkState.KEPT
    revision: int = 1
    answers: Mapping[str, str] = field(default_factory=dict)
    questions: tuple[Question, ...] = ()
    prompt: str = ""
    lines: tuple[str, ...] = ()
    tasks: tuple[str, ...] = ()
    op: str = ""
    reply: str | None = None
    why: str = ""

    @property
    def open(self) -> bool:
        """Whether something may still come of it."""
        return self.state in OPEN


def closed(talk: Talk, state: TalkState, lines: tuple[str, ...], why: str) -> Talk:
    """End a talk with what there is to say; nothing was made."""
    return replace(talk, state=state, lines=lines, why=why, questions=(), prompt="", tasks=())


def called_off(talk: Talk, why: str) -> Talk:
    """End a talk in which nothing was done."""
    return closed(talk, TalkState.CANCELLED, (wording("talking.cancelled"),), why)
