"""Which hub is spoken to: the virtual gateway, or a real one that somebody has connected to.

A real hub wants a passcode that a person reads off a phone and that is used up by connecting (mijia §6.1). So the
connection is kept for as long as the process lives, and nobody connects again by himself.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol

from zhixing.graphs.rule import Rule
from zhixing.graphs.simulating.script import Script
from zhixing.graphs.specs.home import Home
from zhixing.kernel.errors import BadInput, Unavailable
from zhixing.world.hub.port import Hub

VIRTUAL: Final = "virtual"
"""What the virtual gateway is called where an address stands for a real one."""


class Connection(Hub, Protocol):
    """A real hub, connected."""

    @property
    def is_open(self) -> bool:
        """Whether the connection still holds."""
        ...

    def close(self) -> None:
        """End it."""
        ...


Connect = Callable[[str, str], Connection]
"""Connects to the hub at an address with a passcode. Raises `BadInput`, `Refused`, `Unavailable`."""


@dataclass(frozen=True, slots=True)
class Place:
    """A hub of ours that is always there, and what is known of the devices behind it.

    `around` tells what is around a rule there now: the zone, and what devices are.
    """

    hub: Hub
    home: Callable[[], Home]
    around: Callable[[Rule], Script]


@dataclass(frozen=True, slots=True)
class Status:
    """Which hub is spoken to: `virtual` or an address, and whether it can be."""

    hub: str
    connected: bool


class Session:
    """The hub of a home. `address` is that of a real one where the owner named one: then nothing goes elsewhere.

    `specs` returns the specifications that are known for the devices of a real one.
    """

    def __init__(self, virtual: Place, connect: Connect, specs: Callable[[], Home], address: str = "") -> None:
        self._virtual = virtual
        self._connect = connect
        self._specs = specs
        self._address = address
        self._lock = threading.Lock()
        self._real: tuple[str, Connection] | None = None

    def connect(self, passcode: str, address: str = "") -> Status:
        """Connect to the real hub at `address`, or at that of the settings; what was connected before is left."""
        wanted = address.strip() or self._address
        if not wanted:
            raise BadInput("gateway_address_missing")
        found = self._connect(wanted, passcode.strip())
        with self._lock:
            before, self._real = self._real, (wanted, found)
        if before is not None:
            before[1].close()
        return self.status()

    def disconnect(self) -> Status:
        """Leave the real hub; said twice it changes nothing."""
        with self._lock:
            before, self._real = self._real, None
        if before is not None:
            before[1].close()
        return self.status()

    def status(self) -> Status:
        """Return which hub is spoken to."""
        real = self._real
        if real is not None:
            return Status(real[0], real[1].is_open)
        return Status(self._address or VIRTUAL, connected=not self._address)

    @property
    def name(self) -> str:
        """What the hub that is spoken to is called."""
        return self.status().hub

    @property
    def hub(self) -> Hub:
        """The hub. Raises `Unavailable` where the owner named a real one and nobody has connected."""
        if self._real is not None:
            return self._real[1]
        if self._address:
            raise Unavailable("gateway_not_connected", address=self._address)
        return self._virtual.hub

    def home(self) -> Home:
        """Return what is known of the devices behind it, variables left out."""
        return self._virtual.home() if self.status().hub == VIRTUAL else self._specs()

    def around(self, rule: Rule) -> Script:
        """Return what is around a rule now, variables left out. A real hub does not tell what devices are."""
        return self._virtual.around(rule) if self.status().hub == VIRTUAL else Script()
