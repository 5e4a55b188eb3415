"""Opening the home for one command."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from zhixing.app import App, opened
from zhixing.faces.cli.desk import Desk
from zhixing.faces.cli.lock import is_served
from zhixing.faces.cli.options import task_id
from zhixing.household.overview import id_of
from zhixing.household.sight import names_of
from zhixing.kernel.errors import TooLarge
from zhixing.kernel.wording import wording
from zhixing.settings import Configuration, HomeZone, ZoneSource, home_folder, home_zone, load
from zhixing.settings.place import make_home
from zhixing.store.connection import Tx
from zhixing.tasks import store as tasks
from zhixing.tasks.task import Task

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

    def task_id(self, tx: Tx, written: str) -> str:
        """Return the id that a person means by `t12`, `12`, or the name of a household task.

        Ids come first: a name that reads like one is only found where there is no such task.
        """
        known = task_id(written)
        return known if tasks.find(tx, known) is not None else id_of(tx, written.strip().lower()) or known

    def task(self, tx: Tx, written: str) -> Task:
        """Return the task that a person means; raise `NotFound` when there is none."""
        return tasks.get(tx, self.task_id(tx, written))

    def has_task(self, written: str) -> bool:
        """Whether there is a task that a person means by this."""
        with self.app.store.read() as tx:
            return tasks.find(tx, self.task_id(tx, written)) is not None

    def names(self) -> dict[str, str]:
        """Return the names of devices and cameras, by id; not to be asked for inside a transaction."""
        return names_of(self.app.hub)

    def notes(self) -> list[str]:
        """Say what the user has to know about this home before he relies on a reminder."""
        return self._notes("cli.not_served")

    def household_notes(self) -> list[str]:
        """Say what the user has to know about this home before he relies on a rule or a cron job."""
        return self._notes("cli.not_served_household")

    def document_notes(self) -> list[str]:
        """Say what the user has to know about this home before he relies on a run in the background."""
        return self._notes("cli.not_served_documents")

    def graph_notes(self) -> list[str]:
        """Say what the user has to know about this home before he relies on a rule of its hub."""
        return self._notes("proposals.not_served")

    def goal_notes(self) -> list[str]:
        """Say what the user has to know about this home before he relies on a goal."""
        return self._notes("goal_talks.not_served")

    def _notes(self, unserved: str) -> list[str]:
        zone = self.app.zone
        lines = list(zone.warnings)
        if zone.name in _NOBODYS and zone.source is not ZoneSource.CONFIG:
            lines.append(zone_line(zone))
        if not is_served(self.home):
            lines.append(wording(unserved))
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
    with opened(configuration, desk.clock, zone, home, desk.env) as app:
        yield House(home, configuration, app)
