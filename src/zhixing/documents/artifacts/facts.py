"""What the files of a run say about it: the rows of the ledger are mapped onto these."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from pathlib import PurePosixPath

from zhixing.delivery.model import MessageState
from zhixing.documents.model import Kind, Standing


class RunStatus(StrEnum):
    """Where a run is. `success`, `failure` and `skipped` are the document's; the others are ours."""

    QUEUED = "queued"
    RUNNING = "running"
    SUCCESS = "success"
    FAILURE = "failure"
    CANCELLED = "cancelled"
    INTERRUPTED = "interrupted"
    """Nobody carries it out any more: the program ended meanwhile."""
    SKIPPED = "skipped"

    @property
    def ended(self) -> bool:
        """Whether nothing more comes."""
        return self not in {RunStatus.QUEUED, RunStatus.RUNNING}


class TriggerType(StrEnum):
    """What set a run off (downcity.md §3.3)."""

    CRON = "cron"
    TIME = "time"
    MANUAL = "manual"


@dataclass(frozen=True, slots=True)
class Trigger:
    """What set a run off: `due` is the instant of the schedule, `late_seconds` how long after it the run started.

    `shifted`: the clocks skipped the time that it was set for, so it is the instant right after.
    """

    type: TriggerType
    reason: str = ""
    due: datetime | None = None
    late_seconds: int = 0
    shifted: bool = False


@dataclass(frozen=True, slots=True)
class RunFacts:
    """A run, but for what came of it.

    `when` is the text of the task file, `task_status` that of the task and not of the run. `zone` is the IANA zone the
    instants are shown in. `run_dir` is the folder of the run relative to the project. `started_at` is None while it
    waits. `attempt` counts from 1.
    """

    run_id: str
    task_id: str
    title: str
    session_id: str
    kind: Kind
    when: str
    task_status: Standing
    trigger: Trigger
    review: bool
    max_rounds: int
    queued_at: datetime
    started_at: datetime | None
    ended_at: datetime | None
    attempt: int
    zone: str
    run_dir: PurePosixPath
    seal: str = field(default="", repr=False)
    """Stands in `run.json` once the run has ended. Whoever could write there before did not know it."""

    @property
    def execution_id(self) -> str:
        """What `run` returned: the id of the run, so that it leads to its folder."""
        return self.run_id


class DeliveryState(StrEnum):
    """What became of telling the result (downcity.md §3.8)."""

    NONE = "none"
    """There is nothing to send, or the task wants nothing sent."""
    PENDING = "pending"
    SENT = "sent"
    FAILED = "failed"
    UNKNOWN = "unknown"
    """Perhaps delivered; not sent again."""


@dataclass(frozen=True, slots=True)
class Told:
    """One message of the outbox. `reason` says in words why it did not arrive."""

    id: str
    session_id: str
    state: MessageState
    at: datetime | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Delivery:
    """Whether what came of a run was sent. `why` explains a state in words, where there is something to explain."""

    state: DeliveryState = DeliveryState.NONE
    messages: tuple[Told, ...] = ()
    why: str = ""


@dataclass(frozen=True, slots=True)
class Event:
    """One line of progress."""

    at: datetime
    phase: str
    message: str
    round_number: int | None = None


@dataclass(frozen=True, slots=True)
class Course:
    """How far a run is: its last events, at least one."""

    status: RunStatus
    events: tuple[Event, ...] = field(default=())
