"""A kept notice: the submission, what became of it, and its planned reminders."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

import msgspec

from zhixing.kernel.questions import Question
from zhixing.notices.model import Answer, Node, Source, Submission, Understanding
from zhixing.notices.pictures import Facts
from zhixing.notices.series import Series
from zhixing.tasks.task import Task


class NoticeState(StrEnum):
    """Where a notice is."""

    RECEIVED = "received"
    """Kept, not read yet."""
    NOTE = "note"
    """Kept as it is."""
    NEEDS_CONFIRMATION = "needs_confirmation"
    """One question is open."""
    PENDING_AI = "pending_ai"
    """Kept until a model can read it."""
    SCHEDULED = "scheduled"
    NO_REMINDER = "no_reminder"
    """A to-do, or everything it names is over."""
    RETRYABLE_FAILURE = "retryable_failure"
    """The answers do not fit together; input and answers are kept."""


class ReminderState(StrEnum):
    """Where a reminder is."""

    PLANNED = "planned"
    TOLD = "told"
    MISSED = "missed"
    CANCELLED = "cancelled"


MANUAL = "manual"
"""The reason of a reminder that the user set by hand."""


class Reminder(msgspec.Struct, frozen=True):
    """One planned telling. `asap` ones have the instant of planning."""

    number: int
    at: datetime
    reason: str
    nodes: tuple[int, ...]
    state: ReminderState
    revision: int
    """The task's revision that planned it."""


class Notice(msgspec.Struct, frozen=True):
    """Everything known about one notice."""

    task: Task
    original: Submission
    """As it came in; never changed."""
    current: Submission
    """What is understood now: the original, or the user's edit of it."""
    state: NoticeState
    why: str
    understood: Understanding | None
    answers: tuple[Answer, ...]
    reminders: tuple[Reminder, ...]
    reply: str | None = None
    """What a model said about the current words, as JSON; None where none was asked."""
    item: int | None = None
    """Which of several matters in the reply this notice is."""
    series: Series | None = None
    """What repeats, if something does."""
    picture: Facts | None = None
    """The picture that came in, if one did; its bytes are read when they are needed."""

    @property
    def question(self) -> Question | None:
        """The open question, if the task still waits for its answer."""
        if self.state is not NoticeState.NEEDS_CONFIRMATION or not self.task.active or self.understood is None:
            return None
        return self.understood.question

    @property
    def is_legible(self) -> bool:
        """Whether a model can be asked about it: of an image, its pixels are needed."""
        return self.current.source is not Source.IMAGE or self.picture is not None

    @property
    def nodes(self) -> tuple[Node, ...]:
        """The resolved times."""
        return self.understood.nodes if self.understood else ()

    @property
    def planned(self) -> tuple[Reminder, ...]:
        """The reminders still to come; of a series the next one, as number 0."""
        planned = tuple(reminder for reminder in self.reminders if reminder.state is ReminderState.PLANNED)
        if self.series is None or self.series.next is None:
            return planned
        return (*planned, self.of_series(self.series, self.series.next))

    def of_series(self, series: Series, at: datetime) -> Reminder:
        """Return one instant of the series as a reminder."""
        nodes = tuple(range(len(self.nodes)))
        return Reminder(0, at, series.plan.reason, nodes, ReminderState.PLANNED, series.revision)
