"""Keeping what asking models cost: one row per model and day, written call by call.

Each call is counted in a transaction of its own, so never inside one. A count that cannot be written is lost and said
so in the log: it may not cost the reading it belongs to.
"""

from __future__ import annotations

import logging
from datetime import date, datetime, timedelta, tzinfo

from zhixing.kernel.errors import StoreUnavailable
from zhixing.store.connection import Store, Tx
from zhixing.world.models.usage import Spent, Spot, Tally, Tokens

MOST_PER_CALL = 10**12
"""More tokens, or millionths, than any call costs: what a server claims beyond it would only break the sum."""
_COUNTS = ("calls", "failures", "tokens_read", "tokens_written", "tokens_cached", "cost", "unpriced")
_COLUMNS = f"day, model, {', '.join(_COUNTS)}"
_ADDED = ", ".join(f"{name} = model_usage.{name} + excluded.{name}" for name in _COUNTS)
_log = logging.getLogger(__name__)


class Counting:
    """Counts calls by the days of a zone; give it to a model as `on_usage`."""

    def __init__(self, store: Store, zone: tzinfo) -> None:
        self._store = store
        self._zone = zone

    def __call__(self, spent: Spent) -> None:
        """Count one call, if the database lets it."""
        try:
            with self._store.write() as tx:
                add(tx, Spot.of(spent, self._zone), Tally().plus(spent))
        except StoreUnavailable:
            _log.warning("a call to the model %s was not counted", spent.model, exc_info=True)


def add(tx: Tx, spot: Spot, tally: Tally) -> None:
    """Add what was spent to what the spot has."""
    tokens = tally.tokens
    counts = (tally.calls, tally.failures, tokens.read, tokens.written, tokens.cached, tally.cost, tally.unpriced)
    bounded = [min(count, MOST_PER_CALL) for count in counts]
    tx.execute(
        f"INSERT INTO model_usage ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
        f" ON CONFLICT (day, model) DO UPDATE SET {_ADDED}",
        (spot.day.isoformat(), spot.model, *bounded),
    )


def first_day(now: datetime, days: int, zone: tzinfo) -> date:
    """Return the first of the last `days` days, today included."""
    return now.astimezone(zone).date() - timedelta(days=days - 1)


def since(tx: Tx, first: date) -> list[tuple[Spot, Tally]]:
    """Return what was spent on `first` and after, by day and model."""
    rows = tx.rows(f"SELECT {_COLUMNS} FROM model_usage WHERE day >= ? ORDER BY day, model", (first.isoformat(),))
    return [
        (
            Spot(date.fromisoformat(day), model),
            Tally(calls, failures, Tokens(read, written, cached), cost, unpriced),
        )
        for day, model, calls, failures, read, written, cached, cost, unpriced in rows
    ]


def total(tallies: list[tuple[Spot, Tally]]) -> Tally:
    """Return the sum of all of them."""
    summed = Tally()
    for _, tally in tallies:
        summed = Tally(
            summed.calls + tally.calls,
            summed.failures + tally.failures,
            summed.tokens + tally.tokens,
            summed.cost + tally.cost,
            summed.unpriced + tally.unpriced,
        )
    return summed
