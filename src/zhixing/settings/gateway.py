"""From the settings to the hub that runs rule graphs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

from zhixing.graphs.session import Place, Session
from zhixing.graphs.specs.folder import read_home
from zhixing.graphs.specs.home import Home, by_urn
from zhixing.graphs.specs.packaged import samples
from zhixing.kernel.clock import Clock
from zhixing.settings.model import Gateway
from zhixing.world.hub.opening import open_hub


def session_of(gateway: Gateway, virtual: Place, clock: Clock) -> Session:
    """Return which hub is spoken to; none is connected to yet."""
    return Session(
        virtual, lambda address, passcode: open_hub(address, passcode, clock), _specs(gateway.specs), gateway.address
    )


def _specs(folder: str) -> Callable[[], Home]:
    """Return what knows the devices of a real hub: the folder as it is when it is asked, over what comes along."""
    known, _ = by_urn(samples().values())
    packaged = Home(None, known, frozenset(), None)

    def read() -> Home:
        if not folder:
            return packaged
        found = read_home(Path(folder).expanduser())
        return replace(found, specs=MappingProxyType({**known, **found.specs}))

    return read
