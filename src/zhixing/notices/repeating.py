"""Operations on notices that repeat, and the handler that tells each of their times.

Two layers (document 004 §6): *one time* is done, left out or put back; the *series* is over when its task is completed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime
from itertools import islice, takewhile

from zhixing.delivery.model import Timing
from zhixing.delivery.operations import Delivery
from zhixing.engine.model import Engine, Run
from zhixing.kernel.clock import Clock
from zhixing.kernel.errors import BadInput, Conflict
from zhixing.kernel.moments import zone as find_zone
from zhixing.kernel.wording import wording
from zhixing.notices import series as rows
from zhixing.notices import store
from zhixing.notices.model import Node, Precision, SeriesPlan
from zhixing.notices.notice import Notice
from zhixing.notices.series import PART, Series, SeriesState
from zhixing.notices.telling import reminder_text
from zhixing.store.connection import Store, Tx
from zhixing.tasks import journal, occurrences
from zhixing.tasks import store as tasks
from zhixing.tasks.journal import Kind
from zhixing.tasks.occurrence import Occurrence, OccurrenceState
from zhixing.tasks.schedule import store as schedules
from zhixing.tasks.schedule.calendar import Calendar
from zhixing.tasks.schedule.expression import parse_expression
from zhixing.tasks.schedule.model import Action, Overlap
from zhixing.tasks.schedule.next import instants, next_due
from zhixing.tasks.schedule.policy import instant_key
from zhixing.tasks.scheduling import Scheduling
from zhixing.tasks.task import Status, Task, rename

REPEAT = "notice.repeat"
"""The name of the job that tells one time."""
_NAMED = ("specified", "lead")
"""Rules of §5 by which the user named the instants himself, so that quiet hours do not hold them."""


class Repeating:
    """What repeats, over `tasks.Scheduling`. `channels` are told beside the inbox. Make it before the engine starts."""

    def __init__(
        self,
        database: Store,
        engine: Engine,
        clock: Clock,
        *,
        scheduling: Scheduling,
        delivery: Delivery,
        channels: Sequence[str],
    ) -> None:
        self._store = database
        self._clock = clock
        self._scheduling = scheduling
        self._delivery = delivery
        self._channels = tuple(channels)
        engine.register(REPEAT, self._tell, gave_up=scheduling.action_gave_up)

    def follow(self, tx: Tx, task: Task, words: str, plan: SeriesPlan | None, *, revision: int, who: str) -> None:
        """Let `plan` take the place of what repeated so far; None ends it. Times that were told are not told again."""
        now = self._clock.now()
        if rows.end(tx, task.id, SeriesState.REPLACED, now):
            before = schedules.find_part(tx, task.id, PART)
            if before is not None:
                self._scheduling.remove(tx, before.id, who=who, why="replaced")
        if plan is None:
            return
        rows.begin(tx, task.id, words, plan, revision=revision, at=now)
        self._scheduling.add(
            tx,
            task.id,
            part=PART,
            trigger=parse_expression(plan.expression, find_zone(task.zone), plan.anchor),
            zone_name=task.zone,
            action=Action(REPEAT),
            who=who,
            # A message that waits for its channel holds up no later time.
            overlap=Overlap.PARALLEL,
        )

    def done_once(
        self, task_id: str, *, who: str, occurrence: str | None = None, revision: int | None = None
    ) -> tuple[Notice, datetime]:
        """Note that one time is done and return when it was due; the series goes on.

        It is the time of `occurrence`, or the newest one told, or, when that one is done already, the next one, which
        then is not told. With `revision`, a task that has changed since is a `Conflict`: a second click does nothing.
        """
        with self._store.write() as tx:
            notice, series = self._open(tx, task_id, revision)
            now = self._clock.now()
            due, told = self._meant(tx, task_id, series, occurrence)
            if not rows.mark_done(tx, task_id, due, at=now, who=who):
                return notice, due
            if told is None:
                done = occurrences.new(
                    task_id, PART, instant_key(due), due, OccurrenceState.DONE, now=now, reason="done_ahead"
                )
                occurrences.add(tx, done, now=now, who=who)
            else:
                self._delivery.withdraw(tx, task_id)
            data = {"due": due.isoformat(), "occurrence": told.id if told else None}
            journal.write(tx, task_id, Kind.DONE_ONCE, at=now, who=who, data=data)
            tasks.save(tx, rename(notice.task, notice.task.title, now))
            return store.get(tx, task_id), due

    def skip(self, task_id: str, day: date, *, who: str, revision: int | None = None) -> Notice:
        """Leave out a day that is still ahead, with all its times. Raises `BadInput` where the series has none then."""
        with self._store.write() as tx:
            notice, series = self._open(tx, task_id, revision)
            trigger = _calendar(notice, series)
            if day in trigger.left_out:
                return notice
            if not self._times_of(series, trigger, day):
                raise BadInput("series_not_on", date=day.isoformat(), title=notice.task.title)
            # Days long gone need not be kept; the count of a series goes on with them all the same.
            today = self._clock.now().astimezone(find_zone(notice.task.zone)).date()
            kept = frozenset(one for one in trigger.left_out if (today - date(one.year, one.month, one.day)).days < 31)
            changed = replace(trigger, left_out=kept | {day})
            return self._change(tx, notice, series, changed, kind=Kind.LEFT_OUT, what=day.isoformat(), who=who)

    def put_back(self, task_id: str, day: date, *, who: str, revision: int | None = None) -> Notice:
        """Let a day that was left out happen after all. Raises `BadInput` where it was not left out."""
        with self._store.write() as tx:
            notice, series = self._open(tx, task_id, revision)
            trigger = _calendar(notice, series)
            if day not in trigger.left_out:
                raise BadInput("series_not_left_out", date=day.isoformat(), title=notice.task.title)
            changed = replace(trigger, left_out=trigger.left_out - {day})
            return self._change(tx, notice, series, changed, kind=Kind.PUT_BACK, what=day.isoformat(), who=who)

    def _open(self, tx: Tx, task_id: str, revision: int | None) -> tuple[Notice, Series]:
        notice = store.get(tx, task_id)
        if notice.task.status is not Status.ACTIVE:
            raise Conflict(f"task_is_{notice.task.status.value}", title=notice.task.title)
        if notice.series is None:
            raise Conflict("not_a_series", title=notice.task.title)
        if revision is not None and revision != notice.task.revision:
            raise Conflict("task_changed", title=notice.task.title)
        return notice, notice.series

    def _meant(
        self, tx: Tx, task_id: str, series: Series, occurrence: str | None
    ) -> tuple[datetime, Occurrence | None]:
        """Return the instant that is done, and its occurrence if it was told."""
        if occurrence is not None:
            found = occurrences.get(tx, occurrence)
            if found.task_id != task_id or found.part != PART:
                raise BadInput("series_other_occurrence", id=occurrence[:64])
            return found.due, found
        latest = next((one for one in occurrences.of_task(tx, task_id, 500) if _was_told(one)), None)
        if latest is not None and latest.due not in series.done:
            return latest.due, latest
        if series.next is None:
            raise Conflict("series_nothing_ahead", title=series.words)
        return series.next, None

    def _times_of(self, series: Series, trigger: Calendar, day: date) -> list[datetime]:
        """Return the instants still ahead whose matter is on `day`."""
        zone = find_zone(series.schedule.zone)
        now = max(self._clock.now(), series.schedule.settled)
        found = takewhile(
            lambda one: series.matter(one).astimezone(zone).date() <= day,
            islice(instants(trigger, zone, now), rows.MOST_AHEAD),
        )
        return [one for one in found if series.matter(one).astimezone(zone).date() == day]

    def _change(
        self, tx: Tx, notice: Notice, series: Series, trigger: Calendar, *, kind: Kind, what: str, who: str
    ) -> Notice:
        self._scheduling.change(tx, series.schedule.id, trigger, who=who, kind=kind, what=what)
        tasks.save(tx, rename(notice.task, notice.task.title, self._clock.now()))
        return store.get(tx, notice.task.id)

    def _tell(self, run: Run) -> None:
        with run.commit() as tx:
            occurrence = occurrences.get(tx, str(run.job.payload["occurrence"]))
            notice = store.get(tx, occurrence.task_id)
            if not occurrence.open or notice.series is None or not notice.task.active:
                return
            title = notice.task.title
            self._delivery.tell(
                tx,
                task_id=notice.task.id,
                occurrence_id=occurrence.id,
                title=title,
                text=_text(notice, notice.series, occurrence.due, self._clock.now()),
                due_at=occurrence.due,
                channels=self._channels,
                timing=Timing.NAMED if notice.series.plan.reason in _NAMED else Timing.CHOSEN,
            )
            # It is told once it is in the inbox and the outbox; what becomes of each message is the outbox's to tell.
            self._scheduling.finish_occurrence(tx, occurrence.id, OccurrenceState.DONE, notice.series.plan.reason)


def _was_told(occurrence: Occurrence) -> bool:
    return occurrence.part == PART and occurrence.state is OccurrenceState.DONE and occurrence.reason != "done_ahead"


def _calendar(notice: Notice, series: Series) -> Calendar:
    trigger = series.schedule.trigger
    if not isinstance(trigger, Calendar):
        raise Conflict("series_without_days", title=notice.task.title)
    return trigger


def _text(notice: Notice, series: Series, due: datetime, now: datetime) -> str:
    """Word the telling of one time, and say when nothing is known to come after it."""
    zone = find_zone(notice.task.zone)
    plan, matter = series.plan, series.matter(due)
    exact = plan.precision is Precision.MINUTE
    day = None if exact else matter.astimezone(zone).date()
    node = Node(plan.kind, plan.precision, series.words, series.words, at=matter if exact else None, day=day)
    text = reminder_text(notice.task.title, (node,), due, now, zone)
    trigger = series.schedule.trigger
    if next_due(trigger, zone, due) is not None:
        return text
    if isinstance(trigger, Calendar) and trigger.lacks_table:
        return wording("notices.series_table_ends", "zh", text=text, until=trigger.known_until)
    return wording("notices.series_last", "zh", text=text)
