"""The one clock: nothing else in the package asks what time it is or waits.

Wall time is for appointments, monotonic time is for durations. A wait never lasts longer than one second before the
wall clock is looked at again, because a laptop that slept or an NTP step moves the wall clock without waking anybody.
"""

from __future__ import annotations

import asyncio
import threading
import time
from datetime import UTC, datetime, timedelta
from typing import Protocol

LONGEST_WAIT = 1.0
"""Seconds after which a waiter looks at the wall clock again (design §5)."""


class Clock(Protocol):
    """What the rest of the package knows about time."""

    def now(self) -> datetime:
        """Return the current instant, aware, in UTC."""
        ...

    def monotonic(self) -> float:
        """Return seconds on a scale that never goes back; only differences mean something."""
        ...

    def wait(self, wake: threading.Event, seconds: float) -> bool:
        """Wait until `wake` is set or `seconds` passed, at most `LONGEST_WAIT`; return whether it was set."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Suspend the calling coroutine for `seconds`."""
        ...


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        """Return the machine's wall time in UTC."""
        return datetime.now(UTC)

    def monotonic(self) -> float:
        """Return the machine's monotonic seconds."""
        return time.monotonic()

    def wait(self, wake: threading.Event, seconds: float) -> bool:
        """Wait on `wake`, at most `LONGEST_WAIT` seconds."""
        return wake.wait(max(0.0, min(seconds, LONGEST_WAIT)))

    async def sleep(self, seconds: float) -> None:
        """Suspend the calling coroutine."""
        await asyncio.sleep(seconds)


class ManualClock:
    """A clock that moves only when told to: for tests, previews and simulations.

    `advance` moves wall and monotonic time together; `jump` moves the wall alone, as NTP or a person does.
    """

    def __init__(self, now: datetime) -> None:
        if now.tzinfo is None:
            raise ValueError("a clock needs an aware instant")
        self._now = now.astimezone(UTC)
        self._monotonic = 0.0

    def now(self) -> datetime:
        """Return the instant this clock was left at."""
        return self._now

    def monotonic(self) -> float:
        """Return the seconds advanced so far."""
        return self._monotonic

    def advance(self, step: timedelta) -> None:
        """Let `step` pass."""
        if step < timedelta(0):
            raise ValueError("time does not run backwards; use jump() for a wall-clock step")
        self._now += step
        self._monotonic += step.total_seconds()

    def jump(self, step: timedelta) -> None:
        """Step the wall clock by `step`, either way, while no time passes."""
        self._now += step

    def wait(self, wake: threading.Event, seconds: float) -> bool:
        """Let at most one look's worth of `seconds` pass at once, unless `wake` is already set."""
        if wake.is_set():
            return True
        self.advance(timedelta(seconds=max(0.0, min(seconds, LONGEST_WAIT))))
        return wake.is_set()

    async def sleep(self, seconds: float) -> None:
        """Let `seconds` pass at once."""
        self.advance(timedelta(seconds=seconds))
        await asyncio.sleep(0)
