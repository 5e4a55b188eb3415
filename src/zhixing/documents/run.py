"""One run of a task, and which run may start next: pure.

    queued → starting → running → success | failure | cancelled | interrupted
    queued → cancelled

A run is its folder: its id is the folder's name, and no two runs of a home share one. `starting` is promised: a job
exists. What is found `running` by a second attempt was cut off with its process; it becomes `interrupted` and is never
replayed by itself (downcity.md §2.3, T13).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum


class RunState(StrEnum):
    """Where a run is."""

    QUEUED = "queued"
    STARTING = "starting"
    RUNNING = "running"
    SUCCESS = "success"
    FAILURE = "failure"
    CANCELLED = "cancelled"
    INTERRUPTED = "interrupted"
    """Its process ended while it ran; nobody knows how far it came."""

    @property
    def open(self) -> bool:
        """Whether something of it is still to come."""
        return self in (RunState.QUEUED, RunState.STARTING, RunState.RUNNING)


class Cause(StrEnum):
    """What set a run off (downcity.md §3.3, trigger)."""

    MANUAL = "manual"
    CRON = "cron"
    TIME = "time"


@dataclass(frozen=True, slots=True)
class Run:
    """A row of the ledger of runs.

    `reason` is what the caller said, `due` the instant of a schedule, `attempt` counts tries of one occurrence from 1.
    `ready_at` is when it may start. `why` is a code of section `documents`, or a line, about how it ended.
    """

    id: str
    task_id: str
    occurrence_id: str
    cause: Cause
    reason: str
    due: datetime | None
    attempt: int
    state: RunState
    who: str
    session_id: str
    ready_at: datetime
    queued_at: datetime
    started_at: datetime | None = None
    ended_at: datetime | None = None
    why: str = ""
    cancel_asked: bool = False
    seal: str = field(default="", repr=False)
    """What only we know until the run has ended, so that no script can write that it has."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A run that is ready to start."""

    id: str
    task_id: str


def startable(waiting: Iterable[Waiting], busy: Collection[str], free: int) -> list[Waiting]:
    """Choose what starts: in order, one run of a task at a time, at most `free`. `busy` are tasks with a run."""
    taken = set(busy)
    chosen: list[Waiting] = []
    for one in waiting:
        if len(chosen) >= free:
            break
        if one.task_id not in taken:
            taken.add(one.task_id)
            chosen.append(one)
    return chosen


PAUSES = (timedelta(seconds=30), timedelta(minutes=1), timedelta(minutes=5), timedelta(minutes=15), timedelta(hours=1))
"""Before each further try of a failed run."""


def pause_before(attempt: int) -> timedelta:
    """Return how long to wait before try number `attempt` (2 is the first retry)."""
    return PAUSES[min(max(attempt, 2) - 2, len(PAUSES) - 1)]
