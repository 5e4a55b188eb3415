"""Tasks that are rules of a hub: what happens to the task happens to the rule, as a job, and the other way round."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from zhixing.engine.model import Engine, Job, Retry, Run
from zhixing.graphs.hubs.outcomes import Outcome
from zhixing.graphs.operations import Graphs
from zhixing.kernel.clock import Clock
from zhixing.kernel.errors import NotFound, Unavailable
from zhixing.store.connection import Store, Tx
from zhixing.tasks import journal
from zhixing.tasks import store as tasks_store
from zhixing.tasks.journal import CLOCK, Kind
from zhixing.tasks.operations import Tasks
from zhixing.tasks.task import Status, Task, Way

FOLLOW: Final = "graph.follow"
"""The name of the job that has a rule be what its task is. Its payload has `task`."""
GATEWAY: Final = "gateway"
"""Who changes a task whose rule was changed on the hub."""

_RETRY = Retry(attempts=8, first=timedelta(seconds=5), factor=4.0, longest=timedelta(hours=1))


@dataclass(frozen=True, slots=True)
class Linked:
    """Which rule of which hub a task is."""

    task_id: str
    hub: str
    graph_id: str


class Following:
    """Keeps tasks and rules at one. Make it before the engine starts."""

    def __init__(self, store: Store, engine: Engine, clock: Clock, *, graphs: Graphs, tasks: Tasks) -> None:
        self._store = store
        self._engine = engine
        self._clock = clock
        self._graphs = graphs
        self._tasks = tasks
        engine.register(FOLLOW, self._follow, _RETRY, self._gave_up)
        graphs.tell(self.rule_changed)

    def link(self, tx: Tx, task_id: str, hub: str, graph_id: str) -> None:
        """Let a task be a rule from now on."""
        tx.execute("INSERT INTO graph_tasks (task_id, hub, graph_id) VALUES (?, ?, ?)", (task_id, hub, graph_id))

    def linked(self, tx: Tx, task_id: str) -> Linked | None:
        """Return which rule a task is."""
        row = tx.row("SELECT task_id, hub, graph_id FROM graph_tasks WHERE task_id = ?", (task_id,))
        return None if row is None else Linked(*row)

    def on_status_change(self, tx: Tx, _before: Task, after: Task) -> None:
        """Have the rule follow its task."""
        if after.way is Way.GRAPH and self.linked(tx, after.id) is not None:
            key = f"graph:{after.id}:{after.revision}"
            self._engine.enqueue(tx, Job(FOLLOW, key, self._clock.now(), {"task": after.id}, f"graph:{after.id}"))

    def rule_changed(self, hub: str, graph_id: str, enabled: bool | None) -> None:  # noqa: FBT001 - what became of it
        """Have the task of a rule follow it; `enabled` is None for a rule that is gone."""
        with self._store.write() as tx:
            row = tx.row("SELECT task_id FROM graph_tasks WHERE hub = ? AND graph_id = ?", (hub, graph_id))
            task = None if row is None else tasks_store.find(tx, row[0])
            if task is None or task.status is Status.DELETED:
                return
            if enabled is None:
                self._tasks.delete(tx, task.id, who=GATEWAY, why="graph_gone")
            elif enabled and task.status is Status.PAUSED:
                self._tasks.resume(tx, task.id, who=GATEWAY)
            elif not enabled and task.status is Status.ACTIVE:
                self._tasks.pause(tx, task.id, who=GATEWAY)

    def _follow(self, run: Run) -> None:
        with self._store.read() as tx:
            task = tasks_store.find(tx, str(run.job.payload["task"]))
            linked = None if task is None else self.linked(tx, task.id)
        # Of several changes only the last one counts: the job does what the task is by now.
        if task is not None and linked is not None:
            if self._graphs.session.name != linked.hub:
                raise Unavailable("gateway_not_connected", address=linked.hub)
            self._be(task, linked)
        with run.commit():
            pass

    def _be(self, task: Task, linked: Linked) -> None:
        graphs = self._graphs
        try:
            if task.status is Status.DELETED:
                graphs.delete(linked.graph_id)
                return
            graphs.switch(linked.graph_id, enable=task.active)
        except NotFound:
            if task.active:
                self._bring_back(linked)

    def _bring_back(self, linked: Linked) -> None:
        """Put a deleted rule back as it last was, and on."""
        kept = next((each for each in self._graphs.receipts(linked.graph_id) if each.receipt.rule is not None), None)
        if kept is None:
            raise NotFound("graph_hub_unknown", id=linked.graph_id)
        if self._graphs.roll_back(kept.number).outcome is not Outcome.APPLIED:
            raise Unavailable("graph_hub_not_written", id=linked.graph_id)
        self._graphs.switch(linked.graph_id, enable=True)

    def _gave_up(self, tx: Tx, job: Job, why: str) -> None:
        task = tasks_store.find(tx, str(job.payload["task"]))
        if task is not None:
            now = self._clock.now()
            data = {"error": why[:500]}
            journal.write(tx, task.id, Kind.NOT_FOLLOWED, at=now, who=CLOCK, why="graph_not_followed", data=data)
