"""The composition root: opens the store and wires the rooms together. Nothing is decided here."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from zhixing.delivery.model import Message, MessageState
from zhixing.delivery.operations import Delivery
from zhixing.engine.embedded import EmbeddedEngine
from zhixing.kernel.clock import Clock
from zhixing.notices.operations import Notices
from zhixing.notices.reminding import Reminding
from zhixing.settings import Configuration, HomeZone
from zhixing.settings.model import Channel as ChannelSettings
from zhixing.store.connection import Store, Tx
from zhixing.store.migrations import migrate
from zhixing.store.opening import open_store
from zhixing.tasks import journal, occurrences
from zhixing.tasks.journal import CLOCK, Kind
from zhixing.tasks.occurrence import OccurrenceState
from zhixing.tasks.operations import Tasks
from zhixing.tasks.scheduling import Scheduling
from zhixing.tasks.task import Task
from zhixing.world.channels.port import Channel
from zhixing.world.channels.webhook import Webhook

_TOLD_AS = {
    MessageState.SENT: Kind.DELIVERED,
    MessageState.FAILED: Kind.DELIVERY_FAILED,
    MessageState.UNKNOWN: Kind.DELIVERY_UNKNOWN,
}


@dataclass(frozen=True, slots=True)
class App:
    """Everything that is running for one home."""

    store: Store
    engine: EmbeddedEngine
    clock: Clock
    zone: HomeZone
    tasks: Tasks
    scheduling: Scheduling
    delivery: Delivery
    notices: Notices


def build(store: Store, clock: Clock, zone: HomeZone, channels: dict[str, Channel]) -> App:
    """Wire the rooms over an open, migrated store. The engine is not started."""
    engine = EmbeddedEngine(store, clock, owner=f"{socket.gethostname()}:{os.getpid()}")
    scheduling = Scheduling(store, engine, clock)
    delivery = Delivery(engine, clock, channels, lambda tx, message: _settled(tx, message, delivery, scheduling, clock))
    notices = Notices(store, engine, clock)
    Reminding(engine, clock, delivery, tuple(channels))

    def withdraw(tx: Tx, before: Task, after: Task) -> None:
        if before.active and not after.active:
            delivery.withdraw(tx, after.id)

    tasks = Tasks(engine, clock, (notices.status_changed, scheduling.on_status_change, withdraw))
    return App(store, engine, clock, zone, tasks, scheduling, delivery, notices)


@contextmanager
def opened(configuration: Configuration, clock: Clock, zone: HomeZone) -> Iterator[App]:
    """Open the store of `configuration`, bring its schema up to date, and close it at the end of the block."""
    store = open_store(configuration.store_url)
    try:
        migrate(store, clock)
        yield build(store, clock, zone, channels_of(configuration, clock))
    finally:
        store.close()


def channels_of(configuration: Configuration, clock: Clock) -> dict[str, Channel]:
    """Make the channels that the settings name."""
    return {name: _channel(name, wanted, clock) for name, wanted in configuration.settings.channels.items()}


def _channel(name: str, wanted: ChannelSettings, clock: Clock) -> Channel:
    secret = wanted.secret.get_secret_value() or None
    return Webhook(name, wanted.url.get_secret_value(), clock, secret=secret, idempotent=wanted.idempotent)


def _settled(tx: Tx, message: Message, delivery: Delivery, scheduling: Scheduling, clock: Clock) -> None:
    """Write what became of a message; when it was the last one of its occurrence, the occurrence ends."""
    told = _TOLD_AS.get(message.state)
    now = clock.now()
    if told is not None:
        why = message.reason.key if message.reason else ""
        data = {"message": message.id, "channel": message.channel, "occurrence": message.occurrence_id}
        journal.write(tx, message.task_id, told, at=now, who=CLOCK, why=why, data=data)
    every = delivery.messages(tx, message.occurrence_id)
    if not all(one.settled for one in every) or not occurrences.get(tx, message.occurrence_id).open:
        return
    states = {one.state for one in every if one.channel != "inbox"}
    reason = "told_partly" if states & {MessageState.FAILED, MessageState.UNKNOWN} else None
    scheduling.finish_occurrence(tx, message.occurrence_id, OccurrenceState.DONE, reason)
