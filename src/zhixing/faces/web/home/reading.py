"""Reads where rules are, and what happened to them, in one go from the store."""

from __future__ import annotations

from dataclasses import dataclass

from zhixing.store.connection import Tx
from zhixing.tasks import journal
from zhixing.tasks.journal import Entry
from zhixing.tasks.rules import store
from zhixing.tasks.rules.model import Rule
from zhixing.tasks.rules.store import RuleRow
from zhixing.tasks.rules.truth import NEVER_JUDGED, Condition, Truth
from zhixing.tasks.rules.watch import Kept

MOST_RULES = 10
"""Rules that are drawn on one page."""
MOST_ENTRIES = 300
"""Entries of the journal that are read of each of their tasks, the newest."""


@dataclass(frozen=True, slots=True)
class Watched:
    """A condition, what is known of it, and the rules that watch it."""

    condition: Condition
    kept: Kept
    rules: tuple[Rule, ...]


@dataclass(frozen=True, slots=True)
class Machine:
    """A rule with where it is, how its condition has been, and the journal of its task, the newest first."""

    row: RuleRow
    truth: Truth
    entries: tuple[Entry, ...]
    cut: bool
    """There is more in the journal than was read."""


@dataclass(frozen=True, slots=True)
class Machines:
    """The conditions that living rules watch, and some of these rules, the newest first; `more` is where to go on."""

    watched: tuple[Watched, ...]
    shown: tuple[Machine, ...]
    more: str


def read(tx: Tx, older: str) -> Machines:
    """Read the rules behind the one of id `older`, or the newest. Raises `BadInput` for what is no id of a rule."""
    before = store.number_of(older) if older else None
    conditions, rows = store.living(tx)
    truths = {identity: kept.truth for identity, _, kept in conditions}
    rules: dict[str, list[Rule]] = {}
    for row in rows:
        rules.setdefault(row.condition_id, []).append(row.rule)
    wanted = [row for row in reversed(rows) if before is None or row.number < before]
    shown = wanted[:MOST_RULES]
    entries = {
        task_id: tuple(journal.of_task(tx, task_id, MOST_ENTRIES + 1))
        for task_id in dict.fromkeys(row.rule.task_id for row in shown)
    }
    return Machines(
        tuple(Watched(condition, kept, tuple(rules[identity])) for identity, condition, kept in conditions),
        tuple(
            Machine(
                row,
                truths.get(row.condition_id, NEVER_JUDGED),
                entries[row.rule.task_id][:MOST_ENTRIES],
                len(entries[row.rule.task_id]) > MOST_ENTRIES,
            )
            for row in shown
        ),
        shown[-1].rule.id if len(wanted) > MOST_RULES else "",
    )
