"""What could not be used, counted, and told now and then: pure."""

from __future__ import annotations

from collections import Counter
from datetime import datetime, timedelta

from zhixing.kernel.wording import wording
from zhixing.world.mqtt.said import Fault

EVERY = timedelta(seconds=60)
"""Between two lines about faults of the same kind."""
QUIET = frozenset({"event_twice", "late"})
"""What brokers do by their nature: counted, not told."""


class Faults:
    """Counts by kind; a kind has at most one line a minute, and the next line says how many went untold."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self._told: dict[str, tuple[datetime, int]] = {}

    def note(self, fault: Fault, now: datetime) -> str | None:
        """Count a fault; return the line for the log, or None where there was one lately."""
        self.counts[fault.key] += 1
        if fault.key in QUIET:
            return None
        number = self.counts[fault.key]
        at, told = self._told.get(fault.key, (None, 0))
        if at is not None and at <= now < at + EVERY:
            return None
        self._told[fault.key] = (now, number)
        untold = number - told - 1
        line = fault.text()
        return line + wording("mqtt.untold", count=untold) if untold else line
