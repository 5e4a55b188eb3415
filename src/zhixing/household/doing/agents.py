"""What needs judgement waits, where everybody can see it, for a household agent; and not for ever.

An occurrence whose run is open is open, whatever was told about it. News that is five minutes old is no help to anybody
(miloco.md §8.2): a run nobody took in time becomes `expired`, and its occurrence says so.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from zhixing.engine.model import Engine, Job, Run
from zhixing.household.doing import runs, store
from zhixing.household.doing.model import AgentRun, Origin, Prompt, RunState
from zhixing.household.doing.telling import Telling
from zhixing.kernel.clock import Clock
from zhixing.kernel.errors import Conflict
from zhixing.kernel.wording import wording
from zhixing.store.connection import Tx
from zhixing.tasks import journal, occurrences
from zhixing.tasks.journal import CLOCK, TASK, Kind
from zhixing.tasks.occurrence import OccurrenceState
from zhixing.tasks.scheduling import Scheduling

EXPIRE_RUN = "household.expire"
"""The name of the job that ends a run nobody took, or took and never ended."""
PATIENCE = timedelta(minutes=5)
"""How long the answer of a rule waits."""
MOST_WAITING = 100
"""Runs of one task that wait; what comes on top is missed at once."""
NEWS_PAUSE = timedelta(days=1)
"""How long after one a task's next message about a waiting run may come at the earliest."""


class Agents:
    """The runs of the household agent, and what becomes of their occurrences."""

    def __init__(self, engine: Engine, clock: Clock, scheduling: Scheduling, telling: Telling) -> None:
        self._engine = engine
        self._clock = clock
        self._scheduling = scheduling
        self._telling = telling
        engine.register(EXPIRE_RUN, self._expire)

    def wait(
        self,
        tx: Tx,
        *,
        task_id: str,
        occurrence_id: str,
        origin: Origin,
        prompt: Prompt,
        deadline: datetime,
        alone: bool,
        due_at: datetime,
    ) -> AgentRun | None:
        """Let an occurrence wait for the agent. None: it does already, or too many do, and it is missed."""
        now = self._clock.now()
        if len(runs.open_of_task(tx, task_id)) >= MOST_WAITING:
            self._scheduling.finish_occurrence(tx, occurrence_id, OccurrenceState.MISSED, "agent_busy")
            return None
        run = runs.add(
            tx,
            task_id=task_id,
            occurrence_id=occurrence_id,
            origin=origin,
            prompt=prompt,
            alone=alone,
            now=now,
            deadline=deadline,
        )
        if run is None:
            return None
        self._expect_end(tx, run)
        data = {"run": run.id, "occurrence": occurrence_id, "words": list(prompt.words)}
        journal.write(tx, task_id, Kind.AGENT_WAITS, at=now, who=CLOCK, data=data)
        if origin is Origin.RULE:
            self.note(tx, run, due_at=due_at)
        return run

    def note(self, tx: Tx, run: AgentRun, *, due_at: datetime) -> None:
        """Say in the inbox that something waits; once a day for each task is enough."""
        if store.is_news(tx, f"agent:{run.task_id}", self._clock.now(), NEWS_PAUSE):
            text = wording("doing.news_agent", words=wording("doing.list_separator").join(run.prompt.words))
            self._telling.news(tx, run.task_id, run.occurrence_id, text, due_at=due_at)

    def deadline(self, tx: Tx, occurrence_id: str) -> datetime | None:
        """Return until when the run of an occurrence is waited for; None where none is open."""
        run = runs.of_occurrence(tx, occurrence_id)
        return None if run is None or run.ended_at is not None else run.deadline

    def holds(self, tx: Tx, occurrence_id: str) -> bool:
        """Whether an occurrence is kept open by a run, whatever became of the messages about it."""
        return self.deadline(tx, occurrence_id) is not None

    def take(self, tx: Tx, run_id: str, until: datetime) -> AgentRun:
        """Begin a run; when it has not ended `until` then, it counts as lost. `Conflict`: it does not wait any more."""
        run = runs.get(tx, run_id)
        if run.state is not RunState.WAITING:
            raise Conflict("agent_run_not_waiting", id=run.id)
        if occurrences.get(tx, run.occurrence_id).open:
            self._scheduling.start_occurrence(tx, run.occurrence_id)
        taken = runs.move(tx, replace(run, deadline=until), RunState.RUNNING)
        self._expect_end(tx, taken)
        return taken

    def end(self, tx: Tx, run_id: str, state: RunState, why: str = "") -> AgentRun:
        """End a run that was taken, as done or failed, and its occurrence with it; an ended one stays as it is."""
        if state not in (RunState.DONE, RunState.FAILED):
            raise ValueError(f"{state} is not how a run ends")
        run = runs.get(tx, run_id)
        if run.ended_at is not None:
            return run
        if run.state is not RunState.RUNNING:
            raise Conflict("agent_run_not_taken", id=run.id)
        ended = runs.move(tx, run, state, why, ended_at=self._clock.now())
        outcome = OccurrenceState.DONE if state is RunState.DONE else OccurrenceState.FAILED
        self._end_occurrence(tx, run.occurrence_id, outcome, why or None)
        return ended

    def call_off(self, tx: Tx, task_id: str, why: str) -> None:
        """End the runs of a task that stops, and their occurrences."""
        for run in runs.open_of_task(tx, task_id):
            runs.move(tx, run, RunState.EXPIRED, why, ended_at=self._clock.now())
            self._end_occurrence(tx, run.occurrence_id, OccurrenceState.CANCELLED, why, who=TASK)

    def _expire(self, job: Run) -> None:
        with job.commit() as tx:
            run = runs.get(tx, str(job.job.payload["run"]))
            if run.state.value != job.job.payload["state"]:
                return
            now = self._clock.now()
            if run.state is RunState.RUNNING:
                runs.move(tx, run, RunState.FAILED, "lost", ended_at=now)
                self._end_occurrence(tx, run.occurrence_id, OccurrenceState.INTERRUPTED, "lost")
                return
            runs.move(tx, run, RunState.EXPIRED, "no_agent", ended_at=now)
            outcome = OccurrenceState.MISSED if run.alone else OccurrenceState.DONE
            self._end_occurrence(tx, run.occurrence_id, outcome, "no_agent")

    def _expect_end(self, tx: Tx, run: AgentRun) -> None:
        """See to it that a run does not stay as it is for ever."""
        payload = {"run": run.id, "state": run.state.value}
        self._engine.enqueue(tx, Job(EXPIRE_RUN, f"agent:{run.id}:{run.state.value}", run.deadline, payload))

    def _end_occurrence(
        self, tx: Tx, occurrence_id: str, outcome: OccurrenceState, reason: str | None, *, who: str = CLOCK
    ) -> None:
        # A cron job's occurrence has a job that lives as long as it does.
        self._engine.cancel(tx, occurrence_id)
        if occurrences.get(tx, occurrence_id).open:
            self._scheduling.finish_occurrence(tx, occurrence_id, outcome, reason, who=who)
