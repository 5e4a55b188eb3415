"""How a task stands: by the row of its file, or, where nothing of a project is taken in, by the file alone."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from zhixing.documents import files, ledger
from zhixing.documents.files import digest_of
from zhixing.documents.model import FILE, Definition, Standing
from zhixing.documents.reading import read_definition
from zhixing.documents.rows import DocumentRow
from zhixing.documents.run import Run, RunState
from zhixing.documents.syncing import PART
from zhixing.documents.when import next_runs
from zhixing.kernel.clock import Clock
from zhixing.kernel.errors import ZhixingError
from zhixing.kernel.moments import zone as find_zone
from zhixing.store.connection import Tx
from zhixing.tasks.schedule import store as schedules

SHOWN_RUNS = 3
"""Next instants that are shown of a task."""


@dataclass(frozen=True, slots=True)
class DocumentView:
    """A task as it stands.

    `definition` is None where the file cannot be read as a task; `fault` says why. `revision` is that of the file.
    `next_runs` are in the zone of the task, and empty unless it is enabled. `active` is the run that is promised or
    runs, `waiting` are those behind it, `last` is the newest that has ended.
    """

    project: Path
    folder: str
    task_id: str | None
    title: str
    revision: str
    definition: Definition | None
    fault: ZhixingError | None
    zone: str
    next_runs: tuple[datetime, ...] = ()
    active: Run | None = None
    waiting: tuple[Run, ...] = ()
    last: Run | None = None

    @property
    def file(self) -> Path:
        """Where its task.md is."""
        return files.tasks_folder(self.project) / self.folder / FILE


class Viewing:
    """Looks at tasks. `zone` is read where a file names none."""

    def __init__(self, clock: Clock, zone: str) -> None:
        self._clock = clock
        self._zone = zone

    def of_row(self, tx: Tx, row: DocumentRow) -> DocumentView:
        """Return a task whose file was taken in."""
        definition = read_definition(row.source) if row.fault is None else None
        schedule = None if row.task_id is None else schedules.find_part(tx, row.task_id, PART)
        named = definition.timezone if definition is not None else None
        zone = named or (self._zone if schedule is None else schedule.zone)
        going = [] if row.task_id is None else ledger.open_of_task(tx, row.task_id)
        ended = [] if row.task_id is None else ledger.page(tx, task_id=row.task_id, limit=len(going) + 1)
        return DocumentView(
            project=row.project,
            folder=row.folder,
            task_id=row.task_id,
            title=row.title,
            revision=row.digest,
            definition=definition,
            fault=row.fault,
            zone=zone,
            next_runs=self._next(definition, zone),
            active=next((run for run in going if run.state is not RunState.QUEUED), None),
            waiting=tuple(run for run in going if run.state is RunState.QUEUED),
            last=next((run for run in ended if not run.state.open), None),
        )

    def of_files(self, project: Path) -> list[DocumentView]:
        """Read the files of a project without taking them in."""
        return [self._of_file(project, each.folder) for each in files.scan(project, self._clock.now()) or ()]

    def next_runs(self, view: DocumentView, count: int) -> list[datetime]:
        """Return the next instants at which a task would run, were it enabled, in its zone."""
        if view.definition is None:
            return []
        return next_runs(view.definition.when, find_zone(view.zone), self._clock.now(), count)

    def _of_file(self, project: Path, folder: str) -> DocumentView:
        text, fault, definition = "", None, None
        try:
            text = files.read_text(project, folder)
            definition = read_definition(text)
        except ZhixingError as error:
            fault = error
        zone = (definition.timezone if definition is not None else None) or self._zone
        return DocumentView(
            project=project,
            folder=folder,
            task_id=None,
            title=folder if definition is None else definition.title,
            revision=digest_of(text),
            definition=definition,
            fault=fault,
            zone=zone,
            next_runs=self._next(definition, zone),
        )

    def _next(self, definition: Definition | None, zone: str) -> tuple[datetime, ...]:
        if definition is None or definition.status is not Standing.ENABLED:
            return ()
        return tuple(next_runs(definition.when, find_zone(zone), self._clock.now(), SHOWN_RUNS))
