"""Opening the home for one command: whatever keeps it from being opened is "unreachable", as a server would be."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime
from zoneinfo import ZoneInfo

from zhixing.app import App
from zhixing.faces.cli import house as opening
from zhixing.faces.cli.desk import Desk
from zhixing.faces.miloco.usage import Unreachable
from zhixing.kernel.errors import ZhixingError
from zhixing.kernel.moments import iso
from zhixing.kernel.moments import zone as find_zone
from zhixing.kernel.wording import wording
from zhixing.world.devices.joined import part
from zhixing.world.devices.virtual import VirtualHome


@contextmanager
def backend(desk: Desk) -> Iterator[App]:
    """Open the home of `desk`, which is made when it is not there yet."""
    with ExitStack() as stack:
        try:
            home = stack.enter_context(opening.house(desk))
        except ZhixingError as error:
            raise Unreachable(error.key, **error.values) from error
        yield home.app


def zone_of(app: App) -> ZoneInfo:
    """Return the zone of the home."""
    return find_zone(app.zone.name)


def instant(at: datetime | None, app: App) -> str | None:
    """Write an instant as the document does: whole seconds, with the offset of the home's zone."""
    return None if at is None else iso(at.replace(microsecond=0), zone_of(app))


def home_name(app: App) -> str:
    """Return what the home is called."""
    virtual = part(app.hub, VirtualHome)
    return wording("miloco.home_name") if virtual is None else virtual.plan.name
