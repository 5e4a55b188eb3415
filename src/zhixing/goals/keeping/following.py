"""Goals and their tasks at one: a goal becomes a task, ends it when it ends itself, and ends when its task does.

Both directions are in the transaction of the change. Neither comes back: each looks first whether the other has ended.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from zhixing.goals.keeping import links
from zhixing.goals.keeping.chronicle import happened
from zhixing.goals.keeping.texts import single_line, storable
from zhixing.goals.loop.model import Graph, TaskInfo
from zhixing.goals.loop.values import GraphStatus
from zhixing.goals.running import rows
from zhixing.kernel.clock import Clock
from zhixing.kernel.errors import Conflict
from zhixing.kernel.wording import wording
from zhixing.store.connection import Tx
from zhixing.tasks import journal
from zhixing.tasks import store as tasks_store
from zhixing.tasks.journal import Kind
from zhixing.tasks.operations import Tasks
from zhixing.tasks.task import LONGEST_DESCRIPTION, LONGEST_TITLE, Status, Task, Way

GOAL: Final = "goal"
"""Who changes a task when its goal changed."""
LONGEST_WHO = 64
"""Characters of an owner that are written into the journal."""

Cancel = Callable[[Tx, str], object]
"""Gives a goal up in the caller's transaction."""

_OPEN = {Status.ACTIVE, Status.PAUSED}


class Following:
    """Watches goals, and the tasks that they are.

    `zone` is where the times of those tasks are read; `expect` hears that there is a goal to be cleared away one day.
    """

    def __init__(self, clock: Clock, *, tasks: Tasks, cancel: Cancel, zone: str, expect: Callable[[Tx], None]) -> None:
        self._clock = clock
        self._tasks = tasks
        self._cancel = cancel
        self._zone = zone
        self._expect = expect
        self._ends: Mapping[GraphStatus, Callable[..., Task]] = {
            GraphStatus.DONE: tasks.complete,
            # What another system ran and could not do is over, and nobody has done it.
            GraphStatus.FAILED: tasks.expire,
            GraphStatus.CANCELLED: tasks.delete,
        }

    def handed_in(self, tx: Tx, info: TaskInfo) -> None:
        """Make the task that a new goal is."""
        who = single_line(info.owner_user_id, LONGEST_WHO) or journal.USER
        made = self._tasks.create(
            tx,
            title=_title(info),
            way=Way.GOAL,
            zone_name=self._zone,
            who=who,
            description=storable(info.spec.instruction or info.spec.objective)[:LONGEST_DESCRIPTION],
        )
        links.link(tx, made.id, info.task_id)
        self._expect(tx)
        bot = single_line(info.owner_bot_id)
        data = {"goal": single_line(info.task_id), **({"bot": bot} if bot else {})}
        journal.write(tx, made.id, Kind.GOAL_HANDED_IN, at=self._clock.now(), who=who, data=data)

    def changed(self, tx: Tx, before: Graph, after: Graph) -> None:
        """Write down what a change of a goal means, and end the task of a goal that ended."""
        lines = happened(before, after)
        task_id = links.task_of(tx, after.head.info.task_id) if lines else None
        task = None if task_id is None else tasks_store.find(tx, task_id)
        if task is None:
            return
        now = self._clock.now()
        journal.write_all(tx, [journal.Note(task.id, now, each.kind, GOAL, each.why, each.data) for each in lines])
        status = after.head.status
        end = self._ends.get(status) if status is not before.head.status else None
        if end is not None and task.status in _OPEN:
            end(tx, task.id, who=GOAL, why=f"goal_{status.value.lower()}")

    def on_status_change(self, tx: Tx, before: Task, after: Task) -> None:
        """Have a goal follow its task; pass this to `Tasks`.

        A task that ends gives its goal up. Raises `Conflict` for what a goal cannot do: stand still for a while, or
        begin again.
        """
        goal_id = links.goal_of(tx, after.id) if after.way is Way.GOAL else None
        if goal_id is None:
            return
        if after.status is Status.PAUSED:
            raise Conflict("goal_task_not_paused", title=after.title, id=after.id)
        graph = rows.graph_of(tx, goal_id)
        goes_on = graph is not None and graph.head.status.open
        if after.active and not before.active and not goes_on:
            raise Conflict("goal_task_over", title=after.title, id=after.id)
        if after.status not in _OPEN and goes_on:
            self._cancel(tx, goal_id)


def _title(info: TaskInfo) -> str:
    """Return what the task is called: as the goal, or as its first words say."""
    spec = info.spec
    named = (single_line(each, LONGEST_TITLE) for each in (spec.title, spec.objective, spec.instruction))
    return next((each for each in named if each), wording("goal_news.untitled"))
