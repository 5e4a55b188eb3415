"""What can be done with document tasks: the actions of document 003, and what they leave out.

An operation on a task changes its file and then takes the file in, so that both ways of changing a task are one. Files
of a project are changed by one writer at a time; who names the revision he has read is refused when it is not there any
more.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from zhixing.documents import files, ledger, rows
from zhixing.documents.chats import Chats, read_session
from zhixing.documents.files import digest_of
from zhixing.documents.findings import Finding
from zhixing.documents.frontmatter import edit_frontmatter, read_frontmatter
from zhixing.documents.lint import lint
from zhixing.documents.model import Definition, Kind, Standing
from zhixing.documents.naming import folder_name, free_name
from zhixing.documents.occasions import Occasions
from zhixing.documents.queue import Queue
from zhixing.documents.reading import definition_of, read_definition, warnings
from zhixing.documents.rows import DocumentRow
from zhixing.documents.run import Cause, Run, RunState
from zhixing.documents.syncing import Syncing
from zhixing.documents.templates import template
from zhixing.documents.terms import Terms
from zhixing.documents.viewing import DocumentView, Viewing
from zhixing.documents.when import warnings_of
from zhixing.documents.writing import write_definition
from zhixing.documents.yamlblock import Value
from zhixing.engine.model import Engine, Job
from zhixing.kernel.clock import Clock
from zhixing.kernel.errors import BadInput, Conflict, NotFound, StoreUnavailable, TooLarge, ZhixingError
from zhixing.store.connection import Store, Tx
from zhixing.store.counters import next_number
from zhixing.tasks import occurrences
from zhixing.tasks.occurrence import OccurrenceState

__all__ = ["LONGEST_REASON", "PROJECT", "Accepted", "Change", "Created", "DocumentView", "Documents"]

_log = logging.getLogger("zhixing.documents")

PROJECT = "document.project"
"""The name of the job that tells whoever watches files of a new project."""
LONGEST_REASON = 500
"""Characters of why somebody runs a task."""
MOST_NAMED = 5
"""Tasks of a strange project that are named."""
LONGEST_NAMED = 40
"""Characters of such a name."""
MOST_WAITING = 1
"""Runs of one task that wait behind the one under way."""


@dataclass(frozen=True, slots=True)
class Created:
    """What came of a wish for a new task. `reused`: there is one of exactly that title, and nothing was changed."""

    view: DocumentView
    reused: bool = False


@dataclass(frozen=True, slots=True)
class Accepted:
    """A run that is in the background: its result is sent by itself (document 003)."""

    run: Run
    title: str
    folder: Path


@dataclass(frozen=True, slots=True)
class Change:
    """What is to be different: fields of the frontmatter as they are written (None: taken out), and the body."""

    fields: Mapping[str, Value | None] = field(default_factory=dict)
    body: str | None = None


class Documents:
    """The document tasks of a home. `zone` is read where a file names none."""

    def __init__(
        self,
        store: Store,
        engine: Engine,
        clock: Clock,
        *,
        syncing: Syncing,
        queue: Queue,
        occasions: Occasions,
        chats: Chats,
        terms: Terms,
        zone: str,
    ) -> None:
        self._store = store
        self._engine = engine
        self._clock = clock
        self._syncing = syncing
        self._queue = queue
        self._occasions = occasions
        self._viewing = Viewing(clock, zone)
        self.chats = chats
        self.terms = terms

    # Projects

    def project(self, path: Path | None) -> Path:
        """Return the project that is meant, None being the home's own, and remember it.

        Raises `BadInput` for a folder that is not there, and `Conflict` for one that nobody has told us of and in which
        tasks are enabled: what came with a download must not begin to run because somebody tried a command there.
        """
        wanted = self.terms.project if path is None else path
        if wanted is None:
            raise BadInput("document_project_missing", path="-")
        if path is None:
            files.make_project(wanted)
        project = files.project_of(wanted)
        if self.is_known(project):
            with self._store.read() as tx:
                empty = rows.is_empty(tx, project)
            if empty:
                # Of a project with tasks, a folder that is not there is one that is away.
                files.make_tasks_folder(project)
            return project
        strange = [] if path is None else [view.title for view in self._viewing.of_files(project) if view.next_runs]
        if strange and project != self._own():
            named = "、".join(f"「{title[:LONGEST_NAMED]}」" for title in strange[:MOST_NAMED])
            raise Conflict("document_project_strange", count=len(strange), titles=named)
        return self.adopt(project)

    def adopt(self, path: Path) -> Path:
        """Remember a project with all that is in it: what is enabled there runs from now on."""
        project = files.project_of(path)
        if project in [files.project_of(each) for each in self.terms.hidden if each.is_dir()]:
            raise BadInput("document_project_home", path=str(project)[:200])
        files.make_tasks_folder(project)
        now = self._clock.now()
        with self._store.write() as tx:
            if rows.add_project(tx, project, now):
                self._engine.enqueue(tx, Job(PROJECT, f"document:project:{project}:{now.isoformat()}", now))
        return project

    def is_known(self, project: Path) -> bool:
        """Whether the files of a project count."""
        with self._store.read() as tx:
            return project in rows.projects(tx)

    def _own(self) -> Path | None:
        own = self.terms.project
        return None if own is None or not own.is_dir() else files.project_of(own)

    def projects(self) -> list[Path]:
        """Return all projects, the oldest first."""
        with self._store.read() as tx:
            return rows.projects(tx)

    def sync(self, project: Path) -> int:
        """Take in what was changed by hand in a project; return how many files that were."""
        count = self._syncing.sync(project)
        self._occasions.end_spent(project)
        return count

    def sync_all(self) -> int:
        """Do the same for all projects, the home's own among them; one that stands in its own way stops no other."""
        count = 0
        own = self._own()
        first = [] if self.terms.project is None else [None]
        for path in (*first, *(each for each in self.projects() if each != own)):
            try:
                count += self.sync(self.project(path))
            except StoreUnavailable:
                raise
            except ZhixingError as error:
                _log.warning("project %s: %s", path, error)
        return count

    # Looking

    def tasks_of(self, project: Path, *, status: Standing | None = None) -> list[DocumentView]:
        """Return the tasks of a project by folder, broken ones included unless a status is asked for.

        Of a project that is not known, what its files say; nothing of it is taken in.
        """
        if self.is_known(project):
            self.sync(project)
            with self._store.read() as tx:
                views = [self._viewing.of_row(tx, row) for row in rows.of_project(tx, project).values()]
        else:
            views = self._viewing.of_files(project)
        if status is None:
            return views
        return [view for view in views if view.definition is not None and view.definition.status is status]

    def titles(self, project: Path) -> list[str]:
        """Return the titles of a known project's tasks, as `tasks_of` has them."""
        self.sync(project)
        with self._store.read() as tx:
            return rows.titles(tx, project)

    def get(self, project: Path, title: str) -> DocumentView:
        """Return a task by its exact title, or the broken one in the folder of that title; raise `NotFound`."""
        if not self.is_known(project):
            wanted = title.strip()
            for view in self._viewing.of_files(project):
                if wanted in (view.title, view.folder) or folder_name(wanted) == view.folder:
                    return view
            raise NotFound("document_unknown", title=wanted[:64])
        self.sync(project)
        with self._store.read() as tx:
            return self._viewing.of_row(tx, self._row(tx, project, title))

    def of_task(self, task_id: str) -> DocumentView:
        """Return a task by its number in the home; raise `NotFound`."""
        with self._store.read() as tx:
            row = rows.of_task(tx, task_id)
            if row is None:
                raise NotFound("document_unknown", title=task_id[:64])
            return self._viewing.of_row(tx, row)

    def seen(self, tx: Tx, task_id: str) -> DocumentView | None:
        """Return the same as `tx` sees it; None where the file of a task is gone."""
        row = rows.of_task(tx, task_id)
        return None if row is None else self._viewing.of_row(tx, row)

    def text(self, view: DocumentView) -> str:
        """Return the text of a task's file as it is now."""
        return files.read_text(view.project, view.folder)

    def validate(self, text: str) -> list[Finding]:
        """Return what is worth a warning about the text of a file; raise what makes it unusable."""
        front = read_frontmatter(text)
        definition = definition_of(front)
        found = [*warnings(front), *warnings_of(definition.when, line=front.lines.get("when", 0))]
        if definition.agent_command is None:
            found += lint(definition.kind, front.body, first_line=front.body_line)
        return found

    # Changing

    def create(self, project: Path, definition: Definition, *, who: str, overwrite: bool = False) -> Created:
        """Make a task, or say that there is one of exactly that title; `overwrite` gives that one the new content.

        An agent task without a body gets the document's template. Raises `BadInput` for what cannot be a task.
        """
        read_session(definition.session_id)
        if not definition.body.strip() and definition.kind is Kind.AGENT:
            definition = replace(definition, body=template(Kind.AGENT))
        text = write_definition(definition)
        definition = read_definition(text)
        self._syncing.check(definition)
        with files.locked(project):
            self.sync(project)
            with self._store.read() as tx:
                known = next(
                    (row for row in rows.titled(tx, project, definition.title) if row.task_id is not None), None
                )
                taken = list(rows.known(tx, project))
            if known is not None and not overwrite:
                return Created(self._shown(known), reused=True)
            if known is not None:
                files.write_text(project, known.folder, text)
                return Created(self._shown(self._taken(project, known.folder, who)))
            folder = free_name(definition.title, [*taken, *files.names(project)])
            files.make_folder(project, folder, text)
            return Created(self._shown(self._taken(project, folder, who)))

    def update(
        self, project: Path, title: str, change: Change, *, who: str, revision: str | None = None
    ) -> DocumentView:
        """Change what is given of a task; what is there and not named stays as it is written.

        With `revision`, refused as a `Conflict` when its file is not that any more.
        """
        with files.locked(project):
            self.sync(project)
            with self._store.read() as tx:
                row = self._row(tx, project, title)
                under_way = row.task_id is not None and bool(ledger.open_of_task(tx, row.task_id))
            text = files.read_text(project, row.folder)
            if revision is not None and revision != digest_of(text):
                raise Conflict("document_changed", title=title[:100])
            edited = edit_frontmatter(text, change.fields, change.body)
            if edited == text:
                return self._shown(row)
            after = read_definition(edited)
            if row.fault is not None or _begins_anew(read_definition(text), after):
                self._syncing.check(after)
            folder = row.folder
            if after.title != row.title:
                self._check_title(project, after.title)
                if under_way:
                    raise Conflict("document_busy_rename", title=row.title)
                folder = self._renamed(project, row, after.title)
            files.write_text(project, folder, edited)
            return self._shown(self._taken(project, folder, who))

    def set_status(self, project: Path, title: str, status: Standing, *, who: str) -> DocumentView:
        """Enable, pause or disable a task; the same again changes nothing."""
        return self.update(project, title, Change({"status": status.value}), who=who)

    def delete(self, project: Path, title: str, *, who: str) -> DocumentView:
        """Take a task away with all its runs; a run under way is cancelled. Return what it was."""
        with files.locked(project):
            self.sync(project)
            with self._store.read() as tx:
                row = self._row(tx, project, title)
            view = self._shown(row)
            stamp = self._clock.now().strftime(files.STAMP)
            files.discard_folder(project, row.folder, stamp)
            self._syncing.sync(project, who=who)
            return view

    # Running

    def run(
        self, project: Path, title: str, *, who: str, reason: str = "", queue: bool = False, session_id: str = ""
    ) -> Accepted:
        """Run a task in the background, whatever its status.

        While a run of it is under way this is a `Conflict` that names that run, unless `queue`: then it runs
        afterwards; at most one waits. `session_id` is the chat that gets the result, if not the task's own.
        """
        if len(reason) > LONGEST_REASON:
            raise TooLarge("document_reason_long", limit=LONGEST_REASON)
        self.sync(project)
        with self._store.read() as tx:
            row = self._row(tx, project, title)
        if row.fault is not None:
            raise row.fault
        definition = read_definition(row.source)
        if row.task_id is None:
            raise NotFound("document_unknown", title=title[:64])
        # What a file says is taken as it is, as its schedule takes it.
        session = read_session(session_id) if session_id else definition.session_id
        now = self._clock.now()
        with self._store.write() as tx:
            going = ledger.open_of_task(tx, row.task_id)
            if len(going) == 1 and going[0].state is RunState.QUEUED and going[0].ready_at > now:
                # It waits for another try: that one comes now.
                run = self._queue.hurry(tx, going[0], who=who, session_id=session, reason=reason)
                return Accepted(run, definition.title, files.tasks_folder(project) / row.folder / run.id)
            if going and not queue:
                raise Conflict("document_running", title=definition.title, run=going[0].id)
            if sum(run.state is RunState.QUEUED for run in going) >= MOST_WAITING:
                raise Conflict("document_waiting", title=definition.title, run=going[-1].id)
            # Numbered: the clock may show the instant of an earlier one again.
            key = str(next_number(tx, "document_by_hand"))
            made = occurrences.new(row.task_id, "manual", key, now, OccurrenceState.CLAIMED, now=now)
            occurrence = occurrences.add(tx, made, now=now, who=who) or made
            run = self._queue.enter(
                tx,
                task_id=row.task_id,
                occurrence_id=occurrence.id,
                cause=Cause.MANUAL,
                who=who,
                session_id=session,
                reason=reason,
            )
        return Accepted(run, definition.title, files.tasks_folder(project) / row.folder / run.id)

    def cancel(self, run_id: str, *, who: str) -> Run:
        """Call off a run: one that waits at once, one that runs as soon as it lets go; one that has ended stays so."""
        with self._store.write() as tx:
            run = ledger.get(tx, run_id)
            if not run.state.open:
                return run
            called_off = self._occasions.call_off(tx, run, who=who, why="cancelled")
            self._queue.pump(tx)
            return called_off

    def find_run(self, run_id: str) -> Run:
        """Return a run; raise `NotFound`."""
        with self._store.read() as tx:
            return ledger.get(tx, run_id)

    def runs(self, *, task_id: str | None = None, limit: int = 50, before: str | None = None) -> Sequence[Run]:
        """Return runs, the newest first: of a task, or of all."""
        with self._store.read() as tx:
            return ledger.page(tx, task_id=task_id, limit=limit, before=before)

    def run_folder(self, run: Run) -> Path:
        """Return the folder of a run; raise `NotFound` when its task is gone."""
        with self._store.read() as tx:
            row = rows.of_task(tx, run.task_id)
        if row is None:
            raise NotFound("document_unknown", title=run.task_id)
        return files.tasks_folder(row.project) / row.folder / run.id

    def next_runs(self, view: DocumentView, count: int) -> list[datetime]:
        """Return the next instants at which a task would run, were it enabled, in its zone."""
        return self._viewing.next_runs(view, count)

    # Inside

    def _shown(self, row: DocumentRow) -> DocumentView:
        with self._store.read() as tx:
            return self._viewing.of_row(tx, row)

    def _taken(self, project: Path, folder: str, who: str) -> DocumentRow:
        row = self._syncing.take_file(project, folder, who=who)
        if row.fault is not None:
            raise row.fault
        return row

    def _row(self, tx: Tx, project: Path, title: str) -> DocumentRow:
        """Return the row that a title means (downcity.md §1.4: exact, else the folder of that title)."""
        wanted = title.strip()
        titled = rows.titled(tx, project, wanted)
        found = next((row for row in titled if row.fault is None), None) or next(iter(titled), None)
        found = found or rows.find(tx, project, wanted) or rows.find(tx, project, folder_name(wanted))
        if found is None:
            raise NotFound("document_unknown", title=wanted[:64])
        return found

    def _check_title(self, project: Path, title: str) -> None:
        with self._store.read() as tx:
            for other in rows.titled(tx, project, title):
                raise Conflict("document_title_taken", title=title, folder=other.folder)

    def _renamed(self, project: Path, row: DocumentRow, title: str) -> str:
        with self._store.read() as tx:
            others = [name for name in rows.known(tx, project) if name != row.folder]
        folder = free_name(title, [*others, *(name for name in files.names(project) if name != row.folder)])
        if folder != row.folder:
            files.rename_folder(project, row.folder, folder)
            with self._store.write() as tx:
                rows.relocate(tx, row, folder)
        return folder


def _begins_anew(before: Definition, after: Definition) -> bool:
    """Whether a change lets instants count that did not before."""
    enabled = after.status is Standing.ENABLED and before.status is not Standing.ENABLED
    return enabled or after.when != before.when or after.expires_at != before.expires_at
