"""A home without hardware: devices that take commands, show their state late, go offline and keep silent as planned.

Everything the hub's callers see follows from the plan, what the keeper keeps, and the clock. What happens is decided in
`behaviour`, pure; this module asks and tells.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

from zhixing.kernel.errors import BadInput, StoreUnavailable
from zhixing.kernel.wording import wording
from zhixing.world.devices.behaviour import Outcome, Standing
from zhixing.world.devices.homeplan import HomePlan
from zhixing.world.devices.judging import switched
from zhixing.world.devices.keeping import ONLINE, USE, By, Happening, Held, Keeper, Page
from zhixing.world.devices.names import fitting, quoted, resolve, unknown_device
from zhixing.world.devices.port import (
    ActionSpec,
    Camera,
    Device,
    DeviceSpec,
    Failed,
    Level,
    Person,
    Result,
    Uncertain,
)

_Decide = Callable[[Standing], Outcome]


class VirtualHome:
    """A `DeviceHub` over a plan.

    `spec` and `people` never touch the keeper; everything else does (see `StoreKeeper` for when that is allowed).
    Besides the port it lets somebody be at home: `set_property`, `emit` and `set_online` are what hands, the weather
    and the power supply do.
    """

    def __init__(self, plan: HomePlan, keeper: Keeper) -> None:
        self.plan = plan
        self.keeper = keeper
        self._devices = {device.did: device for device in plan.devices}
        self._cameras = {camera.did: camera for camera in plan.cameras}
        self._specs = {device.did: device.kind.spec(device.did, device.transition) for device in plan.devices}

    def devices(self) -> Sequence[Device]:
        """Return all devices, in the order of the plan."""
        online = self.keeper.read(lambda page: page.everywhere(ONLINE))
        return tuple(
            Device(
                each.did,
                each.name,
                each.room,
                each.kind.category,
                each.kind.model,
                online=_flagged(online, each.did, default=each.online),
            )
            for each in self.plan.devices
        )

    def spec(self, did: str) -> DeviceSpec:
        """Return what a device can do; raise `NotFound` when there is none of that id."""
        found = self._specs.get(did)
        if found is None:
            known = [Device(each.did, each.name, each.room, "", "", online=True) for each in self.plan.devices]
            raise unknown_device(did, known)
        return found

    def cameras(self) -> Sequence[Camera]:
        """Return all cameras, in the order of the plan."""
        return self.keeper.read(self._seen_cameras)

    def people(self) -> Sequence[Person]:
        """Return the people of the plan."""
        return self.plan.people

    def use_camera(self, did: str, *, in_use: bool) -> Camera:
        """Let a camera judge, or not: at most `MOST_IN_USE` at once, and none that is offline begins to."""

        def act(page: Page) -> Camera:
            camera, is_news = switched(self._seen_cameras(page), did, in_use=in_use)
            if is_news:
                self._flag(page, did, USE, By.COMMAND, on=in_use)
            return camera

        return self.keeper.write(act)

    def read(self, did: str, iid: str) -> Result:
        """Read a property; what was written shows after the device's transition."""
        device = self._devices.get(did)
        if device is None:
            return Failed("device_missing", quoted(did))
        return _answered(
            lambda: self.keeper.read(lambda page: Standing(device, page.held(did), self.keeper.clock.now()).read(iid))
        )

    def write(self, did: str, iid: str, value: Level) -> Result:
        """Write a property."""
        return self._commanded(did, iid, lambda device: device.write(iid, value))

    def act(self, did: str, iid: str, params: Sequence[Level]) -> Result:
        """Call an action."""
        return self._commanded(did, iid, lambda device: device.act(iid, params))

    def set_property(self, did: str, iid: str, value: object) -> Level:
        """Change a property as hands or the weather do: at once, online or not, and read-only ones too.

        `iid` may be a name. Returns the value as it is held; raises `NotFound` or `BadInput`.
        """
        spec = resolve(self.spec(did), iid)
        if isinstance(spec, ActionSpec):
            raise BadInput("not_a_property", iid=spec.iid)
        level = fitting(spec, value)
        device = self._devices[did]

        def act(page: Page) -> None:
            now = self.keeper.clock.now()
            _keep(page, did, Standing(device, page.held(did), now).touch(spec.iid, level))
            page.note(Happening(now, did, spec.iid, (level,), By.PERSON))

        self.keeper.write(act)
        return level

    def emit(self, did: str, name: str) -> str:
        """Let an event happen, such as the click of a button; returns its iid. `name` is `click` or `event.2.1`."""
        self.spec(did)
        events = tuple(self._devices[did].kind.events())
        wanted = name.strip().removeprefix("event.")
        found = next((each for each in events if wanted in {each.name, each.iid.removeprefix("event.")}), None)
        if found is None:
            known = "、".join(each.name for each in events) or wording("devices.nothing")
            raise BadInput("event_unknown", did=did, name=quoted(name), known=known)
        happening = Happening(self.keeper.clock.now(), did, found.iid, (), By.PERSON)
        self.keeper.write(lambda page: page.note(happening))
        return found.iid

    def set_online(self, did: str, *, online: bool) -> None:
        """Plug a device or a camera in, or out."""
        if did not in self._cameras:
            self.spec(did)
        self.keeper.write(lambda page: self._flag(page, did, ONLINE, By.PERSON, on=online))

    def happenings(self, limit: int, did: str | None = None) -> list[Happening]:
        """Return the last `limit` things that happened, in the home or to one device, oldest first."""
        return self.keeper.happenings(limit, did)

    def said(self, did: str, limit: int) -> list[tuple[datetime, str]]:
        """Return what a speaker said among the last `limit` things that happened to it, and when."""
        iids = {each.iid for each in self.spec(did).actions if each.name == "play-text"}
        return [(each.at, str(each.value)) for each in self.happenings(limit, did) if each.iid in iids]

    def _commanded(self, did: str, iid: str, decide: _Decide) -> Result:
        device = self._devices.get(did)
        if device is None:
            return Failed("device_missing", quoted(did))

        def act(page: Page) -> Result:
            now = self.keeper.clock.now()
            outcome = decide(Standing(device, page.held(did), now))
            _keep(page, did, outcome.changes)
            if outcome.values is not None:
                page.note(Happening(now, did, iid, outcome.values, By.COMMAND))
            return outcome.result

        return _answered(lambda: self.keeper.write(act))

    def _seen_cameras(self, page: Page) -> tuple[Camera, ...]:
        online, in_use = page.everywhere(ONLINE), page.everywhere(USE)
        return tuple(
            Camera(
                each.did,
                each.name,
                each.room,
                online=_flagged(online, each.did, default=each.online),
                in_use=_flagged(in_use, each.did, default=each.in_use),
            )
            for each in self.plan.cameras
        )

    def _flag(self, page: Page, did: str, name: str, by: By, *, on: bool) -> None:
        now = self.keeper.clock.now()
        page.put(did, name, Held(on, on, now, now))
        page.note(Happening(now, did, name, (on,), by))


def _keep(page: Page, did: str, changes: Mapping[str, Held]) -> None:
    for iid, held in changes.items():
        page.put(did, iid, held)


def _flagged(kept: Mapping[str, Held], did: str, *, default: bool) -> bool:
    return bool(kept[did].value) if did in kept else default


def _answered(ask: Callable[[], Result]) -> Result:
    """Return the answer. A database that cannot be used makes a home that cannot be reached."""
    try:
        return ask()
    except StoreUnavailable as error:
        return Uncertain("no_answer") if error.key == "store_unsure" else Failed("hub_unreachable")
