"""Whether the worker that holds a job is still alive, as far as another worker can tell.

A lease says until when its holder will have extended it, in wall time; but the wall clock may be stepped, another
machine's may differ, and a machine that slept wakes up with all leases run out and all holders alive. So a lease is
judged by how long it has stood unchanged while this worker looked on, in monotonic time. Its wall time counts only for
the leases found at the beginning (what ran out long ago needs no second wait), and only if the clock was not stepped.
All workers of one store use the same length of lease.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from zhixing.engine.ledger import Lease
from zhixing.kernel.moments import micros

STEP = timedelta(seconds=1)
"""A difference between wall and monotonic time that is no drift."""


class Watch:
    """The leases of other workers."""

    def __init__(self, lease: timedelta) -> None:
        self._lease = lease.total_seconds()
        self._deadlines: dict[Lease, float] = {}
        self._looking_on = False
        self._origin: datetime | None = None
        self._steady_from = float("-inf")

    def begin(self) -> None:
        """Begin anew: nobody looked on for a while."""
        self._looking_on = False

    def look(self, now: datetime, monotonic: float) -> bool:
        """Compare the two clocks; return whether the wall clock was stepped since the last look."""
        origin = now - timedelta(seconds=monotonic)
        stepped = self._origin is not None and abs(origin - self._origin) > STEP
        self._origin = origin
        if stepped:
            self._steady_from = monotonic + self._lease
        return stepped

    def see(self, leases: Iterable[Lease], now: datetime, monotonic: float) -> None:
        """Take in what the ledger says now; leases that are not in it any more are forgotten."""
        known = self._deadlines
        self._deadlines = {
            lease: known[lease] if lease in known else monotonic + self._patience(lease, now, monotonic)
            for lease in leases
        }
        self._looking_on = True

    def _patience(self, lease: Lease, now: datetime, monotonic: float) -> float:
        if self._looking_on or monotonic < self._steady_from:
            return self._lease
        left = (lease.until - micros(now)) / 1_000_000
        return max(0.0, min(left, self._lease))

    def over(self, monotonic: float) -> list[Lease]:
        """Return the leases that have stood unchanged for too long, in order of their keys."""
        return sorted(lease for lease, deadline in self._deadlines.items() if deadline <= monotonic)

    def next(self) -> float | None:
        """Return the monotonic time at which the next lease will have stood unchanged for too long; None: no lease."""
        return min(self._deadlines.values(), default=None)
