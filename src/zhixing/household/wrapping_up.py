"""Tasks that end by themselves: what they were to reach is reached, or nothing is left for them to do.

The end comes behind the work it follows from, in a job of its own: what reached the target may still be told, and the
reminder that was the only one may still be on its way.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from zhixing.delivery import store as messages
from zhixing.engine.model import Engine, Job, RetryAt, Run
from zhixing.household import job_rows, registry
from zhixing.kernel.clock import Clock
from zhixing.kernel.moments import micros
from zhixing.store.connection import Tx
from zhixing.tasks import occurrences
from zhixing.tasks import store as tasks_store
from zhixing.tasks.journal import CLOCK
from zhixing.tasks.occurrence import OccurrenceState
from zhixing.tasks.operations import Tasks
from zhixing.tasks.records import store as records
from zhixing.tasks.records.model import Period
from zhixing.tasks.rules import store as rules
from zhixing.tasks.schedule import store as schedules
from zhixing.tasks.schedule.model import At, ScheduleState
from zhixing.tasks.task import Task, Term, Way

REACHED = "household.reached"
"""The name of the job that completes a task whose target was reached."""
LEFT = "household.left"
"""The name of the job that ends a task of which nothing is left."""
PATIENCE = timedelta(hours=24)
"""How long a completion waits for what is still under way, such as a message held until the morning."""
_SHORTEST, _LONGEST = timedelta(seconds=1), timedelta(minutes=10)


class WrappingUp:
    """Registers its handlers, so make it before the engine starts."""

    def __init__(self, engine: Engine, clock: Clock, tasks: Tasks) -> None:
        self._engine = engine
        self._clock = clock
        self._tasks = tasks
        engine.register(REACHED, self._complete)
        engine.register(LEFT, self._end_if_nothing_is_left)

    def first_reached(self, tx: Tx, task_id: str, period: Period, at: datetime) -> None:
        """Complete what ends with its target, behind the work that reached it. For `Records`."""
        task = tasks_store.get(tx, task_id)
        if task.lifecycle.term is Term.TARGET:
            key = f"household:reached:{task_id}:{period.day.isoformat()}:{micros(at)}"
            self._engine.enqueue(tx, Job(REACHED, key, self._clock.now(), {"task": task_id}))

    def expect(self, tx: Tx, task_id: str, at: datetime) -> None:
        """Look behind `at` whether anything is left of a task."""
        revision = tasks_store.get(tx, task_id).revision
        key = f"household:left:{task_id}:{revision}:{micros(at)}"
        self._engine.enqueue(tx, Job(LEFT, key, max(at, self._clock.now()), {"task": task_id}))

    def on_status_change(self, tx: Tx, before: Task, after: Task) -> None:
        """Look again when a pause has ended, or an end was taken back. For `Tasks`."""
        if after.way is Way.HOUSEHOLD and after.active and not before.active:
            for schedule in schedules.of_task(tx, after.id):
                if isinstance(schedule.trigger, At):
                    self.expect(tx, after.id, schedule.trigger.at)

    def _complete(self, run: Run) -> None:
        with run.commit() as tx:
            task = tasks_store.get(tx, run.job.payload["task"])
            if task.status not in registry.LIVING or task.lifecycle.term is not Term.TARGET:
                return
            waited = self._clock.now() - run.job.due
            if waited < PATIENCE and _under_way(tx, task.id):
                raise self._later(waited)
            self._tasks.complete(tx, task.id, who=CLOCK, why="target")

    def _end_if_nothing_is_left(self, run: Run) -> None:
        with run.commit() as tx:
            task = tasks_store.get(tx, run.job.payload["task"])
            if not task.active or rules.of_task(tx, task.id) or records.find(tx, task.id) is not None:
                return
            plans = schedules.of_task(tx, task.id)
            jobs = job_rows.of_task(tx, task.id)
            if not all(isinstance(one.trigger, At) for one in plans) or not all(job.plan.enabled for job in jobs):
                return
            if not jobs and registry.slug_of(tx, task.id) is not None:
                # Its jobs were taken away; whoever did that will say what it is for.
                return
            if any(one.state is not ScheduleState.ENDED for one in plans) or _under_way(tx, task.id):
                # Its tick comes at the same instant, or its message is on the way.
                waited = self._clock.now() - run.job.due
                raise self._later(waited)
            last = next(iter(occurrences.of_task(tx, task.id, 1)), None)
            if last is None or last.state is OccurrenceState.DONE:
                self._tasks.complete(tx, task.id, who=CLOCK, why="all_done")
            else:
                self._tasks.expire(tx, task.id, who=CLOCK, why="not_done")

    def _later(self, waited: timedelta) -> RetryAt:
        """Look again, the later the longer this waits."""
        return RetryAt(self._clock.now() + min(max(waited, _SHORTEST), _LONGEST), "under way")


def _under_way(tx: Tx, task_id: str) -> bool:
    """Whether work is promised or begun, or something is still to be told."""
    row = tx.row(
        "SELECT 1 FROM occurrences WHERE task_id = ? AND state IN ('due', 'claimed', 'running') LIMIT 1", (task_id,)
    )
    return row is not None or bool(messages.open_of_task(tx, task_id))
