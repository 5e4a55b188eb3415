"""A sentence that asks for a rule of the hub, on its way there, and its rows."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

import msgspec

from zhixing.kernel.errors import BadInput, NotFound
from zhixing.kernel.moments import from_micros, micros
from zhixing.kernel.numbered import number_of
from zhixing.store.connection import Row, Tx
from zhixing.store.counters import next_number

PREFIX = "g"
LARGEST_PAGE = 200
"""Proposals given at most at once."""

_COUNTER = "graph_proposals"
_COLUMNS = "number, text, who, zone, said_at, answers, facts, state, revision, seen, rule_id, task_id, note"
_ANSWERS = msgspec.json.Decoder(dict[str, str])


class ProposalState(StrEnum):
    """Where a proposal is."""

    OPEN = "open"
    """A rule is shown, or a question asked; whether there is one more follows from the home as it is."""
    PENDING_AI = "pending_ai"
    """It waits for a model to read it."""
    SAVED = "saved"
    DROPPED = "dropped"
    DECLINED = "declined"
    """No model could read a rule in it; `note` says why."""

    @property
    def open(self) -> bool:
        """Whether something may still come of it."""
        return self in (ProposalState.OPEN, ProposalState.PENDING_AI)


@dataclass(frozen=True, slots=True)
class Proposal:
    """A row. `answers` are by what was asked; `facts` is what a model read, as JSON, "" without one.

    `seen` is the newest revision that was shown; `rule_id` is "" until it is saved for the first time.
    """

    id: str
    text: str
    who: str
    zone: str
    said_at: datetime
    answers: Mapping[str, str] = field(default_factory=dict)
    facts: str = ""
    state: ProposalState = ProposalState.OPEN
    revision: int = 1
    seen: int = 0
    rule_id: str = ""
    task_id: str | None = None
    note: str = ""


def insert(tx: Tx, row: Proposal, key: str | None) -> Proposal:
    """Add a row whose id comes from `new_id`; the caller has looked for `key` before."""
    tx.execute(
        f"INSERT INTO graph_proposals ({_COLUMNS}, key) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (int(row.id[1:]), row.text, row.who, row.zone, micros(row.said_at), *_changing(row), key),
    )
    return row


def new_id(tx: Tx) -> str:
    """Return the id of the next proposal."""
    return f"{PREFIX}{next_number(tx, _COUNTER)}"


def save(tx: Tx, row: Proposal) -> Proposal:
    """Write what can change of a row."""
    tx.execute(
        "UPDATE graph_proposals SET answers = ?, facts = ?, state = ?, revision = ?, seen = ?, rule_id = ?,"
        " task_id = ?, note = ? WHERE number = ?",
        (*_changing(row), int(row.id[1:])),
    )
    return row


def get(tx: Tx, proposal_id: str) -> Proposal:
    """Return a proposal; raise `NotFound`."""
    number = number_of(proposal_id, PREFIX)
    row = None if number is None else tx.row(f"SELECT {_COLUMNS} FROM graph_proposals WHERE number = ?", (number,))
    if row is None:
        raise NotFound("proposal_unknown", id=proposal_id[:64])
    return _read(row)


def find_by_key(tx: Tx, key: str) -> Proposal | None:
    """Return the proposal that was begun with `key`."""
    row = tx.row(f"SELECT {_COLUMNS} FROM graph_proposals WHERE key = ?", (key,))
    return None if row is None else _read(row)


def page(
    tx: Tx, *, states: Collection[ProposalState] = (), limit: int = 50, before: str | None = None
) -> list[Proposal]:
    """Return proposals, the newest first, from behind the id `before`. Raises `BadInput` for a cursor that is no id."""
    wanted = [state.value for state in states or ProposalState]
    until = 2**62 if before is None else number_of(before, PREFIX)
    if until is None:
        raise BadInput("cursor_unreadable", text=(before or "")[:64])
    rows = tx.rows(
        f"SELECT {_COLUMNS} FROM graph_proposals WHERE state IN ({', '.join('?' * len(wanted))}) AND number < ?"
        " ORDER BY number DESC LIMIT ?",
        (*wanted, until, max(1, min(limit, LARGEST_PAGE))),
    )
    return [_read(row) for row in rows]


def _changing(row: Proposal) -> tuple[object, ...]:
    answers = msgspec.json.encode(row.answers).decode()
    return (answers, row.facts, row.state.value, row.revision, row.seen, row.rule_id, row.task_id, row.note)


def _read(row: Row) -> Proposal:
    number, text, who, zone, said_at, answers, facts, state, revision, seen, rule_id, task_id, note = row
    return Proposal(
        id=f"{PREFIX}{number}",
        text=text,
        who=who,
        zone=zone,
        said_at=from_micros(said_at),
        answers=_ANSWERS.decode(answers),
        facts=facts,
        state=ProposalState(state),
        revision=revision,
        seen=seen,
        rule_id=rule_id,
        task_id=task_id,
        note=note,
    )
