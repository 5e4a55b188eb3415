"""What can be made to go wrong at a hub that is not real, call by call."""

from __future__ import annotations

import threading
from enum import StrEnum

from zhixing.world.hub.port import Method


class Fault(StrEnum):
    """What goes wrong with one call."""

    ANSWER_LOST = "answer_lost"
    """It is carried out, and the answer never comes."""
    CALL_LOST = "call_lost"
    """It leaves and never arrives: nothing changes, and no answer comes."""
    UNREACHABLE = "unreachable"
    """It never leaves. In memory only."""
    CLOSED_BEFORE = "closed_before"
    """The connection ends, and nothing changed."""
    CLOSED_AFTER = "closed_after"
    """It is carried out, and the connection ends before the answer."""
    HELD = "held"
    """It is carried out, and the answer comes when it is let go. From here on: on a wire only."""
    TAMPERED = "tampered"
    """One bit of the answer is another."""
    REPLAYED = "replayed"
    """The answer comes twice, the same bytes."""
    REORDERED = "reordered"
    """The answer comes after another frame that was sealed after it."""
    MISMEASURED = "mismeasured"
    """The answer is longer than it says."""
    FOREIGN_KIND = "foreign_kind"
    """The answer comes in a frame of a kind that nobody knows."""
    AS_TEXT = "as_text"
    """The answer comes as text, not as a frame."""


class Faults:
    """Faults that wait for their calls."""

    def __init__(self) -> None:
        self._waiting: list[tuple[Method | None, Fault]] = []
        self._lock = threading.Lock()

    def add(self, fault: Fault, method: Method | None = None) -> None:
        """Have one call go wrong: the next of `method`, or the next of all. Several are used up in their order."""
        with self._lock:
            self._waiting.append((method, fault))

    def take(self, method: str) -> Fault | None:
        """Return what goes wrong with this call, once."""
        with self._lock:
            for place, (wanted, fault) in enumerate(self._waiting):
                if wanted is None or wanted.value == method:
                    del self._waiting[place]
                    return fault
        return None
