"""The room of rule graphs, as the composition root makes it: the virtual gateway and what stands on it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from zhixing.engine.model import Engine
from zhixing.graphs.following import Following
from zhixing.graphs.operations import Graphs
from zhixing.graphs.proposals.operations import Proposals
from zhixing.graphs.session import Place, Session
from zhixing.graphs.virtual.gateway import VirtualGateway
from zhixing.graphs.virtual.homes import home_of_virtual
from zhixing.kernel.clock import Clock
from zhixing.store.connection import Store
from zhixing.tasks.operations import Tasks
from zhixing.world.devices.stored import StoreKeeper
from zhixing.world.devices.virtual import VirtualHome
from zhixing.world.models.port import Model


@dataclass(frozen=True, slots=True)
class Room:
    """What the rest of the house needs of it."""

    gateway: VirtualGateway
    graphs: Graphs
    following: Following
    proposals: Proposals

    def take_up(self) -> None:
        """Go on after a break; before the engine starts."""
        self.gateway.take_up()
        self.proposals.take_up()


def furnish(
    store: Store,
    engine: Engine,
    clock: Clock,
    *,
    home: VirtualHome,
    session_of: Callable[[Place], Session],
    tasks: Tasks,
    model: Model | None,
    zone: str,
) -> Room:
    """Make it over the virtual home; `session_of` says which hub is spoken to, given the virtual one."""
    gateway = VirtualGateway(store, engine, clock, home, zone)
    if isinstance(home.keeper, StoreKeeper):
        home.keeper.tell(gateway.heard)
    session = session_of(Place(gateway, lambda: home_of_virtual(home), gateway.around))
    graphs = Graphs(session, store, clock)
    following = Following(store, engine, clock, graphs=graphs, tasks=tasks)
    proposals = Proposals(store, engine, clock, graphs=graphs, following=following, tasks=tasks, model=model, zone=zone)
    return Room(gateway, graphs, following, proposals)
