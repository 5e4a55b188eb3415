"""Where a virtual home keeps what has become of its devices: the port, and a keeper in memory.

What nobody has changed is not kept; the plan says how it is.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol, TypeVar

from zhixing.kernel.clock import Clock, SystemClock
from zhixing.world.devices.port import Level

MOST_HAPPENINGS = 10_000
"""Happenings kept at most, about; older ones are forgotten."""

USE = "use"
ONLINE = "online"
"""What a camera's use and whether a device is online are kept as, beside properties by iid."""

T = TypeVar("T")


class By(StrEnum):
    """Who did something to a virtual device."""

    COMMAND = "command"
    """Whoever called the hub: a task, a rule, a command line."""
    PERSON = "person"
    """Somebody in the home, with their hands; or the weather."""


@dataclass(frozen=True, slots=True)
class Held:
    """A value that was set at `written_at`. Until `shows_at` the device still shows `before`."""

    value: Level
    before: Level
    written_at: datetime
    shows_at: datetime

    def shown(self, now: datetime) -> Level:
        """Return what is seen at `now`. A clock that was put back to before the writing hides nothing."""
        return self.before if self.written_at <= now < self.shows_at else self.value


@dataclass(frozen=True, slots=True)
class Happening:
    """Something that happened in a virtual home.

    `values` is what was written, the arguments of an action, or nothing. `iid` is that of a property, an action or an
    event, or `use` or `online`.
    """

    at: datetime
    did: str
    iid: str
    values: tuple[Level, ...]
    by: By

    @property
    def value(self) -> Level | None:
        """The one value, or the first."""
        return self.values[0] if self.values else None


class Page(Protocol):
    """What is kept, inside one transaction."""

    def held(self, did: str) -> Mapping[str, Held]:
        """Return what is kept of a device, by iid."""
        ...

    def everywhere(self, iid: str) -> Mapping[str, Held]:
        """Return what is kept under one iid, by did."""
        ...

    def put(self, did: str, iid: str, held: Held) -> None:
        """Keep a value."""
        ...

    def note(self, happening: Happening) -> None:
        """Write down what happened."""
        ...


class Keeper(Protocol):
    """Keeps the changes of one virtual home. Safe to use from several threads."""

    @property
    def clock(self) -> Clock:
        """The clock that values and happenings are dated by."""
        ...

    def read(self, ask: Callable[[Page], T]) -> T:
        """Return what `ask` finds in one consistent state; it may not change anything."""
        ...

    def write(self, act: Callable[[Page], T]) -> T:
        """Do what `act` does, whole or not at all, while nobody else writes."""
        ...

    def happenings(self, limit: int, did: str | None = None) -> list[Happening]:
        """Return the last `limit` happenings, of one device or of all, oldest first."""
        ...


class MemoryKeeper:
    """Keeps a home for as long as the process lives."""

    def __init__(self, clock: Clock | None = None) -> None:
        self.clock: Clock = clock or SystemClock()
        self._lock = threading.Lock()
        self._held: dict[str, dict[str, Held]] = {}
        self._happened: deque[Happening] = deque(maxlen=MOST_HAPPENINGS)

    def read(self, ask: Callable[[Page], T]) -> T:
        """Ask while nobody writes."""
        with self._lock:
            return ask(_Sheet(self._held))

    def write(self, act: Callable[[Page], T]) -> T:
        """Act while nobody else reads or writes."""
        with self._lock:
            sheet = _Sheet(self._held)
            answer = act(sheet)
            for did, kept in sheet.changes.items():
                self._held.setdefault(did, {}).update(kept)
            self._happened.extend(sheet.notes)
            return answer

    def happenings(self, limit: int, did: str | None = None) -> list[Happening]:
        """Return the last `limit` happenings, oldest first."""
        with self._lock:
            found = [each for each in self._happened if did is None or each.did == did]
        return found[-limit:] if limit > 0 else []


class _Sheet:
    """A page over what is kept in memory; its changes lie beside it until they are all made."""

    def __init__(self, below: Mapping[str, Mapping[str, Held]]) -> None:
        self.changes: dict[str, dict[str, Held]] = {}
        self.notes: list[Happening] = []
        self._below = below

    def held(self, did: str) -> Mapping[str, Held]:
        return {**self._below.get(did, {}), **self.changes.get(did, {})}

    def everywhere(self, iid: str) -> Mapping[str, Held]:
        found = {did: kept[iid] for did, kept in self._below.items() if iid in kept}
        return found | {did: kept[iid] for did, kept in self.changes.items() if iid in kept}

    def put(self, did: str, iid: str, held: Held) -> None:
        self.changes.setdefault(did, {})[iid] = held

    def note(self, happening: Happening) -> None:
        self.notes.append(happening)
