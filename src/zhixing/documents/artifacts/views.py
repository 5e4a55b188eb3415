"""What a run folder says, for showing."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from zhixing.documents.artifacts.facts import Delivery, Event, RunStatus
from zhixing.documents.performing import Execution, Exit, Verdict
from zhixing.world.models.usage import Tokens


@dataclass(frozen=True, slots=True)
class Listed:
    """A file of a run folder, with its size in bytes."""

    name: str
    size: int


@dataclass(frozen=True, slots=True)
class Text:
    """The beginning of an artifact. `cut`: there is more."""

    name: str
    size: int
    text: str
    cut: bool


@dataclass(frozen=True, slots=True)
class RunRecord:
    """What `run.json` says; None and "" where it says nothing."""

    status: RunStatus | None
    execution: Execution | None
    verdict: Verdict | None
    execution_id: str
    session_id: str
    title: str
    kind: str
    trigger: str
    reason: str
    due: datetime | None
    late_seconds: int | None
    errors: tuple[str, ...]
    error: str
    rounds: int
    satisfied: bool
    reply: str
    review_reason: str
    score: float | None
    queued_at: datetime | None
    started_at: datetime | None
    ended_at: datetime | None
    attempt: int
    zone: str
    tokens: Tokens
    steps: int
    exit: Exit | None
    delivery: Delivery | None
    foreign: bool
    """Whether the original program wrote it."""


@dataclass(frozen=True, slots=True)
class ProgressRecord:
    """What `run-progress.json` says."""

    status: RunStatus | None
    phase: str
    message: str
    started_at: datetime | None
    updated_at: datetime | None
    ended_at: datetime | None
    round_number: int | None
    max_rounds: int | None
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class RunView:
    """A run folder. `problems` say in words which of its files cannot be used; `unlisted` counts files left out."""

    run_id: str
    artifacts: tuple[Listed, ...]
    unlisted: int
    record: RunRecord | None
    progress: ProgressRecord | None
    problems: tuple[str, ...]

    @property
    def status(self) -> RunStatus | None:
        """Where the run is: what `run.json` says, else what the progress says, else not known."""
        if self.record is not None and self.record.status is not None:
            return self.record.status
        return None if self.progress is None else self.progress.status

    def has(self, name: str) -> bool:
        """Whether there is a file `name`."""
        return any(listed.name == name for listed in self.artifacts)
