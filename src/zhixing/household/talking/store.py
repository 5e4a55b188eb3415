"""The rows of what was said about the home."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

import msgspec

from zhixing.household.talking.talk import Talk, TalkState
from zhixing.kernel.errors import BadInput, NotFound
from zhixing.kernel.moments import from_micros, micros
from zhixing.kernel.numbered import number_of
from zhixing.kernel.questions import Option, Question
from zhixing.store.connection import Row, Tx
from zhixing.store.counters import next_number

LARGEST_PAGE = 500
"""Talks given at most at once."""
PREFIX = "s"

_COLUMNS = (
    "number, text, who, zone, said_at, sources,"
    " state, revision, answers, questions, prompt, lines, tasks, op, reply, why"
)


class _Asked(msgspec.Struct, frozen=True):
    kind: str
    prompt: str
    options: tuple[tuple[str, str], ...]
    revision: int


_QUESTIONS = msgspec.json.Decoder(tuple[_Asked, ...])
_WORDS = msgspec.json.Decoder(tuple[str, ...])
_ANSWERS = msgspec.json.Decoder(dict[str, str])


def insert(
    tx: Tx, text: str, *, who: str, zone: str, sources: tuple[str, ...], said_at: datetime, key: str | None
) -> Talk:
    """Keep a sentence; the caller has looked for `key` before."""
    number = next_number(tx, "household_talk")
    talk = Talk(f"{PREFIX}{number}", text, who, zone, said_at, sources)
    tx.execute(
        f"INSERT INTO household_talks ({_COLUMNS}, key) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (number, text, who, zone, micros(said_at), _json(sources), *_changing(talk), key),
    )
    return talk


def save(tx: Tx, talk: Talk) -> Talk:
    """Write down what changed about a talk."""
    tx.execute(
        "UPDATE household_talks SET who = ?, state = ?, revision = ?, answers = ?, questions = ?, prompt = ?,"
        " lines = ?, tasks = ?, op = ?, reply = ?, why = ? WHERE number = ?",
        (talk.who, *_changing(talk), int(talk.id[1:])),
    )
    return talk


def get(tx: Tx, talk_id: str) -> Talk:
    """Return a talk; raise `NotFound` when there is none of that id."""
    number = number_of(talk_id, PREFIX)
    if number is not None:
        row = tx.row(f"SELECT {_COLUMNS} FROM household_talks WHERE number = ?", (number,))
        if row is not None:
            return _read(row)
    raise NotFound("talk_unknown", id=talk_id[:64])


def find_by_key(tx: Tx, key: str) -> Talk | None:
    """Return the talk that was begun with `key`."""
    row = tx.row(f"SELECT {_COLUMNS} FROM household_talks WHERE key = ?", (key,))
    return None if row is None else _read(row)


@dataclass(frozen=True, slots=True)
class Page:
    """Some talks, newest first; `more` is the cursor of the next page, if there is one."""

    talks: tuple[Talk, ...]
    more: str | None


def page(tx: Tx, *, states: Collection[TalkState] = (), limit: int = 50, before: str | None = None) -> Page:
    """Return talks in the given states (none given: all), the newest first, from behind the cursor.

    Raises `BadInput` for a cursor that no page gave.
    """
    wanted = [state.value for state in states] or [state.value for state in TalkState]
    marks, limit = ", ".join("?" for _ in wanted), max(1, min(limit, LARGEST_PAGE))
    until = 2**62 if before is None else number_of(before, PREFIX)
    if until is None:
        raise BadInput("cursor_unreadable", text=(before or "")[:64])
    rows = tx.rows(
        f"SELECT {_COLUMNS} FROM household_talks WHERE state IN ({marks}) AND number < ? ORDER BY number DESC LIMIT ?",
        (*wanted, until, limit + 1),
    )
    talks = tuple(_read(row) for row in rows[:limit])
    return Page(talks, talks[-1].id if len(rows) > limit else None)


def waiting(tx: Tx, limit: int) -> tuple[Talk, ...]:
    """Return the oldest talks that wait for a model."""
    rows = tx.rows(
        f"SELECT {_COLUMNS} FROM household_talks WHERE state = ? ORDER BY number LIMIT ?",
        (TalkState.PENDING_AI.value, limit),
    )
    return tuple(_read(row) for row in rows)


def count(tx: Tx, states: Collection[TalkState]) -> int:
    """Return how many talks are in one of the states."""
    marks = ", ".join("?" for _ in states)
    row = tx.row(f"SELECT count(*) FROM household_talks WHERE state IN ({marks})", [state.value for state in states])
    return 0 if row is None else int(row[0])


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _changing(talk: Talk) -> tuple[object, ...]:
    asked = [
        _Asked(one.kind, one.prompt, tuple((option.value, option.label) for option in one.options), one.revision)
        for one in talk.questions
    ]
    return (
        talk.state.value,
        talk.revision,
        _json(dict(talk.answers)),
        _json(asked),
        talk.prompt,
        _json(talk.lines),
        _json(talk.tasks),
        talk.op,
        talk.reply,
        talk.why,
    )


def _read(row: Row) -> Talk:
    number, text, who, zone, said_at, sources, state, revision, answers, asked, prompt, lines, tasks, op, reply, why = (
        row
    )
    talk_id = f"{PREFIX}{number}"
    questions = tuple(
        Question(one.kind, one.prompt, tuple(Option(*option) for option in one.options), talk_id, one.revision)
        for one in _QUESTIONS.decode(asked)
    )
    return Talk(
        talk_id,
        text,
        who,
        zone,
        from_micros(said_at),
        _WORDS.decode(sources),
        TalkState(state),
        revision,
        _ANSWERS.decode(answers),
        questions,
        prompt,
        _WORDS.decode(lines),
        _WORDS.decode(tasks),
        op,
        reply,
        why,
    )
