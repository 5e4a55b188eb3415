"""What is ready next: the nearest pending jobs, held in memory so that nobody has to ask the ledger all the time.

The agenda is a hint, the ledger is the truth: a slot may be stale (cancelled, done by another process), then starting
it finds nothing. What must not happen is the contrary, a pending job that no slot leads to. So the rule is: every
pending job up to the `horizon` that this worker knows how to do is in the heap, or its lane is parked while another job
of that lane runs.
"""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterable, Sequence

from zhixing.engine.ledger import Slot


class Agenda:
    """A bounded window on the pending jobs, in the order in which they become ready."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._heap: list[Slot] = []
        self._busy: set[str] = set()
        self._parked: dict[str, Slot] = {}
        self.horizon: Slot | None = None
        """The last slot that was read from the ledger."""
        self._complete = False

    @property
    def page(self) -> int:
        """How many slots to read from the ledger at once."""
        return self._size

    @property
    def wanting(self) -> bool:
        """Whether the window has run low and the ledger may have more."""
        return not self._complete and len(self._heap) < self._size // 4

    def forget(self) -> None:
        """Empty the window: what the ledger has may be something else by now."""
        self._heap.clear()
        self._parked.clear()
        self.horizon = None
        self._complete = False

    def extend(self, slots: Sequence[Slot], names: Collection[str]) -> None:
        """Take in the page that follows `horizon`; slots whose name is not among `names` count as read only."""
        for slot in slots:
            if slot.name in names:
                heapq.heappush(self._heap, slot)
        if slots:
            self.horizon = slots[-1]
        self._complete = len(slots) < self._size

    def add(self, slots: Iterable[Slot]) -> None:
        """Take in jobs that have just become pending; those beyond the horizon will be read when it gets there."""
        for slot in slots:
            if self._complete or (self.horizon is not None and slot < self.horizon):
                heapq.heappush(self._heap, slot)
        if len(self._heap) > 2 * self._size:
            self._heap = heapq.nsmallest(self._size, self._heap)
            self.horizon = self._heap[-1]
            self._complete = False

    def take(self, now: int, room: int) -> list[Slot]:
        """Take out up to `room` slots that are ready at `now`, in order, at most one of each lane."""
        taken: list[Slot] = []
        lanes: set[str] = set()
        while self._heap and self._heap[0].ready <= now and len(taken) < room:
            slot = heapq.heappop(self._heap)
            if slot.lane is not None:
                if slot.lane in self._busy or slot.lane in lanes:
                    self._parked.setdefault(slot.lane, slot)
                    continue
                lanes.add(slot.lane)
            taken.append(slot)
        return taken

    def put_back(self, slots: Iterable[Slot]) -> None:
        """Take slots back in that could not be tried."""
        for slot in slots:
            heapq.heappush(self._heap, slot)

    def occupy(self, lane: str) -> None:
        """Note that a job of `lane` runs here."""
        self._busy.add(lane)

    def vacate(self, lane: str) -> None:
        """Note that no job of `lane` runs here any more; if others became ready meanwhile, its turn comes again.

        One slot stands for all that are parked, so the lane stays parked until it is found empty.
        """
        self._busy.discard(lane)
        waiting = self._parked.get(lane)
        if waiting is not None:
            heapq.heappush(self._heap, waiting)

    def empty(self, lane: str) -> None:
        """Note that no job of `lane` is ready, or that one runs elsewhere, whose end will be heard of."""
        self._parked.pop(lane, None)

    def next(self) -> int | None:
        """Return when the first slot is ready, in microseconds since the epoch; None: no slot."""
        return self._heap[0].ready if self._heap else None
