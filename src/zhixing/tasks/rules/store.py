"""The rows of rules, of the conditions they share, and the book that says whether a copy of them is still good."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b
from typing import NamedTuple

import msgspec

from zhixing.kernel import numbered
from zhixing.kernel.errors import BadInput, Conflict, NotFound
from zhixing.kernel.moments import from_micros, micros
from zhixing.store.connection import Row, Tx
from zhixing.store.counters import next_number
from zhixing.tasks.rules.machine import State
from zhixing.tasks.rules.model import Plan, Rule, StoppedBy
from zhixing.tasks.rules.truth import Condition
from zhixing.tasks.rules.watch import Kept

LARGEST_PAGE = 200
"""Rules a list gives at most at once."""

_RULE = "id, task_id, zone, plan, stopped_by, revision, created_at, updated_at"
_LIVING = "SELECT id FROM tasks WHERE status IN ('active', 'paused')"

_encode = msgspec.json.Encoder().encode
_read_plan = msgspec.json.Decoder(Plan).decode
_read_condition = msgspec.json.Decoder(Condition).decode
_read_kept = msgspec.json.Decoder(Kept).decode
_read_state = msgspec.json.Decoder(State).decode


class RuleRow(NamedTuple):
    """A rule with the condition it watches and where it is."""

    rule: Rule
    condition_id: str
    state: State

    @property
    def number(self) -> int:
        """The number in the id."""
        return number_of(self.rule.id)


@dataclass(frozen=True, slots=True)
class Page:
    """Some rules, newest first; `more` is the cursor of the next page, if there is one."""

    rules: tuple[Rule, ...]
    more: str | None


class BookRow(NamedTuple):
    """What the book says; see the migration."""

    generation: int = 0
    wake: int | None = None
    wake_key: str | None = None
    cameras: frozenset[str] | None = None
    alive: int | None = None
    set_back: int = 0


def new_id(tx: Tx) -> str:
    """Return the next rule id: r1, then r2, and so on."""
    return f"r{next_number(tx, 'rule')}"


def number_of(rule_id: str) -> int:
    """Return the number in a rule id; raise `BadInput` where there is none."""
    number = numbered.number_of(rule_id, "r")
    if number is None:
        raise BadInput("cursor_unreadable", text=rule_id[:64])
    return number


def condition_id(condition: Condition) -> str:
    """Return the id of a condition: the same for the same, whoever asks."""
    return "c" + blake2b(_encode(condition), digest_size=12).hexdigest()


def find(tx: Tx, rule_id: str) -> Rule | None:
    """Return the rule of that id, if there is one."""
    row = tx.row(f"SELECT {_RULE} FROM rules WHERE id = ?", (rule_id,))
    return None if row is None else _read(row)


def get(tx: Tx, rule_id: str) -> Rule:
    """Return the rule of that id; raise `NotFound` when there is none."""
    rule = find(tx, rule_id)
    if rule is None:
        raise NotFound("rule_unknown", id=rule_id[:64])
    return rule


def by_name(tx: Tx, name: str) -> Rule | None:
    """Return the rule of that name among those of tasks that have not ended."""
    row = tx.row(
        f"SELECT {_RULE} FROM rules WHERE name = ? AND task_id IN ({_LIVING}) ORDER BY number DESC LIMIT 1", (name,)
    )
    return None if row is None else _read(row)


def of_task(tx: Tx, task_id: str) -> list[Rule]:
    """Return the rules of a task, the oldest first; their number is bounded."""
    return [_read(row) for row in tx.rows(f"SELECT {_RULE} FROM rules WHERE task_id = ? ORDER BY number", (task_id,))]


def page(tx: Tx, *, limit: int = 50, before: str | None = None) -> Page:
    """List the rules of tasks that have not ended, newest first, from behind the cursor `before`."""
    limit = max(1, min(limit, LARGEST_PAGE))
    older, params = ("", ()) if before is None else (" AND number < ?", (number_of(before),))
    rows = tx.rows(
        f"SELECT {_RULE} FROM rules WHERE task_id IN ({_LIVING}){older} ORDER BY number DESC LIMIT ?",
        (*params, limit + 1),
    )
    rules = tuple(_read(row) for row in rows[:limit])
    return Page(rules, rules[-1].id if len(rows) > limit else None)


def count(tx: Tx, task_id: str) -> int:
    """Return how many rules a task has."""
    row = tx.row("SELECT count(*) FROM rules WHERE task_id = ?", (task_id,))
    return 0 if row is None else int(row[0])


def insert(tx: Tx, rule: Rule, condition: str, state: State) -> None:
    """Add a rule whose id comes from `new_id`."""
    tx.execute(
        "INSERT INTO rules (id, number, task_id, name, condition_id, zone, plan, stopped_by, revision, created_at,"
        " updated_at, state) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            rule.id,
            number_of(rule.id),
            rule.task_id,
            rule.plan.name,
            condition,
            rule.zone,
            _encode(rule.plan).decode(),
            None if rule.stopped_by is None else rule.stopped_by.value,
            rule.revision,
            micros(rule.created_at),
            micros(rule.updated_at),
            _encode(state).decode(),
        ),
    )


def save(tx: Tx, rule: Rule, condition: str) -> None:
    """Write a rule that is one revision ahead of its row; raise `Conflict` when somebody changed it meanwhile."""
    changed = tx.execute(
        "UPDATE rules SET name = ?, condition_id = ?, plan = ?, stopped_by = ?, revision = ?, updated_at = ?"
        " WHERE id = ? AND revision = ?",
        (
            rule.plan.name,
            condition,
            _encode(rule.plan).decode(),
            None if rule.stopped_by is None else rule.stopped_by.value,
            rule.revision,
            micros(rule.updated_at),
            rule.id,
            rule.revision - 1,
        ),
    )
    if changed != 1:
        raise Conflict("rule_changed", name=rule.plan.name)


def delete(tx: Tx, rule_id: str) -> None:
    """Remove the row; the journal keeps what it was."""
    tx.execute("DELETE FROM rules WHERE id = ?", (rule_id,))


def add_condition(tx: Tx, identity: str, condition: Condition, kept: Kept) -> None:
    """Add a condition, unless it is there."""
    tx.execute(
        "INSERT INTO rule_conditions (id, condition, state) VALUES (?, ?, ?) ON CONFLICT (id) DO NOTHING",
        (identity, _encode(condition).decode(), _encode(kept).decode()),
    )


def drop_condition(tx: Tx, identity: str) -> None:
    """Forget a condition, unless a rule watches it."""
    tx.execute(
        "DELETE FROM rule_conditions WHERE id = ? AND NOT EXISTS (SELECT 1 FROM rules WHERE condition_id = ?)",
        (identity, identity),
    )


def living(tx: Tx) -> tuple[list[tuple[str, Condition, Kept]], list[RuleRow]]:
    """Return all conditions and rules of tasks that have not ended, the rules in the order of their making."""
    rules = tx.rows(f"SELECT condition_id, state, {_RULE} FROM rules WHERE task_id IN ({_LIVING}) ORDER BY number")
    watched = {row[0] for row in rules}
    conditions = [
        (identity, _read_condition(about), _read_kept(state))
        for identity, about, state in tx.rows("SELECT id, condition, state FROM rule_conditions ORDER BY id")
        if identity in watched
    ]
    return conditions, [RuleRow(_read(row[2:]), row[0], _read_state(row[1])) for row in rules]


def rows_of_task(tx: Tx, task_id: str) -> list[RuleRow]:
    """Return the rules of a task with where they are, the oldest first."""
    rows = tx.rows(f"SELECT condition_id, state, {_RULE} FROM rules WHERE task_id = ? ORDER BY number", (task_id,))
    return [RuleRow(_read(row[2:]), row[0], _read_state(row[1])) for row in rows]


def enabled(tx: Tx) -> list[tuple[Condition, str]]:
    """Return the condition and id of every rule that may fire, in the order of their making."""
    rows = tx.rows(
        "SELECT rule_conditions.condition, rules.id FROM rules"
        " JOIN rule_conditions ON rule_conditions.id = rules.condition_id"
        " JOIN tasks ON tasks.id = rules.task_id"
        " WHERE rules.stopped_by IS NULL AND tasks.status = 'active' ORDER BY rules.number"
    )
    return [(_read_condition(about), rule_id) for about, rule_id in rows]


def keep_conditions(tx: Tx, kept: Iterable[tuple[str, Kept]]) -> None:
    """Write what is known of conditions."""
    tx.many(
        "UPDATE rule_conditions SET state = ? WHERE id = ?",
        [(_encode(state).decode(), identity) for identity, state in kept],
    )


def keep_states(tx: Tx, kept: Iterable[tuple[str, State]]) -> None:
    """Write where rules are."""
    tx.many("UPDATE rules SET state = ? WHERE id = ?", [(_encode(state).decode(), rule_id) for rule_id, state in kept])


def book(tx: Tx) -> BookRow:
    """Return what the book says."""
    row = tx.row("SELECT generation, wake, wake_key, cameras, alive, set_back FROM rule_book WHERE id = 1")
    if row is None:
        return BookRow()
    generation, wake, wake_key, cameras, alive, set_back = row
    in_use = None if cameras is None else frozenset(msgspec.json.decode(cameras))
    return BookRow(generation, wake, wake_key, in_use, alive, set_back)


def write_book(tx: Tx, row: BookRow) -> None:
    """Write the book."""
    cameras = None if row.cameras is None else _encode(sorted(row.cameras)).decode()
    tx.execute(
        "INSERT INTO rule_book (id, generation, wake, wake_key, cameras, alive, set_back) VALUES (1, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (id) DO UPDATE SET generation = excluded.generation, wake = excluded.wake,"
        " wake_key = excluded.wake_key, cameras = excluded.cameras, alive = excluded.alive,"
        " set_back = excluded.set_back",
        (row.generation, row.wake, row.wake_key, cameras, row.alive, row.set_back),
    )


def _read(row: Row) -> Rule:
    rule_id, task_id, zone, plan, stopped_by, revision, created_at, updated_at = row
    return Rule(
        id=rule_id,
        task_id=task_id,
        zone=zone,
        plan=_read_plan(plan),
        stopped_by=None if stopped_by is None else StoppedBy(stopped_by),
        revision=revision,
        created_at=from_micros(created_at),
        updated_at=from_micros(updated_at),
    )
