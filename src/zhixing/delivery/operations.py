"""Telling: from "this occurrence is to be told" to what became of each message."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta, tzinfo
from enum import StrEnum

from zhixing.delivery import decider, policy, store
from zhixing.delivery.letters import again_text, letter_of, trial_letter, words_of
from zhixing.delivery.model import INBOX, Message, MessageState, Timing, message_key
from zhixing.delivery.policy import FREE, Go, Hold, Policy
from zhixing.engine.model import Engine, Job, JobState, RetryAt, Run, Superseded
from zhixing.kernel.clock import Clock
from zhixing.kernel.errors import BadInput, NotFound
from zhixing.store.connection import Tx
from zhixing.store.counters import next_number
from zhixing.world.channels.port import Channel, Delivered, Reason, Receipt

SEND = "delivery.send"
"""The name of the job that sends one message."""
WAKE = "delivery.wake"
"""The name of the job that looks again at the messages of a channel when a hold ends."""
AGAIN = "delivery.again"
"""The name of the job that tells a snoozed message again."""

LONGEST_PAGE = 500
LONGEST_SNOOZE = timedelta(days=30)


class Deed(StrEnum):
    """What a user did about a message."""

    ACKNOWLEDGED = "acknowledged"
    SNOOZED = "snoozed"


@dataclass(frozen=True, slots=True)
class Trial:
    """What became of a test letter, for programs and in words."""

    receipt: Receipt
    says: str

    @property
    def arrived(self) -> bool:
        """Whether the receiver said that it has it."""
        return isinstance(self.receipt, Delivered)


Settled = Callable[[Tx, Message], None]
Attended = Callable[[Tx, Message, Deed], None]
Link = Callable[[Message], str | None]


def nowhere(_: Message) -> None:
    """Say that there is no page about a message."""


def unnoticed(_tx: Tx, _message: Message, _deed: Deed) -> None:
    """Do nothing about what a user did."""


class Delivery:
    """The outbox over the given channels, by the names that `tell` uses.

    `settled` is called once for each message, in the transaction in which its state becomes final, and undoes that
    transaction by raising. Inbox messages are final from the start. `link` says where a message's task can be looked
    at. The messages of a channel stand in line and only the first has a job: order is kept, a receiver that cannot be
    reached is bothered by one message, and nobody waits for another channel's receiver. Messages that `policies` (by
    channel) hold step out of the line until their time has come.

    `attended` is called when a user acknowledges or snoozes an inbox message, in that transaction, and undoes it by
    raising. `zone` is where the times in digests are read.
    """

    def __init__(
        self,
        engine: Engine,
        clock: Clock,
        channels: Mapping[str, Channel],
        settled: Settled,
        link: Link = nowhere,
        *,
        policies: Mapping[str, Policy] | None = None,
        attended: Attended = unnoticed,
        zone: tzinfo = UTC,
    ) -> None:
        if INBOX in channels:
            raise ValueError(f"{INBOX!r} is the outbox itself, not a channel to configure")
        self._engine = engine
        self._clock = clock
        self._channels = dict(channels)
        self._settled = settled
        self._link = link
        self._policies = dict(policies or {})
        self._attended = attended
        self._zone = zone
        self._receipts: dict[tuple[str, int], Receipt] = {}
        engine.register(SEND, self._send, gave_up=self._gave_up)
        engine.register(WAKE, self._wake)
        engine.register(AGAIN, self._tell_again)

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
        timing: Timing = Timing.CHOSEN,
        again: str = "",
    ) -> list[Message]:
        """Tell of an occurrence through the inbox and `channels`; return the messages that are new.

        Messages exist if and only if `tx` commits. Telling the same occurrence through the same channel again changes
        nothing, even with other words, unless `again` names the repeat. A channel nobody configured leaves a message
        that fails and says so. The inbox has it at once; policies hold only what channels are told.
        """
        now = self._clock.now()
        told = []
        for channel in dict.fromkeys((INBOX, *channels)):
            key = message_key(occurrence_id, channel, again)
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
                timing=timing,
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

        A message being sent at this moment cannot be stopped, but will not be tried again. The inbox keeps what it has,
        and nothing of it is told again.
        """
        for message in store.snoozed_of_task(tx, task_id):
            self._wake_nobody(tx, message)
            self._become(tx, message, replace(message, snoozed_until=None))
        return self._take_back(tx, store.open_of_task(tx, task_id))

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

    def acknowledge(self, tx: Tx, message_id: str) -> Message:
        """Note that what a message tells is seen and dealt with; return the inbox message. The first time counts.

        That completes nothing. What was not sent yet about the same occurrence is taken back, and it is not told again.
        """
        message = self._in_inbox(tx, message_id)
        if message.acknowledged_at is not None:
            return message
        now = self._clock.now()
        self._put_aside(tx, message, "acknowledged")
        after = replace(message, read_at=message.read_at or now, acknowledged_at=now, snoozed_until=None)
        return self._attend(tx, message, after, Deed.ACKNOWLEDGED)

    def snooze(self, tx: Tx, message_id: str, until: datetime) -> Message:
        """Have what a message tells told again, once, at `until`; return the inbox message.

        It is told through the channels it was told through, unless its task ends or somebody acknowledges it before.
        Another instant replaces the one before; the same one changes nothing. Raises `BadInput` for one that has passed
        or lies more than `LONGEST_SNOOZE` ahead.
        """
        now = self._clock.now()
        if until <= now:
            raise BadInput("snooze_in_the_past")
        if until > now + LONGEST_SNOOZE:
            raise BadInput("snooze_far", days=LONGEST_SNOOZE.days)
        message = self._in_inbox(tx, message_id)
        if message.snoozed_until == until:
            return message
        self._put_aside(tx, message, "snoozed")
        after = replace(
            message,
            read_at=message.read_at or now,
            acknowledged_at=None,
            snoozed_until=until,
            snoozes=message.snoozes + 1,
        )
        self._engine.enqueue(tx, Job(AGAIN, _again_key(after), until, {"message": after.id, "snooze": after.snoozes}))
        return self._attend(tx, message, after, Deed.SNOOZED)

    def test(self, channel: str) -> Trial:
        """Send a letter marked as a test, now and past every policy, and say what became of it. Leaves no trace."""
        found = self._channels.get(channel)
        if found is None:
            raise NotFound("channel_unknown", name=channel[:64])
        receipt = found.send(trial_letter(channel, self._clock.now(), self._zone))
        return Trial(receipt, words_of(receipt))

    def message(self, tx: Tx, message_id: str) -> Message:
        """Return the inbox message that tells the same as a message of any channel. Raises `NotFound`."""
        return self._in_inbox(tx, message_id)

    def messages(self, tx: Tx, occurrence_id: str) -> list[Message]:
        """Return every message about an occurrence, as it stands, in order of telling."""
        return store.of_occurrence(tx, occurrence_id)

    def _shown(self, tx: Tx, message_id: str) -> Message:
        message = store.get(tx, message_id)
        if message is None or message.channel != INBOX:
            raise NotFound("message_unknown", id=message_id[:64])
        return message

    def _in_inbox(self, tx: Tx, message_id: str) -> Message:
        """Return the inbox message that tells the same as a message of any channel."""
        message = store.get(tx, message_id)
        if message is not None and message.channel != INBOX:
            message = store.find(tx, message.key.removesuffix(message.channel) + INBOX)
        if message is None:
            raise NotFound("message_unknown", id=message_id[:64])
        return message

    def _attend(self, tx: Tx, before: Message, after: Message, deed: Deed) -> Message:
        self._become(tx, before, after)
        self._attended(tx, after, deed)
        return after

    def _put_aside(self, tx: Tx, message: Message, why: str) -> None:
        """Take back what else was to be told about the occurrence of an inbox message."""
        self._wake_nobody(tx, message)
        same = store.of_occurrence(tx, message.occurrence_id)
        self._take_back(tx, [one for one in same if not one.settled], Reason(why))

    def _wake_nobody(self, tx: Tx, message: Message) -> None:
        if message.snoozed_until is not None:
            self._engine.cancel(tx, _again_key(message))

    def _take_back(self, tx: Tx, messages: Iterable[Message], why: Reason | None = None) -> list[Message]:
        now = self._clock.now()
        withdrawn = []
        for message in messages:
            # One that was settled meanwhile, together with the one that led it.
            current = store.get(tx, message.id) or message
            # Its job stays: it will find nothing to send. Cancelling it could cut off an attempt that is sending.
            after = decider.withdraw(current, now)
            if after.state is MessageState.WITHDRAWN and after != current:
                after = replace(after, reason=why or after.reason)
            if self._become(tx, current, after).settled and not current.settled:
                withdrawn.append(after)
        return withdrawn

    def _become(self, tx: Tx, before: Message, after: Message) -> Message:
        if after != before:
            store.save(tx, after)
        settled = [after] if after.settled and not before.settled else []
        if before.channel != INBOX and after.state is not MessageState.SENDING:
            settled += self._share(tx, after)
        if after.settled and not before.settled:
            self._line_up(tx, after.channel, after)
        for message in settled:
            self._settled(tx, message)
        return after

    def _share(self, tx: Tx, leader: Message) -> list[Message]:
        """Let the messages that go out with `leader` follow it; return those whose fate is settled by that."""
        now = self._clock.now()
        settled = []
        for member in store.members(tx, leader.id):
            if member.settled:
                continue
            after = decider.share(member, leader, now)
            if after != member:
                store.save(tx, after)
            if after.settled:
                settled.append(after)
        return settled

    def _line_up(self, tx: Tx, channel: str, gone: Message | None = None) -> None:
        """See to it that the first open message of a channel has a job; `gone` is the one that made way for it."""
        behind, now = 0, self._clock.now()
        while (first := store.first_open(tx, channel, behind, now)) is not None:
            job = _job(first, now)
            if self._engine.enqueue(tx, job):
                if gone is not None:
                    store.save(tx, decider.follow(first, gone))
                return
            row = self._engine.get(tx, job.key)
            if row is not None and row.state in {JobState.PENDING, JobState.RUNNING}:
                return
            # Its job ended, and the news of that could not be taken in. It must not hold up the others.
            behind = first.number

    def _wake(self, run: Run) -> None:
        with run.commit() as tx:
            self._line_up(tx, str(run.job.payload["channel"]))

    def _tell_again(self, run: Run) -> None:
        with run.commit() as tx:
            message = store.get(tx, str(run.job.payload["message"]))
            number = int(run.job.payload["snooze"])
            if message is None or message.snoozed_until is None or message.snoozes != number:
                return
            due_at = message.snoozed_until
            self._become(tx, message, replace(message, snoozed_until=None))
            known = store.of_occurrence(tx, message.occurrence_id)
            self.tell(
                tx,
                task_id=message.task_id,
                occurrence_id=message.occurrence_id,
                title=message.title,
                text=again_text(known[0], self._zone),
                due_at=due_at,
                channels=[one.channel for one in known if one.channel in self._channels],
                timing=Timing.NAMED,
                again=f"again{message.number}.{number}",
            )

    def _send(self, run: Run) -> None:
        with run.checkpoint() as tx:
            message = self._start(tx, run.job)
            members = [] if message is None else store.members(tx, message.id)
        if message is None or message.settled:
            return
        if message.state is MessageState.PENDING:
            raise _retry(message)
        mark = (message.id, message.tries)
        channel = self._channels[message.channel]
        receipt = self._receipts.get(mark) or channel.send(letter_of(message, members, self._link(message), self._zone))
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

    def _start(self, tx: Tx, job: Job) -> Message | None:
        """Return what the job's message is now; None where the job has nothing to do with it any more."""
        message = _of_job(tx, job)
        if message is None:
            return None
        if message.state is MessageState.SENDING and (message.id, message.tries) in self._receipts:
            return message
        now = self._clock.now()
        channel = self._channels.get(message.channel)
        if channel is None:
            after = decider.abandon(message, Reason("channel_missing", message.channel), now)
            return self._become(tx, message, after)
        rules = self._policies.get(message.channel, FREE)
        verdict: Go | Hold = Go()
        if message.state is MessageState.PENDING and not message.in_doubt and message.next_try_at <= now:
            lately = store.told_since(tx, message.channel, now - policy.HOUR, rules.per_hour or 0)
            verdict = policy.decide(rules, message, now, lately)
        if isinstance(verdict, Hold):
            self._hold(tx, message, verdict)
            return None
        started = replace(message, note=verdict.note or message.note)
        after = self._become(tx, message, decider.start(started, now, idempotent=channel.idempotent))
        if verdict.together and after.state is MessageState.SENDING:
            self._gather(tx, after, rules, now)
        return after

    def _hold(self, tx: Tx, message: Message, verdict: Hold) -> None:
        held = self._become(tx, message, decider.hold(message, verdict.until, verdict.note))
        wake = Job(WAKE, f"wake:{held.id}:{held.turn}", verdict.until, {"channel": held.channel})
        self._engine.enqueue(tx, wake)
        self._line_up(tx, held.channel)

    def _gather(self, tx: Tx, leader: Message, rules: Policy, now: datetime) -> None:
        """Let everything that waits in the line of `leader` go out with it."""
        waiting = [
            message
            for message in store.in_line(tx, leader.channel, now, policy.MOST_TOGETHER)
            if message.state is MessageState.PENDING and not message.in_doubt and policy.may_join(rules, message, now)
        ]
        for message in waiting[: policy.MOST_TOGETHER - 1]:
            store.save(tx, decider.join(message, leader))

    def _conclude(self, run: Run, message: Message, receipt: Receipt, channel: Channel) -> Message:
        now = self._clock.now()
        final = decider.conclude(message, receipt, now, idempotent=channel.idempotent).settled
        with run.commit() if final else run.checkpoint() as tx:
            # Loaded again: the task may have ended while the letter was on its way.
            current = store.get(tx, message.id) or message
            return self._become(tx, current, decider.conclude(current, receipt, now, idempotent=channel.idempotent))

    def _gave_up(self, tx: Tx, job: Job, why: str) -> None:
        message = _of_job(tx, job)
        if message is not None:
            # Only the kind of error: its text may hold anything.
            reason = Reason("broken", why.partition(":")[0])
            self._become(tx, message, decider.abandon(message, reason, self._clock.now()))


def _job(message: Message, now: datetime) -> Job:
    key = f"send:{message.id}:{message.turn}" if message.turn else f"send:{message.id}"
    return Job(name=SEND, key=key, due=now, lane=f"channel:{message.channel}")


def _of_job(tx: Tx, job: Job) -> Message | None:
    """Return the message of a job, unless another job or another message has taken over."""
    _, message_id, *turn = job.key.split(":")
    message = store.get(tx, message_id)
    stale = message is None or message.digest is not None or message.turn != int(turn[0] if turn else 0)
    return None if stale else message


def _again_key(message: Message) -> str:
    return f"snooze:{message.id}:{message.snoozes}"


def _retry(message: Message) -> RetryAt:
    return RetryAt(message.next_try_at, message.reason.key if message.reason else "not yet")
