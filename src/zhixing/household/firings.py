"""When rules fired, over all household tasks: what `rule logs` shows (miloco.md §1.6, §2.4).

Read from the occurrences of rules and from what became of their commands; asking changes nothing, so that the same
question has the same answer. What is cleaned up is only left out from here on: the books of a task keep it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

import msgspec

from zhixing.household import registry
from zhixing.household.doing import store as doing_store
from zhixing.household.doing.model import Step
from zhixing.kernel.moments import EPOCH, micros
from zhixing.store.connection import Tx
from zhixing.tasks import occurrences
from zhixing.tasks.journal import Kind
from zhixing.tasks.occurrence import Occurrence, OccurrenceState
from zhixing.tasks.rules import store as rules
from zhixing.tasks.rules.model import Direction, Rule

LARGEST_PAGE = 500
_HIDDEN = "rule_logs_hidden_until"
_CLAIMS = 2_000
"""Entries of the journal that are read to tell why rules fired."""


class Success(StrEnum):
    """Whether what a rule wanted was done, or is on its way."""

    SUCCESS = "RULE_TRIGGER_SUCCESS"
    FAILURE = "RULE_TRIGGER_FAILURE"


FAILURES = (
    OccurrenceState.FAILED,
    OccurrenceState.INTERRUPTED,
    OccurrenceState.MISSED,
    OccurrenceState.SKIPPED,
    OccurrenceState.CANCELLED,
)
"""Ends of an occurrence that leave undone what the rule wanted."""


@dataclass(frozen=True, slots=True)
class Firing:
    """One answer of a rule. `rule` is None where the rule is gone; `because` is what its source said."""

    occurrence: Occurrence
    slug: str
    rule_id: str
    rule: Rule | None
    direction: Direction
    because: str
    steps: tuple[Step, ...]

    @property
    def success(self) -> Success:
        """Whether it did what it was to do."""
        return Success.FAILURE if self.occurrence.state in FAILURES else Success.SUCCESS


@dataclass(frozen=True, slots=True)
class Firings:
    """Some answers, the latest first, and how many there are in all."""

    firings: tuple[Firing, ...]
    total: int


def page(
    tx: Tx,
    *,
    rule_id: str | None = None,
    success: Success | None = None,
    since: datetime | None = None,
    limit: int = 10,
) -> Firings:
    """Return the latest answers of one rule or of all. Raises `NotFound` for a rule that never was."""
    start = max(micros(EPOCH if since is None else since), _hidden(tx))
    where, params = ["due >= ?"], list[object]([start])
    if rule_id is None:
        where.append("part LIKE 'rule:%'")
    else:
        parts = [f"rule:{rule_id}:{direction.value}" for direction in Direction]
        where.append(f"part IN ({', '.join('?' * len(parts))})")
        params += parts
    if success is not None:
        negated = "" if success is Success.FAILURE else "NOT "
        where.append(f"state {negated}IN ({', '.join('?' * len(FAILURES))})")
        params += [state.value for state in FAILURES]
    condition = " AND ".join(where)
    counted = tx.row(f"SELECT count(*) FROM occurrences WHERE {condition}", tuple(params))
    rows = tx.rows(
        f"SELECT id FROM occurrences WHERE {condition} ORDER BY due DESC, id DESC LIMIT ?",
        (*params, max(1, min(limit, LARGEST_PAGE))),
    )
    found = [occurrences.get(tx, str(row[0])) for row in rows]
    if rule_id is not None and not found:
        rules.get(tx, rule_id)
    return Firings(tuple(_firings(tx, found)), 0 if counted is None else int(counted[0]))


def hide(tx: Tx, until: datetime) -> int:
    """Leave out from now on what happened before `until`; return how much that is more than before."""
    before, now = _hidden(tx), max(micros(until), 0)
    if now <= before:
        return 0
    tx.execute(
        "INSERT INTO counters (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        (_HIDDEN, now),
    )
    row = tx.row("SELECT count(*) FROM occurrences WHERE due >= ? AND due < ? AND part LIKE 'rule:%'", (before, now))
    return 0 if row is None else int(row[0])


def _hidden(tx: Tx) -> int:
    row = tx.row("SELECT value FROM counters WHERE name = ?", (_HIDDEN,))
    return 0 if row is None else int(row[0])


def _firings(tx: Tx, found: Sequence[Occurrence]) -> list[Firing]:
    reasons = _reasons(tx, found)
    steps: dict[str, list[Step]] = {}
    for step in doing_store.of_occurrences(tx, [one.id for one in found]):
        steps.setdefault(step.occurrence_id, []).append(step)
    known: dict[str, Rule | None] = {}
    firings = []
    for one in found:
        _, rule_id, direction = one.part.split(":", 2)
        if rule_id not in known:
            known[rule_id] = rules.find(tx, rule_id)
        firings.append(
            Firing(
                one,
                registry.slug_of(tx, one.task_id) or "",
                rule_id,
                known[rule_id],
                Direction(direction),
                reasons.get(one.id, ""),
                tuple(steps.get(one.id, ())),
            )
        )
    return firings


def _reasons(tx: Tx, found: Sequence[Occurrence]) -> dict[str, str]:
    """Return what the sources said, by occurrence, as the journal has it."""
    claims = [one.claimed_at for one in found if one.claimed_at is not None]
    if not claims:
        return {}
    tasks = sorted({one.task_id for one in found})
    rows = tx.rows(
        f"SELECT data FROM journal WHERE task_id IN ({', '.join('?' * len(tasks))}) AND kind = ?"
        " AND at >= ? AND at <= ? ORDER BY seq DESC LIMIT ?",
        (*tasks, Kind("occurrence_claimed").value, micros(min(claims)), micros(max(claims)), _CLAIMS),
    )
    said = [msgspec.json.decode(row[0]) for row in rows]
    return {data["occurrence"]: str(data["because"]) for data in said if data.get("because")}
