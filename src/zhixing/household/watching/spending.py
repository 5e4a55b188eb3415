"""What the model for images was asked today: read from what is counted anyway, so a restart forgets nothing."""

from __future__ import annotations

from datetime import tzinfo

from zhixing.household.watching.model import Spent
from zhixing.kernel.clock import Clock
from zhixing.store.connection import Store
from zhixing.world.models import counting


class Spending:
    """Reads what `model` was asked today, in `zone`; whoever asked counts, because the money is the same."""

    def __init__(self, store: Store, clock: Clock, zone: tzinfo, model: str) -> None:
        self._store = store
        self._clock = clock
        self._zone = zone
        self._model = model

    def __call__(self) -> Spent:
        """Return it. Not to be called inside a transaction."""
        today = counting.first_day(self._clock.now(), 1, self._zone)
        with self._store.read() as tx:
            rows = [row for row in counting.since(tx, today) if row[0].model == self._model]
        spent = counting.total(rows)
        return Spent(spent.calls, spent.cost)


def nothing_spent() -> Spent:
    """Say that nothing was spent: for models that nobody counts."""
    return Spent()
