"""Opening the home for one command."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from zhixing.app import App, opened
from zhixing.faces.cli.desk import Desk
from zhixing.faces.cli.lock import is_served
from zhixing.kernel.errors import TooLarge
from zhixing.kernel.wording import wording
from zhixing.settings import Configuration, HomeZone, ZoneSource, home_folder, home_zone, load
from zhixing.settings.place import make_home

_NOBODYS = frozenset({"UTC", "Etc/UTC", "Etc/UCT", "Etc/GMT", "GMT", "Etc/Zulu", "Universal", "Etc/Universal", "Zulu"})
"""Zones that machines are set to and people seldom live in."""


@dataclass(frozen=True, slots=True)
class House:
    """What is open while a command runs. Its engine is not started: whoever serves the home runs the jobs."""

    home: Path
    configuration: Configuration
    app: App

    def check_length(self, text: str) -> None:
        """Raise `TooLarge` for text that is longer than the owner of this home allows."""
        limit = self.configuration.settings.limits.text_chars
        if len(text) > limit:
            raise TooLarge("text_long", limit=limit)

    def notes(self) -> list[str]:
        """Say what the user has to know about this home before he relies on a reminder."""
        zone = self.app.zone
        lines = list(zone.warnings)
        if zone.name in _NOBODYS and zone.source is not ZoneSource.CONFIG:
            lines.append(zone_line(zone))
        if not is_served(self.home):
            lines.append(wording("cli.not_served"))
        return lines


def zone_line(zone: HomeZone) -> str:
    """Say in which zone times are read, and how to change that."""
    source = wording(f"doctor.zone_from_{zone.source.value.lower()}")
    return wording("cli.zone", zone=zone.name, source=source)


@contextmanager
def house(desk: Desk) -> Iterator[House]:
    """Open the home of `desk`, which is made when it is not there yet."""
    home = home_folder(desk.env)
    configuration = load(home, desk.env)
    zone = home_zone(configuration.settings.zone, desk.env)
    make_home(home)
    with opened(configuration, desk.clock, zone) as app:
        yield House(home, configuration, app)
