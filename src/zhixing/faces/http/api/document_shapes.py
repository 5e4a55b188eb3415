"""What programs get of document tasks: the shapes of `faces.document_wire`, written down for OpenAPI."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from zhixing.delivery.model import MessageState
from zhixing.documents.artifacts.facts import DeliveryState, RunStatus
from zhixing.documents.model import Deliver, Kind, Overlap, Standing
from zhixing.documents.performing import Execution, Verdict
from zhixing.documents.run import Cause
from zhixing.faces.http.api.shapes import Error, Shape
from zhixing.tasks.schedule.model import Missed


class Options(Shape):
    """The optional fields of a task's file, with their defaults."""

    timezone: str | None
    missed: Missed
    overlap: Overlap
    timeout: str | None
    retries: int
    env: list[str] = Field(description="Names of variables; never their values.")
    network: bool | None
    paths: list[str]
    agent_command: str | None = Field(alias="agent_command")
    deliver: Deliver
    expires_at: str | None


class Trigger(Shape):
    """What set a run off."""

    type: Cause
    reason: str | None
    due: str | None = Field(description="The instant of the schedule.")


class ProgressLine(Shape):
    """One line of progress."""

    at: str
    phase: str
    message: str
    round: int | None


class Exit(Shape):
    """How a command ended."""

    code: int | None
    signal: int | None
    timed_out: bool
    sandbox: str
    stdout_bytes: int
    stderr_bytes: int
    dropped_bytes: int


class Tokens(Shape):
    """What a model read and wrote."""

    read: int
    written: int
    cached: int


class ToldMessage(Shape):
    """One message about a result."""

    id: str
    session_id: str
    state: MessageState
    at: str | None
    reason: str | None


class ResultDelivery(Shape):
    """What became of telling a result."""

    state: DeliveryState
    why: str | None
    messages: list[ToldMessage]


class RunRecord(Shape):
    """What `run.json` says."""

    title: str
    kind: str
    late_seconds: int | None
    result_errors: list[str]
    dialogue_rounds: int
    user_simulator_satisfied: bool
    user_simulator_reply: str | None
    user_simulator_reason: str | None
    user_simulator_score: float | None
    tokens: Tokens
    steps: int
    exit: Exit | None
    delivery: ResultDelivery | None
    foreign: bool = Field(description="Whether another program wrote it.")


class Artifact(Shape):
    """A file of a run."""

    name: str
    bytes: int


class DocumentRun(Shape):
    """A run of a task. What is in its folder is null where it was not asked for, or is not there."""

    title: str | None = Field(default=None, description="That of its task.")
    execution_id: str
    timestamp: str = Field(description="The name of its folder: the same as `executionId`.")
    status: RunStatus
    status_words: str
    execution_status: Execution | None
    result_status: Verdict | None
    in_progress: bool
    trigger: Trigger
    session_id: str
    task_id: str
    occurrence_id: str
    attempt: int
    ready_at: str
    queued_at: str
    started_at: str | None
    ended_at: str | None
    duration_ms: int | None
    why: str | None
    why_words: str | None
    error: str | None
    cancel_asked: bool
    who: str
    run_dir: str | None
    progress_phase: str | None
    progress_message: str | None
    progress_updated_at: str | None
    events: list[ProgressLine] | None
    record: RunRecord | None
    artifacts: list[Artifact] | None
    problems: list[str] | None = Field(description="Which of its files cannot be used, and why.")
    unlisted: int | None = Field(description="Files that are not listed.")


class DocumentRuns(Shape):
    """Some runs, the newest first."""

    runs: list[DocumentRun]
    more: str | None


class Document(Shape):
    """A document task. One whose file cannot be read has its `error`, and null where its fields would be."""

    title: str
    description: str | None
    body: str | None
    when: str | None
    status: Standing | None
    session_id: str | None
    kind: Kind | None
    review: bool | None
    task_md_path: str
    last_run_timestamp: str | None
    task_id: str | None
    project: str
    folder: str
    revision: str = Field(description="That of its file; a change gives it back.")
    error: str | None
    zone: str
    when_words: str | None
    next_runs: list[str]
    running: bool
    active: DocumentRun | None
    waiting: list[DocumentRun]
    last: DocumentRun | None
    options: Options | None
    text: str | None = Field(description="The text of its file, where it was asked for.")


class Documents(Shape):
    """Some document tasks, by folder."""

    documents: list[Document]
    more: str | None = Field(description="Give it as `after` for the next ones.")


class Finding(Shape):
    """A remark on a file, which stops nothing."""

    line: int | None
    code: str
    message: str


class WrittenDocument(Document):
    """A document task that was just written."""

    findings: list[Finding]


class CreatedDocument(WrittenDocument):
    """A document task that was made, or was there."""

    reused_existing: bool = Field(description="There is one of exactly that title, and nothing was changed.")


class DocumentText(Shape):
    """The text of a task's file."""

    title: str
    task_md_path: str
    revision: str
    text: str


class Validated(Shape):
    """Whether a text can be a task.md."""

    valid: bool
    error: Error | None
    findings: list[Finding]


class NextRuns(Shape):
    """When a task would run, were it enabled."""

    title: str
    task_id: str | None
    status: Standing
    when: str
    when_words: str
    zone: str
    next: list[str]


class AcceptedRun(Shape):
    """A run that is in the background. Its result is sent by itself: wait for nothing, forward nothing."""

    success: Literal[True]
    accepted: Literal[True]
    message: str
    execution_id: str
    title: str
    status: RunStatus
    run_dir: str


class SentMessage(Shape):
    """A message that is in the outbox, or will be."""

    message_id: str
    chat_key: str
    session_id: str
    channels: list[str] = Field(description="Besides the inbox.")
    at: str


class ChatSession(Shape):
    """A session and what it is bound to."""

    session_id: str
    channels: list[str] = Field(description="Besides the inbox.")
    bound_at: str | None = Field(description="Null: it was never bound, and is the channel of the same name.")


class ChatSessions(Shape):
    """All sessions that are bound."""

    sessions: list[ChatSession]


class RemovedSession(Shape):
    """A session that is bound no more."""

    session_id: str
    removed: Literal[True]
