"""The home as the understanding of a sentence needs it: people, cameras, devices, tasks, at one instant."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from zhixing.household.assembling.request import Camera, Device, Home, Known, Person
from zhixing.household.composing.model import Site
from zhixing.household.composing.orders import KINDS
from zhixing.household.operations import Household
from zhixing.household.people import People
from zhixing.kernel.moments import zone as find_zone
from zhixing.world.devices.port import DeviceHub


class Ground:
    """Looks at the home; nothing is kept."""

    def __init__(self, hub: DeviceHub, people: People, household: Household) -> None:
        self._hub = hub
        self._people = people
        self._household = household

    def site(self, now: datetime, zone: str, sources: Sequence[str] = ()) -> Site:
        """Return the home at `now`, with all that its devices can do. Not inside a transaction."""
        home = self.home(now, zone, sources)
        specs = {one.did: self._hub.spec(one.did) for one in home.devices}
        return Site(home, specs, frozenset(task.id for task in home.tasks))

    def home(self, now: datetime, zone: str, sources: Sequence[str] = ()) -> Home:
        """Return the home at `now`; `sources` are the cameras that a sentence came from. Not inside a transaction."""
        return Home(
            persons=tuple(Person(one.name, one.role) for one in self._people.list()),
            cameras=tuple(Camera(one.did, one.name, one.room, one.in_use) for one in self._hub.cameras()),
            devices=tuple(
                Device(one.did, one.name, one.room, KINDS.get(one.category, one.category))
                for one in self._hub.devices()
            ),
            tasks=self._tasks(),
            sources=tuple(sources),
            now=now.astimezone(find_zone(zone)),
            zone=find_zone(zone),
        )

    def unseen(self, now: datetime, zone: str, sources: Sequence[str] = ()) -> Home:
        """Return what the program itself knows of the home, while nothing can be seen of it: the tasks."""
        return Home((), (), (), self._tasks(), tuple(sources), now.astimezone(find_zone(zone)), find_zone(zone))

    def _tasks(self) -> tuple[Known, ...]:
        return tuple(
            Known(one.slug, one.description, one.active, tuple(name.partition("] ")[2] or name for name in one.rules))
            for one in self._household.briefs()
        )
