"""The rows of groups: who is in them, how their talks stand, what was said."""

from __future__ import annotations

from typing import Any

import msgspec

from zhixing.goals.bots.collaborating import Duty, Word
from zhixing.goals.bots.forming import Group
from zhixing.goals.bots.searching import KnownGroup
from zhixing.goals.groups.model import Kept, Line, State
from zhixing.goals.groups.standing import Standing
from zhixing.goals.loop.limits import Spent
from zhixing.store.connection import Row, Tx

_FIXED = "key, run_id, group_id, task_id, node_id, attempt, context, began_at, closing_at, ends_at"
_CHANGING = "state, standing, lines, late, result, run_status, error, tokens, cost, ended_at"
_TALK = f"{_FIXED}, {_CHANGING}"
_SAVE = f"UPDATE goal_talks SET {', '.join(f'{each} = ?' for each in _CHANGING.split(', '))} WHERE run_id = ?"
_BOTS = msgspec.json.Decoder(tuple[str, ...])


# Groups


def add_group(tx: Tx, group_id: str, group: Group, leaf: tuple[str, str], at: int) -> None:
    """Keep a group that is formed for a leaf, by task and node; the same id is the same group."""
    members = (group.reporter, *group.others)
    tx.execute(
        "INSERT INTO goal_groups (id, name, members, definition, task_id, node_id, created_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING",
        (group_id, group.name, _json(members), _json(group), *leaf, at),
    )


def group_of(tx: Tx, group_id: str) -> Group | None:
    """Return a group, None when there is none of that id."""
    row = tx.row("SELECT definition FROM goal_groups WHERE id = ?", (group_id,))
    return None if row is None else msgspec.json.decode(row[0], type=Group)


def known_groups(tx: Tx, limit: int) -> tuple[KnownGroup, ...]:
    """Return the groups there are, the newest first."""
    found = tx.rows("SELECT id, members FROM goal_groups ORDER BY created_at DESC, id DESC LIMIT ?", (limit,))
    return tuple(KnownGroup(group_id, _BOTS.decode(members)) for group_id, members in found)


# Talks


def add(tx: Tx, kept: Kept) -> bool:
    """Keep a new talk; return False when there is one under its key."""
    marks = ", ".join("?" for _ in _TALK.split(","))
    return bool(
        tx.execute(
            f"INSERT INTO goal_talks ({_TALK}) VALUES ({marks}) ON CONFLICT DO NOTHING",
            (
                kept.key,
                kept.run_id,
                kept.group_id,
                kept.task_id,
                kept.node_id,
                kept.attempt,
                kept.context,
                kept.began_at,
                kept.closing_at,
                kept.ends_at,
                *_changing(kept),
            ),
        )
    )


def by_key(tx: Tx, key: str) -> Kept | None:
    """Return the talk of a delivery."""
    return _kept(tx, tx.row(f"SELECT {_TALK} FROM goal_talks WHERE key = ?", (key,)))


def by_run(tx: Tx, run_id: str) -> Kept | None:
    """Return a talk as it is; in a write transaction nobody else changes it until that ends."""
    return _kept(tx, tx.row(f"SELECT {_TALK} FROM goal_talks WHERE run_id = ?", (run_id,)))


def save(tx: Tx, kept: Kept) -> None:
    """Keep what became of a talk."""
    tx.execute(_SAVE, (*_changing(kept), kept.run_id))


def running(tx: Tx) -> list[str]:
    """Return the runs of the talks that are under way."""
    found = tx.rows("SELECT run_id FROM goal_talks WHERE state = ? ORDER BY began_at, run_id", (State.RUNNING.value,))
    return [run_id for (run_id,) in found]


def _kept(tx: Tx, row: Row | None) -> Kept | None:
    if row is None:
        return None
    key, run_id, group_id, task_id, node_id, attempt, context, began_at, closing_at, ends_at = row[:10]
    state, standing, lines, late, result, run_status, error, tokens, cost, ended_at = row[10:]
    group = group_of(tx, group_id)
    if group is None:
        raise RuntimeError(f"the group {group_id} of a talk is not there")
    return Kept(
        key,
        run_id,
        group_id,
        group,
        task_id,
        node_id,
        attempt,
        context,
        began_at,
        closing_at,
        ends_at,
        msgspec.json.decode(standing, type=Standing),
        State(state),
        lines,
        late,
        result,
        run_status,
        error,
        Spent(tokens, cost),
        ended_at,
    )


def _changing(kept: Kept) -> tuple[object, ...]:
    return (
        kept.state.value,
        _json(kept.standing),
        kept.lines,
        kept.late,
        kept.result,
        kept.run_status,
        kept.error,
        kept.spent.tokens,
        kept.spent.cost,
        kept.ended_at,
    )


# What was said


def add_line(tx: Tx, run_id: str, seq: int, line: Line) -> None:
    """Keep what came of a turn."""
    tx.execute(
        "INSERT INTO goal_talk_lines (run_id, seq, at, bot_id, duty, word, text, note, late)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            run_id,
            seq,
            line.at,
            line.bot_id,
            line.duty.value,
            line.word.value,
            line.text,
            line.note,
            int(line.late),
        ),
    )


def lines_of(tx: Tx, run_id: str) -> tuple[Line, ...]:
    """Return what was said in a talk, in order."""
    found = tx.rows(
        "SELECT bot_id, duty, word, text, note, late, at FROM goal_talk_lines WHERE run_id = ? ORDER BY seq", (run_id,)
    )
    return tuple(
        Line(bot_id, Duty(duty), Word(word), text, note, bool(late), at)
        for bot_id, duty, word, text, note, late, at in found
    )


# What nobody needs any more


def forget_talks(tx: Tx, task_id: str, limit: int) -> int:
    """Let go of the talks of a goal and of what was said in them, at most `limit` rows; return how many."""
    left = limit
    found = tx.rows("SELECT run_id FROM goal_talks WHERE task_id = ? ORDER BY run_id LIMIT ?", (task_id, limit))
    for (run_id,) in found:
        left -= tx.execute(
            "DELETE FROM goal_talk_lines WHERE run_id = ? AND seq IN"
            " (SELECT seq FROM goal_talk_lines WHERE run_id = ? ORDER BY seq LIMIT ?)",
            (run_id, run_id, left),
        )
        # A talk goes after all that was said in it.
        left -= tx.execute("DELETE FROM goal_talks WHERE run_id = ?", (run_id,)) if left > 0 else 0
        if left <= 0:
            break
    return limit - left


def forget_groups(tx: Tx, before: int, kept: int, limit: int) -> int:
    """Let go of groups that were formed before an instant and have no talk any more, at most `limit`.

    The newest `kept` stay: they are offered for more work. Returns how many went.
    """
    return tx.execute(
        "DELETE FROM goal_groups WHERE id IN (SELECT id FROM goal_groups WHERE created_at < ?"
        " AND NOT EXISTS (SELECT 1 FROM goal_talks WHERE goal_talks.group_id = goal_groups.id)"
        " AND id NOT IN (SELECT id FROM goal_groups ORDER BY created_at DESC, id DESC LIMIT ?)"
        " ORDER BY created_at, id LIMIT ?)",
        (before, kept, limit),
    )


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()
