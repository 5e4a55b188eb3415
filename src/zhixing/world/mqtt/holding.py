"""The verdicts between the broker and whoever takes them: bounded, and honest about what is left out.

When it is full, levels that a newer one of the same source and condition follows are left out, then the oldest levels.
An event is never left out: whoever brings it waits, and the broker is made to wait in turn.
"""

from __future__ import annotations

import threading
from collections import deque

from zhixing.world.mqtt.limits import MOST_WAITING
from zhixing.world.perception.verdict import Verdict


class Holding:
    """Brought by one thread, taken by another."""

    def __init__(self, limit: int = MOST_WAITING) -> None:
        self.left_out = 0
        """Levels left out so far."""
        self.stirred = threading.Event()
        """Set while something waits."""
        self.room = threading.Event()
        """Set while an event can be brought."""
        self.room.set()
        self._limit = limit
        self._lock = threading.Lock()
        self._number = 0
        self._levels: deque[tuple[int, Verdict]] = deque()
        self._events: deque[tuple[int, Verdict]] = deque()

    def __len__(self) -> int:
        return len(self._levels) + len(self._events)

    def bring(self, verdict: Verdict) -> bool:
        """Let a verdict wait; False, and nothing is kept, when there is no room for an event now."""
        with self._lock:
            if len(self) >= self._limit:
                self._thin()
            if len(self) >= self._limit and self._levels:
                self._levels.popleft()
                self.left_out += 1
            if len(self) >= self._limit:
                if verdict.event is None:
                    self.left_out += 1
                    return True
                self.room.clear()
                return False
            self._number += 1
            (self._levels if verdict.event is None else self._events).append((self._number, verdict))
            self.stirred.set()
            return True

    def take(self, most: int) -> list[Verdict]:
        """Take what waits longest, in the order it was brought."""
        taken: list[Verdict] = []
        with self._lock:
            while len(taken) < most and len(self):
                first = self._events
                if self._levels and (not self._events or self._levels[0][0] < self._events[0][0]):
                    first = self._levels
                taken.append(first.popleft()[1])
            if not len(self):
                self.stirred.clear()
            self.room.set()
        return taken

    def _thin(self) -> None:
        """Keep only the newest level of each source and condition."""
        newest = {(verdict.source, verdict.query): number for number, verdict in self._levels}
        kept = deque(each for each in self._levels if newest[(each[1].source, each[1].query)] == each[0])
        self.left_out += len(self._levels) - len(kept)
        self._levels = kept
