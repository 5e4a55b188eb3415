"""What follows from an instant of a schedule, and from a task that stops."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

from zhixing.documents import ledger, rows
from zhixing.documents.filing import Filing
from zhixing.documents.model import Definition, Once, Overlap
from zhixing.documents.queue import Queue
from zhixing.documents.reading import read_definition
from zhixing.documents.run import Cause, Run, RunState
from zhixing.documents.syncing import DUE, PART, Syncing
from zhixing.documents.when import write_when
from zhixing.engine.model import Engine
from zhixing.engine.model import Run as Attempt
from zhixing.kernel.errors import Conflict, ZhixingError
from zhixing.kernel.moments import zone
from zhixing.store.connection import Store, Tx
from zhixing.tasks import occurrences
from zhixing.tasks import store as tasks_store
from zhixing.tasks.journal import CLOCK
from zhixing.tasks.occurrence import OccurrenceState
from zhixing.tasks.operations import Tasks
from zhixing.tasks.schedule import store as schedules
from zhixing.tasks.schedule.model import Missed
from zhixing.tasks.schedule.next import next_due
from zhixing.tasks.scheduling import Scheduling
from zhixing.tasks.task import Status, Task, Way

_log = logging.getLogger("zhixing.documents")

_BEFORE = timedelta(microseconds=1)


class Occasions:
    """Hears of instants and of tasks that stop. `stop` lets go of a run that this process carries out."""

    def __init__(
        self,
        engine: Engine,
        *,
        store: Store,
        syncing: Syncing,
        tasks: Tasks,
        scheduling: Scheduling,
        queue: Queue,
        filing: Filing,
        stop: Callable[[str], None],
    ) -> None:
        self._store = store
        self._syncing = syncing
        self._tasks = tasks
        self._scheduling = scheduling
        self._queue = queue
        self._filing = filing
        self._stop = stop
        engine.register(DUE, self._due, gave_up=scheduling.action_gave_up)

    def on_status_change(self, tx: Tx, before: Task, after: Task) -> None:
        """Follow a task that stops: what waits is called off, and of one that is gone what runs, too.

        What somebody started by hand goes on, because a task may be run by hand whatever its status.
        """
        if after.way is not Way.DOCUMENT:
            return
        row = rows.of_task(tx, after.id)
        if row is None and after.active and before.status is Status.DELETED:
            raise Conflict("document_file_gone_for_good", title=after.title)
        if row is not None:
            self._filing.expect_rewrite(tx, after, when="")
        if after.active:
            return
        gone = after.status is Status.DELETED
        for run in ledger.open_of_task(tx, after.id):
            # One instant pauses its task itself when it comes.
            unwanted = run.cause is Cause.CRON or (run.cause is Cause.TIME and after.status is not Status.PAUSED)
            if gone or (unwanted and run.state is not RunState.RUNNING):
                self.call_off(tx, run, who=CLOCK, why=after.status.value)
        self._queue.pump(tx)

    def call_off(self, tx: Tx, run: Run, *, who: str, why: str) -> Run:
        """Call off a run: one that has not begun ends at once, another one, in whatever process, when it lets go.

        Who calls off one that was promised makes room; `Queue.pump` gives it to another one.
        """
        if run.state is not RunState.RUNNING:
            return self._queue.call_off(tx, run, who=who, why=why)
        tx.on_commit(lambda: self._stop(run.id))
        return ledger.ask_to_cancel(tx, run, why)

    def _due(self, attempt: Attempt) -> None:
        payload = attempt.job.payload
        task_id, occurrence_id = str(payload["task"]), str(payload["occurrence"])
        due = datetime.fromisoformat(str(payload["due"]))
        self._look(task_id)
        with attempt.commit() as tx:
            row = rows.of_task(tx, task_id)
            if row is None:
                self._scheduling.finish_occurrence(tx, occurrence_id, OccurrenceState.SKIPPED, "document_gone")
                return
            if not _names(tx, task_id, due):
                self._scheduling.finish_occurrence(tx, occurrence_id, OccurrenceState.SKIPPED, "document_changed")
                return
            definition = read_definition(row.source)
            once = isinstance(definition.when, Once)
            if self._make_room(tx, task_id, occurrence_id, definition):
                self._queue.enter(
                    tx,
                    task_id=task_id,
                    occurrence_id=occurrence_id,
                    cause=Cause.TIME if once else Cause.CRON,
                    who=CLOCK,
                    session_id=definition.session_id,
                    due=due,
                )
            if once:
                # Claimed before it runs: whatever happens now, it does not come again (document 003, design §10).
                self._end_once(tx, task_id, definition)

    def end_spent(self, project: Path) -> None:
        """Have the files say so whose one instant has passed without a run: missed, or in the way of another run."""
        with self._store.read() as tx:
            spent = rows.spent(tx, project, PART)
        for task_id in spent:
            with self._store.write() as tx:
                row = rows.of_task(tx, task_id)
                # What is promised would be called off with its task.
                if row is None or any(occurrences.counts(tx, task_id, PART)):
                    continue
                definition = read_definition(row.source)
                if isinstance(definition.when, Once):
                    self._end_once(tx, task_id, definition)

    def _end_once(self, tx: Tx, task_id: str, definition: Definition) -> None:
        task = tasks_store.get(tx, task_id)
        if task.active:
            task = self._tasks.pause(tx, task_id, who=CLOCK, why="document_once")
        self._filing.expect_rewrite(tx, task, when=write_when(definition.when))

    def _look(self, task_id: str) -> None:
        """Hear of a change of the file that nobody has told of, before an instant of it counts."""
        with self._store.read() as tx:
            row = rows.of_task(tx, task_id)
        if row is not None:
            try:
                self._syncing.look(row)
            # Whatever is wrong with the file, the run says so.
            except ZhixingError as error:
                _log.info("task %s: %s", task_id, error)

    def _make_room(self, tx: Tx, task_id: str, occurrence_id: str, definition: Definition) -> bool:
        """Look at the runs of a task that are not over; return whether one more may wait."""
        going, overlap = ledger.open_of_task(tx, task_id), definition.overlap
        if not going:
            return True
        # An instant that comes while one before it is under way has been settled by the schedule; what gets here is
        # caught up with, and whoever wants them all wants them one after the other.
        caught_up = definition.missed is Missed.ALL and overlap is not Overlap.REPLACE
        if caught_up and all(run.cause is not Cause.MANUAL for run in going):
            return True
        waiting = [run for run in going if run.state is RunState.QUEUED]
        if overlap is Overlap.REPLACE:
            for run in going:
                self.call_off(tx, run, who=CLOCK, why="replaced")
            return True
        if overlap is Overlap.QUEUE and not waiting:
            return True
        why = "queue_full" if overlap is Overlap.QUEUE else "overlap"
        self._scheduling.finish_occurrence(tx, occurrence_id, OccurrenceState.SKIPPED, why)
        return False


def _names(tx: Tx, task_id: str, due: datetime) -> bool:
    """Whether the schedule of a task, as it is now, has that instant."""
    schedule = schedules.find_part(tx, task_id, PART)
    return schedule is not None and next_due(schedule.trigger, zone(schedule.zone), due - _BEFORE) == due
