"""A run, written while it goes: after every single write its folder says something true.

`run.json` decides. It is there first and says `running`; how the run ended it says only when every other artifact is
there. A program that dies between two writes thus leaves a run that has ended, or one that nobody carries out any more,
which `interrupt` closes.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from zhixing.documents.artifacts.atomic import Replace, regain, remove_file, replace_file, swap_file, sweep
from zhixing.documents.artifacts.facts import Course, Delivery, Event, RunFacts, RunStatus
from zhixing.documents.artifacts.names import ARTIFACTS, DIALOGUE, ERROR, INPUT, OUTPUT, PROGRESS, RESULT, ROUNDS, RUN
from zhixing.documents.artifacts.pages import dialogue_md, error_md, error_text, input_md, output_md, result_md
from zhixing.documents.artifacts.reading import list_artifacts, read_artifact, read_document, read_run
from zhixing.documents.artifacts.records import (
    LONGEST_NOTE,
    MOST_EVENTS,
    SEAL,
    delivery_block,
    dialogue_json,
    keeps_dialogue,
    progress_json,
    run_json,
)
from zhixing.documents.artifacts.redacting import redacted, redacted_definition, redacted_facts
from zhixing.documents.artifacts.texts import as_json, hide, shortened
from zhixing.documents.artifacts.views import RunView
from zhixing.documents.model import Definition
from zhixing.documents.performing import Execution, Outcome, Phase, Verdict
from zhixing.kernel.clock import Clock
from zhixing.kernel.errors import NotFound, Unavailable
from zhixing.kernel.wording import Language, wording

MOST_PROBLEMS = 10
"""Failed writes of progress that are remembered."""


class RunFolder:
    """The folder of one run, which exists. It is a `Progress`; several threads may report.

    `secrets` are kept out of every file. `keep` writes what has to outlast a power failure, `show` what need not.
    """

    def __init__(
        self,
        path: Path,
        facts: RunFacts,
        clock: Clock,
        *,
        secrets: Sequence[str] = (),
        language: Language = "zh",
        keep: Replace = replace_file,
        show: Replace = swap_file,
    ) -> None:
        self.path = path
        self._secrets = tuple(secrets)
        self._facts = redacted_facts(facts, self._secrets)
        self._clock = clock
        self._language = language
        self._keep = keep
        self._show = show
        self._lock = threading.RLock()
        self._closed = False
        self._events: tuple[Event, ...] = ()
        self._problems: tuple[str, ...] = ()

    @property
    def problems(self) -> tuple[str, ...]:
        """What went wrong with reporting progress, which ends no run."""
        return self._problems

    def prepare(self, definition: Definition) -> None:
        """Write what is known before anything runs. Raises `Unavailable`: then nothing should run."""
        with self._lock:
            self._put(RUN, run_json(self._facts, self._status, None, Delivery()))
            definition = redacted_definition(definition, self._secrets)
            self._put(INPUT, input_md(self._facts, definition, self._language))
            key = "note_queued" if self._status is RunStatus.QUEUED else "note_preparing"
            self.note(Phase.PREPARING, wording(f"document_runs.{key}", self._language))

    def begin(self, started_at: datetime, attempt: int) -> None:
        """Say that the run starts, for the `attempt`-th time. What an earlier one left goes. Raises `Unavailable`."""
        with self._lock:
            self._facts = replace(self._facts, started_at=started_at, ended_at=None, attempt=attempt)
            self._closed = False
            self._put(RUN, run_json(self._facts, RunStatus.RUNNING, None, Delivery()))
            for name in (RESULT, OUTPUT, ERROR, ROUNDS, DIALOGUE):
                remove_file(self.path / name)
            self.note(Phase.PREPARING, wording("document_runs.note_preparing", self._language))

    def note(self, phase: Phase, message: str, *, round_number: int | None = None) -> None:
        """Report one line of progress; after the end of the run, nothing. A line that cannot be written is no error."""
        with self._lock:
            if self._closed:
                return
            self._add(phase, message, round_number)
            self._show_progress(self._status, None)

    def finish(self, outcome: Outcome, status: RunStatus, ended_at: datetime, delivery: Delivery | None = None) -> None:
        """Write what came of the run, in the order of downcity.md §3.2, with `run.json` last.

        Raises `Unavailable` when a file cannot be written. The run then counts as failed for that reason, whatever the
        outcome was, and the files say so as far as they can still be written; at worst `run.json` still says `running`.
        """
        with self._lock:
            self.note(Phase.WRITING, wording("document_runs.note_writing", self._language))
            self._closed = True
            self._facts = replace(self._facts, ended_at=ended_at)
            told = delivery or Delivery()
            outcome = redacted(outcome, self._secrets)
            try:
                regain(self.path, ARTIFACTS)
                self._write_outcome(outcome, status)
                self._put(RUN, run_json(self._facts, status, outcome, told))
            except Unavailable as error:
                reasons = (str(error), outcome.error.strip())
                self._give_up(replace(outcome, error="\n".join(filter(None, reasons))), told)
                raise
            self._end_progress(status, outcome)

    def move(self, path: Path, facts: RunFacts) -> None:
        """Go on in another place: somebody has given the folder another name."""
        with self._lock:
            self.path = path
            self._facts = replace(self._facts, run_dir=redacted_facts(facts, self._secrets).run_dir)

    def deliver(self, delivery: Delivery) -> None:
        """Say in `run.json` what became of telling the result; all else in it stays as it is. Raises `Unavailable`."""
        with self._lock:
            document = read_document(self.path, RUN)
            document["delivery"] = delivery_block(delivery, self._facts.zone)
            self._put(RUN, as_json(document))

    def interrupt(self, why: str) -> RunStatus:
        """Close a run that nobody carries out any more, and return what it is now.

        That is `interrupted`, unless `run.json` has already said how it ended, under our seal: then the program died
        between the files and the ledger, the files stay, and the ledger can follow them. `output.md` stays if there is
        one. Nobody else may be using the folder. Raises `Unavailable` when there is no folder, or no room in it.
        """
        with self._lock:
            self._closed = True
            sweep(self.path)
            found = self._found()
            self._events = (*(() if found.progress is None else found.progress.events), *self._events)
            record = found.record
            if record is not None and record.status is not None and record.status.ended and self._is_sealed():
                if found.progress is None or found.progress.status is not record.status:
                    self._facts = replace(self._facts, ended_at=record.ended_at)
                    self._end_progress(record.status, None)
                return record.status
            self._facts = replace(self._facts, ended_at=self._clock.now())
            outcome = redacted(
                Outcome(Execution.FAILURE, Verdict.NOT_CHECKED, output=self._output(found), error=why), self._secrets
            )
            regain(self.path, ARTIFACTS)
            self._explain(outcome, RunStatus.INTERRUPTED)
            self._put(RUN, run_json(self._facts, RunStatus.INTERRUPTED, outcome, Delivery()))
            self._end_progress(RunStatus.INTERRUPTED, outcome)
            return RunStatus.INTERRUPTED

    @property
    def _status(self) -> RunStatus:
        return RunStatus.QUEUED if self._facts.started_at is None else RunStatus.RUNNING

    def _write_outcome(self, outcome: Outcome, status: RunStatus) -> None:
        self._put(OUTPUT, output_md(outcome))
        error = error_text(outcome)
        if status is RunStatus.SUCCESS:
            remove_file(self.path / ERROR)
        else:
            reason = error or wording(f"document_runs.status_{status.value}", self._language)
            self._put(ERROR, error_md(reason, self._language))
        if keeps_dialogue(self._facts):
            self._put(ROUNDS, dialogue_json(self._facts, outcome.rounds))
            self._put(DIALOGUE, dialogue_md(self._facts, outcome.rounds, self._language))
        self._put_result(outcome, status)

    def _give_up(self, outcome: Outcome, delivery: Delivery) -> None:
        """Say as far as it can be written that the run failed."""
        status = RunStatus.FAILURE
        with contextlib.suppress(Unavailable):
            remove_file(self.path / RESULT)  # it makes room, and may speak of success
        with contextlib.suppress(Unavailable):
            self._put(RUN, run_json(self._facts, status, outcome, delivery))
        self._explain(outcome, status)
        self._end_progress(status, outcome)

    def _explain(self, outcome: Outcome, status: RunStatus) -> None:
        """Write why there is no result, if there is room; a summary that says otherwise does not stay."""
        with contextlib.suppress(Unavailable):
            self._put(ERROR, error_md(error_text(outcome), self._language))
        try:
            self._put_result(outcome, status)
        except Unavailable:
            with contextlib.suppress(Unavailable):
                remove_file(self.path / RESULT)

    def _put(self, name: str, data: bytes) -> None:
        self._keep(self.path / name, data)

    def _put_result(self, outcome: Outcome, status: RunStatus) -> None:
        names = [listed.name for listed in list_artifacts(self.path)]
        self._put(RESULT, result_md(self._facts, status, outcome, names, self._language))

    def _add(self, phase: Phase, message: str, round_number: int | None) -> None:
        text = shortened(hide(message, self._secrets), LONGEST_NOTE)
        event = Event(self._clock.now(), phase.value, text, round_number)
        self._events = (*self._events, event)[-MOST_EVENTS:]

    def _end_progress(self, status: RunStatus, outcome: Outcome | None) -> None:
        words = wording(f"document_runs.status_{status.value}", self._language)
        self._add(Phase.COMPLETED, wording("document_runs.note_ended", self._language, status=words), None)
        self._show_progress(status, outcome)

    def _show_progress(self, status: RunStatus, outcome: Outcome | None) -> None:
        try:
            self._show(self.path / PROGRESS, progress_json(self._facts, Course(status, self._events), outcome))
        except Unavailable as error:
            self._problems = (*self._problems, str(error))[:MOST_PROBLEMS]

    def _found(self) -> RunView:
        try:
            return read_run(self.path)
        except NotFound as error:
            raise Unavailable(
                "artifact_unwritable", file=self.path.name, why=wording("document_runs.why_gone")
            ) from error

    def _is_sealed(self) -> bool:
        """Whether we wrote what `run.json` says: a script may have written anything."""
        return read_document(self.path, RUN).get(SEAL, "") == self._facts.seal

    def _output(self, found: RunView) -> str:
        """Return the beginning of the output that is there, for the summary."""
        if not found.has(OUTPUT):
            return ""
        with contextlib.suppress(Unavailable, NotFound):
            return read_artifact(self.path, OUTPUT).text
        return ""
