"""Where a command works, and what it answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any
from zoneinfo import ZoneInfo

from cyclopts import Parameter

from zhixing.documents.operations import Documents
from zhixing.faces.cli.desk import Desk
from zhixing.faces.cli.house import House, house
from zhixing.faces.cli.projects import project_to_change, project_to_read
from zhixing.kernel.moments import zone as find_zone

Wire = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Here:
    """The surroundings of one command. `folder` is that of the project; None means the home's own."""

    desk: Desk
    folder: Path | None


AtHere = Annotated[Here, Parameter(parse=False)]


@dataclass(frozen=True, slots=True)
class Answer:
    """The same for programs and for people: `data` of the envelope; lines, and rows in columns above them."""

    data: Wire
    lines: Sequence[str] = ()
    rows: Sequence[list[str]] = ()

    def tell(self, desk: Desk) -> None:
        """Say it to a person."""
        if self.rows:
            desk.lay_out(list(self.rows))
        desk.say(*self.lines)


@dataclass(frozen=True, slots=True)
class Project:
    """What is open while a command runs."""

    house: House
    path: Path

    @property
    def documents(self) -> Documents:
        """The tasks of the home."""
        return self.house.app.documents

    @property
    def zone(self) -> ZoneInfo:
        """The zone of the home."""
        return find_zone(self.house.app.zone.name)


@contextmanager
def looking(here: Here) -> Iterator[Project]:
    """Open the home and the project of `here` to look at it; a project without tasks stays as it is."""
    with house(here.desk) as home:
        yield Project(home, project_to_read(home.app.documents, here.folder))


@contextmanager
def changing(here: Here) -> Iterator[Project]:
    """Open the home and the project of `here` to change it; its folder of tasks is made when it is not there yet."""
    with house(here.desk) as home:
        yield Project(home, project_to_change(home.app.documents, here.folder))
