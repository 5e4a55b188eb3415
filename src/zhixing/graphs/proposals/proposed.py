"""A sentence that asks for a rule of the hub, on its way there, and its rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

import msgspec

from zhixing.store.connection import Row
from zhixing.tasks.sentences import Fixed, Sentences

PREFIX = "g"
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


def _written(row: Proposal) -> tuple[object, ...]:
    answers = msgspec.json.encode(row.answers).decode()
    return (answers, row.facts, row.state.value, row.revision, row.seen, row.rule_id, row.task_id, row.note)


def _read(fixed: Fixed, own: Row) -> Proposal:
    answers, facts, state, *rest = own
    return Proposal(*fixed, _ANSWERS.decode(answers), facts, ProposalState(state), *rest)


_ROWS = Sentences(
    "graph_proposals",
    prefix=PREFIX,
    counter="graph_proposals",
    unknown="proposal_unknown",
    states=ProposalState,
    columns=("answers", "facts", "state", "revision", "seen", "rule_id", "task_id", "note"),
    written=_written,
    read=_read,
)
new_id, insert, save = _ROWS.new_id, _ROWS.insert, _ROWS.save
get, find_by_key, page = _ROWS.get, _ROWS.find_by_key, _ROWS.page
