"""The composition root: opens the store and wires the rooms together. Nothing is decided here."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from zhixing.delivery.model import Message, MessageState
from zhixing.delivery.operations import Deed, Delivery
from zhixing.delivery.policy import Policy, Quiet, read_quiet
from zhixing.engine.embedded import EmbeddedEngine
from zhixing.kernel.clock import Clock
from zhixing.kernel.errors import Conflict
from zhixing.kernel.moments import iso
from zhixing.kernel.moments import zone as find_zone
from zhixing.notices.operations import Notices
from zhixing.notices.reading import Reading
from zhixing.notices.reminding import Reminding
from zhixing.notices.repeating import Repeating
from zhixing.settings import Configuration, HomeZone
from zhixing.settings.endpoint import build_model
from zhixing.settings.model import Channel as ChannelSettings
from zhixing.store.connection import Store, Tx
from zhixing.store.migrations import migrate
from zhixing.store.opening import open_store
from zhixing.tasks import journal, occurrences
from zhixing.tasks import store as tasks_store
from zhixing.tasks.journal import CLOCK, USER, Kind
from zhixing.tasks.occurrence import OccurrenceState
from zhixing.tasks.operations import Tasks
from zhixing.tasks.scheduling import Scheduling
from zhixing.tasks.task import Task
from zhixing.world.channels.apprise import Apprise
from zhixing.world.channels.port import Channel
from zhixing.world.channels.webhook import Webhook
from zhixing.world.models.counting import Counting
from zhixing.world.models.port import Model

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
    repeating: Repeating
    reading: Reading | None
    """Has a model read what waits for one; None where no model is configured."""

    def recover(self) -> None:
        """Set right what a crash left behind, and take up what waited for a model; before the engine starts."""
        self.scheduling.reconcile()
        if self.reading is not None:
            self.reading.take_up()


def build(
    store: Store,
    clock: Clock,
    zone: HomeZone,
    channels: dict[str, Channel],
    *,
    policies: Mapping[str, Policy] | None = None,
    model: Model | None = None,
) -> App:
    """Wire the rooms over an open, migrated store; `policies` are by channel. The engine is not started.

    Without a model, what needs one is kept and waits.
    """
    engine = EmbeddedEngine(store, clock, owner=f"{socket.gethostname()}:{os.getpid()}")
    scheduling = Scheduling(store, engine, clock)
    delivery = Delivery(
        engine,
        clock,
        channels,
        lambda tx, message: _settled(tx, message, delivery, scheduling, clock),
        policies=policies,
        attended=lambda tx, message, deed: _attended(tx, message, deed, clock),
        zone=find_zone(zone.name),
    )
    repeating = Repeating(store, engine, clock, scheduling=scheduling, delivery=delivery, channels=tuple(channels))

    def read_by_model(tx: Tx, task_id: str, revision: int) -> None:
        if reading is not None:
            reading.expect(tx, task_id, revision)

    notices = Notices(store, engine, clock, repeating, read_by_model)
    reading = (
        None if model is None else Reading(store, engine, clock, model, replied=notices.replied, failed=notices.unread)
    )
    Reminding(engine, clock, delivery, tuple(channels))

    def withdraw(tx: Tx, before: Task, after: Task) -> None:
        if before.active and not after.active:
            delivery.withdraw(tx, after.id)

    tasks = Tasks(engine, clock, (notices.status_changed, scheduling.on_status_change, withdraw))
    return App(store, engine, clock, zone, tasks, scheduling, delivery, notices, repeating, reading)


@contextmanager
def opened(configuration: Configuration, clock: Clock, zone: HomeZone) -> Iterator[App]:
    """Open the store of `configuration`, bring its schema up to date, and close it at the end of the block."""
    store = open_store(configuration.store_url)
    try:
        migrate(store, clock)
        yield build(
            store,
            clock,
            zone,
            channels_of(configuration, clock),
            policies=policies_of(configuration, zone),
            model=build_model(configuration.settings.model, clock, on_usage=Counting(store, find_zone(zone.name))),
        )
    finally:
        store.close()


def channels_of(configuration: Configuration, clock: Clock) -> dict[str, Channel]:
    """Make the channels that the settings name."""
    return {name: _channel(name, wanted, clock) for name, wanted in configuration.settings.channels.items()}


def policies_of(configuration: Configuration, zone: HomeZone) -> dict[str, Policy]:
    """Read when each channel may tell something."""
    home = find_zone(zone.name)
    return {
        name: Policy(Quiet(*read_quiet(wanted.quiet), home) if wanted.quiet else None, wanted.per_hour or None)
        for name, wanted in configuration.settings.channels.items()
    }


def _channel(name: str, wanted: ChannelSettings, clock: Clock) -> Channel:
    if wanted.goes_through == "apprise":
        return Apprise(name, wanted.url.get_secret_value(), clock)
    secret = wanted.secret.get_secret_value() or None
    return Webhook(name, wanted.url.get_secret_value(), clock, secret=secret, idempotent=wanted.idempotent)


def _settled(tx: Tx, message: Message, delivery: Delivery, scheduling: Scheduling, clock: Clock) -> None:
    """Write what became of a message; when it was the last one of its occurrence, the occurrence ends."""
    told = _TOLD_AS.get(message.state)
    now = clock.now()
    if told is not None:
        why = message.reason.key if message.reason else ""
        data = {"message": message.id, "channel": message.channel, "occurrence": message.occurrence_id}
        if message.digest is not None:
            data["digest"] = message.digest
        journal.write(tx, message.task_id, told, at=now, who=CLOCK, why=why, data=data)
    every = delivery.messages(tx, message.occurrence_id)
    if not all(one.settled for one in every) or not occurrences.get(tx, message.occurrence_id).open:
        return
    states = {one.state for one in every if one.channel != "inbox"}
    reason = "told_partly" if states & {MessageState.FAILED, MessageState.UNKNOWN} else None
    scheduling.finish_occurrence(tx, message.occurrence_id, OccurrenceState.DONE, reason)


def _attended(tx: Tx, message: Message, deed: Deed, clock: Clock) -> None:
    """Write what the user did about a message. What ended is not told again."""
    task = tasks_store.get(tx, message.task_id)
    if deed is Deed.SNOOZED and not task.active:
        raise Conflict(f"task_is_{task.status.value}", title=task.title)
    data = {"message": message.id, "occurrence": message.occurrence_id}
    if message.snoozed_until is not None:
        data["until"] = iso(message.snoozed_until, find_zone(task.zone))
    journal.write(tx, task.id, Kind(deed.value), at=clock.now(), who=USER, data=data)
