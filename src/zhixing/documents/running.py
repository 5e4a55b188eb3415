"""Carrying out runs.

A run is begun at most once. Its row says `running` on disk before anything is carried out, so a second attempt that
finds it so knows that its process was cut off: the run becomes `interrupted`, is told of, and is not replayed. What
came of a run is in its folder before the row says so; row and message become true together.
"""

from __future__ import annotations

import logging
import threading
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import count
from pathlib import Path

from zhixing.documents import files, ledger, rows, telling
from zhixing.documents.artifacts.facts import RunStatus
from zhixing.documents.artifacts.folders import make_run_folder
from zhixing.documents.artifacts.names import ARTIFACTS, OUTPUT
from zhixing.documents.artifacts.reading import read_artifact, read_run
from zhixing.documents.artifacts.redacting import redacted
from zhixing.documents.artifacts.writer import RunFolder
from zhixing.documents.ending import Ending
from zhixing.documents.model import OURS, Definition, Kind
from zhixing.documents.performing import Execution, Order, Outcome, Performer, Verdict
from zhixing.documents.processes import ERR_LOG, OUT_LOG
from zhixing.documents.queue import RUN
from zhixing.documents.rows import DocumentRow
from zhixing.documents.run import Run, RunState
from zhixing.documents.scripting import failed
from zhixing.documents.syncing import Syncing
from zhixing.documents.telling import UNWRITTEN
from zhixing.documents.terms import Terms
from zhixing.documents.work import Work, work_of
from zhixing.engine.model import Engine, Job, RetryAt
from zhixing.engine.model import Run as Attempt
from zhixing.kernel.clock import Clock
from zhixing.kernel.errors import Conflict, NotFound, StoreUnavailable, Unavailable, ZhixingError
from zhixing.kernel.wording import wording
from zhixing.store.connection import Store, Tx
from zhixing.tasks.scheduling import Scheduling
from zhixing.world.sandbox.port import MEBIBYTE

_log = logging.getLogger("zhixing.documents")

_GLANCE = 0.1
"""Seconds between looks whether there is room on the disk."""
_GLANCES = 5
"""Of these until it is looked whether somebody called a run off, and what it weighs."""
KEPT = frozenset({*ARTIFACTS, OUT_LOG, ERR_LOG, "transcript.jsonl"})
"""Files that stay of a run that has left too much."""
_LATER = timedelta(seconds=1)
_PATIENCE = timedelta(hours=1)
"""How long what came of a run is kept in memory while it cannot be written down."""
_TIDIED = 50
"""Old runs that are removed at once."""


@dataclass(frozen=True, slots=True)
class Performers:
    """Who carries out which runs."""

    script: Performer
    agent: Performer
    command: Performer
    """Agents that are a command."""


class Running:
    """Carries out the runs of a home. Registers the handler of their jobs, so make it before the engine starts."""

    def __init__(
        self,
        store: Store,
        engine: Engine,
        clock: Clock,
        *,
        scheduling: Scheduling,
        syncing: Syncing,
        ending: Ending,
        performers: Performers,
        terms: Terms,
        zone: str,
    ) -> None:
        self._store = store
        self._clock = clock
        self._scheduling = scheduling
        self._syncing = syncing
        self._ending = ending
        self._performers = performers
        self._terms = terms
        self._zone = zone
        self._stops: dict[str, threading.Event] = {}
        self._guard = threading.Lock()
        self._leaving = threading.Event()
        self._crowded: set[str] = set()
        """Runs that were stopped because a disk was nearly full."""
        engine.register(RUN, self._run, gave_up=self._gave_up)

    def leave(self) -> None:
        """Cut off what runs, because the program ends; each run says so, and no other begins."""
        self._leaving.set()
        with self._guard:
            for stop in self._stops.values():
                stop.set()

    def stop(self, run_id: str) -> None:
        """Let go of a run, if it is carried out here."""
        with self._guard:
            stop = self._stops.get(run_id)
        if stop is not None:
            stop.set()

    def _run(self, attempt: Attempt) -> None:
        run_id = str(attempt.job.payload["run"])
        with self._store.read() as tx:
            run = ledger.get(tx, run_id)
            row = rows.of_task(tx, run.task_id)
        if run.state is RunState.RUNNING:
            self._interrupt(attempt, run, row)
            return
        if not run.state.open:
            return
        if self._leaving.is_set():
            raise RetryAt(self._clock.now() + _LATER, "leaving")
        try:
            if row is None:
                raise NotFound("document_unknown", title=run.task_id)
            row = self._syncing.look(row)
            if row.fault is not None:
                raise row.fault
            _make_folder(row, run)
        except ZhixingError as error:
            self._end_unbegun(attempt, run, row, error)
            return
        with attempt.checkpoint() as tx:
            run = ledger.move(tx, ledger.get(tx, run.id), RunState.RUNNING, now=self._clock.now())
            self._scheduling.start_occurrence(tx, run.occurrence_id)
        work = work_of(run, row, self._zone)
        assert work is not None, "a file that was just read can be read"  # noqa: S101 - for the reader and mypy
        self._carry_out(attempt, work)

    def _carry_out(self, attempt: Attempt, work: Work) -> None:
        record = RunFolder(work.folder, work.facts, self._clock, secrets=self._secrets(work.definition))
        stop, over = threading.Event(), threading.Event()
        with self._guard:
            self._stops[work.run.id] = stop
        if self._leaving.is_set() or work.run.cancel_asked:
            stop.set()
        watching = threading.Thread(target=self._watch, args=(work, stop, over), name="zhixing-run", daemon=True)
        watching.start()
        try:
            outcome = self._outcome(work, record, stop)
        finally:
            over.set()
            watching.join()
            with self._guard:
                del self._stops[work.run.id]
        crowded = work.run.id in self._crowded
        self._crowded.discard(work.run.id)
        if crowded or self._is_heavy(work.folder):
            # Whatever it has brought, the next one must have room; what is left of it says so.
            self._lighten(work.folder)
            key = "disk_full" if crowded else "too_much"
            error = wording(f"documents.{key}", limit=self._terms.folder_bytes // MEBIBYTE)
            outcome = replace(
                outcome, execution=Execution.FAILURE, verdict=Verdict.NOT_CHECKED, error=error, cancelled=False
            )
        elif stop.is_set() and not outcome.succeeded:
            # Whatever broke while it was being stopped: it is not tried again.
            outcome = replace(outcome, cancelled=True)
        self._finish(attempt, work, record, outcome)

    def _outcome(self, work: Work, record: RunFolder, stop: threading.Event) -> Outcome:
        try:
            record.prepare(work.definition)
            return self._performer(work.definition).perform(self._order(work), record, stop)
        except ZhixingError as error:
            return failed(str(error))
        # A performer that breaks is our fault; the run ends all the same, and says so.
        except Exception as error:  # noqa: BLE001
            _log.warning("run %s broke", work.run.id, exc_info=True)
            return failed(wording("documents.broken", detail=type(error).__name__))

    def _is_heavy(self, folder: Path) -> bool:
        """Whether a run has written more than one may."""
        return files.weight(folder, self._terms.folder_bytes) > self._terms.folder_bytes

    @staticmethod
    def _lighten(folder: Path) -> None:
        """Remove what a run has written besides what it is recorded in."""
        for path in files.inside(folder):
            if path.name not in KEPT or path.is_symlink() or not path.is_file():
                files.remove_tree(path)

    def _lacks_room(self, work: Work) -> bool:
        """Whether a disk that we need is nearly full; one that was so before the run is not its doing."""
        return any(files.is_nearly_full(each) for each in (work.folder, *self._terms.hidden[:1]))

    def _watch(self, work: Work, stop: threading.Event, over: threading.Event) -> None:
        """Hear of a run that was called off in another process, and see one that fills the disk."""
        run_id, narrow = work.run.id, self._lacks_room(work)
        for glance in count(1):
            if over.wait(_GLANCE) or stop.is_set():
                return
            if not narrow and self._lacks_room(work):
                self._crowded.add(run_id)
                stop.set()
                return
            if glance % _GLANCES:
                continue
            try:
                with self._store.read() as tx:
                    run = ledger.get(tx, run_id)
                # Another process may have taken it for lost, and ended it.
                called_off = run.cancel_asked or not run.state.open
            except ZhixingError:
                # What matters is looked at again when the run ends.
                _log.warning("cannot see whether run %s was called off", run_id)
            else:
                if called_off or self._is_heavy(work.folder):
                    stop.set()

    def _performer(self, definition: Definition) -> Performer:
        if definition.kind is Kind.SCRIPT:
            return self._performers.script
        return self._performers.command if self._command(definition) else self._performers.agent

    def _command(self, definition: Definition) -> str | None:
        return definition.agent_command or self._terms.agent_command or None

    def _order(self, work: Work) -> Order:
        definition, script = work.definition, work.definition.kind is Kind.SCRIPT
        command = None if script else self._command(definition)
        return Order(
            run_id=work.run.id,
            task_id=work.run.task_id,
            definition=replace(definition, session_id=work.run.session_id),
            folder=work.folder,
            project=work.row.project,
            tasks=files.tasks_folder(work.row.project),
            timeout=definition.timeout or (self._terms.script_timeout if script else self._terms.agent_timeout),
            network=definition.network is not False,
            # A script or a shell sees what the machine sees; only where that was said. Whoever sets an agent of his own
            # needs it for that.
            reaches_out=definition.network is True or (command is not None and definition.network is not False),
            agent_command=command,
            hidden=self._hidden(work.row.project),
            env=self._environment(definition),
            secrets=self._secrets(definition),
        )

    def _hidden(self, project: Path) -> tuple[Path, ...]:
        """Return what is ours, and what belongs to other projects, should they lie in this one."""
        with self._store.read() as tx:
            others = [other for other in rows.projects(tx) if other != project]
        return (*self._terms.hidden, *(other / OURS for other in others))

    def _environment(self, definition: Definition) -> dict[str, str]:
        given = self._terms.environment
        # What is ours opens the home to whoever has it.
        return {name: given[name] for name in definition.env if name in given and not name.startswith("ZHIXING_")}

    def _secrets(self, definition: Definition) -> tuple[str, ...]:
        declared = telling.secret_values(self._environment(definition))
        return tuple(dict.fromkeys((*self._terms.secrets, *declared)))

    # Its end

    def _finish(self, attempt: Attempt, work: Work, record: RunFolder, outcome: Outcome) -> None:
        how = (RunState.SUCCESS, "") if outcome.succeeded else (RunState.FAILURE, "failed")
        if outcome.cancelled:
            cut_off = self._leaving.is_set()
            how = (RunState.INTERRUPTED, "stopped") if cut_off else (RunState.CANCELLED, self._why_called_off(work.run))
            if cut_off:
                outcome = replace(outcome, error=wording("documents.why_stopped"))
        outcome = redacted(outcome, self._secrets(work.definition))
        # Whoever has lost the run to another process does not write into its folder any more.
        with suppress(StoreUnavailable), attempt.checkpoint():
            pass
        at, since = self._clock.now(), self._clock.monotonic()
        while True:
            self._follow(work, record)
            ended, state = self._written(record, outcome, how, at)
            try:
                with attempt.commit() as tx:
                    self._ending.end(tx, work.run.id, work.definition, ended, state)
                break
            except StoreUnavailable:
                # Only this process knows what came of it, so it is kept until there is room, or the database is back.
                if self._leaving.is_set() or self._clock.monotonic() - since > _PATIENCE.total_seconds():
                    raise
                self._clock.wait(self._leaving, _LATER.total_seconds())
        if state != how:
            _log.warning("run %s: %s", work.run.id, ended.error)
        self._tidy(work.run.task_id, record.path.parent)

    def _why_called_off(self, run: Run) -> str:
        try:
            with self._store.read() as tx:
                return ledger.get(tx, run.id).why or "cancelled"
        except ZhixingError:
            return "cancelled"

    @staticmethod
    def _follow(work: Work, record: RunFolder) -> None:
        """Find the folder of a run again, if that of its task got another name while it ran."""
        if record.path.is_dir():
            return
        for name in files.names(work.row.project):
            moved = replace(work, row=replace(work.row, folder=name))
            if moved.folder.is_dir():
                record.move(moved.folder, moved.facts)

    @staticmethod
    def _written(
        record: RunFolder, outcome: Outcome, how: tuple[RunState, str], at: datetime
    ) -> tuple[Outcome, tuple[RunState, str]]:
        """Write the files of a run that has ended; without them it is no success, whatever it did."""
        try:
            record.finish(outcome, RunStatus(how[0].value), at)
        except ZhixingError as error:
            if how[0] is RunState.SUCCESS:
                # What it brought is still told: it would be nowhere otherwise.
                lost = replace(outcome, execution=Execution.FAILURE, verdict=Verdict.NOT_CHECKED, error=str(error))
                return lost, (RunState.FAILURE, UNWRITTEN)
        return outcome, how

    def _interrupt(self, attempt: Attempt, run: Run, row: DocumentRow | None) -> None:
        """End a run whose process is gone. What it did nobody knows, so nothing of it is done again.

        Only where its folder says that it had ended before, that is how it ended.
        """
        work, how = work_of(run, row, self._zone), (RunState.INTERRUPTED, "lost")
        outcome = failed(wording("documents.why_lost"))
        if work is not None and work.folder.is_dir():
            try:
                secrets = self._secrets(work.definition)
                status = RunFolder(work.folder, work.facts, self._clock, secrets=secrets).interrupt(outcome.error)
                if status is RunStatus.SUCCESS:
                    output = read_artifact(work.folder, OUTPUT).text
                    how = (RunState.SUCCESS, "")
                    outcome = Outcome(Execution.SUCCESS, Verdict.VALID, output=output)
                elif status in (RunStatus.FAILURE, RunStatus.CANCELLED):
                    record = read_run(work.folder).record
                    how = (RunState(status.value), "failed" if status is RunStatus.FAILURE else "cancelled")
                    outcome = failed("" if record is None else record.error)
            except ZhixingError as error:
                _log.warning("run %s: %s", run.id, error)
        with attempt.commit() as tx:
            self._ending.end(tx, run.id, None if work is None else work.definition, outcome, how)

    def _end_unbegun(self, attempt: Attempt, run: Run, row: DocumentRow | None, error: ZhixingError) -> None:
        """End a run that cannot begin, and say why."""
        work = work_of(run, row, self._zone)
        outcome = failed(str(error), retryable=isinstance(error, Unavailable))
        with attempt.commit() as tx:
            definition = None if work is None else work.definition
            self._ending.end(tx, run.id, definition, outcome, (RunState.FAILURE, str(error)))

    def _gave_up(self, tx: Tx, job: Job, error: str) -> None:
        run = ledger.find(tx, str(job.payload["run"]))
        if run is None or not run.state.open:
            return
        work = work_of(run, rows.of_task(tx, run.task_id), self._zone)
        outcome = failed(wording("documents.broken", detail=error[:200]))
        state = RunState.INTERRUPTED if run.state is RunState.RUNNING else RunState.FAILURE
        self._ending.end(tx, run.id, None if work is None else work.definition, outcome, (state, "broken"))

    def _tidy(self, task_id: str, folder: Path) -> None:
        """Keep the newest runs of a task, whose folder is where it is now."""
        with self._store.read() as tx:
            old = ledger.behind(tx, task_id, self._terms.kept, _TIDIED)
        if not old:
            return
        for run_id in old:
            files.remove_tree(folder / run_id)
        with self._store.write() as tx:
            ledger.delete(tx, old)


def _make_folder(row: DocumentRow, run: Run) -> None:
    """Make the folder of a run; one that an attempt left which came no further is as good."""
    try:
        make_run_folder(files.tasks_folder(row.project) / row.folder, run.id)
    except Conflict:
        return
