"""The virtual home that the settings name."""

from __future__ import annotations

from pathlib import Path

from zhixing.settings.described import read_described
from zhixing.settings.homeassistant import facts_of
from zhixing.settings.load import Configuration
from zhixing.world.devices.homeplan import HomePlan, default_home, read_home
from zhixing.world.devices.port import DeviceHub
from zhixing.world.devices.virtual import VirtualHome

HOME_FILE = "home.yaml"


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
    return read_home(read_described(file, "home"))
