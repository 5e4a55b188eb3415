"""What to do about the instants that have passed: pure.

One look settles every instant since the last one. The newest is *on time* when it is at most `GRACE` late; all other
instants were *missed*. However long the gap was, one look yields one run (or, with `Missed.ALL`, a bounded number) and
one row for everything that did not run, never a burst and never silence.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum

from zhixing.kernel.moments import zone
from zhixing.tasks.schedule.model import Missed, Overlap, Schedule
from zhixing.tasks.schedule.next import Passed, next_due, passed

GRACE = timedelta(seconds=60)
"""An instant this late is still on time: a busy machine is not a missed appointment."""
LATE_WINDOW = timedelta(hours=24)
"""How old the newest missed instant may be for `Missed.ONCE` to run it."""
MAX_CATCH_UP = 1_000
"""Runs that `Missed.ALL` starts at one look."""


class Why(StrEnum):
    """Why an instant did not run."""

    OVERLAP = "overlap"
    """The run before had not finished."""
    QUEUE_FULL = "queue_full"
    """The run before had not finished and another one was already waiting."""
    COALESCED = "coalesced"
    """A later instant of the same look ran in its place."""
    TOO_LATE = "too_late"
    """It passed too long ago to be run late."""
    NOT_WANTED = "not_wanted"
    """The schedule asks for missed instants to be skipped."""
    BOUND = "bound"
    """More instants were missed than are caught up with."""
    PAUSED = "paused"
    """The task was not active."""


@dataclass(frozen=True, slots=True)
class Run:
    """Run the instant `due`, `late` after it."""

    due: datetime
    late: timedelta


@dataclass(frozen=True, slots=True)
class Queue:
    """Run the instant `due` once the run before has finished."""

    due: datetime


@dataclass(frozen=True, slots=True)
class Skip:
    """The instant `due` came on time and does not run; or, in a pause, `count` instants from `first` to `due`."""

    due: datetime
    why: Why
    count: int = 1
    exact: bool = True
    first: datetime | None = None


@dataclass(frozen=True, slots=True)
class Miss:
    """`count` instants from `first` to `due` passed without a run; `count` is a lower bound unless `exact`."""

    due: datetime
    why: Why
    count: int = 1
    exact: bool = True
    first: datetime | None = None


Outcome = Run | Queue | Skip | Miss


@dataclass(frozen=True, slots=True)
class Plan:
    """What one look decided: the outcomes in order of their instants, what is settled by it, and the next instant."""

    outcomes: tuple[Outcome, ...]
    settled: datetime
    next: datetime | None


def instant_key(due: datetime) -> str:
    """Return the key of the occurrence of a clock: its instant, in UTC."""
    return due.astimezone(UTC).isoformat().replace("+00:00", "Z")


def decide(schedule: Schedule, now: datetime, *, running: int, waiting: int) -> Plan:
    """Settle everything up to `now`, given how many runs of this schedule are under way and how many are waiting.

    A clock that went back changes nothing: what was settled stays settled.
    """
    tz = zone(schedule.zone)
    span = passed(schedule.trigger, tz, schedule.settled, now, MAX_CATCH_UP + 1)
    settled = max(schedule.settled, now)
    following = next_due(schedule.trigger, tz, settled)
    if span.count == 0:
        return Plan((), settled, following)
    newest = span.newest[-1]
    late = now - newest
    if schedule.missed is Missed.ALL and (span.count > 1 or late > GRACE):
        return Plan(_catch_up(span, now), settled, following)
    outcomes: list[Outcome] = []
    if late <= GRACE or (schedule.missed is Missed.ONCE and late <= LATE_WINDOW):
        if span.count > 1:
            why = Why.NOT_WANTED if schedule.missed is Missed.SKIP else Why.COALESCED
            outcomes.append(_all_but(1, span, why))
        outcomes.append(_on_overlap(schedule.overlap, Run(newest, late), running, waiting))
    else:
        outcomes.append(_all_but(0, span, Why.NOT_WANTED if schedule.missed is Missed.SKIP else Why.TOO_LATE))
    return Plan(tuple(outcomes), settled, following)


def resume(schedule: Schedule, now: datetime) -> Plan:
    """Settle what fell into a pause: nothing runs, one row says how much it was."""
    tz = zone(schedule.zone)
    span = passed(schedule.trigger, tz, schedule.settled, now, 1)
    settled = max(schedule.settled, now)
    following = next_due(schedule.trigger, tz, settled)
    if span.count == 0:
        return Plan((), settled, following)
    slept = Skip(span.newest[-1], Why.PAUSED, count=span.count, exact=span.exact, first=span.first)
    return Plan((slept,), settled, following)


def _on_overlap(overlap: Overlap, run: Run, running: int, waiting: int) -> Outcome:
    if running == 0 and waiting == 0:
        return run
    if overlap is Overlap.PARALLEL:
        return run
    if overlap is Overlap.QUEUE:
        return Skip(run.due, Why.QUEUE_FULL) if waiting else Queue(run.due)
    return Skip(run.due, Why.OVERLAP)


def _catch_up(span: Passed, now: datetime) -> tuple[Outcome, ...]:
    """Run them all: whoever asks for every instant wants them behind a run that has not finished, too."""
    runs = tuple(Run(due, now - due) for due in span.newest[-MAX_CATCH_UP:])
    if span.count == len(runs):
        return runs
    return (_all_but(len(runs), span, Why.BOUND), *runs)


def _all_but(kept: int, span: Passed, why: Why) -> Miss:
    """Return one row for the instants of `span` except the newest `kept`."""
    # The row needs a key of its own: the newest instant it stands for. Where there are more instants than are counted,
    # that one may be unknown; the first one is always known.
    older = span.newest[: len(span.newest) - kept]
    return Miss(older[-1] if older else span.first, why, count=span.count - kept, exact=span.exact, first=span.first)
