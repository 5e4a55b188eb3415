"""What a schedule is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, timezone
from enum import StrEnum
from typing import Any

from zhixing.kernel.errors import BadInput
from zhixing.tasks.schedule.calendar import Calendar
from zhixing.tasks.schedule.cron import Cron

LONGEST_INTERVAL = timedelta(days=366)
"""The longest `every`."""

_UNITS = (("d", 86_400), ("h", 3_600), ("m", 60), ("s", 1))


@dataclass(frozen=True, slots=True)
class At:
    """Once, at an instant. `at` keeps the reading and the offset it was written with."""

    at: datetime

    def __post_init__(self) -> None:
        offset = self.at.utcoffset()
        if offset is None:
            raise BadInput("instant_without_offset", text=self.at.isoformat())
        # Two instants of one zone compare by their readings, which is wrong in a repeated hour; fixed offsets do not.
        object.__setattr__(self, "at", self.at.astimezone(timezone(offset)))

    @property
    def expression(self) -> str:
        """What `parse_expression` reads as this trigger."""
        return f"at {self.at.isoformat()}"


@dataclass(frozen=True, slots=True)
class Every:
    """Again and again, `seconds` of elapsed time apart, on the grid `anchor + n * seconds` (n ≥ 0).

    The grid does not move: not with the wall clock, not with summer time, not with a late run.
    """

    seconds: int
    anchor: datetime

    def __post_init__(self) -> None:
        if self.seconds < 1 or self.seconds > LONGEST_INTERVAL.total_seconds():
            raise BadInput("every_out_of_range", seconds=self.seconds, days=LONGEST_INTERVAL.days)
        if self.anchor.tzinfo is None:
            raise BadInput("instant_without_offset", text=self.anchor.isoformat())
        object.__setattr__(self, "anchor", self.anchor.astimezone(UTC))

    @property
    def expression(self) -> str:
        """What `parse_expression` reads as this trigger, given the anchor."""
        count, unit = self.measure
        return f"every {count}{unit}"

    @property
    def measure(self) -> tuple[int, str]:
        """The interval in the largest unit that divides it: (15, "m")."""
        return next((self.seconds // size, unit) for unit, size in _UNITS if self.seconds % size == 0)


Trigger = At | Every | Cron | Calendar


class Missed(StrEnum):
    """What happens to instants that passed while nobody could act: the machine was off or asleep, its clock jumped."""

    ONCE = "once"
    """The newest one runs late if it is not older than a day; the others are recorded."""
    SKIP = "skip"
    """None of them runs; they are recorded."""
    ALL = "all"
    """Each of them runs, in order, up to a bound; the others are recorded."""


class Overlap(StrEnum):
    """What happens to an instant that comes while the run before has not finished."""

    SKIP = "skip"
    """It is recorded and not run."""
    QUEUE = "queue"
    """It runs afterwards; at most one waits."""
    PARALLEL = "parallel"
    """It runs at once."""


class ScheduleState(StrEnum):
    """Whether a schedule acts."""

    ACTIVE = "active"
    PAUSED = "paused"
    WAITING = "waiting"
    """The table its days come from ends here; it goes on once there is a newer one."""
    ENDED = "ended"
    """There is no further instant."""


@dataclass(frozen=True, slots=True)
class Action:
    """What is done at each instant: the job `name` with `payload`, to which the occurrence is added."""

    name: str
    payload: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Schedule:
    """A part of a task that acts at the instants of `trigger`, read in `zone`.

    `settled` is the instant up to and including which nothing is left to decide: it begins when the schedule does and
    moves with every tick. The next instant is derived from it, never stored. `part` is its name within the task; the
    occurrences of a part keep their identity when its schedule is replaced, so an instant never runs twice.
    """

    id: str
    task_id: str
    part: str
    trigger: Trigger
    zone: str
    action: Action
    settled: datetime
    missed: Missed = Missed.ONCE
    overlap: Overlap = Overlap.SKIP
    state: ScheduleState = ScheduleState.ACTIVE
    revision: int = 1
