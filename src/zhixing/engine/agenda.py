"""What is ready next: the nearest pending jobs, held in memory so that nobody has to ask the ledger all the time.

The agenda is a hint, the ledger is the truth: a slot may be stale (cancelled, done by another process), then starting
it finds nothing. What must not happen is the contrary, a pending job that no slot leads to. So the rule is: every
pending job up to the `horizon` that this worker knows how to do is in the heap, or stands in the line of its share, or
its lane is parked: while another job of that lane runs, or while the first of that lane stands in a line. A line that
has grown too long loses its end; then it is `worn` before it is empty, and all is read anew.
"""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterable, Sequence

from zhixing.engine.ledger import Slot
from zhixing.engine.shares import ALL_FREE, Places


class Line:
    """Ready jobs that wait for a place of their share, in order."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._heap: list[Slot] = []
        self._keys: set[str] = set()
        self._end: Slot | None = None
        """The last slot that was kept, once later ones were let go."""

    @property
    def worn(self) -> bool:
        """Whether few are left, and more of them were let go."""
        return self._end is not None and len(self._heap) < self._size // 4

    @property
    def first(self) -> Slot | None:
        """The slot that is next."""
        return self._heap[0] if self._heap else None

    def add(self, slot: Slot) -> None:
        """Have a job wait, each once."""
        if slot.key in self._keys or (self._end is not None and slot > self._end):
            return
        heapq.heappush(self._heap, slot)
        self._keys.add(slot.key)
        if len(self._heap) > 2 * self._size:
            self._heap = heapq.nsmallest(self._size, self._heap)
            self._keys = {each.key for each in self._heap}
            self._end = self._heap[-1]

    def pop(self) -> Slot:
        """Take out the slot that is next."""
        slot = heapq.heappop(self._heap)
        self._keys.discard(slot.key)
        return slot


class Agenda:
    """A bounded window on the pending jobs, in the order in which they become ready.

    `size` is that of the window, `line` that of the line of each share (None: the same).
    """

    def __init__(self, size: int, line: int | None = None) -> None:
        self._size = size
        self._line = line or size
        self._heap: list[Slot] = []
        self._busy: set[str] = set()
        self._parked: dict[str, Slot] = {}
        self._lines: dict[str, Line] = {}
        self._behind: dict[str, Slot] = {}
        """The first job of each lane that is held up because that job stands in a line."""
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

    @property
    def worn(self) -> bool:
        """Whether all has to be read anew, because a line has run low that had lost its end."""
        return any(line.worn for line in self._lines.values())

    def forget(self) -> None:
        """Empty the window: what the ledger has may be something else by now."""
        self._heap.clear()
        self._parked.clear()
        self._lines.clear()
        self._behind.clear()
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

    def take(self, now: int, room: int, places: Places = ALL_FREE) -> list[Slot]:
        """Take out up to `room` slots that are ready at `now`, in order, at most one of each lane.

        Their places are taken; a job whose share has none left stands in its line from now on.
        """
        taken: list[Slot] = []
        lanes: set[str] = set()
        while len(taken) < room:
            slot = self._next(now, places)
            if slot is None:
                break
            share = places.share_of(slot.name)
            if slot.lane is not None and self._is_held_up(slot, slot.lane, lanes):
                self._parked.setdefault(slot.lane, slot)
            # A slot of a parked lane stands for whatever is first there, which may be of any share.
            elif share is not None and not places.is_free(share) and slot.lane not in self._parked:
                self.wait(slot, share)
            else:
                places.take(slot.name)
                taken.append(slot)
                if slot.lane is not None:
                    lanes.add(slot.lane)
        return taken

    def wait(self, slot: Slot, share: str) -> None:
        """Have a job wait until its share has a place."""
        line = self._lines.get(share)
        if line is None:
            line = self._lines[share] = Line(self._line)
        line.add(slot)

    def hold_up(self, slot: Slot, first: Slot, share: str) -> None:
        """Note that the job at `slot` comes after `first` in their lane, which waits until its share has a place."""
        self.wait(first, share)
        if slot.lane is not None:
            self._behind[slot.lane] = first
            self._parked.setdefault(slot.lane, slot)

    def look_again(self) -> None:
        """Let every lane that is held up have its turn again: what it waited for may have been cancelled."""
        for lane in self._behind:
            self._turn(lane)
        self._behind.clear()

    def occupy(self, lane: str) -> None:
        """Note that a job of `lane` runs here."""
        self._busy.add(lane)
        self._behind.pop(lane, None)

    def vacate(self, lane: str) -> None:
        """Note that no job of `lane` runs here any more; if others became ready meanwhile, its turn comes again.

        One slot stands for all that are parked, so the lane stays parked until it is found empty.
        """
        self._busy.discard(lane)
        self._turn(lane)

    def empty(self, lane: str) -> None:
        """Note that no job of `lane` is ready, or that one runs elsewhere, whose end will be heard of."""
        self._parked.pop(lane, None)
        self._behind.pop(lane, None)

    def next(self) -> int | None:
        """Return when the first slot is ready, in microseconds since the epoch; None: no slot."""
        return self._heap[0].ready if self._heap else None

    def _next(self, now: int, places: Places) -> Slot | None:
        """Take out the first slot that is ready, be it in the heap or in a line whose share has a place."""
        first = self._heap[0] if self._heap and self._heap[0].ready <= now else None
        source: Line | None = None
        for share, line in self._lines.items():
            head = line.first
            if head is not None and places.is_free(share) and (first is None or head < first):
                first, source = head, line
        if first is None:
            return None
        return heapq.heappop(self._heap) if source is None else source.pop()

    def _is_held_up(self, slot: Slot, lane: str, lanes: set[str]) -> bool:
        first = self._behind.get(lane)
        return lane in self._busy or lane in lanes or (first is not None and slot > first)

    def _turn(self, lane: str) -> None:
        waiting = self._parked.get(lane)
        if waiting is not None:
            heapq.heappush(self._heap, waiting)
