"""What happened, in order: the audit of a task and the feed that live views follow.

`seq` comes from a counter inside the writing transaction, and writers take turns; so numbers become visible in order,
and a reader who asks for everything after the last number seen misses nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

import msgspec

from zhixing.kernel.moments import from_micros, micros
from zhixing.store.connection import Row, Tx
from zhixing.store.counters import next_number, next_numbers

LARGEST_PAGE = 1_000
"""Entries given at most at once."""
LONGEST_WHY = 500
"""Characters kept of a reason."""

CLOCK = "clock"
"""Who does what is due."""
TASK = "task"
"""Who does what follows from a change of the task."""
USER = "user"
"""Who does what a person asks for, when no better name is known."""

_COLUMNS = "seq, task_id, at, kind, who, why, data"
_INSERT = f"INSERT INTO journal ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)"


class Kind(StrEnum):
    """What an entry tells."""

    CREATED = "created"
    """A task came to be."""
    UNDERSTOOD = "understood"
    """Its words were read; `data` says as what."""
    ASKED = "asked"
    """A question was put to the user."""
    ANSWERED = "answered"
    """The user answered it."""
    REVISED = "revised"
    """Its content changed; `data` says what from and to."""
    PAUSED = "paused"
    """It was stopped for now."""
    RESUMED = "resumed"
    """A pause ended."""
    COMPLETED = "completed"
    """It was done."""
    RESTORED = "restored"
    """A completion or deletion was taken back."""
    EXPIRED = "expired"
    """Its time was over."""
    DELETED = "deleted"
    """It was removed from sight."""

    SCHEDULED = "scheduled"
    """A schedule was added; `data` has its expression and zone."""
    UNSCHEDULED = "unscheduled"
    """A schedule was removed."""
    OUT_OF_TABLE = "out_of_table"
    """A schedule stands still: the table of holidays or lunar dates that it needs ends here."""
    LEFT_OUT = "left_out"
    """A day of a schedule will be left out; `data` says which."""
    PUT_BACK = "put_back"
    """A day that was left out will happen after all."""
    DONE_ONCE = "done_once"
    """One time of something that repeats was done; the rest goes on."""
    RECONCILED = "reconciled"
    """A schedule was set right after a crash, a lost job or a clock that had run ahead."""

    OCCURRENCE_DUE = "occurrence_due"
    """An occurrence waits for its turn. The entries of occurrences have its id, part and instant in `data`."""
    OCCURRENCE_CLAIMED = "occurrence_claimed"
    """It has come; its work is promised."""
    OCCURRENCE_RUNNING = "occurrence_running"
    """Its work began."""
    OCCURRENCE_DONE = "occurrence_done"
    """Its work was done."""
    OCCURRENCE_FAILED = "occurrence_failed"
    """Its work failed for good."""
    OCCURRENCE_SKIPPED = "occurrence_skipped"
    """It came and was left out on purpose."""
    OCCURRENCE_MISSED = "occurrence_missed"
    """It passed while nobody could act."""
    OCCURRENCE_INTERRUPTED = "occurrence_interrupted"
    """Its work began and nobody knows how it ended."""
    OCCURRENCE_CANCELLED = "occurrence_cancelled"
    """It was called off."""

    RULE_MADE = "rule_made"
    """A rule was added. The entries of rules have its id and name in `data`."""
    RULE_CHANGED = "rule_changed"
    """A rule was changed; `anew` in `data` says whether what it was counting starts anew."""
    RULE_STARTED = "rule_started"
    """A rule was enabled."""
    RULE_STOPPED = "rule_stopped"
    """A rule was disabled; `why` is `limit` where it had fired too often."""
    RULE_REMOVED = "rule_removed"
    """A rule was deleted."""

    NEAR_MISS = "near_miss"
    """Something came close to happening and did not; `why` says what kept it."""

    RECORD_BEGUN = "record_begun"
    """A task got a record; `data` has its content."""
    RECORDED = "recorded"
    """Something was counted, timed or written down; `data` says what and to where."""
    TARGET_REACHED = "target_reached"
    """The target of a period was reached for the first time; `data` says when."""

    DELIVERED = "delivered"
    """A message reached its channel."""
    DELIVERY_FAILED = "delivery_failed"
    """A message could not be brought."""
    DELIVERY_UNKNOWN = "delivery_unknown"
    """Nobody knows whether a message arrived; it is not sent again."""
    ACKNOWLEDGED = "acknowledged"
    """The user has seen a message and dealt with it."""
    SNOOZED = "snoozed"
    """The user put a message off; `data` says until when."""

    NOT_FOLLOWED = "not_followed"
    """What a task stands for elsewhere could not be made to follow it; `data` has the `error`."""

    AGENT_WAITS = "agent_waits"
    """Something needs the judgement of the household agent and waits for it; `data` has its words."""

    GOAL_HANDED_IN = "goal_handed_in"
    """Bots were given a goal; `data` has its id and its owner bot."""
    GOAL_HUNG = "goal_hung"
    """A step of a goal hangs; `why` is the code of the reason, `data` has its node and title, as in the next two."""
    GOAL_UNSURE = "goal_unsure"
    """Nobody knows whether a step of a goal reached its bot."""
    GOAL_LATE = "goal_late"
    """A result came too late: it is kept and not used."""
    GOAL_BUDGET = "goal_budget"
    """Of what a goal may use, four fifths are used; `why` says of what."""
    GOAL_RELAY_WANTED = "goal_relay_wanted"
    """A goal cannot go on by itself: bots outside are asked; `why` is the code of the reason."""
    GOAL_RELAYED = "goal_relayed"
    """A bot outside took over the rest of a goal; `data` has it."""
    GOAL_STOPPED = "goal_stopped"
    """A goal does not go on until a person says so; `why` is the code of the reason."""
    GOAL_RESUMED = "goal_resumed"
    """A goal that had stopped goes on."""
    GOAL_DONE = "goal_done"
    """A goal was reached."""
    GOAL_FAILED = "goal_failed"
    """What another system ran for a goal failed."""
    GOAL_CANCELLED = "goal_cancelled"
    """A goal was given up."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that happened. `who` is a user, a face or `CLOCK`; `why` is a reason code or a sentence."""

    seq: int
    task_id: str
    at: datetime
    kind: Kind
    who: str
    why: str = ""
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Note:
    """An entry that has no number yet."""

    task_id: str
    at: datetime
    kind: Kind
    who: str
    why: str = ""
    data: Mapping[str, Any] = field(default_factory=dict)


def write(
    tx: Tx,
    task_id: str,
    kind: Kind,
    *,
    at: datetime,
    who: str,
    why: str = "",
    data: Mapping[str, Any] | None = None,
) -> int:
    """Add an entry; return its number. `data` must be JSON."""
    seq = next_number(tx, "journal")
    tx.execute(_INSERT, _inserted(seq, Note(task_id, at, kind, who, why, data or {})))
    return seq


def write_all(tx: Tx, notes: Sequence[Note]) -> None:
    """Add many entries, in their order."""
    if notes:
        first = next_numbers(tx, "journal", len(notes))
        tx.many(_INSERT, [_inserted(first + index, note) for index, note in enumerate(notes)])


def of_task(tx: Tx, task_id: str, limit: int = 50, before: int | None = None) -> list[Entry]:
    """Return the newest entries of a task, newest first; `before` continues behind a number."""
    older = "" if before is None else " AND seq < ?"
    params: tuple[object, ...] = (task_id,) if before is None else (task_id, before)
    rows = tx.rows(
        f"SELECT {_COLUMNS} FROM journal WHERE task_id = ?{older} ORDER BY seq DESC LIMIT ?", (*params, _bounded(limit))
    )
    return [_read(row) for row in rows]


def around(tx: Tx, task_id: str, start: datetime, end: datetime, limit: int = 50) -> list[Entry]:
    """Return the entries of a task from [start, end], newest first."""
    rows = tx.rows(
        f"SELECT {_COLUMNS} FROM journal WHERE task_id = ? AND at >= ? AND at <= ? ORDER BY seq DESC LIMIT ?",
        (task_id, micros(start), micros(end), _bounded(limit)),
    )
    return [_read(row) for row in rows]


def since(tx: Tx, seq: int, limit: int = 200) -> list[Entry]:
    """Return the entries after number `seq`, oldest first."""
    rows = tx.rows(f"SELECT {_COLUMNS} FROM journal WHERE seq > ? ORDER BY seq LIMIT ?", (seq, _bounded(limit)))
    return [_read(row) for row in rows]


def last(tx: Tx) -> int:
    """Return the number of the newest entry, 0 when there is none: where a new reader begins."""
    row = tx.row("SELECT max(seq) FROM journal")
    return 0 if row is None or row[0] is None else int(row[0])


def _bounded(limit: int) -> int:
    return max(1, min(limit, LARGEST_PAGE))


def _inserted(seq: int, note: Note) -> Row:
    encoded = msgspec.json.encode(note.data).decode()
    return (seq, note.task_id, micros(note.at), note.kind.value, note.who, note.why[:LONGEST_WHY], encoded)


def _read(row: Row) -> Entry:
    seq, task_id, at, kind, who, why, data = row
    return Entry(seq, task_id, from_micros(at), Kind(kind), who, why, msgspec.json.decode(data))
