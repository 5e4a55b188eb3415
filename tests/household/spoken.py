"""A home that is talked to: everything as the program wires it, with a clock that is moved by hand."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from zhixing.app import App, build
from zhixing.household.talking.talk import Talk
from zhixing.kernel.clock import ManualClock
from zhixing.kernel.moments import zone
from zhixing.settings import HomeZone, ZoneSource
from zhixing.world.channels.memory import MemoryChannel
from zhixing.world.devices.homeplan import default_home
from zhixing.world.devices.stored import StoreKeeper
from zhixing.world.devices.virtual import VirtualHome
from zhixing.world.models.port import Model

NOON = datetime(2026, 10, 12, 12, 0, tzinfo=zone("Asia/Shanghai"))


class Talking:
    """Says things at `NOON` of a Monday; `run` does what is due."""

    def __init__(self, home: Any, clock: ManualClock, model: Model | None = None) -> None:
        self.clock = clock
        self._home = home
        self._model = model
        self._open(home.store)

    def _open(self, store: Any, around: Callable[[Any], Any] = lambda hub: hub) -> None:
        self.phone = MemoryChannel("phone")
        self.hub = around(VirtualHome(default_home(), StoreKeeper(store, self.clock)))
        self.app: App = build(
            store,
            self.clock,
            HomeZone("Asia/Shanghai", ZoneSource.CONFIG),
            {"phone": self.phone},
            hub=self.hub,
            phone=("phone",),
            model=self._model,
        )
        self.app.recover()

    def restart(self, model: Model | None = None) -> None:
        """Close everything and open it again, as after the end of the process."""
        self._model = model or self._model
        self._open(self._home.reopen())

    def reopen_over(self, wrap: Callable[[Any], Any]) -> Any:
        """Open the home again over a store that behaves otherwise; return that store."""
        store = wrap(self._home.reopen())
        self._open(store)
        return store

    def reopen_with_hub(self, around: Callable[[Any], Any]) -> Any:
        """Open the home again with a hub that behaves otherwise; return that hub."""
        self._open(self._home.reopen(), around)
        return self.hub

    def beside(self) -> App:
        """Return what another process runs on the same database."""
        store = self._home.open()
        zone_of_home = HomeZone("Asia/Shanghai", ZoneSource.CONFIG)
        hub = VirtualHome(default_home(), StoreKeeper(store, self.clock))
        return build(store, self.clock, zone_of_home, {"phone": self.phone}, hub=hub, phone=("phone",))

    def say(self, text: str, *answers: str, **more: Any) -> Talk:
        """Say something, and answer what is asked."""
        talk = self.app.talks.say(text, who="test", **more)
        for answer in answers:
            talk = self.app.talks.answer(talk.id, answer, who="test")
        return talk

    def run(self, forward: timedelta = timedelta(0)) -> None:
        """Let time pass, and do what is due."""
        self.clock.advance(forward)
        self.app.engine.drain()

    @property
    def slugs(self) -> list[str]:
        """The names of the tasks that live, the newest first."""
        return [view.slug for view in self.app.household.list()]
