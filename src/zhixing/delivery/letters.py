"""What channels are handed: the letter of one message, of several together, and of a test. Pure.

A letter depends on its messages alone, so that the same letter always has the same content.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, tzinfo

from zhixing.delivery.model import Message
from zhixing.kernel.moments import micros
from zhixing.kernel.wording import wording
from zhixing.world.channels.port import Delivered, Letter, Receipt, Unknown


def letter_of(message: Message, members: Sequence[Message], url: str | None, zone: tzinfo) -> Letter:
    """Return the letter that tells `message`, and `members` with it."""
    title, text = message.title, message.text
    if members:
        together = sorted((message, *members), key=lambda one: one.number)
        title = wording("delivery.digest_title", count=len(together))
        text = "\n".join(
            wording("delivery.digest_line", title=one.title, at=_moment(one.due_at, zone)) for one in together
        )
    return Letter(
        id=message.id,
        key=message.key,
        task_id=message.task_id,
        occurrence_id=message.occurrence_id,
        title=title,
        text=text,
        at=message.due_at,
        url=url,
    )


def again_text(first: Message, zone: tzinfo) -> str:
    """Return the text of a message that is told again. It says when it was told first: 明天 counts from there."""
    return wording("delivery.again_text", text=first.text, at=_moment(first.told_at, zone))


def trial_letter(channel: str, now: datetime, zone: tzinfo) -> Letter:
    """Return a letter that says that it is only a test."""
    return Letter(
        id="test",
        key=f"test:{micros(now)}",
        task_id="",
        occurrence_id="",
        title=wording("delivery.test_title"),
        text=wording("delivery.test_text", channel=channel, at=_moment(now, zone)),
        at=now,
    )


def words_of(receipt: Receipt) -> str:
    """Say what became of a letter."""
    if isinstance(receipt, Delivered):
        return wording("delivery.receipt_delivered")
    kind = "unknown" if isinstance(receipt, Unknown) else "failed"
    return wording(f"delivery.receipt_{kind}", reason=receipt.reason.text())


def _moment(at: datetime, zone: tzinfo) -> str:
    local = at.astimezone(zone)
    return wording("delivery.moment", month=local.month, day=local.day, clock=f"{local.hour:02}:{local.minute:02}")
