"""What is known of a talk of a group: what it is for, what was said in it, how it ended. Instants are milliseconds."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from zhixing.goals.bots.collaborating import Duty, Word
from zhixing.goals.bots.forming import Group
from zhixing.goals.groups.standing import Standing
from zhixing.goals.loop.limits import GROUP_SLA, NO_SPENDING, Spent
from zhixing.goals.loop.model import Formation
from zhixing.goals.running.ports import Heard
from zhixing.world.bots.hearing import plain

LONGEST_KEY = 500
LONGEST_CONTEXT = 200_000
"""Characters of what a group is told."""
LONGEST_SAID = 20_000
"""Characters that are kept of what a bot said in one turn."""
LONGEST_NOTE = 200
INTERRUPTED = "interrupted"
"""The note of a turn that a bot may have got, and of which nobody knows what became."""
MOST_LATE = 20
"""Answers that came too late, and are kept; more are only counted."""
MOST_KNOWN = 200
"""Groups that are offered for more work, the newest."""
NOT_THERE = "bot_not_there"
"""The note of a turn of a bot that was removed, or takes no work now."""
NO_RESULT = "group_silent"
"""Why a talk has no result whose reporter did not answer."""
STOPPED = "group_stopped"
UNKNOWN_RUN = "group_run_unknown"
SHORTEST_MS, LONGEST_MS = 1000, 7 * 24 * 3600 * 1000
CLOSING_SHARE = 0.8
"""The share of its time after which a group is asked for its result."""


class State(StrEnum):
    """Where a talk is."""

    RUNNING = "running"
    ENDED = "ended"
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class Wanted:
    """A talk that is wanted, by the key of its delivery: of a group that is formed for it, or of one that exists.

    `text` is what the group is told; `name` is that of a group to be formed when its formation has none; `millis` is
    how long the talk may take.
    """

    key: str
    task_id: str
    node_id: str
    attempt: int
    text: str
    formation: Formation | None = None
    group_id: str = ""
    name: str = ""
    millis: int = GROUP_SLA


@dataclass(frozen=True, slots=True)
class Line:
    """What came of one turn. `note` says why there is nothing; what is `late` changed nothing."""

    bot_id: str
    duty: Duty
    word: Word
    text: str
    note: str = ""
    late: bool = False
    at: int = 0


@dataclass(frozen=True, slots=True)
class Kept:
    """A talk as it is kept, with its group."""

    key: str
    run_id: str
    group_id: str
    group: Group
    task_id: str
    node_id: str
    attempt: int
    context: str
    began_at: int
    closing_at: int
    ends_at: int
    standing: Standing
    state: State = State.RUNNING
    lines: int = 0
    late: int = 0
    result: str = ""
    run_status: str = ""
    error: str = ""
    spent: Spent = NO_SPENDING
    ended_at: int | None = None


def heard_of(kept: Kept) -> Heard:
    """Return what a talk that is over came to: the last words of its reporter."""
    return Heard(kept.result, kept.run_status, kept.error, kept.spent)


def kept_text(text: str, limit: int) -> str:
    """Return a text as any database keeps it: without NUL and halves of characters, `limit` characters at most."""
    return plain(text[:limit].replace("\x00", ""))
