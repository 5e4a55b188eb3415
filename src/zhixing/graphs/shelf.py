"""The shelf of receipts: what a hub held under an id each time before something was written there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from zhixing.graphs.hubs.receipts import Receipt, read_receipt
from zhixing.kernel.errors import NotFound
from zhixing.kernel.moments import micros
from zhixing.store.connection import Store
from zhixing.store.counters import next_number

KEPT: Final = 50
"""Receipts of one rule; the oldest go first."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A receipt with the number it is known by."""

    number: int
    hub: str
    receipt: Receipt


class Shelf:
    """Keeps receipts in the database. Safe to use from several threads."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def keep(self, hub: str, receipt: Receipt) -> Kept:
        """Keep a receipt of a hub; raises `TooLarge`."""
        content = receipt.to_json()
        with self._store.write() as tx:
            number = next_number(tx, "graph_receipts")
            tx.execute(
                "INSERT INTO graph_receipts (number, hub, graph_id, at, content) VALUES (?, ?, ?, ?, ?)",
                (number, hub, receipt.id, micros(receipt.at), content),
            )
            rows = tx.rows(
                "SELECT number FROM graph_receipts WHERE hub = ? AND graph_id = ?"
                " ORDER BY number DESC LIMIT 1 OFFSET ?",
                (hub, receipt.id, KEPT),
            )
            if rows:
                tx.execute(
                    "DELETE FROM graph_receipts WHERE hub = ? AND graph_id = ? AND number <= ?",
                    (hub, receipt.id, rows[0][0]),
                )
        return Kept(number, hub, receipt)

    def of(self, hub: str, graph: str) -> list[Kept]:
        """Return the receipts of a rule, the newest first."""
        with self._store.read() as tx:
            rows = tx.rows(
                "SELECT number, content FROM graph_receipts WHERE hub = ? AND graph_id = ? ORDER BY number DESC",
                (hub, graph),
            )
        return [Kept(number, hub, read_receipt(content)) for number, content in rows]

    def get(self, hub: str, number: int) -> Kept:
        """Return a receipt of a hub. Raises `NotFound`."""
        with self._store.read() as tx:
            row = tx.row("SELECT content FROM graph_receipts WHERE number = ? AND hub = ?", (number, hub))
        if row is None:
            raise NotFound("graph_receipt_unknown", number=number)
        return Kept(number, hub, read_receipt(row[0]))
