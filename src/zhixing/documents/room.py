"""The room put together, for the composition root."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from zhixing.delivery.model import Message
from zhixing.delivery.operations import Delivery
from zhixing.documents.chats import Chats
from zhixing.documents.ending import Ending
from zhixing.documents.filing import Filing
from zhixing.documents.occasions import Occasions
from zhixing.documents.operations import Documents
from zhixing.documents.queue import Queue
from zhixing.documents.running import Performers, Running
from zhixing.documents.syncing import Syncing
from zhixing.documents.terms import Terms
from zhixing.documents.watching import Watching
from zhixing.engine.model import Engine
from zhixing.kernel.clock import Clock
from zhixing.store.connection import Store, Tx
from zhixing.tasks.operations import Tasks
from zhixing.tasks.scheduling import Scheduling
from zhixing.tasks.task import Task


@dataclass(frozen=True, slots=True)
class DocumentRoom:
    """Everything of this room that others need."""

    documents: Documents
    running: Running
    watching: Watching
    occasions: Occasions
    filing: Filing

    def on_status_change(self, tx: Tx, before: Task, after: Task) -> None:
        """Follow a task that stops; pass this to `Tasks`."""
        self.occasions.on_status_change(tx, before, after)

    def told(self, tx: Tx, message: Message) -> None:
        """Note that the fate of a message is known."""
        self.filing.told(tx, message)


def furnish(
    store: Store,
    engine: Engine,
    clock: Clock,
    *,
    tasks: Tasks,
    scheduling: Scheduling,
    delivery: Delivery,
    performers: Performers,
    channels: Collection[str],
    terms: Terms,
    zone: str,
) -> DocumentRoom:
    """Put the room together; before the engine starts."""
    syncing = Syncing(store, clock, tasks, scheduling, zone)
    chats = Chats(store, engine, clock, tasks=tasks, delivery=delivery, channels=channels, zone=zone)
    queue = Queue(engine, clock, scheduling, terms.at_once)
    filing = Filing(store, engine, clock, delivery=delivery, syncing=syncing, zone=zone)
    ending = Ending(clock, scheduling=scheduling, delivery=delivery, queue=queue, chats=chats, filing=filing)
    running = Running(
        store,
        engine,
        clock,
        scheduling=scheduling,
        syncing=syncing,
        ending=ending,
        performers=performers,
        terms=terms,
        zone=zone,
    )
    occasions = Occasions(
        engine,
        store=store,
        syncing=syncing,
        tasks=tasks,
        scheduling=scheduling,
        queue=queue,
        filing=filing,
        stop=running.stop,
    )
    documents = Documents(
        store,
        engine,
        clock,
        syncing=syncing,
        queue=queue,
        occasions=occasions,
        chats=chats,
        terms=terms,
        zone=zone,
    )
    return DocumentRoom(documents, running, Watching(engine, documents), occasions, filing)
