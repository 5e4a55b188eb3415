"""What a notice is made of, from the words to the plan (document 004 §3–§6).

`Submission` is what was kept first. A `Candidate` is what was read in it (by the local grammar or, later, a model): all
of it verbatim. `Node`s are its resolved times, `PlannedReminder`s what follows from them.
"""

from __future__ import annotations

from datetime import date, datetime
from enum import StrEnum

import msgspec

from zhixing.kernel.claims import Claim
from zhixing.kernel.questions import Question
from zhixing.language.timex import TimeExpression

LONGEST_LEAD = 10_080
"""Minutes: a week (§3)."""


class Source(StrEnum):
    """How the text came in (§1)."""

    DIRECT = "direct"
    VOICE = "voice"
    PASTE = "paste"
    SHARE = "share"
    IMAGE = "image"
    QUOTE = "quote"

    @property
    def speaks_now(self) -> bool:
        """Whether relative dates count from the first submission, because the user says them himself."""
        return self in (Source.DIRECT, Source.VOICE)


class Entry(StrEnum):
    """Which entry was used: a schedule is understood, a note is only kept."""

    SCHEDULE = "schedule"
    NOTE = "note"


class Submission(msgspec.Struct, frozen=True):
    """The input as it was kept before anything else; retries and answers never change it."""

    text: str
    source: Source
    submitted_at: datetime
    zone: str
    message_date: date | None = None
    entry: Entry = Entry.SCHEDULE


class Answer(msgspec.Struct, frozen=True):
    """What the user said to a question of that kind; the newest answer of a kind wins."""

    kind: str
    value: str


class NodeKind(StrEnum):
    """What happens at a time (§3)."""

    OPEN = "open"
    START = "start"
    DEADLINE = "deadline"
    END = "end"
    REPEAT = "repeat"
    UNKNOWN = "unknown"
    REMINDER = "reminder"


class Precision(StrEnum):
    """How exactly a time was given."""

    MINUTE = "minute"
    DATE = "date"
    UNKNOWN = "unknown"


class CandidateNode(msgspec.Struct, frozen=True):
    """One time as it stands in the text. `expression` is verbatim and lies inside `evidence`."""

    kind: NodeKind
    expression: str
    evidence: str
    time: TimeExpression
    lead_minutes: int | None = None
    lead_evidence: str | None = None
    lead_in_days: bool = False
    """The lead was said in whole days or weeks, so that it applies to a bare date as well."""
    quoted: bool = False
    """Somebody else said it, so that relative days count from the day of that message (§1)."""
    sent_on: date | None = None
    """The day of that message as the picture shows it."""
    carried: bool = False
    """The day was said with the time before it (9:00开始，10:00截止)."""
    closes: bool = False
    """The right end of a range whose left end is the node before."""


class Candidate(msgspec.Struct, frozen=True):
    """What was read in a text (§3)."""

    title: str
    action: str
    evidence: str
    details: tuple[str, ...]
    nodes: tuple[CandidateNode, ...]
    doubts: tuple[str, ...] = ()
    """What only the user can settle (subject, identity, condition): it is built only when he picks it."""


UNTIMED = (NodeKind.UNKNOWN, NodeKind.REPEAT)
"""Kinds of node that name no instant; their expression need not be readable, and their time is blank."""


class NeedsModel(msgspec.Struct, frozen=True):
    """The text is more than the local grammar may decide; `why` names what it saw."""

    why: str


class Node(msgspec.Struct, frozen=True):
    """A resolved time. `at` for minute precision, `day` for date precision; the other is None."""

    kind: NodeKind
    precision: Precision
    expression: str
    evidence: str
    at: datetime | None = None
    day: date | None = None
    lead_minutes: int | None = None
    lead_evidence: str | None = None
    claims: tuple[Claim[str], ...] = ()
    """What nobody said: the year chosen, today taken for granted, an answered part of the day."""


class PlannedReminder(msgspec.Struct, frozen=True):
    """When to tell the user, and by which rule of §5. `at` None means as soon as possible."""

    at: datetime | None
    reason: str
    nodes: tuple[int, ...]
    """Indexes of the nodes this reminder speaks of."""


class SeriesPlan(msgspec.Struct, frozen=True):
    """When something that repeats is told: a trigger as `tasks.schedule` writes it, and what its instants are."""

    expression: str
    anchor: datetime | None
    """Where the grid of an `every` begins."""
    kind: NodeKind
    precision: Precision
    reason: str
    """By which rule of §5 a telling comes when it does."""


class Outcome(StrEnum):
    """What came of a text."""

    SCHEDULED = "scheduled"
    NEEDS_CONFIRMATION = "needs_confirmation"
    NEEDS_MODEL = "needs_model"
    NO_REMINDER = "no_reminder"
    REJECTED = "rejected"
    RETRYABLE_FAILURE = "retryable_failure"


class Understanding(msgspec.Struct, frozen=True):
    """The whole decision about one submission: pure data, so that preview, explain and run share it."""

    outcome: Outcome
    why: str
    title: str
    action: str = ""
    evidence: str = ""
    details: tuple[str, ...] = ()
    nodes: tuple[Node, ...] = ()
    reminders: tuple[PlannedReminder, ...] = ()
    question: Question | None = None
    series: SeriesPlan | None = None
