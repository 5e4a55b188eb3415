"""scope home, scope camera: which home this is, and which of its cameras may judge."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from zhixing.app import App
from zhixing.faces.cli.options import AtDesk
from zhixing.faces.miloco.envelope import Wire
from zhixing.faces.miloco.house import backend, home_name
from zhixing.kernel.errors import BadInput, ZhixingError
from zhixing.world.devices.port import Camera

HOME_ID = "home"
"""There is one home for each home folder."""

Dids = Annotated[str, Parameter(name="DID", required=True)]


def homes(*, desk: AtDesk) -> list[Wire]:
    """Return the one home."""
    with backend(desk) as app:
        return [
            {
                "home_id": HOME_ID,
                "home_name": home_name(app),
                "in_use": True,
                "timezone": app.zone.name,
            }
        ]


def cameras(*, desk: AtDesk) -> list[Wire]:
    """Return all cameras."""
    with backend(desk) as app:
        return [_wire(camera) for camera in app.hub.cameras()]


def enable(*did: Dids, desk: AtDesk) -> list[Wire]:
    """Let cameras judge."""
    return _used(did, desk, in_use=True)


def disable(*did: Dids, desk: AtDesk) -> list[Wire]:
    """Let cameras judge no longer."""
    return _used(did, desk, in_use=False)


def _used(dids: tuple[str, ...], desk: AtDesk, *, in_use: bool) -> list[Wire]:
    wanted = tuple(dict.fromkeys(dids))
    with backend(desk) as app:
        before = _in_use(wanted, app)
        try:
            return [_wire(app.hub.use_camera(did, in_use=in_use)) for did in wanted]
        except ZhixingError:
            # All of them or none.
            for camera in app.hub.cameras():
                if camera.did in wanted and camera.in_use != before[camera.did]:
                    app.hub.use_camera(camera.did, in_use=before[camera.did])
            raise


def _in_use(dids: tuple[str, ...], app: App) -> dict[str, bool]:
    """Return which cameras judge now; raise `BadInput` when one of `dids` is no camera."""
    cameras = app.hub.cameras()
    for did in dids:
        if all(camera.did != did for camera in cameras):
            known = "、".join(f"{camera.did}（{camera.name}）" for camera in cameras)
            raise BadInput("miloco_camera_unknown", did=did[:64], known=known or "—")
    return {camera.did: camera.in_use for camera in cameras}


def _wire(camera: Camera) -> Wire:
    """Write a camera; one that judges is connected when it can be reached."""
    return {
        "did": camera.did,
        "name": camera.name,
        "room_name": camera.room,
        "is_online": camera.online,
        "in_use": camera.in_use,
        "connected": camera.in_use and camera.online,
    }
