"""What happens when a schedule's instant comes: one transaction that claims, starts and looks ahead.

A tick is a job of the engine. Its transaction writes the occurrences, enqueues the work of those that run, moves the
schedule on and enqueues the next tick; so however often a tick is started, each instant is settled once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime

from zhixing.engine.model import Engine, Job
from zhixing.engine.model import Run as Attempt
from zhixing.kernel.clock import Clock
from zhixing.kernel.moments import zone
from zhixing.store.connection import Tx
from zhixing.tasks import journal, occurrences
from zhixing.tasks.journal import CLOCK, Kind
from zhixing.tasks.occurrence import Occurrence, OccurrenceState
from zhixing.tasks.schedule import store as schedules
from zhixing.tasks.schedule.calendar import Calendar
from zhixing.tasks.schedule.model import Overlap, Schedule, ScheduleState
from zhixing.tasks.schedule.next import next_due, state_before
from zhixing.tasks.schedule.policy import Miss, Plan, Queue, Run, Skip, decide, instant_key

TICK = "schedule.tick"
"""The name of the job."""


def tick_lane(schedule_id: str) -> str:
    """Return the lane of a schedule's ticks."""
    return f"schedule:{schedule_id}"


def tick_key(schedule: Schedule, instant: datetime) -> str:
    """Return the key of the tick for an instant.

    The revision is part of it: after a pause the same instant needs a tick again, and the engine remembers the key of
    the one that was cancelled.
    """
    return f"schedule:{schedule.id}:{schedule.revision}:{instant_key(instant)}"


def run_lane(schedule: Schedule) -> str | None:
    """Return the lane of a schedule's work: one run at a time, unless it may run in parallel."""
    return None if schedule.overlap is Overlap.PARALLEL else f"run:{schedule.id}"


Passed = Callable[[Tx, Schedule, Occurrence], None]
"""Hears of a row of instants that passed and of which none runs, in the transaction that writes it."""


class Ticking:
    """The clockwork behind `Scheduling`."""

    def __init__(self, engine: Engine, clock: Clock) -> None:
        self._engine = engine
        self._clock = clock
        self._missed: dict[str, Passed] = {}

    def on_missed(self, action: str, hears: Passed) -> None:
        """Have somebody hear when an action has passed and nothing of it runs."""
        self._missed[action] = hears

    def expect(self, tx: Tx, schedule: Schedule, instant: datetime) -> None:
        """Have the engine tick at `instant`."""
        payload = {"schedule": schedule.id}
        self._engine.enqueue(tx, Job(TICK, tick_key(schedule, instant), instant, payload, tick_lane(schedule.id)))

    def tick(self, attempt: Attempt) -> None:
        """Handle one tick."""
        with attempt.commit() as tx:
            schedule = self._meant(tx, attempt.job)
            if schedule is None:
                return
            # The engine saw that it was due. A clock that was stepped back since then must not lose it.
            now = max(self._clock.now(), attempt.job.due)
            running, waiting = occurrences.counts(tx, schedule.task_id, schedule.part)
            self.carry_out(tx, schedule, decide(schedule, now, running=running, waiting=waiting), now)

    def gave_up(self, tx: Tx, job: Job, error: str) -> None:
        """Record a tick that failed for good, and go on with the next instant: one bad tick must not end a schedule."""
        schedule = self._meant(tx, job)
        if schedule is None:
            return
        now = self._clock.now()
        failed = occurrences.new(
            schedule.task_id,
            schedule.part,
            instant_key(job.due),
            job.due,
            OccurrenceState.FAILED,
            now=now,
            reason="tick_failed",
        )
        occurrences.add(tx, failed, now=now, who=CLOCK, data={"error": error})
        settled = max(schedule.settled, job.due)
        following = next_due(schedule.trigger, zone(schedule.zone), settled)
        self._move_on(tx, schedule, settled, following)

    def carry_out(self, tx: Tx, schedule: Schedule, plan: Plan, now: datetime) -> None:
        """Write down what was decided, start what runs, and look ahead."""
        jobs: list[Job] = []
        for outcome in plan.outcomes:
            match outcome:
                case Run(due):
                    entered = self._enter(tx, schedule, due, OccurrenceState.CLAIMED, now)
                    if entered is not None:
                        jobs.append(self._work(schedule, entered, due))
                case Queue(due):
                    self._enter(tx, schedule, due, OccurrenceState.DUE, now)
                case Skip():
                    self._record(tx, schedule, outcome, OccurrenceState.SKIPPED, now)
                case Miss():
                    missed = self._record(tx, schedule, outcome, OccurrenceState.MISSED, now)
                    if missed is not None and len(plan.outcomes) == 1:
                        self._missed.get(schedule.action.name, _in_silence)(tx, schedule, missed)
        if jobs:
            self._engine.enqueue_all(tx, jobs)
        self._move_on(tx, schedule, plan.settled, plan.next)

    def promote(self, tx: Tx, schedule: Schedule, now: datetime) -> None:
        """Start the occurrence that waited for the run before to finish, if that has finished."""
        if schedule.overlap is not Overlap.QUEUE or occurrences.counts(tx, schedule.task_id, schedule.part)[0]:
            return
        for waiting in occurrences.open_of(tx, schedule.task_id, schedule.part)[:1]:
            claimed = occurrences.move(tx, waiting, OccurrenceState.CLAIMED, now=now, who=CLOCK)
            self._engine.enqueue(tx, self._work(schedule, claimed, now))

    def call_off(self, tx: Tx, pending: Iterable[Occurrence], *, now: datetime, who: str, reason: str) -> None:
        """Cancel occurrences and their work."""
        for occurrence in pending:
            self._engine.cancel(tx, occurrence.id)
            occurrences.move(tx, occurrence, OccurrenceState.CANCELLED, now=now, who=who, reason=reason)

    def _meant(self, tx: Tx, job: Job) -> Schedule | None:
        """Return the schedule a tick is for, unless it has been stopped or removed."""
        schedule = schedules.find(tx, job.payload["schedule"])
        return schedule if schedule is not None and schedule.state is ScheduleState.ACTIVE else None

    def _move_on(self, tx: Tx, schedule: Schedule, settled: datetime, following: datetime | None) -> None:
        moved = replace(schedule, settled=settled, state=state_before(schedule.trigger, following))
        schedules.move_on(tx, moved)
        if following is not None:
            self.expect(tx, moved, following)
        elif moved.state is ScheduleState.WAITING:
            self.tell_of_table(tx, moved)

    def tell_of_table(self, tx: Tx, schedule: Schedule) -> None:
        """Write that a schedule stands still because its table ends."""
        known = schedule.trigger.known_until if isinstance(schedule.trigger, Calendar) else None
        data = {"schedule": schedule.id, "part": schedule.part, "until": known.isoformat() if known else None}
        journal.write(tx, schedule.task_id, Kind.OUT_OF_TABLE, at=self._clock.now(), who=CLOCK, data=data)

    def _work(self, schedule: Schedule, occurrence: Occurrence, due: datetime) -> Job:
        payload = {
            **schedule.action.payload,
            "occurrence": occurrence.id,
            "task": schedule.task_id,
            "part": schedule.part,
            "due": occurrence.due.isoformat(),
        }
        return Job(schedule.action.name, occurrence.id, due, payload, run_lane(schedule))

    def _enter(
        self, tx: Tx, schedule: Schedule, due: datetime, state: OccurrenceState, now: datetime
    ) -> Occurrence | None:
        occurrence = occurrences.new(schedule.task_id, schedule.part, instant_key(due), due, state, now=now)
        late = (now - due).total_seconds()
        return occurrences.add(tx, occurrence, now=now, who=CLOCK, data={"late_seconds": round(late, 3)})

    def _record(
        self, tx: Tx, schedule: Schedule, outcome: Skip | Miss, state: OccurrenceState, now: datetime
    ) -> Occurrence | None:
        occurrence = occurrences.new(
            schedule.task_id,
            schedule.part,
            instant_key(outcome.due),
            outcome.due,
            state,
            now=now,
            reason=outcome.why.value,
            count=outcome.count,
        )
        data: dict[str, object] = {}
        if outcome.count > 1 and outcome.first is not None:
            data = {"first": outcome.first.isoformat(), "at_least": not outcome.exact}
        return occurrences.add(tx, occurrence, now=now, who=CLOCK, data=data)


def _in_silence(_tx: Tx, _schedule: Schedule, _occurrence: Occurrence) -> None:
    """Leave it at the row."""
