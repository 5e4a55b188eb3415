"""Telling: from "this occurrence is to be told" to what became of each message."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import datetime

from zhixing.delivery import decider, store
from zhixing.delivery.model import INBOX, Message, MessageState, message_key
from zhixing.engine.model import Engine, Job, JobState, RetryAt, Run, Superseded
from zhixing.kernel.clock import Clock
from zhixing.kernel.errors import NotFound
from zhixing.store.connection import Tx
from zhixing.store.counters import next_number
from zhixing.world.channels.port import Channel, Letter, Reason, Receipt

SEND = "delivery.send"
"""The name of the job that sends one message."""

LONGEST_PAGE = 500

Settled = Callable[[Tx, Message], None]
Link = Callable[[Message], str | None]


def nowhere(_: Message) -> None:
    """Say that there is no page about a message."""


class Delivery:
    """The outbox over the given channels, by the names that `tell` uses.

    `settled` is called once for each message, in the transaction in which its state becomes final, and undoes that
    transaction by raising. Inbox messages are final from the start. `link` says where a message's task can be looked
    at. The messages of a channel stand in line and only the first has a job: order is kept, a receiver that cannot be
    reached is bothered by one message, and nobody waits for another channel's receiver.
    """

    def __init__(
        self,
        engine: Engine,
        clock: Clock,
        channels: Mapping[str, Channel],
        settled: Settled,
        link: Link = nowhere,
    ) -> None:
        if INBOX in channels:
            raise ValueError(f"{INBOX!r} is the outbox itself, not a channel to configure")
        self._engine = engine
        self._clock = clock
        self._channels = dict(channels)
        self._settled = settled
        self._link = link
        self._receipts: dict[tuple[str, int], Receipt] = {}
        engine.register(SEND, self._send, gave_up=self._gave_up)

    def tell(
        self,
        tx: Tx,
        *,
        task_id: str,
        occurrence_id: str,
        title: str,
        text: str,
        due_at: datetime,
        channels: Iterable[str] = (),
    ) -> list[Message]:
        """Tell of an occurrence through the inbox and `channels`; return the messages that are new.

        Messages exist if and only if `tx` commits. Telling the same occurrence through the same channel again changes
        nothing, even with other words. A channel nobody configured leaves a message that fails and says so.
        """
        now = self._clock.now()
        told = []
        for channel in dict.fromkeys((INBOX, *channels)):
            key = message_key(occurrence_id, channel)
            if store.has(tx, key):
                continue
            message = Message(
                id=f"m{next_number(tx, 'message')}",
                key=key,
                channel=channel,
                task_id=task_id,
                occurrence_id=occurrence_id,
                title=title,
                text=text,
                due_at=due_at,
                told_at=now,
                state=MessageState.PENDING,
                next_try_at=now,
            )
            if channel == INBOX:
                message = replace(message, state=MessageState.SENT, settled_at=now)
            store.add(tx, message)
            told.append(message)
        for message in told:
            if message.settled:
                self._settled(tx, message)
            else:
                self._line_up(tx, message.channel)
        return told

    def withdraw(self, tx: Tx, task_id: str) -> list[Message]:
        """Take back what was not sent yet about a task that ended; return the messages that will not be sent.

        A message being sent at this moment cannot be stopped, but will not be tried again. The inbox keeps what it has.
        """
        now = self._clock.now()
        withdrawn = []
        for message in store.open_of_task(tx, task_id):
            # Its job stays: it will find nothing to send. Cancelling it could cut off an attempt that is sending.
            after = self._become(tx, message, decider.withdraw(message, now))
            if after.settled:
                withdrawn.append(after)
        return withdrawn

    def inbox(self, tx: Tx, after: str | None = None, limit: int = 50) -> list[Message]:
        """Return what was told and not dismissed, oldest first: the last `limit`, or the first behind message `after`.

        Ids grow in the order of telling, so that whoever remembers the last one seen misses nothing.
        """
        limit = max(0, min(limit, LONGEST_PAGE))
        if after is None:
            return store.inbox_latest(tx, limit)
        number = store.number_of(after)
        if number is None:
            raise NotFound("message_unknown", id=after[:64])
        return store.inbox_after(tx, number, limit)

    def read(self, tx: Tx, message_id: str) -> Message:
        """Note that an inbox message was seen; return it. The first time counts."""
        message = self._shown(tx, message_id)
        return self._become(tx, message, replace(message, read_at=message.read_at or self._clock.now()))

    def dismiss(self, tx: Tx, message_id: str) -> Message:
        """Remove a message from the inbox; return it. That completes nothing: its task goes on as it was."""
        message = self._shown(tx, message_id)
        return self._become(tx, message, replace(message, dismissed_at=message.dismissed_at or self._clock.now()))

    def messages(self, tx: Tx, occurrence_id: str) -> list[Message]:
        """Return every message about an occurrence, as it stands, in order of telling."""
        return store.of_occurrence(tx, occurrence_id)

    def _shown(self, tx: Tx, message_id: str) -> Message:
        message = store.get(tx, message_id)
        if message is None or message.channel != INBOX:
            raise NotFound("message_unknown", id=message_id[:64])
        return message

    def _become(self, tx: Tx, before: Message, after: Message) -> Message:
        if after != before:
            store.save(tx, after)
        if after.settled and not before.settled:
            self._line_up(tx, after.channel, after)
            self._settled(tx, after)
        return after

    def _line_up(self, tx: Tx, channel: str, gone: Message | None = None) -> None:
        """See to it that the first open message of a channel has a job; `gone` is the one that made way for it."""
        behind = 0
        while (first := store.first_open(tx, channel, behind)) is not None:
            job = _job(first, self._clock.now())
            if self._engine.enqueue(tx, job):
                if gone is not None:
                    store.save(tx, decider.follow(first, gone))
                return
            row = self._engine.get(tx, job.key)
            if row is not None and row.state in {JobState.PENDING, JobState.RUNNING}:
                return
            # Its job ended, and the news of that could not be taken in. It must not hold up the others.
            behind = first.number

    def _send(self, run: Run) -> None:
        with run.checkpoint() as tx:
            message = self._start(tx, _message_id(run.job))
        if message is None or message.settled:
            return
        if message.state is MessageState.PENDING:
            raise _retry(message)
        mark = (message.id, message.tries)
        channel = self._channels[message.channel]
        receipt = self._receipts.get(mark) or channel.send(self._letter(message))
        # If the database cannot be written now, the next attempt of this process still knows what happened.
        self._receipts[mark] = receipt
        try:
            message = self._conclude(run, message, receipt, channel)
        except Superseded:
            del self._receipts[mark]
            raise
        del self._receipts[mark]
        if message.state is MessageState.PENDING:
            raise _retry(message)

    def _start(self, tx: Tx, message_id: str) -> Message | None:
        message = store.get(tx, message_id)
        if message is None:
            return None
        if message.state is MessageState.SENDING and (message.id, message.tries) in self._receipts:
            return message
        now = self._clock.now()
        channel = self._channels.get(message.channel)
        if channel is None:
            after = decider.abandon(message, Reason("channel_missing", message.channel), now)
        else:
            after = decider.start(message, now, idempotent=channel.idempotent)
        return self._become(tx, message, after)

    def _conclude(self, run: Run, message: Message, receipt: Receipt, channel: Channel) -> Message:
        now = self._clock.now()
        final = decider.conclude(message, receipt, now, idempotent=channel.idempotent).settled
        with run.commit() if final else run.checkpoint() as tx:
            # Loaded again: the task may have ended while the letter was on its way.
            current = store.get(tx, message.id) or message
            return self._become(tx, current, decider.conclude(current, receipt, now, idempotent=channel.idempotent))

    def _gave_up(self, tx: Tx, job: Job, why: str) -> None:
        message = store.get(tx, _message_id(job))
        if message is not None:
            # Only the kind of error: its text may hold anything.
            reason = Reason("broken", why.partition(":")[0])
            self._become(tx, message, decider.abandon(message, reason, self._clock.now()))

    def _letter(self, message: Message) -> Letter:
        return Letter(
            id=message.id,
            key=message.key,
            task_id=message.task_id,
            occurrence_id=message.occurrence_id,
            title=message.title,
            text=message.text,
            at=message.due_at,
            url=self._link(message),
        )


def _job(message: Message, now: datetime) -> Job:
    return Job(name=SEND, key=f"send:{message.id}", due=now, lane=f"channel:{message.channel}")


def _message_id(job: Job) -> str:
    return job.key.removeprefix("send:")


def _retry(message: Message) -> RetryAt:
    return RetryAt(message.next_try_at, message.reason.key if message.reason else "not yet")
