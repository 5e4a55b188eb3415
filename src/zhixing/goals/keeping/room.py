"""The room put together, for the composition root."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from zhixing.delivery.operations import Delivery
from zhixing.engine.model import Engine
from zhixing.goals.keeping import links
from zhixing.goals.keeping.following import Cancel, Following
from zhixing.goals.keeping.pruning import Pruning
from zhixing.goals.keeping.telling import Telling
from zhixing.kernel.clock import Clock
from zhixing.store.connection import Store, Tx
from zhixing.tasks.operations import Tasks
from zhixing.tasks.task import Task


@dataclass(frozen=True, slots=True)
class Keeping:
    """Everything of this room that others need: who watches goals, who tells people, who clears old logs away."""

    watcher: Following
    teller: Telling
    pruning: Pruning

    def on_status_change(self, tx: Tx, before: Task, after: Task) -> None:
        """Have a goal follow its task; pass this to `Tasks`."""
        self.watcher.on_status_change(tx, before, after)

    def goal_of(self, tx: Tx, task_id: str) -> str | None:
        """Return the goal that a task is."""
        return links.goal_of(tx, task_id)

    def task_of(self, tx: Tx, goal_id: str) -> str | None:
        """Return the task that a goal is."""
        return links.task_of(tx, goal_id)

    def take_up(self) -> None:
        """Go on with what is done every day, at the start of the program."""
        self.pruning.take_up()


def furnish(
    store: Store,
    engine: Engine,
    clock: Clock,
    *,
    tasks: Tasks,
    delivery: Delivery,
    cancel: Cancel,
    channels: Collection[str],
    zone: str,
) -> Keeping:
    """Put the room together; before the engine starts. `cancel` gives a goal up in the caller's transaction."""
    pruning = Pruning(store, engine, clock)
    return Keeping(
        Following(clock, tasks=tasks, cancel=cancel, zone=zone, expect=pruning.expect),
        Telling(store, clock, delivery=delivery, channels=channels),
        pruning,
    )
