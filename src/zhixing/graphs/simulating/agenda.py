"""What is due, by time and then by the order in which it was appointed."""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from zhixing.graphs.simulating.effects import TimerKind
from zhixing.graphs.simulating.script import DeviceEvent, Property

MOST_ENTRIES = 50_000
"""Timers that run at one time."""


@dataclass(frozen=True, slots=True)
class CardTimer:
    """A timer of a card."""

    node: str
    kind: TimerKind


@dataclass(frozen=True, slots=True)
class QueuedEvent:
    """An event of a device that waits for its turn (mijia §1.9)."""

    event: DeviceEvent


@dataclass(frozen=True, slots=True)
class Learning:
    """The gateway learns of a write; `echo` tells whether the rule hears of it as of any report."""

    property: Property
    value: object
    number: int
    echo: bool


Entry = CardTimer | QueuedEvent | Learning
Reach = Literal["card", "all"]


@dataclass(order=True, slots=True)
class _Slot:
    due_ms: int
    number: int
    entry: Entry = field(compare=False)
    stopped: bool = field(default=False, compare=False)


class Agenda:
    """A queue of entries; those of one card can be stopped together."""

    def __init__(self) -> None:
        self._slots: list[_Slot] = []
        self._by_node: dict[str, list[_Slot]] = {}
        self._count = 0

    def add(self, due_ms: float, entry: Entry) -> bool:
        """Appoint an entry; return False when there are too many already."""
        if len(self._slots) >= MOST_ENTRIES:
            self._slots = [slot for slot in self._slots if not slot.stopped]
            heapq.heapify(self._slots)
            if len(self._slots) >= MOST_ENTRIES:
                return False
        self._count += 1
        slot = _Slot(math.ceil(due_ms), self._count, entry)
        heapq.heappush(self._slots, slot)
        if isinstance(entry, CardTimer):
            self._by_node.setdefault(entry.node, []).append(slot)
        return True

    def next_due(self) -> int | None:
        """Return when something is due next."""
        while self._slots and self._slots[0].stopped:
            heapq.heappop(self._slots)
        return self._slots[0].due_ms if self._slots else None

    def pop(self) -> Entry:
        """Take out what is due next; `next_due` was asked right before."""
        slot = heapq.heappop(self._slots)
        if isinstance(slot.entry, CardTimer):
            self._by_node[slot.entry.node].remove(slot)
        return slot.entry

    def stop(self, node: str) -> None:
        """Stop all timers of a card."""
        for slot in self._by_node.pop(node, ()):
            slot.stopped = True

    def stop_due(self, now_ms: int) -> None:
        """Stop all timers of cards that are due by now."""
        for node, slots in self._by_node.items():
            for slot in slots:
                slot.stopped = slot.stopped or slot.due_ms <= now_ms
            self._by_node[node] = [slot for slot in slots if not slot.stopped]

    def stop_all(self) -> None:
        """Stop the timers of all cards."""
        for node in list(self._by_node):
            self.stop(node)

    def running(self) -> Iterator[tuple[int, CardTimer]]:
        """Yield the timers of cards in order of time."""
        for slot in sorted(slot for slots in self._by_node.values() for slot in slots):
            if isinstance(slot.entry, CardTimer):
                yield slot.due_ms, slot.entry
