"""Files that follow the rows: what became of a result goes into run.json, what became of a task into its task.md."""

from __future__ import annotations

from dataclasses import replace

from zhixing.delivery.model import INBOX, Message
from zhixing.delivery.operations import Delivery
from zhixing.documents import files, ledger, rows, telling
from zhixing.documents.artifacts.writer import RunFolder
from zhixing.documents.files import digest_of
from zhixing.documents.model import Manual, Standing
from zhixing.documents.reading import read_definition
from zhixing.documents.rows import DocumentRow
from zhixing.documents.syncing import Syncing
from zhixing.documents.when import write_when
from zhixing.documents.work import work_of
from zhixing.documents.writing import edit_definition
from zhixing.engine.model import Engine, Job, Run
from zhixing.kernel.clock import Clock
from zhixing.kernel.errors import ZhixingError
from zhixing.store.connection import Store, Tx
from zhixing.tasks import store as tasks
from zhixing.tasks.journal import CLOCK
from zhixing.tasks.task import Status, Task

SETTLE = "document.settle"
"""The name of the job that writes what became of a result into run.json. Its payload has `run`."""
REWRITE = "document.rewrite"
"""The name of the job that has a file say what became of its task. Its payload has `task` and `when`."""


class Filing:
    """Writes files after the rows they follow from. Registers handlers, so make it before the engine starts."""

    def __init__(
        self, store: Store, engine: Engine, clock: Clock, *, delivery: Delivery, syncing: Syncing, zone: str
    ) -> None:
        self._store = store
        self._engine = engine
        self._clock = clock
        self._delivery = delivery
        self._syncing = syncing
        self._zone = zone
        engine.register(SETTLE, self._settle)
        engine.register(REWRITE, self._rewrite)

    def told(self, tx: Tx, message: Message) -> None:
        """Note that the fate of a message is known; to be called when it is, for messages of every task."""
        if message.channel != INBOX:
            run_id = ledger.newest_of(tx, message.occurrence_id)
            if run_id is not None:
                self.expect_delivery(tx, run_id, message.id)

    def expect_delivery(self, tx: Tx, run_id: str, mark: str) -> None:
        """Have run.json say how far the delivery of its result is; `mark` tells one change from another."""
        key = f"document:settle:{run_id}:{mark}"
        self._engine.enqueue(tx, Job(SETTLE, key, self._clock.now(), {"run": run_id}, f"settle:{run_id}"))

    def expect_rewrite(self, tx: Tx, task: Task, *, when: str) -> None:
        """Have a file say that its instant `when` has come (`@manual`, paused); without one, how its task is now."""
        key = f"document:rewrite:{task.id}:{task.revision}:{'once' if when else 'status'}"
        self._engine.enqueue(tx, Job(REWRITE, key, self._clock.now(), {"task": task.id, "when": when}))

    def _settle(self, attempt: Run) -> None:
        run_id = str(attempt.job.payload["run"])
        with self._store.read() as tx:
            run = ledger.find(tx, run_id)
            row = None if run is None else rows.of_task(tx, run.task_id)
            messages = [] if run is None else self._delivery.messages(tx, run.occurrence_id)
        work = None if run is None else work_of(run, row, self._zone)
        if work is not None and work.folder.is_dir():
            RunFolder(work.folder, work.facts, self._clock).deliver(telling.delivery_of(work.run, messages))

    def _rewrite(self, attempt: Run) -> None:
        """Change the file; what somebody has changed about it meanwhile is left as it is."""
        fired, task_id = str(attempt.job.payload["when"]), str(attempt.job.payload["task"])
        with self._store.read() as tx:
            row, status = rows.of_task(tx, task_id), tasks.get(tx, task_id).status
        if row is None:
            return
        if status is Status.DELETED:
            self._discard(row)
            return
        with files.locked(row.project):
            try:
                text = files.read_text(row.project, row.folder)
                definition = read_definition(text)
            except ZhixingError:
                return
            if fired and write_when(definition.when) != fired:
                return
            if not fired and (digest_of(text) != row.digest or _agrees(definition.status, status)):
                return
            after = replace(definition, status=_STANDING[status])
            if fired:
                after = replace(definition, when=Manual(), status=Standing.PAUSED)
            files.write_text(row.project, row.folder, edit_definition(text, definition, after))
            self._syncing.take_file(row.project, row.folder, who=CLOCK)

    def _discard(self, row: DocumentRow) -> None:
        """Take the folder of a task away that was deleted by its number."""
        with files.locked(row.project):
            files.discard_folder(row.project, row.folder, self._clock.now().strftime(files.STAMP))
            self._syncing.sync(row.project, who=CLOCK)


_STANDING = {
    Status.ACTIVE: Standing.ENABLED,
    Status.PAUSED: Standing.PAUSED,
    Status.COMPLETED: Standing.DISABLED,
    Status.EXPIRED: Standing.DISABLED,
}


def _agrees(standing: Standing, status: Status) -> bool:
    """Whether a file says how its task is; paused and disabled are one thing to a task."""
    return (standing is Standing.ENABLED) is (status is Status.ACTIVE)
