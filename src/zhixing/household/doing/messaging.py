"""The job of a cron job's message: told, done, or left to wait for the household agent."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from zhixing.delivery.model import Timing
from zhixing.engine.model import Engine, Job, RetryAt, Run
from zhixing.household.composing.orders import Lost
from zhixing.household.descs import Medium, Notification
from zhixing.household.doing.agents import Agents
from zhixing.household.doing.model import AgentRun, CronMessage, Household, Origin, Prompt
from zhixing.household.doing.records import Missing, missing
from zhixing.household.doing.summing_up import sum_up
from zhixing.household.doing.switching import Away, Found, Seen, Switching, Unclear
from zhixing.household.doing.telling import Telling, moment
from zhixing.household.doing.turns import is_turn
from zhixing.household.doing.wishes import (
    EndTask,
    Judge,
    Notify,
    Remind,
    Sometimes,
    SumUp,
    Switch,
    UrgeOn,
    read_message,
)
from zhixing.kernel.clock import Clock
from zhixing.kernel.moments import iso, zone
from zhixing.kernel.wording import wording
from zhixing.store.connection import Tx
from zhixing.tasks import occurrences
from zhixing.tasks import store as tasks
from zhixing.tasks.occurrence import Occurrence, OccurrenceState
from zhixing.tasks.schedule import store as schedules
from zhixing.tasks.schedule.model import Schedule
from zhixing.tasks.schedule.next import next_due
from zhixing.tasks.scheduling import Scheduling

MESSAGE = "household.message"
"""The name of the job. Its payload has `job`, the id of the cron job, and `occurrence`."""
PATIENCE = timedelta(hours=24)
"""How long a message waits for the agent, unless its next time comes before."""
_SECOND = timedelta(seconds=1)


class Messaging:
    """The handler of `household.message`."""

    def __init__(
        self,
        engine: Engine,
        clock: Clock,
        *,
        scheduling: Scheduling,
        telling: Telling,
        agents: Agents,
        household: Household,
        switching: Switching,
    ) -> None:
        self._switching = switching
        self._clock = clock
        self._scheduling = scheduling
        self._telling = telling
        self._agents = agents
        self._household = household
        engine.register(MESSAGE, self._say, gave_up=self._gave_up)
        scheduling.on_missed(MESSAGE, self._missed)

    def message(self, tx: Tx, occurrence_id: str, message: CronMessage, seen: Seen | None = None) -> AgentRun | None:
        """Do what a message wants, and end its occurrence; where that waits for the agent, return what waits.

        For an occurrence that has ended, or waits already, nothing happens. `seen` is what the devices are that a
        message commands; where nobody has looked, that waits for the agent.
        """
        occurrence = occurrences.get(tx, occurrence_id)
        if not occurrence.open or self._agents.holds(tx, occurrence_id):
            return None
        wanted = read_message(message.text)
        if isinstance(wanted, Sometimes):
            if not is_turn(tx, occurrence, wanted.turn):
                self._end(tx, occurrence, OccurrenceState.SKIPPED, "not_its_turn")
                return None
            wanted = wanted.wish
        match wanted:
            case Judge(_, tellable):
                return self._hand_over(tx, occurrence, message, tellable=tellable)
            case Switch() as wish if seen is not None and not isinstance(seen, Unclear):
                self._switch(tx, occurrence, message, wish, seen)
            case Switch():
                return self._hand_over(tx, occurrence, message, tellable=True)
            case wish if not self._settle(tx, occurrence, wish):
                # There is no record, or no target in it.
                return self._hand_over(tx, occurrence, message, tellable=isinstance(wish, SumUp))
        return None

    def _settle(self, tx: Tx, occurrence: Occurrence, wish: EndTask | Remind | Notify | SumUp | UrgeOn) -> bool:
        """Do what needs nothing but the books, and end the occurrence; return False where they do not have it."""
        match wish:
            case EndTask(slug):
                # First, so that the end of the task does not find this open.
                self._end(tx, occurrence, OccurrenceState.DONE)
                task_id = self._household.task_of(tx, slug)
                if task_id is not None:
                    self._household.expire(tx, task_id)
            case Remind(text):
                self._tell(tx, occurrence, text)
            case Notify(notifications):
                self._end(tx, occurrence, OccurrenceState.DONE)
                self._notify(tx, occurrence, notifications)
            case SumUp(what, media):
                summary = sum_up(tx, occurrence, what, self._clock.now())
                if summary is None:
                    return False
                self._end(tx, occurrence, OccurrenceState.DONE)
                self._tell_through(tx, occurrence, summary, media)
            case UrgeOn(slug):
                return self._urge_on(tx, occurrence, slug)
        return True

    def _urge_on(self, tx: Tx, occurrence: Occurrence, slug: str) -> bool:
        task_id = self._household.task_of(tx, slug)
        found = None if task_id is None else missing(tx, task_id, self._clock.now())
        if found is None:
            return False
        if found.count:
            self._tell(tx, occurrence, _urging(found))
        else:
            self._end(tx, occurrence, OccurrenceState.SKIPPED, "reached")
        return True

    def _say(self, run: Run) -> None:
        """Say a message; the job lives as long as its occurrence, so it comes back while that waits for something."""
        with run.checkpoint() as tx:
            wanted = self._to_look_for(run, tx)
        # Asked outside of the transaction: the hub may keep its things in the same store.
        seen = None if wanted is None else self._switching.look(wanted)
        with run.checkpoint() as tx:
            again = self._go_on(run, tx, wanted, seen)
        if again is not None:
            raise RetryAt(max(again, self._clock.now() + _SECOND), "agent" if wanted is None else "device")

    def _go_on(self, run: Run, tx: Tx, wanted: Switch | None, seen: Seen | None) -> datetime | None:
        """Do the next thing about a message; return when to come back, None where it is over."""
        occurrence_id = str(run.job.payload["occurrence"])
        occurrence = occurrences.get(tx, occurrence_id)
        message = self._household.message_of(tx, str(run.job.payload["job"]))
        if not occurrence.open:
            return None
        if self._switching.begun(tx, occurrence_id):
            return self._switching.watch(tx, occurrence_id)
        if message is None:
            self._end(tx, occurrence, OccurrenceState.SKIPPED, "removed")
            return None
        if self._to_look_for(run, tx) != wanted:
            # Somebody has changed the message meanwhile.
            return self._clock.now()
        if isinstance(seen, Away) and self._switching.waits(occurrence):
            return self._switching.look_again_at()
        self.message(tx, occurrence_id, message, seen)
        if self._switching.begun(tx, occurrence_id):
            return self._switching.watch(tx, occurrence_id)
        return self._agents.deadline(tx, occurrence_id)

    def _to_look_for(self, run: Run, tx: Tx) -> Switch | None:
        """Return the commands of a message, where it is still to be decided which devices they are for."""
        occurrence_id = str(run.job.payload["occurrence"])
        message = self._household.message_of(tx, str(run.job.payload["job"]))
        decided = self._agents.holds(tx, occurrence_id) or self._switching.begun(tx, occurrence_id)
        if message is None or decided or not occurrences.get(tx, occurrence_id).open:
            return None
        wish = read_message(message.text)
        wish = wish.wish if isinstance(wish, Sometimes) else wish
        return wish if isinstance(wish, Switch) else None

    def _missed(self, tx: Tx, schedule: Schedule, occurrence: Occurrence) -> None:
        """Tell what was not said or done while nothing ran: a reminder that is silent for good is no reminder."""
        message = self._household.message_of(tx, str(schedule.action.payload["job"]))
        wish = None if message is None else read_message(message.text)
        if message is None or isinstance(wish, EndTask):
            return
        words = wish.text if isinstance(wish, Remind) else message.text
        key = "missed_once" if occurrence.count == 1 else "missed_several"
        at = moment(occurrence.due, tasks.get(tx, occurrence.task_id).zone)
        text = wording(f"doing.{key}", words=words, at=at, count=occurrence.count)
        self._telling.tell_everywhere(
            tx, occurrence.task_id, occurrence.id, text, due_at=occurrence.due, timing=Timing.CHOSEN
        )

    def _gave_up(self, tx: Tx, job: Job, error: str) -> None:
        self._scheduling.finish_occurrence(tx, str(job.payload["occurrence"]), OccurrenceState.FAILED, error)

    def _tell(self, tx: Tx, occurrence: Occurrence, text: str) -> None:
        """Tell, and be done: what becomes of each message is the outbox's to say."""
        self._end(tx, occurrence, OccurrenceState.DONE)
        self._telling.tell_everywhere(tx, occurrence.task_id, occurrence.id, text, due_at=occurrence.due)

    def _switch(
        self, tx: Tx, occurrence: Occurrence, message: CronMessage, wish: Switch, seen: Found | Lost | Away
    ) -> None:
        """Have devices commanded, or say that it is not done; what is to be told beside is told in any case."""
        told = bool(wish.notifications or wish.reminders)
        if self._switching.is_late(occurrence):
            self._switching.miss(tx, occurrence, message.text, told=told)
        elif isinstance(seen, Found):
            self._switching.begin(tx, occurrence, seen.actions)
        else:
            self._switching.fail(tx, occurrence, seen, message.text, told=told)
        self._notify(tx, occurrence, wish.notifications)
        for place, text in enumerate(wish.reminders):
            self._tell_through(tx, occurrence, text, (), again=f"r{place}")

    def _notify(self, tx: Tx, occurrence: Occurrence, notifications: Iterable[Notification]) -> None:
        """Tell each through its medium; the same words once, through all of theirs."""
        grouped: dict[str, list[Medium]] = {}
        for one in notifications:
            grouped.setdefault(one.text, []).append(one.medium)
        for place, (text, media) in enumerate(grouped.items()):
            self._tell_through(tx, occurrence, text, media, again=f"d{place}" if place else "")

    def _tell_through(
        self, tx: Tx, occurrence: Occurrence, text: str, media: Iterable[Medium], *, again: str = ""
    ) -> None:
        """Tell something at the instant that the user named, through some media; through all where none is named."""
        wanted = tuple(media)
        if not wanted:
            # What nothing is configured for is not missed where nobody asked for it.
            wanted = tuple(one for one in Medium if one is Medium.CHAT or self._telling.reaches((one,)))
        self._telling.tell(
            tx,
            occurrence.task_id,
            occurrence.id,
            text,
            wanted,
            due_at=occurrence.due,
            timing=Timing.NAMED,
            again=again,
        )

    def _hand_over(self, tx: Tx, occurrence: Occurrence, message: CronMessage, *, tellable: bool) -> AgentRun | None:
        now = self._clock.now()
        task = tasks.get(tx, occurrence.task_id)
        run = self._agents.wait(
            tx,
            task_id=task.id,
            occurrence_id=occurrence.id,
            origin=Origin.MESSAGE,
            prompt=Prompt(words=(message.text,), at=iso(occurrence.due, zone(task.zone))),
            deadline=self._deadline(tx, occurrence, now),
            alone=True,
            due_at=occurrence.due,
        )
        if run is None or self._agents.attended(run):
            return run
        if tellable:
            text = wording("doing.told_plain", text=message.text)
            self._telling.tell_everywhere(tx, task.id, occurrence.id, text, due_at=occurrence.due)
        else:
            self._agents.note(tx, run, due_at=occurrence.due)
        return run

    def _deadline(self, tx: Tx, occurrence: Occurrence, now: datetime) -> datetime:
        """Return until when a message may wait: its next time finds it gone."""
        schedule = schedules.find_part(tx, occurrence.task_id, occurrence.part)
        if schedule is None:
            return now + PATIENCE
        following = next_due(schedule.trigger, zone(schedule.zone), max(now, occurrence.due))
        if following is None:
            return now + PATIENCE
        return max(now + _SECOND, min(now + PATIENCE, following - _SECOND))

    def _end(self, tx: Tx, occurrence: Occurrence, outcome: OccurrenceState, reason: str | None = None) -> None:
        self._scheduling.finish_occurrence(tx, occurrence.id, outcome, reason)


def _urging(found: Missing) -> str:
    if found.timed:
        return wording("doing.missing_minutes", count=found.count, current=found.current, target=found.target)
    return wording("doing.missing", count=found.count, unit=found.unit, current=found.current, target=found.target)
