"""Drafts of rule graphs as rows: one for a draft, one for each of its nodes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

from zhixing.graphs.drafts.model import Change, Draft, DraftState, Hold, Slot
from zhixing.graphs.drafts.variables import decode, encode
from zhixing.graphs.hubs.new_variables import NewVariable
from zhixing.graphs.rule import Node
from zhixing.kernel.moments import from_micros, micros
from zhixing.kernel.numbered import number_of
from zhixing.store.connection import Row, Tx
from zhixing.store.counters import next_number

PREFIX = "gd"

_COLUMNS = "number, name, enable, variables, who, begun_at, updated_at, state, rule_id, attempt, holder, held_until"


def insert(tx: Tx, name: str, variables: tuple[NewVariable, ...], *, enable: bool, who: str, now: datetime) -> Draft:
    """Add an empty draft: gd1, then gd2, and so on."""
    number = next_number(tx, "graph_draft")
    draft = Draft(f"{PREFIX}{number}", name, enable, variables, who, begun_at=now, updated_at=now)
    tx.execute(
        f"INSERT INTO graph_drafts ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (number, name, enable, encode(variables), who, micros(now), *_changing(draft)),
    )
    return draft


def save(tx: Tx, draft: Draft) -> Draft:
    """Write down what changed about a draft, but for its nodes."""
    tx.execute(
        "UPDATE graph_drafts SET updated_at = ?, state = ?, rule_id = ?, attempt = ?, holder = ?, held_until = ?"
        " WHERE number = ?",
        (*_changing(draft), _number(draft.id)),
    )
    return draft


def change(tx: Tx, changed: Change, bodies: Mapping[str, str]) -> None:
    """Write down a batch; `bodies` has those of its nodes by id."""
    number, slots = _number(changed.draft.id), {slot.id: slot for slot in changed.draft.nodes}
    tx.many("DELETE FROM graph_draft_nodes WHERE draft = ? AND id = ?", [(number, name) for name in changed.removed])
    tx.many(
        "UPDATE graph_draft_nodes SET digest = ?, size = ?, body = ? WHERE draft = ? AND id = ?",
        [(slots[name].digest, slots[name].size, bodies[name], number, name) for name in changed.replaced],
    )
    last = tx.rows("SELECT COALESCE(MAX(place), 0) FROM graph_draft_nodes WHERE draft = ?", (number,))[0][0]
    tx.many(
        "INSERT INTO graph_draft_nodes (draft, id, place, digest, size, body) VALUES (?, ?, ?, ?, ?, ?)",
        [
            (number, name, place, slots[name].digest, slots[name].size, bodies[name])
            for place, name in enumerate(changed.added, last + 1)
        ],
    )
    save(tx, changed.draft)


def find(tx: Tx, draft_id: str) -> Draft | None:
    """Return a draft with its nodes, or None."""
    number = _number(draft_id)
    row = tx.row(f"SELECT {_COLUMNS} FROM graph_drafts WHERE number = ?", (number,))
    if row is None:
        return None
    slots = tx.rows("SELECT id, digest, size FROM graph_draft_nodes WHERE draft = ? ORDER BY place", (number,))
    return replace(_read(row), nodes=tuple(Slot(*slot) for slot in slots))


def heads(tx: Tx) -> list[Draft]:
    """Return all drafts without their nodes, the oldest first; their number is bounded."""
    return [_read(row) for row in tx.rows(f"SELECT {_COLUMNS} FROM graph_drafts ORDER BY number")]


def nodes(tx: Tx, draft_id: str) -> tuple[Node, ...]:
    """Return the nodes of a draft, in the order in which they came."""
    rows = tx.rows("SELECT body FROM graph_draft_nodes WHERE draft = ? ORDER BY place", (_number(draft_id),))
    return tuple(Node.of(json.loads(body)) for (body,) in rows)


def delete(tx: Tx, draft_id: str) -> None:
    """Remove a draft and its nodes."""
    tx.execute("DELETE FROM graph_draft_nodes WHERE draft = ?", (_number(draft_id),))
    tx.execute("DELETE FROM graph_drafts WHERE number = ?", (_number(draft_id),))


def _changing(draft: Draft) -> tuple[object, ...]:
    hold = draft.hold
    return (
        micros(draft.updated_at),
        draft.state.value,
        draft.rule_id,
        draft.attempt,
        None if hold is None else hold.holder,
        None if hold is None else micros(hold.until),
    )


def _number(draft_id: str) -> int:
    """Return the number of a draft; 0, which none has, for what is no id."""
    return number_of(draft_id, PREFIX) or 0


def _read(row: Row) -> Draft:
    number, name, enable, variables, who, begun_at, updated_at, state, rule_id, attempt, holder, held_until = row
    return Draft(
        id=f"{PREFIX}{number}",
        name=name,
        enable=bool(enable),
        variables=decode(variables),
        who=who,
        begun_at=from_micros(begun_at),
        updated_at=from_micros(updated_at),
        state=DraftState(state),
        rule_id=rule_id,
        attempt=attempt,
        hold=None if holder is None else Hold(holder, from_micros(held_until)),
    )
