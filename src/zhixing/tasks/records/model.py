"""What a record is: progress towards a number, time spent, or a list of events (document 000 §Record).

Periods are days, weeks (from Monday) or months of the task's zone; `longterm` has one period without end. A period is
named by its first day.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum


class RecordKind(StrEnum):
    """What is recorded."""

    PROGRESS = "progress"
    DURATION = "duration"
    EVENT = "event"


class Window(StrEnum):
    """How long a period is."""

    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    LONGTERM = "longterm"


@dataclass(frozen=True, slots=True)
class Content:
    """What a record is for: the document's content JSON, checked.

    `target` is a count (progress) or minutes (duration); `recurring` is the window of `recurring_pattern`, None where
    there is none. `window` is the top-level one of progress and the pattern's one of duration; longterm for a duration
    that does not recur and for events.
    """

    kind: RecordKind
    target: int | None = None
    unit: str = ""
    window: Window = Window.LONGTERM
    recurring: Window | None = None
    expires_at: datetime | None = None

    @property
    def rhythm(self) -> Window:
        """How its periods follow each other.

        What recurs begins anew with every window. What does not is one period from its beginning to its end: 「24
        小时内喝 8 杯」 must not forget half of them at midnight.
        """
        return Window.LONGTERM if self.recurring is None else self.window

    @property
    def oneshot(self) -> bool:
        """Whether it is to be reached once, and is completed then."""
        return self.target is not None and self.recurring is None


@dataclass(frozen=True, slots=True)
class Record:
    """The record of a task. `zone` is where its days are cut."""

    id: str
    task_id: str
    content: Content
    zone: str
    revision: int
    created_at: datetime
    updated_at: datetime
    ended_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Session:
    """One stretch of time; without an end it is under way. It may run over the end of a period."""

    number: int
    start: datetime
    end: datetime | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """One event that was written down."""

    id: str
    at: datetime
    description: str


@dataclass(frozen=True, slots=True)
class Period:
    """One period: [start, end) as instants, named by its first day; `end` is None for longterm."""

    window: Window
    day: date
    start: datetime
    end: datetime | None


@dataclass(frozen=True, slots=True)
class Reached:
    """That a period's target was reached for the first time: when, and what the target was."""

    at: datetime
    target: int


@dataclass(frozen=True, slots=True)
class Written:
    """What one write did.

    `applied` is False where nothing changed, and `why` says the reason: `again` (the same key was written before; the
    rest is the answer it got then), `paused`, `ended`, `open` (a session is under way already), `none_open`, `held`
    (somebody else keeps the session open), `zero` (there is nothing to take back), `short` (the target is not reached
    yet), `reached` (it was before). A session that ended where it began is dropped: applied, and `why` is `empty`.
    `first_reached` is True only for the write that reached the target of the period. `current` is the count, or the
    exact seconds so far, of the period that was written to.
    """

    applied: bool
    why: str
    current: int
    target: int | None
    reached: bool
    first_reached: bool
    session_seconds: int | None = None
    entry_id: str | None = None
