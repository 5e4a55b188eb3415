"""The schema, as ordered steps: each `NNNN_room.sql` beside this file is one, applied once and in one transaction.

A step is never edited after a release; what changes is a new step. `tests/store/test_migrations.py` walks the whole way
up with rows in every table.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.resources import files

from zhixing.kernel.clock import Clock
from zhixing.kernel.errors import StoreUnavailable
from zhixing.kernel.moments import micros
from zhixing.store.connection import Store, Tx

_END_OF_STATEMENT = re.compile(r";[ \t]*$", re.MULTILINE)
_COMMENT = re.compile(r"^\s*--.*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Step:
    """One migration: its name and its statements."""

    name: str
    statements: tuple[str, ...]


def statements(sql: str) -> tuple[str, ...]:
    """Split `sql` at the semicolons that end a line; lines that are comments are left out."""
    parts = _END_OF_STATEMENT.split(_COMMENT.sub("", sql))
    return tuple(part.strip() for part in parts if part.strip())


def known() -> tuple[Step, ...]:
    """Return the steps this program knows, in order."""
    found = (entry for entry in files(__name__).iterdir() if entry.name.endswith(".sql"))
    return tuple(
        Step(entry.name.removesuffix(".sql"), statements(entry.read_text(encoding="utf-8")))
        for entry in sorted(found, key=lambda entry: entry.name)
    )


def migrate(store: Store, clock: Clock, steps: Sequence[Step] | None = None) -> list[str]:
    """Apply the steps (default: all known) that the database does not have yet; return their names.

    Several processes may do so at once: each step is looked up again inside the transaction that applies it. A database
    that has steps unknown to this program was written by a newer one and raises `StoreUnavailable`, unchanged.
    """
    steps = known() if steps is None else steps
    with store.read() as tx:
        missing = _missing(_applied(tx, store), steps)
    done = []
    for step in missing:
        with store.write() as tx:
            applied = _applied(tx, store)
            if step not in _missing(applied, steps):
                continue
            if not applied:
                tx.execute("CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY, applied_at BIGINT NOT NULL)")
            for statement in step.statements:
                tx.execute(statement)
            tx.execute("INSERT INTO migrations (name, applied_at) VALUES (?, ?)", (step.name, micros(clock.now())))
        done.append(step.name)
    return done


def pending(store: Store, steps: Sequence[Step] | None = None) -> list[str]:
    """Return the names of the steps (default: all known) that the database does not have yet; nothing is applied.

    Raises `StoreUnavailable` like `migrate` for a database that a newer program wrote.
    """
    with store.read() as tx:
        return [step.name for step in _missing(_applied(tx, store), known() if steps is None else steps)]


def _applied(tx: Tx, store: Store) -> set[str]:
    if store.dialect == "sqlite":
        there = tx.row("SELECT name FROM sqlite_master WHERE type = 'table' AND name = 'migrations'")
    else:
        there = tx.row("SELECT 1 WHERE to_regclass('migrations') IS NOT NULL")
    return set() if there is None else {name for (name,) in tx.rows("SELECT name FROM migrations")}


def _missing(applied: Iterable[str], steps: Sequence[Step]) -> list[Step]:
    unknown = sorted(set(applied) - {step.name for step in steps})
    if unknown:
        raise StoreUnavailable("store_newer", step=unknown[-1])
    return [step for step in steps if step.name not in set(applied)]
