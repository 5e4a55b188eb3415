"""Whether a camera may judge: what every hub that keeps this itself decides alike. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from zhixing.kernel.errors import Conflict, NotFound
from zhixing.kernel.wording import wording
from zhixing.world.devices.homeplan import MOST_IN_USE
from zhixing.world.devices.names import quoted
from zhixing.world.devices.port import Camera


def switched(cameras: Sequence[Camera], did: str, *, in_use: bool) -> tuple[Camera, bool]:
    """Return the camera as it is to be, and whether that is news.

    At most `MOST_IN_USE` judge at once, and none that is offline begins to: `Conflict`; an id that no camera has is
    `NotFound`.
    """
    before = next((each for each in cameras if each.did == did), None)
    if before is None:
        known = "、".join(each.did for each in cameras) or wording("devices.nothing")
        raise NotFound("camera_unknown", did=quoted(did), known=known)
    if before.in_use == in_use:
        return before, False
    if in_use and not before.online:
        raise Conflict("camera_offline", name=before.name)
    if in_use and sum(each.in_use for each in cameras) >= MOST_IN_USE:
        raise Conflict("cameras_many", limit=MOST_IN_USE)
    return replace(before, in_use=in_use), True
