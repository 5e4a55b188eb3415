"""The cameras and the terms of looking that the settings name."""

from __future__ import annotations

from datetime import tzinfo
from pathlib import Path

from zhixing.household.watching.model import Terms
from zhixing.household.watching.poller import Poller
from zhixing.household.watching.spending import Spending
from zhixing.kernel.clock import Clock
from zhixing.settings.endpoint import build_model
from zhixing.settings.model import Settings, Vision, VisionCamera
from zhixing.store.connection import Store
from zhixing.tasks.rules.operations import Rules
from zhixing.world.devices.port import DeviceHub
from zhixing.world.homeassistant.address import Address
from zhixing.world.homeassistant.cameras import HomeAssistantSnapshots
from zhixing.world.models.chat import Patience
from zhixing.world.models.counting import Counting
from zhixing.world.perception.snapshots import Snapshots
from zhixing.world.vision.cameras import ByCamera
from zhixing.world.vision.folders import FolderSnapshots
from zhixing.world.vision.urls import UrlSnapshots


def poller_of(
    wanted: Settings, store: Store, rules: Rules, hub: DeviceHub, *, clock: Clock, zone: tzinfo
) -> Poller | None:
    """Make what looks; None where no camera is named or no model sees. Looks at nothing yet.

    Raises `BadInput` for an address that is none.
    """
    cameras = watched_cameras(wanted.vision)
    # What passes is not tried again at once: the next look is soon, and sees more.
    model = build_model(wanted.model, clock, on_usage=Counting(store, zone), patience=Patience(tries=1))
    if not cameras or model is None or not model.sees:
        return None
    others = wanted.homeassistant
    assistant = Address(others.url, others.token.get_secret_value().strip()) if others.url else None
    return Poller(
        store,
        clock,
        rules,
        hub,
        cameras=cameras,
        snapshots=build_snapshots(
            wanted.vision, clock, None if assistant is None else HomeAssistantSnapshots(assistant, clock)
        ),
        model=model,
        terms=terms_of(wanted.vision),
        spent=Spending(store, clock, zone, wanted.model.vision),
        at_once=wanted.vision.at_once,
    )


def watched_cameras(wanted: Vision) -> tuple[str, ...]:
    """Return the ids of the cameras that are to be looked at."""
    return tuple(dict.fromkeys(camera.did or name for name, camera in wanted.cameras.items()))


def build_snapshots(wanted: Vision, clock: Clock, others: Snapshots | None = None) -> Snapshots:
    """Make what gives their pictures; `others` gives those of cameras for which nothing is set. Asks nothing yet.

    Raises `BadInput` for an address that is none.
    """
    made = {camera.did or name: giver_of(name, camera, clock) for name, camera in wanted.cameras.items()}
    return ByCamera({did: giver for did, giver in made.items() if giver is not None}, others)


def giver_of(name: str, camera: VisionCamera, clock: Clock) -> Snapshots | None:
    """Make what gives the pictures of one camera; None where that is left to the hub."""
    url = camera.url.get_secret_value()
    if url:
        return UrlSnapshots(name, url, clock, user=camera.user, password=camera.password.get_secret_value())
    return FolderSnapshots(Path(camera.folder).expanduser()) if camera.folder else None


def terms_of(wanted: Vision) -> Terms:
    """Return the terms of looking."""
    return Terms(
        interval=wanted.interval,
        hold=wanted.hold,
        oldest=wanted.oldest,
        per_hour=wanted.per_hour,
        per_day=wanted.per_day,
        cost_per_day=round(wanted.cost_per_day * 1_000_000),
    )
