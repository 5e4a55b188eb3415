"""What needs judgement waits, where everybody can see it, for a household agent; and not for ever.

An occurrence whose run is open is open, whatever was told about it. News that is five minutes old is no help to anybody
(miloco.md §8.2): a run nobody took in time becomes `expired`, and its occurrence says so.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Protocol

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
from zhixing.tasks.occurrence import OccurrenceState, reason_text
from zhixing.tasks.scheduling import Scheduling

EXPIRE_RUN = "household.expire"
"""The name of the job that ends a run nobody took, or took and never ended."""
PATIENCE = timedelta(minutes=5)
"""How long the answer of a rule waits."""
MOST_WAITING = 100
"""Runs of one task that wait; what comes on top is missed at once."""
NEWS_PAUSE = timedelta(days=1)
"""How long after one a task's next message about a waiting run may come at the earliest."""


class Worker(Protocol):
    """Whoever works off runs."""

    def takes(self, run: AgentRun) -> bool:
        """Whether it sees to a run; nobody has to be told then that something waits."""
        ...

    def expect(self, tx: Tx, run: AgentRun) -> None:
        """Have a run worked off, if and only if `tx` commits."""
        ...


class Agents:
    """The runs of the household agent, and what becomes of their occurrences."""

    def __init__(self, engine: Engine, clock: Clock, scheduling: Scheduling, telling: Telling) -> None:
        self._engine = engine
        self._clock = clock
        self._scheduling = scheduling
        self._telling = telling
        self._worker: Worker | None = None
        engine.register(EXPIRE_RUN, self._expire)

    def attend(self, worker: Worker) -> None:
        """Have runs that wait worked off; without it they wait until they expire."""
        self._worker = worker

    def attended(self, run: AgentRun) -> bool:
        """Whether somebody sees to a run."""
        return self._worker is not None and self._worker.takes(run)

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
        if self._worker is not None and self._worker.takes(run):
            self._worker.expect(tx, run)
        elif origin is Origin.RULE:
            self.note(tx, run, due_at=due_at)
        return run

    def note(self, tx: Tx, run: AgentRun, *, due_at: datetime) -> None:
        """Say in the inbox that something waits; once a day for each task is enough."""
        if store.is_news(tx, f"agent:{run.task_id}", self._clock.now(), NEWS_PAUSE):
            text = wording("doing.news_agent", words=wording("doing.list_separator").join(run.prompt.words))
            self._telling.news(tx, run.task_id, run.occurrence_id, text, due_at=due_at)

    def note_missed(self, tx: Tx, run: AgentRun, why: str) -> None:
        """Say in the inbox that something came to nothing; once a day for each task is enough."""
        if store.is_news(tx, f"missed:{run.task_id}", self._clock.now(), NEWS_PAUSE):
            words = wording("doing.list_separator").join(run.prompt.words)
            text = wording("doing.news_agent_missed", words=words, why=reason_text(why))
            self._telling.news(tx, run.task_id, run.occurrence_id, text, due_at=self._clock.now(), about="missed")

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

    def expire(self, tx: Tx, run_id: str, why: str, *, done: bool = False) -> AgentRun:
        """End a run whose time is over, and its occurrence; `done`: something of it was. An ended one stays so."""
        run = runs.get(tx, run_id)
        if run.ended_at is not None:
            return run
        expired = runs.move(tx, run, RunState.EXPIRED, why, ended_at=self._clock.now())
        outcome = OccurrenceState.MISSED if run.state is RunState.WAITING else OccurrenceState.FAILED
        if done or not run.alone:
            outcome = OccurrenceState.DONE
        self._end_occurrence(tx, run.occurrence_id, outcome, why)
        return expired

    def hinder(self, tx: Tx, run_id: str, why: str) -> None:
        """Note what a run waits for; should nothing else happen, that is why it expires."""
        run = runs.get(tx, run_id)
        if run.ended_at is None:
            runs.move(tx, run, run.state, why)

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
            else:
                self.expire(tx, run.id, run.why or "no_agent")
            if self.attended(run) and run.why != "no_agent":
                # Nobody was told that it waited.
                self.note_missed(tx, run, "lost" if run.state is RunState.RUNNING else run.why or "no_agent")

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
