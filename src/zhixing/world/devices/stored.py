"""A keeper of virtual homes in the database: survives restarts, and every process sees what the others changed.

A command is one short transaction, and transactions do not nest: nobody may call a hub with this keeper, other than
for `spec` and `people`, while the same thread is inside a transaction of the same store.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

import msgspec

from zhixing.kernel.clock import Clock
from zhixing.kernel.moments import from_micros, micros
from zhixing.store.connection import Row, Store, Tx
from zhixing.store.counters import next_number
from zhixing.world.devices.keeping import MOST_HAPPENINGS, By, Happening, Held, Page
from zhixing.world.devices.port import Level

T = TypeVar("T")

_PRUNED_EACH = 100
_Values = tuple[Level, ...]


Heard = Callable[[Tx, Happening], None]
"""Told of what happens in a home, in the transaction in which it does."""


class StoreKeeper:
    """Keeps one home in `store`. There is nothing in memory, so there is nothing to be out of date."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self.clock: Clock = clock
        self._store = store
        self._heard: Heard | None = None

    def tell(self, heard: Heard) -> None:
        """Have somebody told of what happens from now on."""
        self._heard = heard

    def read(self, ask: Callable[[Page], T]) -> T:
        """Ask in one read transaction."""
        with self._store.read() as tx:
            return ask(_Rows(tx, None))

    def write(self, act: Callable[[Page], T]) -> T:
        """Act in one write transaction."""
        with self._store.write() as tx:
            return act(_Rows(tx, self._heard))

    def happenings(self, limit: int, did: str | None = None) -> list[Happening]:
        """Return the last `limit` happenings, oldest first."""
        select = "SELECT at, did, iid, vals, done_by FROM virtual_happenings"
        with self._store.read() as tx:
            if did is None:
                rows = tx.rows(f"{select} ORDER BY number DESC LIMIT ?", (max(0, limit),))
            else:
                rows = tx.rows(f"{select} WHERE did = ? ORDER BY number DESC LIMIT ?", (did, max(0, limit)))
        return [_happening(row) for row in reversed(rows)]


class _Rows:
    """The rows, inside one transaction."""

    def __init__(self, tx: Tx, heard: Heard | None) -> None:
        self._tx = tx
        self._heard = heard

    def held(self, did: str) -> Mapping[str, Held]:
        rows = self._tx.rows(
            "SELECT iid, value, before, written_at, shows_at FROM virtual_values WHERE did = ?", (did,)
        )
        return {row[0]: _held(row) for row in rows}

    def everywhere(self, iid: str) -> Mapping[str, Held]:
        rows = self._tx.rows(
            "SELECT did, value, before, written_at, shows_at FROM virtual_values WHERE iid = ?", (iid,)
        )
        return {row[0]: _held(row) for row in rows}

    def put(self, did: str, iid: str, held: Held) -> None:
        self._tx.execute(
            "INSERT INTO virtual_values (did, iid, value, before, written_at, shows_at) VALUES (?, ?, ?, ?, ?, ?)"
            " ON CONFLICT (did, iid) DO UPDATE SET value = excluded.value, before = excluded.before,"
            " written_at = excluded.written_at, shows_at = excluded.shows_at",
            (did, iid, _json(held.value), _json(held.before), micros(held.written_at), micros(held.shows_at)),
        )

    def note(self, happening: Happening) -> None:
        number = next_number(self._tx, "virtual_happenings")
        self._tx.execute(
            "INSERT INTO virtual_happenings (number, at, did, iid, vals, done_by) VALUES (?, ?, ?, ?, ?, ?)",
            (
                number,
                micros(happening.at),
                happening.did,
                happening.iid,
                _json(happening.values),
                happening.by.value,
            ),
        )
        if number % _PRUNED_EACH == 0:
            self._tx.execute("DELETE FROM virtual_happenings WHERE number <= ?", (number - MOST_HAPPENINGS,))
        if self._heard is not None:
            self._heard(self._tx, happening)


def _held(row: Row) -> Held:
    _, value, before, written_at, shows_at = row
    return Held(
        value=msgspec.json.decode(value, type=Level),
        before=msgspec.json.decode(before, type=Level),
        written_at=from_micros(written_at),
        shows_at=from_micros(shows_at),
    )


def _happening(row: Row) -> Happening:
    at, did, iid, values, by = row
    return Happening(from_micros(at), did, iid, msgspec.json.decode(values, type=_Values), By(by))


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()
