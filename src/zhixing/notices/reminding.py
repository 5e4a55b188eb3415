"""Telling a reminder when its time has come: once, and never silently not at all."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from zhixing.delivery.model import Timing
from zhixing.delivery.operations import Delivery
from zhixing.engine.model import Engine, Run
from zhixing.kernel.clock import Clock
from zhixing.kernel.moments import zone as find_zone
from zhixing.notices import store
from zhixing.notices.notice import MANUAL, Notice, Reminder, ReminderState
from zhixing.notices.operations import REMIND
from zhixing.notices.telling import reminder_text
from zhixing.store.connection import Tx
from zhixing.tasks import occurrences
from zhixing.tasks.journal import CLOCK
from zhixing.tasks.occurrence import OccurrenceState

TOO_LATE = timedelta(hours=24)
"""A reminder later than this is recorded as missed instead of being told."""

_NAMED = frozenset(("specified", "lead", MANUAL))
"""Rules of §5 by which the user himself named the instant, so that quiet hours do not hold it."""


class Reminding:
    """The handler of reminder jobs. `channels` are told beside the inbox."""

    def __init__(self, engine: Engine, clock: Clock, delivery: Delivery, channels: Sequence[str]) -> None:
        self._clock = clock
        self._delivery = delivery
        self._channels = tuple(channels)
        engine.register(REMIND, self._remind)

    def _remind(self, run: Run) -> None:
        with run.commit() as tx:
            notice = store.get(tx, str(run.job.payload["task"]))
            number = int(run.job.payload["reminder"])
            reminder = next((one for one in notice.planned if one.number == number), None)
            if reminder is not None and notice.task.active:
                self._tell(tx, notice, reminder)

    def _tell(self, tx: Tx, notice: Notice, reminder: Reminder) -> None:
        now = self._clock.now()
        part, key = f"reminder{reminder.number}", reminder.at.isoformat()
        missed = now - reminder.at > TOO_LATE
        state = OccurrenceState.MISSED if missed else OccurrenceState.CLAIMED
        entered = occurrences.new(
            notice.task.id,
            part,
            key,
            reminder.at,
            state,
            now=now,
            reason="too_late" if missed else reminder.reason,
        )
        occurrence = occurrences.add(tx, entered, now=now, who=CLOCK)
        ended = ReminderState.MISSED if missed else ReminderState.TOLD
        store.settle_reminder(tx, notice.task.id, reminder.number, ended)
        if occurrence is None or missed:
            return
        nodes = tuple(notice.nodes[index] for index in reminder.nodes if index < len(notice.nodes))
        title = notice.task.title
        self._delivery.tell(
            tx,
            task_id=notice.task.id,
            occurrence_id=occurrence.id,
            title=title,
            text=reminder_text(title, nodes, reminder.at, now, find_zone(notice.task.zone)),
            due_at=reminder.at,
            channels=self._channels,
            timing=timing_of(reminder),
        )


def timing_of(reminder: Reminder) -> Timing:
    """Say who chose the instant: the user, if he did so for any of what comes together in it."""
    return Timing.CHOSEN if _NAMED.isdisjoint(reminder.reason.split("+")) else Timing.NAMED
