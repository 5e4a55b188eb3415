"""The virtual home that the settings name."""

from __future__ import annotations

from pathlib import Path

from zhixing.kernel.errors import BadInput, TooLarge, Unavailable
from zhixing.settings.homeassistant import facts_of
from zhixing.settings.load import Configuration
from zhixing.world.devices.homeplan import HomePlan, default_home, read_home
from zhixing.world.devices.port import DeviceHub
from zhixing.world.devices.virtual import VirtualHome

HOME_FILE = "home.yaml"
LARGEST_HOME = 1_000_000
"""Bytes of the file that describes a virtual home."""


def ids_of(configuration: Configuration, hub: DeviceHub) -> set[str]:
    """Return the ids of a hub that are known without asking it. Those of entities have a dot, as ours never do."""
    if isinstance(hub, VirtualHome):
        return {each.did for each in hub.plan.devices} | {each.did for each in hub.plan.cameras}
    return {each.source for each in facts_of(configuration.settings.homeassistant)}


def home_plan(named: str, home: Path) -> HomePlan:
    """Read the virtual home: the file the settings name, else `home.yaml` of the home folder, else the shipped one."""
    file = Path(named).expanduser() if named else home / HOME_FILE
    if not named and not file.exists():
        return default_home()
    try:
        with file.open("rb") as opened_file:
            data = opened_file.read(LARGEST_HOME + 1)
    except (OSError, ValueError) as error:
        raise Unavailable("home_file_unreadable", file=file, why=getattr(error, "strerror", None) or error) from error
    if len(data) > LARGEST_HOME:
        raise TooLarge("home_file_large", file=file, limit=LARGEST_HOME)
    try:
        return read_home(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise BadInput("input_not_utf8", line=data[: error.start].count(b"\n") + 1) from error
