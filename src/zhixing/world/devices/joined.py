"""Several hubs as one: the home's own first, then others with devices of their own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TypeVar

from zhixing.kernel.errors import NotFound, Unavailable
from zhixing.world.devices.port import Camera, Device, DeviceHub, DeviceSpec, Level, Person, Result

_Hub = TypeVar("_Hub")
_Item = TypeVar("_Item")


class Joined:
    """A `DeviceHub` of hubs whose ids differ; whoever joins them sees to that.

    A device belongs to the first of `others` that has its specification, else to `main`: the specifications of the
    others are known without asking anybody. Cameras are switched at the main hub.
    """

    def __init__(self, main: DeviceHub, *others: DeviceHub) -> None:
        self.main = main
        self.others = others

    def devices(self) -> Sequence[Device]:
        """Return the devices of all hubs, one hub after another; raises `Unavailable` where none can be asked."""
        return self._every(lambda hub: hub.devices())

    def spec(self, did: str) -> DeviceSpec:
        """Return what a device can do; raises as the main hub does for what no other knows."""
        return self._of(did).spec(did)

    def cameras(self) -> Sequence[Camera]:
        """Return the cameras of the main hub."""
        return self.main.cameras()

    def people(self) -> Sequence[Person]:
        """Return the people that the main hub knows."""
        return self.main.people()

    def use_camera(self, did: str, *, in_use: bool) -> Camera:
        """Let a camera of the main hub judge, or not."""
        return self.main.use_camera(did, in_use=in_use)

    def read(self, did: str, iid: str) -> Result:
        """Read a property."""
        return self._of(did).read(did, iid)

    def write(self, did: str, iid: str, value: Level) -> Result:
        """Write a property."""
        return self._of(did).write(did, iid, value)

    def act(self, did: str, iid: str, params: Sequence[Level]) -> Result:
        """Call an action."""
        return self._of(did).act(did, iid, params)

    def _of(self, did: str) -> DeviceHub:
        for hub in self.others:
            with suppress(NotFound):
                hub.spec(did)
                return hub
        return self.main

    def _every(self, ask: Callable[[DeviceHub], Sequence[_Item]]) -> Sequence[_Item]:
        found: list[_Item] = []
        first: Unavailable | None = None
        answered = False
        for hub in (self.main, *self.others):
            try:
                found += ask(hub)
                answered = True
            except Unavailable as error:
                first = first or error
        if first is not None and not answered:
            raise first
        return tuple(found)


def part(hub: DeviceHub, make: type[_Hub]) -> _Hub | None:
    """Return the hub of that make: `hub` itself, or what it was joined of; None where there is none."""
    every = (hub.main, *hub.others) if isinstance(hub, Joined) else (hub,)
    return next((each for each in every if isinstance(each, make)), None)
