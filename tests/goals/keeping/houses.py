"""A house in which goals are tasks: with an outbox, one channel, and scripted twins outside that outlive it."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from tests.goals.running.houses import BACKEND, TASK, goal

from zhixing.delivery.model import Message
from zhixing.delivery.operations import Delivery
from zhixing.engine.embedded import EmbeddedEngine
from zhixing.goals.keeping.room import furnish
from zhixing.goals.loop.events import Cancel
from zhixing.goals.loop.model import Graph, TaskInfo
from zhixing.goals.running.ports import Ports
from zhixing.goals.running.room import opened
from zhixing.kernel.clock import ManualClock
from zhixing.store.connection import Store, Tx
from zhixing.tasks import journal, occurrences
from zhixing.tasks import store as tasks_store
from zhixing.tasks.journal import Entry
from zhixing.tasks.occurrence import OccurrenceState
from zhixing.tasks.operations import Tasks
from zhixing.tasks.scheduling import Scheduling
from zhixing.tasks.task import Task
from zhixing.world.channels.memory import MemoryChannel

__all__ = ["PHONE", "TASK", "KeptHouse", "goal"]

PHONE = "phone"


class KeptHouse:
    """One start of the program on a store."""

    def __init__(self, store: Store, clock: ManualClock, ports: Ports, phone: MemoryChannel) -> None:
        self.store = store
        self.clock = clock
        self.engine = EmbeddedEngine(store, clock, owner="甲")
        scheduling = Scheduling(store, self.engine, clock)
        self._scheduling = scheduling
        self.delivery = Delivery(self.engine, clock, {PHONE: phone}, self._settled)
        self.tasks = Tasks(self.engine, clock, (self._status_changed,))
        self.keeping = furnish(
            store,
            self.engine,
            clock,
            tasks=self.tasks,
            delivery=self.delivery,
            cancel=lambda tx, goal_id: self.goals.happen(tx, goal_id, Cancel()),
            channels=(PHONE,),
            zone="Asia/Shanghai",
        )
        self.ports = replace(ports, teller=self.keeping.teller)
        self.goals = opened(store, self.engine, clock, self.ports, backend=BACKEND, watcher=self.keeping.watcher)

    def _status_changed(self, tx: Tx, before: Task, after: Task) -> None:
        self.keeping.on_status_change(tx, before, after)

    def _settled(self, tx: Tx, message: Message) -> None:
        every = self.delivery.messages(tx, message.occurrence_id)
        if all(each.settled for each in every):
            self._scheduling.finish_occurrence(tx, message.occurrence_id, OccurrenceState.DONE)

    def run(self, info: TaskInfo | None = None) -> None:
        """Hand a goal in and do what is ready."""
        assert self.goals.execute(info or goal()).status == 200
        self.engine.drain()

    def later(self, **span: float) -> None:
        """Let time pass, all of it at once, and do what is ready then."""
        self.clock.advance(timedelta(**span))
        self.engine.drain()

    @property
    def graph(self) -> Graph:
        found = self.goals.graph(TASK)
        assert found is not None
        return found

    def task(self, goal_id: str = TASK) -> Task:
        """Return the task that a goal is."""
        with self.store.read() as tx:
            task_id = self.keeping.task_of(tx, goal_id)
            assert task_id is not None
            assert self.keeping.goal_of(tx, task_id) == goal_id
            return tasks_store.get(tx, task_id)

    def journal(self, goal_id: str = TASK) -> list[Entry]:
        """Return what happened to the task of a goal, the oldest first."""
        task_id = self.task(goal_id).id
        with self.store.read() as tx:
            return list(reversed(journal.of_task(tx, task_id, 500)))

    def kinds(self, goal_id: str = TASK) -> list[str]:
        """Return the kinds of its entries that are about the task or the goal."""
        return [each.kind.value for each in self.journal(goal_id) if not each.kind.value.startswith("occurrence_")]

    def inbox(self) -> list[Message]:
        """Return what people were told."""
        with self.store.read() as tx:
            return self.delivery.inbox(tx)

    def news(self) -> list[str]:
        """Return the topics that people were told of, in order."""
        return [str(each.data["topic"]) for each in self.journal() if "topic" in each.data]

    def do(self, operation: str) -> Task:
        """Do something to the task of the goal, as a person does."""
        task_id = self.task().id
        with self.store.write() as tx:
            done: Task = getattr(self.tasks, operation)(tx, task_id, who="cli")
        return done

    def states(self) -> list[str]:
        """Return how the news of the goal stand."""
        task_id = self.task().id
        with self.store.read() as tx:
            return [each.state.value for each in occurrences.of_task(tx, task_id)]
