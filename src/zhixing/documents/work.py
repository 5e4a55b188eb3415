"""What a run is about, and how its files describe it: pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from zhixing.documents import files
from zhixing.documents.artifacts.facts import RunFacts, Trigger, TriggerType
from zhixing.documents.model import Definition
from zhixing.documents.performing import MOST_ROUNDS
from zhixing.documents.reading import read_definition
from zhixing.documents.rows import DocumentRow
from zhixing.documents.run import Run
from zhixing.documents.when import is_shifted, write_when
from zhixing.kernel.moments import zone as find_zone


@dataclass(frozen=True, slots=True)
class Work:
    """A run, the row of its task, and what the file said when it was last read; `zone` is that of its instants."""

    run: Run
    row: DocumentRow
    definition: Definition
    zone: str

    @property
    def folder(self) -> Path:
        """The folder of the run."""
        return files.tasks_folder(self.row.project) / self.row.folder / self.run.id

    @property
    def facts(self) -> RunFacts:
        """What the files of the run say about it."""
        run, definition = self.run, self.definition
        late = 0 if run.due is None or run.started_at is None else int((run.started_at - run.due).total_seconds())
        return RunFacts(
            run_id=run.id,
            task_id=run.task_id,
            title=definition.title,
            session_id=run.session_id,
            kind=definition.kind,
            when=write_when(definition.when),
            task_status=definition.status,
            trigger=Trigger(
                TriggerType(run.cause.value),
                run.reason,
                run.due,
                max(0, late),
                shifted=run.due is not None and is_shifted(definition.when, run.due, find_zone(self.zone)),
            ),
            review=definition.review,
            max_rounds=MOST_ROUNDS if definition.review else 1,
            queued_at=run.queued_at,
            started_at=run.started_at,
            ended_at=run.ended_at,
            attempt=run.attempt,
            zone=self.zone,
            seal=run.seal,
            run_dir=PurePosixPath(self.folder.relative_to(self.row.project)),
        )


def work_of(run: Run, row: DocumentRow | None, zone: str) -> Work | None:
    """Return what a run is about; None where its file is gone or never could be read."""
    if row is None or not row.source:
        return None
    definition = read_definition(row.source)
    return Work(run, row, definition, definition.timezone or zone)


def reason_of(run: Run, error: str, errors: Sequence[str]) -> str | None:
    """Return why an occurrence ended as its run did, in a line; None where there is nothing to say."""
    said = (error or (errors[0] if errors else "")).strip().splitlines()
    return (said[0][:200] if said else run.why) or None
