"""What becomes of a message: pure.

Each function takes a message as it is and returns it as it is to be. The effect follows from the state it returns:
`sending` is to be sent now, `pending` to be looked at again at `next_try_at`, and a settled one is over.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from zhixing.delivery.model import Message, MessageState
from zhixing.world.channels.port import Delivered, NotSent, Reason, Receipt, Refused, Unknown

GIVE_UP_AFTER = timedelta(hours=24)
"""How long a message is tried, from the first time its turn came."""

FIRST_PAUSE = timedelta(seconds=1)
LONGEST_PAUSE = timedelta(minutes=2)
"""Pauses double up to this: a receiver that is back is told within two minutes."""

LONGEST_WISH = timedelta(hours=1)
"""How long a receiver may ask us to wait."""


def start(message: Message, now: datetime, *, idempotent: bool) -> Message:
    """Decide what an attempt does with the message it finds.

    `idempotent` says whether the receiver drops what it already has.
    """
    if message.settled:
        return message
    if message.state is MessageState.SENDING:
        # The attempt that marked it never came back to say what happened.
        message = replace(message, in_doubt=True, reason=Reason("interrupted"))
        if not idempotent or message.unwanted:
            return _settle(message, MessageState.UNKNOWN, now)
    elif message.next_try_at > now:
        return message
    return replace(
        message,
        state=MessageState.SENDING,
        tries=message.tries + 1,
        tried_since=message.tried_since or now,
    )


def follow(message: Message, gone: Message) -> Message:
    """Let `message` move up behind `gone`, which was settled and came before it in the same channel.

    Where a day was not enough for that one, the days do not add up: this one has waited for the same receiver.
    """
    if gone.tried_since is None or gone.settled_at is None or gone.settled_at < gone.tried_since + GIVE_UP_AFTER:
        return message
    return replace(message, tried_since=max(gone.tried_since, message.told_at))


def conclude(message: Message, receipt: Receipt, now: datetime, *, idempotent: bool) -> Message:
    """Decide what the receipt of a message in `sending` makes of it."""
    match receipt:
        case Delivered():
            return _settle(replace(message, reason=None), MessageState.SENT, now)
        case Refused(reason):
            return _give_up(replace(message, reason=reason), now)
        case Unknown(reason):
            message = replace(message, reason=reason, in_doubt=True)
            return _again(message, FIRST_PAUSE, now) if idempotent else _give_up(message, now)
        case NotSent(reason, after):
            wish = min(after or FIRST_PAUSE, LONGEST_WISH)
            return _again(replace(message, reason=reason), wish, now)


def withdraw(message: Message, now: datetime) -> Message:
    """Take back a message because its task ended.

    One that is being sent, alone or with others, cannot be stopped any more, only kept from being tried again.
    """
    if message.settled:
        return message
    if _on_its_way(message):
        return replace(message, unwanted=True)
    return _give_up(replace(message, unwanted=True), now)


def abandon(message: Message, reason: Reason, now: datetime) -> Message:
    """Settle a message that cannot be tried any more for a reason that lies with us."""
    if message.settled:
        return message
    return _give_up(replace(message, reason=reason, in_doubt=message.in_doubt or _on_its_way(message)), now)


def hold(message: Message, until: datetime, note: str) -> Message:
    """Let a pending message wait until an instant. Its job ends; the next one is of the next turn."""
    return replace(message, held_until=until, note=note, turn=message.turn + 1)


def join(message: Message, leader: Message) -> Message:
    """Let a pending message go out with `leader`. Whatever job it had is over."""
    return replace(message, digest=leader.id, turn=message.turn + 1)


def share(member: Message, leader: Message, now: datetime) -> Message:
    """Decide what becomes of a message that went out with `leader`, now that the leader is where it is.

    What arrived or may have arrived did so for all. What certainly did not leaves each on its own again.
    """
    if leader.state in (MessageState.SENT, MessageState.UNKNOWN):
        return _settle(replace(member, reason=leader.reason), leader.state, now)
    if leader.state is MessageState.SENDING or (leader.state is MessageState.PENDING and leader.in_doubt):
        # A receiver that drops doubles is sent the very same again.
        return member
    alone = replace(member, digest=None)
    return _give_up(alone, now) if alone.unwanted else alone


def _on_its_way(message: Message) -> bool:
    return message.state is MessageState.SENDING or message.digest is not None


def _again(message: Message, at_least: timedelta, now: datetime) -> Message:
    last = (message.tried_since or now) + GIVE_UP_AFTER
    if message.unwanted or now >= last:
        return _give_up(message, now)
    # Beyond ten doublings the longest pause is reached anyway.
    pause = min(FIRST_PAUSE * 2 ** min(message.tries - 1, 10), LONGEST_PAUSE)
    next_try_at = min(now + max(pause, at_least), last)
    return replace(message, state=MessageState.PENDING, next_try_at=next_try_at)


def _give_up(message: Message, now: datetime) -> Message:
    if message.in_doubt:
        return _settle(message, MessageState.UNKNOWN, now)
    return _settle(message, MessageState.WITHDRAWN if message.unwanted else MessageState.FAILED, now)


def _settle(message: Message, state: MessageState, now: datetime) -> Message:
    return replace(message, state=state, settled_at=now)
