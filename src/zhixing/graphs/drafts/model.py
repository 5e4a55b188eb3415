"""What a draft of a rule graph is, and its bounds (mijia §4.4)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from zhixing.graphs.hubs.new_variables import NewVariable

TTL = timedelta(minutes=30)
"""How long a draft is kept after its last update."""
LEASE = timedelta(minutes=2)
"""How long others leave a commit alone that they hear nothing of; a commit has to end within it."""
MOST_DRAFTS = 20
"""Drafts that are not committed yet, and the committed ones that are kept beside them."""
MOST_NODES = 500
"""Nodes of a draft."""
MOST_IN_BATCH = 25
"""Nodes, and ids to remove, of one batch."""
MOST_BATCH_BYTES = 128 * 1024
"""UTF-8 bytes of the nodes of one batch, as JSON without spaces."""
MOST_BYTES = 2 * 1024 * 1024
"""The same of all nodes of a draft."""


class DraftState(StrEnum):
    """Where a draft is."""

    BUILDING = "building"
    """It takes nodes. Only here it can be changed."""
    COMMITTING = "committing"
    """It is being made, or nobody knows whether it was; the next commit finds out, under the same id of the rule."""
    COMMITTED = "committed"
    """The rule is on the hub; a repeated commit is told its id."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A node of a draft without its body; `digest` is equal for bodies that say the same, `size` is in bytes."""

    id: str
    digest: str
    size: int


@dataclass(frozen=True, slots=True)
class Hold:
    """Who is committing a draft, and until when nobody else may."""

    holder: str
    until: datetime


@dataclass(frozen=True, slots=True)
class Draft:
    """A draft. `who` began it; anyone of the home may go on with it.

    `rule_id` is chosen by the first commit and stays; `attempt` counts commits, so that a late one can be told apart.
    """

    id: str
    name: str
    enable: bool
    variables: tuple[NewVariable, ...]
    who: str
    begun_at: datetime
    updated_at: datetime
    state: DraftState = DraftState.BUILDING
    nodes: tuple[Slot, ...] = ()
    rule_id: str | None = None
    attempt: int = 0
    hold: Hold | None = None

    @property
    def size(self) -> int:
        """Bytes of all nodes."""
        return sum(slot.size for slot in self.nodes)

    @property
    def expires_at(self) -> datetime | None:
        """When the draft is forgotten; None while its commit is not settled."""
        return None if self.state is DraftState.COMMITTING else self.updated_at + TTL


@dataclass(frozen=True, slots=True)
class Change:
    """A batch and what became of it: ids of nodes that are new, exchanged, there already alike, gone, never there."""

    draft: Draft
    added: tuple[str, ...] = ()
    replaced: tuple[str, ...] = ()
    same: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
