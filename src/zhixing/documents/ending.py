"""The end of a run, in one transaction: its row, another try, the message, its occurrence, and whoever waits for it."""

from __future__ import annotations

from zhixing.delivery.model import Timing
from zhixing.delivery.operations import Delivery
from zhixing.documents import ledger, rows, telling
from zhixing.documents.chats import Chats
from zhixing.documents.filing import Filing
from zhixing.documents.model import Definition, Deliver
from zhixing.documents.performing import Execution, Outcome
from zhixing.documents.queue import Queue
from zhixing.documents.reading import read_definition
from zhixing.documents.run import Cause, Run, RunState, pause_before
from zhixing.documents.syncing import DUE
from zhixing.documents.work import reason_of
from zhixing.kernel.clock import Clock
from zhixing.kernel.moments import zone
from zhixing.store.connection import Tx
from zhixing.tasks import occurrences
from zhixing.tasks import store as tasks
from zhixing.tasks.occurrence import Occurrence, OccurrenceState
from zhixing.tasks.schedule.model import At, Missed, Schedule
from zhixing.tasks.scheduling import Scheduling
from zhixing.tasks.task import Status

_ENDS = {
    RunState.SUCCESS: OccurrenceState.DONE,
    RunState.FAILURE: OccurrenceState.FAILED,
    RunState.CANCELLED: OccurrenceState.CANCELLED,
    RunState.INTERRUPTED: OccurrenceState.INTERRUPTED,
}


class Ending:
    """Ends runs."""

    def __init__(
        self, clock: Clock, *, scheduling: Scheduling, delivery: Delivery, queue: Queue, chats: Chats, filing: Filing
    ) -> None:
        self._clock = clock
        self._scheduling = scheduling
        self._delivery = delivery
        self._queue = queue
        self._chats = chats
        self._filing = filing
        scheduling.on_missed(DUE, self.missed)

    def end(
        self, tx: Tx, run_id: str, definition: Definition | None, outcome: Outcome, how: tuple[RunState, str]
    ) -> None:
        """Write down how a run ended (a state, and a code or line that says why) and everything that follows."""
        state, why = how
        run = ledger.move(tx, ledger.get(tx, run_id), state, now=self._clock.now(), why=why)
        if _tries_again(tx, run, definition, outcome):
            self._queue.enter(
                tx,
                task_id=run.task_id,
                occurrence_id=run.occurrence_id,
                cause=run.cause,
                who=run.who,
                session_id=run.session_id,
                reason=run.reason,
                due=run.due,
                attempt=run.attempt + 1,
                pause=pause_before(run.attempt + 1),
            )
        else:
            self._tell(tx, run, definition, outcome)
            if occurrences.get(tx, run.occurrence_id).open:
                reason = None if state is RunState.SUCCESS else reason_of(run, outcome.error, outcome.errors)
                self._scheduling.finish_occurrence(tx, run.occurrence_id, _ENDS[state], reason)
        self._queue.pump(tx)

    def missed(self, tx: Tx, schedule: Schedule, occurrence: Occurrence) -> None:
        """Tell that the time of a task passed and nothing ran.

        Who has written that missed times are to be skipped knows of those that come again, not of the only one.
        """
        row, task = rows.of_task(tx, occurrence.task_id), tasks.get(tx, occurrence.task_id)
        definition = None if row is None else read_definition(row.source)
        if definition is None or definition.deliver is Deliver.NONE:
            return
        if schedule.missed is Missed.SKIP and not isinstance(schedule.trigger, At):
            return
        self._delivery.tell(
            tx,
            task_id=task.id,
            occurrence_id=occurrence.id,
            title=definition.title,
            text=telling.missed(occurrence, zone(task.zone)),
            due_at=occurrence.due,
            channels=self._chats.channels_of(tx, definition.session_id),
        )

    def _tell(self, tx: Tx, run: Run, definition: Definition | None, outcome: Outcome) -> None:
        """Put the result into the outbox, and what an agent wants told besides; of a deleted task nothing is told."""
        if tasks.get(tx, run.task_id).status is Status.DELETED:
            return
        for number, letter in enumerate(outcome.letters, start=1):
            key, now = f"{run.id}:{number}", self._clock.now()
            self._chats.put(tx, letter.session_id, letter.text, who=run.task_id, due=now, key=key)
        wanted = Deliver.AUTO if definition is None else definition.deliver
        told = telling.result(run, definition, outcome)
        if wanted is Deliver.NONE or (wanted is Deliver.ON_FAILURE and run.state is RunState.SUCCESS):
            return
        self._delivery.tell(
            tx,
            task_id=run.task_id,
            occurrence_id=run.occurrence_id,
            title=told.title,
            text=told.text,
            due_at=run.due or run.queued_at,
            channels=self._chats.channels_of(tx, run.session_id),
            # Whoever starts a run by hand waits for what comes of it.
            timing=Timing.NAMED if run.cause is Cause.MANUAL else Timing.CHOSEN,
            again="" if run.attempt == 1 else f"try{run.attempt}",
        )
        self._filing.expect_delivery(tx, run.id, "told")


def _tries_again(tx: Tx, run: Run, definition: Definition | None, outcome: Outcome) -> bool:
    if run.state is not RunState.FAILURE or outcome.execution is not Execution.FAILURE:
        return False
    if definition is None or run.attempt > definition.retries:
        return False
    return run.cause is not Cause.CRON or tasks.get(tx, run.task_id).active
