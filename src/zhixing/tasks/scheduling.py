"""Schedules of tasks, set in motion: operations over the store and the engine.

An action is a job that another room handles. It is enqueued under the id of its occurrence, with that id in its payload
as `occurrence`, and lives as long as the work does: its handler calls `start_occurrence` when it begins something that
must be seen, and `finish_occurrence` in the transaction that ends it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from zhixing.engine.model import Engine, Job, JobState
from zhixing.kernel.clock import Clock
from zhixing.kernel.errors import BadInput, TooLarge
from zhixing.kernel.moments import iso, zone
from zhixing.store.connection import Store, Tx
from zhixing.tasks import journal, occurrences
from zhixing.tasks import store as tasks
from zhixing.tasks.journal import CLOCK, TASK, Kind
from zhixing.tasks.occurrence import OPEN, Occurrence, OccurrenceState
from zhixing.tasks.schedule import store as schedules
from zhixing.tasks.schedule.expression import write_expression
from zhixing.tasks.schedule.model import Action, At, Missed, Overlap, Schedule, ScheduleState, Trigger
from zhixing.tasks.schedule.next import next_due, state_before
from zhixing.tasks.schedule.policy import GRACE, Why, resume
from zhixing.tasks.task import Task
from zhixing.tasks.ticking import TICK, Passed, Ticking, tick_key, tick_lane

MAX_SCHEDULES = 100
"""Schedules of one task."""

AHEAD = timedelta(days=1)
"""A schedule settled further in the future than this was settled by a clock that was wrong."""

_LIVE = (ScheduleState.ACTIVE, ScheduleState.WAITING)
_PAGE = 500
_ENDED_JOBS = (JobState.DONE, JobState.FAILED, JobState.CANCELLED)


Held = Callable[[Tx, str], bool]
"""Whether another room has taken over an occurrence, by its id: its job has ended, its work has not."""


def _nobodys(_tx: Tx, _occurrence: str) -> bool:
    return False


class Scheduling:
    """The schedules of all tasks. Registers the handler of ticks, so make it before the engine starts.

    An occurrence that is `held` is not lost because its job has ended, and goes on when its schedule stops: what
    becomes of it is for the room to say that holds it.
    """

    def __init__(self, store: Store, engine: Engine, clock: Clock, *, held: Held = _nobodys) -> None:
        self._store = store
        self._engine = engine
        self._clock = clock
        self._held = held
        self._ticking = Ticking(engine, clock)
        engine.register(TICK, self._ticking.tick, gave_up=self._ticking.gave_up)

    def add(
        self,
        tx: Tx,
        task_id: str,
        *,
        part: str,
        trigger: Trigger,
        zone_name: str,
        action: Action,
        who: str,
        missed: Missed = Missed.ONCE,
        overlap: Overlap = Overlap.SKIP,
    ) -> Schedule:
        """Give a task a schedule; it acts at the instants after now while the task is active.

        An `At` up to `GRACE` ago acts at once, an earlier one raises `BadInput`. A part that had a schedule before
        keeps its occurrences: an instant that is in the books is not run again.
        """
        now = self._clock.now()
        tz = zone(zone_name)
        task = tasks.get(tx, task_id)
        if len(schedules.of_task(tx, task_id)) >= MAX_SCHEDULES:
            raise TooLarge("schedules_many", limit=MAX_SCHEDULES)
        settled = _settled_before(trigger, now, tz)
        schedule = Schedule(
            id=schedules.new_id(tx),
            task_id=task_id,
            part=part,
            trigger=trigger,
            zone=zone_name,
            action=action,
            settled=settled,
            missed=missed,
            overlap=overlap,
            state=ScheduleState.ACTIVE if task.active else ScheduleState.PAUSED,
        )
        following = next_due(trigger, tz, settled)
        if task.active:
            schedule = replace(schedule, state=state_before(trigger, following))
        schedules.insert(tx, schedule)
        self._tell(tx, schedule, Kind.SCHEDULED, now, who=who)
        self._look_ahead(tx, schedule, following)
        return schedule

    def change(self, tx: Tx, schedule_id: str, trigger: Trigger, *, who: str, kind: Kind, what: str) -> Schedule:
        """Give a schedule another trigger; what is settled stays settled, what is under way goes on.

        `kind` and `what` are how the journal tells it.
        """
        now = self._clock.now()
        schedule = schedules.get(tx, schedule_id)
        self._engine.cancel_lane(tx, tick_lane(schedule.id))
        following = next_due(trigger, zone(schedule.zone), schedule.settled)
        paused = schedule.state is ScheduleState.PAUSED
        state = ScheduleState.PAUSED if paused else state_before(trigger, following)
        changed = schedules.renew(tx, replace(schedule, trigger=trigger, state=state))
        self._tell(tx, changed, kind, now, who=who, why=what)
        self._look_ahead(tx, changed, following)
        return changed

    def reschedule(
        self,
        tx: Tx,
        schedule_id: str,
        *,
        trigger: Trigger,
        zone_name: str,
        missed: Missed,
        overlap: Overlap,
        who: str,
    ) -> Schedule:
        """Give a schedule other terms from now on: nothing that has passed runs by them, what is under way goes on.

        An `At` up to `GRACE` ago acts at once, an earlier one raises `BadInput`.
        """
        now = self._clock.now()
        schedule, tz = schedules.get(tx, schedule_id), zone(zone_name)
        settled = _settled_before(trigger, now, tz)
        self._engine.cancel_lane(tx, tick_lane(schedule.id))
        following = next_due(trigger, tz, settled)
        paused = schedule.state is ScheduleState.PAUSED
        changed = schedules.renew(
            tx,
            replace(
                schedule,
                trigger=trigger,
                zone=zone_name,
                missed=missed,
                overlap=overlap,
                settled=settled,
                state=ScheduleState.PAUSED if paused else state_before(trigger, following),
            ),
        )
        if overlap is not Overlap.QUEUE:
            # Nobody would call them up any more, and as long as they wait nothing else would run.
            for one in occurrences.open_of(tx, schedule.task_id, schedule.part):
                if one.state is OccurrenceState.DUE:
                    occurrences.move(tx, one, OccurrenceState.SKIPPED, now=now, who=who, reason=Why.OVERLAP.value)
        self._tell(tx, changed, Kind.SCHEDULED, now, who=who)
        self._look_ahead(tx, changed, following)
        return changed

    def move(self, tx: Tx, schedule_id: str, task_id: str, *, who: str) -> Schedule:
        """Hang a schedule on another task; what is settled stays settled, what is under way ends where it began.

        It acts while its new task is active.
        """
        now = self._clock.now()
        schedule, task = schedules.get(tx, schedule_id), tasks.get(tx, task_id)
        if len(schedules.of_task(tx, task_id)) >= MAX_SCHEDULES:
            raise TooLarge("schedules_many", limit=MAX_SCHEDULES)
        self._engine.cancel_lane(tx, tick_lane(schedule.id))
        following = next_due(schedule.trigger, zone(schedule.zone), schedule.settled)
        state = state_before(schedule.trigger, following) if task.active else ScheduleState.PAUSED
        moved = schedules.assign(tx, schedule, task_id, state)
        self._tell(tx, moved, Kind.SCHEDULED, now, who=who, why=schedule.task_id)
        self._look_ahead(tx, moved, following)
        return moved

    def remove(self, tx: Tx, schedule_id: str, *, who: str, why: str = "") -> None:
        """Take a schedule away; what is pending of it is cancelled."""
        now = self._clock.now()
        schedule = schedules.get(tx, schedule_id)
        self._halt(tx, schedule, now, who=who, reason="removed")
        schedules.delete(tx, schedule_id)
        self._tell(tx, schedule, Kind.UNSCHEDULED, now, who=who, why=why)

    def on_missed(self, action: str, hears: Passed) -> None:
        """Have a room hear of instants of its action that passed while nobody could act, and that nothing makes up for.

        Call it before the engine starts. Whoever hears says so to the user: a row that nobody looks at is silence.
        """
        self._ticking.on_missed(action, hears)

    def on_status_change(self, tx: Tx, before: Task, after: Task) -> None:
        """Stop or start the schedules of a task; pass this to `Tasks`.

        When it stops being active, everything pending is cancelled. When it is active again, what fell into the time
        between is recorded as one skipped row for each schedule; nothing of it runs.
        """
        if before.active == after.active:
            return
        now = self._clock.now()
        for schedule in schedules.of_task(tx, after.id):
            if not after.active:
                if schedule.state in (ScheduleState.ACTIVE, ScheduleState.WAITING):
                    schedules.renew(tx, replace(schedule, state=ScheduleState.PAUSED))
                self._halt(tx, schedule, now, who=TASK, reason=after.status.value)
            elif schedule.state is ScheduleState.PAUSED:
                started = schedules.renew(tx, replace(schedule, state=ScheduleState.ACTIVE))
                self._ticking.carry_out(tx, started, resume(started, now), now)

    def start_occurrence(self, tx: Tx, occurrence: str) -> Occurrence:
        """Note that the work of an occurrence began.

        One that runs already is returned as it is, at the revision it had: an earlier start did not finish, and the
        handler decides what that means.
        """
        found = occurrences.get(tx, occurrence)
        if found.state is OccurrenceState.RUNNING:
            return found
        return occurrences.move(tx, found, OccurrenceState.RUNNING, now=self._clock.now(), who=CLOCK)

    def finish_occurrence(
        self, tx: Tx, occurrence: str, outcome: OccurrenceState, reason: str | None = None, *, who: str = CLOCK
    ) -> Occurrence:
        """Note how the work of an occurrence ended, and start the one that waits for it.

        News about an occurrence that has ended already (cancelled meanwhile, reported twice) changes nothing.
        """
        if outcome in OPEN:
            raise ValueError(f"{outcome} is not an end")
        found = occurrences.get(tx, occurrence)
        if not found.open:
            return found
        now = self._clock.now()
        ended = occurrences.move(tx, found, outcome, now=now, who=who, reason=reason)
        schedule = schedules.find_part(tx, found.task_id, found.part)
        if schedule is not None:
            self._ticking.promote(tx, schedule, now)
        return ended

    def action_gave_up(self, tx: Tx, job: Job, error: str) -> None:
        """Note that an action failed for good; to be registered as the `gave_up` of an action's job."""
        self.finish_occurrence(tx, job.key, OccurrenceState.FAILED, error)

    def reconcile(self) -> int:
        """Set right what a crash, a lost job or a wrong clock left behind; return how much it was.

        Run it at start, before the engine. Occurrences whose job has ended without telling become `interrupted`, and
        every active schedule gets the tick it needs.
        """
        lost = [occurrence.id for occurrence in self._under_way()]
        stuck = [schedule.id for state in _LIVE for schedule in self._stuck(state)]
        return sum(map(self._give_up_if_lost, lost)) + sum(map(self._set_right_if_stuck, stuck))

    def _look_ahead(self, tx: Tx, schedule: Schedule, following: datetime | None) -> None:
        if schedule.state is ScheduleState.ACTIVE and following is not None:
            self._ticking.expect(tx, schedule, following)
        elif schedule.state is ScheduleState.WAITING:
            self._ticking.tell_of_table(tx, schedule)

    def _under_way(self) -> Iterator[Occurrence]:
        after = ""
        while True:
            with self._store.read() as tx:
                page = occurrences.under_way(tx, after, _PAGE)
                lost = [occurrence for occurrence in page if self._is_lost(tx, occurrence)]
            yield from lost
            if len(page) < _PAGE:
                return
            after = page[-1].id

    def _stuck(self, state: ScheduleState) -> Iterator[Schedule]:
        after: Schedule | None = None
        while True:
            with self._store.read() as tx:
                page = schedules.in_state(tx, state, after, _PAGE)
                stuck = [schedule for schedule in page if self._is_stuck(tx, schedule)]
            yield from stuck
            if len(page) < _PAGE:
                return
            after = page[-1]

    def _is_lost(self, tx: Tx, occurrence: Occurrence) -> bool:
        row = self._engine.get(tx, occurrence.id)
        return (row is None or row.state in _ENDED_JOBS) and not self._held(tx, occurrence.id)

    def _is_stuck(self, tx: Tx, schedule: Schedule) -> bool:
        if schedule.settled > self._clock.now() + AHEAD:
            return True
        following = next_due(schedule.trigger, zone(schedule.zone), schedule.settled)
        if schedule.state is ScheduleState.WAITING:
            # A newer table, which came with a newer program, goes on where the old one ended.
            return following is not None
        row = None if following is None else self._engine.get(tx, tick_key(schedule, following))
        return row is None or row.state in _ENDED_JOBS

    def _give_up_if_lost(self, occurrence_id: str) -> bool:
        with self._store.write() as tx:
            found = occurrences.get(tx, occurrence_id)
            if not (found.open and self._is_lost(tx, found)):
                return False
            self.finish_occurrence(tx, occurrence_id, OccurrenceState.INTERRUPTED, "lost")
            return True

    def _set_right_if_stuck(self, schedule_id: str) -> bool:
        with self._store.write() as tx:
            schedule = schedules.find(tx, schedule_id)
            if schedule is None or schedule.state not in _LIVE or not self._is_stuck(tx, schedule):
                return False
            now = self._clock.now()
            self._engine.cancel_lane(tx, tick_lane(schedule.id))
            settled = now if schedule.settled > now + AHEAD else schedule.settled
            following = next_due(schedule.trigger, zone(schedule.zone), settled)
            state = state_before(schedule.trigger, following)
            started = schedules.renew(tx, replace(schedule, settled=settled, state=state))
            self._look_ahead(tx, started, following)
            self._tell(tx, started, Kind.RECONCILED, now, who=CLOCK)
            return True

    def _halt(self, tx: Tx, schedule: Schedule, now: datetime, *, who: str, reason: str) -> None:
        self._engine.cancel_lane(tx, tick_lane(schedule.id))
        pending = [
            one for one in occurrences.open_of(tx, schedule.task_id, schedule.part) if not self._held(tx, one.id)
        ]
        self._ticking.call_off(tx, pending, now=now, who=who, reason=reason)

    def _tell(self, tx: Tx, schedule: Schedule, kind: Kind, now: datetime, *, who: str, why: str = "") -> None:
        data = {
            "schedule": schedule.id,
            "part": schedule.part,
            "expression": write_expression(schedule.trigger),
            "zone": schedule.zone,
        }
        journal.write(tx, schedule.task_id, kind, at=now, who=who, why=why, data=data)


def _settled_before(trigger: Trigger, now: datetime, tz: ZoneInfo) -> datetime:
    """Return up to when nothing is left to decide about a trigger that begins now."""
    if not isinstance(trigger, At) or trigger.at > now:
        return now
    if trigger.at < now - GRACE:
        raise BadInput("at_in_past", at=iso(trigger.at, tz))
    return trigger.at - timedelta(microseconds=1)
