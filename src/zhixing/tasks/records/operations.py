"""What can be done to the record of a task; each operation is part of the caller's transaction.

Nothing depends on a job at midnight: a write is booked to the period of its own instant, whenever it comes. The one job
there is looks again when a period ends while a session runs, because from then on the target is at another instant.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

from zhixing.engine.model import Engine, Job, RetryAt, Run
from zhixing.kernel.clock import Clock
from zhixing.kernel.errors import BadInput, Conflict
from zhixing.kernel.moments import micros, zone
from zhixing.store.connection import Tx
from zhixing.tasks import journal
from zhixing.tasks import store as tasks
from zhixing.tasks.journal import CLOCK, TASK, Kind
from zhixing.tasks.records import reports, sessions, store, writing
from zhixing.tasks.records.content import patched, write_content
from zhixing.tasks.records.deciding import (
    check_end,
    check_step,
    check_write,
    counts_until,
    limit,
    one_line,
    refusal,
)
from zhixing.tasks.records.model import Content, Period, Record, RecordKind, Written
from zhixing.tasks.records.periods import period_at
from zhixing.tasks.records.standing import reached_unnoted
from zhixing.tasks.records.views import RecordView, view
from zhixing.tasks.records.writing import Done, Scene
from zhixing.tasks.task import Status, Task

PERIOD_OVER = "record.period"
"""The name of the job that looks again when a period ends."""

Renewed = Callable[[Tx, str], None]
FirstReached = Callable[[Tx, str, Period, datetime], None]


def _no_matter(*_: object) -> None:
    """Do nothing about it."""


class Records:
    """The records of all tasks. Registers the handler of its job, so make it before the engine starts.

    `renewed` is called with a task whose target instant may be another one now: a session began or ended, the target
    was changed or reached, or a new period began while a session runs. `first_reached` is called once for each period
    whose target was reached, with the instant, by whatever write. Both are called when everything is written.

    Every write takes the instant it is for, and a key, such as the id of its occurrence: the same key again changes
    nothing and is answered as it was the first time, `applied` aside.
    """

    def __init__(
        self,
        engine: Engine,
        clock: Clock,
        *,
        renewed: Renewed = _no_matter,
        first_reached: FirstReached = _no_matter,
    ) -> None:
        self._engine = engine
        self._clock = clock
        self._renewed = renewed
        self._first_reached = first_reached
        engine.register(PERIOD_OVER, self._period_over)

    # What it is for

    def init(self, tx: Tx, task_id: str, content: Content, *, who: str) -> Record:
        """Give a task its record. Raises `Conflict` when it has one, or has ended."""
        now = self._clock.now()
        task = tasks.get(tx, task_id)
        if task.status not in {Status.ACTIVE, Status.PAUSED}:
            raise Conflict(f"task_is_{task.status}", title=task.title)
        check_end(content, now, zone(task.zone))
        record = store.insert(tx, task_id, content, task.zone, now)
        _tell(tx, record, Kind.RECORD_BEGUN, now, who=who, content=_told(record))
        return record

    def update(self, tx: Tx, task_id: str, patch: Mapping[str, Any], *, who: str) -> Record:
        """Set some fields of the content anew; null takes one away that may be missing."""
        return self.set_content(tx, task_id, patched(store.get(tx, task_id).content, patch), who=who)

    def set_content(self, tx: Tx, task_id: str, content: Content, *, who: str) -> Record:
        """Give a record other content of its kind; the same content again changes nothing.

        What was counted and timed stays. A period that has reached its target keeps that it did; another target may
        make the present one reached at once.
        """
        now = self._clock.now()
        task = tasks.get(tx, task_id)
        record = store.get(tx, task_id)
        if task.status is Status.DELETED:
            raise Conflict("task_is_deleted", title=task.title)
        if content.kind is not record.content.kind:
            raise BadInput("record_kind_fixed", kind=record.content.kind.value)
        if content == record.content:
            return record
        if content.expires_at != record.content.expires_at:
            check_end(content, now, zone(record.zone))
        self._close_overdue(tx, record, task, now)
        changed = store.change(tx, record, content, now)
        data = {"record": {"from": _told(record), "to": _told(changed)}}
        journal.write(tx, task_id, Kind.REVISED, at=now, who=who, data=data)
        if not refusal(changed, task, now):
            done = writing.meet(_scene(tx, changed, task, now, now))
            self._follow_up(tx, changed, done, now, who)
        return changed

    def remove(self, tx: Tx, task_id: str, *, who: str) -> None:
        """End the record; its rows are kept, and the task may get another."""
        now = self._clock.now()
        record = store.get(tx, task_id)
        self._close(tx, record, tasks.get(tx, task_id), now, who, why="removed")
        store.end(tx, record, now)
        data = {"record": {"from": _told(record), "to": None}}
        journal.write(tx, task_id, Kind.REVISED, at=now, who=who, data=data)
        self._renewed(tx, task_id)

    # Writes

    def increment(self, tx: Tx, task_id: str, delta: int, *, at: datetime, key: str, who: str) -> Written:
        """Count on, or back with a negative `delta`; past the target too, never below zero."""
        check_step(delta)

        def act(scene: Scene) -> Done:
            return writing.increment(scene, delta)

        return self._write(tx, task_id, RecordKind.PROGRESS, act, "increment", at=at, key=key, who=who)

    def append(self, tx: Tx, task_id: str, description: str, *, at: datetime, key: str, who: str) -> Written:
        """Write an event down."""
        line = one_line(description)

        def act(scene: Scene) -> Done:
            return writing.append(scene, line)

        return self._write(tx, task_id, RecordKind.EVENT, act, "append", at=at, key=key, who=who)

    def start_session(self, tx: Tx, task_id: str, *, at: datetime, key: str, who: str, holder: str = "") -> Written:
        """Begin a session; one that is under way goes on as it is (`open`). `holder` keeps it open from now on."""

        def act(scene: Scene) -> Done:
            return writing.start(scene, holder)

        return self._write(tx, task_id, RecordKind.DURATION, act, "start", at=at, key=key, who=who)

    def end_session(self, tx: Tx, task_id: str, *, at: datetime, key: str, who: str, holder: str = "") -> Written:
        """End the session under way, if there is one (`none_open`).

        What a `holder` ends goes on while another one keeps it open (`held`); without one it ends in any case.
        """

        def act(scene: Scene) -> Done:
            return writing.end(scene, holder)

        return self._write(tx, task_id, RecordKind.DURATION, act, "end", at=at, key=key, who=who)

    def reach(self, tx: Tx, task_id: str, *, at: datetime, key: str, who: str) -> Written:
        """Note that the target was reached, by exact time until `at`; once per period."""
        return self._write(tx, task_id, RecordKind.DURATION, writing.reach, "reach", at=at, key=key, who=who)

    def target_at(self, tx: Tx, task_id: str) -> datetime | None:
        """Return when the present period's target is reached if the session under way goes on.

        It may be past when nobody has noted it yet, also in a period before, through which the session ran. None where
        there is no target, no session, where it is reached already, or where the period, the record or the task ends
        before.
        """
        record = store.find(tx, task_id)
        if record is None or record.content.kind is not RecordKind.DURATION or record.content.target is None:
            return None
        task = tasks.get(tx, task_id)
        under_way = sessions.under_way(tx, record)
        if under_way is None or not task.active:
            return None
        at = reached_unnoted(tx, record, under_way, self._clock.now())
        end = limit(record.content, task)
        return None if at is None or (end is not None and at >= end) else at

    # Reading

    def find(self, tx: Tx, task_id: str) -> RecordView | None:
        """Return the record of a task as it is now, if it has one."""
        record = store.find(tx, task_id)
        return None if record is None else view(tx, record, self._clock.now(), self._until(tx, record))

    def get(self, tx: Tx, task_id: str) -> RecordView:
        """Return the record of a task as it is now; raise `NotFound` when it has none."""
        record = store.get(tx, task_id)
        return view(tx, record, self._clock.now(), self._until(tx, record))

    def compute(
        self,
        tx: Tx,
        task_id: str,
        *,
        window: str | None = None,
        day: str | None = None,
        first: str | None = None,
        last: str | None = None,
    ) -> dict[str, Any]:
        """Add up a window (day, week, month, all), a day, or a range of days; nothing given: the present period.

        Days are YYYY-MM-DD, today or yesterday, in the record's zone; a range has both its ends in it.
        """
        record = store.get(tx, task_id)
        ask = reports.Ask(window, day, first, last)
        return reports.compute(tx, record, ask, self._clock.now(), self._until(tx, record))

    def by_day(self, tx: Tx, task_id: str, first: date, last: date) -> dict[date, int]:
        """Return what each day came to that has any: counts, events, or microseconds; the session under way, too."""
        record = store.get(tx, task_id)
        return dict(reports.by_day(tx, record, first, last, self._until(tx, record)))

    def archives(self, tx: Tx, task_id: str) -> dict[str, Any]:
        """List the periods that are over, newest first."""
        record = store.get(tx, task_id)
        return reports.archives(tx, record, self._clock.now(), self._until(tx, record))

    def snapshot(self, tx: Tx, task_id: str) -> dict[str, Any] | None:
        """Return what is kept of a record when its task ends; None where there is none."""
        found = self.find(tx, task_id)
        return None if found is None else found.snapshot()

    # What happens to the task

    def on_status_change(self, tx: Tx, before: Task, after: Task) -> None:
        """End the session under way at the instant at which a task stops being active; pass this to `Tasks`.

        Nothing is told of a target that this shows to be reached: the task is on its way elsewhere. The next write of
        the period notes it.
        """
        record = store.find(tx, after.id) if before.active and not after.active else None
        if record is not None:
            self._close(tx, record, after, after.updated_at, TASK, why=after.status.value)

    def _write(
        self,
        tx: Tx,
        task_id: str,
        kind: RecordKind,
        act: Callable[[Scene], Done],
        action: str,
        *,
        at: datetime,
        key: str,
        who: str,
    ) -> Written:
        now = self._clock.now()
        record = store.get(tx, task_id)
        if record.content.kind is not kind:
            raise BadInput("record_wrong_kind", kind=record.content.kind.value, needed=kind.value)
        check_write(at, key, now, zone(record.zone))
        at = at.astimezone(UTC)
        before = store.answer(tx, record, key)
        if before is not None:
            return replace(before, applied=False, why="again")
        task = tasks.get(tx, task_id)
        scene = _scene(tx, record, task, at, now)
        why = refusal(record, task, at)
        done = writing.unchanged(scene, why) if why else act(scene)
        # Only now: an end that is told late may be before the end of the record.
        self._close_overdue(tx, record, task, now)
        written = done.written
        store.remember(tx, record, key, action, at=at, who=who, now=now, written=written)
        if written.applied:
            store.touch(tx, record, now)
            _tell(tx, record, Kind.RECORDED, now, who=who, action=action, at=at.isoformat(), **_news(written))
            self._follow_up(tx, record, done, now, who)
        elif written.why == "short":
            # Whoever thought that the target was reached has it from a clock that was set since: it is still to come.
            self._renewed(tx, record.task_id)
        return written

    def _follow_up(self, tx: Tx, record: Record, done: Done, now: datetime, who: str) -> None:
        """Write down what was reached, arm the job, and tell those who wait for it."""
        for period, at in done.reached:
            day = period.day.isoformat() if period.end is not None else None
            target = record.content.target
            _tell(tx, record, Kind.TARGET_REACHED, now, who=who, day=day, at=at.isoformat(), target=target)
        if record.content.kind is RecordKind.DURATION:
            self._look_ahead(tx, record, now)
        for period, at in done.reached:
            self._first_reached(tx, record.task_id, period, at)
        if record.content.kind is RecordKind.DURATION:
            self._renewed(tx, record.task_id)

    def _look_ahead(self, tx: Tx, record: Record, now: datetime) -> None:
        """Have the engine come back at the end of the period while a session runs."""
        period = period_at(now, record.content.rhythm, zone(record.zone))
        if period.end is not None and sessions.under_way(tx, record) is not None:
            # One job for each end, however many sessions there are; it looks for itself what there is to do.
            key = f"record:{record.id}:until:{micros(period.end)}"
            self._engine.enqueue(tx, Job(PERIOD_OVER, key, period.end, {"task": record.task_id}))

    def _period_over(self, run: Run) -> None:
        if self._clock.now() < run.job.due:
            # The clock was put back since the engine saw that it was due: here the old period still runs.
            raise RetryAt(run.job.due, "clock")
        with run.commit() as tx:
            record = store.find(tx, run.job.payload["task"])
            if record is not None and sessions.under_way(tx, record) is not None:
                self._look_ahead(tx, record, self._clock.now())
                self._renewed(tx, record.task_id)

    def _close_overdue(self, tx: Tx, record: Record, task: Task, now: datetime) -> None:
        """End the session under way where the record or its task has ended: no time counts behind that."""
        end = limit(record.content, task)
        if end is not None and now >= end:
            self._close(tx, record, task, end, CLOCK, why="ended")

    def _close(self, tx: Tx, record: Record, task: Task, at: datetime, who: str, *, why: str) -> None:
        under_way = sessions.under_way(tx, record)
        if under_way is None:
            return
        end = counts_until(record.content, task, at)
        writing.finish(tx, record, under_way, end)
        now = self._clock.now()
        store.touch(tx, record, now)
        _tell(tx, record, Kind.RECORDED, now, who=who, why=why, action="end", at=end.isoformat())

    def _until(self, tx: Tx, record: Record) -> datetime:
        return counts_until(record.content, tasks.get(tx, record.task_id), self._clock.now())


def _scene(tx: Tx, record: Record, task: Task, at: datetime, now: datetime) -> Scene:
    return Scene(tx, record, at, counts_until(record.content, task, now))


def _told(record: Record) -> dict[str, Any]:
    return {"kind": record.content.kind.value, **write_content(record.content, zone(record.zone))}


def _news(written: Written) -> dict[str, Any]:
    news: dict[str, Any] = {"current": written.current}
    if written.session_seconds is not None:
        news["session_seconds"] = written.session_seconds
    if written.entry_id is not None:
        news["entry"] = written.entry_id
    return news


def _tell(tx: Tx, record: Record, kind: Kind, now: datetime, *, who: str, why: str = "", **data: Any) -> None:
    journal.write(tx, record.task_id, kind, at=now, who=who, why=why, data={"record": record.id, **data})
