"""What is due, by time and then by the order in which it was appointed."""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from msgspec import Struct

from zhixing.graphs.simulating.effects import TimerKind
from zhixing.graphs.simulating.moments import UNCAUSED
from zhixing.graphs.simulating.script import Property, Signal

MOST_ENTRIES = 50_000
"""Timers that run at one time."""


class CardTimer(Struct, frozen=True, gc=False):
    """A timer of a card; `cause` is the moment that started it."""

    node: str
    kind: TimerKind
    cause: int = UNCAUSED


@dataclass(frozen=True, slots=True)
class LateSignal:
    """What sources hear of only then: an event that waits for its turn (mijia §1.9), the echo of a write."""

    signal: Signal
    cause: int = UNCAUSED


@dataclass(frozen=True, slots=True)
class Learning:
    """The gateway learns of a write; `reports` is how many there were of the property before it."""

    property: Property
    value: object
    reports: int


Entry = CardTimer | LateSignal | Learning
Reach = Literal["card", "all"]


@dataclass(slots=True, eq=False)
class _Slot:
    entry: Entry
    stopped: bool = False


_Due = tuple[int, int, _Slot]
"""When, a number of its own in the order of appointing, and what: two are compared by the first two."""


class Agenda:
    """A queue of entries; those of one card can be stopped together."""

    def __init__(self) -> None:
        self._slots: list[_Due] = []
        self._by_node: dict[str, list[_Due]] = {}
        self._count = 0
        self._stopped = 0

    def add(self, due_ms: float, entry: Entry) -> bool:
        """Appoint an entry; return False when there are too many already."""
        if len(self._slots) - self._stopped >= MOST_ENTRIES:
            return False
        self._count += 1
        slot = math.ceil(due_ms), self._count, _Slot(entry)
        heapq.heappush(self._slots, slot)
        if isinstance(entry, CardTimer):
            self._by_node.setdefault(entry.node, []).append(slot)
        return True

    def next_due(self) -> int | None:
        """Return when something is due next."""
        while self._slots and self._slots[0][2].stopped:
            heapq.heappop(self._slots)
            self._stopped -= 1
        return self._slots[0][0] if self._slots else None

    def pop(self) -> Entry:
        """Take out what is due next; `next_due` was asked right before."""
        slot = heapq.heappop(self._slots)
        entry = slot[2].entry
        if isinstance(entry, CardTimer):
            self._by_node[entry.node].remove(slot)
        return entry

    def stop(self, node: str) -> None:
        """Stop all timers of a card."""
        for _, _, slot in self._by_node.pop(node, ()):
            slot.stopped = True
            self._stopped += 1
        # swept only when they are the greater part, so that a sweep costs no more than what was stopped since the last
        if self._stopped > len(self._slots) // 2:
            self._slots = [each for each in self._slots if not each[2].stopped]
            heapq.heapify(self._slots)
            self._stopped = 0

    def stop_due(self, now_ms: int) -> None:
        """Stop all timers of cards that are due by now."""
        kept: list[_Due] = []
        while (due := self.next_due()) is not None and due <= now_ms:
            slot = heapq.heappop(self._slots)
            entry = slot[2].entry
            if isinstance(entry, CardTimer):
                self._by_node[entry.node].remove(slot)
            else:
                kept.append(slot)
        for slot in kept:
            heapq.heappush(self._slots, slot)

    def stop_all(self) -> None:
        """Stop the timers of all cards."""
        for node in list(self._by_node):
            self.stop(node)

    def waiting(self) -> Iterator[tuple[int, Entry]]:
        """Yield everything that is appointed, in order of time."""
        return ((due_ms, slot.entry) for due_ms, _, slot in sorted(self._slots) if not slot.stopped)

    def running(self) -> Iterator[tuple[int, CardTimer]]:
        """Yield the timers of cards in order of time."""
        for due_ms, _, slot in sorted(each for found in self._by_node.values() for each in found):
            if isinstance(slot.entry, CardTimer):
                yield due_ms, slot.entry
