"""The rows of conversations about goals."""

from __future__ import annotations

from collections.abc import Collection

import msgspec

from zhixing.goals.recognising.model import Message
from zhixing.goals.talking.talk import PREFIX, GoalTalk, GoalTalkState
from zhixing.kernel.errors import BadInput, NotFound
from zhixing.kernel.moments import from_micros, micros
from zhixing.kernel.numbered import number_of
from zhixing.store.connection import Row, Tx
from zhixing.store.counters import next_number

LARGEST_PAGE = 200
"""Talks given at most at once."""

_COLUMNS = "number, text, who, zone, said_at, root, messages, state, revision, seen, request, goal_id"
_MESSAGES = msgspec.json.Decoder(tuple[Message, ...])


def new_id(tx: Tx) -> str:
    """Return the next id: q1, then q2, and so on."""
    return f"{PREFIX}{next_number(tx, 'goal_draft')}"


def insert(tx: Tx, talk: GoalTalk, key: str | None = None) -> GoalTalk:
    """Add a talk whose id comes from `new_id`; the caller has looked for `key` before."""
    root = None if talk.root is None else int(talk.root[1:])
    tx.execute(
        f"INSERT INTO goal_drafts ({_COLUMNS}, key) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (int(talk.id[1:]), talk.text, talk.who, talk.zone, micros(talk.said_at), root, *_changing(talk), key),
    )
    return talk


def save(tx: Tx, talk: GoalTalk) -> GoalTalk:
    """Write down what changed about a talk that the caller has locked."""
    tx.execute(
        "UPDATE goal_drafts SET messages = ?, state = ?, revision = ?, seen = ?, request = ?, goal_id = ?"
        " WHERE number = ?",
        (*_changing(talk), int(talk.id[1:])),
    )
    return talk


def get(tx: Tx, talk_id: str) -> GoalTalk:
    """Return a talk; raise `NotFound` when there is none of that id."""
    number = number_of(talk_id, PREFIX)
    row = None if number is None else tx.row(f"SELECT {_COLUMNS} FROM goal_drafts WHERE number = ?", (number,))
    if row is None:
        raise NotFound("goal_talk_unknown", id=talk_id[:64])
    return _read(row)


def has(tx: Tx, talk_id: str) -> bool:
    """Whether there is a talk of that id."""
    number = number_of(talk_id, PREFIX)
    return number is not None and tx.row("SELECT 1 FROM goal_drafts WHERE number = ?", (number,)) is not None


def lock(tx: Tx, talk_id: str) -> GoalTalk:
    """Return a talk to be changed: nobody else changes it, or its list, until `tx` ends. Raises `NotFound`."""
    head = get(tx, talk_id).queue
    # Whoever changes a talk has the head of its list first: so none waits for one who waits for him.
    tx.execute("UPDATE goal_drafts SET revision = revision WHERE number = ?", (int(head[1:]),))
    tx.execute("UPDATE goal_drafts SET revision = revision WHERE number = ?", (int(talk_id[1:]),))
    return get(tx, talk_id)


def find_by_key(tx: Tx, key: str) -> GoalTalk | None:
    """Return the talk that was begun with `key`."""
    row = tx.row(f"SELECT {_COLUMNS} FROM goal_drafts WHERE key = ?", (key,))
    return None if row is None else _read(row)


def find_by_goal(tx: Tx, goal_id: str) -> GoalTalk | None:
    """Return the talk of which a goal came."""
    row = tx.row(f"SELECT {_COLUMNS} FROM goal_drafts WHERE goal_id = ?", (goal_id,))
    return None if row is None else _read(row)


def lists(tx: Tx, heads: Collection[str]) -> dict[str, list[GoalTalk]]:
    """Return, by the id of its head, the talks of each list that were not chosen first, in their order."""
    found: dict[str, list[GoalTalk]] = {}
    if heads:
        marks = ", ".join("?" for _ in heads)
        for row in tx.rows(
            f"SELECT {_COLUMNS} FROM goal_drafts WHERE root IN ({marks}) ORDER BY number",
            tuple(int(each[1:]) for each in heads),
        ):
            talk = _read(row)
            found.setdefault(talk.queue, []).append(talk)
    return found


def page(
    tx: Tx, *, states: Collection[GoalTalkState] = (), limit: int = 50, before: str | None = None
) -> list[GoalTalk]:
    """Return talks in the given states (none given: all), the newest first; `before` continues behind an id.

    Raises `BadInput` for a cursor that is no id.
    """
    wanted = [state.value for state in states or GoalTalkState]
    until = 2**62 if before is None else number_of(before, PREFIX)
    if until is None:
        raise BadInput("cursor_unreadable", text=(before or "")[:64])
    rows = tx.rows(
        f"SELECT {_COLUMNS} FROM goal_drafts WHERE state IN ({', '.join('?' * len(wanted))}) AND number < ?"
        " ORDER BY number DESC LIMIT ?",
        (*wanted, until, max(1, min(limit, LARGEST_PAGE))),
    )
    return [_read(row) for row in rows]


def ids_in(tx: Tx, states: Collection[GoalTalkState]) -> list[str]:
    """Return the ids of all talks in these states, the oldest first."""
    marks = ", ".join("?" for _ in states)
    found = tx.rows(
        f"SELECT number FROM goal_drafts WHERE state IN ({marks}) ORDER BY number", [each.value for each in states]
    )
    return [f"{PREFIX}{number}" for (number,) in found]


def _changing(talk: GoalTalk) -> tuple[object, ...]:
    messages = msgspec.json.encode(talk.messages).decode()
    return (messages, talk.state.value, talk.revision, talk.seen, talk.request, talk.goal_id)


def _read(row: Row) -> GoalTalk:
    number, text, who, zone, said_at, root, messages, state, revision, seen, request, goal_id = row
    return GoalTalk(
        id=f"{PREFIX}{number}",
        text=text,
        who=who,
        zone=zone,
        said_at=from_micros(said_at),
        root=None if root is None else f"{PREFIX}{root}",
        messages=_MESSAGES.decode(messages),
        state=GoalTalkState(state),
        revision=revision,
        seen=seen,
        request=request,
        goal_id=goal_id,
    )
