"""The job of a cron job's message: told, done, or left to wait for the household agent."""

from __future__ import annotations

from datetime import datetime, timedelta

from zhixing.engine.model import Engine, Job, RetryAt, Run
from zhixing.household.doing.agents import Agents
from zhixing.household.doing.model import AgentRun, CronMessage, Household, Origin, Prompt
from zhixing.household.doing.records import Missing, missing
from zhixing.household.doing.telling import Telling
from zhixing.household.doing.wishes import EndTask, Judge, Remind, UrgeOn, read_message
from zhixing.kernel.clock import Clock
from zhixing.kernel.moments import iso, zone
from zhixing.kernel.wording import wording
from zhixing.store.connection import Tx
from zhixing.tasks import occurrences
from zhixing.tasks import store as tasks
from zhixing.tasks.occurrence import Occurrence, OccurrenceState
from zhixing.tasks.schedule import store as schedules
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
    ) -> None:
        self._clock = clock
        self._scheduling = scheduling
        self._telling = telling
        self._agents = agents
        self._household = household
        engine.register(MESSAGE, self._say, gave_up=self._gave_up)

    def message(self, tx: Tx, occurrence_id: str, message: CronMessage) -> AgentRun | None:
        """Do what a message wants, and end its occurrence; where that waits for the agent, return what waits.

        For an occurrence that has ended, or waits already, nothing happens.
        """
        occurrence = occurrences.get(tx, occurrence_id)
        if not occurrence.open or self._agents.holds(tx, occurrence_id):
            return None
        match read_message(message.text):
            case EndTask(slug):
                # First, so that the end of the task does not find this open.
                self._end(tx, occurrence, OccurrenceState.DONE)
                task_id = self._household.task_of(tx, slug)
                if task_id is not None:
                    self._household.expire(tx, task_id)
                return None
            case Remind(text):
                self._tell(tx, occurrence, text)
                return None
            case UrgeOn(slug):
                task_id = self._household.task_of(tx, slug)
                found = None if task_id is None else missing(tx, task_id, self._clock.now())
                if found is None:
                    return self._hand_over(tx, occurrence, message, tellable=False)
                if not found.count:
                    self._end(tx, occurrence, OccurrenceState.SKIPPED, "reached")
                else:
                    self._tell(tx, occurrence, _urging(found))
                return None
            case Judge(_, tellable):
                return self._hand_over(tx, occurrence, message, tellable=tellable)

    def _say(self, run: Run) -> None:
        """Say a message; the job lives as long as its occurrence, so it comes back while the agent is waited for."""
        with run.checkpoint() as tx:
            occurrence_id = str(run.job.payload["occurrence"])
            message = self._household.message_of(tx, str(run.job.payload["job"]))
            occurrence = occurrences.get(tx, occurrence_id)
            if message is None and occurrence.open:
                self._end(tx, occurrence, OccurrenceState.SKIPPED, "removed")
            elif message is not None:
                self.message(tx, occurrence_id, message)
            open_until = self._agents.deadline(tx, occurrence_id)
        if open_until is not None:
            raise RetryAt(max(open_until, self._clock.now() + _SECOND), "agent")

    def _gave_up(self, tx: Tx, job: Job, error: str) -> None:
        self._scheduling.finish_occurrence(tx, str(job.payload["occurrence"]), OccurrenceState.FAILED, error)

    def _tell(self, tx: Tx, occurrence: Occurrence, text: str) -> None:
        """Tell, and be done: what becomes of each message is the outbox's to say."""
        self._end(tx, occurrence, OccurrenceState.DONE)
        self._telling.tell_everywhere(tx, occurrence.task_id, occurrence.id, text, due_at=occurrence.due)

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
