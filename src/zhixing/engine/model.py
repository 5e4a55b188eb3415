"""Durable jobs: what an engine promises, whichever adapter runs it (design §6).

A job is enqueued in the caller's transaction and is known by its key: enqueueing a key again changes nothing. It starts
at least once after `due`; its handler finishes it at most once, in the same transaction as what it did (`Run.commit`),
and only while it still holds the job (a superseded worker gets `Superseded`). Jobs of one lane run one at a time, in
order of due time. What failed is tried again with growing pauses, a bounded number of times; then it is `failed`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Protocol

from zhixing.store.connection import Tx


class JobState(StrEnum):
    """Where a job is."""

    PENDING = "pending"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class Job:
    """Something to be done once, at or after `due`.

    `name` chooses the handler, `key` is the deterministic identity, `payload` is JSON, `lane` orders jobs that must
    not overlap (None: free).
    """

    name: str
    key: str
    due: datetime
    payload: Mapping[str, Any] = field(default_factory=dict)
    lane: str | None = None


@dataclass(frozen=True, slots=True)
class JobRow:
    """A job as the ledger has it."""

    job: Job
    state: JobState
    attempt: int
    error: str | None
    finished_at: datetime | None
    ready_at: datetime
    """When it may start next: `job.due`, or later after an attempt that failed."""


@dataclass(frozen=True, slots=True)
class Retry:
    """How often and how far apart a handler is tried: attempt n waits `first * factor**(n-1)`, at most `longest`."""

    attempts: int = 5
    first: timedelta = timedelta(seconds=1)
    factor: float = 4.0
    longest: timedelta = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class Share:
    """Part of the workers of a process: all jobs whose duties name the same share run at most `most` at once.

    For what waits long for somebody else. A job whose share is full stays pending, without a lease and without an
    attempt; it starts, in order of due time, when another of its share ends. Jobs of other shares overtake it.
    """

    name: str
    most: int

    def __post_init__(self) -> None:
        """Refuse a share in which nothing could ever start."""
        if self.most < 1:
            raise ValueError("a share has at least one place")


class Superseded(Exception):
    """The job was cancelled or taken over meanwhile; whatever the handler had in hand is not committed."""


class RetryAt(Exception):
    """Raised by a handler that wants to be called again at a given instant, without using up an attempt."""

    def __init__(self, due: datetime, why: str) -> None:
        super().__init__(why)
        self.due = due
        self.why = why


class Run(Protocol):
    """One attempt at a job, as its handler sees it."""

    job: Job
    attempt: int
    """1 for the first start; higher means that an earlier start did not finish."""

    def checkpoint(self) -> AbstractContextManager[Tx]:
        """Open a transaction that commits only if this attempt still holds the job; the job goes on running."""
        ...

    def commit(self) -> AbstractContextManager[Tx]:
        """Open the transaction that finishes the job: what is written in it and `done` become true together."""
        ...


Handler = Callable[[Run], None]
"""Does one job. Must end with `run.commit()`; returning without it finishes the job with nothing more to write."""

GaveUp = Callable[[Tx, Job, str], None]
"""Called in the transaction that marks a job `failed` after its last attempt."""


class Engine(Protocol):
    """The port. Handlers and deciders know nothing else of the engine."""

    def register(
        self,
        name: str,
        handler: Handler,
        retry: Retry | None = None,
        gave_up: GaveUp | None = None,
        share: Share | None = None,
    ) -> None:
        """Say who does the jobs of a name, and in which share of the workers. Before `start`."""
        ...

    def enqueue(self, tx: Tx, *jobs: Job) -> int:
        """Add the jobs whose keys are new; return how many were. They exist if and only if `tx` commits."""
        ...

    def enqueue_all(self, tx: Tx, jobs: Iterable[Job]) -> int:
        """Add many jobs in one statement; return how many were new."""
        ...

    def cancel(self, tx: Tx, key: str) -> bool:
        """Cancel a job that is not finished; a running attempt can no longer commit. Return whether there was one."""
        ...

    def cancel_lane(self, tx: Tx, lane: str) -> int:
        """Cancel all unfinished jobs of a lane; return how many there were."""
        ...

    def get(self, tx: Tx, key: str) -> JobRow | None:
        """Return the job of that key, if the ledger still has it."""
        ...

    def start(self) -> None:
        """Start working in the background."""
        ...

    def stop(self) -> None:
        """Finish what is being run, start nothing more, and return."""
        ...
