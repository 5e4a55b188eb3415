"""Numbers without gaps, such as the ones users know their tasks by."""

from __future__ import annotations

from zhixing.store.connection import Tx


def next_number(tx: Tx, name: str) -> int:
    """Return the next number of the counter `name`, from 1 on.

    The number belongs to the caller's transaction: rolled back, it is given to the next one who asks.
    """
    return next_numbers(tx, name, 1)


def next_numbers(tx: Tx, name: str, count: int) -> int:
    """Return the first of the next `count` numbers of the counter `name`, which follow each other."""
    rows = tx.rows(
        "INSERT INTO counters (name, value) VALUES (?, ?)"
        " ON CONFLICT (name) DO UPDATE SET value = counters.value + excluded.value RETURNING value",
        (name, count),
    )
    return int(rows[0][0]) - count + 1
