"""The rows of conversations about goals."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

import msgspec

from zhixing.goals.recognising.model import Message
from zhixing.goals.talking.talk import PREFIX, GoalTalk, GoalTalkState
from zhixing.kernel.moments import micros, millis
from zhixing.kernel.numbered import number_of
from zhixing.store.connection import Row, Tx
from zhixing.tasks.sentences import Fixed, Sentences

_MESSAGES = msgspec.json.Decoder(tuple[Message, ...])


def has(tx: Tx, talk_id: str) -> bool:
    """Whether there is a talk of that id."""
    number = number_of(talk_id, PREFIX)
    return number is not None and tx.row("SELECT 1 FROM goal_drafts WHERE number = ?", (number,)) is not None


def find_by_goal(tx: Tx, goal_id: str) -> GoalTalk | None:
    """Return the talk of which a goal came."""
    return _ROWS.first(tx, "goal_id = ?", (goal_id,))


def lists(tx: Tx, heads: Collection[str]) -> dict[str, list[GoalTalk]]:
    """Return, by the id of its head, the talks of each list that were not chosen first, in their order."""
    found: dict[str, list[GoalTalk]] = {}
    if heads:
        marks = ", ".join("?" for _ in heads)
        for talk in _ROWS.every(tx, f"root IN ({marks})", tuple(map(_number, heads))):
            found.setdefault(talk.queue, []).append(talk)
    return found


def ids_in(tx: Tx, states: Collection[GoalTalkState]) -> list[str]:
    """Return the ids of all talks in these states, the oldest first."""
    marks = ", ".join("?" for _ in states)
    found = tx.rows(
        f"SELECT number FROM goal_drafts WHERE state IN ({marks}) ORDER BY number", [each.value for each in states]
    )
    return [f"{PREFIX}{number}" for (number,) in found]


def forget(tx: Tx, before: datetime, limit: int) -> int:
    """Let go of talks that began before an instant and of which nothing comes any more, at most `limit`.

    Whoever is at the head of a list stays as long as the others of it; whose goal has changed since, too. Returns how
    many went.
    """
    over = (GoalTalkState.FINISHED.value, GoalTalkState.DISCARDED.value)
    return tx.execute(
        "DELETE FROM goal_drafts WHERE number IN (SELECT number FROM goal_drafts AS old"
        " WHERE state IN (?, ?) AND said_at < ?"
        " AND NOT EXISTS (SELECT 1 FROM goal_drafts AS other WHERE other.root = old.number)"
        " AND NOT EXISTS (SELECT 1 FROM goals WHERE goals.task_id = old.goal_id AND goals.changed_at >= ?)"
        " ORDER BY number LIMIT ?)",
        (*over, micros(before), millis(before), limit),
    )


def _number(talk_id: str) -> int:
    return int(talk_id.removeprefix(PREFIX))


def _written(talk: GoalTalk) -> tuple[object, ...]:
    root = None if talk.root is None else _number(talk.root)
    messages = msgspec.json.encode(talk.messages).decode()
    return (messages, talk.state.value, root, talk.revision, talk.seen, talk.request, talk.goal_id)


def _read(fixed: Fixed, own: Row) -> GoalTalk:
    messages, state, root, *rest = own
    head = None if root is None else f"{PREFIX}{root}"
    return GoalTalk(*fixed, _MESSAGES.decode(messages), GoalTalkState(state), head, *rest)


_ROWS = Sentences(
    "goal_drafts",
    prefix=PREFIX,
    counter="goal_draft",
    unknown="goal_talk_unknown",
    states=GoalTalkState,
    columns=("messages", "state", "root", "revision", "seen", "request", "goal_id"),
    written=_written,
    read=_read,
)
new_id, insert, save = _ROWS.new_id, _ROWS.insert, _ROWS.save
get, find_by_key, page = _ROWS.get, _ROWS.find_by_key, _ROWS.page
