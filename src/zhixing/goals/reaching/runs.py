"""Runs of bots that only answer: a row and a job in one transaction, and the result straight to the goal.

A run that was cut off is asked again where that changes nothing outside (`Profile.is_repeatable`); any other is over
then, for what it did is not known. Of two ends the first counts; what a stopped run comes to is kept in its row.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from zhixing.engine.model import Engine, Job, Run
from zhixing.goals.contracts.executing import read_execution
from zhixing.goals.contracts.naming import loop_task_id
from zhixing.goals.loop.events import Report, Used
from zhixing.goals.loop.limits import MOST_SECONDS, NO_SPENDING, Spent
from zhixing.goals.reaching import rows
from zhixing.goals.reaching.directory import Contact, Directory
from zhixing.goals.reaching.rows import KeptRun, RunState, Subject
from zhixing.goals.reaching.speaking import Speaking, failed, heard
from zhixing.goals.running.operations import Goals
from zhixing.goals.running.ports import Heard
from zhixing.kernel.clock import Clock
from zhixing.kernel.moments import millis
from zhixing.store.connection import Tx
from zhixing.world.bots.port import COMPLETED, Errand, Said, Unclear

RUN = "goal_run"
INTERRUPTED = "interrupted"


class Runs:
    """Handler of runs."""

    def __init__(
        self, engine: Engine, clock: Clock, directory: Directory, speaking: Speaking, goals_of: Callable[[], Goals]
    ) -> None:
        self._engine = engine
        self._clock = clock
        self._directory = directory
        self._speaking = speaking
        self._goals_of = goals_of

    def add(self, tx: Tx, subject: Subject, contact: Contact, text: str) -> None:
        """Put a run on its way; the same run again is the same."""
        if rows.add(tx, subject, contact.profile.id, text, state=RunState.QUEUED, at=self.now()):
            self.see_to(tx, subject.key)

    def see_to(self, tx: Tx, key: str) -> None:
        """Have a run done; that its job is there already changes nothing."""
        self._engine.enqueue(tx, Job(RUN, f"run:{key}", self._clock.now(), {"key": key}))

    def has_job(self, tx: Tx, key: str) -> bool:
        """Whether somebody will do a run: the engine forgets jobs after a while."""
        return self._engine.get(tx, f"run:{key}") is not None

    def do(self, run: Run) -> None:
        """Ask the bot of a run."""
        key = run.job.payload["key"]
        with run.checkpoint() as tx:
            began = rows.move(tx, key, {RunState.QUEUED}, RunState.ASKING, self.now())
            kept = rows.of_key(tx, key)
        if kept is None or kept.state is not RunState.ASKING:
            return
        state, said = self.outcome(kept, cut_off=not began)
        with run.commit() as tx:
            self._end(tx, kept, state, said)

    def outcome(self, kept: KeptRun, *, cut_off: bool) -> tuple[RunState, Said]:
        """Ask the bot of a run, unless it was asked before and must not be again; return how that ended."""
        may_repeat = self._directory.may_repeat(kept.bot_id)
        if cut_off and not may_repeat:
            return RunState.INTERRUPTED, failed(INTERRUPTED)
        subject = kept.subject
        name = loop_task_id(subject.task_id, subject.node_id)
        try:
            errand = Errand(subject.key, kept.text, name, subject.attempt, MOST_SECONDS)
            said = self._speaking.ask(kept.bot_id, errand)
        except Unclear as error:
            if may_repeat:
                raise
            return RunState.INTERRUPTED, failed(f"{INTERRUPTED}:{error.reason}")
        return (RunState.DONE if said.run_status.upper() == COMPLETED else RunState.FAILED), said

    def gave_up(self, tx: Tx, job: Job, error: str) -> None:
        """Say of a run that nobody could bring to an end that it failed."""
        kept = rows.of_key(tx, job.payload["key"])
        if kept is not None:
            self._end(tx, kept, RunState.FAILED, failed(f"run_exception:{error.partition(':')[0]}"))

    def _end(self, tx: Tx, kept: KeptRun, state: RunState, said: Said) -> None:
        if rows.end(tx, kept.subject.key, state, said, self.now()):
            self._goals_of().happen(tx, kept.subject.task_id, report_of(kept.subject, said))
        else:
            self.used(tx, kept.subject.task_id, heard(said).spent)

    def used(self, tx: Tx, task_id: str, spent: Spent) -> None:
        """Count what was used without a result that a goal hears of; that has its price all the same."""
        if spent != NO_SPENDING:
            self._goals_of().happen(tx, task_id, Used(spent))

    def now(self) -> int:
        """Return the instant in milliseconds."""
        return millis(self._clock.now())


def report_of(subject: Subject, said: Said) -> Report:
    """Return what a run reports; it is the report that collecting the result gives, so the second one is a repeat."""
    return _report(subject.node_id, subject.attempt, heard(said))


def talks_reported(goals_of: Callable[[], Goals]) -> Callable[[Tx, str, str, int, Heard], None]:
    """Return who tells goals of the end of a talk, in its transaction: task, node, attempt, and what it came to."""

    def ended(tx: Tx, task_id: str, node_id: str, attempt: int, result: Heard) -> None:
        # What its turns used was counted with each of them.
        goals_of().happen(tx, task_id, _report(node_id, attempt, replace(result, spent=NO_SPENDING)))

    return ended


def turns_counted(goals_of: Callable[[], Goals]) -> Callable[[Tx, str, Spent], None]:
    """Return who tells goals what a turn of a talk used, in its transaction."""

    def used(tx: Tx, task_id: str, spent: Spent) -> None:
        if spent != NO_SPENDING:
            goals_of().happen(tx, task_id, Used(spent))

    return used


def _report(node_id: str, attempt: int, result: Heard) -> Report:
    return read_execution(
        node_id,
        result.content,
        run_status=result.run_status,
        error=result.error,
        attempt=attempt,
        spent=result.spent,
    )
