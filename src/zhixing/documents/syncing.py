"""From files to tasks: whatever a task.md says counts from the moment it is read, whoever wrote it.

The file is the truth and the rows follow. What cannot be read stays in the list with its fault; the schedule it had
goes on ticking, and each tick says that the file is broken, so that nothing is missed in silence. A folder that is gone
ends its task; one that was given another name by hand keeps it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from zhixing.documents import files, ledger, rows
from zhixing.documents.files import digest_of
from zhixing.documents.model import Definition, Manual, Once, Overlap, Standing
from zhixing.documents.reading import read_definition
from zhixing.documents.rows import DocumentRow
from zhixing.kernel.clock import Clock
from zhixing.kernel.errors import BadInput, NotFound, ZhixingError
from zhixing.store.connection import Store, Tx
from zhixing.tasks import store as tasks_store
from zhixing.tasks.operations import Tasks
from zhixing.tasks.schedule import model as schedule_model
from zhixing.tasks.schedule import store as schedules
from zhixing.tasks.schedule.model import Action, Schedule, Trigger
from zhixing.tasks.schedule.policy import GRACE
from zhixing.tasks.scheduling import Scheduling
from zhixing.tasks.task import PERMANENT, Status, Task, Way, until

DUE = "document.due"
"""The name of the job of a scheduled instant. Its payload has `occurrence`, `task` and `due`."""
PART = "when"
"""The part of a task that its schedule is."""
FILE_AUTHOR = "file"
"""Who changes a task by changing its file."""
_AGAIN = 5
"""Times that a file is read which changes while it is taken in."""

_OVERLAP = {
    Overlap.SKIP: schedule_model.Overlap.SKIP,
    Overlap.QUEUE: schedule_model.Overlap.QUEUE,
    # The run under way is cancelled when the instant is taken up.
    Overlap.REPLACE: schedule_model.Overlap.PARALLEL,
}


class Syncing:
    """Takes in the files of projects. `zone` is read where a file names none."""

    def __init__(self, store: Store, clock: Clock, tasks: Tasks, scheduling: Scheduling, zone: str) -> None:
        self._store = store
        self._clock = clock
        self._tasks = tasks
        self._scheduling = scheduling
        self._zone = zone

    def sync(self, project: Path, *, who: str = FILE_AUTHOR) -> int:
        """Take in what has changed in a project; return how many files that were.

        A folder of tasks that is not there is a disk that is away, not a project without tasks: nothing of it ends.
        """
        scanned = files.scan(project, self._clock.now())
        if scanned is None:
            return 0
        found = {one.folder: one.stamp for one in scanned}
        with self._store.read() as tx:
            known = rows.known(tx, project)
        gone = {folder for folder in known if folder not in found}
        count = 0
        for folder, stamp in found.items():
            before = known.get(folder)
            # What is wrong may lie outside of the file: a title that another one has, an instant that was too early.
            if before is None or before.faulty or not stamp or before.stamp != stamp:
                count += self._take_file(_Place(project, folder, stamp), gone, who)
        for folder in gone:
            count += self._let_go(project, folder, who)
        return count

    def check(self, definition: Definition) -> None:
        """Refuse before anything is written what would be refused when it is taken in: what lies in the past."""
        now = self._clock.now()
        if isinstance(definition.when, Once) and definition.when.at.at < now - GRACE:
            late = round((now - definition.when.at.at).total_seconds() / 60)
            raise BadInput("document_time_past", at=definition.when.text, minutes=late)
        if definition.expires_at is not None and definition.expires_at <= now:
            raise BadInput("lifecycle_over")

    def take_file(self, project: Path, folder: str, *, who: str) -> DocumentRow:
        """Take in one file, now; return its row. Raises `NotFound` when it is not there."""
        stamp = files.stamp_of(project, folder, self._clock.now())
        self._take_file(_Place(project, folder, stamp), set(), who)
        with self._store.read() as tx:
            row = rows.find(tx, project, folder)
        if row is None or not files.is_there(project, folder):
            raise NotFound("document_file_gone", folder=folder)
        return row

    def look(self, row: DocumentRow) -> DocumentRow:
        """Take in the file of a row as it is now, also under another name of its folder. Raises as `take_file`."""
        if files.is_there(row.project, row.folder) or row.task_id is None:
            return self.take_file(row.project, row.folder, who=FILE_AUTHOR)
        self.sync(row.project)
        with self._store.read() as tx:
            found = rows.of_task(tx, row.task_id)
        if found is None or not files.is_there(found.project, found.folder):
            raise NotFound("document_file_gone", folder=row.folder)
        return found

    def _take_file(self, place: _Place, gone: set[str], who: str) -> bool:
        """Take in a file; return whether there was news. `gone` are folders that are there no more."""
        news = False
        for _ in range(_AGAIN):
            text, new = self._take_text(place, gone, who)
            news = news or new
            # Who wrote it meanwhile may have had his text taken in before ours: the last word is what stands there.
            if not new or text is None or self._stands(place, text):
                break
            place = replace(place, stamp="")
        return news

    def _stands(self, place: _Place, text: str) -> bool:
        try:
            return files.read_text(place.project, place.folder) == text
        except ZhixingError:
            return True

    def _take_text(self, place: _Place, gone: set[str], who: str) -> tuple[str | None, bool]:
        """Take in the text of a file once; return it (None: it cannot be read) and whether there was news."""
        text, fault, definition = None, None, None
        try:
            text = files.read_text(place.project, place.folder)
            definition = read_definition(text)
        except NotFound:
            return None, False
        except ZhixingError as error:
            fault = error
        digest = digest_of(text or "")
        with self._store.read() as tx:
            known = rows.find(tx, place.project, place.folder)
        if text is not None and definition is not None:
            if known is not None and known.digest == digest and known.fault is None:
                self._restamp(known, place)
                return text, False
            try:
                with self._store.write() as tx:
                    self._take(tx, _Read(place, text, definition), gone, who)
            except ZhixingError as error:
                fault = error
            else:
                return text, True
        return text, fault is not None and self._note_fault(known, place, digest, fault)

    def _note_fault(self, known: DocumentRow | None, place: _Place, digest: str, fault: ZhixingError) -> bool:
        if known is not None and known.digest == digest and str(known.fault) == str(fault):
            self._restamp(known, place)
            return False
        with self._store.write() as tx:
            # Whoever has taken the file in meanwhile may have made its task.
            row = rows.find(tx, place.project, place.folder)
            row = row or DocumentRow(place.project, place.folder, None, place.folder, "", "", "")
            rows.save(tx, replace(row, digest=digest, stamp=place.stamp, fault=fault))
        return True

    def _restamp(self, known: DocumentRow, place: _Place) -> None:
        if known.stamp != place.stamp:
            with self._store.write() as tx:
                rows.restamp(tx, known, place.stamp)

    def _take(self, tx: Tx, read: _Read, gone: set[str], who: str) -> None:
        place, definition = read.place, read.definition
        row = rows.find(tx, place.project, place.folder)
        for other in rows.titled(tx, place.project, definition.title):
            if other.folder == place.folder or other.task_id is None:
                continue
            if other.folder not in gone or row is not None:
                raise BadInput("document_title_taken", title=definition.title, folder=other.folder)
            # The folder was given another name by hand.
            gone.discard(other.folder)
            rows.relocate(tx, other, place.folder)
            row = replace(other, folder=place.folder)
        task = None if row is None or row.task_id is None else tasks_store.find(tx, row.task_id)
        if task is None or task.status is Status.DELETED:
            task = self._create(tx, definition, who)
        else:
            task = self._follow(tx, task, definition, who)
        self._schedule(tx, task, _Terms(definition, self._zone_of(tx, task, row, definition)), who)
        digest = digest_of(read.text)
        rows.save(
            tx, DocumentRow(place.project, place.folder, task.id, definition.title, read.text, digest, place.stamp)
        )

    def _create(self, tx: Tx, definition: Definition, who: str) -> Task:
        lifecycle = PERMANENT if definition.expires_at is None else until(definition.expires_at)
        made = self._tasks.create(
            tx,
            title=definition.title,
            description=definition.description,
            way=Way.DOCUMENT,
            zone_name=definition.timezone or self._zone,
            who=who,
            lifecycle=lifecycle,
        )
        return made if definition.status is Standing.ENABLED else self._tasks.pause(tx, made.id, who=who)

    def _follow(self, tx: Tx, task: Task, definition: Definition, who: str) -> Task:
        """Have a task be what its file says."""
        if task.status not in (Status.ACTIVE, Status.PAUSED):
            if definition.status is not Standing.ENABLED:
                return task
            # What has ended does not come to life again; its history goes on under another number.
            made = self._create(tx, definition, who)
            ledger.hand_over(tx, task.id, made.id)
            return made
        if task.title != " ".join(definition.title.split()):
            task = self._tasks.rename(tx, task.id, definition.title, who=who)
        if task.description != definition.description:
            data: dict[str, Any] = {"description": {"from": task.description, "to": definition.description}}
            task = self._tasks.revise(tx, task.id, who=who, data=data, description=definition.description)
        if task.lifecycle.expires_at != definition.expires_at:
            task = self._tasks.limit(tx, task.id, definition.expires_at, who=who)
        wanted = Status.ACTIVE if definition.status is Standing.ENABLED else Status.PAUSED
        if task.status is wanted:
            return task
        change = self._tasks.resume if wanted is Status.ACTIVE else self._tasks.pause
        return change(tx, task.id, who=who)

    def _zone_of(self, tx: Tx, task: Task, row: DocumentRow | None, definition: Definition) -> str:
        """Return the zone of a task: what its file names, else the one of the home when it was made (T22)."""
        if definition.timezone is not None:
            return definition.timezone
        schedule = schedules.find_part(tx, task.id, PART)
        unnamed = row is not None and row.source and read_definition(row.source).timezone is None
        return schedule.zone if schedule is not None and unnamed else self._zone

    def _schedule(self, tx: Tx, task: Task, terms: _Terms, who: str) -> None:
        definition, zone = terms.definition, terms.zone
        schedule, trigger = schedules.find_part(tx, task.id, PART), trigger_of(definition)
        if trigger is None:
            if schedule is not None:
                self._scheduling.remove(tx, schedule.id, who=who)
            return
        overlap = _OVERLAP[definition.overlap]
        if schedule is None:
            self._scheduling.add(
                tx,
                task.id,
                part=PART,
                trigger=trigger,
                zone_name=zone,
                action=Action(DUE),
                who=who,
                missed=definition.missed,
                overlap=overlap,
            )
        elif not _says_the_same(schedule, trigger, zone, definition):
            self._scheduling.reschedule(
                tx,
                schedule.id,
                trigger=trigger,
                zone_name=zone,
                missed=definition.missed,
                overlap=overlap,
                who=who,
            )

    def _let_go(self, project: Path, folder: str, who: str) -> bool:
        """End the task of a file that is gone."""
        with self._store.write() as tx:
            row = rows.find(tx, project, folder)
            if row is None or files.is_there(project, folder):
                return False
            rows.delete(tx, row)
            if row.task_id is not None and tasks_store.get(tx, row.task_id).status is not Status.DELETED:
                self._tasks.delete(tx, row.task_id, who=who, why="document_file_gone")
        return True


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a file is, and what it looks like from outside."""

    project: Path
    folder: str
    stamp: str


@dataclass(frozen=True, slots=True)
class _Read:
    """A file that could be read as a task."""

    place: _Place
    text: str
    definition: Definition


@dataclass(frozen=True, slots=True)
class _Terms:
    """What a task is scheduled by."""

    definition: Definition
    zone: str


def trigger_of(definition: Definition) -> Trigger | None:
    """Return what a definition is started by; None for one that is only started by hand."""
    match definition.when:
        case Manual():
            return None
        case Once(at):
            return at
        case cron:
            return cron


def _says_the_same(schedule: Schedule, trigger: Trigger, zone: str, definition: Definition) -> bool:
    return (
        schedule.trigger == trigger
        and schedule.zone == zone
        and schedule.missed is definition.missed
        and schedule.overlap is _OVERLAP[definition.overlap]
    )
