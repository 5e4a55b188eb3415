"""Numbers without gaps, such as the ones users know their tasks by."""

from __future__ import annotations

from zhixing.store.connection import Tx


def next_number(tx: Tx, name: str) -> int:
    """Return the next number of the counter `name`, from 1 on.

    The number belongs to the caller's transaction: rolled back, it is given to the next one who asks.
    """
    rows = tx.rows(
        "INSERT INTO counters (name, value) VALUES (?, 1)"
        " ON CONFLICT (name) DO UPDATE SET value = counters.value + 1 RETURNING value",
        (name,),
    )
    return int(rows[0][0])
