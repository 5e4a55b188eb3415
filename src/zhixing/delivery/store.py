"""The rows of the outbox.

Write transactions take turns on both databases, so that loading a message, deciding and saving it needs no more than
one transaction.
"""

from __future__ import annotations

from datetime import datetime

from zhixing.delivery.model import INBOX, Message, MessageState, Timing
from zhixing.kernel import numbered
from zhixing.kernel.moments import from_micros, micros
from zhixing.store.connection import Row, Tx
from zhixing.world.channels.port import Reason

_COLUMNS = (
    "number, key, channel, task_id, occurrence_id, title, text, due_at, told_at, state, next_try_at, tries,"
    " tried_since, in_doubt, unwanted, reason, detail, settled_at, read_at, dismissed_at, timing, held_until, note,"
    " turn, digest, acknowledged_at, snoozed_until, snoozes"
)
_SELECT = f"SELECT {_COLUMNS} FROM messages"
_MARKS = ", ".join("?" for _ in _COLUMNS.split(","))


def add(tx: Tx, message: Message) -> None:
    """Write a new message."""
    tx.execute(f"INSERT INTO messages ({_COLUMNS}) VALUES ({_MARKS})", _values(message))


def has(tx: Tx, key: str) -> bool:
    """Return whether there is a message of that key."""
    return tx.row("SELECT 1 FROM messages WHERE key = ?", (key,)) is not None


def get(tx: Tx, message_id: str) -> Message | None:
    """Return the message of that id."""
    number = number_of(message_id)
    row = None if number is None else tx.row(f"{_SELECT} WHERE number = ?", (number,))
    return None if row is None else _message(row)


def find(tx: Tx, key: str) -> Message | None:
    """Return the message of that key."""
    row = tx.row(f"{_SELECT} WHERE key = ?", (key,))
    return None if row is None else _message(row)


def save(tx: Tx, message: Message) -> None:
    """Write what has become of a message; what it says and whom it is for never changes."""
    tx.execute(
        "UPDATE messages SET state = ?, next_try_at = ?, tries = ?, tried_since = ?, in_doubt = ?, unwanted = ?,"
        " reason = ?, detail = ?, settled_at = ?, read_at = ?, dismissed_at = ?, timing = ?, held_until = ?, note = ?,"
        " turn = ?, digest = ?, acknowledged_at = ?, snoozed_until = ?, snoozes = ? WHERE number = ?",
        (*_values(message)[9:], message.number),
    )


_IN_LINE = (
    f"{_SELECT} WHERE channel = ? AND number > ? AND settled_at IS NULL AND digest IS NULL"
    " AND (held_until IS NULL OR held_until <= ?) ORDER BY number LIMIT ?"
)


def first_open(tx: Tx, channel: str, behind: int, now: datetime) -> Message | None:
    """Return the first message of a channel behind the number `behind` that is not settled and may be looked at."""
    row = tx.row(_IN_LINE, (channel, behind, micros(now), 1))
    return None if row is None else _message(row)


def in_line(tx: Tx, channel: str, now: datetime, limit: int) -> list[Message]:
    """Return the messages of a channel that are not settled and may be looked at, in order."""
    return _messages(tx.rows(_IN_LINE, (channel, 0, micros(now), limit)))


def members(tx: Tx, leader_id: str) -> list[Message]:
    """Return the messages that go or went out with another one, in order."""
    return _messages(tx.rows(f"{_SELECT} WHERE digest = ? ORDER BY number", (number_of(leader_id),)))


def told_since(tx: Tx, channel: str, since: datetime, limit: int) -> list[datetime]:
    """Return the latest instants behind `since` at which a channel told something, newest first.

    What may have arrived counts; what went out with another message does not count again.
    """
    rows = tx.rows(
        "SELECT settled_at FROM messages WHERE channel = ? AND settled_at > ? AND digest IS NULL"
        " AND state IN ('sent', 'unknown') ORDER BY settled_at DESC LIMIT ?",
        (channel, micros(since), limit),
    )
    return [from_micros(settled_at) for (settled_at,) in rows]


def snoozed_of_task(tx: Tx, task_id: str) -> list[Message]:
    """Return the messages about a task that are to be told again, in order."""
    return _messages(tx.rows(f"{_SELECT} WHERE task_id = ? AND snoozed_until IS NOT NULL ORDER BY number", (task_id,)))


def open_of_task(tx: Tx, task_id: str) -> list[Message]:
    """Return the messages about a task whose fate is not settled, in order."""
    return _messages(tx.rows(f"{_SELECT} WHERE task_id = ? AND settled_at IS NULL ORDER BY number", (task_id,)))


def of_occurrence(tx: Tx, occurrence_id: str) -> list[Message]:
    """Return every message about an occurrence, in order."""
    return _messages(tx.rows(f"{_SELECT} WHERE occurrence_id = ? ORDER BY number", (occurrence_id,)))


_SHOWN = f"{_SELECT} WHERE channel = '{INBOX}' AND dismissed_at IS NULL"


def inbox_after(tx: Tx, number: int, limit: int) -> list[Message]:
    """Return the first `limit` inbox messages behind `number` that were not dismissed."""
    return _messages(tx.rows(f"{_SHOWN} AND number > ? ORDER BY number LIMIT ?", (number, limit)))


def inbox_latest(tx: Tx, limit: int) -> list[Message]:
    """Return the last `limit` inbox messages that were not dismissed, in order."""
    return _messages(tx.rows(f"{_SHOWN} ORDER BY number DESC LIMIT ?", (limit,)))[::-1]


def number_of(message_id: str) -> int | None:
    """Return the N of "mN", or None when the id is of another form."""
    return numbered.number_of(message_id, "m")


def _values(message: Message) -> tuple[object, ...]:
    reason = message.reason
    return (
        message.number,
        message.key,
        message.channel,
        message.task_id,
        message.occurrence_id,
        message.title,
        message.text,
        micros(message.due_at),
        micros(message.told_at),
        message.state.value,
        micros(message.next_try_at),
        message.tries,
        _micros(message.tried_since),
        int(message.in_doubt),
        int(message.unwanted),
        None if reason is None else reason.key,
        "" if reason is None else reason.detail,
        _micros(message.settled_at),
        _micros(message.read_at),
        _micros(message.dismissed_at),
        message.timing.value,
        _micros(message.held_until),
        message.note,
        message.turn,
        None if message.digest is None else number_of(message.digest),
        _micros(message.acknowledged_at),
        _micros(message.snoozed_until),
        message.snoozes,
    )


def _messages(rows: list[Row]) -> list[Message]:
    return [_message(row) for row in rows]


def _message(row: Row) -> Message:
    number, key, channel, task_id, occurrence_id, title, text, due_at, told_at, state, next_try_at, tries, *rest = row
    tried_since, in_doubt, unwanted, reason, detail, settled_at, read_at, dismissed_at, *rest = rest
    timing, held_until, note, turn, digest, acknowledged_at, snoozed_until, snoozes = rest
    return Message(
        id=f"m{number}",
        key=key,
        channel=channel,
        task_id=task_id,
        occurrence_id=occurrence_id,
        title=title,
        text=text,
        due_at=from_micros(due_at),
        told_at=from_micros(told_at),
        state=MessageState(state),
        next_try_at=from_micros(next_try_at),
        tries=tries,
        tried_since=_instant(tried_since),
        in_doubt=bool(in_doubt),
        unwanted=bool(unwanted),
        reason=None if reason is None else Reason(reason, detail),
        settled_at=_instant(settled_at),
        read_at=_instant(read_at),
        dismissed_at=_instant(dismissed_at),
        timing=Timing(timing),
        held_until=_instant(held_until),
        note=note,
        turn=turn,
        digest=None if digest is None else f"m{digest}",
        acknowledged_at=_instant(acknowledged_at),
        snoozed_until=_instant(snoozed_until),
        snoozes=snoozes,
    )


def _micros(at: datetime | None) -> int | None:
    return None if at is None else micros(at)


def _instant(value: int | None) -> datetime | None:
    return None if value is None else from_micros(value)
