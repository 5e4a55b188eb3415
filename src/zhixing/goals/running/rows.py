"""The rows of goals: what they are, their logs, and the marks of what was about to leave. Instants are milliseconds."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from zhixing.goals.loop.board import Action
from zhixing.goals.loop.coding import decode_entry, encode_entry, encode_head
from zhixing.goals.loop.folding import Entry
from zhixing.goals.loop.model import Graph, TaskInfo
from zhixing.goals.loop.values import GraphStatus
from zhixing.goals.running import parts
from zhixing.store.connection import Tx


@dataclass(frozen=True, slots=True)
class Kept:
    """A goal as it is kept; `due_at` is when the earliest tick on its way comes."""

    graph: Graph
    due_at: int | None


@dataclass(frozen=True, slots=True)
class Listed:
    """A goal in a list; `config` is what the caller sent with it."""

    info: TaskInfo
    config: Mapping[str, Any]
    status: GraphStatus
    bbs_mode: bool
    created_at: int
    changed_at: int


class LostUpdate(Exception):
    """A goal was changed by somebody else meanwhile; nothing of this transaction may stay."""


def add(tx: Tx, graph: Graph, entry: Entry, config: Mapping[str, Any]) -> bool:
    """Keep a new goal; return False when its owner handed one in under the same key already."""
    info = graph.head.info
    new = tx.execute(
        "INSERT INTO goals (task_id, owner, request_key, info, config, status, bbs_mode, version, snapshot, due_at,"
        " created_at, changed_at) VALUES (?, ?, ?, ?, ?, ?, 0, ?, ?, NULL, ?, ?) ON CONFLICT DO NOTHING",
        (
            info.task_id,
            info.owner_user_id,
            info.key or None,
            _json(info),
            _json(config),
            graph.head.status.value,
            graph.head.seq,
            encode_head(graph.head),
            entry.at,
            entry.at,
        ),
    )
    if new:
        parts.put(tx, None, graph)
        _log(tx, info.task_id, entry)
    return bool(new)


def handed_in(tx: Tx, owner: str, key: str) -> tuple[TaskInfo, Mapping[str, Any]] | None:
    """Return the goal that somebody handed in under a key, and what was sent with it."""
    row = tx.row("SELECT info, config FROM goals WHERE owner = ? AND request_key = ?", (owner, key))
    return None if row is None else (msgspec.json.decode(row[0], type=TaskInfo), msgspec.json.decode(row[1]))


def config_of(tx: Tx, task_id: str) -> Mapping[str, Any]:
    """Return what the caller sent with a goal, nothing for one that there is not."""
    row = tx.row("SELECT config FROM goals WHERE task_id = ?", (task_id,))
    found: Mapping[str, Any] = {} if row is None else msgspec.json.decode(row[0])
    return found


def standing(tx: Tx, task_id: str) -> tuple[int, int | None] | None:
    """Return which version of a goal there is, and when the earliest tick on its way comes."""
    row = tx.row("SELECT version, due_at FROM goals WHERE task_id = ?", (task_id,))
    return None if row is None else (row[0], row[1])


def graph_of(tx: Tx, task_id: str) -> Graph | None:
    """Return a goal as it is."""
    found = parts.read(tx, task_id)
    return None if found is None else found.graph


_SAVE = "UPDATE goals SET bbs_mode = ?, version = ?, snapshot = ?, changed_at = ? WHERE task_id = ? AND version = ?"
# A state that stays is not written again: its index would be.
_SAVE_STATUS = _SAVE.replace("SET ", "SET status = ?, ")


def save(tx: Tx, before: Graph, after: Graph, entry: Entry) -> None:
    """Keep what a decision made of a goal. Raises `LostUpdate` when it was not made of the version that is there."""
    head = after.head
    task_id = head.info.task_id
    row = (int(head.relay.mode), head.seq, encode_head(head), entry.at, task_id, head.seq - 1)
    if head.status is before.head.status:
        changed = tx.execute(_SAVE, row)
    else:
        changed = tx.execute(_SAVE_STATUS, (head.status.value, *row))
    if not changed:
        raise LostUpdate(task_id)
    parts.put(tx, before, after)
    _log(tx, task_id, entry)


def set_due(tx: Tx, task_id: str, due_at: int | None) -> None:
    """Note when the earliest tick on its way comes."""
    tx.execute("UPDATE goals SET due_at = ? WHERE task_id = ?", (due_at, task_id))


def running(tx: Tx) -> list[str]:
    """Return the goals that are under way."""
    found = tx.rows(
        "SELECT task_id FROM goals WHERE status = ? ORDER BY created_at, task_id", (GraphStatus.RUNNING.value,)
    )
    return [task_id for (task_id,) in found]


def listed(tx: Tx, owner: str | None, statuses: Collection[GraphStatus], limit: int, offset: int) -> tuple[Listed, ...]:
    """Return goals, the newest first; None for every owner, no status for all."""
    wanted = [each.value for each in statuses or GraphStatus]
    marks = ", ".join("?" for _ in wanted)
    whose, owners = ("", ()) if owner is None else (" AND owner = ?", (owner,))
    found = tx.rows(
        "SELECT info, config, status, bbs_mode, created_at, changed_at FROM goals"
        f" WHERE status IN ({marks}){whose} ORDER BY created_at DESC, task_id DESC LIMIT ? OFFSET ?",
        (*wanted, *owners, limit, offset),
    )
    return tuple(
        Listed(
            msgspec.json.decode(info, type=TaskInfo),
            msgspec.json.decode(config),
            GraphStatus(status),
            bool(bbs_mode),
            created,
            changed,
        )
        for info, config, status, bbs_mode, created, changed in found
    )


# The log


def entries(tx: Tx, task_id: str) -> list[Entry]:
    """Return what happened to a goal, in order."""
    found = tx.rows("SELECT entry FROM goal_log WHERE task_id = ? ORDER BY seq", (task_id,))
    return [decode_entry(entry.encode()) for (entry,) in found]


class _Lines(msgspec.Struct):
    actions: tuple[Action, ...]


def actions(tx: Tx, task_id: str) -> list[Action]:
    """Return the action log of a goal, in order."""
    found = tx.rows("SELECT entry FROM goal_log WHERE task_id = ? ORDER BY seq", (task_id,))
    return [each for (entry,) in found for each in msgspec.json.decode(entry, type=_Lines).actions]


def _log(tx: Tx, task_id: str, entry: Entry) -> None:
    tx.execute(
        "INSERT INTO goal_log (task_id, seq, at, entry) VALUES (?, ?, ?, ?)",
        (task_id, entry.seq, entry.at, encode_entry(entry).decode()),
    )


# What is about to leave


def mark(tx: Tx, key: str, task_id: str, at: int) -> bool:
    """Note that something is about to leave; return False when that was noted before."""
    return bool(
        tx.execute(
            "INSERT INTO goal_sendings (key, task_id, at) VALUES (?, ?, ?) ON CONFLICT (key) DO NOTHING",
            (key, task_id, at),
        )
    )


def is_marked(tx: Tx, key: str) -> bool:
    """Whether something was about to leave, or has left."""
    return tx.row("SELECT 1 FROM goal_sendings WHERE key = ?", (key,)) is not None


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()
