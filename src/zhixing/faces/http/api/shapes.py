"""What programs get: the shapes of `faces.wire`, written down for OpenAPI and checked on the way out."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from zhixing.delivery.model import MessageState
from zhixing.household.talking.talk import TalkState
from zhixing.kernel.claims import Basis
from zhixing.notices.model import Entry as EntryKind
from zhixing.notices.model import NodeKind, Precision, Source
from zhixing.notices.notice import NoticeState
from zhixing.notices.notice import ReminderState as StateOfReminder
from zhixing.tasks.journal import Kind
from zhixing.tasks.occurrence import OccurrenceState
from zhixing.tasks.schedule.model import ScheduleState
from zhixing.tasks.task import Status, Way


class Shape(BaseModel):
    """What is written somewhere in an answer."""

    # What is written and not described here yet still reaches the caller; a test tells us.
    model_config = ConfigDict(extra="allow", alias_generator=to_camel, frozen=True)


class Error(Shape):
    """What was wrong."""

    code: str = Field(description="Stays the same; for programs.", examples=["zone_unknown"])
    message: str = Field(
        description="One line for people.", examples=["不认识的时区「Mars」，请用 IANA 名称，如 Asia/Shanghai。"]
    )


class Fault(Shape):
    """The answer to every request that was not done."""

    error: Error


class Health(Shape):
    """Who is listening here."""

    name: Literal["zhixing"]
    version: str
    status: Literal["ok"]


class Claim(Shape):
    """A value that was not simply read off the words, and what it rests on."""

    value: str
    basis: Basis
    evidence: str = Field(description="A piece of the words, or the name of a rule.")


class Node(Shape):
    """A time that was understood."""

    kind: NodeKind
    at: str | None = Field(description="ISO 8601 with offset; a date for date precision.")
    precision: Precision
    expression: str = Field(description="The words for the time, verbatim.")
    evidence: str = Field(description="The words around them, verbatim.")
    lead_minutes: int = Field(default=0, description="Only there when it was said.")
    claims: list[Claim]


class Option(Shape):
    """An answer that can be picked. `other` stands for words of one's own."""

    value: str
    label: str


class Question(Shape):
    """The one open question of a task."""

    kind: str
    prompt: str
    options: list[Option]
    revision: int


class Answer(Shape):
    """What was answered so far."""

    kind: str
    value: str


class Reminder(Shape):
    """When it will be told, was told, or was not."""

    number: int
    at: str
    reason: str = Field(description="The rule; several are joined by +.")
    state: StateOfReminder


class Series(Shape):
    """What repeats of a task."""

    words: str = Field(description="The words it was read from.")
    rule: str = Field(description="The rule in words.")
    expression: str
    state: ScheduleState = Field(description="`waiting`: the table of holidays or lunar dates ends here.")
    next: str | None
    left_out: list[str] = Field(description="Days that will not happen.")
    done: list[str] = Field(description="The newest times that were said to be done.")


class Picture(Shape):
    """What is known of a picture; it is at `/tasks/{task_id}/picture`."""

    media_type: str
    width: int
    height: int
    size: int = Field(description="Bytes.")


class Task(Shape):
    """A task: what was said, what was understood, and what follows."""

    id: str
    title: str
    way: Way
    status: Status
    zone: str
    revision: int
    created_at: str
    updated_at: str
    state: NoticeState
    why: str
    text: str = Field(description="What is understood now.")
    original_text: str = Field(description="What came in first; never changes.")
    source: Source
    entry: EntryKind
    submitted_at: str
    edited_at: str | None
    picture: Picture | None = Field(description="The picture that came in, if one did.")
    transcript: str | None = Field(description="What a model read in the picture.")
    message_date: str | None
    action: str
    evidence: str
    details: list[str]
    nodes: list[Node]
    must_be_told: list[str] = Field(description="A line for each value that nobody said.")
    answers: list[Answer]
    question: Question | None
    reminders: list[Reminder]
    series: Series | None = Field(description="What repeats, if something does.")


class Talk(Shape):
    """A sentence about the home, and what became of it."""

    id: str = Field(examples=["s3"])
    way: Literal["household"]
    text: str
    state: TalkState
    op: str = Field(description="create, list, logs, disable, enable, update or delete; empty while nobody knows.")
    why: str
    revision: int
    zone: str
    said_at: str
    prompt: str = Field(description="Everything that is asked, as one text.")
    questions: list[Question] = Field(description="The same, one by one.")
    answers: list[Answer]
    lines: list[str] = Field(description="What there is to say at the end: the report, or why not.")
    tasks: list[str] = Field(description="The names of the household tasks that were made or acted on.")


class Talks(Shape):
    """Some of them."""

    talks: list[Talk]
    more: str | None = Field(description="Give it as `before` for the next page.")


class ExplainedTask(Task):
    """A task, and why it tells, told or does not tell, line by line."""

    explanation: list[str]


class Tasks(Shape):
    """Some tasks, newest first."""

    tasks: list[Task]
    more: str | None = Field(description="Give it as `before` to get the next ones.")


class ComingReminder(Reminder):
    """A reminder, and what it is about."""

    task: str
    title: str


class Coming(Shape):
    """What will be told, in order."""

    reminders: list[ComingReminder]
    more: bool = Field(description="There are more than were asked for.")


class Preview(Shape):
    """What one task will tell."""

    task: str
    zone: str
    reminders: list[Reminder]


class Message(Shape):
    """Something that was told."""

    id: str
    task: str
    occurrence: str
    channel: str
    title: str
    text: str
    due_at: str
    told_at: str
    state: MessageState
    reason: str | None
    tries: int
    settled_at: str | None
    read_at: str | None
    dismissed_at: str | None
    held_until: str | None = Field(description="It waited, or waits, until then.")
    note: str | None = Field(description="Why: `held_quiet`, `held_limit`; or that it went in quiet hours.")
    digest: str | None = Field(description="The message it went out together with.")
    acknowledged_at: str | None
    snoozed_until: str | None = Field(description="It will be told again then.")


class Trial(Shape):
    """What became of a test message."""

    channel: str
    arrived: bool = Field(description="The receiver said that it has it.")
    says: str


class Inbox(Shape):
    """What was told and not dismissed, oldest first."""

    messages: list[Message]
    last: str | None = Field(description="Give it as `after` to get what comes behind.")


class Occurrence(Shape):
    """One thing that was due, and what became of it."""

    id: str
    task: str
    part: str
    key: str
    due: str
    state: OccurrenceState
    reason: str | None
    claimed_at: str | None
    finished_at: str | None
    count: int


class ExplainedOccurrence(Occurrence):
    """An occurrence, every message about it, and what became of them, line by line."""

    messages: list[Message]
    explanation: list[str]


class Tally(Shape):
    """What some calls to a model came to."""

    calls: int
    failures: int = Field(description="Calls that brought nothing usable.")
    tokens_read: int
    tokens_written: int
    tokens_cached: int = Field(description="The part of what was read that the server already knew.")
    cost: float | None = Field(description="In the currency of the prices in the settings; null without prices.")
    unpriced: int = Field(description="Calls that had no price.")


class UsageOfDay(Tally):
    """What one model cost on one day."""

    day: str
    model: str


class Usage(Shape):
    """What asking models cost."""

    since: str = Field(description="The first day, in `zone`.")
    zone: str
    usage: list[UsageOfDay]
    total: Tally


class JournalEntry(Shape):
    """The data of one server-sent event."""

    seq: int
    task: str
    at: str
    kind: Kind
    who: str
    why: str
    data: dict[str, Any]
