"""The rows of notices: the kept input, the answers and the planned reminders stand in tables of their own (§1)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from itertools import islice, takewhile

import msgspec
from msgspec.structs import replace

from zhixing.kernel.errors import NotFound
from zhixing.kernel.moments import from_micros, micros
from zhixing.notices.album import facts_of
from zhixing.notices.model import Answer, Entry, Source, Submission, Understanding
from zhixing.notices.notice import Notice, NoticeState, Reminder, ReminderState
from zhixing.notices.series import Series, all_running, running
from zhixing.store.connection import Row, Tx
from zhixing.tasks import store as tasks
from zhixing.tasks.task import Task

MOST_SERIES = 500
"""Series that are looked through for what is coming."""
_MICROSECOND = timedelta(microseconds=1)
_decode = msgspec.json.Decoder(Understanding).decode


def insert(tx: Tx, task: Task, submission: Submission, key: str | None) -> None:
    """Keep a submission as it came in."""
    message_date = submission.message_date.isoformat() if submission.message_date else None
    submitted = micros(submission.submitted_at)
    tx.execute(
        "INSERT INTO notices (task_id, submission_key, text, source, entry, submitted_at, zone, message_date,"
        " words, words_source, said_at, state, why) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            task.id,
            key,
            submission.text,
            submission.source.value,
            submission.entry.value,
            submitted,
            submission.zone,
            message_date,
            submission.text,
            submission.source.value,
            submitted,
            NoticeState.RECEIVED.value,
            "",
        ),
    )


def find_by_key(tx: Tx, key: str) -> str | None:
    """Return the task of the submission with that key."""
    row = tx.row("SELECT task_id FROM notices WHERE submission_key = ?", (key,))
    return None if row is None else str(row[0])


def get(tx: Tx, task_id: str) -> Notice:
    """Return the notice of that task; raise `NotFound` where it is of another way or unknown."""
    task = tasks.get(tx, task_id)
    row = tx.row(
        "SELECT text, source, entry, submitted_at, zone, message_date, words, words_source, said_at, state, why,"
        " understood, reply, item FROM notices WHERE task_id = ?",
        (task_id,),
    )
    if row is None:
        raise NotFound("notice_unknown", id=task_id[:64])
    notice = _notice(task, row, _answers(tx, task_id), _reminders(tx, task_id), running(tx, task_id))
    return notice if row[1] != Source.IMAGE else replace(notice, picture=facts_of(tx, task_id))


def save_understanding(tx: Tx, task_id: str, state: NoticeState, why: str, understood: Understanding | None) -> None:
    """Write what became of the words."""
    encoded = None if understood is None else msgspec.json.encode(understood).decode()
    tx.execute(
        "UPDATE notices SET state = ?, why = ?, understood = ? WHERE task_id = ?",
        (state.value, why, encoded, task_id),
    )


def save_words(tx: Tx, task_id: str, words: str, source: Source, said_at: datetime) -> None:
    """Write the user's edit; the original stays where it is."""
    tx.execute(
        "UPDATE notices SET words = ?, words_source = ?, said_at = ?, reply = NULL, item = NULL WHERE task_id = ?",
        (words, source.value, micros(said_at), task_id),
    )


def save_reply(tx: Tx, task_id: str, reply: str | None, item: int | None = None) -> None:
    """Write what a model said about the current words, and which of its matters this notice is."""
    tx.execute("UPDATE notices SET reply = ?, item = ? WHERE task_id = ?", (reply, item, task_id))


def add_answer(tx: Tx, task_id: str, answer: Answer, *, words: str, revision: int, at: datetime) -> None:
    """Keep an answer: what it was taken as, and the words it was given in."""
    number = tx.row("SELECT count(*) FROM answers WHERE task_id = ?", (task_id,))
    tx.execute(
        "INSERT INTO answers (task_id, number, kind, value, words, revision, answered_at, in_force)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, 1)",
        (task_id, (number[0] if number else 0) + 1, answer.kind, answer.value, words, revision, micros(at)),
    )


def retire_answers(tx: Tx, task_id: str) -> None:
    """Keep the answers so far as history only: they were about other words."""
    tx.execute("UPDATE answers SET in_force = 0 WHERE task_id = ?", (task_id,))


def add_reminders(tx: Tx, task_id: str, reminders: Sequence[Reminder]) -> None:
    """Add planned reminders."""
    tx.many(
        "INSERT INTO reminders (task_id, number, at, reason, nodes, state, revision) VALUES (?, ?, ?, ?, ?, ?, ?)",
        [
            (
                task_id,
                reminder.number,
                micros(reminder.at),
                reminder.reason,
                msgspec.json.encode(reminder.nodes).decode(),
                reminder.state.value,
                reminder.revision,
            )
            for reminder in reminders
        ],
    )


def settle_reminder(tx: Tx, task_id: str, number: int, state: ReminderState) -> bool:
    """Move a planned reminder to its end; return whether it was still planned."""
    return (
        tx.execute(
            "UPDATE reminders SET state = ? WHERE task_id = ? AND number = ? AND state = 'planned'",
            (state.value, task_id, number),
        )
        == 1
    )


def next_reminder_number(tx: Tx, task_id: str) -> int:
    """Return the number of the next reminder of a task."""
    row = tx.row("SELECT max(number) FROM reminders WHERE task_id = ?", (task_id,))
    return 1 if row is None or row[0] is None else int(row[0]) + 1


def coming(
    tx: Tx, start: datetime, end: datetime, limit: int, *, of_each: int | None = None
) -> list[tuple[Task, Reminder]]:
    """Return the planned reminders of active tasks in [start, end), in order; of each series at most `of_each`."""
    rows = tx.rows(
        "SELECT task_id, number, at, reason, nodes, state, revision FROM reminders"
        " WHERE state = 'planned' AND at >= ? AND at < ? ORDER BY at, task_id LIMIT ?",
        (micros(start), micros(end), limit),
    )
    single = [(tasks.get(tx, row[0]), _reminder(row[1:])) for row in rows]
    found = sorted(
        [*single, *_repeated(tx, start, end, limit if of_each is None else of_each)],
        key=lambda one: (one[1].at, one[0].id),
    )
    return found[:limit]


def planned(tx: Tx, start: datetime, limit: int) -> list[tuple[str, datetime]]:
    """Return the tasks of planned single reminders from an instant on, with the instants, in order."""
    rows = tx.rows(
        "SELECT task_id, at FROM reminders WHERE state = 'planned' AND at >= ? ORDER BY at, task_id LIMIT ?",
        (micros(start), limit),
    )
    return [(str(task_id), from_micros(at)) for task_id, at in rows]


def _repeated(tx: Tx, start: datetime, end: datetime, of_each: int) -> list[tuple[Task, Reminder]]:
    found = list[tuple[Task, Reminder]]()
    for task_id in all_running(tx, MOST_SERIES):
        notice = get(tx, task_id)
        if notice.series is not None:
            instants = islice(takewhile(lambda at: at < end, notice.series.ahead(start - _MICROSECOND)), of_each)
            found.extend((notice.task, notice.of_series(notice.series, at)) for at in instants)
    return found


def in_state(tx: Tx, state: NoticeState, limit: int) -> list[str]:
    """Return the tasks of notices in that state, newest first."""
    rows = tx.rows(
        "SELECT notices.task_id FROM notices JOIN tasks ON tasks.id = notices.task_id"
        " WHERE notices.state = ? AND tasks.status = 'active' ORDER BY tasks.number DESC LIMIT ?",
        (state.value, limit),
    )
    return [str(row[0]) for row in rows]


def _answers(tx: Tx, task_id: str) -> tuple[Answer, ...]:
    rows = tx.rows("SELECT kind, value FROM answers WHERE task_id = ? AND in_force = 1 ORDER BY number", (task_id,))
    return tuple(Answer(kind, value) for kind, value in rows)


def _reminders(tx: Tx, task_id: str) -> tuple[Reminder, ...]:
    rows = tx.rows(
        "SELECT number, at, reason, nodes, state, revision FROM reminders WHERE task_id = ? ORDER BY number",
        (task_id,),
    )
    return tuple(_reminder(row) for row in rows)


def _reminder(row: Row) -> Reminder:
    number, at, reason, nodes, state, revision = row
    indexes = msgspec.json.decode(nodes, type=tuple[int, ...])
    return Reminder(number, from_micros(at), reason, indexes, ReminderState(state), revision)


def _notice(
    task: Task, row: Row, answers: tuple[Answer, ...], reminders: tuple[Reminder, ...], series: Series | None
) -> Notice:
    text, source, entry, submitted, zone, message_date, words, words_source, said_at, state, why, *read = row
    understood, reply, item = read
    sent_on = date.fromisoformat(message_date) if message_date else None
    original = Submission(text, Source(source), from_micros(submitted), zone, sent_on, Entry(entry))
    current = Submission(words, Source(words_source), from_micros(said_at), zone, sent_on, Entry(entry))
    return Notice(
        task,
        original,
        current,
        NoticeState(state),
        why,
        _decode(understood) if understood else None,
        answers,
        reminders,
        reply,
        item,
        series,
    )
